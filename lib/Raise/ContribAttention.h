//===- ContribAttention.h - Attention of ONNX Runtime -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the attention ops of the domain com.microsoft, which ONNX Runtime
// defines: Attention, GroupQueryAttention and MultiHeadAttention. torch-mlir's
// importer writes them as torch.operator, onnx-mlir as onnx.Custom.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_CONTRIBATTENTION_H
#define ATTN_LIB_RAISE_CONTRIBATTENTION_H

#include "Match.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace mlir::attn::raise {

/// Returns the name in the domain com.microsoft of an op that is attention by
/// this name, such as GroupQueryAttention, and an empty name for other ops.
StringRef getContribAttention(Operation *op);

/// The name of ops that stand for such an op while it is raised.
inline constexpr StringRef kContribOp = "attn_raise.contrib";

/// The computation of an attention op of com.microsoft, on builtin tensors.
struct ContribCall {
  /// Arrays of batch entries, rows, and heads with their columns in one
  /// dimension or two. With `keysAreHeadsFirst`, key and value are arrays of
  /// batch entries, heads, rows and columns.
  Value query, key, value;
  bool keysAreHeadsFirst = false;
  int64_t heads = 0, kvHeads = 0, headDim = 0, valueDim = 0;
  double scale = 1, softCap = 0;
  /// Whether row i reads no key after key i, plus the number of keys before the
  /// first row.
  bool isCausal = false;
  /// The number of keys up to its own that a causal row reads, or nothing.
  std::optional<int64_t> window;
  /// The number of each batch entry's last key, an array of i32 with one
  /// element for each batch entry. With `hasPast`, the rows are those of the
  /// last keys; else those of the first ones.
  Value lastKeys;
  bool hasPast = false;
  /// Arrays of i32 with, for each batch entry, the number of the first key
  /// after those that are read, and that of the first one that is read. Null if
  /// all are read to the end, or from the start.
  Value keyLengths, keyStarts;
  /// An array of i32 of batch entries, perhaps rows, and keys. Where it is not
  /// above 0, `maskedScore` is added to the score.
  Value mask;
  double maskedScore = 0;
  /// The number of keys before the first row, if it is the same for all batch
  /// entries: the size of dimension 2 of this array. None if null.
  Value past;
  /// An array that is added to the scores, of batch entries or 1, heads or 1,
  /// rows, and keys.
  Value bias;
  bool hasSink = false;
  /// The logits of the heads' sinks; if null, they are 0.
  Value sink;
};

/// Inserts an op of one result before `op`, an attention op of com.microsoft,
/// whose result is to be raised in place of the first result of `op`, and ops
/// that compute its operands. `replacements` gets a tensor for each result of
/// `op` that has uses. Returns null and sets `reason` if the op, or one of its
/// options or operands, is not read; ops may have been inserted then, too.
Operation *buildContribAttention(Operation *op, ContribCall &call,
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
  /// Puts heads before rows in key and value.
  void putHeadsFirst();
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

/// Returns the match of the result of an op that buildContribAttention() has
/// inserted, or null with a reason.
std::unique_ptr<Attention> matchContrib(Elements &elements, Value result,
                                        const ContribCall &call,
                                        std::string &reason);

/// The ops on builtin tensors that are inserted before an op of ONNX which is
/// to be raised: a torch.operator, or an op of com.microsoft. They are erased
/// with this object, unless replace() was called.
class OperatorTensors {
public:
  explicit OperatorTensors(Operation *op) : op(op) {}
  ~OperatorTensors();

  /// Inserts the ops, and lets uses of the op's results read those of the new
  /// ops. Returns the result that is to be raised, or null with a reason.
  Value build(std::string &reason);
  /// The call that the result is of; null for ONNX's own attention.
  const ContribCall *getCall() const { return isContrib ? &call : nullptr; }
  /// Erases the op, whose result was raised.
  void replace();

private:
  Operation *op;
  ContribCall call;
  bool isContrib = false;
  Value output;
  SmallVector<Operation *> made;
  SmallVector<Value> replacements;
  /// The uses of the op's results, with their numbers, which read the new
  /// tensors.
  SmallVector<std::pair<OpOperand *, unsigned>> uses;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_CONTRIBATTENTION_H
