//===- Differences.cpp - Values by differences of probabilities -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Differences.h"
#include "StableHLO.h"
#include "Unused.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::attn::raise;

static bool isBinary(Operation *op, StringRef name) {
  return isStableHLO(op, name) && op->getNumOperands() == 2;
}

namespace {
struct Splitter {
  Operation *product;
  unsigned side;
  OpBuilder b;
  SmallVector<Operation *> created = {};

  Splitter(Operation *product, unsigned side)
      : product(product), side(side), b(product) {}

  Value create(StringRef name, ValueRange operands, Type type,
               ArrayRef<NamedAttribute> attributes = {}) {
    OperationState state(product->getLoc(), name, operands, type, attributes);
    created.push_back(b.create(state));
    return created.back()->getResult(0);
  }

  /// Copies the product for one term of the sum, and multiplies the copy by the
  /// number by which all elements of the term are multiplied, if there is one.
  /// Returns null if types do not fit. `copy` becomes the copy's result.
  Value split(Value term, Value &copy) {
    Value factor;
    if (Operation *op = term.getDefiningOp(); isBinary(op, "multiply"))
      for (unsigned i : {0u, 1u}) {
        Operation *broadcast = op->getOperand(i).getDefiningOp();
        if (!isStableHLO(broadcast, "broadcast_in_dim") ||
            broadcast->getNumOperands() != 1)
          continue;
        auto type =
            dyn_cast<RankedTensorType>(broadcast->getOperand(0).getType());
        if (!type || type.getRank() != 0)
          continue;
        factor = broadcast->getOperand(0);
        term = op->getOperand(1 - i);
        break;
      }
    auto type = dyn_cast<RankedTensorType>(product->getResult(0).getType());
    if (!type || !type.hasStaticShape() ||
        term.getType() != product->getOperand(side).getType())
      return nullptr;
    created.push_back(b.clone(*product));
    created.back()->setOperand(side, term);
    copy = created.back()->getResult(0);
    if (!factor)
      return copy;
    auto scalar = RankedTensorType::get({}, type.getElementType());
    if (factor.getType() != scalar)
      factor = create("stablehlo.convert", factor, scalar);
    Value all = create(
        "stablehlo.broadcast_in_dim", factor, type,
        b.getNamedAttr("broadcast_dimensions", b.getDenseI64ArrayAttr({})));
    return create("stablehlo.multiply", {copy, all}, type);
  }
};
} // namespace

void mlir::attn::raise::splitDifference(
    Operation *product, llvm::function_ref<bool(Value)> isAttention) {
  if (!isBinary(product, "dot_general"))
    return;
  for (unsigned side : {0u, 1u}) {
    Operation *sum = product->getOperand(side).getDefiningOp();
    if (!isBinary(sum, "subtract") && !isBinary(sum, "add"))
      continue;
    Splitter splitter(product, side);
    Value copies[2];
    Value lhs = splitter.split(sum->getOperand(0), copies[0]);
    Value rhs = lhs ? splitter.split(sum->getOperand(1), copies[1]) : nullptr;
    if (rhs && isAttention(copies[0]) && isAttention(copies[1])) {
      product->getResult(0).replaceAllUsesWith(
          splitter.create(sum->getName().getStringRef(), {lhs, rhs},
                          product->getResult(0).getType()));
      llvm::SetVector<Operation *> unused;
      unused.insert(product);
      eraseUnused(unused);
      return;
    }
    for (Operation *op : llvm::reverse(splitter.created))
      op->erase();
  }
}
