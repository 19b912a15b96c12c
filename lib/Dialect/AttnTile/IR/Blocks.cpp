//===- Blocks.cpp - Domains and loops over their blocks -------------------===//
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
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBlocksMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getPartialMutable());
}

SmallVector<Region *> ForBlocksOp::getLoopRegions() { return {&getBody()}; }

Block::BlockArgListType ForBlocksOp::getRegionIterArgs() {
  // Returns the arguments of the body after the first two. This function is
  // also called before the op has been verified, when the body may have fewer
  // than two.
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
  // The operands are resolved after the region has been parsed, for the reason
  // that GridOp::parse states.
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

OpFoldResult RareOp::fold(FoldAdaptor adaptor) {
  return adaptor.getCondition() ? OpFoldResult(getCondition()) : nullptr;
}
