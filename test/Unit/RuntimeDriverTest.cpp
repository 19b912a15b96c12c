//===- RuntimeDriverTest.cpp - Drivers that lack functions ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <unistd.h>

/// A copy of the fake driver's library in which one symbol is renamed, as if an
/// old driver lacked the function.
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

TEST(RuntimeDriverTest, absent) {
  Runtime runtime("/nowhere/libcuda.so.1");
  EXPECT_EQ(runtime.status, ATTNRT_NO_DRIVER);
  ASSERT_NE(runtime.handle, nullptr);
  EXPECT_CONTAINS(runtime.getError(), "/nowhere/libcuda.so.1");
  // In any thread, each call that needs the driver fails with the message that
  // it is missing.
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

/// Allocates `bytes` for the stream, frees them at once, and returns the
/// address.
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
    // A stream's kept memory is not given to another stream, whose work may run
    // at the same time.
    EXPECT_NE(allocateOnce(runtime, second, 1000), own);
    EXPECT_EQ(count(), 2u);
    // Kept memory is not used for more bytes than it has, nor for less than
    // half of them.
    EXPECT_NE(allocateOnce(runtime, first, 1001), own);
    EXPECT_NE(allocateOnce(runtime, first, 499), own);
    EXPECT_EQ(count(), 4u);
    // Memory in use is not given to another allocation of the same stream.
    attnrt_device_ptr used = 0, other = 0;
    ASSERT_EQ(attnrt_allocate_async(runtime, first, 1000, &used),
              ATTNRT_SUCCESS);
    ASSERT_EQ(attnrt_allocate_async(runtime, first, 1000, &other),
              ATTNRT_SUCCESS);
    EXPECT_NE(used, other);
    EXPECT_EQ(attnrt_free_async(runtime, first, used), ATTNRT_SUCCESS);
    EXPECT_EQ(attnrt_free_async(runtime, first, other), ATTNRT_SUCCESS);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), 0u);
    // An allocation on a stream that is captured becomes part of the graph, and
    // uses no kept memory.
    driver.beginCapture(first);
    uint64_t uncaptured = count();
    allocateOnce(runtime, first, 1000);
    EXPECT_EQ(count(), uncaptured + 1);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), 1u);
    driver.endCapture(first);
    // Memory of more than 64 MiB is not kept.
    uint64_t most = 64 << 20;
    allocateOnce(runtime, first, most + 1);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), 2u);
    // To keep 64 MiB, the stream frees what it kept before. What other streams
    // keep stays.
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
    // attnrt_trim_memory() waits for the device, since kernels that use the
    // memory may still run.
    EXPECT_EQ(driver.recorded("synchronized"), waits + 1);
    uint64_t before = count();
    allocateOnce(runtime, first, 1000);
    EXPECT_EQ(count(), before + 1);
  }
  // All memory has been freed: the fake driver's cuMemFreeAsync calls
  // cuMemFree.
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
    // A primary context that is closed and opened again has the same address,
    // but none of the modules that were loaded before.
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
