//===- Emit.h - Emits attn ops for matches ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_EMIT_H
#define ATTN_LIB_RAISE_EMIT_H

#include "Lse.h"

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn::raise {

/// Translates index expressions to the positions that a region of the attention
/// op gets as arguments: the batch entry b, the head h, the row i and the key
/// j. In the translated expressions, the layout's index variables are replaced
/// by expressions of b, h, i and j.
class Positions {
public:
  Positions(Indexing &indexing, const Layout &layout);

  /// Returns an index expression as an expression of b, h, i and j, which are
  /// its dimensions 0 to 3. An index variable n that belongs to none of these
  /// becomes dimension 4 + n.
  AffineExpr get(AffineExpr expr) const;
  const Indexing &getIndexing() const { return positions; }
  /// Returns the number of batch entries (`position` 0), heads (1), rows (2) or
  /// keys (3), or ShapedType::kDynamic if it is dynamic.
  int64_t getSize(unsigned position) const { return sizes[position]; }
  /// Returns by how many keys there are more than rows, or nothing if the
  /// number is no index expression of dynamic sizes.
  std::optional<AffineExpr> getMoreKeys() const;

private:
  Indexing &variables;
  Indexing positions;
  SmallVector<int64_t, 4> sizes;
  Digits rows, keys;
  llvm::DenseMap<unsigned, AffineExpr> known;
};

struct Pages;

/// Numbers that are subtracted from all scores of a row, which changes no
/// probability: elements of `array`, which has one dimension for each of
/// `positions` (batch entry 0, head 1 and row 2).
struct RowShift {
  Value array;
  SmallVector<unsigned, 3> positions;
};

/// Whether `node` is computed from a finite constant whose magnitude is at
/// least 1e5, such as one by which pairs are masked. Operands of the node
/// `product` do not count. In a row that has only such scores, rounding makes
/// the lse that number, and exp(score - lse) is no probability then.
bool hasLargeNumber(Elements &elements, Node *node, Node *product);

/// Returns the terms of the score that have large finite numbers, such as those
/// by which masks replace scores, as an expression without the product of query
/// and key; pairs without such a term have 0 there, and pairs that masks leave
/// out have -inf. Returns 0 if there are no such terms, and null if the score
/// is no sum of such terms and others.
Node *findLargeTerms(Elements &elements, const Attention &attention);

/// Builds the score region and the mask region of an attention op, which share
/// one list of captures.
class RegionBuilder {
public:
  /// Creates a builder of the regions. `outer` inserts ops before the attention
  /// op, such as those that compute sizes that the regions read.
  RegionBuilder(ImplicitLocOpBuilder &outer, Elements &elements,
                const Positions &positions, bool keepsRounding)
      : outer(outer), elements(elements), positions(positions),
        keepsRounding(keepsRounding) {}

  /// Adds to the captures, in order, the arrays and sizes that a region needs
  /// to compute `node`. `product` is the node that stands for the region's
  /// argument score. Returns false if a region cannot compute `node`, and sets
  /// `reason` to the reason.
  bool collect(Node *node, Node *product, std::string &reason);
  /// Adds the dynamic sizes that an index expression contains to the captures.
  /// Returns false and sets `reason` if one of them is an element of a list of
  /// sizes.
  bool collectSizes(AffineExpr expr, std::string &reason);
  ArrayRef<Value> getCaptures() const { return captures.getArrayRef(); }
  /// Emits an op that computes the largest of `terms` in each row, and adds the
  /// result to the captures: the score region then subtracts it from scores.
  /// `numPositions` has the numbers of batch entries, heads, rows and keys.
  /// Returns false if a region cannot compute the terms, and sets `reason` to
  /// the reason.
  bool shiftRows(Node *terms, ArrayRef<OpFoldResult> numPositions,
                 std::string &reason);

  void buildScore(Region &region, Location loc, Node *score, Node *product);
  void buildMask(Region &region, Location loc, ArrayRef<Node *> masks,
                 ArrayRef<AffineExpr> constraints);

private:
  void begin(Region &region, Location loc, bool hasScore);
  Value emit(Node *node);
  Value emitIndex(AffineExpr expr);
  Value emitPositions(AffineExpr expr);
  Value emitRead(Value array, ValueRange indices, bool inbounds);
  Value emitApply(Node *node);
  Value round(Value value, Type type);
  bool roundsSum(Node *node);
  /// Returns which element of an array a region reads to get the value of
  /// `node`.
  static const Access &getAccess(Node *node);

  ImplicitLocOpBuilder &outer;
  Elements &elements;
  const Positions &positions;
  bool keepsRounding;
  /// For each symbol of an index expression that stands for a dynamic size, the
  /// captured value with that size.
  llvm::DenseMap<unsigned, Value> sizes;
  llvm::SetVector<Value> captures;
  llvm::SmallPtrSet<Node *, 32> collected;
  Block *block = nullptr;
  unsigned firstPosition = 0;
  std::optional<ImplicitLocOpBuilder> b;
  llvm::DenseMap<Node *, Value> emitted;
  std::optional<RowShift> shift;
};

/// Returns an array of floats with its elements converted to the type
/// `element`.
Value convert(ImplicitLocOpBuilder &b, Value array, Type element);

/// Returns the array `source` rearranged such that its dimensions have the
/// index variables `dims`. Its elements are converted, and its sizes cast, to
/// those of the tensor type `type` of a matched result.
Value arrangeResult(ImplicitLocOpBuilder &b, Indexing &indexing,
                    const Arrangement &source, ArrayRef<Digits> dims,
                    RankedTensorType type,
                    llvm::DenseMap<unsigned, Value> &sizes);

/// Emits an attn.attention op, with an lse as a second result if `hasLse`,
/// without the ops that rearrange its result (see emitAttention()). If `pages`
/// is not null, keys and values are the pages that it describes. Adds the
/// values of dynamic sizes to `sizes`. With `shiftsRows`, scores are less the
/// largest of their large terms in the row (findLargeTerms()), if they have
/// such terms, and so is the lse. Returns null and sets `reason` if the op
/// cannot express the attention.
AttentionOp emitForward(ImplicitLocOpBuilder &b, Elements &elements,
                        Attention &attention, Layout &layout,
                        const Pages *pages, bool keepsRounding, bool shiftsRows,
                        bool hasLse, Type resultElement,
                        llvm::DenseMap<unsigned, Value> &sizes,
                        std::string &reason);

/// Emits an attn.attention op and the ops that rearrange its results, and
/// returns the values by which the matched result and the multiples `ofLse` of
/// the lse are to be replaced, in this order. With `shiftsRows`, scores are
/// shifted as by emitForward() unless there is an lse. Returns no values and
/// sets `reason` if the op cannot express the attention.
SmallVector<Value> emitAttention(ImplicitLocOpBuilder &b, Elements &elements,
                                 Attention &attention, Layout &layout,
                                 ArrayRef<LseMatch> ofLse, bool keepsRounding,
                                 bool shiftsRows, std::string &reason);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_EMIT_H
