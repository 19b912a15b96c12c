//===- Sequences.cpp - Lengths, packed sequences and pages ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

using namespace mlir;
using namespace mlir::attn;

ParseResult mlir::attn::parseLengths(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths,
    SmallVectorImpl<Type> &types) {
  if (parser.parseOperandList(lengths))
    return failure();
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseTypeList(types);
  types.assign(lengths.size(), parser.getBuilder().getIndexType());
  return success();
}

void mlir::attn::printLengths(OpAsmPrinter &printer, Operation *,
                              OperandRange lengths, TypeRange types) {
  printer << lengths;
  if (!llvm::all_of(types, llvm::IsaPred<IndexType>))
    printer << " : " << types;
}

/// Verifies an array of i32, such as lengths: it must be a memref if the query
/// is one, otherwise a tensor, and have the given rank.
static LogicalResult verifyNumbers(AttentionInterface op, StringRef name,
                                   Value array, int64_t rank) {
  auto type = cast<ShapedType>(array.getType());
  if (failed(verifyKind(op, name, type)))
    return failure();
  if (type.getRank() == rank && type.getElementType().isSignlessInteger(32))
    return success();
  return op->emitOpError("expected ")
         << name << " to be an array of i32 of rank " << rank << ", found "
         << type;
}

static LogicalResult verifySize(AttentionInterface op, StringRef name,
                                Value array, int64_t expected, StringRef what) {
  int64_t size = cast<ShapedType>(array.getType()).getDimSize(0);
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(expected) ||
      size == expected)
    return success();
  return op->emitOpError("expected ")
         << name << " of " << what << ", " << expected << ", found " << size;
}

std::string mlir::attn::findUnsplittable(AttentionInterface op) {
  if (!isa<AttentionOp>(op.getOperation()))
    return "gradients have no split_kv";
  if (!op.getPacked().empty())
    return "split_kv is not for packed sequences";
  return "";
}

bool mlir::attn::mayDivideKeys(AttentionInterface op) {
  constexpr int64_t kFewRows = 16, kFewKeys = 256;
  int64_t rows = op.getQueryType().getDimSize(2);
  int64_t keys = op.getKeyType().getDimSize(2);
  bool areFew = ShapedType::isDynamic(rows) ? op.getFewRows()
                                            : rows >= 1 && rows <= kFewRows;
  return findUnsplittable(op).empty() && areFew &&
         (ShapedType::isDynamic(keys) || keys > kFewKeys || op.getPages());
}

static LogicalResult verifyPacked(AttentionInterface op) {
  OperandRange packed = op.getPacked();
  if (packed.empty())
    return success();
  if (packed.size() != 2)
    return op->emitOpError("expected 2 arrays of cumulative lengths (query, "
                           "key), found ")
           << packed.size();
  static constexpr StringLiteral kNames[] = {
      "the cumulative lengths of the query", "the cumulative lengths of the "
                                             "key"};
  for (auto [name, array] : llvm::zip(kNames, packed)) {
    if (failed(verifyNumbers(op, name, array, 1)))
      return failure();
    if (cast<ShapedType>(array.getType()).getDimSize(0) == 0)
      return op->emitOpError("expected ") << name << " to have a number at "
                                          << "least, found none";
  }
  if (failed(verifySize(op, kNames[1], packed[1],
                        cast<ShapedType>(packed[0].getType()).getDimSize(0),
                        "as many numbers as those of the query")))
    return failure();
  if (int64_t batch = op.getQueryType().getDimSize(0);
      !ShapedType::isDynamic(batch) && batch != 1)
    return op->emitOpError("expected a batch size of 1 where sequences are "
                           "packed, found ")
           << batch;
  StringRef other = !op.getLengths().empty()  ? "lengths"
                    : !op.getOrigin().empty() ? "an origin"
                    : op.getPages()           ? "pages"
                                              : "";
  if (!other.empty())
    return op->emitOpError("expected no ")
           << other.substr(other.starts_with("an ") ? 3 : 0)
           << " where sequences are packed, found " << other;
  return success();
}

LogicalResult mlir::attn::verifySequences(AttentionInterface op) {
  OperandRange lengths = op.getLengths();
  if (!lengths.empty() && lengths.size() != 2)
    return op->emitOpError("expected 2 lengths (query, key), found ")
           << lengths.size();
  int64_t batch = op.getQueryType().getDimSize(0);
  static constexpr StringLiteral kNames[] = {"the lengths of the query",
                                             "the lengths of the key"};
  for (unsigned i = 0; i < lengths.size(); ++i)
    if (Value array = op.getLengthArray(i))
      if (failed(verifyNumbers(op, kNames[i], array, 1)) ||
          failed(verifySize(op, kNames[i], array, batch,
                            "as many numbers as batch entries")))
        return failure();
  if (Value pages = op.getPages())
    if (failed(verifyNumbers(op, "the table of pages", pages, 2)) ||
        failed(verifySize(op, "the table of pages", pages, batch,
                          "as many rows as batch entries")))
      return failure();
  return verifyPacked(op);
}
