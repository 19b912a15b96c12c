//===- Threads.cpp - Large stacks, and forks ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads with large stacks. `llvm::thread` is not used, since it ends the
// process if no thread can be created.
//
//===----------------------------------------------------------------------===//

#include "attn/Support/LargeStack.h"

#include "attn/Support/ForkDelay.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <pthread.h>

using namespace llvm;
using namespace mlir::attn;

static constexpr size_t kStackBytes = 16 << 20;

static void *call(void *body) {
  (*static_cast<function_ref<void()> *>(body))();
  return nullptr;
}

/// Starts a thread that calls `body`, which must outlive the thread. Returns 0,
/// or the error code of the failure.
static int start(pthread_t &thread, function_ref<void()> &body) {
  pthread_attr_t attributes;
  int status = pthread_attr_init(&attributes);
  if (status == 0) {
    status = pthread_attr_setstacksize(&attributes, kStackBytes);
    if (status == 0)
      status = pthread_create(&thread, &attributes, call, &body);
    pthread_attr_destroy(&attributes);
  }
  return status;
}

Error mlir::attn::runOnLargeStack(function_ref<void()> body) {
  pthread_t thread;
  if (int status = start(thread, body))
    return createStringError(
        "cannot start a thread with a stack of " + Twine(kStackBytes >> 20) +
        " MiB: " + std::generic_category().message(status));
  pthread_join(thread, nullptr);
  return Error::success();
}

void mlir::attn::runOnLargeStacks(size_t count,
                                  function_ref<void(size_t)> body) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t number; (number = next++) < count;)
      body(number);
  };
  function_ref<void()> worker = work;
  size_t wanted =
      std::min<size_t>(count, hardware_concurrency().compute_thread_count());
  SmallVector<pthread_t, 8> threads;
  pthread_t thread;
  while (threads.size() < wanted && start(thread, worker) == 0)
    threads.push_back(thread);
  if (threads.empty())
    work();
  for (pthread_t started : threads)
    pthread_join(started, nullptr);
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

// The lock by which a ForkDelay, which holds it for reading, delays fork(),
// which takes it for writing. A thread may lock it several times for reading,
// since the default kind of pthread_rwlock_t prefers readers.
static pthread_rwlock_t delays = PTHREAD_RWLOCK_INITIALIZER;

namespace {
struct Registration {
  Registration() {
    pthread_atfork([] { pthread_rwlock_wrlock(&delays); },
                   [] { pthread_rwlock_unlock(&delays); },
                   // The forked process resets the lock. It cannot unlock it,
                   // since its thread has another id than the one that locked
                   // it.
                   [] { delays = PTHREAD_RWLOCK_INITIALIZER; });
  }
};
} // namespace

// The fork handlers are registered when the library is loaded, before there are
// other threads.
static Registration registration;

ForkDelay::ForkDelay() { pthread_rwlock_rdlock(&delays); }
ForkDelay::~ForkDelay() { pthread_rwlock_unlock(&delays); }
