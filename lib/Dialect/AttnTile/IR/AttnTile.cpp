//===- AttnTile.cpp - The attn_tile dialect -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/RowScatter.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/HalfBytes.h"
#include "attn/Support/Inlining.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_tile;

#include "attn/Dialect/AttnTile/IR/AttnTileDialect.cpp.inc"
#include "attn/Dialect/AttnTile/IR/AttnTileEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileTypes.cpp.inc"

/// Parses the sources of a load whose tile consists of several parts, each
/// source with its indices.
static ParseResult
parseParts(OpAsmParser &parser,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &sources,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices) {
  return parser.parseCommaSeparatedList([&] {
    return failure(
        parser.parseOperand(sources.emplace_back()) ||
        parser.parseOperandList(indices, OpAsmParser::Delimiter::Square));
  });
}

static void printParts(OpAsmPrinter &printer, LoadOp op, OperandRange sources,
                       OperandRange indices) {
  size_t perPart = indices.size() / sources.size();
  llvm::interleaveComma(llvm::enumerate(sources), printer, [&](auto part) {
    printer << part.value() << '['
            << indices.slice(part.index() * perPart, perPart) << ']';
  });
}

/// Parses the memref type that all sources of a load have.
static ParseResult
parsePartTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types,
               ArrayRef<OpAsmParser::UnresolvedOperand> sources) {
  Type type;
  if (parser.parseType(type))
    return failure();
  types.assign(sources.size(), type);
  return success();
}

static void printPartTypes(OpAsmPrinter &printer, LoadOp, TypeRange types,
                           OperandRange) {
  printer << types.front();
}

/// The name of the role that computes a product marked `apart`, if the text of
/// the attn_tile.dot names no role.
static constexpr StringLiteral kMultiplier = "multiplier";

static ParseResult parseRole(OpAsmParser &parser, StringAttr &role) {
  std::string name = kMultiplier.str();
  if (succeeded(parser.parseOptionalEqual()) && parser.parseString(&name))
    return failure();
  role = parser.getBuilder().getStringAttr(name);
  return success();
}

static void printRole(OpAsmPrinter &printer, DotOp, StringAttr role) {
  if (role == kMultiplier)
    return;
  printer << " = ";
  printer.printString(role);
}

#define GET_OP_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileOps.cpp.inc"

void AttnTileDialect::initialize() {
  addInterfaces<attn::InlineAnywhere>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "attn/Dialect/AttnTile/IR/AttnTileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/AttnTile/IR/AttnTileOps.cpp.inc"
      >();
}

/// Verifies that a memref holds integers or floats. Elements of type index,
/// whose size is not fixed, must be cast before they are stored.
static LogicalResult verifyStored(Operation *op, MemRefType memory) {
  if (memory.getElementType().isIntOrFloat())
    return success();
  return op->emitOpError("expected a memref of integers or floats, found ")
         << memory;
}

LogicalResult attn_tile::verifyAccess(Operation *op, MemRefType view,
                                      OperandRange indices,
                                      RankedTensorType tile) {
  if (static_cast<int64_t>(indices.size()) != view.getRank())
    return op->emitOpError("expected ")
           << view.getRank() << " indices, one for each dimension of " << view
           << ", found " << indices.size();
  if (view.getRank() < tile.getRank())
    return op->emitOpError("expected a memref of rank ")
           << tile.getRank() << " or more for a tile of type " << tile
           << ", found rank " << view.getRank();
  if (view.getElementType() != tile.getElementType())
    return op->emitOpError("expected the tile's element type to be ")
           << view.getElementType() << ", as the memref's, found "
           << tile.getElementType();
  return verifyStored(op, view);
}

LogicalResult attn_tile::verifyRowList(Operation *op, Value list, Value entry,
                                       int64_t parts, RankedTensorType tile) {
  if (bool(list) != bool(entry))
    return op->emitOpError("expected a list of rows and a position in it, "
                           "found one without the other");
  if (!list)
    return success();
  if (parts != 1)
    return op->emitOpError("expected one part beside a list of rows, found ")
           << parts;
  if (tile.getRank() != 2)
    return op->emitOpError("expected a tile of rank 2 beside a list of rows, "
                           "found ")
           << tile;
  return success();
}

RankedTensorType LoadOp::getPartType() {
  RankedTensorType tile = getResult().getType();
  SmallVector<int64_t> shape(tile.getShape());
  shape.front() /= getNumParts();
  return RankedTensorType::get(shape, tile.getElementType(),
                               tile.getEncoding());
}

LogicalResult LoadOp::verify() {
  if (getSources().empty())
    return emitOpError("expected a source");
  MemRefType source = getSource().getType();
  RankedTensorType tile = getResult().getType();
  int64_t parts = getNumParts();
  if (failed(verifyRowList(*this, getList(), getEntry(), parts, tile)))
    return failure();
  if (parts == 1)
    return verifyAccess(*this, source, getIndices(), tile);
  if (!llvm::all_equal(getSources().getTypes()))
    return emitOpError("expected sources of one type, found ")
           << getSources().getTypes();
  if (tile.getRank() != 2 || tile.getDimSize(0) % parts != 0)
    return emitOpError("expected a tile of rank 2 with equal numbers of rows "
                       "in each of ")
           << parts << " parts, found " << tile;
  int64_t numIndices = getIndices().size();
  if (numIndices != parts * source.getRank())
    return emitOpError("expected ")
           << source.getRank() << " indices for each of " << parts
           << " parts, found " << numIndices << " in all";
  return verifyAccess(*this, source, getIndicesOfPart(0), tile);
}

void LoadOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &source : getSourcesMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &source);
  for (OpOperand &list : getListMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &list);
}

/// Verifies a gather or scatter, which reads or writes a tile or a scalar at
/// computed indices. It must have an index for each dimension of the memref,
/// and elements of the memref's type. Each index must be a scalar or, for a
/// tile, may be a tile of the shape of `elements`.
static LogicalResult verifyPlaces(Operation *op, MemRefType memory,
                                  ValueRange indices, Type elements,
                                  std::optional<int64_t> count = {}) {
  Type element = getElementTypeOrSelf(elements);
  int64_t found = count.value_or(indices.size());
  if (found != memory.getRank())
    return op->emitOpError("expected ")
           << memory.getRank() << " indices for a memref of rank "
           << memory.getRank() << ", found " << found;
  if (memory.getElementType() != element)
    return op->emitOpError("expected elements of ")
           << memory.getElementType() << ", as the memref's, found " << element;
  auto tile = dyn_cast<RankedTensorType>(elements);
  for (Value index : indices) {
    auto type = dyn_cast<RankedTensorType>(index.getType());
    if (!type)
      continue;
    if (!tile)
      return op->emitOpError("expected scalar indices for a scalar, found ")
             << type;
    if (Type wanted = tile.clone(IndexType::get(op->getContext()));
        type != wanted)
      return op->emitOpError("expected tiles of indices of type ")
             << wanted << ", found " << type;
  }
  return verifyStored(op, memory);
}

LogicalResult GatherOp::verify() {
  if (getBeside() && !isa<RankedTensorType>(getResult().getType()))
    return emitOpError("expected a tile with 'beside', found ")
           << getResult().getType();
  return verifyPlaces(*this, getSource().getType(), getIndices(),
                      getResult().getType());
}

void GatherOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

/// Verifies that an op with `add` has elements of f32, the only type that
/// targets add in memory.
static LogicalResult verifyAdded(Operation *op, bool isAdded, Type element) {
  if (isAdded && !element.isF32())
    return op->emitOpError("expected elements of f32 with add, found ")
           << element;
  return success();
}

/// Adds the effects of a store: it writes to memory and, with `add`, reads it.
static void
addStoreEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects,
                OpOperand &destination, bool isAdded) {
  effects.emplace_back(MemoryEffects::Write::get(), &destination);
  if (isAdded)
    effects.emplace_back(MemoryEffects::Read::get(), &destination);
}

/// Verifies the indices of a scatter of rows, which must not have `add`. Each
/// index is a scalar or a vector with an index for each row. The last one, the
/// first column of the rows, must be a scalar.
static LogicalResult verifyRowPlaces(ScatterOp op) {
  RankedTensorType tile = op.getTile().getType();
  if (op.getAdd())
    return op.emitOpError("expected tiles of indices beside 'add', found "
                          "vectors of an index for each row");
  auto wanted = RankedTensorType::get({tile.getDimSize(0)},
                                      IndexType::get(op.getContext()));
  for (Value index : op.getIndices()) {
    auto type = dyn_cast<RankedTensorType>(index.getType());
    // The types of vectors of indices are compared without their encodings,
    // since the vectors may have any layout.
    if (type &&
        RankedTensorType::get(type.getShape(), type.getElementType()) != wanted)
      return op.emitOpError("expected vectors of an index for each row, of "
                            "type ")
             << wanted << ", found " << type;
  }
  if (isa<RankedTensorType>(op.getIndices().back().getType()))
    return op.emitOpError("expected the last index, the first column of rows, "
                          "to be a scalar, found ")
           << op.getIndices().back().getType();
  return success();
}

LogicalResult ScatterOp::verify() {
  if (failed(
          verifyAdded(*this, getAdd(), getTile().getType().getElementType())))
    return failure();
  if (!scattersRows(*this))
    return verifyPlaces(*this, getDestination().getType(), getIndices(),
                        getTile().getType());
  if (failed(verifyPlaces(*this, getDestination().getType(), {},
                          getTile().getType(), getIndices().size())))
    return failure();
  return verifyRowPlaces(*this);
}

void ScatterOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addStoreEffects(effects, getDestinationMutable(), getAdd());
}

LogicalResult StoreOp::verify() {
  if (getApart() && !getAdd())
    return emitOpError("expected 'add' beside 'apart', found none");
  if (failed(
          verifyAdded(*this, getAdd(), getTile().getType().getElementType())))
    return failure();
  return verifyAccess(*this, getDestination().getType(), getIndices(),
                      getTile().getType());
}

void StoreOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addStoreEffects(effects, getDestinationMutable(), getAdd());
}

//===----------------------------------------------------------------------===//
// Numbers of 4 bits
//===----------------------------------------------------------------------===//

void BytesOp::build(OpBuilder &, OperationState &state, Value source) {
  state.addOperands(source);
  state.addTypes(attn::getBytesType(cast<MemRefType>(source.getType())));
}

Value BytesOp::getViewSource() { return getSource(); }

LogicalResult BytesOp::verify() {
  MemRefType source = getSource().getType(),
             expected = attn::getBytesType(source);
  if (!expected)
    return emitOpError("expected an array of i4 with contiguous columns, and "
                       "an even number of them, offset and other strides, "
                       "found ")
           << source;
  if (getResult().getType() != expected)
    return emitOpError("expected a result of type ")
           << expected << ", found " << getResult().getType();
  return success();
}

LogicalResult UnpackOp::verify() {
  RankedTensorType bytes = getBytes().getType(), result = getResult().getType();
  Type element = result.getElementType();
  if (!bytes.getElementType().isSignlessInteger(8))
    return emitOpError("expected bytes of i8, found ")
           << bytes.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return emitOpError("expected numbers of f16, bf16 or f32, found ")
           << element;
  if (result.getDimSize(0) != bytes.getDimSize(0) ||
      result.getDimSize(1) != 2 * bytes.getDimSize(1))
    return emitOpError("expected a result of ")
           << bytes.getDimSize(0) << "x" << 2 * bytes.getDimSize(1)
           << ", two numbers a byte, found " << result;
  return success();
}
