//===- ContribAttention.h - Attention of ONNX -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ONNX's Attention, and the attention ops of the domain com.microsoft,
// which ONNX Runtime defines: Attention, GroupQueryAttention and
// MultiHeadAttention. torch-mlir's importer writes all of them as
// torch.operator, onnx-mlir as onnx.Attention and onnx.Custom.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_CONTRIBATTENTION_H
#define ATTN_LIB_RAISE_CONTRIBATTENTION_H

#include "Match.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace mlir::attn::raise {

/// The name of ONNX's own attention.
inline constexpr StringRef kStandardAttention = "onnx.Attention";

/// Returns the name of an op that is attention of ONNX: kStandardAttention, or
/// the name in the domain com.microsoft, such as GroupQueryAttention. Returns
/// an empty name for other ops.
StringRef getONNXAttention(Operation *op);

/// The name of ops that stand for such an op while it is raised.
inline constexpr StringRef kContribOp = "attn_raise.contrib";

/// The computation of an attention op of ONNX, on builtin tensors.
struct ContribCall {
  /// Arrays of batch entries, rows, and heads with their columns in one
  /// dimension or two. With `keysAreHeadsFirst`, key and value are arrays of
  /// batch entries, heads, rows and columns. With `rowsAreHeadsFirst`, query
  /// and result are.
  Value query, key, value;
  bool keysAreHeadsFirst = false, rowsAreHeadsFirst = false;
  int64_t heads = 0, kvHeads = 0, headDim = 0, valueDim = 0;
  double scale = 1, softCap = 0;
  /// The number of keys before, and after, its own key that a row reads;
  /// nothing where it reads all. Row i has key i, plus the number of keys
  /// before the first row. In a causal mask, `right` is 0.
  std::optional<int64_t> left, right;
  /// The number of each batch entry's last key, an array of i32 with one
  /// element for each batch entry. With `hasPast`, the rows are those of the
  /// last keys; else those of the first ones.
  Value lastKeys;
  bool hasPast = false;
  /// Arrays of i32 with, for each batch entry, the number of the first key
  /// after those that are read, and that of the first one that is read. Null if
  /// all are read to the end, or from the start.
  Value keyLengths, keyStarts;
  /// Whether the last row has the last key before its batch entry's length. The
  /// first rows may then have keys of numbers below 0.
  bool rowsEndAtLengths = false;
  /// An array of i32 of batch entries, perhaps rows, and keys. Where it is not
  /// above 0, `maskedScore` is added to the score.
  Value mask;
  double maskedScore = 0;
  /// The number of keys before the first row, if it is the same for all batch
  /// entries: the size of dimension 2 of both arrays. None if null.
  Value past, pastValue;
  /// An array that is added to the scores, of batch entries or 1, heads or 1,
  /// rows, and keys.
  Value bias;
  /// A mask of bools, which is true for pairs that are kept, or an array that
  /// is added to the scores. Its dimensions are the last ones of batch entries,
  /// heads, rows and keys, or 1. One of fewer keys is repeated along keys by
  /// version 23 of ONNX's operators, `opset`, and masks the other keys from
  /// version 24 on.
  Value scoreMask;
  std::optional<int64_t> opset;
  /// Whether dynamic sizes of `scoreMask` that may be those of the scores are.
  bool hasSizesOfScores = false;
  bool hasSink = false;
  /// The logits of the heads' sinks; if null, they are 0.
  Value sink;
};

/// Inserts an op of one result before `op`, an attention op of ONNX, whose
/// result is to be raised in place of the first result of `op`, and ops that
/// compute its operands. `replacements` gets a tensor for each result of `op`
/// that has uses. Returns null and sets `reason` if the op, or one of its
/// options or operands, is not read; ops may have been inserted then, too.
Operation *buildONNXAttention(Operation *op, ContribCall &call,
                              SmallVectorImpl<Value> &replacements,
                              std::string &reason);

/// The rotation of query and key by the positions of their rows.
struct ContribRotation {
  /// Arrays of positions and pairs of columns.
  Value cosines, sines;
  /// The positions of batch entries and rows, of i64. If null, they are the
  /// numbers of the rows' keys.
  Value positions;
  /// Whether the columns of a pair are neighbors. If not, they are as far from
  /// each other as there are pairs.
  bool isInterleaved = false;
};

/// Builds arrays of query, key and value of a call before its op. Ranks and
/// sizes of the operands must be as the operator defines them.
class ContribArrays {
public:
  ContribArrays(Operation *op, ContribCall &call)
      : b(op->getLoc(), op), call(call) {}

  /// Sets query, key and value to parts of an array of batch entries, rows, and
  /// the columns of all heads of all three.
  void unpack(Value packed);
  /// Sets key and value, and also the query if `hasQuery`, to parts in
  /// dimension 3 of an array of rank 5.
  void unpackParts(Value packed, bool hasQuery);
  /// Returns the product of an array of batch entries, rows and columns with
  /// weights of these and other columns, plus the bias of the latter unless it
  /// is null. Sums are in f32.
  Value project(Value input, Value weights, Value bias);
  /// Adds the bias of the projections to query, key and value.
  void addProjectionBias(Value bias);
  /// Divides the columns of each head of query and key, which are arrays as for
  /// rotate(), by their root mean square with `epsilon` below the root, and
  /// multiplies them by weights.
  void normalize(Value ofQuery, Value ofKey, double epsilon);
  /// Rotates query and key, which are arrays of batch entries, rows, and the
  /// columns of all heads. `call` has its last keys and `hasPast`.
  void rotate(const ContribRotation &rotation);
  /// Puts the keys and values of `pastKey` and `pastValue`, which have heads
  /// before rows, before those of the call.
  void prepend(Value pastKey, Value pastValue);
  /// As prepend(), for the two parts in dimension 0 of an array.
  void prependParts(Value past);
  /// As prepend(), for arrays of which each batch entry has as many rows as
  /// `call.lastKeys` says, less the rows of the call. Each of the new arrays
  /// has `numKeys` rows or, if that is dynamic, as many as the larger of
  /// `total`, a tensor of one number, and the rows of the old one. Those after
  /// the last row of the call are zeros.
  void insert(Value pastKey, Value pastValue, Value total, int64_t numKeys);
  /// Requires, at run time, the sizes of a dimension of two arrays to be equal,
  /// unless they are static. The message begins with `where` and says that
  /// `what` must be.
  void requireEqual(Value lhs, Value rhs, int64_t dim, StringRef where,
                    const Twine &what);
  /// Requires, at run time, the dynamic sizes of `call.scoreMask` to be those
  /// of the scores or 1 or, with `mayEnd`, of no more keys.
  void requireMaskSizes(bool mayEnd);
  /// Puts heads before rows in key and value.
  void putHeadsFirst();
  /// Returns the products of query and key, which have heads before rows,
  /// multiplied by the scale. If `isCapped`, they are soft-capped.
  Value getScores(bool isCapped);
  /// Returns an array of key and value, which are of the same type and have
  /// heads before rows.
  Value stack();
  /// Sets the numbers of keys to the first elements of an array, and if
  /// `hasStarts` those of the first keys to as many elements after them. They
  /// are 0 if the array, whose size may be dynamic, has not twice as many.
  void setLengths(Value mask, bool hasStarts);
  /// Returns the part, for the rows and keys of the call, of a mask of batch
  /// entries, 1, and the positions of rows and keys in the sequence. The key
  /// has heads before rows.
  Value takeOfPositions(Value mask);

private:
  /// Returns a part of an array without dimension `dropped`, of which it has
  /// one element.
  Value extract(Value array, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes,
                std::optional<int64_t> dropped = std::nullopt);
  Value slice(Value array, int64_t dim, int64_t offset, int64_t size);
  Value addBias(Value array, Value bias, int64_t offset);
  Value putHeadsFirst(Value array, int64_t columns);
  Value normalizeHeads(Value array, Value weight, double epsilon);
  Value rotate(Value array, const ContribRotation &rotation);
  Value getFirstRow(ImplicitLocOpBuilder &inner, Value batch, Value numRows);
  Value insertRows(Value past, Value rows, Value size, int64_t numKeys);

  ImplicitLocOpBuilder b;
  ContribCall &call;
};

/// Returns the match of the result of an op that buildONNXAttention() has
/// inserted, or null with a reason.
std::unique_ptr<Attention> matchContrib(Elements &elements, Value result,
                                        const ContribCall &call,
                                        std::string &reason);

/// The ops on builtin tensors that are inserted before an attention op of ONNX
/// which is to be raised. They are erased with this object, unless replace()
/// was called.
class OperatorTensors {
public:
  explicit OperatorTensors(Operation *op) : op(op) {}
  ~OperatorTensors();

  /// Inserts the ops, and lets uses of the op's results read those of the new
  /// ops. Returns the result that is to be raised, or null with a reason.
  Value build(std::string &reason);
  /// The call that the result is of.
  const ContribCall &getCall() const { return call; }
  /// Erases the op, whose result was raised.
  void replace();

private:
  Operation *op;
  ContribCall call;
  Value output;
  SmallVector<Operation *> made;
  SmallVector<Value> replacements;
  /// The uses of the op's results, with their numbers, which read the new
  /// tensors.
  SmallVector<std::pair<OpOperand *, unsigned>> uses;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_CONTRIBATTENTION_H
