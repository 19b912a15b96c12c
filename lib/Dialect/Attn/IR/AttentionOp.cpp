//===- AttentionOp.cpp - The attention op and its gradients ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"
#include "Tiling.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

OpFoldResult attn::getSize(OpBuilder &builder, Location loc, Value shaped,
                           int64_t dim) {
  if (isa<MemRefType>(shaped.getType()))
    return memref::getMixedSize(builder, loc, shaped, dim);
  return tensor::getMixedSize(builder, loc, shaped, dim);
}

double attn::detail::getScale(FloatAttr scale, int64_t headDim) {
  if (scale)
    return scale.getValueAsDouble();
  return 1.0 / std::sqrt(static_cast<double>(headDim));
}

int64_t attn::detail::getColumns(const ExtraOperand &operand) {
  auto type = operand ? dyn_cast<ShapedType>(operand.value.getType()) : nullptr;
  return type && type.hasRank() && type.getRank() == 4 ? type.getDimSize(3) : 0;
}

int64_t attn::detail::getDropoutThreshold(FloatAttr probability) {
  return probability ? std::lround(65536.0 * probability.getValueAsDouble())
                     : 0;
}

OpFoldResult attn::detail::getLength(OpBuilder &builder, Value array) {
  return getSize(builder, array.getLoc(), array, 2);
}

OpFoldResult attn::detail::getKvLength(OpBuilder &builder, Value key,
                                       Value pages) {
  OpFoldResult length = getLength(builder, key);
  if (!pages)
    return length;
  Location loc = pages.getLoc();
  Value product = builder.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, length),
      getValueOrCreateConstantIndexOp(builder, loc,
                                      getSize(builder, loc, pages, 1)));
  return getAsOpFoldResult(product);
}

OpFoldResult attn::detail::getOriginOrZero(OperandRange origin, unsigned i,
                                           MLIRContext *context) {
  if (origin.empty())
    return IntegerAttr::get(IndexType::get(context), 0);
  return getAsOpFoldResult(origin[i]);
}

Type attn::getComputeType(AttentionInterface op) {
  Type query = op.getQueryType().getElementType();
  if (!isNarrow(query))
    return query;
  // A query of 8 bits is extended before products. The forward op extends it to
  // f16, which represents all numbers of the 8-bit types. The backward op
  // extends it to f16 if the output is f16, and otherwise to bf16, since
  // gradients may be too small for f16.
  MLIRContext *context = op->getContext();
  if (!isa<AttentionBackwardOp>(op.getOperation()))
    return Float16Type::get(context);
  Type output = op.getOutputType().getElementType();
  return output.isF16() ? output : BFloat16Type::get(context);
}

static void addExtras(AttentionInterface op,
                      SmallVectorImpl<NamedArray> &arrays) {
  for (Extra which : kExtras)
    if (ExtraOperand extra = op.getExtra(which)) {
      const ExtraDeclaration &declaration = getDeclaration(which);
      ArrayKind kind = !declaration.hasColumns() ? ArrayKind::Extra
                       : declaration.isOfKeys()  ? ArrayKind::KeyColumns
                                                 : ArrayKind::QueryColumns;
      arrays.push_back({declaration.name, kind, extra.value});
    }
}

SmallVector<NamedArray> AttentionOp::getArrays() {
  SmallVector<NamedArray> arrays = {{"query", ArrayKind::Query, getQuery()},
                                    {"key", ArrayKind::Key, getKey()}};
  if (Value value = getValue())
    arrays.push_back({"value", ArrayKind::Value, value});
  if (Value sink = getSink())
    arrays.push_back({"sink", ArrayKind::Sink, sink});
  addExtras(*this, arrays);
  static constexpr std::pair<StringLiteral, ArrayKind> kOuts[] = {
      {"output", ArrayKind::Output}, {"lse", ArrayKind::Row}};
  for (auto [named, out] : llvm::zip(kOuts, getOuts()))
    arrays.push_back({named.first, named.second, out, /*isOut=*/true});
  return arrays;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  size_t numOuts = getOuts().size();
  if (numOuts < 1 || numOuts > 2)
    return emitOpError("expected 1 or 2 outs (output and lse), found ")
           << numOuts;
  if (failed(verifyAttention(*this)))
    return failure();
  return verifyExtras(*this, getExtras(), getExtraNames(), getExtraBlocks());
}

LogicalResult AttentionOp::verifyRegions() { return verifyBodies(*this); }

//===----------------------------------------------------------------------===//
// The gradients of attention
//===----------------------------------------------------------------------===//

namespace {
struct GradientArray {
  Gradients of;
  StringLiteral name;
  ArrayKind kind;
};
} // namespace

/// The gradients that attn.attention_backward can compute, except those of
/// captures, in the order of the op's outs.
static constexpr GradientArray kGradients[] = {
    {Gradients::Query, "d_query", ArrayKind::Query},
    {Gradients::Key, "d_key", ArrayKind::Key},
    {Gradients::Value, "d_value", ArrayKind::Value},
    {Gradients::Sink, "d_sink", ArrayKind::Sink},
    {Gradients::QueryRope, "d_query_rope", ArrayKind::QueryColumns},
    {Gradients::KeyRope, "d_key_rope", ArrayKind::KeyColumns}};

SmallVector<NamedArray> AttentionBackwardOp::getArrays() {
  SmallVector<NamedArray> arrays = {
      {"query", ArrayKind::Query, getQuery()},
      {"key", ArrayKind::Key, getKey()},
      {"value", ArrayKind::Value, getValue()},
      {"output", ArrayKind::Output, getOutput()},
      {"lse", ArrayKind::Row, getLse()},
      {"d_output", ArrayKind::Output, getDOutput()}};
  if (Value dLse = getDLse())
    arrays.push_back({"d_lse", ArrayKind::Row, dLse});
  if (Value sink = getSink())
    arrays.push_back({"sink", ArrayKind::Sink, sink});
  addExtras(*this, arrays);
  for (const GradientArray &gradient : kGradients)
    if (Value out = getGradient(gradient.of))
      arrays.push_back({gradient.name, gradient.kind, out, /*isOut=*/true});
  for (auto [number, out] : llvm::zip(getCaptureWrt(), getCaptureGradients())) {
    // The name of a capture's gradient is made a StringAttr, so that the
    // context owns its characters, to which the returned array refers.
    auto name = StringAttr::get(getContext(), "d_capture" + Twine(number));
    int64_t rank = 0;
    if (number >= 0 && number < static_cast<int64_t>(getCaptures().size()))
      if (auto type = dyn_cast<ShapedType>(getCaptures()[number].getType()))
        rank = type.getRank();
    arrays.push_back(
        {name.getValue(), ArrayKind::Capture, out, /*isOut=*/true, rank});
  }
  return arrays;
}

Value AttentionBackwardOp::getGradient(Gradients of) {
  if (!bitEnumContainsAll(getWrt(), of))
    return Value();
  auto before =
      static_cast<uint32_t>(getWrt()) & (static_cast<uint32_t>(of) - 1);
  unsigned i = llvm::popcount(before);
  return i < getOuts().size() ? getOuts()[i] : Value();
}

bool AttentionBackwardOp::mayAddQueryGradient() {
  // One program computes the gradients of query and query_rope together, and
  // one those of key and key_rope. A program is therefore needed if the op
  // computes either of its two gradients.
  auto isWanted = [&](Gradients own, Gradients further) {
    return getGradient(own) || getGradient(further);
  };
  return !getDeterministic() &&
         isWanted(Gradients::Query, Gradients::QueryRope) &&
         isWanted(Gradients::Key, Gradients::KeyRope) &&
         getCaptureWrt().empty();
}

bool AttentionBackwardOp::addsQueryGradient(TileSizesAttrInterface schedule) {
  // Registers must suffice for what a program that adds d_query to memory
  // accumulates: the sums of d_key and d_value. If a reducer may add d_query
  // (`mayAddApart`), those of d_key suffice, since another grid can compute
  // d_value.
  int64_t columns = getHeadDim();
  if (!schedule.mayAddApart())
    columns += getValueHeadDim();
  return mayAddQueryGradient() && schedule.mayAdd(getHeadDim()) &&
         schedule.mayAccumulate(columns, getComputeType(*this));
}

bool AttentionBackwardOp::sumsBothKeyGradients(
    TileSizesAttrInterface schedule) {
  // The tiles of d_key and d_value have padded head dims: multiples of 16, the
  // K of the MMAs.
  int64_t columns =
      llvm::alignTo<16>(getHeadDim()) + llvm::alignTo<16>(getValueHeadDim());
  return getGradient(Gradients::Key) && getGradient(Gradients::Value) &&
         schedule.mayAccumulate(columns, getComputeType(*this));
}

OperandRange AttentionBackwardOp::getCaptureGradients() {
  size_t count = std::min(getCaptureWrt().size(), getOuts().size());
  return getOuts().take_back(count);
}

/// Verifies the gradients of captures. The indices in `wrt` must ascend and be
/// those of captures that are floats or arrays of floats. Each out must have
/// its capture's shape, and the capture's element type or f32. The op must have
/// a score region.
static LogicalResult verifyCaptureWrt(AttentionBackwardOp op) {
  int64_t last = -1, numCaptures = op.getCaptures().size();
  for (int64_t number : op.getCaptureWrt()) {
    if (number <= last)
      return op.emitOpError("expected the captures in wrt in ascending order, "
                            "found ")
             << number << " after " << last;
    last = number;
    if (number < 0 || number >= numCaptures)
      return op.emitOpError("expected wrt to name one of ")
             << numCaptures << " captures, found " << number;
    Type type = op.getCaptures()[number].getType();
    if (!isa<FloatType>(getElementTypeOrSelf(type)))
      return op.emitOpError("expected a gradient with respect to a capture "
                            "that is a float or an array of floats, found "
                            "capture ")
             << number << " of type " << type;
  }
  for (auto [number, out] :
       llvm::zip(op.getCaptureWrt(), op.getCaptureGradients())) {
    Type type = op.getCaptures()[number].getType();
    Type expected = getElementTypeOrSelf(type);
    auto outType = cast<ShapedType>(out.getType());
    Type found = outType.getElementType();
    auto array = dyn_cast<ShapedType>(type);
    if (array && outType.getRank() == array.getRank() &&
        failed(verifyCompatibleShape(array, outType)))
      return op.emitOpError("expected d_capture")
             << number << " of the shape of " << type << ", found " << outType;
    if (found != expected && !found.isF32())
      return op.emitOpError("expected d_capture")
             << number << " elements of " << expected
             << ", as the capture, or of f32, found " << found;
  }
  if (!op.getCaptureWrt().empty() && !op.hasScore())
    return op.emitOpError("expected a score region for gradients with respect "
                          "to captures, found none");
  return success();
}

/// Verifies that an op which computes the gradient of the sink has a sink, and
/// that the gradient has the sink's element type or f32.
static LogicalResult verifySinkGradient(AttentionBackwardOp op) {
  Value out = op.getGradient(Gradients::Sink);
  if (!out)
    return success();
  if (!op.getSink())
    return op.emitOpError("expected a sink for a gradient with respect to it, "
                          "found none");
  Type expected = cast<ShapedType>(op.getSink().getType()).getElementType();
  Type found = cast<ShapedType>(out.getType()).getElementType();
  if (found != expected && !found.isF32())
    return op.emitOpError("expected d_sink elements of ")
           << expected << ", as sink, or of f32, found " << found;
  return success();
}

/// Verifies each gradient of query_rope or key_rope that the op computes: the
/// op must have that extra operand, and the gradient must have its shape, and
/// its element type or f32.
static LogicalResult verifyRopeGradients(AttentionBackwardOp op) {
  for (auto [of, which] : {std::pair(Gradients::QueryRope, Extra::QueryRope),
                           {Gradients::KeyRope, Extra::KeyRope}}) {
    Value out = op.getGradient(of);
    if (!out)
      continue;
    StringRef name = getDeclaration(which).name;
    ExtraOperand array = op.getExtra(which);
    if (!array)
      return op.emitOpError("expected ")
             << name << " in 'with' for a gradient with respect to it, found "
             << "none";
    auto type = cast<ShapedType>(array.value.getType());
    auto found = cast<ShapedType>(out.getType());
    if (failed(verifyCompatibleShape(type, found)))
      return op.emitOpError("expected d_")
             << name << " of the shape of " << type << ", found " << found;
    Type element = found.getElementType();
    if (element != type.getElementType() && !element.isF32())
      return op.emitOpError("expected d_")
             << name << " elements of " << type.getElementType() << ", as "
             << name << ", or of f32, found " << element;
  }
  return success();
}

/// Verifies that 8-bit MMAs may multiply the arrays of an op with
/// `narrow_products`: query, key and value must have the same 8-bit float type.
static LogicalResult verifyNarrowProducts(AttentionBackwardOp op) {
  Type query = getElementTypeOrSelf(op.getQuery());
  Type key = getElementTypeOrSelf(op.getKey());
  Type value = getElementTypeOrSelf(op.getValue());
  if (op.getNarrowProducts() &&
      !(isFloat8(query) && key == query && value == query))
    return op.emitOpError("expected query, key and value of one 8-bit float "
                          "type with 'narrow_products', found ")
           << query << ", " << key << " and " << value
           << "; leave 'narrow_products' out for other types";
  return success();
}

LogicalResult AttentionBackwardOp::verify() {
  size_t expected =
      llvm::popcount(static_cast<uint32_t>(getWrt())) + getCaptureWrt().size();
  if (expected == 0)
    return emitOpError("expected wrt to name a gradient, found none");
  if (getOuts().size() != expected)
    return emitOpError("expected as many outs as gradients in wrt, which are ")
           << expected << ", found " << getOuts().size();
  Type output = cast<ShapedType>(getOutput().getType()).getElementType();
  Type gradient = cast<ShapedType>(getDOutput().getType()).getElementType();
  if (output != gradient)
    return emitOpError("expected d_output elements of ")
           << output << ", as output, found " << gradient;
  if (failed(verifyCaptureWrt(*this)) || failed(verifySinkGradient(*this)) ||
      failed(verifyAttention(*this)) ||
      failed(verifyExtras(*this, getExtras(), getExtraNames(),
                          getExtraBlocks())) ||
      failed(verifyNarrowProducts(*this)))
    return failure();
  return verifyRopeGradients(*this);
}

LogicalResult AttentionBackwardOp::verifyRegions() {
  return verifyBodies(*this);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses the gradients of captures: `captures` `[` int (`,` int)* `]`.
static ParseResult parseCaptureNumbers(OpAsmParser &parser,
                                       SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

/// gradients ::= (`wrt` `(` gradient (`,` gradient)* `)`)?
/// gradient  ::= name | `captures` `[` int (`,` int)* `]`
ParseResult mlir::attn::parseGradients(OpAsmParser &parser, GradientsAttr &wrt,
                                       DenseI64ArrayAttr &captureWrt) {
  wrt = GradientsAttr::get(parser.getContext(), kAllGradients);
  captureWrt = parser.getBuilder().getDenseI64ArrayAttr({});
  if (failed(parser.parseOptionalKeyword("wrt")))
    return success();
  Gradients found = Gradients(0);
  SmallVector<int64_t> captures;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name)))
      return parser.emitError(loc, "expected 'query', 'key', 'value', 'sink', "
                                   "'query_rope', 'key_rope' or 'captures'");
    bool isLast = !captures.empty();
    if (name == "captures" && !isLast)
      return parseCaptureNumbers(parser, captures);
    std::optional<Gradients> one = symbolizeGradients(name);
    if (name != "captures" && (!one || *one == Gradients(0)))
      return parser.emitError(loc,
                              "expected 'query', 'key', 'value', 'sink', "
                              "'query_rope', 'key_rope' or 'captures', found '")
             << name << "'";
    if (isLast || *one <= found)
      return parser.emitError(loc, "expected query, key, value, sink, "
                                   "query_rope, key_rope and captures in this "
                                   "order, each once, found '")
             << name << "' after a later one";
    found = found | *one;
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  wrt = GradientsAttr::get(parser.getContext(), found);
  captureWrt = parser.getBuilder().getDenseI64ArrayAttr(captures);
  return success();
}

void mlir::attn::printGradients(OpAsmPrinter &printer, Operation *,
                                GradientsAttr wrt,
                                DenseI64ArrayAttr captureWrt) {
  if (wrt.getValue() == kAllGradients && captureWrt.empty())
    return;
  SmallVector<std::string> names;
  for (const GradientArray &gradient : kGradients)
    if (bitEnumContainsAll(wrt.getValue(), gradient.of))
      names.push_back(stringifyGradients(gradient.of));
  printer << "wrt(" << llvm::join(names, ", ");
  if (!captureWrt.empty()) {
    printer << (names.empty() ? "" : ", ") << "captures[";
    llvm::interleaveComma(captureWrt.asArrayRef(), printer);
    printer << "]";
  }
  printer << ")";
}
