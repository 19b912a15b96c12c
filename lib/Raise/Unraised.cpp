//===- Unraised.cpp - Remarks on what looks like attention ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unraised.h"
#include "Shadows.h"
#include "StableHLO.h"
#include "Torch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::attn::raise;

bool mlir::attn::raise::isProduct(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.dot_general" || name == "stablehlo.dot")
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() == 0 ||
      linalgOp.getNumDpsInputs() < 2)
    return false;
  return llvm::any_of(*linalgOp.getBlock(), llvm::IsaPred<arith::MulFOp>);
}

/// Whether both operands and the result of a matrix product have a batch
/// dimension, such as heads, in common.
static bool isBatched(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
    for (unsigned loop = 0; loop < linalgOp.getNumLoops(); ++loop)
      if (llvm::all_of(
              maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); }))
        return true;
    return false;
  }
  std::optional<DotDims> dims = getDotDims(op);
  return dims && !dims->lhsBatch.empty();
}

/// Whether the op is a product of torch-mlir's tensors. Shadows are among the
/// products of isProduct().
static bool isTorchProduct(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "torch.aten.matmul" || name == "torch.aten.bmm" ||
         name == "torch.aten.mm";
}

static bool hasExponential(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "torch.aten.exp" || name == "torch.aten.softmax.int" ||
      name == "torch.aten._softmax" || name == "torch.aten._safe_softmax")
    return true;
  return name == "stablehlo.exponential" || isa<linalg::SoftmaxOp>(op) ||
         op->walk([](Operation *inner) {
             return isa<math::ExpOp, math::Exp2Op>(inner)
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           }).wasInterrupted();
}

/// Returns an earlier product from which the operands of `op` are computed
/// without another product in between, or null if there is none. Also returns
/// whether exponentials are among the ops that compute the operands.
static std::pair<Operation *, bool> findEarlierProduct(Operation *op) {
  Operation *earlier = nullptr;
  bool hasExponentials = false;
  SmallVector<Operation *> rest = {op};
  llvm::SmallPtrSet<Operation *, 32> seen;
  while (!rest.empty()) {
    Operation *next = rest.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (next != op && (isProduct(next) || isTorchProduct(next))) {
      earlier = next;
      continue;
    }
    hasExponentials |= next != op && hasExponential(next);
    // The search for an earlier product also follows values that the bodies of
    // ops read from outside.
    next->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp())
          if (isa<ShapedType>(operand.getType()) ||
              getBuiltinType(operand.getType()))
            rest.push_back(source);
    });
  }
  return {earlier, hasExponentials};
}

void mlir::attn::raise::remarkUnraised(Operation *function) {
  // Private functions are skipped, since they were inlined where they are
  // called.
  auto symbol = dyn_cast<SymbolOpInterface>(function);
  if (symbol && symbol.isPrivate())
    return;
  function->walk([&](Operation *op) {
    if (!isProduct(op))
      return WalkResult::advance();
    auto [earlier, hasExponentials] = findEarlierProduct(op);
    if (!earlier || !(hasExponentials || (isBatched(op) && isBatched(earlier))))
      return WalkResult::advance();
    (isShadow(op) ? emitRemark(op->getLoc()) : op->emitRemark())
        << "attention was not raised: "
        << (hasExponentials
                ? "exponentials of a product are multiplied here, but their "
                  "sum that divides them was not found, or not what is between"
                : "two products of batches have no softmax between them");
    return WalkResult::interrupt();
  });
}
