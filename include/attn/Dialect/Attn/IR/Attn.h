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

/// The role of an array that an op has as an operand, or of such an array's
/// gradient. The array's sizes follow from its role. `Row` has one number for
/// each row of each query head (such as lse), `Sink` one for each query head.
/// `Extra` has the sizes that the table in ExtraOperands.h states.
/// `QueryColumns` and `KeyColumns` are query_rope and key_rope, which are
/// further columns of query and key.
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

/// An array that is an operand or a result of an op, with the name that error
/// messages use for it.
struct NamedArray {
  StringRef name;
  ArrayKind kind;
  Value value;
  bool isOut = false;
  int64_t captureRank = 0;

  /// Whether the array has the heads and the length of the keys. Otherwise it
  /// has those of the query.
  bool isOfKeys() const {
    return kind == ArrayKind::Key || kind == ArrayKind::Value ||
           kind == ArrayKind::KeyColumns;
  }
  /// Whether the array is query_rope or key_rope, which hold further columns of
  /// query and key, or a gradient of one of these.
  bool hasFurtherColumns() const { return kind >= ArrayKind::QueryColumns; }
  /// Whether the last dimension of the array is a head dim or a part of one.
  bool hasHeadDim() const {
    return kind < ArrayKind::Row || hasFurtherColumns();
  }
  /// Whether the array's first dimensions are the batch entries, heads and
  /// length of query or key. Returns false for query_rope, key_rope and their
  /// gradients, although they have these dimensions, since other functions
  /// check them.
  bool hasLength() const { return kind <= ArrayKind::Row; }
  int64_t getRank() const {
    if (kind == ArrayKind::Capture)
      return captureRank;
    if (kind == ArrayKind::Extra)
      return cast<ShapedType>(value.getType()).getRank();
    return hasHeadDim() ? 4 : hasLength() ? 3 : 1;
  }
};

/// An array that is an operand of a row-wise op, with the name that error
/// messages use for it.
struct ArrayOperand {
  std::string name;
  Value value;
  int64_t rank;
  /// The element types that the array may have.
  SmallVector<Type, 3> elements;
  /// Whether the last dimension of the array is a head dim. A head dim must be
  /// static.
  bool hasHeadDim = false;
  /// Whether the array's innermost stride may be any; else it must be 1.
  bool hasAnyStride = false;
};

/// Two sizes of dimensions that must be equal, and a text for error messages
/// that says what the sizes count.
struct EqualSizes {
  struct Dim {
    std::string name;
    Value value;
    int64_t dim;
    /// The number of elements in a group. If it is more than 1, the dimension's
    /// elements form groups (the last one may be smaller), and the number of
    /// groups is compared instead of the number of elements.
    int64_t part = 1;

    /// Returns the number that is compared: of elements or, if `part` is more
    /// than 1, of groups (rounded up). Returns ShapedType::kDynamic if the size
    /// is dynamic.
    int64_t getStatic() const;
  };
  StringRef what;
  Dim lhs, rhs;
};

/// The number of rows of a cell, which is also its number of columns. A cell is
/// the part of an array that one element of the array's summary describes.
inline constexpr int64_t kSummaryCell = 64;
/// Adds to `sizes` the pairs of sizes that must be equal for a summary to fit
/// an array, one pair for each dimension. In the last two dimensions the
/// array's number of cells must equal the summary's size, and in the others the
/// two sizes must be equal. Error messages use the two names.
void addSummarySizes(Value array, StringRef arrayName, Value summary,
                     StringRef summaryName, SmallVectorImpl<EqualSizes> &sizes);

/// The number of arguments that a score region or a mask region has before its
/// captures. A score region has the score, b, h, i and j; a mask region lacks
/// the score.
inline constexpr unsigned kNumScoreArguments = 5, kNumMaskArguments = 4;

namespace detail {
double getScale(FloatAttr scale, int64_t headDim);
/// Returns the number of columns of an extra operand of rank 4. Returns 0 if
/// the operand has another rank or is absent.
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
/// to fit the array to which it belongs (`rhs`). The sizes are batch sizes,
/// head counts, numbers of rows or of groups of rows, and head dims. If a
/// dimension of a scale has the static size 1, it fits any size. Returns no
/// pairs if the op lacks the operand.
SmallVector<EqualSizes> getExtraSizes(AttentionInterface op, Extra which);

/// Returns the element type of the operands of the op's MMAs, to which
/// probabilities and gradients of scores are rounded. It is the query's type
/// or, if the query has 8 bits, the 16-bit type to which the query is extended.
Type getComputeType(AttentionInterface op);

/// Returns the reason why several programs cannot divide the keys of a row of
/// the op among them (split-KV). Returns an empty text if they can.
std::string findUnsplittable(AttentionInterface op);

/// Whether it is possible and worthwhile to divide the op's keys among
/// programs. Each head of the query must have 1 to 16 rows, or a dynamic number
/// of them if the op has `few_rows`. The keys must be more
/// than 256, of a dynamic number, or in pages.
bool mayDivideKeys(AttentionInterface op);

/// Limits of head dims. kMaxHeadDim is the largest head dim of keys and values
/// that all tile programs support. kMaxWideHeadDim (of keys) and
/// kMaxWideValueDim (of values) are the largest that row-wise ops and programs
/// which compute in 16 bits support.
inline constexpr int64_t kMaxHeadDim = 256, kMaxWideHeadDim = 576,
                         kMaxWideValueDim = 512;

/// The numbers of columns that the tiles of keys and of values have in a
/// forward program. They are the head dims, padded as copies and MMAs require.
struct HeadDimTiles {
  int64_t key = 0, value = 0;
  /// Whether the values are columns of the tile of keys instead of a tile of
  /// their own.
  bool isWithin = false;
};
HeadDimTiles getHeadDimTiles(AttentionOp op, TileSizesAttrInterface schedule);

/// Whether the table of pages is a list of the rows that hold an op's keys: a
/// page has one key, and the table is not statically empty.
bool hasRowList(AttentionInterface op);

/// Whether the schedule's copies take the rows of a tile of keys from such a
/// list (hasRowList()).
bool listsKeys(AttentionInterface op, TileSizesAttrInterface schedule);

/// Whether threads gather the keys of a tile one by one: keys are in pages, the
/// tile is neither a part of a page nor whole pages, and the table of pages is
/// no list of rows for the schedule's copies.
bool gathersKeys(AttentionInterface op, TileSizesAttrInterface schedule);

/// Fails with an error at the op if a head dim of the op is above its limit.
/// For attention, the limit is kMaxWideHeadDim or kMaxWideValueDim, and
/// kMaxHeadDim for both if the op computes in f32. For row-wise ops, it is
/// kMaxWideHeadDim.
LogicalResult checkHeadDims(AttentionInterface op);
LogicalResult checkHeadDims(RowwiseInterface op);

/// Returns the number of rows for a tile, given the largest allowed number and
/// the length of the dimension. It is `largest`, unless the length is static
/// and smaller: then it is the length rounded up to a multiple of 16, and at
/// least 16.
int64_t fitTile(int64_t largest, int64_t length);

/// The name of the attribute with the reasons why an op's schedule was chosen:
/// an array of strings, which are sentences for people. Passes copy it together
/// with the schedule.
inline constexpr StringLiteral kReasonsAttrName = "attn.reasons";

/// The name of the attribute with the reasons why an op's fallback schedule was
/// chosen: an array of strings, which are sentences for people.
inline constexpr StringLiteral kFallbackReasonsAttrName =
    "attn.fallback_reasons";

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_ATTN_H
