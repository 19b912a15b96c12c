//===- AttnBufferize.cpp - One-shot bufferisation for attention -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmptyTensors.h"
#include "TransposesToViews.h"
#include "UnitStrides.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// Whether some op reads elements of a tensor or of a slice of it. An op whose
/// destination the tensor is does not count, unless it adds to the destination,
/// as linalg.matmul does, nor does an op that only asks for a size.
static bool isRead(Value tensor) {
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      return false;
    if (isa<tensor::CastOp, tensor::ExtractSliceOp>(user))
      return isRead(user->getResult(0));
    auto op = dyn_cast<DestinationStyleOpInterface>(user);
    auto computed = dyn_cast<linalg::LinalgOp>(user);
    return !op || !op.isDpsInit(&use) ||
           (computed && computed.payloadUsesValueFromOperand(&use));
  });
}

/// Makes bufferization write to no array of the caller's that a public function
/// reads: another argument may be the same array, and the caller may use it
/// again.
static void protectInputs(func::FuncOp func) {
  StringRef name = bufferization::BufferizationDialect::kWritableAttrName;
  if (!func.isPublic() || func.isDeclaration())
    return;
  for (BlockArgument argument : func.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (isa<RankedTensorType>(argument.getType()) && isRead(argument) &&
        !func.getArgAttr(number, name))
      func.setArgAttr(number, name, BoolAttr::get(func.getContext(), false));
  }
}

/// Makes the globals of all constants that will be bufferised, in the order of
/// the module. Bufferisation, which takes functions in an order that depends on
/// their addresses, finds these globals, so that their names and places are the
/// same in each run.
static LogicalResult
makeGlobals(ModuleOp module,
            const bufferization::OneShotBufferizationOptions &options,
            bufferization::BufferizationState &state) {
  auto makeGlobal = [&](arith::ConstantOp constant) -> WalkResult {
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (!type || !options.isOpAllowed(constant))
      return WalkResult::advance();
    return LogicalResult(bufferization::getGlobalFor(
        constant, state.getSymbolTables(), options.bufferAlignment,
        options.defaultMemorySpaceFn(type).value_or(Attribute())));
  };
  for (auto func : module.getOps<func::FuncOp>())
    if (func.walk(makeGlobal).wasInterrupted())
      return failure();
  return success();
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
    if (failed(eliminateEmptyTensors(getOperation())))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>())
      protectInputs(func);
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
    if (failed(makeGlobals(getOperation(), options, state)) ||
        failed(
            bufferization::bufferizeModuleOp(getOperation(), options, state)))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>())
      replaceTransposes(func);
  }
};
} // namespace
