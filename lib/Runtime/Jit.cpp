//===- Jit.cpp - Options of the driver's compiler -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include <climits>
#include <cstring>

using namespace attnrt;

JitOptions::JitOptions(char *information, size_t informationSize) {
  errors[0] = '\0';
  add(CU_JIT_ERROR_LOG_BUFFER, errors);
  add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, sizeof(errors));
  if (!information || !informationSize)
    return;
  information[0] = '\0';
  // The driver reads 32 bits of the size.
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
