//===- MutateModule.cpp - Other ops, types and attributes -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace attn_fuzz;
using namespace mlir;
using mlir::attn::Dice;

namespace {
class Mutator {
public:
  Mutator(ModuleOp module, Dice &dice)
      : dice(dice), module(module), b(module.getContext()) {
    module.walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getArguments());
      llvm::append_range(values, op->getResults());
    });
  }

  void mutate();

private:
  Type mutateType(Type type);
  Type mutateShaped(ShapedType type);
  Type pickScalar();
  Attribute mutateAttribute(Attribute attribute);
  Value pickValue(Type type);

  void changeTypeEverywhere();
  void changeValueType();
  void changeAttribute();
  void changeOperand();
  void changeOperands();
  void eraseOp();
  void copyOp();
  void moveOp();
  void changeBlock();
  void exchangeRegions();

  Dice &dice;
  ModuleOp module;
  Builder b;
  std::vector<Operation *> ops;
  std::vector<Value> values;
};
} // namespace

Type Mutator::pickScalar() {
  switch (dice.below(10)) {
  case 0:
    return b.getF16Type();
  case 1:
    return b.getBF16Type();
  case 2:
    return b.getF32Type();
  case 3:
    return b.getF64Type();
  case 4:
    return b.getIndexType();
  case 5:
    return b.getI1Type();
  case 6:
    return b.getIntegerType(1 + dice.below(70));
  case 7:
    return b.getIntegerType(8, /*isSigned=*/dice.oneIn(2));
  case 8:
    return Float8E4M3FNType::get(b.getContext());
  default:
    return dice.oneIn(2) ? Type(b.getNoneType())
                         : ComplexType::get(b.getF32Type());
  }
}

Type Mutator::mutateShaped(ShapedType type) {
  SmallVector<int64_t> shape(type.getShape());
  Type element = type.getElementType();
  auto emit = [&] { return emitError(module.getLoc()); };
  unsigned choice = dice.below(6);
  auto pickSize = [&] {
    int64_t size = pickEdge(dice);
    return size < 0 || dice.oneIn(3) ? ShapedType::kDynamic : size;
  };
  if (choice == 0)
    element = pickScalar();
  else if (choice == 1 && !shape.empty())
    shape.erase(shape.begin() + dice.below(shape.size()));
  else if (choice == 2)
    shape.insert(shape.begin() + dice.below(shape.size() + 1), pickSize());
  else if (choice <= 4 && !shape.empty())
    shape[dice.below(shape.size())] = pickSize();

  if (auto memref = dyn_cast<MemRefType>(type)) {
    MemRefLayoutAttrInterface layout = memref.getLayout();
    Attribute space = memref.getMemorySpace();
    if (choice == 5 && dice.oneIn(3))
      space = dice.oneIn(2) ? Attribute() : b.getI64IntegerAttr(pickEdge(dice));
    else if (auto strided = dyn_cast<StridedLayoutAttr>(layout);
             strided && choice != 0) {
      SmallVector<int64_t> strides(strided.getStrides());
      int64_t offset = strided.getOffset();
      strides.resize(shape.size(), 1);
      auto pickStride = [&] {
        return dice.oneIn(3) ? ShapedType::kDynamic : pickEdge(dice);
      };
      if (choice == 5 && !strides.empty())
        strides[dice.below(strides.size())] = pickStride();
      if (dice.oneIn(8))
        offset = pickStride();
      layout = StridedLayoutAttr::get(b.getContext(), offset, strides);
    }
    return MemRefType::getChecked(emit, shape, element, layout, space);
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::getChecked(
        emit, shape, element, choice == 5 ? Attribute() : tensor.getEncoding());
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::getChecked(emit, shape, element,
                                  vector.getScalableDims());
  return {};
}

Type Mutator::mutateType(Type type) {
  if (dice.oneIn(8) && !values.empty())
    return dice.pickOf(values).getType();
  if (auto shaped = dyn_cast<ShapedType>(type))
    return mutateShaped(shaped);
  if (type.isIntOrIndexOrFloat())
    return pickScalar();
  // Changes one of the types or attributes that the type contains, if it
  // contains any.
  SmallVector<Type> types;
  type.walkImmediateSubElements([](Attribute) {},
                                [&](Type part) { types.push_back(part); });
  if (types.empty() || dice.oneIn(3))
    return values.empty() ? Type() : dice.pickOf(values).getType();
  Type from = dice.pickOf(types), to = mutateType(from);
  if (!to)
    return {};
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Type part) -> std::optional<Type> {
    return part == from ? std::optional<Type>(to) : std::nullopt;
  });
  return replacer.replace(type);
}

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
  // Does not change dense arrays: their data are bytes of the old element type,
  // and an array of index cannot be printed.
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

Attribute Mutator::mutateAttribute(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (integer.getType().isInteger(1))
      return b.getBoolAttr(!integer.getValue().getBoolValue());
    unsigned width = integer.getValue().getBitWidth();
    return IntegerAttr::get(integer.getType(),
                            APInt(width, pickEdge(dice), /*isSigned=*/true,
                                  /*implicitTrunc=*/true));
  }
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(
        number.getType(),
        dice.pick<double>({0.0, -1.0, 1e300, 1e-300, INFINITY, NAN}));
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    SmallVector<int64_t> numbers(array.asArrayRef());
    if (numbers.empty() || dice.oneIn(4))
      numbers.push_back(pickEdge(dice));
    else if (dice.oneIn(4))
      numbers.pop_back();
    else
      numbers[dice.below(numbers.size())] = pickEdge(dice);
    return b.getDenseI64ArrayAttr(numbers);
  }
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attribute)) {
    SmallVector<int32_t> numbers(array.asArrayRef());
    if (!numbers.empty())
      numbers[dice.below(numbers.size())] =
          dice.oneIn(3) ? int32_t(pickEdge(dice)) : int32_t(dice.below(4));
    return b.getDenseI32ArrayAttr(numbers);
  }
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    SmallVector<Attribute> parts(array.getValue());
    if (parts.empty())
      return b.getI64ArrayAttr({pickEdge(dice)});
    size_t i = dice.below(parts.size());
    if (dice.oneIn(3))
      parts.erase(parts.begin() + i);
    else if (dice.oneIn(2))
      parts.push_back(parts[i]);
    else if (Attribute part = mutateAttribute(parts[i]))
      parts[i] = part;
    return b.getArrayAttr(parts);
  }
  if (auto type = dyn_cast<TypeAttr>(attribute)) {
    Type other = mutateType(type.getValue());
    return other ? TypeAttr::get(other) : Attribute();
  }
  if (auto string = dyn_cast<StringAttr>(attribute))
    return dice.oneIn(2) ? b.getStringAttr("")
                         : b.getStringAttr(string.getValue() + "x");
  return {};
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
      // Takes the attribute of another op, of the same name if some op has one.
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
    // The op that defined the operand may have been erased, so that it is null.
    if (Value old = operand.get())
      if (Value value = pickValue(old.getType()))
        operand.set(value);
    return;
  }
}

/// Swaps, drops or repeats operands.
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

/// Adds or removes an argument of a block, swaps the types of two arguments, or
/// splits the block.
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
    // Swaps the types of two of the block's arguments.
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
