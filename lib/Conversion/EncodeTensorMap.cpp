//===- EncodeTensorMap.cpp - Tensor maps by the runtime -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns the CUtensorMapDataType (CUDA driver API) for elements of f16, bf16,
/// f32 or 8 bits. All 8-bit elements, including floats, are copied as bytes.
static int64_t getMapElement(Type element) {
  if (element.getIntOrFloatBitWidth() == 8)
    return 0;
  return element.isF16() ? 6 : element.isF32() ? 7 : 9;
}

/// Emits, before the op, the runtime call that encodes a tensor map, and a
/// return for the case that the call fails. Returns the address of the map on
/// the stack. Dimensions are passed in reverse order, since a tensor map begins
/// with the innermost dimension. The stride of a dimension of size 1 is passed
/// as 16, since the driver might reject its real value.
Value RuntimeCalls::encodeTensorMap(attn_nv::EncodeTensorMapOp op,
                                    Value runtime) {
  NumberBuilder b(op.getLoc(), op);
  MemRefType type = op.getArray().getType();
  int64_t rank = type.getRank();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  auto metadata = memref::ExtractStridedMetadataOp::create(b, op.getArray());
  auto fillArray = [&](Type element, ArrayRef<Value> values) {
    Value array = allocate(op, element, values.size());
    for (auto [i, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(
          b, value,
          LLVM::GEPOp::create(b, ptr, element, array,
                              ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)}));
    return array;
  };
  SmallVector<Value> sizes, strides, box, elementStrides;
  for (int64_t length : llvm::reverse(op.getBox())) {
    box.push_back(constant(b, i32, length));
    elementStrides.push_back(constant(b, i32, 1));
  }
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, op.getArray());
  Value address = b.addi(base, b.muli(metadata.getOffset(), b.index(bytes)));
  Value endStride, numEnds;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    Value size = metadata.getSizes()[dim];
    // The driver does not accept a size of 0, so each size is passed as at
    // least 1. Only a slice can have no elements, since attn-gpu-multiversion
    // checks the array itself; the kernel does not use what it reads from such
    // a slice.
    Value count = b.maxsi(size, b.index(1));
    sizes.push_back(b.indexCast(i64, count));
    if (dim == rank - 1)
      continue;
    Value stride = b.muli(metadata.getStrides()[dim], b.index(bytes));
    Value isOne = b.eq(count, b.index(1));
    stride = b.select(isOne, b.index(16), stride);
    strides.push_back(b.indexCast(i64, stride));
    if (op.getSliced() != dim)
      continue;
    endStride = strides.back();
    // The map of a sliced array has a further dimension, the outermost, whose
    // coordinate is the end of a slice along dimension `sliced`. Ends are from
    // 0 to the dimension's size. With `empty`, the only end is 0.
    numEnds = b.index(1);
    if (op.getEmpty())
      continue;
    numEnds = b.addi(size, numEnds);
    address = b.subi(address, b.muli(size, stride));
  }
  if (numEnds) {
    sizes.push_back(b.indexCast(i64, numEnds));
    strides.push_back(endStride);
  }
  Value word = b.indexCast(i64, address);
  Value pointer = LLVM::IntToPtrOp::create(b, ptr, word);
  // The numbers below are these constants of the CUDA driver API:
  // CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE and
  // CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B and _256B,
  // CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE.
  constexpr int64_t kInterleave = 0, kFill = 0;
  int64_t promotion = op.getOnce() ? 2 : 3;
  int64_t swizzle = op.getLinear() ? 0 : 3;
  Value map = allocate(op, IntegerType::get(context, 8), 128, 64);
  auto call = LLVM::CallOp::create(
      b,
      getFunction(
          "attnrt_encode_tensor_map",
          {ptr, ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32}),
      ValueRange{runtime, map,
                 constant(b, i32, getMapElement(type.getElementType())),
                 constant(b, i32, sizes.size()), pointer, fillArray(i64, sizes),
                 fillArray(i64, strides), fillArray(i32, box),
                 fillArray(i32, elementStrides), constant(b, i32, kInterleave),
                 constant(b, i32, swizzle), constant(b, i32, promotion),
                 constant(b, i32, kFill)});
  returnOnFailure(call, call.getResult());
  return map;
}
