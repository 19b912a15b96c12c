//===- AttnTile.cpp - The attn_tile dialect -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/HalfBytes.h"
#include "attn/Support/Inlining.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// Parses the parts of a tile: sources, each with its indices.
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

/// Parses the one type that all parts have.
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

/// The role of a product that is apart, where none is named.
static constexpr StringLiteral kMultiplier = "multiplier";

static ParseResult parseApart(OpAsmParser &parser, StringAttr &role) {
  if (failed(parser.parseOptionalKeyword("apart")))
    return success();
  std::string name = kMultiplier.str();
  if (succeeded(parser.parseOptionalEqual()) && parser.parseString(&name))
    return failure();
  role = parser.getBuilder().getStringAttr(name);
  return success();
}

static void printApart(OpAsmPrinter &printer, DotOp, StringAttr role) {
  if (!role)
    return;
  printer << "apart";
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

/// Verifies that memory holds integers or floats. An index, whose size is not
/// fixed, must be cast before it is stored.
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
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &source : getSourcesMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &source);
  for (OpOperand &list : getListMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &list);
}

/// Verifies an op that reads or writes a tile or a scalar at computed indices.
static LogicalResult verifyPlaces(Operation *op, MemRefType memory,
                                  ValueRange indices, Type elements) {
  Type element = getElementTypeOrSelf(elements);
  if (static_cast<int64_t>(indices.size()) != memory.getRank())
    return op->emitOpError("expected ")
           << memory.getRank() << " indices for a memref of rank "
           << memory.getRank() << ", found " << indices.size();
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
  return verifyPlaces(*this, getSource().getType(), getIndices(),
                      getResult().getType());
}

void GatherOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

/// Verifies that added elements are f32: no instruction adds others to memory.
static LogicalResult verifyAdded(Operation *op, bool isAdded, Type element) {
  if (isAdded && !element.isF32())
    return op->emitOpError("expected elements of f32 with add, found ")
           << element;
  return success();
}

/// Adds the effects of a store: it writes to memory and, with `add`, reads it.
static void addStoreEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects,
    OpOperand &destination, bool isAdded) {
  effects.emplace_back(MemoryEffects::Write::get(), &destination);
  if (isAdded)
    effects.emplace_back(MemoryEffects::Read::get(), &destination);
}

LogicalResult ScatterOp::verify() {
  if (failed(
          verifyAdded(*this, getAdd(), getTile().getType().getElementType())))
    return failure();
  return verifyPlaces(*this, getDestination().getType(), getIndices(),
                      getTile().getType());
}

void ScatterOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
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
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
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

//===----------------------------------------------------------------------===//
// Products and reductions
//===----------------------------------------------------------------------===//

LogicalResult attn_tile::verifyProduct(Operation *op, RankedTensorType lhs,
                                       RankedTensorType rhs,
                                       RankedTensorType acc, bool transposeLhs,
                                       bool transposeRhs) {
  Type element = lhs.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !attn::isFloat8(element))
    return op->emitOpError("expected lhs elements of f16, bf16, f32, f8E4M3FN "
                           "or f8E5M2, found ")
           << element;
  if (rhs.getElementType() != element)
    return op->emitOpError("expected rhs elements of ")
           << element << ", as lhs, found " << rhs.getElementType();
  if (!acc.getElementType().isF32())
    return op->emitOpError("expected accumulator elements of f32, found ")
           << acc.getElementType();

  int64_t m = lhs.getDimSize(transposeLhs ? 1 : 0);
  int64_t k = lhs.getDimSize(transposeLhs ? 0 : 1);
  int64_t rhsK = rhs.getDimSize(transposeRhs ? 1 : 0);
  int64_t n = rhs.getDimSize(transposeRhs ? 0 : 1);
  if (k != rhsK)
    return op->emitOpError("expected equal contraction sizes, found ")
           << k << " in lhs and " << rhsK << " in rhs";
  if (acc.getDimSize(0) != m || acc.getDimSize(1) != n)
    return op->emitOpError("expected an accumulator of ")
           << m << "x" << n << ", found " << acc.getDimSize(0) << "x"
           << acc.getDimSize(1);
  return success();
}

LogicalResult DotOp::verify() {
  if (getApart() == "")
    return emitOpError("expected the name of a role as 'apart', found none");
  return verifyProduct(*this, getLhs().getType(), getRhs().getType(),
                       getAccumulator().getType(), getTransposeLhs(),
                       getTransposeRhs());
}

LogicalResult attn_tile::verifySlice(Operation *op, RankedTensorType tile,
                                     RankedTensorType slice, uint64_t axis) {
  int64_t kept = tile.getDimSize(axis == 0 ? 1 : 0);
  if (slice.getDimSize(0) != kept)
    return op->emitOpError("expected a slice of ")
           << kept << " elements for axis " << axis << " of " << tile
           << ", found " << slice.getDimSize(0);
  if (slice.getElementType() != tile.getElementType())
    return op->emitOpError("expected equal element types, found ")
           << tile.getElementType() << " and " << slice.getElementType();
  return success();
}

LogicalResult attn_tile::verifyElements(Operation *op, ReduceKind kind,
                                        Type element) {
  if (isOfConditions(kind)) {
    if (!element.isInteger(1))
      return op->emitOpError("expected elements of i1 for ")
             << stringifyReduceKind(kind) << ", found " << element;
  } else if (!isa<FloatType>(element)) {
    return op->emitOpError("expected floating-point elements, found ")
           << element;
  } else if (attn::isFloat8(element)) {
    return op->emitOpError("expected elements of 16 bits or more to combine, "
                           "found ")
           << element;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyElements(*this, getKind(),
                            getInput().getType().getElementType())))
    return failure();
  return verifySlice(*this, getInput().getType(), getResult().getType(),
                     getAxis());
}

LogicalResult BroadcastOp::verify() {
  return verifySlice(*this, getResult().getType(), getInput().getType(),
                     getAxis());
}

LogicalResult CoordinateOp::verify() {
  RankedTensorType type = getResult().getType();
  Type element = type.getElementType();
  if (!element.isIndex() && !element.isSignlessInteger(32) &&
      !element.isSignlessInteger(64))
    return emitOpError("expected elements of i32, i64 or index, found ")
           << element;
  if (static_cast<int64_t>(getAxis()) >= type.getRank())
    return emitOpError("expected an axis below the rank of ")
           << type << ", found " << getAxis();
  if (std::optional<AffineMap> map = getMap();
      map && (map->getNumInputs() != 1 || map->getNumDims() != 1 ||
              map->getNumResults() != 1))
    return emitOpError("expected a map of one dimension and one result, found ")
           << getMapAttr();
  return success();
}

Value CoordinateOp::createElement(OpBuilder &b, Location loc, Value position) {
  if (std::optional<AffineMap> map = getMap())
    position = affine::AffineApplyOp::create(b, loc, *map, position);
  Type element = getResult().getType().getElementType();
  if (element.isIndex())
    return position;
  return arith::IndexCastOp::create(b, loc, element, position);
}

LogicalResult RandomKeepOp::verify() {
  RankedTensorType type = getResult().getType();
  if (!type.getElementType().isInteger(1))
    return emitOpError("expected elements of i1, found ")
           << type.getElementType();
  if (getThreshold() > 65536)
    return emitOpError("expected a threshold from 0 to 65536, found ")
           << static_cast<int64_t>(getThreshold());
  return success();
}

//===----------------------------------------------------------------------===//
// GridOp
//===----------------------------------------------------------------------===//

void GridOp::build(OpBuilder &b, OperationState &state, ValueRange sizes,
                   ArrayRef<int64_t> steps, Attribute schedule) {
  state.addOperands(sizes);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.steps = b.getDenseI64ArrayAttr(steps);
  properties.operandSegmentSizes = {int32_t(sizes.size()), 0};
  properties.schedule = schedule;
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(state.addRegion());
  for (unsigned i = 0; i < sizes.size(); ++i)
    body->addArgument(b.getIndexType(), state.location);
  YieldOp::create(b, state.location);
}

/// grid ::= `(` args `)` `to` `(` sizes `)` `step` `[` ints `]`
///          (`longest` (`first` | `last`))? (`shared` `[` ints `]`)?
///          (`position_bytes` operand)? (`schedule` attribute)? region
///          attr-dict
ParseResult GridOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> points;
  SmallVector<OpAsmParser::UnresolvedOperand> sizes;
  SmallVector<int64_t> steps, shared;
  Builder &b = parser.getBuilder();
  if (parser.parseArgumentList(points, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("to") ||
      parser.parseOperandList(sizes, points.size(),
                              OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("step") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(steps.emplace_back());
      }))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.steps = b.getDenseI64ArrayAttr(steps);
  properties.operandSegmentSizes = {int32_t(sizes.size()), 0};
  if (succeeded(parser.parseOptionalKeyword("longest"))) {
    SMLoc where = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Longest> longest = symbolizeLongest(word);
    if (!longest)
      return parser.emitError(where, "expected 'first' or 'last', found '")
             << word << "'";
    properties.longest = LongestAttr::get(b.getContext(), *longest);
  }
  if (succeeded(parser.parseOptionalKeyword("shared"))) {
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(shared.emplace_back());
        }))
      return failure();
    properties.shared = b.getDenseI64ArrayAttr(shared);
  }
  if (succeeded(parser.parseOptionalKeyword("position_bytes"))) {
    if (parser.parseOperand(sizes.emplace_back()))
      return failure();
    properties.operandSegmentSizes[1] = 1;
  }
  if (succeeded(parser.parseOptionalKeyword("schedule")) &&
      parser.parseAttribute(properties.schedule))
    return failure();
  for (OpAsmParser::Argument &point : points)
    point.type = b.getIndexType();
  Region *body = result.addRegion();
  // Sizes are resolved after the region: if the region defined one of their
  // names, the parser would replace an operand that no op has yet.
  if (parser.parseRegion(*body, points) ||
      parser.resolveOperands(sizes, b.getIndexType(), result.operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  ensureTerminator(*body, b, result.location);
  return success();
}

void GridOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer);
  printer << ") to (" << getSizes() << ") step [";
  llvm::interleaveComma(getSteps(), printer);
  printer << "]";
  if (std::optional<Longest> longest = getLongest())
    printer << " longest " << stringifyLongest(*longest);
  if (std::optional<ArrayRef<int64_t>> shared = getShared()) {
    printer << " shared [";
    llvm::interleaveComma(*shared, printer);
    printer << "]";
  }
  if (Value bytes = getPositionBytes())
    printer << " position_bytes " << bytes;
  if (getScheduleAttr())
    printer << " schedule " << getScheduleAttr();
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), getAttributeNames());
}

LogicalResult GridOp::verifyRegions() {
  if (getSizes().empty())
    return emitOpError("expected at least one dimension, found none");
  if (getSteps().size() != getSizes().size())
    return emitOpError("expected a step for each of ")
           << getSizes().size() << " sizes, found " << getSteps().size();
  if (llvm::any_of(getSteps(), [](int64_t step) { return step < 1; }))
    return emitOpError("expected steps of at least 1, found [")
           << getSteps() << "]";
  if (std::optional<ArrayRef<int64_t>> shared = getShared())
    for (int64_t dim : *shared)
      if (dim < 0 || dim >= int64_t(getSizes().size()) - 1)
        return emitOpError("expected shared dimensions before the last one, "
                           "found ")
               << dim;
  if (getBody().getNumArguments() != getSizes().size() ||
      !llvm::all_of(getBody().getArgumentTypes(), llvm::IsaPred<IndexType>))
    return emitOpError("expected an index in the body for each of ")
           << getSizes().size() << " sizes";
  if (getBody().front().getTerminator()->getNumOperands() != 0)
    return emitOpError("expected a body that yields nothing");
  return success();
}

//===----------------------------------------------------------------------===//
// Domains and loops over their blocks
//===----------------------------------------------------------------------===//

LogicalResult DomainType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t block) {
  if (block < 1)
    return emitError() << "expected blocks of at least one column, found "
                       << block;
  return success();
}

LogicalResult DomainOp::verifyRegions() {
  if (getColumns().getNumArguments() != 2 ||
      !llvm::all_of(getColumns().getArgumentTypes(), llvm::IsaPred<IndexType>))
    return emitOpError("expected a region of two indices, a range of rows, "
                       "found (")
           << getColumns().getArgumentTypes() << ")";
  if (!isa<DomainYieldOp>(getColumns().front().getTerminator()))
    return emitOpError("expected a region that ends with "
                       "attn_tile.domain_yield");
  return success();
}

void DomainListOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBlocksMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getPartialMutable());
}

SmallVector<Region *> ForBlocksOp::getLoopRegions() { return {&getBody()}; }

Block::BlockArgListType ForBlocksOp::getRegionIterArgs() {
  // This is also called before the op has been verified, when there may be
  // fewer arguments.
  Block::BlockArgListType arguments = getBody().getArguments();
  return arguments.drop_front(std::min<size_t>(arguments.size(), 2));
}

std::optional<MutableArrayRef<OpOperand>>
ForBlocksOp::getYieldedValuesMutable() {
  return getBody().front().getTerminator()->getOpOperands();
}

std::optional<ResultRange> ForBlocksOp::getLoopResults() {
  return getResults();
}

/// for_blocks ::= `(` position `,` partial `)` `of` domain
///                (`iter_args` `(` assignments `)` `->` `(` types `)`)?
///                `:` domain-type region attr-dict
ParseResult ForBlocksOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> arguments, carried;
  OpAsmParser::UnresolvedOperand domain;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
    return failure();
  if (arguments.size() != 2)
    return parser.emitError(parser.getNameLoc(),
                            "expected a position and whether it is partial, "
                            "found ")
           << arguments.size() << " arguments";
  if (parser.parseKeyword("of") || parser.parseOperand(domain))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("iter_args")) &&
      (parser.parseAssignmentList(carried, inits) ||
       parser.parseArrowTypeList(result.types)))
    return failure();
  Type domainType;
  if (parser.parseColonType(domainType))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (inits.size() != result.types.size())
    return parser.emitError(loc, "expected as many types as initial values, ")
           << inits.size() << ", found " << result.types.size();
  arguments[0].type = b.getIndexType();
  arguments[1].type = b.getI1Type();
  for (auto [argument, type] : llvm::zip_equal(carried, result.types)) {
    argument.type = type;
    arguments.push_back(argument);
  }
  Region *body = result.addRegion();
  // Operands are resolved after the region, as in GridOp::parse.
  if (parser.parseRegion(*body, arguments) ||
      parser.resolveOperand(domain, domainType, result.operands) ||
      parser.resolveOperands(inits, result.types, loc, result.operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  ensureTerminator(*body, b, result.location);
  return success();
}

void ForBlocksOp::print(OpAsmPrinter &printer) {
  printer << " (" << getPosition() << ", " << getPartial() << ") of "
          << getDomain();
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(
        llvm::zip(getRegionIterArgs(), getInits()), printer, [&](auto pair) {
          printer << std::get<0>(pair) << " = " << std::get<1>(pair);
        });
    printer << ") -> (" << getResultTypes() << ")";
  }
  printer << " : " << getDomain().getType() << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult ForBlocksOp::verifyRegions() {
  SmallVector<Type> expected = {IndexType::get(getContext()),
                                IntegerType::get(getContext(), 1)};
  llvm::append_range(expected, getInits().getTypes());
  if (getBody().getArgumentTypes() != TypeRange(expected))
    return emitOpError("expected a body of (")
           << expected << "), found (" << getBody().getArgumentTypes() << ")";
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (yield.getOperandTypes() != getResultTypes())
    return yield.emitOpError("expected to yield (")
           << getResultTypes() << "), found (" << yield.getOperandTypes()
           << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t rows, FloatAttr factor) {
  if (rows < 1)
    return emitError() << "expected at least one row, found " << rows;
  // The constants that the recurrence derives from the factor must be normal
  // numbers.
  double value = factor.getValueAsDouble();
  if (!factor.getType().isF64() || !(value > 0x1p-90 && value < 0x1p90))
    return emitError() << "expected an f64 'factor' between 2^-90 and 2^90, "
                          "found "
                       << factor;
  return success();
}

LogicalResult SoftmaxUpdateOp::verify() {
  RankedTensorType scores = getScores().getType();
  RankedTensorType probabilities = getProbabilities().getType();
  SoftmaxType state = getState().getType();
  if (!scores.getElementType().isF32())
    return emitOpError("expected scores of f32, found ")
           << scores.getElementType();
  if (scores.getDimSize(0) != state.getRows())
    return emitOpError("expected scores of ")
           << state.getRows() << " rows, as the state's, found "
           << scores.getDimSize(0);
  Type element = probabilities.getElementType();
  if (probabilities.getShape() != scores.getShape() ||
      !(element.isF16() || element.isBF16() || element.isF32() ||
        isa<Float8E4M3FNType>(element)))
    return emitOpError("expected probabilities of the scores' shape and f16, "
                       "bf16, f32 or f8E4M3FN, found ")
           << probabilities;
  if (getNewState().getType() != state)
    return emitOpError("expected a new state of type ")
           << state << ", found " << getNewState().getType();
  if (getAccumulators().getTypes() != getRescaled().getTypes())
    return emitOpError("expected a result for each accumulator, of its type");
  for (Value accumulator : getAccumulators()) {
    auto type = cast<RankedTensorType>(accumulator.getType());
    if (type.getDimSize(0) != state.getRows() || !type.getElementType().isF32())
      return emitOpError("expected accumulators of ")
             << state.getRows() << " rows of f32, found " << type;
  }
  return success();
}

LogicalResult SoftmaxFinishOp::verify() {
  if (Value sink = getSink()) {
    auto type = cast<RankedTensorType>(sink.getType());
    if (type.getDimSize(0) != getState().getType().getRows() ||
        !type.getElementType().isF32())
      return emitOpError("expected a sink of ")
             << getState().getType().getRows() << " x f32, found " << type;
  }
  for (Value result : getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getDimSize(0) != getState().getType().getRows() ||
        !type.getElementType().isF32())
      return emitOpError("expected results of ")
             << getState().getType().getRows() << " x f32, found " << type;
  }
  return success();
}
