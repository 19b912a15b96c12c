//===- Attn.h - The attn dialect --------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTN_H
#define ATTN_DIALECT_ATTN_IR_ATTN_H

#include "attn/Dialect/Attn/IR/AttnInterfaces.h"
#include "attn/Dialect/Attn/IR/ExtraOperands.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "attn/Dialect/Attn/IR/AttnDialect.h.inc"
#include "attn/Dialect/Attn/IR/AttnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnAttrs.h.inc"

namespace mlir::attn {

inline constexpr Gradients kAllGradients =
    Gradients::Query | Gradients::Key | Gradients::Value;

/// The role of an array of an op, or of an array's gradient, from which its
/// sizes follow. `Row` has a number for each query row, `Sink` one for each
/// query head. The sizes of `Extra` are those of its row of the table in
/// ExtraOperands.h; `QueryColumns` and `KeyColumns` are query_rope and
/// key_rope, further columns of query and key.
enum class ArrayKind {
  Query,
  Key,
  Value,
  Output,
  Row,
  Sink,
  Capture,
  Extra,
  QueryColumns,
  KeyColumns
};

/// An array operand or result of an op, with the name that messages use.
struct NamedArray {
  StringRef name;
  ArrayKind kind;
  Value value;
  bool isOut = false;
  int64_t captureRank = 0;

  /// Whether the array's heads and length are those of keys; else they are
  /// those of the query.
  bool isOfKeys() const {
    return kind == ArrayKind::Key || kind == ArrayKind::Value ||
           kind == ArrayKind::KeyColumns;
  }
  /// Whether the array is query_rope or key_rope, or a gradient of one of
  /// these, which hold further columns of query and key.
  bool hasFurtherColumns() const { return kind >= ArrayKind::QueryColumns; }
  /// Whether the array's last dimension is a head dim, or a part of one.
  bool hasHeadDim() const {
    return kind < ArrayKind::Row || hasFurtherColumns();
  }
  /// Whether the array's first dimensions are the batch entries, heads and
  /// length of query or key. False for further columns, although they have
  /// these, too.
  bool hasLength() const { return kind <= ArrayKind::Row; }
  int64_t getRank() const {
    if (kind == ArrayKind::Capture)
      return captureRank;
    if (kind == ArrayKind::Extra)
      return cast<ShapedType>(value.getType()).getRank();
    return hasHeadDim() ? 4 : hasLength() ? 3 : 1;
  }
};

/// An array of a row-wise op, with its name in messages.
struct ArrayOperand {
  std::string name;
  Value value;
  int64_t rank;
  /// The element types that the array may have.
  SmallVector<Type, 3> elements;
  /// Whether the array's last dimension is a head dim, which must be static.
  bool hasHeadDim = false;
};

/// Two sizes that must be equal, and what they count, for messages.
struct EqualSizes {
  struct Dim {
    std::string name;
    Value value;
    int64_t dim;
    /// If `part` is more than 1, the elements form groups of `part` elements
    /// (the last one may be smaller), and the numbers of groups must be equal.
    int64_t part = 1;

    /// Returns the number that must be equal: of elements or, if `part` is more
    /// than 1, of groups. It is ShapedType::kDynamic if it is not static.
    int64_t getStatic() const;
  };
  StringRef what;
  Dim lhs, rhs;
};

/// The number of rows and columns of a cell, the part of an array that one
/// element of its summary describes.
inline constexpr int64_t kSummaryCell = 64;
/// Adds to `sizes`, for each dimension of the array, the pair of sizes that
/// must be equal for a summary to fit it: the sizes themselves or, in the last
/// two dimensions, the array's number of cells and the summary's size. The two
/// names are used in messages.
void addSummarySizes(Value array, StringRef arrayName, Value summary,
                     StringRef summaryName, SmallVectorImpl<EqualSizes> &sizes);

/// The number of arguments of a region before its captures: the score, which
/// mask regions lack, and b, h, i, j.
inline constexpr unsigned kNumScoreArguments = 5, kNumMaskArguments = 4;

namespace detail {
double getScale(FloatAttr scale, int64_t headDim);
/// Returns the number of columns of an extra operand of rank 4, or 0 for other
/// ranks.
int64_t getColumns(const ExtraOperand &operand);
int64_t getDropoutThreshold(FloatAttr probability);
OpFoldResult getLength(OpBuilder &builder, Value array);
OpFoldResult getKvLength(OpBuilder &builder, Value key, Value pages);
OpFoldResult getOriginOrZero(OperandRange origin, unsigned i,
                             MLIRContext *context);
} // namespace detail

} // namespace mlir::attn

#include "attn/Dialect/Attn/IR/AttnOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnOps.h.inc"

namespace mlir::attn {

/// Returns the pairs of sizes that must be equal for an extra operand (`lhs`)
/// to fit the array that it belongs to (`rhs`): batch sizes, head counts,
/// numbers of rows or of groups of rows, and head dims. Dimensions of a scale
/// whose type has size 1 fit any size. Returns no pair if the op lacks the
/// operand.
SmallVector<EqualSizes> getExtraSizes(AttentionInterface op, Extra which);

/// Returns the element type that the op's MMAs multiply, to which probabilities
/// and gradients of scores are rounded: that of the query or, if the query has
/// 8 bits, the type of 16 bits to which it is extended.
Type getComputeType(AttentionInterface op);

/// Returns why several programs cannot divide the keys of a row of the op
/// (split-KV), or "" if they can.
std::string findUnsplittable(AttentionInterface op);

/// Whether dividing keys among programs is possible and worthwhile: the op has
/// 1 to 16 rows, and keys that are more than 256, of dynamic number, or in
/// pages.
bool mayDivideKeys(AttentionInterface op);

/// The largest head dim of keys and values that all tile programs support, and
/// the largest ones, of keys and of values, that programs of 16-bit elements
/// and row-wise ops support.
inline constexpr int64_t kMaxHeadDim = 256, kMaxWideHeadDim = 576,
                         kMaxWideValueDim = 512;

/// The number of columns of the tiles of keys and of values in a forward
/// program: the head dims, padded as copies and MMAs require.
struct HeadDimTiles {
  int64_t key = 0, value = 0;
  /// Whether values are columns of the tile of keys.
  bool isWithin = false;
};
HeadDimTiles getHeadDimTiles(AttentionOp op, TileSizesAttrInterface schedule);

/// Fails with an error at the op if one of its head dims is larger than the
/// limits above.
LogicalResult checkHeadDims(AttentionInterface op);
LogicalResult checkHeadDims(RowwiseInterface op);

/// Returns the number of rows of a tile: `largest` or, if a static length is
/// less, that length rounded up to a multiple of 16, and at least 16.
int64_t fitTile(int64_t largest, int64_t length);

/// The attribute with the reasons why the schedule was chosen, sentences for
/// people in an array of strings. Passes copy it together with the schedule.
inline constexpr StringLiteral kReasonsAttrName = "attn.reasons";

/// The same for the op's fallback.
inline constexpr StringLiteral kFallbackReasonsAttrName =
    "attn.fallback_reasons";

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_ATTN_H
