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

/// The options of `attnc gen`, which describe an attention problem. All sizes
/// except head dims may be kDynamicSize.
struct GenerateOptions {
  enum class Layout { BHSD, BSHD };

  DType dtype = DType::F16;
  /// The element types of keys and of values. An unset one is `dtype`.
  std::optional<DType> keyDType, valueDType;
  /// The element type of the output, of d_output and of the gradients. If it is
  /// unset, it is `dtype` or, for a `dtype` of 8 bits, f16.
  std::optional<DType> outputDType;
  int64_t batch = 1;
  int64_t queryHeads = 1, kvHeads = 1;
  int64_t queryLength = 128, kvLength = 128;
  int64_t headDim = 64, valueHeadDim = 64;
  /// The columns [first, end) of the key that are the values. If this is set,
  /// the entry takes no value array.
  std::optional<std::pair<int64_t, int64_t>> valueDims;
  /// The number of columns of query_rope and key_rope, if `extras` has these.
  int64_t ropeDim = 0;
  /// The order of the arrays' dimensions in memory. Arrays are contiguous.
  Layout layout = Layout::BHSD;
  /// Whether all strides are dynamic except the innermost.
  bool dynamicStrides = false;
  /// Whether the value array has a stride of 1 along its keys instead of along
  /// its columns. Each column then begins at a multiple of 16 elements.
  bool valueAlongKeys = false;
  /// Whether the op says that its number of query rows, which is dynamic, is
  /// small in most runs.
  bool hasFewRows = false;
  bool causal = false;
  Alignment alignment = Alignment::TopLeft;
  std::optional<int64_t> windowLeft, windowRight;
  std::optional<double> scale;
  bool lse = false;
  /// The element type of the sink. If it is unset, the op has no sink.
  std::optional<DType> sink;
  /// The probability of dropout. If it is set, the entry takes a seed and an
  /// offset, which determine the random numbers.
  std::optional<double> dropout;

  /// Whether the entry takes an array with the length of each batch entry, for
  /// the query (first) and for the key (second).
  std::array<bool, 2> lengths = {false, false};
  /// The number of packed sequences. If it is set, the entry takes their
  /// cumulative lengths, in arrays of one element more, and `batch` is 1.
  std::optional<int64_t> numSequences;
  /// The number of rows of a page. It is set if keys and values are in pages. A
  /// row of the page table then has entries for as many whole pages as
  /// `kvLength` keys need.
  std::optional<int64_t> pageSize;
  /// The number of pages in the pool. If it is unset, the pool has as many
  /// pages as the page table has entries.
  std::optional<int64_t> numPages;

  /// An operand in the op's `with` clause. `shape` has a letter for each
  /// dimension (see ExtraDeclaration), where 1 is a dimension of one element.
  /// `block` is the number of rows that share an element.
  struct ExtraOptions {
    Extra which;
    std::string shape;
    int64_t block = 1;
  };
  SmallVector<ExtraOptions> extras;

  /// Built-in score regions, of which an op has at most one. With `softCap`,
  /// the score is cap * tanh(s / cap), where s is the score without a region.
  /// Else, with `alibi`, it is s + 2^(-8 (h + 1) / Hq) * (kv - q).
  std::optional<double> softCap;
  bool alibi = false;
  /// A score region as text, with or without its braces. Arguments of the
  /// region's block after the fifth are captures. The entry takes the captures
  /// after the value array.
  std::string scoreText;
  /// A mask region as text. Arguments of the region's block after the fourth
  /// are captures. The entry takes these after the captures of the score
  /// region.
  std::string maskText;
  /// The op's schedule, as the text of an attribute, or empty for an op without
  /// a schedule.
  std::string schedule;

  /// Whether the op is the backward op instead of the forward op. `wrt` selects
  /// the gradients that it computes, except those of captures.
  bool backward = false;
  Gradients wrt = kAllGradients;
  /// The indices, in ascending order, of those captures of the score region
  /// whose gradients are computed, too.
  SmallVector<int64_t> captureWrt;
  /// Whether the backward op also takes the gradient of the lse, d_lse.
  bool dLse = false;
  bool deterministic = false;
  /// Which products of gradients have operands that are rounded to 8 bits: with
  /// `Scores` only those of d_output and value.
  std::optional<NarrowProducts> narrowProducts;
  /// Whether sums of 8-bit products need only be as exact as the tensor core
  /// makes them.
  bool fastAccumulate = false;
  /// Whether the entry takes six numbers after the captures: the four of the
  /// op's origin, and the two lengths.
  bool isPlaced = false;

  bool hasSequences() const {
    return lengths[0] || lengths[1] || numSequences || pageSize;
  }
  /// getNumColumns() returns the number of entries in a row of the page table:
  /// the pages of one batch entry. getNumPages() returns the number of pages in
  /// the pool.
  int64_t getNumColumns() const;
  int64_t getNumPages() const;
};

/// Returns the names of the operands that these gradients are of, such as
/// "query", in the order of the op's outs.
SmallVector<std::string> getNames(Gradients gradients);
/// Returns the text of a mask region that keeps pairs whose row and key are in
/// the same document, for GenerateOptions::maskText. The region captures an
/// array with the number of the document for each batch entry and position.
std::string getDocumentMask();
/// Returns the text of a mask region that keeps, in each row, the first
/// `length` keys and all keys up to and including the row's own position, for
/// GenerateOptions::maskText.
std::string getPrefixMask(int64_t length);

/// Generates a module with one function on strided memrefs. For the forward op
/// it is
///   @main(query, key [, value], captures... [, sink] [, seed, offset]
///         [, sequences...] [, extras...], output [, lse])
/// and for gradients
///   @main(query, key, value, captures... [, sink] [, seed, offset]
///         [, sequences...] [, extras...], output, lse, d_output [, d_lse]
///         [, d_query] [, d_key] [, d_value] [, d_sink] [, d_query_rope]
///         [, d_key_rope] [, d_capture...]).
/// The sequences are the i32 arrays that the options ask for, in the order
/// query_lengths, key_lengths, cumulative_query, cumulative_key, page_table.
/// The text is not verified.
llvm::Expected<std::string> generateModule(const GenerateOptions &options);

} // namespace mlir::attn

#endif // ATTN_DRIVER_GENERATE_H
