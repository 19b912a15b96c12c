//===- NarrowProducts.cpp - Products of 8-bit operands --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "AttentionVerify.h"

#include "attn/Dialect/Attn/IR/ExtraOperands.h"
#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::hasNarrowScores(AttentionOp op) {
  constexpr int64_t kMostColumns = 256;
  Type element = op.getQueryType().getElementType();
  return isFloat8(element) && op.getKeyType().getElementType() == element &&
         (op.getFastAccumulate() || op.getHeadDim() <= kMostColumns);
}

/// Whether the op has a value_scale that may differ between the keys of a
/// program: one with an element for each block of keys or, if keys are in
/// pages, for each page.
static bool hasScaleOfKeys(AttentionOp op) {
  ExtraOperand scale = op.getExtra(Extra::ValueScale);
  return scale && (scale.findDim('s') || (op.getPages() && scale.findDim('b')));
}

bool attn::hasNarrowProbabilities(AttentionOp op) {
  constexpr int64_t kMostColumns = 128;
  Value values = op.getValue() ? op.getValue() : op.getKey();
  return isFloat8(op.getQueryType().getElementType()) &&
         isa<Float8E4M3FNType>(getElementTypeOrSelf(values.getType())) &&
         !hasScaleOfKeys(op) &&
         (op.getFastAccumulate() || op.getValueHeadDim() <= kMostColumns);
}

/// narrow-products ::= (`narrow_products` (`<` name `>`)?)?
ParseResult mlir::attn::parseNarrowProducts(OpAsmParser &parser,
                                            NarrowProductsAttr &which) {
  if (failed(parser.parseOptionalKeyword("narrow_products")))
    return success();
  NarrowProducts found = NarrowProducts::Scores;
  if (succeeded(parser.parseOptionalLess())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    std::optional<NarrowProducts> one;
    if (succeeded(parser.parseOptionalKeyword(&name)))
      one = symbolizeNarrowProducts(name);
    if (!one)
      return parser.emitError(loc, "expected 'scores' or 'all' within '<' and "
                                   "'>' of 'narrow_products', found '")
             << name << "'";
    found = *one;
    if (failed(parser.parseGreater()))
      return failure();
  }
  which = NarrowProductsAttr::get(parser.getContext(), found);
  return success();
}

void mlir::attn::printNarrowProducts(OpAsmPrinter &printer, Operation *,
                                     NarrowProductsAttr which) {
  if (!which)
    return;
  printer << "narrow_products";
  if (which.getValue() != NarrowProducts::Scores)
    printer << "<" << stringifyNarrowProducts(which.getValue()) << ">";
}
