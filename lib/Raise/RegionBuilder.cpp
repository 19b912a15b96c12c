//===- RegionBuilder.cpp - Score and mask regions -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

Positions::Positions(Indexing &variables, const Layout &layout)
    : variables(variables), positions(variables.getContext()),
      rows(layout.rows), keys(layout.keys) {
  SmallVector<Digits, 4> dims = {layout.batch, layout.getHeads(), layout.rows,
                                 layout.keys};
  SmallVector<AffineExpr, 4> wholes;
  for (auto [position, digits] : llvm::enumerate(dims)) {
    int64_t size = 1;
    for (unsigned digit : digits) {
      int64_t part = variables.getSize(digit);
      size = ShapedType::isDynamic(part) || ShapedType::isDynamic(size)
                 ? ShapedType::kDynamic
                 : size * part;
    }
    sizes.push_back(size);
    // Each of the positions b, h, i and j gets an index variable, even if its
    // size is 1, so that variable n is position n.
    (void)positions.addVariable(size == 1 ? ShapedType::kDynamic : size);
    wholes.push_back(getAffineDimExpr(position, variables.getContext()));
  }
  for (auto [position, digits] : llvm::enumerate(dims)) {
    AffineExpr rest = wholes[position];
    if (sizes[position] == 1)
      rest = positions.getConstant(0);
    for (auto [i, digit] : llvm::enumerate(llvm::reverse(digits))) {
      int64_t size = variables.getSize(digit);
      bool isFirst = i + 1 == digits.size();
      if (isFirst || ShapedType::isDynamic(size)) {
        known[digit] = rest;
        break;
      }
      known[digit] = positions.mod(rest, size);
      rest = positions.floorDiv(rest, size);
    }
  }
}

AffineExpr Positions::get(AffineExpr expr) const {
  AffineExpr digits = variables.getDigits(expr);
  SmallVector<AffineExpr> by;
  for (unsigned i = 0, e = variables.getNumVariables(); i < e; ++i)
    by.push_back(known.lookup(i)
                     ? known.lookup(i)
                     : getAffineDimExpr(4 + i, variables.getContext()));
  return positions.simplify(digits.replaceDimsAndSymbols(by, {}));
}

std::optional<AffineExpr> Positions::getMoreKeys() const {
  auto count = [&](const Digits &digits) -> std::optional<AffineExpr> {
    Extent product = Sizes::getConstant(1);
    for (unsigned digit : digits) {
      std::optional<Extent> extent = variables.getExtent(digit);
      if (!extent)
        return std::nullopt;
      product = Sizes::multiply(product, *extent);
    }
    return variables.getSymbolicSizes().getAffine(product,
                                                  variables.getContext());
  };
  std::optional<AffineExpr> numRows = count(rows), numKeys = count(keys);
  if (!numRows || !numKeys)
    return std::nullopt;
  return *numKeys - *numRows;
}

const Access &RegionBuilder::getAccess(Node *node) {
  return *getCaptured(node);
}

static bool isMemory(Node *node) {
  return node->kind == NodeKind::Load || node->kind == NodeKind::Gather ||
         node->kind == NodeKind::Reduce;
}

const Access *mlir::attn::raise::getCaptured(Node *node) {
  if (!isMemory(node))
    return nullptr;
  if (node->kind != NodeKind::Reduce)
    return &node->access;
  return node->sources.empty() ? nullptr : &node->sources.front();
}

bool RegionBuilder::collectSizes(AffineExpr expr, std::string &reason) {
  bool areKnown = true;
  expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    if (!symbol || sizes.count(symbol.getPosition()))
      return;
    auto [value, dim] = elements.getSizes().getSymbol(symbol.getPosition());
    if (dim >= 0)
      value = tensor::DimOp::create(outer, value, dim);
    areKnown &= dim >= -1;
    sizes[symbol.getPosition()] = value;
    captures.insert(value);
  });
  if (!areKnown)
    reason = "the score depends on an element of a list of sizes";
  return areKnown;
}

bool RegionBuilder::collect(Node *node, Node *product, std::string &reason) {
  node = elements.look(node);
  if (node == product || !collected.insert(node).second)
    return true;
  if (auto type = dyn_cast<FloatType>(node->type);
      type && !type.isF16() && !type.isBF16() && !type.isF32() &&
      !type.isF64()) {
    reason = "the score has floats of another type than f16, bf16, f32 or f64";
    return false;
  }
  if (node->isApply("arith.bitcast")) {
    reason =
        "the score depends on the bits of a number, but has f32 for floats "
        "of other types";
    return false;
  }
  if (node->index && !collectSizes(node->index, reason))
    return false;
  if (isMemory(node)) {
    if (node->kind == NodeKind::Reduce && node->sources.empty()) {
      reason = "the score has a sum beside the product of queries and keys";
      return false;
    }
    Value array = getAccess(node).array;
    if (auto type = dyn_cast<ShapedType>(array.getType()))
      if (!type.getElementType().isSignlessInteger() &&
          !isa<FloatType>(type.getElementType())) {
        reason = "the score reads an array that is none of floats or signless "
                 "integers";
        return false;
      }
    if (node->kind != NodeKind::Gather)
      for (AffineExpr index : getAccess(node).indices) {
        if (!collectSizes(index, reason))
          return false;
        bool isKnown = true;
        positions.get(index).walk([&](AffineExpr part) {
          if (auto variable = getVariable(part))
            isKnown &= *variable < 4;
        });
        if (!isKnown) {
          reason = "the score depends on an index that is none of a batch "
                   "entry, head, row or key";
          return false;
        }
      }
    captures.insert(array);
  }
  if (node->kind == NodeKind::Reduce)
    return true;
  for (Node *operand : node->operands)
    if (!collect(operand, product, reason))
      return false;
  return true;
}

void RegionBuilder::begin(Region &region, Location loc, bool hasScore) {
  block = &region.emplaceBlock();
  b.emplace(loc, elements.getIndexing().getContext());
  b->setInsertionPointToStart(block);
  if (hasScore)
    block->addArgument(b->getF32Type(), loc);
  firstPosition = hasScore ? 1 : 0;
  for (unsigned i = 0; i < 4; ++i)
    block->addArgument(b->getIndexType(), loc);
  for (Value capture : captures)
    block->addArgument(capture.getType(), loc);
  emitted.clear();
}

void RegionBuilder::buildScore(Region &region, Location loc, Node *score,
                               Node *product) {
  begin(region, loc, /*hasScore=*/true);
  Value value = block->getArgument(0);
  emitted[product] = keepsRounding ? round(value, product->type) : value;
  Value result = emit(score);
  if (shift) {
    SmallVector<Value> indices;
    for (unsigned position : shift->positions)
      indices.push_back(block->getArgument(firstPosition + position));
    result = arith::SubFOp::create(
        *b, result, emitRead(shift->array, indices, /*inbounds=*/true));
  }
  YieldOp::create(*b, result);
}

void RegionBuilder::buildMask(Region &region, Location loc,
                              ArrayRef<Node *> masks,
                              ArrayRef<AffineExpr> constraints) {
  begin(region, loc, /*hasScore=*/false);
  Value result;
  auto add = [&](Value condition) {
    result = result ? arith::AndIOp::create(*b, result, condition).getResult()
                    : condition;
  };
  for (AffineExpr constraint : constraints) {
    // The constraint says that a sum of terms is at least 0. It is emitted as a
    // comparison of the terms with positive factors and the negated other
    // terms, so that both sides are sums of positive terms.
    Sum sum = positions.getIndexing().flatten(constraint), left, right;
    for (auto [atom, factor] : sum.terms)
      (factor > 0 ? left : right).add(atom, std::abs(factor));
    (sum.constant > 0 ? left : right).constant = std::abs(sum.constant);
    add(arith::CmpIOp::create(
        *b, arith::CmpIPredicate::sge,
        emitPositions(positions.getIndexing().build(left)),
        emitPositions(positions.getIndexing().build(right))));
  }
  for (Node *mask : masks)
    add(emit(mask));
  YieldOp::create(*b, result);
}

Value RegionBuilder::emitIndex(AffineExpr expr) {
  return emitPositions(positions.get(expr));
}

Value RegionBuilder::emitPositions(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(*b, constant.getValue());
  if (auto position = getVariable(expr))
    return block->getArgument(firstPosition + *position);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    Value size = emitRead(sizes.lookup(symbol.getPosition()), {}, false);
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(*b, b->getIndexType(), size);
    return size;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitPositions(binary.getLHS());
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Add && constant &&
      constant.getValue() < 0)
    return arith::SubIOp::create(
        *b, lhs, arith::ConstantIndexOp::create(*b, -constant.getValue()));
  Value rhs = emitPositions(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(*b, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(*b, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(*b, lhs, rhs);
  default: {
    // arith.remsi of a negative number gives a negative remainder or 0. If the
    // left operand may be negative, the divisor is therefore added to the
    // remainder, and the remainder is taken again.
    auto range = positions.getIndexing().getRange(binary.getLHS());
    Value rest = arith::RemSIOp::create(*b, lhs, rhs);
    if (range && range->first >= 0)
      return rest;
    return arith::RemSIOp::create(*b, arith::AddIOp::create(*b, rest, rhs),
                                  rhs);
  }
  }
}

/// Returns the type that a scalar of type `type` has in a region: f32 for all
/// floats, and `type` itself for other types.
static Type getRegionType(Type type) {
  return isa<FloatType>(type) ? Float32Type::get(type.getContext()) : type;
}

Value RegionBuilder::round(Value value, Type type) {
  auto narrow = dyn_cast<FloatType>(type);
  if (!narrow || narrow.getWidth() >= 32)
    return value;
  Value rounded = arith::TruncFOp::create(*b, type, value);
  return arith::ExtFOp::create(*b, b->getF32Type(), rounded);
}

/// Whether a region must round the result of the op `node` to the type that it
/// has in the source. With `keepsRounding`, that is always so. Otherwise a sum
/// or difference is rounded, since adding a large negative number may make all
/// scores of a row equal by rounding. It is not rounded if an operand is a
/// constant below 1000 in magnitude.
bool RegionBuilder::roundsSum(Node *node) {
  if (keepsRounding)
    return true;
  if (!node->isApply("arith.addf") && !node->isApply("arith.subf"))
    return false;
  return !llvm::any_of(node->operands, [&](Node *operand) {
    std::optional<double> value = elements.getConstantFloat(operand);
    return value && std::abs(*value) < 1000;
  });
}

Value RegionBuilder::emitRead(Value array, ValueRange indices, bool inbounds) {
  unsigned number = llvm::find(captures, array) - captures.begin();
  Value argument = block->getArgument(firstPosition + 4 + number);
  Value value = argument;
  if (isa<ShapedType>(array.getType())) {
    auto read =
        ReadOp::create(*b, cast<ShapedType>(array.getType()).getElementType(),
                       argument, indices, /*bounds=*/Value(), inbounds);
    value = read.getResult();
  }
  auto type = dyn_cast<FloatType>(value.getType());
  if (!type || type.isF32())
    return value;
  if (type.getWidth() < 32)
    return arith::ExtFOp::create(*b, b->getF32Type(), value);
  return arith::TruncFOp::create(*b, b->getF32Type(), value);
}

Value RegionBuilder::emitApply(Node *node) {
  if (node->name == "arith.extf")
    return emit(node->operands[0]);
  if (node->name == "arith.truncf") {
    Value value = emit(node->operands[0]);
    return keepsRounding ? round(value, node->type) : value;
  }
  OperationState state(b->getLoc(), node->name);
  for (Node *operand : node->operands)
    state.operands.push_back(emit(operand));
  state.addTypes(getRegionType(node->type));
  if (Attribute predicate = node->attributes.get("predicate"))
    state.addAttribute("predicate", predicate);
  Value value = b->create(state)->getResult(0);
  return roundsSum(node) ? round(value, node->type) : value;
}

Value RegionBuilder::emit(Node *node) {
  node = elements.look(node);
  if (Value value = emitted.lookup(node))
    return value;
  Value value;
  switch (node->kind) {
  case NodeKind::Constant:
    if (auto number = dyn_cast<FloatAttr>(node->constant))
      value = arith::ConstantOp::create(
          *b, b->getF32FloatAttr(number.getValueAsDouble()));
    else
      value = arith::ConstantOp::create(*b, node->constant);
    break;
  case NodeKind::Index:
    value = emitIndex(node->index);
    break;
  case NodeKind::Load:
  case NodeKind::Reduce: {
    const Access &access = getAccess(node);
    SmallVector<Value> indices;
    bool inbounds = isa<RankedTensorType>(access.array.getType());
    for (auto [dim, index] : llvm::enumerate(access.indices)) {
      AffineExpr expr = positions.get(index);
      int64_t size = cast<ShapedType>(access.array.getType()).getDimSize(dim);
      auto position = getVariable(expr);
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      inbounds &= (position && !ShapedType::isDynamic(size) &&
                   positions.getSize(*position) == size) ||
                  (constant && constant.getValue() < size);
      indices.push_back(emitPositions(expr));
    }
    value = emitRead(access.array, indices, inbounds);
    break;
  }
  case NodeKind::Gather: {
    SmallVector<Value> indices;
    for (Node *operand : node->operands) {
      Value index = emit(operand);
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(*b, b->getIndexType(), index);
      indices.push_back(index);
    }
    value = emitRead(node->access.array, indices, /*inbounds=*/false);
    break;
  }
  case NodeKind::Apply:
    value = emitApply(node);
    break;
  case NodeKind::Lazy:
    llvm_unreachable("looked at");
  }
  emitted[node] = value;
  return value;
}
