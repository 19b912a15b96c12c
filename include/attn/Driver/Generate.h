//===- Generate.h - Modules from a few numbers ------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_GENERATE_H
#define ATTN_DRIVER_GENERATE_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Driver/ArgumentSpec.h"
#include "attn/Support/ArrayView.h"

#include <array>
#include <string>

namespace mlir::attn {

/// An attention problem as `attnc gen` takes it. Sizes other than head dims may
/// be kDynamicSize.
struct GenerateOptions {
  enum class Layout { BHSD, BSHD };

  DType dtype = DType::F16;
  /// Of keys and values, where those are not of `dtype`.
  std::optional<DType> keyDType, valueDType;
  /// Of the output, and of d_output and gradients; `dtype`, or f16 where that
  /// has 8 bits.
  std::optional<DType> outputDType;
  int64_t batch = 1;
  int64_t queryHeads = 1, kvHeads = 1;
  int64_t queryLength = 128, kvLength = 128;
  int64_t headDim = 64, valueHeadDim = 64;
  /// The first column of the key that is the value's, and the one past its
  /// last: then the entry takes no value.
  std::optional<std::pair<int64_t, int64_t>> valueDims;
  /// The order in memory, of arrays without gaps.
  Layout layout = Layout::BHSD;
  /// Leaves all strides but the innermost to the run.
  bool dynamicStrides = false;
  bool causal = false;
  Alignment alignment = Alignment::TopLeft;
  std::optional<int64_t> windowLeft, windowRight;
  std::optional<double> scale;
  bool lse = false;
  /// The type of a sink.
  std::optional<DType> sink;
  /// The entry takes a seed and an offset.
  std::optional<double> dropout;

  /// Arrays of the lengths of batch entries: of the query, and of the key.
  std::array<bool, 2> lengths = {false, false};
  /// Packed sequences, by arrays of one cumulative length more; `batch` is 1.
  std::optional<int64_t> numSequences;
  /// Keys and values lie in pages of so many rows. `kvLength` is what a row of
  /// the table has room for, and is rounded up to pages.
  std::optional<int64_t> pageSize;
  /// Of the pool; none is as many as the table has numbers.
  std::optional<int64_t> numPages;

  /// An operand of `with`: the letters of its dimensions as its declaration has
  /// them, or 1 for a dimension of one element, and the rows of an element.
  struct ExtraOptions {
    Extra which;
    std::string shape;
    int64_t block = 1;
  };
  SmallVector<ExtraOptions> extras;

  /// A score region by formula: cap * tanh(s / cap), or
  /// s + 2^(-8 (h + 1) / Hq) * (kv - q).
  std::optional<double> softCap;
  bool alibi = false;
  /// A score region as text, with or without its braces. Arguments of its block
  /// after the fifth are captured: the entry takes them after value.
  std::string scoreText;
  /// A mask region, the same with arguments after the fourth, which the entry
  /// takes behind those of the score region.
  std::string maskText;
  /// The op's schedule as an attribute's text; empty is for none.
  std::string schedule;

  /// The gradients of that attention instead, with respect to query, key and
  /// value as far as `wrt` has them.
  bool backward = false;
  std::array<bool, 3> wrt = {true, true, true};
  bool sinkWrt = false;
  /// And to the captures of the score region with these numbers, ascending.
  SmallVector<int64_t> captureWrt;
  /// The lse has a gradient, too.
  bool dLse = false;
  bool deterministic = false;
  /// The entry takes an origin and lengths of the op, six numbers behind the
  /// captured ones.
  bool isPlaced = false;

  bool hasSequences() const {
    return lengths[0] || lengths[1] || numSequences || pageSize;
  }
  /// Pages of a batch entry, and those of the pool.
  int64_t getNumColumns() const;
  int64_t getNumPages() const;
};

/// Mask regions for `maskText`. Pairs of the same document: of equal numbers in
/// a captured array, by batch entry and position.
std::string getDocumentMask();
/// The first `length` keys, and those up to the row's own position.
std::string getPrefixMask(int64_t length);

/// A module with one function @main(query, key [, value], captures... [, sink]
/// [, seed, offset] [, sequences...] [, extras...], output [, lse]) on strided
/// memrefs or,
/// for gradients, @main(query, key, value, captures... [, sink] [, seed,
/// offset] [, sequences...], output, lse, d_output [, d_lse] [, d_query] [,
/// d_key]
/// [, d_value] [, d_sink] [, d_capture...]). The sequences are the arrays of
/// i32 that are asked for, in the order query_lengths, key_lengths,
/// cumulative_query, cumulative_key, page_table. The text is not verified.
llvm::Expected<std::string> generateModule(const GenerateOptions &options);

} // namespace mlir::attn

#endif // ATTN_DRIVER_GENERATE_H
