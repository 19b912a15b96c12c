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

/// What an array, or the gradient of one, is like. Rows have a number each, and
/// a sink has one for each query head. An extra operand's sizes are those of
/// its row of the table in ExtraOperands.h; some have further columns of the
/// query or the key.
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

/// An array of an op, by the name that messages call it.
struct NamedArray {
  StringRef name;
  ArrayKind kind;
  Value value;
  bool isOut = false;
  int64_t captureRank = 0;

  /// Whether its heads and lengths are those of keys, else of the query.
  bool isOfKeys() const {
    return kind == ArrayKind::Key || kind == ArrayKind::Value ||
           kind == ArrayKind::KeyColumns;
  }
  /// Whether it has further columns of the query or the key.
  bool hasFurtherColumns() const { return kind >= ArrayKind::QueryColumns; }
  /// Whether its last dimension is a head dim, or a part of one.
  bool hasHeadDim() const {
    return kind < ArrayKind::Row || hasFurtherColumns();
  }
  /// Whether it has the batch entries, heads and length of query or key.
  bool hasLength() const { return kind <= ArrayKind::Row; }
  int64_t getRank() const {
    if (kind == ArrayKind::Capture)
      return captureRank;
    if (kind == ArrayKind::Extra)
      return cast<ShapedType>(value.getType()).getRank();
    return hasHeadDim() ? 4 : hasLength() ? 3 : 1;
  }
};

/// An array of an op on rows, with its name in messages.
struct ArrayOperand {
  std::string name;
  Value value;
  int64_t rank;
  /// The element types that the array may have.
  SmallVector<Type, 3> elements;
  /// Whether its last dimension is a head dim, which is static.
  bool hasHeadDim = false;
};

/// Two sizes that must be equal, and what they count.
struct EqualSizes {
  struct Dim {
    std::string name;
    Value value;
    int64_t dim;
    /// If more than 1, what must be equal is the number of groups of this many
    /// elements of the dimension; the last group may be smaller.
    int64_t part = 1;

    /// The number of elements or groups; dynamic if the size is.
    int64_t getStatic() const;
  };
  StringRef what;
  Dim lhs, rhs;
};

/// Rows and columns of a cell: the part of an array that one element of its
/// summary describes.
inline constexpr int64_t kSummaryCell = 64;
/// Adds the sizes that a summary must have for its array. The names are those
/// of the two in messages.
void addSummarySizes(Value array, StringRef arrayName, Value summary,
                     StringRef summaryName, SmallVectorImpl<EqualSizes> &sizes);

/// Arguments of regions before the captures: the score, where there is one, and
/// b, h, i, j.
inline constexpr unsigned kNumScoreArguments = 5, kNumMaskArguments = 4;

namespace detail {
double getScale(FloatAttr scale, int64_t headDim);
/// The columns of an array of rank 4, or 0.
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

/// Returns the sizes of an extra operand that must equal those of the array
/// that it belongs to, which are `rhs`.
SmallVector<EqualSizes> getExtraSizes(AttentionInterface op, Extra which);

/// The element type of the op's products, to which probabilities and gradients
/// of scores are rounded: query's, or one of 16 bits to which a query of 8 bits
/// is extended.
Type getComputeType(AttentionInterface op);

/// Returns why the keys of a row of the op cannot be divided among programs, or
/// "".
std::string findUnsplittable(AttentionInterface op);

/// Whether that is worth while: there are few rows, and there may be many keys.
bool mayDivideKeys(AttentionInterface op);

/// The largest head dim of keys and values that all tile programs support; and
/// the largest ones, of keys and of values, of programs on elements of 16 bits
/// and of ops on rows.
inline constexpr int64_t kMaxHeadDim = 256, kMaxWideHeadDim = 576,
                         kMaxWideValueDim = 512;

/// How many columns the tiles of keys and of values have in a forward program:
/// the head dims, padded to what its copies and MMAs take.
struct HeadDimTiles {
  int64_t key = 0, value = 0;
  /// Whether values are columns of the tile of keys.
  bool isWithin = false;
};
HeadDimTiles getHeadDimTiles(AttentionOp op, TileSizesAttrInterface schedule);

/// Fails with an error at the op if one of its head dims is larger.
LogicalResult checkHeadDims(AttentionInterface op);
LogicalResult checkHeadDims(RowwiseInterface op);

/// Rows of a tile: `largest`, or what a shorter static length needs.
int64_t fitTile(int64_t largest, int64_t length);

/// Why it is this one, as sentences for people: an array of strings that goes
/// where the schedule goes.
inline constexpr StringLiteral kReasonsAttrName = "attn.reasons";

/// The same for the op's fallback.
inline constexpr StringLiteral kFallbackReasonsAttrName =
    "attn.fallback_reasons";

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_ATTN_H
