//===- Pages.cpp - Keys that are gathered by a table ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pages.h"
#include "StableHLO.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// An element of `array` whose index in dimension `dim` is the number `number`
/// from memory; the other indices are `indices`.
struct Gathered {
  Value array;
  SmallVector<AffineExpr> indices;
  int64_t dim = 0;
  Node *number = nullptr;
  /// Whether the op limits the number to the dimension, and whether one below 0
  /// counts from the dimension's end.
  bool clamps = false, wraps = false;
};
} // namespace

/// Returns the integer without conversions between integer types around it.
static Node *stripCasts(Elements &elements, Node *node) {
  node = elements.look(node);
  while (node->isApply("arith.index_cast") || node->isApply("arith.extsi"))
    node = elements.look(node->operands.front());
  return node;
}

/// Returns what a node reads that is an element of memory at computed indices,
/// as tensor.extract reads it, if exactly one of these is no index expression.
static std::optional<Gathered> readGather(Elements &elements, Node *node) {
  Gathered found{node->access.array, {}};
  for (auto [dim, operand] : llvm::enumerate(node->operands)) {
    std::optional<AffineExpr> index = elements.getAffine(operand);
    if (!index) {
      if (found.number)
        return std::nullopt;
      found.dim = dim;
      found.number = stripCasts(elements, operand);
    }
    found.indices.push_back(index ? *index
                                  : elements.getIndexing().getConstant(0));
  }
  return found.number ? std::optional(found) : std::nullopt;
}

/// Returns what an element of the result of a stablehlo.gather reads, if the op
/// reads one number from its start indices that is no index expression.
static std::optional<Gathered> readStableHLO(Elements &elements,
                                             const Access &access) {
  Operation *op = access.array.getDefiningOp();
  if (!isStableHLO(op, "gather"))
    return std::nullopt;
  auto element = getGathered(elements, op, access.indices);
  if (!element)
    return std::nullopt;
  Gathered found{op->getOperand(0), element->indices};
  found.clamps = true;
  for (auto [dim, number] : llvm::enumerate(element->numbers)) {
    if (!number)
      continue;
    // A window of several elements has fewer first ones.
    if (found.number || element->limits[dim] != getShape(found.array)[dim] - 1)
      return std::nullopt;
    found.dim = dim;
    found.number = stripCasts(elements, number);
  }
  return found.number ? std::optional(found) : std::nullopt;
}

/// If the number of an element is one that counts from the end where it is
/// below 0, replaces it by the number that may be below 0.
static void unwrap(Elements &elements, Gathered &gathered) {
  Node *number = gathered.number;
  if (!number->isApply("arith.select"))
    return;
  Node *condition = elements.look(number->operands[0]),
       *sum = elements.look(number->operands[1]),
       *source = elements.look(number->operands[2]);
  auto isNumber = [&](Node *node, int64_t value) {
    std::optional<AffineExpr> expr = elements.getAffine(node);
    return expr && elements.getIndexing().areEqual(
                       *expr, elements.getIndexing().getConstant(value));
  };
  auto predicate = dyn_cast_or_null<IntegerAttr>(
      condition->isApply("arith.cmpi") ? condition->attributes.get("predicate")
                                       : Attribute());
  if (!predicate ||
      predicate.getInt() != static_cast<int64_t>(arith::CmpIPredicate::slt) ||
      !elements.areEqual(condition->operands[0], source) ||
      !isNumber(condition->operands[1], 0) || !sum->isApply("arith.addi") ||
      !elements.areEqual(sum->operands[0], source) ||
      !isNumber(sum->operands[1], getShape(gathered.array)[gathered.dim]))
    return;
  gathered.number = stripCasts(elements, source);
  gathered.wraps = true;
}

static std::optional<Gathered> findGathered(Elements &elements, Node *node) {
  std::optional<Gathered> found;
  if (node->kind == NodeKind::Gather)
    found = readGather(elements, node);
  else if (node->kind == NodeKind::Load)
    found = readStableHLO(elements, node->access);
  if (found)
    unwrap(elements, *found);
  return found;
}

/// Returns the index variables of each dimension of an array but `skipped`, as
/// long as that splits no variable.
static std::optional<Arrangement>
arrangeAt(Elements &elements, Value array, ArrayRef<AffineExpr> indices,
          std::optional<size_t> skipped = std::nullopt) {
  Indexing &indexing = elements.getIndexing();
  Arrangement found{array, {}};
  unsigned before = indexing.getNumVariables();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (dim == skipped) {
      found.dims.emplace_back();
      continue;
    }
    AffineExpr resolved = indexing.resolve(index);
    auto digits =
        resolved ? findDigits(elements, resolved, array, dim) : std::nullopt;
    if (!digits || indexing.getNumVariables() != before)
      return std::nullopt;
    found.dims.push_back(*digits);
  }
  return found;
}

/// Returns the pools of the key, of `value` and, if there are any, the key's
/// further columns. Returns none unless all are gathered by the same numbers.
static SmallVector<Gathered, 3>
findPools(Elements &elements, const Attention &attention, Node *value) {
  SmallVector<Gathered, 3> pools;
  if (!attention.key || !value)
    return pools;
  for (Node *node : {attention.key, value, attention.keyRope}) {
    if (!node)
      continue;
    auto pool = findGathered(elements, node);
    if (!pool || (!pools.empty() &&
                  !elements.areEqual(pools.front().number, pool->number)))
      return {};
    pools.push_back(*pool);
  }
  return pools;
}

void mlir::attn::raise::splitPages(Elements &elements,
                                   const Attention &attention) {
  SmallVector<Gathered, 3> pools =
      findPools(elements, attention, attention.value);
  if (pools.empty())
    return;
  auto split = [&](const Access &access) {
    for (AffineExpr index : access.indices)
      (void)elements.getIndexing().resolve(index);
  };
  for (const Access &source : pools.front().number->sources)
    split(source);
  for (const Gathered &pool : pools)
    split({pool.array, pool.indices});
}

/// Divides the index variables that key or value share with the result into
/// batch entries, which the table may have, and heads, which the pools have.
/// Without pages, either may be the other. Returns nothing if a variable is
/// none of both, or if one changes sides that has a dynamic size or where there
/// is an array of sinks.
static std::optional<std::pair<Digits, Digits>>
divideShared(Indexing &indexing, const Layout &layout,
             const llvm::SmallDenseSet<unsigned> &ofTable,
             const llvm::SmallDenseSet<unsigned> &ofPools) {
  Digits batch, heads;
  for (const Digits *digits : {&layout.batch, &layout.kvHeads})
    for (unsigned digit : *digits) {
      bool isHead = ofPools.contains(digit),
           wasHead = llvm::is_contained(layout.kvHeads, digit);
      if (isHead == ofTable.contains(digit) ||
          (isHead != wasHead &&
           (ShapedType::isDynamic(indexing.getSize(digit)) || layout.sink)))
        return std::nullopt;
      (isHead ? heads : batch).push_back(digit);
    }
  for (unsigned digit : ofTable)
    if (!llvm::is_contained(batch, digit))
      return std::nullopt;
  return std::pair(batch, heads);
}

std::optional<Pages> mlir::attn::raise::findPages(Elements &elements,
                                                  const Attention &attention,
                                                  Layout &layout) {
  // A value that is columns of the key has no pool of its own.
  SmallVector<Gathered, 3> pools =
      findPools(elements, attention,
                layout.valueColumns ? attention.key : attention.value);
  if (pools.empty())
    return std::nullopt;
  const Gathered &key = pools.front();
  Pages pages;
  pages.clamps = key.clamps;
  pages.wraps = key.wraps;
  pages.count = getShape(key.array)[key.dim];
  Type element = getElementTypeOrSelf(layout.query.array.getType());
  for (const Gathered &pool : pools)
    if (ShapedType::isDynamic(pages.count) || pool.clamps != key.clamps ||
        pool.wraps != key.wraps ||
        getShape(pool.array)[pool.dim] != pages.count ||
        getElementTypeOrSelf(pool.array.getType()) != element)
      return std::nullopt;
  // The table is an array that has the numbers, of which the one nearest to the
  // function's arguments is taken.
  std::optional<Arrangement> table;
  for (const Access &source : key.number->sources)
    if (!table)
      table = arrangeAt(elements, source.array, source.indices);
  if (!table || !getElementTypeOrSelf(table->array.getType()).isInteger(32))
    return std::nullopt;
  pages.table = *table;
  for (const Gathered &pool : pools) {
    auto arranged = arrangeAt(elements, pool.array, pool.indices, pool.dim);
    if (!arranged)
      return std::nullopt;
    pages.pools.push_back(*arranged);
  }
  llvm::SmallDenseSet<unsigned> ofTable = getAllDigits(table->dims);
  // The first of the key's index variables are those of the table, the others
  // those of the pools.
  for (unsigned digit : layout.keys) {
    if (ofTable.erase(digit)) {
      if (!pages.offsets.empty())
        return std::nullopt;
      pages.numbers.push_back(digit);
    } else {
      pages.offsets.push_back(digit);
    }
  }
  std::optional<std::pair<Digits, Digits>> shared =
      divideShared(elements.getIndexing(), layout, ofTable,
                   getAllDigits(pages.pools.front().dims));
  if (!shared)
    return std::nullopt;
  // Each pool has the offsets, the heads and its columns, and nothing else. The
  // pool of the key's further columns may have no heads.
  auto has = [&](unsigned number, const Digits &heads, const Digits &columns) {
    auto all = getAllDigits(pages.pools[number].dims);
    for (const Digits *digits : std::initializer_list<const Digits *>{
             &heads, &pages.offsets, &columns})
      for (unsigned digit : *digits)
        if (!all.erase(digit))
          return false;
    return all.empty();
  };
  const auto &[batch, kvHeads] = *shared;
  if (!has(0, kvHeads, layout.headDims) ||
      (!layout.valueColumns && !has(1, kvHeads, layout.valueDims)))
    return std::nullopt;
  if (layout.keyRope) {
    bool isShared = has(2, {}, layout.ropeDims);
    if (!isShared && !has(2, kvHeads, layout.ropeDims))
      return std::nullopt;
    layout.ropeHeads = isShared ? Digits{} : kvHeads;
  }
  layout.batch = batch;
  layout.kvHeads = kvHeads;
  if (pages.count > 1) {
    pages.page = *getVariable(elements.getIndexing().addVariable(pages.count));
    for (auto [pool, arranged] : llvm::zip(pools, pages.pools))
      arranged.dims[pool.dim] = {pages.page};
  }
  return pages;
}
