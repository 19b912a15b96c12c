//===- FitIndices.cpp - Index expressions found by their values -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends write a quotient that rounds down, or a remainder that is not
// negative, as selects between cases by signs. An integer that depends on one
// index variable is computed for all values of the variable here, and compared
// with index expressions.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// Computes integer nodes for all values of the only index variable on which
/// they depend.
class Tabulator {
public:
  explicit Tabulator(Elements &elements) : elements(elements) {}

  using Table = std::vector<int64_t>;
  /// Returns the values, of which a node that depends on no variable has one,
  /// or null if the node is none that is computed here: it depends on memory or
  /// on another variable, has a value that does not fit in 32 bits, or is no
  /// integer.
  const Table *get(Node *node);
  std::optional<unsigned> getVariable() const { return variable; }

private:
  bool compute(Node *node, Table &table);
  bool computeIndex(AffineExpr expr, Table &table);
  bool apply(Node *node, Table &table);
  bool takeVariable(unsigned found);

  /// The largest number of values of a variable, and of nodes.
  static constexpr int64_t kMostValues = 1 << 16;
  static constexpr size_t kMostNodes = 64;

  Elements &elements;
  std::optional<unsigned> variable;
  int64_t count = 1;
  llvm::DenseMap<Node *, std::unique_ptr<Table>> known;
};
} // namespace

/// Reads all values of a variable, or the same value for all of them.
static int64_t at(const std::vector<int64_t> &table, size_t i) {
  return table.size() == 1 ? table.front() : table[i];
}

bool Tabulator::takeVariable(unsigned found) {
  if (variable)
    return *variable == found;
  int64_t size = elements.getIndexing().getSize(found);
  if (ShapedType::isDynamic(size) || size < 2 || size > kMostValues)
    return false;
  variable = found;
  count = size;
  return true;
}

bool Tabulator::computeIndex(AffineExpr expr, Table &table) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    table = {constant.getValue()};
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (!takeVariable(dim.getPosition()))
      return false;
    for (int64_t i = 0; i < count; ++i)
      table.push_back(i);
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  Table lhs, rhs;
  if (!binary || !computeIndex(binary.getLHS(), lhs) ||
      !computeIndex(binary.getRHS(), rhs))
    return false;
  for (size_t i = 0, e = std::max(lhs.size(), rhs.size()); i < e; ++i) {
    int64_t x = at(lhs, i), y = at(rhs, i), value = 0;
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      value = x + y;
      break;
    case AffineExprKind::Mul:
      value = x * y;
      break;
    case AffineExprKind::FloorDiv:
    case AffineExprKind::Mod:
      if (y <= 0)
        return false;
      value = llvm::divideFloorSigned(x, y);
      if (expr.getKind() == AffineExprKind::Mod)
        value = x - value * y;
      break;
    default:
      return false;
    }
    if (!llvm::isInt<32>(value))
      return false;
    table.push_back(value);
  }
  return true;
}

bool Tabulator::apply(Node *node, Table &table) {
  SmallVector<const Table *, 3> operands;
  size_t size = 1;
  for (Node *operand : node->operands) {
    operands.push_back(get(operand));
    if (!operands.back())
      return false;
    size = std::max(size, operands.back()->size());
  }
  enum Op { Add, Sub, Mul, Div, Rem, And, Or, Xor, Min, Max, Other };
  Op op = llvm::StringSwitch<Op>(node->name)
              .Case("arith.addi", Add)
              .Case("arith.subi", Sub)
              .Case("arith.muli", Mul)
              .Case("arith.divsi", Div)
              .Case("arith.remsi", Rem)
              .Case("arith.andi", And)
              .Case("arith.ori", Or)
              .Case("arith.xori", Xor)
              .Case("arith.minsi", Min)
              .Case("arith.maxsi", Max)
              .Default(Other);
  bool isMove = node->name == "arith.index_cast" ||
                node->name == "arith.extsi" || node->name == "arith.trunci";
  bool isBool = node->type.isInteger(1);
  std::optional<arith::CmpIPredicate> predicate;
  if (node->name == "arith.cmpi")
    predicate = arith::CmpIPredicate(
        cast<IntegerAttr>(node->attributes.get("predicate")).getInt());
  for (size_t i = 0; i < size; ++i) {
    auto value = [&](unsigned n) { return at(*operands[n], i); };
    int64_t result = 0;
    if (isMove && operands.size() == 1 &&
        !node->operands[0]->type.isInteger(1) && !isBool) {
      result = value(0);
    } else if (node->name == "arith.select" && operands.size() == 3) {
      result = value(0) ? value(1) : value(2);
    } else if (operands.size() != 2) {
      return false;
    } else if (predicate) {
      // Unsigned comparisons of bools are those of 0 and 1, and of others
      // those of signed numbers that are not negative.
      using P = arith::CmpIPredicate;
      bool isUnsigned = *predicate == P::ult || *predicate == P::ule ||
                        *predicate == P::ugt || *predicate == P::uge,
           areBools = node->operands[0]->type.isInteger(1);
      bool isEquality = *predicate == P::eq || *predicate == P::ne;
      if ((isUnsigned && (value(0) < 0 || value(1) < 0)) ||
          (areBools && !isUnsigned && !isEquality))
        return false;
      result = arith::applyCmpPredicate(*predicate, APInt(64, value(0), true),
                                        APInt(64, value(1), true));
    } else {
      if (isBool && op != And && op != Or && op != Xor)
        return false;
      switch (op) {
      case Add:
        result = value(0) + value(1);
        break;
      case Sub:
        result = value(0) - value(1);
        break;
      case Mul:
        result = value(0) * value(1);
        break;
      case Div:
      case Rem:
        if (value(1) == 0)
          return false;
        result = op == Div ? value(0) / value(1) : value(0) % value(1);
        break;
      case And:
        result = value(0) & value(1);
        break;
      case Or:
        result = value(0) | value(1);
        break;
      case Xor:
        result = value(0) ^ value(1);
        break;
      case Min:
        result = std::min(value(0), value(1));
        break;
      case Max:
        result = std::max(value(0), value(1));
        break;
      case Other:
        return false;
      }
    }
    if (!llvm::isInt<32>(result))
      return false;
    table.push_back(result);
  }
  return true;
}

bool Tabulator::compute(Node *node, Table &table) {
  // Numbers of narrower types may wrap.
  if (!isa<IndexType>(node->type) && !node->type.isInteger(1) &&
      !node->type.isInteger(32) && !node->type.isInteger(64))
    return false;
  switch (node->kind) {
  case NodeKind::Constant: {
    auto value = dyn_cast<IntegerAttr>(node->constant);
    if (!value || !value.getValue().isSignedIntN(32))
      return false;
    table = {node->type.isInteger(1)
                 ? static_cast<int64_t>(value.getValue().getBoolValue())
                 : value.getValue().getSExtValue()};
    return true;
  }
  case NodeKind::Index:
    return computeIndex(node->index, table);
  case NodeKind::Apply:
    return apply(node, table);
  default:
    return false;
  }
}

const Tabulator::Table *Tabulator::get(Node *node) {
  node = elements.look(node);
  auto found = known.find(node);
  if (found != known.end())
    return found->second.get();
  if (known.size() >= kMostNodes)
    return nullptr;
  // Nodes whose operands are not known yet count, so that the recursion is
  // bounded, too.
  known[node] = nullptr;
  auto table = std::make_unique<Table>();
  if (!compute(node, *table))
    return nullptr;
  return (known[node] = std::move(table)).get();
}

std::optional<AffineExpr> Elements::fitIndex(Node *node) {
  auto found = fitted.find(node);
  if (found != fitted.end())
    return found->second;
  std::optional<AffineExpr> result;
  Tabulator tabulator(*this);
  const Tabulator::Table *table = tabulator.get(node);
  if (table && table->size() > 1) {
    AffineExpr variable =
        getAffineDimExpr(*tabulator.getVariable(), indexing.getContext());
    // The quotient and the remainder of a divisor have their first jump there.
    int64_t divisor = 1, size = table->size();
    while (divisor < size && (*table)[divisor] - (*table)[divisor - 1] ==
                                 (*table)[1] - (*table)[0])
      ++divisor;
    auto fits = [&](auto compute) {
      for (int64_t i = 0; i < size; ++i)
        if ((*table)[i] != compute(i))
          return false;
      return true;
    };
    int64_t first = table->front(), step = (*table)[1] - first;
    if (fits([&](int64_t i) { return first + i * step; }))
      result = indexing.simplify(variable * step + first);
    else if (fits([&](int64_t i) { return i / divisor; }))
      result = indexing.floorDiv(variable, divisor);
    else if (fits([&](int64_t i) { return i % divisor; }))
      result = indexing.mod(variable, divisor);
  }
  fitted[node] = result;
  return result;
}
