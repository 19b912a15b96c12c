//===- LowerByteViews.cpp - Bytes of arrays of i4 -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerByteViews.h"

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"
#include "attn/Support/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn;

/// Replaces a view of an array of i4 as bytes by a memref of i8 with the same
/// base. A cast of the base suffices, since LLVM's form of a memref does not
/// depend on the element type. The offset, the size of the last dimension and
/// the strides of all other dimensions count elements of i4, so they are
/// halved.
static void lower(attn_tile::BytesOp op) {
  NumberBuilder b(op.getLoc(), op);
  auto metadata = memref::ExtractStridedMetadataOp::create(b, op.getSource());
  auto halve = [&](OpFoldResult &number) {
    if (auto attr = dyn_cast<Attribute>(number))
      number = b.getIndexAttr(cast<IntegerAttr>(attr).getInt() / 2);
    else
      // An arithmetic shift is used, since strides may be negative.
      number = b.shrsi(cast<Value>(number), b.index(1));
  };
  MemRefType type = op.getType();
  auto base = MemRefType::get({}, type.getElementType(), AffineMap(),
                              type.getMemorySpace());
  Value bytes =
      UnrealizedConversionCastOp::create(b, base, metadata.getBaseBuffer())
          .getResult(0);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes(),
                            strides = metadata.getConstifiedMixedStrides();
  OpFoldResult offset = metadata.getConstifiedMixedOffset();
  halve(offset);
  halve(sizes.back());
  for (OpFoldResult &stride : MutableArrayRef(strides).drop_back())
    halve(stride);
  auto view =
      memref::ReinterpretCastOp::create(b, bytes, offset, sizes, strides);
  Value result = view;
  if (view.getType() != type)
    result = memref::CastOp::create(b, type, result);
  op.replaceAllUsesWith(result);
  op.erase();
}

LogicalResult attn::lowerByteViews(Operation *root) {
  SmallVector<attn_tile::BytesOp> views;
  WalkResult result = root->walk([&](MemoryEffectOpInterface op) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) &&
          isInt4(getElementTypeOrSelf(operand)) &&
          (op.getEffectOnValue<MemoryEffects::Read>(operand) ||
           op.getEffectOnValue<MemoryEffects::Write>(operand)))
        return op->emitOpError("expected attention, appends and copies alone "
                               "to access an array of i4, which has two "
                               "elements in a byte, found this access"),
               WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  result = root->walk([&](attn_tile::BytesOp op) -> WalkResult {
    views.push_back(op);
    // If the function allocates an array of i4, LLVM stores each element in a
    // byte of its own. A byte of this array does not have two elements, so the
    // view would be wrong.
    if (Operation *source =
            attn::getViewedArray(op.getSource()).getDefiningOp();
        isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(source))
      return source->emitOpError("expected an array of i4 that the "
                                 "caller passes, with two elements in a "
                                 "byte, found memory of the function");
    return success();
  });
  if (result.wasInterrupted())
    return failure();
  for (attn_tile::BytesOp op : views)
    lower(op);
  return success();
}
