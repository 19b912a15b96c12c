//===- LargeStackTest.cpp - Tests of threads with room --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/LargeStack.h"

#include "gtest/gtest.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace mlir::attn;

/// Uses 12 MiB of stack, by writing to each of its pages.
static int useStack() {
  volatile char bytes[12 << 20];
  for (size_t i = 0; i < sizeof(bytes); i += 4096)
    bytes[i] = 1;
  return bytes[0] + bytes[sizeof(bytes) - 4096];
}

TEST(LargeStack, runsOnAnotherThread) {
  int sum = 0;
  pthread_t self = pthread_self();
  bool isSame = true;
  EXPECT_FALSE(llvm::errorToBool(runOnLargeStack([&] {
    sum = useStack();
    isSame = pthread_equal(pthread_self(), self);
  })));
  EXPECT_EQ(sum, 2);
  EXPECT_FALSE(isSame);
}

TEST(LargeStack, runsEachOnce) {
  for (size_t count : {0, 1, 2, 100}) {
    std::vector<int> sums(count);
    runOnLargeStacks(count, [&](size_t number) { sums[number] += useStack(); });
    EXPECT_EQ(sums, std::vector<int>(count, 2));
  }
}

// AddressSanitizer itself ends the process if there is no memory for a thread.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTN_ENDS_WITHOUT_MEMORY
#endif
#endif

/// Starts sleeping threads until none can be created. This uses up the stacks
/// that the C library keeps of threads that have ended.
static void takeKeptStacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16 << 20);
  pthread_t thread;
  auto sleep = [](void *) -> void * {
    for (;;)
      pause();
  };
  while (pthread_create(&thread, &attributes, sleep, nullptr) == 0)
    ;
  pthread_attr_destroy(&attributes);
}

TEST(LargeStack, failsWithoutMemory) {
#ifdef ATTN_ENDS_WITHOUT_MEMORY
  GTEST_SKIP() << "under AddressSanitizer";
#endif
  // The test runs in a forked process, whose limit of address space leaves no
  // memory for a new stack.
  pid_t process = fork();
  if (process == 0) {
    rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    takeKeptStacks();
    bool hasRun = false;
    llvm::Error error = runOnLargeStack([&] { hasRun = true; });
    // If no thread can be created, runOnLargeStacks() does all work on the
    // calling thread.
    size_t sum = 0;
    runOnLargeStacks(3, [&](size_t number) { sum += number; });
    _exit(error && !hasRun && sum == 3 ? 0 : 1);
  }
  int status = -1;
  waitpid(process, &status, 0);
  EXPECT_EQ(status, 0);
}
