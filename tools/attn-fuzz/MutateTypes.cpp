//===- MutateTypes.cpp - Other types and attributes -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace attn_fuzz;
using namespace mlir;

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
  // In any other type, a type that it contains is changed. If it contains none,
  // or in a third of the cases, the result is the type of another value.
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
