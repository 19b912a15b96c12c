//===- BenchShapes.cpp - Shapes that attnc bench times --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shapes that `attnc bench` times. The Python package has the same table in
// attn_mlir/bench/shapes.py.
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/BenchShapes.h"

#include "attn/Driver/Timing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::attn;
using namespace mlir;

static std::vector<BenchShape> getTable() {
  std::vector<BenchShape> table = {
      {"gpt2", DType::F16, 4, 12, 12, 1024, 1024, 64, 64, true},
      // The shapes called "llama" are those of Llama 3 8B, except the last one,
      // which is of Llama 3 70B.
      {"llama", DType::BF16, 8, 32, 8, 2048, 2048, 128, 128, true},
      {"llama", DType::BF16, 4, 32, 8, 4096, 4096, 128, 128, true},
      {"llama", DType::BF16, 2, 32, 8, 8192, 8192, 128, 128, true},
      {"llama", DType::BF16, 1, 64, 8, 8192, 8192, 128, 128, true},
      {"flux", DType::BF16, 1, 24, 24, 4608, 4608, 128, 128, false},
  };
  // In the shapes of the grid, the number of heads times the head dim is 2048,
  // and the batch size times the length is 16384.
  for (int64_t headDim : {64, 128, 256})
    for (bool causal : {false, true})
      for (int64_t length = 512; length <= 16384; length *= 2)
        table.push_back({"grid", DType::BF16, 16384 / length, 2048 / headDim,
                         2048 / headDim, length, length, headDim, headDim,
                         causal});
  for (auto [batch, heads, length] :
       {std::tuple<int64_t, int64_t, int64_t>(1, 32, 4096),
        {1, 32, 65536},
        {16, 32, 8192},
        {64, 32, 4096},
        {16, 64, 16384}})
    table.push_back(
        {"decode", DType::BF16, batch, heads, 8, 1, length, 128, 128, false});
  // The compiler's schedules were chosen by measurements of the grid's shapes.
  // The shapes `heldout` are different: odd lengths, other head dims, few
  // heads, other numbers of keys than of rows, and shapes of models.
  auto addHeldOut = [&](DType dtype, int64_t batch, int64_t heads,
                        int64_t kvHeads, int64_t queryLength, int64_t kvLength,
                        int64_t headDim, int64_t valueHeadDim, bool causal) {
    table.push_back({"heldout", dtype, batch, heads, kvHeads, queryLength,
                     kvLength, headDim, valueHeadDim, causal});
  };
  constexpr DType kF16 = DType::F16, kBF16 = DType::BF16;
  addHeldOut(kBF16, 1, 32, 8, 4096, 4096, 128, 128, true);
  addHeldOut(kBF16, 1, 24, 24, 4608, 4608, 128, 128, false);
  addHeldOut(kBF16, 1, 40, 40, 3000, 3000, 128, 128, false);
  addHeldOut(kBF16, 4, 16, 16, 4096, 4096, 80, 80, false);
  addHeldOut(kBF16, 4, 16, 16, 4096, 4096, 96, 96, false);
  addHeldOut(kBF16, 4, 16, 16, 4096, 4096, 192, 128, true);
  addHeldOut(kBF16, 1, 16, 16, 2000, 10000, 128, 128, false);
  addHeldOut(kBF16, 64, 12, 12, 197, 197, 64, 64, false);
  addHeldOut(kBF16, 1, 2, 2, 65536, 65536, 64, 64, true);
  addHeldOut(kF16, 4, 12, 12, 1024, 1024, 64, 64, false);
  addHeldOut(kF16, 4, 12, 12, 1024, 1024, 64, 64, true);
  return table;
}

static void printPair(llvm::raw_ostream &os, int64_t first, int64_t second) {
  os << first;
  if (second != first)
    os << ":" << second;
}

std::string BenchShape::describeHeadDims() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPair(os, headDim, valueHeadDim);
  return text;
}

std::string BenchShape::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << set << " " << getName(dtype) << " " << batch << ",";
  printPair(os, queryHeads, kvHeads);
  os << ",";
  printPair(os, queryLength, kvLength);
  os << "," << describeHeadDims() << (causal ? " causal" : " full");
  return text;
}

/// Parses "N" or "N:M", where both numbers are positive; "N" stands for "N:N".
static bool parsePair(llvm::StringRef text, int64_t &first, int64_t &second) {
  auto parse = [](llvm::StringRef part, int64_t &size) {
    return !part.getAsInteger(10, size) && size > 0;
  };
  auto [left, right] = text.split(':');
  if (!parse(left, first))
    return false;
  second = first;
  return !text.contains(':') || parse(right, second);
}

static std::optional<BenchShape> parseBenchShape(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  BenchShape shape;
  shape.set = "given";
  if (parts.size() != 4 || parts[0].contains(':'))
    return std::nullopt;
  int64_t unused;
  if (!parsePair(parts[0], shape.batch, unused) ||
      !parsePair(parts[1], shape.queryHeads, shape.kvHeads) ||
      !parsePair(parts[2], shape.queryLength, shape.kvLength) ||
      !parsePair(parts[3], shape.headDim, shape.valueHeadDim) ||
      shape.queryHeads % shape.kvHeads != 0)
    return std::nullopt;
  return shape;
}

llvm::Expected<std::vector<BenchShape>>
mlir::attn::selectBenchShapes(llvm::ArrayRef<std::string> names,
                              std::optional<DType> dtype, BenchMasks masks) {
  std::vector<BenchShape> table = getTable(), listed;
  for (llvm::StringRef name : names) {
    size_t before = listed.size();
    llvm::copy_if(table, std::back_inserter(listed),
                  [&](const BenchShape &shape) {
                    return name == "all" || shape.set == name;
                  });
    if (listed.size() != before)
      continue;
    std::optional<BenchShape> shape = parseBenchShape(name);
    if (!shape)
      return llvm::createStringError(
          "expected gpt2, llama, flux, grid, decode, heldout, all or "
          "B,H[:HK],S[:SK],D[:DV] (HK divides H) for --shapes, found '" +
          name + "'");
    listed.push_back(*shape);
  }

  std::vector<BenchShape> shapes;
  llvm::StringSet<> seen;
  for (BenchShape shape : listed) {
    if (dtype)
      shape.dtype = *dtype;
    llvm::SmallVector<bool> causal = {shape.causal};
    if (masks == BenchMasks::Both)
      causal = {false, true};
    else if (masks != BenchMasks::AsListed)
      causal = {masks == BenchMasks::Causal};
    for (bool isCausal : causal) {
      shape.causal = isCausal;
      if (seen.insert(shape.describe()).second)
        shapes.push_back(shape);
    }
  }
  return shapes;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Returns the quantile `q` (from 0 to 1) of a sorted list, interpolated
/// between neighboring elements.
static double getQuantile(ArrayRef<double> sorted, double q) {
  double position = q * (sorted.size() - 1);
  size_t below = position, above = std::ceil(position);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

Timing mlir::attn::summarize(SmallVector<double> seconds) {
  llvm::sort(seconds);
  Timing timing;
  timing.median = getQuantile(seconds, 0.5);
  timing.numRuns = seconds.size();
  if (timing.median > 0)
    timing.spread = (getQuantile(seconds, 0.75) - getQuantile(seconds, 0.25)) /
                    timing.median;
  return timing;
}

llvm::Expected<SmallVector<double>> mlir::attn::timeRuns(Runner &runner,
                                                         unsigned count) {
  SmallVector<double> times;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Expected<double> seconds = runner.run();
    if (!seconds)
      return seconds.takeError();
    times.push_back(*seconds);
  }
  return times;
}

llvm::Expected<SmallVector<double>> mlir::attn::timeSustained(Runner &runner,
                                                              double duration) {
  // The program is run in windows of `kWindow` seconds, each timed as a whole.
  // Windows are long enough that the synchronisation at the end of each does
  // not matter.
  constexpr double kWindow = 0.02;
  constexpr unsigned kMostRuns = 10000;
  unsigned count = 1;
  double total = 0;
  SmallVector<double> times;
  while (total < duration) {
    llvm::Expected<double> seconds = runner.runBackToBack(count);
    if (!seconds)
      return seconds.takeError();
    double each = *seconds / count;
    // A minimum of time is counted for each window, so that the loop ends even
    // if the clock does not advance.
    total += std::max(*seconds, kWindow / kMostRuns);
    if (total > duration / 2)
      times.push_back(each);
    count =
        each * kMostRuns < kWindow ? kMostRuns : std::max(1.0, kWindow / each);
  }
  return times;
}
