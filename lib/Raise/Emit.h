//===- Emit.h - attn.attention for what was matched -------------*- C++ -*-===//
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

/// The positions b, h, i and j in a region, and how the variables of
/// expressions are computed from them.
class Positions {
public:
  Positions(Indexing &indexing, const Layout &layout);

  /// Returns an expression of variables as one of b, h, i and j, which are the
  /// dimensions 0 to 3.
  AffineExpr get(AffineExpr expr) const;
  const Indexing &getIndexing() const { return positions; }
  /// The number of batch entries, heads, rows or keys, or dynamic.
  int64_t getSize(unsigned position) const { return sizes[position]; }

private:
  Indexing &variables;
  Indexing positions;
  SmallVector<int64_t, 4> sizes;
  llvm::DenseMap<unsigned, AffineExpr> known;
};

/// Builds the score and the mask region, which share captures.
class RegionBuilder {
public:
  /// `outer` emits the sizes that regions read.
  RegionBuilder(ImplicitLocOpBuilder &outer, Elements &elements,
                const Positions &positions, bool keepsRounding)
      : outer(outer), elements(elements), positions(positions),
        keepsRounding(keepsRounding) {}

  /// Collects the captures of a region with this node, in order. Returns false
  /// if one of the nodes cannot be in a region; `reason` then says why.
  bool collect(Node *node, Node *product, std::string &reason);
  /// Collects the sizes in an expression as captures, likewise.
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
  /// The captured value for each symbol of a dynamic size.
  llvm::DenseMap<unsigned, Value> sizes;
  llvm::SetVector<Value> captures;
  llvm::SmallPtrSet<Node *, 32> collected;
  Block *block = nullptr;
  unsigned firstPosition = 0;
  std::optional<ImplicitLocOpBuilder> b;
  llvm::DenseMap<Node *, Value> emitted;
};

/// Converts an array of floats to another element type.
Value convert(ImplicitLocOpBuilder &b, Value array, Type element);

/// The array with the dimensions of a result of this type.
Value arrangeResult(ImplicitLocOpBuilder &b, Indexing &indexing,
                    const Arrangement &source, ArrayRef<Digits> dims,
                    RankedTensorType type,
                    llvm::DenseMap<unsigned, Value> &sizes);

/// Emits only the attention op (see emitAttention for the ops around it), with
/// an lse if `hasLse`. Returns null and sets `reason` if it cannot. Adds the
/// values of dynamic sizes to `sizes`.
AttentionOp emitForward(ImplicitLocOpBuilder &b, Elements &elements,
                        Attention &attention, Layout &layout,
                        bool keepsRounding, bool hasLse, Type resultElement,
                        llvm::DenseMap<unsigned, Value> &sizes,
                        std::string &reason);

/// Builds the op before `b`'s place, and gives what replaces the result; null
/// and a reason if it cannot be.
Value emitAttention(ImplicitLocOpBuilder &b, Elements &elements,
                    Attention &attention, Layout &layout, bool keepsRounding,
                    std::string &reason);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_EMIT_H
