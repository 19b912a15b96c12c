//===- Loops.cpp - Loops of StableHLO -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "StableHLO.h"

using namespace mlir;
using namespace mlir::attn::raise;

static Operation *getTerminator(Operation *loop, unsigned region) {
  return &loop->getRegion(region).front().back();
}

bool mlir::attn::raise::isLoop(Operation *op) {
  if (!op || op->getName().getStringRef() != "stablehlo.while" ||
      op->getNumRegions() != 2 || op->getOperandTypes() != op->getResultTypes())
    return false;
  for (Region &region : op->getRegions())
    if (!region.hasOneBlock() || region.front().empty() ||
        region.front().getArgumentTypes() != op->getOperandTypes() ||
        region.front().back().getName().getStringRef() != "stablehlo.return")
      return false;
  return getTerminator(op, 0)->getNumOperands() == 1 &&
         getTerminator(op, 1)->getOperandTypes() == op->getResultTypes();
}

Value mlir::attn::raise::getCarriedUnchanged(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *loop = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (!isLoop(loop) || argument.getOwner()->getParent() != &loop->getRegion(1))
    return {};
  unsigned number = argument.getArgNumber();
  return getTerminator(loop, 1)->getOperand(number) == value
             ? loop->getOperand(number)
             : Value();
}

namespace {
/// Computes scalar integers from the number that `counter` is.
struct Evaluator {
  Value counter;
  int64_t number;
  /// The results for values, each of which others may read many times.
  llvm::DenseMap<Value, std::optional<int64_t>> known{};

  std::optional<int64_t> get(Value value) {
    if (value == counter)
      return number;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    Value outer = getCarriedUnchanged(value);
    std::optional<int64_t> result = outer ? get(outer) : compute(value);
    known[value] = result;
    return result;
  }

  /// Whether the value is a scalar that is true, false or a signed integer of
  /// at least 32 bits.
  static bool isScalar(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Type element = type ? type.getElementType() : Type();
    return type && type.getRank() == 0 && element.isSignlessInteger() &&
           (element.isInteger(1) || element.getIntOrFloatBitWidth() >= 32);
  }

  std::optional<int64_t> compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumResults() != 1 || !isScalar(value))
      return std::nullopt;
    StringRef name = op->getName().getStringRef();
    if (name == "stablehlo.constant") {
      SmallVector<int64_t> numbers = getNumbers(op->getAttr("value"));
      return numbers.size() == 1 ? std::optional(numbers.front())
                                 : std::nullopt;
    }
    SmallVector<int64_t> of;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> its =
          isScalar(operand) ? get(operand) : std::nullopt;
      // Numbers that are not near the limits of i32 cannot overflow.
      if (!its || std::abs(*its) > (1 << 30))
        return std::nullopt;
      of.push_back(*its);
    }
    if (name == "stablehlo.select" && of.size() == 3)
      return of[0] ? of[1] : of[2];
    // Ops on conditions have other results than those on numbers.
    auto isCondition = [](Value value) {
      return getElementTypeOrSelf(value).isInteger(1);
    };
    if (llvm::any_of(op->getOperands(), isCondition))
      return std::nullopt;
    if (name == "stablehlo.convert" && of.size() == 1 && !isCondition(value))
      return of[0];
    if (name == "stablehlo.add" && of.size() == 2)
      return of[0] + of[1];
    if (name == "stablehlo.subtract" && of.size() == 2)
      return of[0] - of[1];
    // JAX counts indices below 0 from the end.
    if (name == "stablehlo.compare" && of.size() == 2 &&
        StringRef(getText(op->getAttr("comparison_direction"))).contains(" LT"))
      return of[0] < of[1];
    return std::nullopt;
  }
};
} // namespace

std::optional<int64_t> mlir::attn::raise::evaluate(Value value, Value counter,
                                                   int64_t number) {
  return Evaluator{counter, number}.get(value);
}

std::optional<int64_t> mlir::attn::raise::getCount(Operation *loop,
                                                   Value &counter) {
  if (!isLoop(loop))
    return std::nullopt;
  Operation *compare = getTerminator(loop, 0)->getOperand(0).getDefiningOp();
  if (!isStableHLO(compare, "compare") || compare->getNumOperands() != 2 ||
      !StringRef(getText(compare->getAttr("comparison_direction")))
           .contains(" LT"))
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(compare->getOperand(0));
  if (!argument || argument.getOwner() != &loop->getRegion(0).front())
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  counter = loop->getRegion(1).getArgument(number);
  std::optional<int64_t> count = evaluate(compare->getOperand(1), {}, 0);
  Operation *add = getTerminator(loop, 1)->getOperand(number).getDefiningOp();
  if (evaluate(loop->getOperand(number), {}, 0) != 0 ||
      !isStableHLO(add, "add") || add->getNumOperands() != 2 ||
      !Evaluator::isScalar(counter))
    return std::nullopt;
  bool isFirst = add->getOperand(0) == counter;
  if (add->getOperand(isFirst ? 0 : 1) != counter ||
      evaluate(add->getOperand(isFirst ? 1 : 0), {}, 0) != 1)
    return std::nullopt;
  return count;
}

void mlir::attn::raise::dropCarried(Operation *loop,
                                    llvm::SetVector<Operation *> &unused) {
  Operation *end = getTerminator(loop, 1);
  SmallVector<unsigned> kept, dropped;
  for (unsigned i = 0, e = loop->getNumOperands(); i < e; ++i) {
    Value argument = loop->getRegion(1).getArgument(i);
    Value next = end->getOperand(i);
    Operation *update = next.getDefiningOp();
    bool isOnlyWritten = isStableHLO(update, "dynamic_update_slice") &&
                         update->getOperand(0) == argument &&
                         argument.hasOneUse() && next.hasOneUse();
    bool isUnchanged = next == argument && argument.hasOneUse();
    bool isUnused = loop->getResult(i).use_empty() &&
                    loop->getRegion(0).getArgument(i).use_empty();
    (isUnused && (isOnlyWritten || isUnchanged) ? dropped : kept).push_back(i);
  }
  if (dropped.empty())
    return;
  OpBuilder b(loop);
  OperationState state(loop->getLoc(), loop->getName());
  state.addAttributes(loop->getAttrs());
  for (unsigned i : kept) {
    state.addOperands(loop->getOperand(i));
    state.addTypes(loop->getResult(i).getType());
  }
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      unused.insert(op);
  };
  for (unsigned i : dropped)
    add(loop->getOperand(i));
  for (unsigned i : llvm::reverse(dropped)) {
    Operation *update = end->getOperand(i).getDefiningOp();
    end->eraseOperand(i);
    if (!update || !update->use_empty())
      continue;
    llvm::for_each(update->getOperands(), add);
    update->erase();
  }
  for (Region &region : loop->getRegions()) {
    for (unsigned i : llvm::reverse(dropped))
      region.front().eraseArgument(i);
    state.addRegion()->takeBody(region);
  }
  Operation *smaller = b.create(state);
  for (auto [to, from] : llvm::enumerate(kept))
    loop->getResult(from).replaceAllUsesWith(smaller->getResult(to));
  unused.remove(loop);
  loop->erase();
}
