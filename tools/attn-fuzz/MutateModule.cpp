//===- MutateModule.cpp - Other ops, operands and blocks ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace attn_fuzz;
using namespace mlir;
using mlir::attn::Dice;

void Mutator::changeTypeEverywhere() {
  if (values.empty())
    return;
  Type from = dice.pickOf(values).getType(), to = mutateType(from);
  if (!to)
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](Type type) -> std::optional<std::pair<Type, WalkResult>> {
        if (type != from)
          return std::nullopt;
        return std::pair(to, WalkResult::skip());
      });
  // Attributes of type DenseArrayAttr are not changed: their data are bytes of
  // the old element type, and an array of index elements cannot be printed.
  replacer.addReplacement([](DenseArrayAttr array) {
    return std::optional(
        std::pair<Attribute, WalkResult>(array, WalkResult::skip()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

void Mutator::changeValueType() {
  if (values.empty())
    return;
  Value value = dice.pickOf(values);
  if (Type type = mutateType(value.getType()))
    value.setType(type);
}

void Mutator::changeAttribute() {
  for (int i = 0; i < 10 && !ops.empty(); ++i) {
    Operation *op = dice.pickOf(ops);
    SmallVector<NamedAttribute> attributes(op->getAttrDictionary().getValue());
    if (attributes.empty())
      continue;
    NamedAttribute chosen = dice.pickOf(attributes);
    if (dice.oneIn(8)) {
      op->removeAttr(chosen.getName());
      return;
    }
    Attribute other;
    if (!dice.oneIn(5))
      other = mutateAttribute(chosen.getValue());
    if (!other) {
      // The attribute gets the value of another op's attribute of the same
      // name, if one with another value is found. Otherwise, and in a fifth of
      // the cases, it gets the value of any attribute of any op.
      for (int j = 0; j < 40 && !other; ++j)
        other = dice.pickOf(ops)->getAttr(chosen.getName());
      if (!other || other == chosen.getValue() || dice.oneIn(5))
        for (int j = 0; j < 20; ++j) {
          DictionaryAttr all = dice.pickOf(ops)->getAttrDictionary();
          if (!all.empty())
            other = dice.pickOf(all.getValue()).getValue();
        }
    }
    if (other)
      op->setAttr(chosen.getName(), other);
    return;
  }
}

Value Mutator::pickValue(Type type) {
  for (int i = 0; i < 60; ++i)
    if (Value value = dice.pickOf(values); value.getType() == type)
      return value;
  return dice.oneIn(6) ? dice.pickOf(values) : Value();
}

void Mutator::changeOperand() {
  for (int i = 0; i < 10 && !ops.empty(); ++i) {
    Operation *op = dice.pickOf(ops);
    if (op->getNumOperands() == 0)
      continue;
    OpOperand &operand = op->getOpOperand(dice.below(op->getNumOperands()));
    // An operand is null if the op that defined it has been erased.
    if (Value old = operand.get())
      if (Value value = pickValue(old.getType()))
        operand.set(value);
    return;
  }
}

/// Swaps two operands of an op, drops one, or repeats one.
void Mutator::changeOperands() {
  for (int i = 0; i < 10 && !ops.empty(); ++i) {
    Operation *op = dice.pickOf(ops);
    SmallVector<Value> operands(op->getOperands());
    if (operands.empty())
      continue;
    size_t j = dice.below(operands.size()), k = dice.below(operands.size());
    if (dice.oneIn(2))
      std::swap(operands[j], operands[k]);
    else if (dice.oneIn(2))
      operands.erase(operands.begin() + j);
    else
      operands.push_back(operands[j]);
    op->setOperands(operands);
    return;
  }
}

void Mutator::eraseOp() {
  if (ops.empty())
    return;
  Operation *op = dice.pickOf(ops);
  SmallVector<Value> replacements;
  for (Value result : op->getResults()) {
    Value other;
    if (!result.use_empty())
      for (int i = 0; i < 60 && !other; ++i)
        if (Value value = dice.pickOf(values);
            value.getType() == result.getType() && value != result &&
            !op->isAncestor(value.getParentBlock()->getParentOp()))
          other = value;
    if (!other && !result.use_empty())
      return;
    replacements.push_back(other);
  }
  for (auto [result, other] : llvm::zip(op->getResults(), replacements))
    if (other)
      result.replaceAllUsesWith(other);
  op->dropAllReferences();
  op->dropAllDefinedValueUses();
  op->erase();
}

void Mutator::copyOp() {
  if (ops.empty())
    return;
  Operation *op = dice.pickOf(ops);
  if (!op->getBlock())
    return;
  Operation *copy = op->clone();
  op->getBlock()->getOperations().insert(
      dice.oneIn(2) ? op->getIterator() : std::next(op->getIterator()), copy);
}

void Mutator::moveOp() {
  if (ops.empty())
    return;
  Operation *op = dice.pickOf(ops), *other = nullptr;
  if (dice.oneIn(2))
    other = op->getNextNode();
  else
    other = dice.pickOf(ops);
  if (!other || other == op || op->isAncestor(other))
    return;
  if (dice.oneIn(2))
    op->moveBefore(other);
  else
    op->moveAfter(other);
}

/// Makes one random change to a block of the module, which may leave it
/// invalid: adds or removes an argument, swaps the types of two arguments, or
/// splits it.
void Mutator::changeBlock() {
  if (ops.empty())
    return;
  Operation *op = dice.pickOf(ops);
  Block *block = op->getBlock();
  if (!block)
    return;
  switch (dice.below(4)) {
  case 0:
    block->addArgument(pickScalar(), op->getLoc());
    return;
  case 1:
    if (unsigned count = block->getNumArguments()) {
      unsigned i = dice.below(count);
      if (block->getArgument(i).use_empty())
        block->eraseArgument(i);
    }
    return;
  case 2:
    // Swaps the types of two arguments of the block.
    if (unsigned count = block->getNumArguments()) {
      Value a = block->getArgument(dice.below(count));
      Value c = block->getArgument(dice.below(count));
      Type type = a.getType();
      a.setType(c.getType());
      c.setType(type);
    }
    return;
  default:
    // Moves the second half of the block to a new block.
    if (op != &block->front())
      block->splitBlock(op);
  }
}

/// Swaps the regions of two ops, or empties one region.
void Mutator::exchangeRegions() {
  SmallVector<Region *> regions;
  for (Operation *op : ops)
    for (Region &region : op->getRegions())
      regions.push_back(&region);
  if (regions.empty())
    return;
  Region *one = dice.pickOf(regions), *two = dice.pickOf(regions);
  if (one == two || one->isAncestor(two) || two->isAncestor(one)) {
    if (dice.oneIn(3)) {
      one->dropAllReferences();
      for (Block &block : *one)
        block.dropAllDefinedValueUses();
      one->getBlocks().clear();
    }
    return;
  }
  Region parked;
  parked.takeBody(*one);
  one->takeBody(*two);
  two->takeBody(parked);
}

void Mutator::mutate() {
  switch (dice.below(16)) {
  case 0:
  case 1:
  case 2:
    return changeTypeEverywhere();
  case 3:
    return changeValueType();
  case 4:
  case 5:
  case 6:
  case 7:
    return changeAttribute();
  case 8:
  case 9:
    return changeOperand();
  case 10:
    return changeOperands();
  case 11:
    return eraseOp();
  case 12:
    return copyOp();
  case 13:
    return moveOp();
  case 14:
    return changeBlock();
  default:
    return exchangeRegions();
  }
}

void attn_fuzz::mutateModule(ModuleOp module, Dice &dice) {
  Mutator(module, dice).mutate();
}
