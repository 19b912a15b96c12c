//===- RuntimeMemoryTest.cpp - Devices, memory and linking ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <cstring>

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

  // attnrt_get_sm_count() returns the number for the device of the current
  // context.
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
  // The stream must be created without the flag "non-blocking", so that copies
  // through the default stream are ordered with its work.
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
  // The length of the PTX may or may not include the terminating zero.
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

// The runtime tells the driver to make tables of source lines exactly if the
// PTX has .loc directives.
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
