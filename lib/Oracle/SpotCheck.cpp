//===- SpotCheck.cpp - The accuracy rule on some rows ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/SpotCheck.h"

#include "Comparison.h"

#include "attn/Oracle/GradientAccuracy.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace mlir::attn;

/// The number of consecutive rows of a spot, which the oracle computes in place
/// of a whole head.
static constexpr int64_t kSpotRows = 16;

namespace {
/// A part of a problem that is too large to check whole: some heads and
/// consecutive rows (of the query, or keys) of one batch entry.
struct Spot {
  int64_t batch, head, numHeads, row, numRows;
};
} // namespace

static ArrayView slice(ArrayView array, const Spot &spot) {
  array.advance(array.getOffset({spot.batch, spot.head, spot.row}));
  array.sizes[0] = 1;
  array.sizes[1] = spot.numHeads;
  array.sizes[2] = spot.numRows;
  return array;
}

static AttentionProblem slice(AttentionProblem problem, const Spot &queries,
                              const Spot &keys) {
  problem.query = slice(problem.query, queries);
  problem.key = slice(problem.key, keys);
  problem.value = slice(problem.value, keys);
  for (std::optional<OperandScale> &scale : problem.extras) {
    if (!scale)
      continue;
    const Spot &spot = scale->isOfKeys ? keys : queries;
    ArrayView &array = scale->array;
    array.data =
        static_cast<char *>(array.data) +
        array.getOffset({spot.batch, spot.head}) * getByteSize(array.dtype);
    scale->first = spot.row;
  }
  problem.origin[0] += queries.batch;
  problem.origin[1] += queries.head;
  problem.origin[2] += queries.row;
  problem.origin[3] += keys.row;
  if (ArrayView *sink = problem.sink ? &*problem.sink : nullptr) {
    sink->data = static_cast<char *>(sink->data) +
                 sink->getOffset({queries.head}) * getByteSize(sink->dtype);
    sink->sizes[0] = queries.numHeads;
  }
  return problem;
}

/// Returns the first rows of the three spots of an array with `length` rows: at
/// the beginning, in the middle and at the end.
static std::array<int64_t, 3> getPlaces(int64_t length) {
  int64_t count = std::min(length, kSpotRows);
  return {0, (length - count) / 2, length - count};
}

/// Returns the batch entry and head of the two heads that have spots, the first
/// and the last head of the problem.
static std::array<std::pair<int64_t, int64_t>, 2>
getHeads(const AttentionProblem &problem) {
  return {{{0, 0}, {problem.query.sizes[0] - 1, problem.query.sizes[1] - 1}}};
}

static std::string describe(llvm::StringRef what, int64_t row, int64_t head,
                            int64_t batch, llvm::StringRef failure) {
  return (what + " from " + llvm::Twine(row) + " of head " + llvm::Twine(head) +
          ", batch entry " + llvm::Twine(batch) + ": " + failure)
      .str();
}

AccuracyReport mlir::attn::checkSpots(const AttentionProblem &problem,
                                      const ArrayView &output) {
  int64_t rows = problem.query.sizes[2], keys = problem.key.sizes[2];
  // Problems with lengths, packed sequences or pages are checked as a whole,
  // since slice() does not support these.
  if (problem.hasParts())
    return checkAccuracy(problem, output, nullptr);
  AccuracyReport worst;
  worst.passed = worst.outputPassed = worst.lsePassed = true;
  if (problem.query.sizes[0] * problem.query.sizes[1] * rows == 0)
    return worst;
  int64_t group = problem.query.sizes[1] / problem.key.sizes[1];
  for (auto [b, h] : getHeads(problem))
    for (int64_t row : getPlaces(rows)) {
      Spot queries = {b, h, 1, row, std::min(rows, kSpotRows)};
      AccuracyReport report =
          checkAccuracy(slice(problem, queries, {b, h / group, 1, 0, keys}),
                        slice(output, queries), nullptr);
      if (!report.passed) {
        report.firstFailure = describe("rows", row, h, b, report.firstFailure);
        return report;
      }
      if (report.maxError >= worst.maxError)
        worst = report;
    }
  return worst;
}

/// Checks gradients against those of a problem that has only the rows `queries`
/// of the query and the rows `keys` of key and value. With `ofQueries`, these
/// are the gradients with respect to arrays that have a row for each row of the
/// query, and otherwise those with respect to arrays that have a row for each
/// key.
static GradientReport checkPart(const GradientProblem &problem,
                                const FoundGradients &found, bool ofQueries,
                                const Spot &queries, const Spot &keys) {
  GradientProblem part = problem;
  part.forward = slice(problem.forward, queries, keys);
  part.output = slice(part.output, queries);
  part.lse = slice(part.lse, queries);
  part.dOutput = slice(part.dOutput, queries);
  if (part.dLse)
    part.dLse = slice(*part.dLse, queries);
  // Gradients of captures and sinks are sums over all pairs of row and key, of
  // which a spot has only some, so they are not checked.
  part.captures.clear();
  part.sinkType = std::nullopt;
  FoundGradients foundPart;
  for (unsigned of = 0; of < kNumGradients; ++of) {
    if (GradientProblem::isOfQueries(of) != ofQueries)
      part.types[of] = std::nullopt;
    if (part.types[of] && found.arrays[of])
      foundPart.arrays[of] =
          slice(*found.arrays[of], ofQueries ? queries : keys);
  }
  return checkGradients(part, foundPart);
}

GradientReport mlir::attn::checkGradientSpots(const GradientProblem &problem,
                                              const FoundGradients &found) {
  llvm::ArrayRef<int64_t> query = problem.forward.query.sizes;
  int64_t numKeys = problem.forward.key.sizes[2];
  GradientReport worst;
  // A problem with lengths, packed sequences or pages is checked as a whole,
  // since slice() does not support these. So is one with a key_rope that heads
  // share, since its gradient is a sum over all heads.
  if (problem.forward.query.getNumElements() == 0 || numKeys == 0 ||
      problem.forward.hasParts() ||
      (problem.sharesRope && problem.types[kOfKeyRope]))
    return checkGradients(problem, found);
  int64_t group = query[1] / problem.forward.key.sizes[1];
  auto merge = [&](GradientReport report, llvm::StringRef what, int64_t row,
                   int64_t head, int64_t batch) {
    if (!worst.passed)
      return;
    if (!report.passed) {
      report.firstFailure =
          describe(what, row, head, batch, report.firstFailure);
      worst = std::move(report);
      return;
    }
    for (GradientReport::Entry &entry : report.entries) {
      auto *same = llvm::find_if(worst.entries, [&](const auto &other) {
        return other.name == entry.name;
      });
      if (same == worst.entries.end())
        worst.entries.push_back(entry);
      else if (entry.maxError > same->maxError)
        *same = entry;
    }
  };
  for (auto [b, h] : getHeads(problem.forward)) {
    int64_t kvHead = h / group;
    for (int64_t row : getPlaces(query[2]))
      if (problem.types[kOfQuery] || problem.types[kOfQueryRope])
        merge(checkPart(problem, found, /*ofQueries=*/true,
                        {b, h, 1, row, std::min(query[2], kSpotRows)},
                        {b, kvHead, 1, 0, numKeys}),
              "rows", row, h, b);
    for (int64_t row : getPlaces(numKeys))
      if (problem.types[kOfKey] || problem.types[kOfValue] ||
          problem.types[kOfKeyRope])
        merge(checkPart(problem, found, /*ofQueries=*/false,
                        {b, kvHead * group, group, 0, query[2]},
                        {b, kvHead, 1, row, std::min(numKeys, kSpotRows)}),
              "keys", row, kvHead, b);
  }
  return worst;
}
