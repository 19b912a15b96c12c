//===- SpotCheck.cpp - The accuracy rule on some rows ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/SpotCheck.h"
#include "Comparison.h"

#include <algorithm>

using namespace mlir::attn;

/// One head of one batch entry, and `count` of its rows from `row` on.
static ArrayView slice(ArrayView array, int64_t batch, int64_t head,
                       int64_t row, int64_t count) {
  int64_t offset = array.getOffset({batch, head, row});
  array.data =
      static_cast<char *>(array.data) + offset * getByteSize(array.dtype);
  array.sizes[0] = array.sizes[1] = 1;
  array.sizes[2] = count;
  return array;
}

AccuracyReport mlir::attn::checkSpots(const AttentionProblem &problem,
                                      const ArrayView &output) {
  int64_t batch = problem.query.sizes[0], heads = problem.query.sizes[1];
  int64_t rows = problem.query.sizes[2], keys = problem.key.sizes[2];
  // Rows of such problems have no keys of their own to slice.
  if (problem.hasParts())
    return checkAccuracy(problem, output, nullptr);
  AccuracyReport worst;
  worst.passed = worst.outputPassed = worst.lsePassed = true;
  if (batch * heads * rows == 0)
    return worst;
  int64_t group = heads / problem.key.sizes[1];
  int64_t count = std::min(rows, kSpotRows);
  for (auto [b, h] :
       {std::pair<int64_t, int64_t>(0, 0), {batch - 1, heads - 1}})
    for (int64_t row : {int64_t(0), (rows - count) / 2, rows - count}) {
      AttentionProblem part = problem;
      part.query = slice(problem.query, b, h, row, count);
      part.key = slice(problem.key, b, h / group, 0, keys);
      part.value = slice(problem.value, b, h / group, 0, keys);
      if (problem.sink)
        part.sink = sliceSink(*problem.sink, h, 1);
      part.origin[0] += b;
      part.origin[1] += h;
      part.origin[2] += row;
      AccuracyReport report =
          checkAccuracy(part, slice(output, b, h, row, count), nullptr);
      if (!report.passed) {
        report.firstFailure =
            ("rows from " + llvm::Twine(row) + " of head " + llvm::Twine(h) +
             ", batch entry " + llvm::Twine(b) + ": " + report.firstFailure)
                .str();
        return report;
      }
      if (report.maxError >= worst.maxError)
        worst = report;
    }
  return worst;
}
