//===- GradientSpotCheck.cpp - The rule of gradients on some rows ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of an op with its place in the whole is an op of its own. Rows of
// d_query need their queries and all keys, those of d_key and d_value their
// keys and all queries of the heads that share them.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "attn/Oracle/GradientAccuracy.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace mlir::attn;

namespace {
/// Some heads and rows of one batch entry.
struct Spot {
  int64_t batch, head, numHeads, row, numRows;
};
} // namespace

static ArrayView slice(ArrayView array, const Spot &spot) {
  array.data = static_cast<char *>(array.data) +
               array.getOffset({spot.batch, spot.head, spot.row}) *
                   getByteSize(array.dtype);
  array.sizes[0] = 1;
  array.sizes[1] = spot.numHeads;
  array.sizes[2] = spot.numRows;
  return array;
}

/// Checks the gradients of either queries or keys and values of a part.
static GradientReport checkPart(const GradientProblem &problem,
                                const FoundGradients &found, bool ofQueries,
                                const Spot &queries, const Spot &keys) {
  GradientProblem part = problem;
  AttentionProblem &forward = part.forward;
  forward.query = slice(forward.query, queries);
  forward.key = slice(forward.key, keys);
  forward.value = slice(forward.value, keys);
  forward.origin[0] += queries.batch;
  forward.origin[1] += queries.head;
  forward.origin[2] += queries.row;
  forward.origin[3] += keys.row;
  part.output = slice(part.output, queries);
  part.lse = slice(part.lse, queries);
  part.dOutput = slice(part.dOutput, queries);
  if (part.dLse)
    part.dLse = slice(*part.dLse, queries);
  if (forward.sink)
    forward.sink = sliceSink(*forward.sink, queries.head, queries.numHeads);
  // A sum over all is of no part.
  part.captures.clear();
  part.sinkType = std::nullopt;
  FoundGradients foundPart;
  for (unsigned of = 0; of < kNumGradients; ++of) {
    if ((of == kOfQuery) != ofQueries)
      part.types[of] = std::nullopt;
    if (part.types[of] && found.arrays[of])
      foundPart.arrays[of] =
          slice(*found.arrays[of], of == kOfQuery ? queries : keys);
  }
  return checkGradients(part, foundPart);
}

/// Where to look in `length` rows.
static std::array<int64_t, 3> getPlaces(int64_t length) {
  int64_t count = std::min(length, kSpotRows);
  return {0, (length - count) / 2, length - count};
}

GradientReport mlir::attn::checkGradientSpots(const GradientProblem &problem,
                                              const FoundGradients &found) {
  llvm::ArrayRef<int64_t> query = problem.forward.query.sizes;
  int64_t numKeys = problem.forward.key.sizes[2];
  GradientReport worst;
  // Rows of parts have no keys of their own to slice.
  if (problem.forward.query.getNumElements() == 0 || numKeys == 0 ||
      problem.forward.hasParts())
    return checkGradients(problem, found);
  int64_t group = query[1] / problem.forward.key.sizes[1];
  auto merge = [&](GradientReport report, const llvm::Twine &where) {
    if (!worst.passed)
      return;
    if (!report.passed) {
      report.firstFailure = (where + ": " + report.firstFailure).str();
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
  for (auto [b, h] :
       {std::pair<int64_t, int64_t>(0, 0), {query[0] - 1, query[1] - 1}}) {
    int64_t kvHead = h / group;
    for (int64_t row : getPlaces(query[2]))
      if (problem.types[kOfQuery])
        merge(checkPart(problem, found, /*ofQueries=*/true,
                        {b, h, 1, row, std::min(query[2], kSpotRows)},
                        {b, kvHead, 1, 0, numKeys}),
              "rows from " + llvm::Twine(row) + " of head " + llvm::Twine(h) +
                  ", batch entry " + llvm::Twine(b));
    for (int64_t row : getPlaces(numKeys))
      if (problem.types[kOfKey] || problem.types[kOfValue])
        merge(checkPart(problem, found, /*ofQueries=*/false,
                        {b, kvHead * group, group, 0, query[2]},
                        {b, kvHead, 1, row, std::min(numKeys, kSpotRows)}),
              "keys from " + llvm::Twine(row) + " of head " +
                  llvm::Twine(kvHead) + ", batch entry " + llvm::Twine(b));
  }
  return worst;
}
