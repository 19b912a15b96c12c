//===- RuntimeTest.cpp - The GPU runtime over a fake driver ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectContains.h"
#include "FakeDriver.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <unistd.h>
#include <vector>

static constexpr char ptx[] = ".version 8.3\n"
                              ".entry kernel(...) {}\n"
                              ".entry other(...) {}\n";
static const attnrt_program program = {ptx, sizeof(ptx), "main", "sm_90a"};

class RuntimeTest : public ::testing::Test {
protected:
  ~RuntimeTest() override {
    // No module or function was used outside its context.
    EXPECT_EQ(driver.recorded("misuse"), 0u);
  }

  attnrt_status launch(const attnrt_launch &record) {
    return attnrt_launch_kernel(runtime, nullptr, &record);
  }

  FakeDriver driver{fakeDriverPath()};
  Runtime runtime{fakeDriverPath()};
};

static attnrt_launch makeLaunch(const attnrt_program &program = ::program) {
  attnrt_launch record = {};
  record.program = &program;
  record.kernel = "kernel";
  for (unsigned axis = 0; axis < 3; ++axis) {
    record.grid[axis] = axis + 1;
    record.block[axis] = 4 - axis;
  }
  return record;
}

/// A copy of the fake driver in which a symbol has another name.
struct OldDriver {
  explicit OldDriver(const std::string &symbol) {
    std::ifstream input(fakeDriverPath(), std::ios::binary);
    std::stringstream bytes;
    bytes << input.rdbuf();
    std::string image = bytes.str();
    std::string name('\0' + symbol + '\0');
    size_t position = image.find(name);
    EXPECT_NE(position, std::string::npos) << symbol;
    for (; position != std::string::npos; position = image.find(name, position))
      image[position + 1] = 'x';
    int file = mkstemp(path);
    EXPECT_GE(file, 0);
    close(file);
    std::ofstream(path, std::ios::binary) << image;
    driver.reset(new FakeDriver(path));
  }
  ~OldDriver() { std::remove(path); }
  OldDriver(const OldDriver &) = delete;
  OldDriver &operator=(const OldDriver &) = delete;

  char path[32] = "/tmp/attn-fake-XXXXXX";
  std::unique_ptr<FakeDriver> driver;
};

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

TEST(RuntimeDriverTest, absent) {
  Runtime runtime("/nowhere/libcuda.so.1");
  EXPECT_EQ(runtime.status, ATTNRT_NO_DRIVER);
  ASSERT_NE(runtime.handle, nullptr);
  EXPECT_CONTAINS(runtime.getError(), "/nowhere/libcuda.so.1");
  // Every call says so, in whichever thread.
  std::thread([&] {
    EXPECT_STREQ(runtime.getError(), "");
    int count;
    EXPECT_EQ(attnrt_get_device_count(runtime, &count), ATTNRT_NO_DRIVER);
    EXPECT_CONTAINS(runtime.getError(), "/nowhere/libcuda.so.1");
    attnrt_launch record = makeLaunch();
    EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record),
              ATTNRT_NO_DRIVER);
    record.grid[1] = 0;
    EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record), ATTNRT_SUCCESS);
  }).join();
}

TEST(RuntimeDriverTest, anotherLibrary) {
  Runtime runtime("libm.so.6");
  EXPECT_EQ(runtime.status, ATTNRT_NO_DRIVER);
  EXPECT_CONTAINS(runtime.getError(), "libm.so.6 has no function cuInit");
}

TEST(RuntimeDriverTest, initializationFails) {
  FakeDriver driver(fakeDriverPath());
  driver.setError("cuInit", noDevice);
  Runtime withoutDevice(fakeDriverPath());
  EXPECT_EQ(withoutDevice.status, ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(withoutDevice.getError(), "initializing the CUDA driver");
  EXPECT_CONTAINS(withoutDevice.getError(), ": CUDA_ERROR_NO_DEVICE: text of");
  attnrt_device_ptr memory;
  EXPECT_EQ(attnrt_allocate(withoutDevice, 4, &memory), ATTNRT_NO_DEVICE);

  driver.setError("cuInit", driverMismatch);
  Runtime mismatched(fakeDriverPath());
  EXPECT_EQ(mismatched.status, ATTNRT_NO_DRIVER);
}

TEST(RuntimeDriverTest, lacksRequiredFunction) {
  OldDriver old("cuMemcpyHtoD_v2");
  Runtime runtime(old.path);
  EXPECT_EQ(runtime.status, ATTNRT_NO_DRIVER);
  EXPECT_CONTAINS(runtime.getError(), "has no function cuMemcpyHtoD_v2");
  EXPECT_CONTAINS(runtime.getError(), "too old");
}

TEST(RuntimeDriverTest, lacksExtendedLaunch) {
  OldDriver old("cuLaunchKernelEx");
  Runtime runtime(old.path);
  ASSERT_EQ(runtime.status, ATTNRT_SUCCESS);
  old.driver->createContext(0);
  attnrt_launch record = makeLaunch();
  EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record), ATTNRT_SUCCESS);
  record.flags = ATTNRT_LAUNCH_DEPENDENT;
  EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record), ATTNRT_SUCCESS);
  record.grid[0] = record.cluster[0] = 4;
  EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record), ATTNRT_NO_DRIVER);
  EXPECT_CONTAINS(runtime.getError(), "no function cuLaunchKernelEx");
  EXPECT_CONTAINS(runtime.getError(), "too old (driver 13.1)");
}

TEST(RuntimeDriverTest, lacksTensorMaps) {
  OldDriver old("cuTensorMapEncodeTiled");
  Runtime runtime(old.path);
  ASSERT_EQ(runtime.status, ATTNRT_SUCCESS);
  alignas(64) char map[128];
  EXPECT_EQ(attnrt_encode_tensor_map(runtime, map, 0, 1, nullptr, nullptr,
                                     nullptr, nullptr, nullptr, 0, 0, 0, 0),
            ATTNRT_NO_DRIVER);
  EXPECT_CONTAINS(runtime.getError(), "no function cuTensorMapEncodeTiled");
}

TEST(RuntimeDriverTest, lacksStreamIds) {
  for (const char *symbol :
       {"cuStreamGetId", "cuStreamGetCaptureInfo_v2", "cuUserObjectCreate",
        "cuThreadExchangeStreamCaptureMode", "cuGraphRetainUserObject"}) {
    OldDriver old(symbol);
    old.driver->createContext(0);
    Runtime runtime(old.path);
    attnrt_device_ptr counters = 1;
    EXPECT_EQ(attnrt_get_work_counters(runtime, nullptr, &counters),
              ATTNRT_NO_DRIVER);
    EXPECT_EQ(counters, 1u);
    EXPECT_CONTAINS(runtime.getError(), std::string("no function ") + symbol);
    EXPECT_CONTAINS(runtime.getError(), "with a dynamic tile scheduler");
  }
}

TEST(RuntimeDriverTest, keepsMemoryOfStreams) {
  FakeDriver driver{fakeDriverPath()};
  driver.createContext(0);
  {
    Runtime runtime(fakeDriverPath());
    for (int round = 0; round < 2; ++round) {
      attnrt_device_ptr memory = 0;
      ASSERT_EQ(attnrt_allocate_async(runtime, nullptr, 4, &memory),
                ATTNRT_SUCCESS)
          << runtime.getError();
      EXPECT_EQ(attnrt_free_async(runtime, nullptr, memory), ATTNRT_SUCCESS);
    }
    EXPECT_EQ(driver.calls("cuMemPoolCreate"), 1u);
    EXPECT_EQ(driver.recorded("pool.threshold"), UINT64_MAX);
    EXPECT_EQ(attnrt_trim_memory(runtime, 8), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.recorded("pool.keep"), 8u);
    EXPECT_EQ(driver.calls("cuMemPoolDestroy"), 0u);
  }
  EXPECT_EQ(driver.calls("cuMemPoolDestroy"), 1u);
}

/// What `stream` is given for `bytes` that are freed at once.
static attnrt_device_ptr allocateOnce(attnrt_runtime *runtime,
                                      attnrt_stream stream, uint64_t bytes) {
  attnrt_device_ptr memory = 0;
  EXPECT_EQ(attnrt_allocate_async(runtime, stream, bytes, &memory),
            ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_free_async(runtime, stream, memory), ATTNRT_SUCCESS);
  return memory;
}

TEST(RuntimeDriverTest, streamsKeepMemory) {
  FakeDriver driver(fakeDriverPath());
  driver.createContext(0);
  {
    Runtime runtime(fakeDriverPath());
    attnrt_stream first = nullptr, second = nullptr;
    ASSERT_EQ(attnrt_create_stream(runtime, &first), ATTNRT_SUCCESS);
    ASSERT_EQ(attnrt_create_stream(runtime, &second), ATTNRT_SUCCESS);
    auto count = [&] { return driver.calls("cuMemAllocFromPoolAsync"); };
    attnrt_device_ptr own = allocateOnce(runtime, first, 1000);
    EXPECT_EQ(allocateOnce(runtime, first, 1000), own);
    EXPECT_EQ(allocateOnce(runtime, first, 500), own);
    EXPECT_EQ(count(), 1u);
    // Other streams' work may run at the same time.
    EXPECT_NE(allocateOnce(runtime, second, 1000), own);
    EXPECT_EQ(count(), 2u);
    // Neither what is too small nor what would mostly be wasted.
    EXPECT_NE(allocateOnce(runtime, first, 1001), own);
    EXPECT_NE(allocateOnce(runtime, first, 499), own);
    EXPECT_EQ(count(), 4u);
    // What is in use is nobody else's.
    attnrt_device_ptr used = 0, other = 0;
    ASSERT_EQ(attnrt_allocate_async(runtime, first, 1000, &used),
              ATTNRT_SUCCESS);
    ASSERT_EQ(attnrt_allocate_async(runtime, first, 1000, &other),
              ATTNRT_SUCCESS);
    EXPECT_NE(used, other);
    EXPECT_EQ(attnrt_free_async(runtime, first, used), ATTNRT_SUCCESS);
    EXPECT_EQ(attnrt_free_async(runtime, first, other), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), 0u);
    // A graph has its own.
    driver.beginCapture(first);
    uint64_t uncaptured = count();
    allocateOnce(runtime, first, 1000);
    EXPECT_EQ(count(), uncaptured + 1);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), 1u);
    driver.endCapture(first);
    // More than is kept.
    uint64_t most = 64 << 20;
    allocateOnce(runtime, first, most + 1);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), 2u);
    // What the stream kept before gives way, but not what others have.
    uint64_t asyncFrees = driver.calls("cuMemFreeAsync");
    attnrt_device_ptr others = allocateOnce(runtime, second, 1000);
    allocateOnce(runtime, first, most);
    EXPECT_GT(driver.calls("cuMemFreeAsync"), asyncFrees);
    EXPECT_EQ(allocateOnce(runtime, second, 1000), others);
    uint64_t freed = driver.calls("cuMemFree");
    EXPECT_EQ(attnrt_trim_memory(runtime, UINT64_MAX), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.calls("cuMemFree"), freed);
    uint64_t waits = driver.recorded("synchronized");
    EXPECT_EQ(attnrt_trim_memory(runtime, 0), ATTNRT_SUCCESS);
    EXPECT_GT(driver.calls("cuMemFree"), freed);
    // Kernels that use the memory may run.
    EXPECT_EQ(driver.recorded("synchronized"), waits + 1);
    uint64_t before = count();
    allocateOnce(runtime, first, 1000);
    EXPECT_EQ(count(), before + 1);
  }
  // The fake driver's cuMemFreeAsync calls this.
  EXPECT_EQ(driver.calls("cuMemAllocFromPoolAsync"), driver.calls("cuMemFree"));
}

TEST(RuntimeDriverTest, lacksMemoryPools) {
  for (const char *symbol :
       {"cuMemPoolCreate", "cuMemPoolDestroy", "cuMemPoolSetAttribute",
        "cuMemAllocFromPoolAsync"}) {
    OldDriver old(symbol);
    old.driver->createContext(0);
    Runtime runtime(old.path);
    attnrt_device_ptr memory = 0;
    EXPECT_EQ(attnrt_allocate_async(runtime, nullptr, 4, &memory),
              ATTNRT_SUCCESS);
    EXPECT_EQ(old.driver->calls("cuMemAllocAsync"), 1u) << symbol;
    EXPECT_EQ(attnrt_trim_memory(runtime, 0), ATTNRT_SUCCESS);
    EXPECT_EQ(attnrt_free_async(runtime, nullptr, memory), ATTNRT_SUCCESS);
  }
}

TEST(RuntimeDriverTest, lacksMemoryOfStreams) {
  OldDriver old("cuMemAllocAsync");
  old.driver->createContext(0);
  Runtime runtime(old.path);
  attnrt_device_ptr memory = 1;
  EXPECT_EQ(attnrt_allocate_async(runtime, nullptr, 0, &memory),
            ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_allocate_async(runtime, nullptr, 4, &memory),
            ATTNRT_NO_DRIVER);
  EXPECT_EQ(memory, 0u);
  EXPECT_CONTAINS(runtime.getError(), "cuMemAllocAsync");
}

TEST(RuntimeDriverTest, lacksSharedMemoryOptIn) {
  OldDriver old("cuFuncSetAttribute");
  Runtime runtime(old.path);
  old.driver->createContext(0);
  attnrt_launch record = makeLaunch();
  record.shared_bytes = 48 * 1024;
  EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record), ATTNRT_SUCCESS);
  ++record.shared_bytes;
  EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record), ATTNRT_NO_DRIVER);
  EXPECT_CONTAINS(runtime.getError(), "no function cuFuncSetAttribute");
}

TEST(RuntimeDriverTest, lacksNamesOfErrors) {
  OldDriver old("cuGetErrorName");
  Runtime runtime(old.path);
  old.driver->setError("cuDeviceGetCount", unknownError);
  int count;
  EXPECT_EQ(attnrt_get_device_count(runtime, &count), ATTNRT_DRIVER_ERROR);
  EXPECT_STREQ(runtime.getError(),
               "counting the devices: CUDA error 999: text of the error");
}

TEST(RuntimeDriverTest, lacksNewTiming) {
  OldDriver old("cuEventElapsedTime_v2");
  Runtime runtime(old.path);
  old.driver->createContext(0);
  attnrt_event event;
  float time = 1;
  EXPECT_EQ(attnrt_create_event(runtime, &event), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_record_event(runtime, event, nullptr), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_elapsed(runtime, event, event, &time), ATTNRT_SUCCESS);
  EXPECT_EQ(time, 0);
  attnrt_destroy_event(runtime, event);
}

TEST(RuntimeDriverTest, lacksContextIds) {
  OldDriver old("cuCtxGetId");
  {
    Runtime runtime(old.path);
    attnrt_launch record = makeLaunch();
    // A primary context closed and opened anew lies at the same address.
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(attnrt_open_device(runtime, 0, nullptr), ATTNRT_SUCCESS);
      EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, &record),
                ATTNRT_SUCCESS);
      if (i == 0) {
        EXPECT_EQ(attnrt_close_device(runtime, 0), ATTNRT_SUCCESS);
      }
    }
    EXPECT_EQ(old.driver->calls("cuModuleLoadDataEx"), 2u);
    EXPECT_EQ(old.driver->loadedModules(), 1u);
  }
  EXPECT_EQ(old.driver->loadedModules(), 0u);
  EXPECT_EQ(old.driver->recorded("misuse"), 0u);
}

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
  // Neither another thread's failure nor a success replaces it.
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
  // A failure is not remembered.
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
  // By its name, not by the name's address.
  std::string name = "kernel";
  record.kernel = name.c_str();
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleGetFunction"), 1u);
  record.kernel = "other";
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleGetFunction"), 2u);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 1u);
  // Programs are told apart by their addresses alone.
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
    // At the address of the destroyed one, but none of its modules is here.
    ASSERT_EQ(driver.createContext(1), destroyed);
    EXPECT_EQ(driver.loadedModules(), 1u);
  }
  EXPECT_EQ(driver.loadedModules(), 0u);
  EXPECT_EQ(driver.calls("cuModuleUnload"), 1u);
  driver.destroyContext(destroyed);
  // The thread's contexts are as they were.
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  driver.destroyContext(kept);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(runtime.getError(), "no CUDA context is current");
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
      // All at once.
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

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, plainLaunch) {
  driver.createContext(0);
  attnrt_launch record = makeLaunch();
  record.cluster[0] = 1;
  record.shared_bytes = 1234;
  auto *stream = reinterpret_cast<attnrt_stream>(0x10);
  EXPECT_EQ(attnrt_launch_kernel(runtime, stream, &record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuLaunchKernel"), 1u);
  EXPECT_EQ(driver.calls("cuLaunchKernelEx"), 0u);
  EXPECT_EQ(driver.recorded("grid.x"), 1u);
  EXPECT_EQ(driver.recorded("grid.y"), 2u);
  EXPECT_EQ(driver.recorded("grid.z"), 3u);
  EXPECT_EQ(driver.recorded("block.x"), 4u);
  EXPECT_EQ(driver.recorded("block.y"), 3u);
  EXPECT_EQ(driver.recorded("block.z"), 2u);
  EXPECT_EQ(driver.recorded("shared"), 1234u);
  EXPECT_EQ(driver.recorded("stream"), 0x10u);
}

TEST_F(RuntimeTest, clusters) {
  driver.createContext(0);
  attnrt_launch record = makeLaunch();
  record.grid[0] = 8;
  record.cluster[0] = 4;
  auto *stream = reinterpret_cast<attnrt_stream>(0x20);
  EXPECT_EQ(attnrt_launch_kernel(runtime, stream, &record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuLaunchKernelEx"), 1u);
  EXPECT_EQ(driver.recorded("attributes"), 1u);
  EXPECT_EQ(driver.recorded("cluster.x"), 4u);
  EXPECT_EQ(driver.recorded("cluster.y"), 1u);
  EXPECT_EQ(driver.recorded("cluster.z"), 1u);
  EXPECT_EQ(driver.recorded("grid.x"), 8u);
  EXPECT_EQ(driver.recorded("grid.z"), 3u);
  EXPECT_EQ(driver.recorded("block.z"), 2u);
  EXPECT_EQ(driver.recorded("stream"), 0x20u);

  record.flags = ATTNRT_LAUNCH_DEPENDENT;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("attributes"), 2u);
  EXPECT_EQ(driver.recorded("dependent"), 1u);
  EXPECT_EQ(driver.recorded("cluster.x"), 4u);

  record.cluster[0] = 0;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("attributes"), 1u);
  EXPECT_EQ(driver.recorded("dependent"), 1u);

  record.cluster[0] = 3;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(runtime.getError(),
               "launching kernel 'kernel': the grid has 8 CTAs along x, "
               "which clusters of 3 do not divide");
}

TEST_F(RuntimeTest, gridLimits) {
  driver.createContext(0);
  const uint64_t limits[3] = {2147483647, 65535, 65535};
  for (unsigned axis = 0; axis < 3; ++axis) {
    attnrt_launch record = makeLaunch();
    record.grid[axis] = limits[axis];
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
    ++record.grid[axis];
    EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
    EXPECT_EQ(runtime.getError(), "launching kernel 'kernel': the grid has " +
                                      std::to_string(limits[axis] + 1) +
                                      " CTAs along " + "xyz"[axis] +
                                      ", but the limit is " +
                                      std::to_string(limits[axis]));
    // Not to be taken modulo 2^32.
    record.grid[axis] = (uint64_t(1) << 32) + 1;
    EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  }
}

TEST_F(RuntimeTest, zeroGrid) {
  unsigned calls = driver.calls(nullptr);
  for (unsigned axis = 0; axis < 3; ++axis) {
    attnrt_launch record = makeLaunch();
    record.grid[axis] = 0;
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  }
  EXPECT_EQ(driver.calls(nullptr), calls);
}

TEST_F(RuntimeTest, incompleteRecord) {
  driver.createContext(0);
  EXPECT_EQ(attnrt_launch_kernel(runtime, nullptr, nullptr),
            ATTNRT_INVALID_ARGUMENT);
  attnrt_launch record = makeLaunch();
  record.program = nullptr;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "names no program");
  record = makeLaunch();
  record.kernel = nullptr;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "names no kernel");
  record = makeLaunch();
  record.block[2] = 0;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "no threads along z");
  record = makeLaunch();
  record.num_args = 1;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "1 arguments have no addresses");
  const void *args[1] = {nullptr};
  record.args = args;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "argument 0 has no address");
}

TEST_F(RuntimeTest, arguments) {
  driver.createContext(0);
  // As a tensor map by value: its own address, not that of a pointer to it.
  alignas(64) char map[128];
  std::memset(map, 'm', sizeof(map));
  float scale = 0.5f;
  const void *args[] = {map, &scale};
  const uint32_t sizes[] = {sizeof(map), sizeof(scale)};
  const size_t parameters[] = {sizeof(map), sizeof(scale)};
  driver.setParamSizes(parameters, 2);
  attnrt_launch record = makeLaunch();
  record.num_args = 2;
  record.args = args;
  record.arg_sizes = sizes;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
    const char *bytes = nullptr;
    EXPECT_EQ(driver.argument(0, &bytes), map);
    EXPECT_EQ(std::memcmp(bytes, map, sizeof(map)), 0);
    EXPECT_EQ(driver.argument(1, &bytes), &scale);
    EXPECT_EQ(std::memcmp(bytes, &scale, sizeof(scale)), 0);
    EXPECT_EQ(driver.calls("cuFuncGetParamInfo"), 2u);
    // Then by the other way of launching.
    record.flags = ATTNRT_LAUNCH_DEPENDENT;
  }
}

TEST_F(RuntimeTest, wrongArguments) {
  driver.createContext(0);
  const size_t parameters[] = {8, 128};
  driver.setParamSizes(parameters, 2);
  char bytes[128] = {};
  const void *args[] = {bytes, bytes, bytes};
  uint32_t sizes[] = {8, 8, 8};
  attnrt_launch record = makeLaunch();
  record.num_args = 2;
  record.args = args;
  record.arg_sizes = sizes;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(runtime.getError(),
               "launching kernel 'kernel': argument 1 has 8 bytes, but the "
               "kernel's parameter has 128");
  sizes[1] = 128;
  record.num_args = 3;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(runtime.getError(), "launching kernel 'kernel': 3 arguments are "
                                   "passed, but it takes 2");
  EXPECT_EQ(driver.calls("cuLaunchKernel"), 0u);
  record.num_args = 2;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
}

TEST_F(RuntimeTest, sharedMemory) {
  driver.createContext(0);
  attnrt_launch record = makeLaunch();
  record.shared_bytes = 48 * 1024;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuFuncSetAttribute"), 0u);
  for (uint32_t bytes : {49153u, 100000u, 232448u}) {
    record.shared_bytes = bytes;
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.recorded("shared"), bytes);
  }
  EXPECT_EQ(driver.calls("cuFuncSetAttribute"), 1u);
  record.shared_bytes = 232449;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(runtime.getError(),
               "kernel 'kernel' of program 'main' asks for 232449 bytes of "
               "dynamic and 0 of static shared memory, but the device offers "
               "232448");
  record.shared_bytes = 0xffffffff;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  // Another context has functions of its own.
  driver.createContext(1);
  record.shared_bytes = 232448;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuFuncSetAttribute"), 2u);
}

TEST_F(RuntimeTest, staticSharedMemory) {
  driver.createContext(0);
  static constexpr char text[] = ".entry kernel() { static=40000 }";
  attnrt_program fixed = {text, sizeof(text), "fixed", "sm_90a"};
  attnrt_launch record = makeLaunch(fixed);
  record.shared_bytes = 9152;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuFuncSetAttribute"), 0u);
  record.shared_bytes = 232448 - 40000;
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuFuncSetAttribute"), 1u);
  ++record.shared_bytes;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "192449 bytes of dynamic and 40000 of");
}

TEST_F(RuntimeTest, sharedMemoryRefused) {
  driver.createContext(0);
  driver.setError("cuFuncSetAttribute", invalidValue);
  attnrt_launch record = makeLaunch();
  record.shared_bytes = 100000;
  EXPECT_EQ(launch(record), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "raising the shared memory of kernel "
                                      "'kernel' of program 'main' to 232448");
  driver.setError("cuFuncSetAttribute", 0);
  EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
}

TEST_F(RuntimeTest, kernelInfo) {
  driver.createContext(0);
  attnrt_kernel_info info;
  EXPECT_EQ(
      attnrt_get_kernel_info(runtime, &program, "kernel", 256, 200000, &info),
      ATTNRT_SUCCESS);
  EXPECT_EQ(info.registers, 168);
  EXPECT_EQ(info.local_bytes, 16);
  EXPECT_EQ(info.static_shared_bytes, 0);
  EXPECT_EQ(info.max_threads_per_block, 384);
  EXPECT_EQ(info.ptx_version, 89);
  EXPECT_EQ(info.binary_version, 90);
  EXPECT_EQ(info.ctas_per_sm, 8);
  EXPECT_EQ(attnrt_get_kernel_info(runtime, &program, "kernel", 0, 0, &info),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "asking what kernel 'kernel'");
  EXPECT_EQ(attnrt_get_kernel_info(runtime, &program, "no", 256, 0, &info),
            ATTNRT_BAD_PROGRAM);
  EXPECT_EQ(attnrt_get_kernel_info(runtime, &program, nullptr, 1, 0, &info),
            ATTNRT_INVALID_ARGUMENT);
}

TEST_F(RuntimeTest, tensorMaps) {
  alignas(64) uint64_t map[17] = {};
  const uint64_t sizes[] = {128, 1000, 16}, strides[] = {256, 256000};
  const uint32_t box[] = {64, 128, 1}, steps[] = {1, 1, 2};
  int target;
  auto encode = [&](void *map, uint32_t rank) {
    return attnrt_encode_tensor_map(runtime, map, 9, rank, &target, sizes,
                                    strides, box, steps, 10, 11, 12, 13);
  };
  EXPECT_EQ(encode(map, 3), ATTNRT_SUCCESS);
  const uint64_t expected[] = {9,   3,  reinterpret_cast<uintptr_t>(&target),
                               128, 16, 256000,
                               64,  1,  2,
                               10,  11, 12,
                               13};
  for (unsigned i = 0; i < 13; ++i)
    EXPECT_EQ(map[i], expected[i]) << i;

  EXPECT_EQ(encode(map + 1, 3), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "not at a multiple of 64");
  for (uint32_t rank : {0u, 6u}) {
    EXPECT_EQ(encode(map, rank), ATTNRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(runtime.getError(), "not 1 to 5");
  }
  EXPECT_EQ(attnrt_encode_tensor_map(runtime, map, 9, 1, &target, nullptr,
                                     nullptr, box, steps, 0, 0, 0, 0),
            ATTNRT_INVALID_ARGUMENT);
  // The driver does not say what it dislikes, so the message has everything.
  driver.setError("cuTensorMapEncodeTiled", invalidValue);
  EXPECT_EQ(encode(map, 2), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(
      runtime.getError(),
      "; data type 9; sizes 128, 1000; byte strides 256; box 64, "
      "128; element strides 1, 1; interleave 10; swizzle 11; L2 "
      "promotion 12; fill 13): CUDA_ERROR_INVALID_VALUE: text of the error");
}

/// A map that differs from an earlier one in anything is encoded, and no other
/// one is.
TEST_F(RuntimeTest, knownTensorMaps) {
  struct Parameters {
    uint64_t address = 0x1000, sizes[5] = {64, 32, 16, 8, 4},
             strides[4] = {128, 4096, 65536, 524288};
    uint32_t box[5] = {64, 16, 8, 4, 2}, steps[5] = {1, 2, 3, 4, 5};
    uint32_t options[5] = {9, 0, 3, 2, 1}, rank = 5;
  };
  auto encode = [&](const Parameters &p) {
    alignas(64) uint64_t map[17] = {};
    map[16] = 99;
    EXPECT_EQ(attnrt_encode_tensor_map(
                  runtime, map, p.options[0], p.rank,
                  reinterpret_cast<const void *>(p.address), p.sizes, p.strides,
                  p.box, p.steps, p.options[1], p.options[2], p.options[3],
                  p.options[4]),
              ATTNRT_SUCCESS);
    // The fake driver's map is its parameters.
    const uint64_t expected[] = {p.options[0],
                                 p.rank,
                                 p.address,
                                 p.sizes[0],
                                 p.sizes[p.rank - 1],
                                 p.rank > 1 ? p.strides[p.rank - 2] : 0,
                                 p.box[0],
                                 p.box[p.rank - 1],
                                 p.steps[p.rank - 1],
                                 p.options[1],
                                 p.options[2],
                                 p.options[3],
                                 p.options[4]};
    for (unsigned i = 0; i < 13; ++i)
      EXPECT_EQ(map[i], expected[i]) << i;
    EXPECT_EQ(map[16], 99u);
  };
  std::vector<Parameters> all(1);
  auto add = [&](auto change) {
    Parameters changed;
    change(changed);
    all.push_back(changed);
  };
  add([](Parameters &p) { p.address += 16; });
  for (uint32_t rank = 1; rank < 5; ++rank)
    add([&](Parameters &p) { p.rank = rank; });
  for (unsigned i = 0; i < 5; ++i) {
    add([&](Parameters &p) { ++p.sizes[i]; });
    add([&](Parameters &p) { p.sizes[i] += uint64_t(1) << 32; });
    add([&](Parameters &p) { ++p.box[i]; });
    add([&](Parameters &p) { ++p.steps[i]; });
    add([&](Parameters &p) { ++p.options[i]; });
    if (i < 4)
      add([&](Parameters &p) { p.strides[i] += 16; });
  }
  for (const Parameters &parameters : all) {
    unsigned before = driver.calls("cuTensorMapEncodeTiled");
    encode(parameters);
    EXPECT_EQ(driver.calls("cuTensorMapEncodeTiled"), before + 1);
    encode(parameters);
    EXPECT_EQ(driver.calls("cuTensorMapEncodeTiled"), before + 1);
  }
  // What a rank does not use does not matter, and more maps than are kept are
  // right, too, in several threads.
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (unsigned i = 0; i < 2000; ++i) {
        Parameters parameters = all[(i * 7 + thread) % all.size()];
        parameters.address += 0x100 * (i % 5);
        encode(parameters);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// What a launch asks of the driver once all of it is known.
TEST_F(RuntimeTest, callsOfALaunch) {
  attnrt_launch record = makeLaunch();
  record.flags = ATTNRT_LAUNCH_DEPENDENT;
  alignas(64) uint64_t map[16];
  const uint64_t sizes[] = {128, 16}, strides[] = {256};
  const uint32_t box[] = {64, 8}, steps[] = {1, 1};
  auto launchAll = [&] {
    int device = -1, sms = 0;
    EXPECT_EQ(attnrt_get_current_device(runtime, &device), ATTNRT_SUCCESS);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(attnrt_get_sm_count(runtime, &sms), ATTNRT_SUCCESS);
    EXPECT_EQ(sms, 108);
    EXPECT_EQ(attnrt_encode_tensor_map(runtime, map, 9, 2, &sizes, sizes,
                                       strides, box, steps, 0, 3, 2, 0),
              ATTNRT_SUCCESS);
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
  };
  driver.pushContext(driver.createContext(1));
  launchAll();
  launchAll();
  unsigned all = driver.calls(nullptr), ids = driver.calls("cuCtxGetId"),
           launches = driver.calls("cuLaunchKernelEx");
  launchAll();
  EXPECT_EQ(driver.calls("cuLaunchKernelEx"), launches + 1);
  EXPECT_EQ(driver.calls("cuCtxGetId"), ids + 3);
  EXPECT_EQ(driver.calls(nullptr), all + 4);
}

//===----------------------------------------------------------------------===//
// Devices and memory
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, devices) {
  int count = 0;
  EXPECT_EQ(attnrt_get_device_count(runtime, &count), ATTNRT_SUCCESS);
  EXPECT_EQ(count, 2);
  attnrt_device_info info;
  EXPECT_EQ(attnrt_get_device_info(runtime, 1, &info), ATTNRT_SUCCESS);
  EXPECT_STREQ(info.name, "Fake H100");
  EXPECT_EQ(info.compute_major, 8);
  EXPECT_EQ(info.compute_minor, 0);
  EXPECT_EQ(info.sm_count, 108);
  EXPECT_EQ(info.max_shared_bytes_per_block, 232448);
  EXPECT_EQ(info.l2_bytes, 52428800);
  EXPECT_EQ(info.clock_khz, 1980000);
  EXPECT_EQ(info.driver_version, 13010);
  EXPECT_EQ(info.memory_bytes, uint64_t(1) << 30);
  EXPECT_EQ(attnrt_get_device_info(runtime, 2, &info), ATTNRT_NO_DEVICE);
  EXPECT_STREQ(runtime.getError(), "getting device 2 of 2: "
                                   "CUDA_ERROR_INVALID_DEVICE: text of the "
                                   "error");
  attnrt_context context;
  EXPECT_EQ(attnrt_open_device(runtime, -1, &context), ATTNRT_NO_DEVICE);
}

TEST_F(RuntimeTest, computeCapability) {
  int major = 0, minor = -1;
  EXPECT_EQ(attnrt_get_compute_capability(runtime, 1, &major, &minor),
            ATTNRT_SUCCESS);
  EXPECT_EQ(major, 8);
  EXPECT_EQ(minor, 0);
  EXPECT_EQ(attnrt_get_compute_capability(runtime, 2, &major, &minor),
            ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(runtime.getError(), "getting device 2 of 2");
  driver.setError("cuDeviceGetAttribute", unknownError);
  EXPECT_EQ(attnrt_get_compute_capability(runtime, 0, &major, &minor),
            ATTNRT_DRIVER_ERROR);
  EXPECT_CONTAINS(runtime.getError(), "compute capability of device 0");
}

TEST_F(RuntimeTest, smCount) {
  int32_t count = -1;
  EXPECT_EQ(attnrt_get_sm_count(runtime, &count), ATTNRT_NO_DEVICE);
  EXPECT_EQ(count, -1);

  // Those of the current context's device.
  attnrt_context first = driver.createContext(0);
  EXPECT_EQ(attnrt_get_sm_count(runtime, &count), ATTNRT_SUCCESS);
  EXPECT_EQ(count, 132);
  attnrt_context second = driver.createContext(1);
  EXPECT_EQ(attnrt_get_sm_count(runtime, &count), ATTNRT_SUCCESS);
  EXPECT_EQ(count, 108);

  EXPECT_EQ(attnrt_get_sm_count(runtime, nullptr), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(),
                  "asking for the number of SMs: the result pointer is null");
  EXPECT_EQ(attnrt_get_sm_count(nullptr, &count), ATTNRT_INVALID_ARGUMENT);
  count = -1;
  driver.setError("cuDeviceGetAttribute", unknownError);
  EXPECT_NE(attnrt_get_sm_count(runtime, &count), ATTNRT_SUCCESS);
  EXPECT_EQ(count, -1);
  EXPECT_CONTAINS(runtime.getError(), "asking for the device's SMs: "
                                      "CUDA_ERROR_UNKNOWN");
  driver.setError("cuDeviceGetAttribute", 0);
  driver.destroyContext(second);
  driver.destroyContext(first);
}

TEST_F(RuntimeTest, openAndClose) {
  attnrt_context first = nullptr, second = nullptr;
  EXPECT_EQ(attnrt_close_device(runtime, 0), ATTNRT_INVALID_ARGUMENT);
  EXPECT_STREQ(runtime.getError(), "closing device 0, which is not open");
  EXPECT_EQ(attnrt_open_device(runtime, 0, &first), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_open_device(runtime, 0, &second), ATTNRT_SUCCESS);
  EXPECT_EQ(first, second);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_close_device(runtime, 0), ATTNRT_SUCCESS);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 1u);
  EXPECT_EQ(attnrt_close_device(runtime, 0), ATTNRT_SUCCESS);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_NO_DEVICE);
  EXPECT_CONTAINS(runtime.getError(), "no CUDA context is current");
  EXPECT_EQ(attnrt_open_device(runtime, 0, &first), ATTNRT_SUCCESS);
  EXPECT_EQ(launch(makeLaunch()), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), 2u);
}

TEST_F(RuntimeTest, openFails) {
  driver.setError("cuCtxSetCurrent", unknownError);
  EXPECT_EQ(attnrt_open_device(runtime, 0, nullptr), ATTNRT_DRIVER_ERROR);
  EXPECT_CONTAINS(runtime.getError(), "making the primary context of device 0");
  EXPECT_EQ(attnrt_close_device(runtime, 0), ATTNRT_INVALID_ARGUMENT);
}

TEST_F(RuntimeTest, memory) {
  driver.createContext(0);
  attnrt_device_ptr memory = 0;
  EXPECT_EQ(attnrt_allocate(runtime, 16, &memory), ATTNRT_SUCCESS);
  const uint32_t input[4] = {1, 2, 3, 4};
  uint32_t output[4] = {};
  EXPECT_EQ(attnrt_copy_to_device(runtime, memory, input, 16), ATTNRT_SUCCESS);
  auto *stream = reinterpret_cast<attnrt_stream>(0x30);
  EXPECT_EQ(attnrt_fill_u32(runtime, memory + 4, 0xabcdef01, 2, stream),
            ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("stream"), 0x30u);
  EXPECT_EQ(attnrt_copy_from_device(runtime, output, memory, 16),
            ATTNRT_SUCCESS);
  const uint32_t expected[4] = {1, 0xabcdef01, 0xabcdef01, 4};
  EXPECT_EQ(std::memcmp(output, expected, 16), 0);
  stream = reinterpret_cast<attnrt_stream>(0x40);
  EXPECT_EQ(attnrt_copy_on_device(runtime, memory + 8, memory, 8, stream),
            ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("stream"), 0x40u);
  EXPECT_EQ(attnrt_copy_from_device(runtime, output, memory, 16),
            ATTNRT_SUCCESS);
  const uint32_t copied[4] = {1, 0xabcdef01, 1, 0xabcdef01};
  EXPECT_EQ(std::memcmp(output, copied, 16), 0);
  EXPECT_EQ(attnrt_free(runtime, memory), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_free(runtime, memory), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "freeing the device memory at 0x");

  EXPECT_EQ(attnrt_allocate(runtime, uint64_t(1) << 40, &memory),
            ATTNRT_OUT_OF_MEMORY);
  EXPECT_EQ(memory, 0u);
  EXPECT_CONTAINS(runtime.getError(),
                  "allocating 1099511627776 bytes of device memory, of "
                  "which 1073741824 of 1073741824 are free: "
                  "CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(RuntimeTest, emptyMemory) {
  driver.createContext(0);
  attnrt_device_ptr memory = 1;
  EXPECT_EQ(attnrt_allocate(runtime, 0, &memory), ATTNRT_SUCCESS);
  EXPECT_EQ(memory, 0u);
  EXPECT_EQ(attnrt_copy_to_device(runtime, 0, nullptr, 0), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_copy_from_device(runtime, nullptr, 0, 0), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_fill_u32(runtime, 0, 1, 0, nullptr), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_copy_on_device(runtime, 0, 0, 0, nullptr), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_free(runtime, 0), ATTNRT_SUCCESS);
}

TEST_F(RuntimeTest, memoryOfStream) {
  auto *stream = reinterpret_cast<attnrt_stream>(0x30);
  attnrt_device_ptr memory = 1;
  EXPECT_EQ(attnrt_allocate_async(runtime, stream, 4, &memory),
            ATTNRT_NO_DEVICE);
  EXPECT_EQ(memory, 0u);
  driver.createContext(0);
  EXPECT_EQ(attnrt_allocate_async(runtime, stream, 4, &memory), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("stream"), 0x30u);
  EXPECT_NE(memory, 0u);
  auto *other = reinterpret_cast<attnrt_stream>(0x40);
  EXPECT_EQ(attnrt_free_async(runtime, other, memory), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("stream"), 0x40u);
  EXPECT_EQ(attnrt_free_async(runtime, stream, memory),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(),
                  "freeing the device memory of a stream at 0x");

  memory = 1;
  EXPECT_EQ(attnrt_allocate_async(runtime, stream, uint64_t(1) << 40, &memory),
            ATTNRT_OUT_OF_MEMORY);
  EXPECT_EQ(memory, 0u);
  EXPECT_CONTAINS(runtime.getError(),
                  "allocating 1099511627776 bytes of device memory for a "
                  "stream: CUDA_ERROR_OUT_OF_MEMORY");

  memory = 1;
  unsigned calls = driver.calls(nullptr);
  EXPECT_EQ(attnrt_allocate_async(runtime, stream, 0, &memory), ATTNRT_SUCCESS);
  EXPECT_EQ(memory, 0u);
  EXPECT_EQ(attnrt_free_async(runtime, stream, 0), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.calls(nullptr), calls);
}

TEST_F(RuntimeTest, memoryFails) {
  attnrt_device_ptr memory;
  EXPECT_EQ(attnrt_allocate(runtime, 4, &memory), ATTNRT_NO_DEVICE);
  driver.createContext(0);
  uint32_t word = 0;
  driver.setError("cuMemcpyHtoD", illegalAddress);
  EXPECT_EQ(attnrt_copy_to_device(runtime, 8, &word, 4), ATTNRT_LAUNCH_FAILED);
  EXPECT_CONTAINS(runtime.getError(), "copying 4 bytes to the device: ");
  driver.setError("cuMemcpyDtoH", illegalAddress);
  EXPECT_EQ(attnrt_copy_from_device(runtime, &word, 8, 4),
            ATTNRT_LAUNCH_FAILED);
  EXPECT_CONTAINS(runtime.getError(), "copying 4 bytes from the device: ");
  driver.setError("cuMemsetD32Async", invalidValue);
  EXPECT_EQ(attnrt_fill_u32(runtime, 8, 0, 1, nullptr),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "filling 1 words of device memory: ");
  driver.setError("cuMemcpyDtoDAsync", illegalAddress);
  EXPECT_EQ(attnrt_copy_on_device(runtime, 8, 16, 4, nullptr),
            ATTNRT_LAUNCH_FAILED);
  EXPECT_CONTAINS(runtime.getError(), "copying 4 bytes on the device: ");
}

TEST_F(RuntimeTest, streamsAndEvents) {
  driver.createContext(0);
  attnrt_stream stream = nullptr;
  attnrt_event start = nullptr, end = nullptr;
  float time = 0;
  EXPECT_EQ(attnrt_create_stream(runtime, &stream), ATTNRT_SUCCESS);
  // Copies through the default stream must order with it.
  EXPECT_EQ(driver.recorded("stream.flags"), 0u);
  EXPECT_EQ(attnrt_create_event(runtime, &start), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_create_event(runtime, &end), ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("event.flags"), 0u);
  EXPECT_EQ(attnrt_record_event(runtime, start, stream), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_elapsed(runtime, start, end, &time),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(runtime.getError(), "between two events: "
                                      "CUDA_ERROR_INVALID_HANDLE");
  EXPECT_EQ(attnrt_record_event(runtime, end, stream), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_elapsed(runtime, start, end, &time), ATTNRT_SUCCESS);
  EXPECT_EQ(time, 1.5f);
  EXPECT_EQ(attnrt_synchronize(runtime, stream), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_destroy_event(runtime, start), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_destroy_event(runtime, end), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_destroy_event(runtime, nullptr), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_destroy_stream(runtime, stream), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_destroy_stream(runtime, nullptr), ATTNRT_SUCCESS);
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, link) {
  driver.createContext(0);
  void *cubin = nullptr;
  size_t size = 0;
  char log[256] = "old";
  // With and without the terminating zero.
  for (size_t length : {sizeof(ptx), sizeof(ptx) - 1}) {
    EXPECT_EQ(attnrt_link_ptx(runtime, ptx, length, nullptr, &cubin, &size, log,
                              sizeof(log)),
              ATTNRT_SUCCESS);
    EXPECT_EQ(driver.recorded("link.verbose"), 1u);
    EXPECT_STREQ(log,
                 "ptxas info    : Used 168 registers, 0 bytes spill stores");
    ASSERT_EQ(size, 3 + sizeof(ptx));
    EXPECT_EQ(std::memcmp(cubin, "\177ELF.version", 12), 0);
    attnrt_free_host(cubin);
  }
  char little[6];
  EXPECT_EQ(attnrt_link_ptx(runtime, ptx, sizeof(ptx), nullptr, &cubin, &size,
                            little, sizeof(little)),
            ATTNRT_SUCCESS);
  EXPECT_STREQ(little, "ptxas");
  attnrt_free_host(cubin);
  EXPECT_EQ(attnrt_link_ptx(runtime, ptx, sizeof(ptx), nullptr, &cubin, &size,
                            nullptr, 0),
            ATTNRT_SUCCESS);
  EXPECT_EQ(driver.recorded("link.verbose"), 0u);
  EXPECT_EQ(driver.recorded("link.target"), 0u);
  attnrt_free_host(cubin);
  EXPECT_EQ(driver.recorded("link.states"), 0u);
}

// The driver makes tables of lines if it is told to: where the PTX has them.
TEST_F(RuntimeTest, lines) {
  driver.createContext(0);
  std::string text(ptx);
  std::string withLines = text + "\t.loc\t1 7 5\n";
  for (const std::string &image : {text, withLines}) {
    unsigned expected = image == withLines;
    void *cubin = nullptr;
    size_t size = 0;
    EXPECT_EQ(attnrt_link_ptx(runtime, image.data(), image.size(), nullptr,
                              &cubin, &size, nullptr, 0),
              ATTNRT_SUCCESS);
    attnrt_free_host(cubin);
    EXPECT_EQ(driver.recorded("link.lines"), expected);
    attnrt_program program = {image.c_str(), image.size() + 1, "main",
                              "sm_90a"};
    attnrt_launch record = makeLaunch(program);
    EXPECT_EQ(launch(record), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.recorded("load.lines"), expected);
    attnrt_forget_programs(runtime);
  }
}

TEST_F(RuntimeTest, linkForChip) {
  driver.createContext(0);
  void *cubin = nullptr;
  size_t size = 0;
  const std::pair<const char *, unsigned> targets[] = {
      {"sm_80", 80}, {"sm_90a", 0x1005a}, {"sm_120f", 0x20078}};
  for (auto [chip, target] : targets) {
    EXPECT_EQ(attnrt_link_ptx(runtime, ptx, sizeof(ptx), chip, &cubin, &size,
                              nullptr, 0),
              ATTNRT_SUCCESS);
    EXPECT_EQ(driver.recorded("link.target"), target);
    attnrt_free_host(cubin);
  }
  for (const char *chip : {"", "sm_", "90", "sm_90b", "sm_90aa"}) {
    EXPECT_EQ(attnrt_link_ptx(runtime, ptx, sizeof(ptx), chip, &cubin, &size,
                              nullptr, 0),
              ATTNRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(runtime.getError(),
                    std::string("expected a chip such as sm_90a, found '") +
                        chip + "'");
  }
}

TEST_F(RuntimeTest, linkFails) {
  driver.createContext(0);
  void *cubin = &cubin;
  size_t size = 1;
  char log[256] = "old";
  EXPECT_EQ(attnrt_link_ptx(runtime, "bad", 3, nullptr, &cubin, &size, log,
                            sizeof(log)),
            ATTNRT_BAD_PROGRAM);
  EXPECT_CONTAINS(runtime.getError(), "CUDA_ERROR_INVALID_PTX");
  EXPECT_CONTAINS(runtime.getError(), "compute capability 9.0, driver 13.1");
  EXPECT_CONTAINS(runtime.getError(), "line 7; error   : Unknown symbol 'bad'");
  EXPECT_EQ(cubin, nullptr);
  EXPECT_EQ(size, 0u);
  EXPECT_STREQ(log, "");
  driver.setError("cuLinkComplete", outOfMemory);
  EXPECT_EQ(attnrt_link_ptx(runtime, ptx, sizeof(ptx), nullptr, &cubin, &size,
                            nullptr, 0),
            ATTNRT_OUT_OF_MEMORY);
  EXPECT_EQ(driver.recorded("link.states"), 0u);
  EXPECT_EQ(
      attnrt_link_ptx(runtime, nullptr, 0, nullptr, &cubin, &size, nullptr, 0),
      ATTNRT_INVALID_ARGUMENT);
}
