//===- Emit.h - Emits attn ops for matches ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_EMIT_H
#define ATTN_LIB_RAISE_EMIT_H

#include "Layout.h"

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn::raise {

/// The positions b, h, i and j (batch entry, head, row and key), which are
/// arguments of a region, and the expressions by which the variables of index
/// expressions are computed from them.
class Positions {
public:
  Positions(Indexing &indexing, const Layout &layout);

  /// Returns an expression of variables as an expression of b, h, i and j,
  /// which are its dimensions 0 to 3. A variable n that belongs to none of
  /// these becomes dimension 4 + n.
  AffineExpr get(AffineExpr expr) const;
  const Indexing &getIndexing() const { return positions; }
  /// Returns the number of batch entries, heads, rows or keys;
  /// ShapedType::kDynamic if it is dynamic.
  int64_t getSize(unsigned position) const { return sizes[position]; }

private:
  Indexing &variables;
  Indexing positions;
  SmallVector<int64_t, 4> sizes;
  llvm::DenseMap<unsigned, AffineExpr> known;
};

/// Builds the score and the mask region of an attention op. Both have the same
/// captures.
class RegionBuilder {
public:
  /// `outer` inserts ops before the attention op; it emits those that compute
  /// sizes that regions read.
  RegionBuilder(ImplicitLocOpBuilder &outer, Elements &elements,
                const Positions &positions, bool keepsRounding)
      : outer(outer), elements(elements), positions(positions),
        keepsRounding(keepsRounding) {}

  /// Adds to the captures, in order, what a region needs to compute `node`, in
  /// which `product` stands for the region's score. Returns false if the node
  /// cannot be computed in a region; `reason` then says why.
  bool collect(Node *node, Node *product, std::string &reason);
  /// Adds the dynamic sizes in an expression to the captures. Returns false and
  /// sets `reason` if one is an element of a list of sizes.
  bool collectSizes(AffineExpr expr, std::string &reason);
  ArrayRef<Value> getCaptures() const { return captures.getArrayRef(); }

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
  /// Returns the element of memory that a region reads for a node.
  static const Access &getAccess(Node *node);

  ImplicitLocOpBuilder &outer;
  Elements &elements;
  const Positions &positions;
  bool keepsRounding;
  /// The value that is captured for each symbol of a dynamic size in index
  /// expressions.
  llvm::DenseMap<unsigned, Value> sizes;
  llvm::SetVector<Value> captures;
  llvm::SmallPtrSet<Node *, 32> collected;
  Block *block = nullptr;
  unsigned firstPosition = 0;
  std::optional<ImplicitLocOpBuilder> b;
  llvm::DenseMap<Node *, Value> emitted;
};

/// Converts an array of floats to the element type `element`.
Value convert(ImplicitLocOpBuilder &b, Value array, Type element);

/// Returns the array `source` rearranged to dimensions `dims`, with its
/// elements converted and its sizes cast to those of a result's tensor type,
/// `type`.
Value arrangeResult(ImplicitLocOpBuilder &b, Indexing &indexing,
                    const Arrangement &source, ArrayRef<Digits> dims,
                    RankedTensorType type,
                    llvm::DenseMap<unsigned, Value> &sizes);

/// Emits the attention op alone, with an lse as a second result if `hasLse`,
/// while emitAttention() also emits the ops that rearrange its result. Returns
/// null and sets `reason` if it cannot. Adds the values of dynamic sizes to
/// `sizes`.
AttentionOp emitForward(ImplicitLocOpBuilder &b, Elements &elements,
                        Attention &attention, Layout &layout,
                        bool keepsRounding, bool hasLse, Type resultElement,
                        llvm::DenseMap<unsigned, Value> &sizes,
                        std::string &reason);

/// Emits the attention op and the ops that rearrange its result, and returns
/// the value that replaces the matched result. Returns null and sets `reason`
/// if it cannot.
Value emitAttention(ImplicitLocOpBuilder &b, Elements &elements,
                    Attention &attention, Layout &layout, bool keepsRounding,
                    std::string &reason);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_EMIT_H
