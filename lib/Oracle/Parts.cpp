//===- Parts.cpp - One plain problem for each sequence --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir::attn;

/// Returns a view of rows `begin` to `end` - 1 of all heads of batch entry
/// `batch` of an array.
static ArrayView slice(ArrayView array, int64_t batch, int64_t begin,
                       int64_t end) {
  array.advance(batch * array.strides[0] + begin * array.strides[2]);
  array.sizes[0] = 1;
  array.sizes[2] = end - begin;
  return array;
}

/// Copies the first `numKeys` keys (or values) of batch entry `b` from the pool
/// of pages to `memory`, and returns a view of the copy. Keys whose page number
/// is out of range become zeros and are marked in `absent`.
static ArrayView gather(const ArrayView &pool, const ArrayView &pages,
                        int64_t b, int64_t numKeys, std::vector<char> &memory,
                        std::vector<bool> &absent) {
  int64_t heads = pool.sizes[1], pageSize = pool.sizes[2], dim = pool.sizes[3];
  memory.assign(getNumBytes(pool.dtype, heads * numKeys * dim), 0);
  absent.assign(numKeys, false);
  ArrayView copy = {memory.data(),
                    pool.dtype,
                    {1, heads, numKeys, dim},
                    {heads * numKeys * dim, numKeys * dim, dim, 1}};
  for (int64_t j = 0; j < numKeys; ++j) {
    int64_t page = pages.load({b, j / pageSize});
    if (page < 0 || page >= pool.sizes[0]) {
      absent[j] = true;
      continue;
    }
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t d = 0; d < dim; ++d)
        copy.store({0, h, j, d}, pool.load({page, h, j % pageSize, d}));
  }
  return copy;
}

/// Returns the problem without the arrays of lengths, cumulative lengths of
/// packed sequences, and page tables.
static AttentionProblem getPlain(const AttentionProblem &problem) {
  AttentionProblem plain = problem;
  for (auto *array :
       {&plain.lengthsQuery, &plain.lengthsKv, &plain.cumulativeQuery,
        &plain.cumulativeKv, &plain.pages})
    array->reset();
  return plain;
}

/// Restricts a scale to batch entry `batch`, and lets its rows begin at row
/// `first` of the scale's array, the first row of a packed sequence.
static void sliceScale(OperandScale &scale, int64_t batch, int64_t first) {
  ArrayView &array = scale.array;
  array.data = static_cast<char *>(array.data) +
               batch * array.strides[0] * getByteSize(array.dtype);
  scale.first = first;
}

/// Replaces a scale of paged keys or values by a copy in `memory` that has the
/// scales of the keys of batch entry `b`, gathered from the pages. Keys whose
/// page number is out of range get the scale 0.
static void gatherScale(OperandScale &scale, const ArrayView &pages,
                        const ArrayView &pool, int64_t b, int64_t numKeys,
                        std::vector<float> &memory) {
  int64_t heads = pool.sizes[1], pageSize = pool.sizes[2];
  bool isOfColumns = scale.isOfColumns();
  int64_t columns = isOfColumns ? scale.array.sizes[3] : 1;
  memory.assign(std::max<int64_t>(heads * numKeys * columns, 1), 0);
  ArrayView copy = {memory.data(),
                    DType::F32,
                    {1, heads, numKeys, columns},
                    {heads * numKeys * columns, numKeys * columns,
                     scale.isOfRows() || scale.array.strides[0] ? columns : 0,
                     isOfColumns ? 1 : 0}};
  for (int64_t j = 0; j < numKeys; ++j) {
    int64_t page = pages.load({b, j / pageSize});
    if (page < 0 || page >= pool.sizes[0])
      continue;
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t d = 0; d < columns; ++d)
        copy.store({0, h, j, d}, scale.load(page, h, j % pageSize, d));
  }
  scale.array = copy;
  scale.block = 1;
}

static void forEachSequence(
    const AttentionProblem &problem,
    llvm::function_ref<void(const Part<AttentionProblem> &)> visit) {
  if (problem.cumulativeQuery->sizes[0] == 0)
    return;
  // Returns entry `i` of the cumulative lengths as a boundary between packed
  // sequences: clamped to the array's number of rows, and at least the boundary
  // before it, `last`.
  auto getNext = [](const ArrayView &numbers, int64_t i, int64_t last,
                    int64_t size) {
    return std::max(last, std::clamp<int64_t>(numbers.load({i}), 0, size));
  };
  int64_t rows = problem.query.sizes[2], keys = problem.key.sizes[2];
  int64_t row = getNext(*problem.cumulativeQuery, 0, 0, rows);
  int64_t key = getNext(*problem.cumulativeKv, 0, 0, keys);
  for (int64_t b = 0; b + 1 < problem.cumulativeQuery->sizes[0]; ++b) {
    int64_t rowEnd = getNext(*problem.cumulativeQuery, b + 1, row, rows);
    int64_t keyEnd = getNext(*problem.cumulativeKv, b + 1, key, keys);
    AttentionProblem part = getPlain(problem);
    part.query = slice(problem.query, 0, row, rowEnd);
    part.key = slice(problem.key, 0, key, keyEnd);
    part.value = slice(problem.value, 0, key, keyEnd);
    for (std::optional<OperandScale> &scale : part.extras)
      if (scale)
        sliceScale(*scale, 0, scale->isOfKeys ? key : row);
    part.origin[0] += b;
    part.lengthQuery = rowEnd - row;
    part.lengthKv = keyEnd - key;
    visit({part, 0, row, key});
    row = rowEnd;
    key = keyEnd;
  }
}

void mlir::attn::forEachPart(
    const AttentionProblem &problem,
    llvm::function_ref<void(const Part<AttentionProblem> &)> visit) {
  if (problem.cumulativeQuery)
    return forEachSequence(problem, visit);
  int64_t rows = problem.query.sizes[2], keys = problem.key.sizes[2];
  if (problem.pages)
    keys *= problem.pages->sizes[1];
  std::vector<char> keyMemory, valueMemory;
  std::array<std::vector<float>, kNumExtras> scales;
  for (int64_t b = 0; b < problem.query.sizes[0]; ++b) {
    AttentionProblem part = getPlain(problem);
    part.origin[0] += b;
    if (problem.lengthsQuery)
      part.lengthQuery =
          std::clamp<int64_t>(problem.lengthsQuery->load({b}), 0, rows);
    if (problem.lengthsKv)
      part.lengthKv =
          std::clamp<int64_t>(problem.lengthsKv->load({b}), 0, keys);
    part.query = slice(problem.query, b, 0, rows);
    int64_t numKeys =
        std::clamp<int64_t>(part.lengthKv - part.origin[3], 0, keys);
    for (auto [scale, memory] : llvm::zip_equal(part.extras, scales)) {
      if (!scale)
        continue;
      // A scale of keys that is the same for all pages, such as the mean of
      // values, has a stride of 0 in their dimension, so that restricting it to
      // one batch entry changes nothing.
      bool isOfPages = problem.pages && scale->isOfKeys &&
                       (scale->isOfRows() || scale->array.strides[0] != 0);
      if (isOfPages)
        gatherScale(*scale, *problem.pages, problem.key, b, numKeys, memory);
      else
        sliceScale(*scale, b, 0);
    }
    if (problem.pages) {
      part.key = gather(problem.key, *problem.pages, b, numKeys, keyMemory,
                        part.absentKeys);
      part.value = gather(problem.value, *problem.pages, b, numKeys,
                          valueMemory, part.absentKeys);
    } else {
      part.key = slice(problem.key, b, 0, keys);
      part.value = slice(problem.value, b, 0, keys);
    }
    visit({part, b, 0, 0});
  }
}

void mlir::attn::forEachPart(
    const GradientProblem &problem,
    llvm::function_ref<void(const Part<GradientProblem> &)> visit) {
  forEachPart(problem.forward, [&](const Part<AttentionProblem> &forward) {
    int64_t rowEnd = forward.row + forward.problem.query.sizes[2];
    auto sliceRows = [&](const ArrayView &array) {
      return slice(array, forward.batch, forward.row, rowEnd);
    };
    GradientProblem part = problem;
    part.forward = forward.problem;
    part.output = sliceRows(problem.output);
    part.lse = sliceRows(problem.lse);
    part.dOutput = sliceRows(problem.dOutput);
    if (problem.dLse)
      part.dLse = sliceRows(*problem.dLse);
    visit({part, forward.batch, forward.row, forward.key});
  });
}
