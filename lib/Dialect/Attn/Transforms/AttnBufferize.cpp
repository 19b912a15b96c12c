//===- AttnBufferize.cpp - One-shot bufferisation for attention -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposesToViews.h"
#include "UnitStrides.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNBUFFERIZEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

MemRefType attn::getTypeWithUnitInnerStride(RankedTensorType tensor,
                                            Attribute memorySpace) {
  MemRefLayoutAttrInterface layout;
  if (tensor.getRank() > 0) {
    SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    layout = StridedLayoutAttr::get(tensor.getContext(), ShapedType::kDynamic,
                                    strides);
  }
  return MemRefType::get(tensor.getShape(), tensor.getElementType(), layout,
                         memorySpace);
}

namespace {
struct AttnBufferizePass
    : public attn::impl::AttnBufferizePassBase<AttnBufferizePass> {
  void runOnOperation() override {
    // Rejects functions that take or return unranked tensors, for which the
    // type converter below has no rule.
    for (auto func : getOperation().getOps<func::FuncOp>())
      for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                                func.getResultTypes()))
        if (isa<UnrankedTensorType>(type)) {
          func.emitError("expected function '")
              << func.getName() << "' to take and return ranked tensors, found "
              << type;
          return signalPassFailure();
        }
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    // Does not bufferise the ops of grids, whose tiles are values without
    // memory until the lowering to a target allocates them, nor constants that
    // only grids use.
    auto isOfGrid = [](Operation *op) {
      return isa<attn_tile::GridOp>(op) ||
             op->getParentOfType<attn_tile::GridOp>();
    };
    options.opFilter.denyOperation([=](Operation *op) {
      // attn.read, which reads a captured array, is not bufferised either: its
      // operand gets the array's new type when the attention op is bufferised.
      return isOfGrid(op) || isa<ReadOp>(op) ||
             (op->hasTrait<OpTrait::ConstantLike>() && !op->use_empty() &&
              llvm::all_of(op->getUsers(), isOfGrid));
    });
    options.functionArgTypeConverterFn =
        [](bufferization::TensorLikeType type, Attribute memorySpace,
           func::FuncOp, const bufferization::BufferizationOptions &)
        -> bufferization::BufferLikeType {
      return cast<bufferization::BufferLikeType>(getTypeWithUnitInnerStride(
          cast<RankedTensorType>(type), memorySpace));
    };
    // Tensors for which bufferisation knows no layout get a memref with an
    // identity layout. An example is the result of a tensor.empty: upstream
    // asks for the type of its buffer before it allocates the buffer.
    options.unknownTypeConverterFn =
        [](TensorType type, Attribute memorySpace,
           const bufferization::BufferizationOptions &) {
          return bufferization::getMemRefTypeWithStaticIdentityLayout(
              type, memorySpace);
        };
    // The results of functions get the types that `functionArgTypeConverterFn`
    // returns. Upstream could infer their layouts, but it analyses a call
    // before it infers the layout of the callee's result.
    options.inferFunctionResultLayout = false;
    options.allowReturnAllocsFromLoops = true;
    bufferization::BufferizationState state;
    if (failed(
            bufferization::insertTensorCopies(getOperation(), options, state)))
      return signalPassFailure();
    keepUnitStrides(getOperation(), options, state);
    if (failed(
            bufferization::bufferizeModuleOp(getOperation(), options, state)))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>())
      replaceTransposes(func);
  }
};
} // namespace
