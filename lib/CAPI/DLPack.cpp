//===- DLPack.cpp - Tensors of DLPack -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"

using namespace mlir::attn;

namespace {

/// The structure DLTensor of dlpack.h, whose layout has not changed since
/// version 0.2.
struct DLPackTensor {
  void *data;
  struct {
    int32_t type;
    int32_t id;
  } device;
  int32_t rank;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  const int64_t *shape;
  const int64_t *strides;
  uint64_t byteOffset;
};
static_assert(sizeof(DLPackTensor) == 48);

} // namespace

/// The codes of kinds of element types (signed integer, float and so on) in
/// DLDataType of DLPack.
enum {
  Int = 0,
  UInt = 1,
  Float = 2,
  BFloat = 4,
  Bool = 6,
  Float8E4M3FN = 10,
  Float8E5M2 = 12
};

static std::optional<attn_dtype> getDType(unsigned code, unsigned bits) {
  const struct {
    unsigned code, bits;
    attn_dtype dtype;
  } known[] = {{Float, 16, ATTN_F16},        {BFloat, 16, ATTN_BF16},
               {Float, 32, ATTN_F32},        {Float, 64, ATTN_F64},
               {Bool, 8, ATTN_I1},           {Int, 8, ATTN_I8},
               {Int, 16, ATTN_I16},          {Int, 32, ATTN_I32},
               {Int, 64, ATTN_I64},          {Float8E4M3FN, 8, ATTN_F8E4M3FN},
               {Float8E5M2, 8, ATTN_F8E5M2}, {UInt, 8, ATTN_U8}};
  for (const auto &entry : known)
    if (entry.code == code && entry.bits == bits)
      return entry.dtype;
  return std::nullopt;
}

attn_status attn_buffer_from_dlpack(const void *dl_tensor,
                                    attn_buffer *buffer) {
  if (!dl_tensor || !buffer)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected a DLTensor and a buffer to fill, found null");
  const auto &tensor = *static_cast<const DLPackTensor *>(dl_tensor);
  std::optional<attn_dtype> dtype =
      getDType(tensor.dtype.code, tensor.dtype.bits);
  if (!dtype || tensor.dtype.lanes != 1)
    return fail(ATTN_INVALID_ARGUMENT,
                "DLTensor: expected f16, bf16, f32, f64, f8E4M3FN, f8E5M2, a "
                "bool, a byte or a signed integer in one lane, found code " +
                    llvm::Twine(unsigned(tensor.dtype.code)) + " of " +
                    llvm::Twine(unsigned(tensor.dtype.bits)) + " bits in " +
                    llvm::Twine(unsigned(tensor.dtype.lanes)) + " lanes");
  if (tensor.device.type != ATTN_DEVICE_CPU &&
      tensor.device.type != ATTN_DEVICE_CUDA &&
      tensor.device.type != ATTN_DEVICE_CUDA_HOST &&
      tensor.device.type != ATTN_DEVICE_CUDA_MANAGED)
    return fail(ATTN_INVALID_ARGUMENT,
                "DLTensor: expected memory of the host or of a CUDA device, "
                "found device type " +
                    llvm::Twine(tensor.device.type));
  if (tensor.rank < 0)
    return fail(ATTN_INVALID_ARGUMENT,
                "DLTensor: expected a rank of at least 0, found " +
                    llvm::Twine(tensor.rank));
  attn_buffer found = {};
  // The address of a tensor without elements may be null, and adding the offset
  // to null would be undefined.
  if (tensor.data)
    found.data = reinterpret_cast<void *>(
        reinterpret_cast<uintptr_t>(tensor.data) + tensor.byteOffset);
  found.sizes = tensor.shape;
  found.strides = tensor.strides;
  found.rank = tensor.rank;
  found.dtype = *dtype;
  found.device_type = tensor.device.type;
  found.device_id = tensor.device.id;
  *buffer = found;
  return ATTN_SUCCESS;
}
