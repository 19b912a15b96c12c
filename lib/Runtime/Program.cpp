//===- Program.cpp - Programs given to the driver -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "RelaxedCaptures.h"
#include "Runtime.h"

#include <climits>
#include <cstdlib>
#include <cstring>

using namespace attnrt;

const char *attnrt::getName(const attnrt_program &program) {
  return program.name ? program.name : "";
}

/// Whether a program's image is an ELF file (a cubin) and not PTX. The driver
/// finds the end of the image itself: from the headers of an ELF file, or at
/// the terminating zero of PTX.
static bool isCubin(const attnrt_program &program) {
  return std::memcmp(program.image, "\177ELF", 4) == 0;
}

static bool isBounded(const attnrt_program &program) {
  auto *image = static_cast<const char *>(program.image);
  if (!image || program.image_size < 4)
    return false;
  return isCubin(program) || image[program.image_size - 1] == '\0';
}

attnrt_status attnrt::loadProgram(attnrt_runtime &runtime,
                                  const attnrt_program &program,
                                  CUmodule &module) {
  const char *chip = program.chip ? program.chip : "an unknown chip";
  if (!isBounded(program))
    return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                "loading program '%s' for %s: the image is neither a cubin nor "
                "PTX that ends in a zero",
                getName(program), chip);
  JitOptions options;
  if (!isCubin(program))
    options.keepLines(static_cast<const char *>(program.image));
  // `module` is set only on success: the driver may write to its argument even
  // if it fails.
  CUmodule loaded = nullptr;
  RelaxedCaptures relaxed(runtime.driver);
  CUresult result = runtime.driver.cuModuleLoadDataEx(
      &loaded, program.image, options.getCount(), options.getKeys(),
      options.getValues());
  if (result == CUDA_SUCCESS) {
    module = loaded;
    return ATTNRT_SUCCESS;
  }
  Message message;
  message.append("loading program '%s' for %s", getName(program), chip);
  appendError(message, runtime.driver, result);
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    message.append(": the driver is too old for this PTX");
  options.appendDetails(message, runtime.driver);
  runtime.errors.set(message);
  return getStatus(result);
}

//===----------------------------------------------------------------------===//
// The driver's compiler
//===----------------------------------------------------------------------===//

JitOptions::JitOptions(char *information, size_t informationSize) {
  errors[0] = '\0';
  add(CU_JIT_ERROR_LOG_BUFFER, errors);
  add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, sizeof(errors));
  if (!information || !informationSize)
    return;
  information[0] = '\0';
  // The driver reads the size of the buffer `information` as 32 bits, so a
  // larger buffer is not used beyond INT_MAX bytes.
  if (informationSize > INT_MAX)
    informationSize = INT_MAX;
  add(CU_JIT_INFO_LOG_BUFFER, information);
  add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, informationSize);
  add(CU_JIT_LOG_VERBOSE, size_t(1));
}

void JitOptions::keepLines(const char *ptx) {
  if (std::strstr(ptx, "\n\t.loc\t"))
    add(CU_JIT_GENERATE_LINE_INFO, size_t(1));
}

void JitOptions::add(CUjit_option key, const void *value) {
  keys[count] = key;
  values[count++] = const_cast<void *>(value);
}

void JitOptions::add(CUjit_option key, size_t value) {
  add(key, reinterpret_cast<const void *>(value));
}

void JitOptions::appendDetails(Message &message, const CudaDriver &driver) {
  CUdevice device = 0;
  int major = 0, minor = 0, version = 0;
  driver.cuDriverGetVersion(&version);
  message.append(" (device: ");
  if (driver.cuCtxGetDevice(&device) == CUDA_SUCCESS &&
      driver.cuDeviceGetAttribute(&major,
                                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                  device) == CUDA_SUCCESS &&
      driver.cuDeviceGetAttribute(&minor,
                                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                  device) == CUDA_SUCCESS)
    message.append("compute capability %d.%d", major, minor);
  else
    message.append("unknown");
  message.append(", driver %d.%d)", version / 1000, version % 1000 / 10);

  errors[sizeof(errors) - 1] = '\0';
  size_t length = std::strlen(errors);
  while (length && std::strchr(" \r\n", errors[length - 1]))
    --length;
  if (length)
    message.append("\n%.*s", int(length), errors);
}

//===----------------------------------------------------------------------===//
// Resources of kernels
//===----------------------------------------------------------------------===//

attnrt_status attnrt_get_kernel_info(attnrt_runtime *runtime,
                                     const attnrt_program *program,
                                     const char *kernel, uint32_t block_threads,
                                     uint32_t shared_bytes,
                                     attnrt_kernel_info *info) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  if (!program || !kernel || !info)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "asking for a kernel's needs: the program, the kernel or the "
                "result pointer is null");
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuOccupancyMaxActiveBlocksPerMultiprocessor)
    return failMissing(*runtime, "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                       "asking for a kernel's occupancy");
  Function *function = nullptr;
  if (attnrt_status status =
          runtime->modules.get(*runtime, *program, kernel, function))
    return status;
  // The limit of the kernel's dynamic shared memory is raised to
  // `shared_bytes`, if it is lower. Otherwise the driver, when it is asked
  // below how many CTAs fit on an SM, would return 0.
  if (attnrt_status status =
          raiseSharedBytes(*runtime, *function, shared_bytes))
    return status;

  attnrt_kernel_info found = {};
  const struct {
    int &value;
    CUfunction_attribute attribute;
  } attributes[] = {
      {found.registers, CU_FUNC_ATTRIBUTE_NUM_REGS},
      {found.local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
      {found.static_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
      {found.max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {found.ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION},
      {found.binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION},
  };
  CUresult result = CUDA_SUCCESS;
  for (const auto &entry : attributes)
    if (result == CUDA_SUCCESS)
      result = driver.cuFuncGetAttribute(&entry.value, entry.attribute,
                                         function->handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &found.ctas_per_sm, function->handle, block_threads, shared_bytes);
  if (attnrt_status status =
          check(*runtime, result,
                "asking what kernel '%s' of program '%s' takes with %u "
                "threads and %u bytes of dynamic shared memory a CTA",
                kernel, getName(*program), block_threads, shared_bytes))
    return status;
  *info = found;
  return ATTNRT_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

/// Links zero-terminated PTX and copies the resulting cubin, which the driver
/// would free with the linker's state.
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

/// Returns the driver's number (CUjit_target) of a chip such as "sm_90a", or 0
/// if the text is not a chip.
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

  // The driver's linker requires a terminating zero, which the caller's PTX may
  // lack.
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
