//===- Link.cpp - The driver's linker -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Runtime.h"

#include <cstdlib>
#include <cstring>

using namespace attnrt;

/// Runs the linker on zero-terminated PTX and copies what it makes, which it
/// keeps only as long as its state.
static CUresult link(const CudaDriver &driver, JitOptions &options,
                     const char *ptx, size_t size, void *&cubin,
                     size_t &cubinSize) {
  CUlinkState state = nullptr;
  void *image = nullptr;
  CUresult result = driver.cuLinkCreate(options.getCount(), options.getKeys(),
                                        options.getValues(), &state);
  if (result != CUDA_SUCCESS)
    return result;
  result =
      driver.cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(ptx),
                           size, "attn.ptx", 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS)
    result = driver.cuLinkComplete(state, &image, &cubinSize);
  if (result == CUDA_SUCCESS) {
    cubin = std::malloc(cubinSize);
    if (cubin)
      std::memcpy(cubin, image, cubinSize);
    else
      result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  driver.cuLinkDestroy(state);
  return result;
}

/// The driver's number of a chip such as "sm_90a", or 0 for another text.
static size_t getTarget(const char *chip) {
  if (std::strncmp(chip, "sm_", 3) != 0)
    return 0;
  char *suffix = nullptr;
  size_t number = std::strtoul(chip + 3, &suffix, 10);
  if (!number || !*suffix)
    return number;
  if (std::strcmp(suffix, "a") == 0)
    return CU_COMPUTE_ACCELERATED_TARGET_BASE + number;
  if (std::strcmp(suffix, "f") == 0)
    return CU_COMPUTE_FAMILY_TARGET_BASE + number;
  return 0;
}

attnrt_status attnrt_link_ptx(attnrt_runtime *runtime, const char *ptx,
                              size_t ptx_size, const char *chip, void **cubin,
                              size_t *cubin_size, char *log, size_t log_size) {
  if (log && log_size)
    log[0] = '\0';
  *cubin = nullptr;
  *cubin_size = 0;
  if (attnrt_status status = requireDriver(runtime))
    return status;
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuLinkCreate || !driver.cuLinkAddData || !driver.cuLinkComplete ||
      !driver.cuLinkDestroy)
    return failMissing(*runtime, "cuLinkCreate", "linking PTX");
  if (!ptx || !ptx_size)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT, "linking PTX: none given");
  size_t target = chip ? getTarget(chip) : 0;
  if (chip && !target)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "linking PTX: expected a chip such as sm_90a, found '%s'",
                chip);

  // The linker wants a terminating zero, which the caller need not have.
  char *copy = nullptr;
  if (ptx[ptx_size - 1] != '\0') {
    copy = static_cast<char *>(std::malloc(ptx_size + 1));
    if (!copy)
      return fail(*runtime, ATTNRT_OUT_OF_MEMORY,
                  "linking PTX: host memory is exhausted");
    std::memcpy(copy, ptx, ptx_size);
    copy[ptx_size++] = '\0';
  }
  JitOptions options(log, log_size);
  if (target)
    options.setTarget(target);
  options.keepLines(copy ? copy : ptx);
  size_t size = 0;
  CUresult result =
      link(driver, options, copy ? copy : ptx, ptx_size, *cubin, size);
  std::free(copy);
  if (log && log_size)
    log[log_size - 1] = '\0';
  if (result == CUDA_SUCCESS) {
    *cubin_size = size;
    return ATTNRT_SUCCESS;
  }
  Message message;
  message.append("linking %zu bytes of PTX", ptx_size);
  appendError(message, driver, result);
  options.appendDetails(message, driver);
  runtime->errors.set(message);
  return getStatus(result);
}

void attnrt_free_host(void *memory) { std::free(memory); }
