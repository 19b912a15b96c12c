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

/// The options of `attnc gen`, which describe an attention problem. Sizes other
/// than head dims may be kDynamicSize.
struct GenerateOptions {
  enum class Layout { BHSD, BSHD };

  DType dtype = DType::F16;
  /// The element types of keys and values, if they are not `dtype`.
  std::optional<DType> keyDType, valueDType;
  /// The element type of the output, of d_output and of gradients. The default
  /// is `dtype`, or f16 if that has 8 bits.
  std::optional<DType> outputDType;
  int64_t batch = 1;
  int64_t queryHeads = 1, kvHeads = 1;
  int64_t queryLength = 128, kvLength = 128;
  int64_t headDim = 64, valueHeadDim = 64;
  /// If set, the values are the columns [first, end) of the key, and the entry
  /// takes no value array.
  std::optional<std::pair<int64_t, int64_t>> valueDims;
  /// The number of columns of query_rope and key_rope, if these are among
  /// `extras`.
  int64_t ropeDim = 0;
  /// The order of dimensions in memory; arrays are contiguous.
  Layout layout = Layout::BHSD;
  /// Makes all strides but the innermost dynamic.
  bool dynamicStrides = false;
  /// Gives the value a stride of 1 along its keys instead of its columns, which
  /// begin at multiples of 16 elements.
  bool valueAlongKeys = false;
  bool causal = false;
  Alignment alignment = Alignment::TopLeft;
  std::optional<int64_t> windowLeft, windowRight;
  std::optional<double> scale;
  bool lse = false;
  /// The element type of the sink, if there is one.
  std::optional<DType> sink;
  /// The probability of dropout. If it is set, the entry takes a seed and an
  /// offset.
  std::optional<double> dropout;

  /// Whether the entry takes an array of the batch entries' lengths, for the
  /// query and for the key.
  std::array<bool, 2> lengths = {false, false};
  /// The number of packed sequences. The entry takes their cumulative lengths
  /// in arrays with one more element. `batch` is then 1.
  std::optional<int64_t> numSequences;
  /// The number of rows of a page, if keys and values are in pages. `kvLength`
  /// is then the number of keys for which a row of the page table has room,
  /// rounded up to whole pages.
  std::optional<int64_t> pageSize;
  /// The number of pages in the pool; by default the number of the page table's
  /// entries.
  std::optional<int64_t> numPages;

  /// An operand of the op's `with` clause: its dimensions as letters (see
  /// ExtraDeclaration), where 1 is a dimension of one element, and the number
  /// of rows that share an element.
  struct ExtraOptions {
    Extra which;
    std::string shape;
    int64_t block = 1;
  };
  SmallVector<ExtraOptions> extras;

  /// Built-in score regions: the soft cap, cap * tanh(s / cap), and ALiBi, s +
  /// 2^(-8 (h + 1) / Hq) * (kv - q).
  std::optional<double> softCap;
  bool alibi = false;
  /// A score region as text, with or without its braces. Arguments of its block
  /// after the fifth are captures; the entry takes them after the value.
  std::string scoreText;
  /// A mask region as text. Arguments of its block after the fourth are
  /// captures; the entry takes them after those of the score region.
  std::string maskText;
  /// The op's schedule, as the text of an attribute; empty for none.
  std::string schedule;

  /// Generates the backward op instead, with the gradients of query, key,
  /// value, query_rope and key_rope that `wrt` selects.
  bool backward = false;
  std::array<bool, 5> wrt = {true, true, true, false, false};
  bool sinkWrt = false;
  /// The indices, ascending, of the score region's captures that also get a
  /// gradient.
  SmallVector<int64_t> captureWrt;
  /// Whether the lse has a gradient, too.
  bool dLse = false;
  bool deterministic = false;
  /// Whether gradients of the scores are computed from a rounded d_output.
  bool narrowProducts = false;
  /// Whether sums of 8-bit products may be only as exact as the tensor core
  /// makes them.
  bool fastAccumulate = false;
  /// Whether the entry takes the op's origin and lengths as six numbers, after
  /// the captures.
  bool isPlaced = false;

  bool hasSequences() const {
    return lengths[0] || lengths[1] || numSequences || pageSize;
  }
  /// Return the number of pages for each batch entry, and in the pool.
  int64_t getNumColumns() const;
  int64_t getNumPages() const;
};

/// Returns a mask region for `maskText` that keeps pairs of the same document.
/// It captures an array with the number of the document for each batch entry
/// and position.
std::string getDocumentMask();
/// Returns a mask region for `maskText` that keeps the first `length` keys, and
/// the keys up to the row's position.
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
