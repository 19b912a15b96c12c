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
  bool clamps = false;
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
/// reads one index of one dimension from its start indices.
static std::optional<Gathered> readStableHLO(Elements &elements,
                                             const Access &access) {
  Operation *op = access.array.getDefiningOp();
  if (!op || op->getName().getStringRef() != "stablehlo.gather" ||
      op->getNumOperands() != 2 ||
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return std::nullopt;
  Value operand = op->getOperand(0), starts = op->getOperand(1);
  int64_t rank = getShape(operand).size(), startRank = getShape(starts).size();
  std::string text = getText(op->getAttr("dimension_numbers"));
  SmallVector<int64_t> offsets = getList(text, "offset_dims"),
                       collapsed = getList(text, "collapsed_slice_dims"),
                       map = getList(text, "start_index_map"),
                       sizes = getNumbers(op->getAttr("slice_sizes"));
  int64_t vector = 0;
  StringRef rest = StringRef(text).split("index_vector_dim = ").second;
  if (!rest.empty() && rest.consumeInteger(10, vector))
    return std::nullopt;
  int64_t resultRank = access.indices.size();
  // The start indices of an element have one number, so that their vector's
  // dimension has size 1 or is absent.
  if (!getList(text, "operand_batching_dims").empty() || map.size() != 1 ||
      collapsed.size() != 1 || map != collapsed || !areDims(map, rank) ||
      !areDims(offsets, resultRank) || !llvm::is_sorted(offsets) ||
      static_cast<int64_t>(sizes.size()) != rank ||
      static_cast<int64_t>(offsets.size()) != rank - 1 || vector < 0 ||
      vector > startRank ||
      (vector < startRank && getShape(starts)[vector] != 1) ||
      resultRank - (rank - 1) != startRank - (vector < startRank))
    return std::nullopt;
  Gathered found{operand, {}};
  found.dim = map.front();
  found.clamps = true;
  unsigned next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isRead = dim == found.dim;
    if (sizes[dim] != (isRead ? 1 : getShape(operand)[dim]))
      return std::nullopt;
    found.indices.push_back(isRead ? elements.getIndexing().getConstant(0)
                                   : access.indices[offsets[next++]]);
  }
  SmallVector<AffineExpr> at;
  for (int64_t dim = 0; dim < resultRank; ++dim)
    if (!llvm::is_contained(offsets, dim))
      at.push_back(access.indices[dim]);
  if (vector < startRank)
    at.insert(at.begin() + vector, elements.getIndexing().getConstant(0));
  found.number = stripCasts(elements, elements.get(starts, at));
  return found;
}

static std::optional<Gathered> findGathered(Elements &elements, Node *node) {
  if (node->kind == NodeKind::Gather)
    return readGather(elements, node);
  if (node->kind == NodeKind::Load)
    return readStableHLO(elements, node->access);
  return std::nullopt;
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

void mlir::attn::raise::splitPages(Elements &elements,
                                   const Attention &attention) {
  if (!attention.key || !attention.value)
    return;
  auto key = findGathered(elements, attention.key),
       value = findGathered(elements, attention.value);
  if (!key || !value || !elements.areEqual(key->number, value->number))
    return;
  auto split = [&](const Access &access) {
    for (AffineExpr index : access.indices)
      (void)elements.getIndexing().resolve(index);
  };
  for (const Access &source : key->number->sources)
    split(source);
  split({key->array, key->indices});
  split({value->array, value->indices});
}

std::optional<Pages> mlir::attn::raise::findPages(Elements &elements,
                                                  const Attention &attention,
                                                  const Layout &layout) {
  if (!attention.key || !attention.value)
    return std::nullopt;
  auto key = findGathered(elements, attention.key),
       value = findGathered(elements, attention.value);
  if (!key || !value || key->clamps != value->clamps ||
      !elements.areEqual(key->number, value->number))
    return std::nullopt;
  Pages pages;
  pages.clamps = key->clamps;
  pages.count = getShape(key->array)[key->dim];
  Type element = getElementTypeOrSelf(layout.query.array.getType());
  for (Gathered *pool : {&*key, &*value})
    if (ShapedType::isDynamic(pages.count) ||
        getShape(pool->array)[pool->dim] != pages.count ||
        getElementTypeOrSelf(pool->array.getType()) != element)
      return std::nullopt;
  // The table is an array that has the numbers, of which the one nearest to the
  // function's arguments is taken.
  std::optional<Arrangement> table;
  for (const Access &source : key->number->sources)
    if (!table)
      table = arrangeAt(elements, source.array, source.indices);
  if (!table || !getElementTypeOrSelf(table->array.getType()).isInteger(32))
    return std::nullopt;
  pages.table = *table;
  auto ofKey = arrangeAt(elements, key->array, key->indices, key->dim),
       ofValue = arrangeAt(elements, value->array, value->indices, value->dim);
  if (!ofKey || !ofValue)
    return std::nullopt;
  llvm::SmallDenseSet<unsigned> ofTable = getAllDigits(table->dims),
                                ofKeys = getAllDigits(ofKey->dims),
                                ofValues = getAllDigits(ofValue->dims);
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
  for (unsigned digit : ofTable)
    if (!llvm::is_contained(layout.batch, digit))
      return std::nullopt;
  auto hasAll = [&](llvm::SmallDenseSet<unsigned> all, const Digits &columns) {
    for (const Digits *digits : std::initializer_list<const Digits *>{
             &layout.kvHeads, &pages.offsets, &columns})
      for (unsigned digit : *digits)
        if (!all.erase(digit))
          return false;
    return all.empty();
  };
  if (pages.numbers.empty() || !hasAll(ofKeys, layout.headDims) ||
      !hasAll(ofValues, layout.valueDims))
    return std::nullopt;
  if (pages.count > 1) {
    pages.page = *getVariable(elements.getIndexing().addVariable(pages.count));
    ofKey->dims[key->dim] = {pages.page};
    ofValue->dims[value->dim] = {pages.page};
  }
  pages.key = *ofKey;
  pages.value = *ofValue;
  return pages;
}
