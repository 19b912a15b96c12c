//===- RuntimeLaunchTest.cpp - Launches of the GPU runtime ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <cstring>
#include <thread>
#include <vector>

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
    // A grid of 2^32 + 1 CTAs is an error, too: the size must not be taken
    // modulo 2^32.
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
  // The first argument is passed by value, as tensor maps are: the driver gets
  // its address, not the address of a pointer to it.
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
    // The second launch is a dependent one, for which the runtime calls the
    // driver in another way.
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
  // In another context the kernel is another function, whose shared memory must
  // be set as well.
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
  // The driver does not say which parameter it rejects, so the message has all
  // of them.
  driver.setError("cuTensorMapEncodeTiled", invalidValue);
  EXPECT_EQ(encode(map, 2), ATTNRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(
      runtime.getError(),
      "; data type 9; sizes 128, 1000; byte strides 256; box 64, "
      "128; element strides 1, 1; interleave 10; swizzle 11; L2 "
      "promotion 12; fill 13): CUDA_ERROR_INVALID_VALUE: text of the error");
}

/// The runtime keeps tensor maps. A map that differs from all earlier ones in
/// some parameter is encoded, and a map with the parameters of an earlier one
/// is not.
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
    // The fake driver's tensor map consists of its parameters.
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
  // Several threads use more maps than the runtime keeps, and get the right
  // ones.
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

/// Once modules and tensor maps are known, a launch makes four calls of the
/// driver: three queries of the context's id, and the launch.
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
