//===- StableHLOElements.cpp - Elements of results of StableHLO -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands elements of StableHLO's ops without that dialect being registered:
// ops are recognised by their names, and attributes that belong to the dialect
// are read as text.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn::raise;

SmallVector<int64_t> mlir::attn::raise::getNumbers(Attribute attribute) {
  SmallVector<int64_t> numbers;
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    llvm::append_range(numbers, array.asArrayRef());
  else if (auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute))
    for (const APInt &value : elements.getValues<APInt>())
      numbers.push_back(value.getSExtValue());
  return numbers;
}

std::string mlir::attn::raise::getText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (attribute)
    attribute.print(stream);
  return text;
}

SmallVector<int64_t> mlir::attn::raise::getList(StringRef text,
                                                StringRef name) {
  SmallVector<int64_t> numbers;
  size_t begin = text.find((name + " = [").str());
  if (begin == StringRef::npos)
    return numbers;
  StringRef list = text.substr(begin).split('[').second.split(']').first;
  SmallVector<StringRef> parts;
  list.split(parts, ',');
  for (StringRef part : parts) {
    int64_t number;
    if (!part.trim().getAsInteger(10, number))
      numbers.push_back(number);
  }
  return numbers;
}

bool mlir::attn::raise::areDims(ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallDenseSet<int64_t> seen;
  return llvm::all_of(dims, [&](int64_t dim) {
    return dim >= 0 && dim < rank && seen.insert(dim).second;
  });
}

std::optional<DotDims> mlir::attn::raise::getDotDims(Operation *op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()) ||
      !isa<RankedTensorType>(op->getOperand(0).getType()) ||
      !isa<RankedTensorType>(op->getOperand(1).getType()))
    return std::nullopt;
  int64_t lhsRank = getShape(op->getOperand(0)).size(),
          rhsRank = getShape(op->getOperand(1)).size();
  DotDims dims;
  if (op->getName().getStringRef() == "stablehlo.dot") {
    if (lhsRank != 2 || rhsRank != 2)
      return std::nullopt;
    dims.lhsSummed = {1};
    dims.rhsSummed = {0};
  } else {
    std::string text = getText(op->getAttr("dot_dimension_numbers"));
    dims.lhsBatch = getList(text, "lhs_batching_dimensions");
    dims.rhsBatch = getList(text, "rhs_batching_dimensions");
    dims.lhsSummed = getList(text, "lhs_contracting_dimensions");
    dims.rhsSummed = getList(text, "rhs_contracting_dimensions");
  }
  SmallVector<int64_t> lhsDims(dims.lhsBatch), rhsDims(dims.rhsBatch);
  llvm::append_range(lhsDims, dims.lhsSummed);
  llvm::append_range(rhsDims, dims.rhsSummed);
  int64_t rank = lhsRank + rhsRank - lhsDims.size() - dims.rhsSummed.size();
  if (dims.lhsBatch.size() != dims.rhsBatch.size() ||
      dims.lhsSummed.size() != dims.rhsSummed.size() ||
      dims.lhsSummed.empty() || !areDims(lhsDims, lhsRank) ||
      !areDims(rhsDims, rhsRank) ||
      rank != cast<ShapedType>(op->getResult(0).getType()).getRank())
    return std::nullopt;
  return dims;
}

Node *Elements::expandDot(Operation *op, ArrayRef<AffineExpr> indices) {
  std::optional<DotDims> dims = getDotDims(op);
  if (!dims)
    return nullptr;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  auto unite = [&](int64_t l, int64_t r) {
    getSizes().unite(getSizes().getDim(lhs, l), getSizes().getDim(rhs, r));
  };
  SmallVector<AffineExpr> left(getShape(lhs).size()),
      right(getShape(rhs).size());
  unsigned next = 0;
  for (auto [l, r] : llvm::zip(dims->lhsBatch, dims->rhsBatch)) {
    left[l] = right[r] = indices[next++];
    unite(l, r);
  }
  SmallVector<unsigned> variables;
  for (auto [l, r] : llvm::zip(dims->lhsSummed, dims->rhsSummed)) {
    left[l] = right[r] = addVariable(lhs, l);
    unite(l, r);
    if (auto variable = getVariable(left[l]))
      variables.push_back(*variable);
  }
  for (SmallVector<AffineExpr> *side : {&left, &right})
    for (AffineExpr &index : *side)
      if (!index) {
        index = indices[next++];
      }
  Type type = cast<ShapedType>(op->getResult(0).getType()).getElementType();
  Node *body = getApply(
      "arith.mulf", type,
      {getCast(getLazy(lhs, left), type), getCast(getLazy(rhs, right), type)});
  return variables.empty() ? body
                           : getReduce("arith.addf", type, variables, body);
}

/// Returns the name of the op of arith by which the body of a stablehlo.reduce
/// combines its two arguments. The name is empty if that is no sum, maximum,
/// `and` or `or`.
static StringRef findCombiner(Region &region) {
  if (!region.hasOneBlock() || region.getNumArguments() != 2 ||
      region.front().getOperations().size() != 2)
    return {};
  Operation &op = region.front().front();
  Operation *end = &region.front().back();
  if (op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      end->getNumOperands() != 1 || end->getOperand(0) != op.getResult(0) ||
      op.getOperand(0) == op.getOperand(1) ||
      !llvm::all_of(op.getOperands(), llvm::IsaPred<BlockArgument>))
    return {};
  Type type = getElementTypeOrSelf(op.getResult(0).getType());
  StringRef name = op.getName().getStringRef();
  if (isa<FloatType>(type))
    return llvm::StringSwitch<StringRef>(name)
        .Case("stablehlo.add", "arith.addf")
        .Case("stablehlo.maximum", "arith.maximumf")
        .Default({});
  return llvm::StringSwitch<StringRef>(name)
      .Case("stablehlo.and", "arith.andi")
      .Case("stablehlo.or", "arith.ori")
      .Default({});
}

/// Returns the name of the scalar op of arith or math for the element-wise op
/// `name` of StableHLO on elements of type `type`. The name is empty if there
/// is none.
static StringRef findScalarOp(StringRef name, Type type) {
  if (isa<FloatType>(type))
    return llvm::StringSwitch<StringRef>(name)
        .Case("add", "arith.addf")
        .Case("subtract", "arith.subf")
        .Case("multiply", "arith.mulf")
        .Case("divide", "arith.divf")
        .Case("maximum", "arith.maximumf")
        .Case("minimum", "arith.minimumf")
        .Case("negate", "arith.negf")
        .Case("exponential", "math.exp")
        .Case("exponential_minus_one", "math.expm1")
        .Case("log", "math.log")
        .Case("log_plus_one", "math.log1p")
        .Case("tanh", "math.tanh")
        .Case("sqrt", "math.sqrt")
        .Case("rsqrt", "math.rsqrt")
        .Case("power", "math.powf")
        .Case("abs", "math.absf")
        .Case("floor", "math.floor")
        .Case("ceil", "math.ceil")
        .Case("sine", "math.sin")
        .Case("cosine", "math.cos")
        .Default({});
  // StableHLO adds i1 by `or`, and i1 is 0 or 1 there, but 0 or -1 for arith.
  if (type.isInteger(1))
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"add", "maximum", "or"}, "arith.ori")
        .Cases({"multiply", "minimum", "and"}, "arith.andi")
        .Case("xor", "arith.xori")
        .Default({});
  return llvm::StringSwitch<StringRef>(name)
      .Case("add", "arith.addi")
      .Case("subtract", "arith.subi")
      .Case("multiply", "arith.muli")
      .Case("divide", "arith.divsi")
      .Case("remainder", "arith.remsi")
      .Case("maximum", "arith.maxsi")
      .Case("minimum", "arith.minsi")
      .Case("abs", "math.absi")
      .Case("and", "arith.andi")
      .Case("or", "arith.ori")
      .Case("xor", "arith.xori")
      .Default({});
}

static std::optional<int64_t> findPredicate(Operation *op, Type type) {
  std::string text = getText(op->getAttr("comparison_direction"));
  StringRef direction = StringRef(text).rtrim("\">").take_back(2);
  std::string kind = getText(op->getAttr("compare_type"));
  if (isa<FloatType>(type)) {
    using P = arith::CmpFPredicate;
    if (StringRef(kind).contains("TOTALORDER"))
      return std::nullopt;
    auto found = llvm::StringSwitch<std::optional<P>>(direction)
                     .Case("EQ", P::OEQ)
                     .Case("NE", P::UNE)
                     .Case("LT", P::OLT)
                     .Case("LE", P::OLE)
                     .Case("GT", P::OGT)
                     .Case("GE", P::OGE)
                     .Default(std::nullopt);
    return found ? std::optional(int64_t(*found)) : std::nullopt;
  }
  using P = arith::CmpIPredicate;
  bool isUnsigned = type.isInteger(1) || type.isUnsignedInteger() ||
                    StringRef(kind).contains("UNSIGNED");
  auto found = llvm::StringSwitch<std::optional<P>>(direction)
                   .Case("EQ", P::eq)
                   .Case("NE", P::ne)
                   .Case("LT", isUnsigned ? P::ult : P::slt)
                   .Case("LE", isUnsigned ? P::ule : P::sle)
                   .Case("GT", isUnsigned ? P::ugt : P::sgt)
                   .Case("GE", isUnsigned ? P::uge : P::sge)
                   .Default(std::nullopt);
  return found ? std::optional(int64_t(*found)) : std::nullopt;
}

Node *Elements::expandBroadcast(Operation *op, ArrayRef<AffineExpr> indices) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  ArrayRef<int64_t> shape = getShape(operand);
  SmallVector<int64_t> dims = getNumbers(op->getAttr("broadcast_dimensions"));
  if (dims.size() != shape.size() || !areDims(dims, indices.size()))
    return nullptr;
  SmallVector<AffineExpr> source;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    // If a dynamic size may be 1, the op may repeat the dimension's only
    // element instead of indexing the dimension, so the element is not
    // expanded.
    if (ShapedType::isDynamic(shape[i]) &&
        !getSizes().areEqual(getSizes().getDim(operand, i),
                             getSizes().getDim(result, dim)))
      return nullptr;
    source.push_back(shape[i] == 1 ? indexing.getConstant(0) : indices[dim]);
  }
  return get(operand, source);
}

Node *Elements::expandStableHLO(Value array, ArrayRef<AffineExpr> indices) {
  Operation *op = array.getDefiningOp();
  StringRef name = op->getName().stripDialect();
  if (isIdentity(op))
    return get(op->getOperand(cast<OpResult>(array).getResultNumber()),
               indices);
  if (!areTypesValid(op))
    return nullptr;
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  Type type = resultType.getElementType();
  // Elements are expanded by ops of arith and math, which have no integer types
  // with a sign and no complex numbers. Ops on other types than floats,
  // signless integers and index are therefore not expanded.
  auto isForeign = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return !isa<FloatType, IndexType>(element) && !element.isSignlessInteger();
  };
  if (isForeign(type) || llvm::any_of(op->getOperandTypes(), isForeign))
    return nullptr;
  unsigned count = op->getNumOperands();

  if (name == "constant") {
    auto value = dyn_cast_or_null<ElementsAttr>(op->getAttr("value"));
    return value ? expandConstant(value, op->getResult(0), indices) : nullptr;
  }
  if (name == "iota" || name == "dynamic_iota") {
    auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("iota_dimension"));
    if (!dim || !areDims(dim.getInt(), indices.size()))
      return nullptr;
    return getPosition(indices[dim.getInt()], type);
  }
  if (name == "dot_general" || name == "dot")
    return count == 2 && isa<FloatType>(type) ? expandDot(op, indices)
                                              : nullptr;
  if (count == 0)
    return nullptr;
  Value operand = op->getOperand(0);
  ArrayRef<int64_t> shape = getShape(operand);
  if (name == "broadcast_in_dim" || name == "dynamic_broadcast_in_dim")
    return expandBroadcast(op, indices);
  if (name == "dynamic_reshape")
    return expandDynamicReshape(operand, op->getResult(0), indices);
  if (name == "concatenate")
    return expandConcat(op, indices);
  if (name == "reshape")
    return expandReshape(operand, resultType.getShape(), indices);
  if (name == "transpose") {
    SmallVector<int64_t> permutation = getNumbers(op->getAttr("permutation"));
    if (permutation.size() != shape.size() || indices.size() != shape.size() ||
        !areDims(permutation, shape.size()))
      return nullptr;
    SmallVector<AffineExpr> source(shape.size());
    for (auto [index, dim] : llvm::zip(indices, permutation))
      source[dim] = index;
    return get(operand, source);
  }
  if (name == "slice") {
    SmallVector<int64_t> starts = getNumbers(op->getAttr("start_indices")),
                         strides = getNumbers(op->getAttr("strides"));
    if (starts.size() != shape.size() || strides.size() != shape.size() ||
        indices.size() != shape.size())
      return nullptr;
    SmallVector<AffineExpr> source;
    for (auto [index, start, stride] : llvm::zip(indices, starts, strides))
      source.push_back(indexing.simplify(index * stride + start));
    return get(operand, source);
  }
  if (name == "pad" && count == 2)
    return expandPad(op, indices);
  if (name == "gather")
    return expandGather(op, indices);
  if (name == "reverse") {
    SmallVector<int64_t> dims = getNumbers(op->getAttr("dimensions"));
    if (!areDims(dims, shape.size()) || indices.size() != shape.size())
      return nullptr;
    SmallVector<AffineExpr> source(indices);
    for (int64_t dim : dims)
      source[dim] = indexing.simplify(shape[dim] - 1 - source[dim]);
    return ShapedType::isStaticShape(shape) ? get(operand, source) : nullptr;
  }
  if (name == "convert" &&
      succeeded(verifyCompatibleShape(operand.getType(), resultType)))
    return getCast(get(operand, indices), type);
  if (name == "reduce") {
    SmallVector<int64_t> dims = getNumbers(op->getAttr("dimensions"));
    StringRef combiner = count == 2 && op->getNumRegions() == 1
                             ? findCombiner(op->getRegion(0))
                             : StringRef();
    if (combiner.empty() || !areDims(dims, shape.size()) ||
        shape.size() - dims.size() != indices.size() ||
        !getShape(op->getOperand(1)).empty())
      return nullptr;
    SmallVector<AffineExpr> source;
    SmallVector<unsigned> variables;
    unsigned next = 0;
    for (int64_t dim = 0, e = shape.size(); dim < e; ++dim) {
      if (!llvm::is_contained(dims, dim)) {
        source.push_back(indices[next++]);
        continue;
      }
      source.push_back(addVariable(operand, dim));
      if (auto variable = getVariable(source.back()))
        variables.push_back(*variable);
    }
    return getReduceFrom(combiner, type, variables, getLazy(operand, source),
                         get(op->getOperand(1), {}));
  }
  // Operands of rank 0, which some element-wise ops take, are used for all
  // elements of the result. Other operands must have the result's shape.
  if (llvm::any_of(op->getOperands(), [&](Value value) {
        return !getShape(value).empty() &&
               failed(verifyCompatibleShape(value.getType(), resultType));
      }))
    return nullptr;
  for (Value value : op->getOperands())
    for (int64_t dim = 0, e = getShape(value).size(); dim < e; ++dim)
      getSizes().unite(getSizes().getDim(value, dim),
                       getSizes().getDim(op->getResult(0), dim));
  auto getOperand = [&](unsigned i) {
    Value value = op->getOperand(i);
    return getShape(value).empty() ? get(value, {}) : get(value, indices);
  };
  SmallVector<Node *> operands;
  auto getOperands = [&] {
    for (unsigned i = 0; i < count; ++i)
      operands.push_back(getOperand(i));
  };
  if (name == "compare" && count == 2) {
    Type compared = getElementTypeOrSelf(operand.getType());
    std::optional<int64_t> predicate = findPredicate(op, compared);
    if (!predicate)
      return nullptr;
    getOperands();
    NamedAttrList attributes;
    attributes.set("predicate", builder.getI64IntegerAttr(*predicate));
    return getApply(isa<FloatType>(compared) ? "arith.cmpf" : "arith.cmpi",
                    type, operands, attributes);
  }
  if (name == "select" && count == 3) {
    getOperands();
    return getApply("arith.select", type, operands);
  }
  if (name == "clamp" && count == 3 && isa<FloatType>(type)) {
    getOperands();
    return getApply(
        "arith.minimumf", type,
        {getApply("arith.maximumf", type, {operands[1], operands[0]}),
         operands[2]});
  }
  if (name == "not" && type.isInteger(1))
    return getApply("arith.xori", type,
                    {getOperand(0), getConstant(builder.getBoolAttr(true))});
  if (name == "sign" && isa<IntegerType>(type) && !type.isInteger(1) &&
      count == 1) {
    auto getNumber = [&](int64_t number) {
      return getConstant(builder.getIntegerAttr(type, number));
    };
    return getApply(
        "arith.minsi", type,
        {getApply("arith.maxsi", type, {getOperand(0), getNumber(-1)}),
         getNumber(1)});
  }
  if (name == "negate" && isa<IntegerType>(type))
    return getApply(
        "arith.subi", type,
        {getConstant(builder.getIntegerAttr(type, 0)), getOperand(0)});
  if (name == "logistic" && isa<FloatType>(type)) {
    Node *e =
        getApply("math.exp", type, getApply("arith.negf", type, getOperand(0)));
    return getApply("arith.divf", type,
                    {getFloat(type, 1),
                     getApply("arith.addf", type, {getFloat(type, 1), e})});
  }
  StringRef scalar = findScalarOp(name, type);
  bool isUnary =
      StringRef(scalar).starts_with("math.") && scalar != "math.powf";
  if (scalar.empty() || count != (isUnary || scalar == "arith.negf" ? 1 : 2))
    return nullptr;
  getOperands();
  return getApply(scalar, type, operands);
}
