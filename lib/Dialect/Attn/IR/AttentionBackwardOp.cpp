//===- AttentionBackwardOp.cpp - The gradients of attention ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"
#include "Gradients.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
struct GradientArray {
  Gradients of;
  StringLiteral name;
  ArrayKind kind;
};
} // namespace

/// In the order of outs.
static constexpr GradientArray kGradients[] = {
    {Gradients::Query, "d_query", ArrayKind::Query},
    {Gradients::Key, "d_key", ArrayKind::Key},
    {Gradients::Value, "d_value", ArrayKind::Value}};

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
  for (const GradientArray &gradient : kGradients)
    if (Value out = getGradient(gradient.of))
      arrays.push_back({gradient.name, gradient.kind, out, /*isOut=*/true});
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
  return !getDeterministic() && getGradient(Gradients::Query) &&
         getGradient(Gradients::Key);
}

bool AttentionBackwardOp::addsQueryGradient(TileSizesAttrInterface schedule) {
  return mayAddQueryGradient() && schedule.mayAdd(getHeadDim()) &&
         schedule.mayAccumulate(getHeadDim() + getValueHeadDim());
}

LogicalResult AttentionBackwardOp::verify() {
  size_t expected = llvm::popcount(static_cast<uint32_t>(getWrt()));
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
  return verifyAttention(*this);
}

LogicalResult AttentionBackwardOp::verifyRegions() {
  return verifyScore(*this);
}

void AttentionBackwardOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addArrayEffects(*this, effects);
}

Speculation::Speculatability AttentionBackwardOp::getSpeculatability() {
  return getArraySpeculatability(*this);
}

LogicalResult
AttentionBackwardOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  return reifyOutShapes(builder, *this, shapes);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// gradients ::= (`wrt` `(` name (`,` name)* `)`)?
ParseResult mlir::attn::parseGradients(OpAsmParser &parser,
                                       GradientsAttr &wrt) {
  wrt = GradientsAttr::get(parser.getContext(), kAllGradients);
  if (failed(parser.parseOptionalKeyword("wrt")))
    return success();
  Gradients found = Gradients(0);
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name)))
      return parser.emitError(loc, "expected 'query', 'key' or 'value'");
    std::optional<Gradients> one = symbolizeGradients(name);
    if (!one || *one == Gradients(0))
      return parser.emitError(loc,
                              "expected 'query', 'key' or 'value', found '")
             << name << "'";
    if (*one <= found)
      return parser.emitError(loc, "expected query, key and value in this "
                                   "order, each once, found '")
             << name << "' behind another";
    found = found | *one;
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  wrt = GradientsAttr::get(parser.getContext(), found);
  return success();
}

void mlir::attn::printGradients(OpAsmPrinter &printer, Operation *,
                                GradientsAttr wrt) {
  if (wrt.getValue() == kAllGradients)
    return;
  printer << "wrt(";
  llvm::interleaveComma(
      llvm::make_filter_range(kGradients,
                              [&](auto gradient) {
                                return bitEnumContainsAll(wrt.getValue(),
                                                          gradient.of);
                              }),
      printer,
      [&](auto gradient) { printer << stringifyGradients(gradient.of); });
  printer << ")";
}
