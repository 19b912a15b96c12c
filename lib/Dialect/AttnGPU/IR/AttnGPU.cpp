//===- AttnGPU.cpp - The attn_gpu dialect ---------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/IR/Registers.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/Inlining.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_gpu;

#include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.cpp.inc"

#include "attn/Dialect/AttnGPU/IR/AttnGPUEnums.cpp.inc"

#include "attn/Dialect/AttnGPU/IR/AttnGPUInterfaces.cpp.inc"

/// Parses the field `roles` of a schedule, for the generated parser of
/// #attn_gpu.schedule.
static ParseResult parseRoles(AsmParser &parser, RolesAttr &roles) {
  FailureOr<RolesAttr> found = RolesAttr::parseField(parser);
  if (succeeded(found))
    roles = *found;
  return failure(failed(found));
}

static void printRoles(AsmPrinter &printer, RolesAttr roles) {
  roles.printField(printer);
}

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.cpp.inc"

/// Parses the types after the ring's type in the text of a fill by threads,
/// each after a comma: first those of the memrefs to copy from, into `sources`.
/// If the fill has a list of rows (`listOperand` is set), the last type is that
/// of the list, and goes into `list`.
static ParseResult
parseViewTypes(OpAsmParser &parser, SmallVectorImpl<Type> &sources, Type &list,
               std::optional<OpAsmParser::UnresolvedOperand> listOperand) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseType(sources.emplace_back()))
      return failure();
  if (!listOperand)
    return success();
  if (sources.empty())
    return parser.emitError(parser.getNameLoc(),
                            "expected the type of the list of rows");
  list = sources.pop_back_val();
  return success();
}

static void printViewTypes(OpAsmPrinter &printer, FillOp, TypeRange sources,
                           Type list, Value) {
  for (Type type : sources)
    printer << ", " << type;
  if (list)
    printer << ", " << list;
}

#define GET_OP_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.cpp.inc"

void AttnGPUDialect::initialize() {
  addInterfaces<attn::InlineAnywhere>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.cpp.inc"
      >();
}

LogicalResult LocalStoreOp::verify() {
  RankedTensorType tile = getTile().getType(), result = getResult().getType();
  if (tile.getShape() != result.getShape() ||
      tile.getElementType() != result.getElementType())
    return emitOpError("expected to keep shape and element type, found ")
           << tile << " and " << result;
  if (!isa_and_nonnull<MmaLayoutAttr>(tile.getEncoding()))
    return emitOpError("expected a tile of layout mma, found ") << tile;
  if (!isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
          result.getEncoding()))
    return emitOpError("expected a result of layout shared or swizzled, found ")
           << result;
  return success();
}

LogicalResult ReduceColumnsOp::verify() {
  RankedTensorType input = getInput().getType(), result = getResult().getType();
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(input.getEncoding());
  if (!layout || !input.getElementType().isF32())
    return emitOpError("expected a tile of f32 and layout mma, found ")
           << input;
  if (attn_tile::isOfConditions(getKind()))
    return emitOpError("expected add or maxnum, found ")
           << attn_tile::stringifyReduceKind(getKind());
  auto slice = SliceLayoutAttr::getOf(layout, /*axis=*/0);
  if (result.getEncoding() != Attribute(slice))
    return emitOpError("expected a result of layout ")
           << slice << ", found " << result;
  return attn_tile::verifySlice(*this, input, result, /*axis=*/0);
}

OpFoldResult StartSumOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(getPart(), m_AnyZeroFloat()) ||
      matchPattern(adaptor.getContinues(), m_One()))
    return getPart();
  return {};
}

LogicalResult MmaOp::verify() {
  return attn_tile::verifyProduct(*this, getLhs().getType(), getRhs().getType(),
                                  getAccumulator().getType(), getTransposeLhs(),
                                  getTransposeRhs());
}

/// Verifies the operand and the result of an `attn_gpu.transpose`: a swizzled
/// tile, and an interleaved one with the same element type and the two sizes
/// interchanged. The tile must have a multiple of 32 rows, since one
/// instruction of a warp transposes 32, and of 64 columns, since the four warps
/// of a warpgroup together transpose 64 at a time.
static LogicalResult verifyTransposed(Operation *op, RankedTensorType tile,
                                      RankedTensorType result) {
  constexpr int64_t kRows = 32, kColumns = 64;
  auto layout = dyn_cast_or_null<SwizzledLayoutAttr>(tile.getEncoding()),
       ofResult = dyn_cast_or_null<SwizzledLayoutAttr>(result.getEncoding());
  if (!layout || layout.getInterleaved() || !ofResult ||
      !ofResult.getInterleaved())
    return op->emitOpError("expected a swizzled tile, and an interleaved one "
                           "as its transpose, found ")
           << tile << " and " << result;
  if (tile.getElementType() != result.getElementType() ||
      tile.getDimSize(0) != result.getDimSize(1) ||
      tile.getDimSize(1) != result.getDimSize(0))
    return op->emitOpError("expected a transpose of ")
           << tile << ", found " << result;
  if (tile.getDimSize(0) % kRows != 0 || tile.getDimSize(1) % kColumns != 0)
    return op->emitOpError("expected a multiple of ")
           << kRows << " rows and of " << kColumns
           << " columns to transpose, found " << tile;
  return success();
}

LogicalResult TransposeOp::verify() {
  return verifyTransposed(*this, getInput().getType(), getResult().getType());
}

LogicalResult ColumnsOp::verify() {
  RankedTensorType tile = getTile().getType(), result = getResult().getType();
  int64_t columns = result.getDimSize(1);
  auto first = static_cast<int64_t>(getFirst());
  int64_t last = tile.getDimSize(1) - columns;
  bool isToEnd = first == last;
  Attribute layout = tile.getEncoding();
  auto padded = dyn_cast_or_null<SharedLayoutAttr>(layout);
  if (padded && first >= 0 && first <= last)
    layout = padded.getOfColumns(tile, columns);
  auto mma = dyn_cast_or_null<MmaLayoutAttr>(layout);
  bool isKnown =
      mma ? mma.dividesRows() && mma.isOfMma()
          : isa_and_nonnull<SwizzledLayoutAttr, SharedLayoutAttr>(layout);
  if (!isKnown || result.getEncoding() != layout)
    return emitOpError("expected tiles of layout swizzled, of layout shared "
                       "with rows as far apart, or of one layout mma whose "
                       "warps have all columns of their rows, found ")
           << tile << " and " << result;
  // From a tile of layout #attn_gpu.shared, attn_gpu.columns may only take
  // columns that begin at a multiple of 16 bytes of the row and take a multiple
  // of 16 bytes. This is because ldmatrix reads 16 bytes at an address that is
  // a multiple of 16. A tile in registers has blocks of 8 columns.
  int64_t unit = mma ? 8 : 128 / tile.getElementTypeBitWidth();
  if ((padded || mma) && (first % unit != 0 || columns % unit != 0))
    return emitOpError("expected a multiple of ")
           << unit << " columns, found " << columns << " from " << first
           << " on";
  int64_t ofPanel = getPanelColumns(tile.getElementType());
  if (!padded && !mma &&
      (first % ofPanel != 0 || (columns % ofPanel != 0 && !isToEnd)))
    return emitOpError("expected whole panels of ")
           << ofPanel << " columns, found " << columns << " from " << first
           << " on";
  if (result.getDimSize(0) != tile.getDimSize(0) ||
      result.getElementType() != tile.getElementType() || first > last)
    return emitOpError("expected columns of ")
           << tile << ", found " << result << " from " << first << " on";
  return success();
}

/// Verifies the number of parts in which a fill or a prefetch copies a tile,
/// equal groups of its rows. If there are several, each must have a multiple of
/// 8 rows: the swizzle repeats after 8 rows, so each part is then swizzled as
/// the whole tile is. A single part may have any number of rows.
static LogicalResult verifyParts(Operation *op, RankedTensorType tile,
                                 int64_t parts) {
  if (parts == 1)
    return success();
  if (parts < 1 || tile.getRank() != 2 || tile.getDimSize(0) % 8 != 0 ||
      tile.getDimSize(0) / 8 % parts != 0)
    return op->emitOpError("expected parts of a multiple of 8 rows, found ")
           << parts << " of " << tile;
  return success();
}

/// Returns the number of boxes by which TMA copies each part of a tile: one for
/// each panel of columns, or one for a vector.
static int64_t countPanels(RankedTensorType tile) {
  return tile.getRank() == 1
             ? 1
             : llvm::divideCeil(tile.getDimSize(1),
                                getPanelColumns(tile.getElementType()));
}

/// Verifies `count`, the number of coordinates of a box by which TMA copies a
/// tile, or a part of it. There is one for each dimension of the array, whose
/// last dimensions are those of the tile. A tensor map has at most five
/// dimensions.
static LogicalResult verifyCoordinates(Operation *op, RankedTensorType tile,
                                       int64_t count) {
  constexpr int64_t kMostDims = 5;
  if (count >= tile.getRank() && count <= kMostDims)
    return success();
  return op->emitOpError("expected from ")
         << tile.getRank() << " to " << kMostDims
         << " coordinates of each part, found " << count;
}

template <typename Op> static LogicalResult verifyBoxes(Op op) {
  auto parts = static_cast<int64_t>(op.getParts());
  auto maps = static_cast<int64_t>(op.getMaps().size());
  RankedTensorType tile = op.getRing().getType().getTile();
  int64_t boxes = parts * countPanels(tile);
  if (maps != 1 && maps != parts && maps != boxes) {
    InFlightDiagnostic error =
        op.emitOpError("expected one map, or one for each of ")
        << parts << " parts";
    if (boxes != parts)
      error << " or " << boxes << " panels";
    return error << ", found " << maps;
  }
  if (failed(verifyParts(op, tile, parts)))
    return failure();
  if (op.getCoordinates().size() % parts != 0)
    return op.emitOpError("expected as many coordinates for each of ")
           << parts << " parts, found " << op.getCoordinates().size();
  if (tile.getRank() == 2 && !isSwizzled(tile))
    return op.emitOpError("expected tiles of layout swizzled, as TMA writes "
                          "them, found ")
           << tile;
  return verifyCoordinates(op, tile, op.getCoordinates().size() / parts);
}

/// Fails with an error if the op uses the barriers of a ring that is known to
/// have none.
static LogicalResult verifyBarriers(Operation *op, Value ring) {
  auto source = ring.getDefiningOp<RingOp>();
  if (!source || source.getBarriers())
    return success();
  InFlightDiagnostic error =
      op->emitOpError("expected a ring with barriers, found one without");
  error.attachNote(source.getLoc()) << "the ring is here";
  return error;
}

LogicalResult FillOp::verify() {
  if (!isByThreads()) {
    if (getAligned() || getThreads() || getList() || getEntry())
      return emitOpError("expected 'aligned', 'by' and 'rows' of copies of a "
                         "view, found one with a tensor map");
    return failure(failed(verifyBarriers(*this, getRing())) ||
                   failed(verifyBoxes(*this)));
  }
  RankedTensorType tile = getRing().getType().getTile();
  auto parts = static_cast<int64_t>(getParts());
  if (!getMaps().empty() || !getCoordinates().empty())
    return emitOpError("expected a tensor map or a view, found both");
  if (parts != static_cast<int64_t>(getSources().size()))
    return emitOpError("expected a view for each of ")
           << parts << " parts, found " << getSources().size();
  if (failed(verifyParts(*this, tile, parts)) ||
      failed(
          attn_tile::verifyRowList(*this, getList(), getEntry(), parts, tile)))
    return failure();
  if (getIndices().size() % parts != 0)
    return emitOpError("expected as many indices for each of ")
           << parts << " parts, found " << getIndices().size();
  Type element = tile.getElementType();
  SmallVector<int64_t> shape(tile.getShape());
  constexpr int64_t kChunkBits = 128; // of a cp.async
  if (getAligned() &&
      shape.back() * tile.getElementTypeBitWidth() % kChunkBits != 0)
    return emitOpError("expected rows of a multiple of 16 bytes beside "
                       "'aligned', found ")
           << tile;
  if (shape.size() == 1)
    shape.insert(shape.begin(), 1);
  shape.front() /= parts;
  for (auto [part, source] : llvm::enumerate(getSources()))
    if (failed(attn_tile::verifyAccess(
            *this, cast<MemRefType>(source.getType()), getIndicesOfPart(part),
            RankedTensorType::get(shape, element))))
      return failure();
  return success();
}

void FillOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &source : getSourcesMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &source);
  for (OpOperand &list : getListMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &list);
  // A fill also writes to a slot of the ring and changes the barriers of the
  // slot. Neither is a memref operand, so this effect names no operand.
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult RingOp::verify() {
  if (getFollows() && !(getEachWarp() && getBarriers()))
    return emitOpError("expected barriers and 'each_warp' beside 'follows', "
                       "which is about their releases");
  // The offset of a swizzled tile must be a multiple of 1024 bytes, from which
  // the swizzle and the descriptors of wgmma count. The offset of any other
  // tile must be a multiple of 16 bytes, the unit of copies.
  constexpr int64_t kOfSwizzled = 1024, kOfOthers = 16, kOfBarriers = 8;
  int64_t alignment =
      isSwizzled(getRing().getType().getTile()) ? kOfSwizzled : kOfOthers;
  if (static_cast<int64_t>(getOffset()) % alignment != 0)
    return emitOpError("expected tiles at a multiple of ")
           << alignment << " bytes, found " << getOffset();
  if (static_cast<int64_t>(getBarriers().value_or(0)) % kOfBarriers != 0)
    return emitOpError("expected barriers at a multiple of ")
           << kOfBarriers << " bytes, found " << *getBarriers();
  return success();
}

LogicalResult InitRingOp::verify() { return verifyBarriers(*this, getRing()); }

LogicalResult ReleaseOp::verify() { return verifyBarriers(*this, getRing()); }

LogicalResult StoreAsyncOp::verify() {
  return verifyCoordinates(*this, getTile().getType(), getCoordinates().size());
}

LogicalResult PrefetchOp::verify() { return verifyBoxes(*this); }

/// Verifies the put of a vector of rows into a slot.
static LogicalResult verifyVector(PutOp op, RankedTensorType vector,
                                  RankedTensorType slot) {
  auto layout = dyn_cast_or_null<SliceLayoutAttr>(vector.getEncoding());
  if (!layout || layout.getAxis() != 1 || !layout.getParent().dividesRows())
    return op.emitOpError("expected a vector of layout slice along axis 1, of "
                          "warps that divide rows, found ")
           << vector;
  if (vector.getShape() != slot.getShape() ||
      vector.getElementType() != slot.getElementType())
    return op.emitOpError("expected a vector with the shape and element type "
                          "of ")
           << slot << ", found " << vector;
  return success();
}

LogicalResult PutOp::verify() {
  RankedTensorType tile = getTile().getType(),
                   slot = getRing().getType().getTile();
  if (getTranspose())
    return verifyTransposed(*this, tile, slot);
  if (tile.getRank() == 1)
    return verifyVector(*this, tile, slot);
  if (!isa_and_nonnull<MmaLayoutAttr>(tile.getEncoding()))
    return emitOpError("expected a tile of layout mma, found ") << tile;
  Type element = tile.getElementType(), ofSlot = slot.getElementType();
  bool isExtended =
      attn::isNarrow(element) && (ofSlot.isF16() || ofSlot.isBF16());
  if (tile.getShape() != slot.getShape() || (element != ofSlot && !isExtended))
    return emitOpError("expected a tile with the shape and element type of ")
           << slot << ", or of elements of 8 or 4 bits to extend, found "
           << tile;
  auto layout = dyn_cast<SwizzledLayoutAttr>(slot.getEncoding());
  if (!layout || layout.getInterleaved())
    return emitOpError("expected a ring of swizzled tiles, found ") << slot;
  return success();
}

LogicalResult AcquireOp::verify() {
  if (getTile().getType() != getRing().getType().getTile())
    return emitOpError("expected a tile of type ")
           << getRing().getType().getTile() << ", found "
           << getTile().getType();
  return success();
}

LogicalResult SkipOp::verify() {
  if (getRings().empty())
    return emitOpError("expected at least one ring, found none");
  for (Value ring : getRings())
    if (failed(verifyBarriers(*this, ring)))
      return failure();
  return success();
}
