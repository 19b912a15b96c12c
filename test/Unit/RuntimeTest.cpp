//===- RuntimeTest.cpp - Messages and the cache of the GPU runtime --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, noRuntime) {
  attnrt_launch record = makeLaunch();
  EXPECT_EQ(attnrt_launch_kernel(nullptr, nullptr, &record),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_EQ(attnrt_synchronize(nullptr, nullptr), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(attnrt_last_error(nullptr), "no runtime");
  attnrt_destroy(nullptr);
}

TEST_F(RuntimeTest, errorsOfThreads) {
  EXPECT_STREQ(runtime.getError(), "");
  EXPECT_EQ(attnrt_fail(runtime, ATTNRT_INVALID_ARGUMENT, "100% mine"),
            ATTNRT_INVALID_ARGUMENT);
  const char *mine = runtime.getError();
  std::thread([&] {
    EXPECT_STREQ(runtime.getError(), "");
    attnrt_fail(runtime, ATTNRT_BAD_PROGRAM, "theirs");
    EXPECT_STREQ(runtime.getError(), "theirs");
  }).join();
  // Neither another thread's failure nor a later success replaces the message
  // of this thread's failure.
  int count;
  EXPECT_EQ(attnrt_get_device_count(runtime, &count), ATTNRT_SUCCESS);
  EXPECT_STREQ(mine, "100% mine");
  EXPECT_EQ(runtime.getError(), mine);
  Runtime second(fakeDriverPath());
  EXPECT_STREQ(second.getError(), "");
}

TEST_F(RuntimeTest, wrongChip) {
  driver.createContext(1);
  driver.setError("cuModuleLoadDataEx", noBinaryForGpu);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_BAD_PROGRAM);
  EXPECT_STREQ(runtime.getError(),
               "loading program 'main' for sm_90a: "
               "CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for "
               "execution on the device (device: compute capability 8.0, "
               "driver 13.1)");
  // A failure to load a program is not remembered: the next launch loads it.
  driver.setError("cuModuleLoadDataEx", 0);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
}

TEST_F(RuntimeTest, rejectedProgram) {
  driver.createContext(0);
  static constexpr char text[] = ".entry kernel() { bad; }";
  attnrt_program rejected = {text, sizeof(text), "broken", "sm_90a"};
  EXPECT_EQ(launch(makeLaunch(rejected)), ATTNRT_BAD_PROGRAM);
  EXPECT_STREQ(runtime.getError(),
               "loading program 'broken' for sm_90a: CUDA_ERROR_INVALID_PTX: "
               "text of the error (device: compute capability 9.0, driver "
               "13.1)\nptxas application ptx input, line 7; error   : Unknown "
               "symbol 'bad'");
}

TEST_F(RuntimeTest, unboundedProgram) {
  driver.createContext(0);
  attnrt_program unbounded = {ptx, sizeof(ptx) - 1, "main", nullptr};
  EXPECT_EQ(launch(makeLaunch(unbounded)), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "PTX that ends in a zero");
  attnrt_program empty = {nullptr, 0, nullptr, nullptr};
  EXPECT_EQ(launch(makeLaunch(empty)), ATTNRT_INVALID_ARGUMENT);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 0u);
}

TEST_F(RuntimeTest, missingKernel) {
  driver.createContext(0);
  attnrt_launch record = makeLaunch();
  record.kernel = "absent";
  EXPECT_EQ(launch(record), ATTNRT_BAD_PROGRAM);
  EXPECT_STREQ(runtime.getError(), "getting kernel 'absent' of program 'main': "
                                   "CUDA_ERROR_NOT_FOUND: text of the error");
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 1u);
}

TEST_F(RuntimeTest, noContext) {
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_NO_DEVICE);
  EXPECT_STREQ(runtime.getError(),
               "no CUDA context is current on the calling thread");
}

TEST_F(RuntimeTest, statusOfLaunch) {
  driver.createContext(0);
  attnrt_launch record = makeLaunch();
  record.shared_bytes = 1000;
  driver.setError("cuLaunchKernel", invalidValue);
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(
      runtime.getError(),
      "launching kernel 'kernel' of program 'main' with a grid of 1 x 2 x 3, "
      "CTAs of 4 x 3 x 2, clusters of 1 x 1 x 1 and 1000 bytes of dynamic "
      "shared memory: CUDA_ERROR_INVALID_VALUE: text of the error");
  driver.setError("cuLaunchKernel", outOfResources);
  EXPECT_EQ(launch(record), ATTNRT_LAUNCH_FAILED);
  EXPECT_EQ(std::string(runtime.getError()).find("lost"), std::string::npos);
  for (int error : {illegalAddress, launchFailed}) {
    driver.setError("cuLaunchKernel", error);
    EXPECT_EQ(launch(record), ATTNRT_LAUNCH_FAILED);
    EXPECT_CONTAINS(runtime.getError(), "context is lost");
  }
  driver.setError("cuLaunchKernel", outOfMemory);
  EXPECT_EQ(launch(record), ATTNRT_OUT_OF_MEMORY);
  driver.setError("cuLaunchKernel", unknownError);
  EXPECT_EQ(launch(record), ATTNRT_DRIVER_ERROR);

  driver.setError("cuStreamSynchronize", illegalAddress);
  EXPECT_EQ(attnrt_synchronize(runtime, nullptr), ATTNRT_LAUNCH_FAILED);
  EXPECT_CONTAINS(runtime.getError(),
                  "waiting for a stream: CUDA_ERROR_ILLEGAL_ADDRESS: ");
  EXPECT_CONTAINS(runtime.getError(), "context is lost");
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, loadsOnce) {
  driver.createContext(0);
  attnrt_launch record = makeLaunch();
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  // A kernel is found by its name, not by the address of the name.
  std::string name = "kernel";
  record.kernel = name.c_str();
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleGetFunction"), 1u);
  record.kernel = "other";
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleGetFunction"), 2u);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 1u);
  // Programs are told apart only by the addresses of their records, so a copy
  // is loaded again.
  attnrt_program copy = program;
  EXPECT_EQ(launch(makeLaunch(copy)), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 2u);
}

TEST_F(RuntimeTest, manyPrograms) {
  driver.createContext(0);
  std::vector<attnrt_program> programs(500, program);
  for (int round = 0; round < 2; ++round)
    for (const attnrt_program &each : programs)
      EXPECT_EQ(launch(makeLaunch(each)), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 500u);
}

TEST_F(RuntimeTest, loadsPerContext) {
  driver.createContext(0);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  attnrt_context second = driver.createContext(1);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 2u);
  driver.destroyContext(second);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 2u);
}

TEST_F(RuntimeTest, recycledContext) {
  attnrt_context first = driver.createContext(0);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  driver.destroyContext(first);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_NO_DEVICE);
  ASSERT_EQ(driver.createContext(0), first);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 2u);
}

TEST_F(RuntimeTest, destroyedWhileCurrentElsewhere) {
  attnrt_context context = driver.createContext(0);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  std::thread([&] { driver.destroyContext(context); }).join();
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(runtime.getError(), "CUDA_ERROR_CONTEXT_IS_DESTROYED");
}

TEST_F(RuntimeTest, unloadsModules) {
  attnrt_context destroyed, kept;
  {
    Runtime own(fakeDriverPath());
    attnrt_launch record = makeLaunch();
    kept = driver.createContext(0);
    EXPECT_EQ(attnrt_launch_kernel(own, nullptr, &record), ATTNRT_SUCCESS);
    destroyed = driver.createContext(0);
    EXPECT_EQ(attnrt_launch_kernel(own, nullptr, &record), ATTNRT_SUCCESS);
    driver.destroyContext(destroyed);
    // The new context has the address of the destroyed one, but the runtime has
    // no module in it to unload.
    ASSERT_EQ(driver.createContext(1), destroyed);
    EXPECT_EQ(driver.loadedModules(), 1u);
  }
  EXPECT_EQ(driver.loadedModules(), 0u);
  EXPECT_EQ(driver.calls("cuModuleUnload"), 1u);
  driver.destroyContext(destroyed);
  // Destroying the runtime has not changed the thread's stack of contexts.
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  driver.destroyContext(kept);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(runtime.getError(), "no CUDA context is current");
}

// While a stream is captured, modules can be loaded and unloaded, and the
// memory pool of launches can be created.
TEST_F(RuntimeTest, modulesBesideCapture) {
  attnrt_context context = driver.createContext(0);
  attnrt_stream stream = nullptr;
  ASSERT_EQ(attnrt_create_stream(runtime, &stream), ATTNRT_SUCCESS);
  auto *graph = driver.beginCapture(stream);
  {
    Runtime own(fakeDriverPath());
    attnrt_launch record = makeLaunch();
    EXPECT_EQ(attnrt_launch_kernel(own, nullptr, &record), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.loadedModules(), 1u);
    attnrt_device_ptr memory = 0;
    EXPECT_EQ(attnrt_allocate_async(own, stream, 64, &memory), ATTNRT_SUCCESS)
        << own.getError();
    EXPECT_EQ(attnrt_free_async(own, stream, memory), ATTNRT_SUCCESS);
  }
  EXPECT_EQ(driver.loadedModules(), 0u);
  driver.endCapture(stream);
  driver.destroyGraph(graph);
  driver.destroyContext(context);
}

TEST_F(RuntimeTest, firstUseByManyThreads) {
  attnrt_open_device(runtime, 0, nullptr);
  attnrt_open_device(runtime, 1, nullptr);
  attnrt_program programs[3] = {program, program, program};
  std::vector<std::thread> threads;
  std::atomic<int> waiting{8};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      attnrt_open_device(runtime, i % 2, nullptr);
      // The threads begin at the same time.
      for (--waiting; waiting;)
        std::this_thread::yield();
      for (int round = 0; round < 200; ++round) {
        attnrt_launch record = makeLaunch(programs[round % 3]);
        record.kernel = round % 2 ? "kernel" : "other";
        record.shared_bytes = 100000;
        EXPECT_EQ(launch(record), ATTNRT_SUCCESS) << runtime.getError();
        record.kernel = "absent";
        EXPECT_EQ(launch(record), ATTNRT_BAD_PROGRAM);
        EXPECT_CONTAINS(runtime.getError(), "'absent'");
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 6u);
  EXPECT_EQ(driver.calls("cuFuncSetAttribute"), 12u);
}
