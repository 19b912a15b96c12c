//===- QuantizeOp.cpp - The op that stores arrays in 8 bits ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Quantize.h"

#include "AttentionVerify.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnQuantizeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// RowwiseInterface
//===----------------------------------------------------------------------===//

int64_t QuantizeOp::getHostRows() { return 16; }

SmallVector<ArrayOperand> QuantizeOp::getArrays() {
  MLIRContext *context = getContext();
  SmallVector<Type, 3> floats = getFloats(context);
  Type f32 = floats.back();
  SmallVector<Type, 3> narrow = {
      Float8E4M3FNType::get(context), Float8E5M2Type::get(context),
      IntegerType::get(context, 8), IntegerType::get(context, 4)};
  int64_t rank = cast<ShapedType>(getScale().getType()).getRank();
  ArrayOperand scale = {"the scale", getScale(), rank, {f32}, rank == 4};
  SmallVector<ArrayOperand> arrays = {
      {"the array", getArray(), 4, floats, true}};
  if (getGivenScale())
    arrays.push_back(scale);
  arrays.push_back({"what is stored", getStored(), 4, narrow, true});
  if (!getGivenScale())
    arrays.push_back(scale);
  if (getMean())
    arrays.push_back({"the mean", getMean(), 4, {f32}, true});
  return arrays;
}

SmallVector<EqualSizes> QuantizeOp::getEqualSizes() {
  SmallVector<EqualSizes> sizes;
  StringRef what[] = {"batch sizes", "head counts", "lengths", "head dims"};
  auto scale = cast<ShapedType>(getScale().getType());
  auto array = [&](int64_t dim) -> EqualSizes::Dim {
    return {"the array", getArray(), dim};
  };
  for (int64_t dim = 0; dim < 4; ++dim) {
    requireEqual(sizes, what[dim], array(dim),
                 {{"what is stored", getStored(), dim}});
    if (getMean() && dim != 2)
      requireEqual(sizes, what[dim], array(dim),
                   {{"the mean", getMean(), dim}});
    // The scale need not have the array's size in some dimensions. These are
    // dimensions that the scale lacks, and dimension 2 of a scale of rank 4,
    // which has one element for each channel. A given scale may also have size
    // 1 in each dimension but the last: one element for all.
    if (dim >= scale.getRank() || (dim == 2 && scale.getRank() == 4) ||
        (getGivenScale() && dim != 3 && scale.getDimSize(dim) == 1))
      continue;
    EqualSizes::Dim own = array(dim);
    if (dim == 2)
      own.part = getBlock();
    requireEqual(sizes,
                 own.part == 1 ? what[dim] : "numbers of blocks of tokens", own,
                 {{"the scale", getScale(), dim}});
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult QuantizeOp::verify() {
  SmallVector<StringRef> outs = {"what is stored"};
  if (!getGivenScale())
    outs.push_back("the scale");
  if (getCentered())
    outs.push_back("the mean");
  if (getOuts().size() != outs.size())
    return emitOpError("expected ")
           << outs.size() << " outs (" << llvm::join(outs, ", ") << "), found "
           << getOuts().size();
  auto scale = cast<ShapedType>(getScale().getType());
  int64_t rank = scale.getRank(), block = getBlock();
  if (rank != 0 && (rank == 1 || rank > 4))
    return emitOpError("expected a scale of rank 0 (of the array), 2 (of "
                       "heads), 3 (of tokens) or 4 (of channels), found ")
           << scale;
  if (block != 1 &&
      (block < 16 || !llvm::isPowerOf2_64(static_cast<uint64_t>(block))))
    return emitOpError("expected a block of 1 token, or of a power of two of "
                       "at least 16, found ")
           << block;
  if (block != 1 && rank != 3)
    return emitOpError("expected no block beside a scale that is not of "
                       "tokens, found ")
           << block << " and " << scale;
  if (failed(verifyRowwise(*this)))
    return failure();
  for (auto [name, value] :
       {std::pair("a scale of channels", rank == 4 ? getScale() : Value()),
        {"a mean", getMean()}})
    if (value && cast<ShapedType>(value.getType()).getDimSize(2) != 1)
      return emitOpError("expected ")
             << name << " with size 1 in dimension 2, found "
             << value.getType();
  return verifyHalfBytes(*this, "what is stored",
                         cast<ShapedType>(getStored().getType()));
}
