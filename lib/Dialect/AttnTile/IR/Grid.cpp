//===- Grid.cpp - Grids of tile programs ----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::attn_tile;

void GridOp::build(OpBuilder &b, OperationState &state, ValueRange sizes,
                   ArrayRef<int64_t> steps, Attribute schedule) {
  state.addOperands(sizes);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.steps = b.getDenseI64ArrayAttr(steps);
  properties.operandSegmentSizes = {int32_t(sizes.size()), 0, 0};
  properties.schedule = schedule;
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(state.addRegion());
  for (unsigned i = 0; i < sizes.size(); ++i)
    body->addArgument(b.getIndexType(), state.location);
  YieldOp::create(b, state.location);
}

/// grid ::= `(` args `)` `to` `(` sizes `)` `step` `[` ints `]`
///          (`longest` (`first` | `last`))? (`shared` `[` ints `]`)?
///          (`position_bytes` operand)? (`limit` operand `:` type)?
///          (`schedule` attribute)? region attr-dict
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
  properties.operandSegmentSizes = {int32_t(sizes.size()), 0, 0};
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
  OpAsmParser::UnresolvedOperand limit;
  Type typeOfLimit;
  if (succeeded(parser.parseOptionalKeyword("limit"))) {
    if (parser.parseOperand(limit) || parser.parseColonType(typeOfLimit))
      return failure();
    properties.operandSegmentSizes[2] = 1;
  }
  if (succeeded(parser.parseOptionalKeyword("schedule")) &&
      parser.parseAttribute(properties.schedule))
    return failure();
  for (OpAsmParser::Argument &point : points)
    point.type = b.getIndexType();
  Region *body = result.addRegion();
  // The grid's sizes are resolved after the region has been parsed. Otherwise,
  // if the region defined a value with the name of a size, the parser would
  // take the size for a use of that value. It would then replace an operand of
  // the grid, which does not exist as an op yet.
  if (parser.parseRegion(*body, points) ||
      parser.resolveOperands(sizes, b.getIndexType(), result.operands) ||
      (typeOfLimit &&
       parser.resolveOperand(limit, typeOfLimit, result.operands)) ||
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
  if (Value limit = getLimit())
    printer << " limit " << limit << " : " << limit.getType();
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
