//===- TensorMap.cpp - Encoding of tensor maps ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace attnrt;

/// Appends "NAME a, b, c".
template <class Integer>
static void appendArray(Message &message, const char *name,
                        const Integer *values, unsigned count) {
  message.append("; %s", name);
  for (unsigned i = 0; i < count; ++i)
    message.append("%s %llu", i ? "," : "",
                   static_cast<unsigned long long>(values[i]));
}

attnrt_status attnrt_encode_tensor_map(
    attnrt_runtime *runtime, void *map, uint32_t data_type, uint32_t rank,
    const void *address, const uint64_t *sizes, const uint64_t *strides,
    const uint32_t *box, const uint32_t *element_strides, uint32_t interleave,
    uint32_t swizzle, uint32_t l2_promotion, uint32_t out_of_bounds_fill) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  // Nothing is launched where memory is only counted, and what it would read
  // has no address.
  if (runtime->workspaces.counts())
    return ATTNRT_SUCCESS;
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuTensorMapEncodeTiled)
    return failMissing(*runtime, "cuTensorMapEncodeTiled",
                       "encoding a tensor map");
  if (!map || reinterpret_cast<uintptr_t>(map) % 64)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "encoding a tensor map: it lies at %p, not at a multiple of 64",
                map);
  // The arrays of any other rank cannot be read.
  if (rank < 1 || rank > 5)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "encoding a tensor map: its rank is %u, not 1 to 5", rank);
  if (!sizes || (!strides && rank > 1) || !box || !element_strides)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "encoding a tensor map: no sizes, strides, box or element "
                "strides are given");
  CUresult result = driver.cuTensorMapEncodeTiled(
      static_cast<CUtensorMap *>(map), data_type, rank,
      const_cast<void *>(address), sizes, strides, box, element_strides,
      interleave, swizzle, l2_promotion, out_of_bounds_fill);
  if (result == CUDA_SUCCESS)
    return ATTNRT_SUCCESS;
  // The driver says only that something is invalid: show it all.
  Message message;
  message.append("encoding a tensor map (address %p; data type %u", address,
                 data_type);
  appendArray(message, "sizes", sizes, rank);
  appendArray(message, "byte strides", strides, rank - 1);
  appendArray(message, "box", box, rank);
  appendArray(message, "element strides", element_strides, rank);
  message.append("; interleave %u; swizzle %u; L2 promotion %u; fill %u)",
                 interleave, swizzle, l2_promotion, out_of_bounds_fill);
  appendError(message, driver, result);
  runtime->errors.set(message);
  return getStatus(result);
}
