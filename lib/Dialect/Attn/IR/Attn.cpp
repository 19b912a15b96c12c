//===- Attn.cpp - The attn dialect ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "AttentionVerify.h"
#include "attn/Dialect/Attn/IR/Quantize.h"

#include "attn/Support/Inlining.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

#include "attn/Dialect/Attn/IR/AttnDialect.cpp.inc"
#include "attn/Dialect/Attn/IR/AttnEnums.cpp.inc"

#include "attn/Dialect/Attn/IR/AttnInterfaces.cpp.inc"
#include "attn/Dialect/Attn/IR/AttnOpInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnAttrs.cpp.inc"

void AttnDialect::initialize() {
  addInterfaces<InlineAnywhere>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attn/Dialect/Attn/IR/AttnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/Attn/IR/AttnOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/Attn/IR/AttnQuantizeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// MaskAttr
//===----------------------------------------------------------------------===//

/// mask ::= `<` alignment (`,` `causal`)? (`,` `left` `=` int)?
///          (`,` `right` `=` int)? `>`
Attribute MaskAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalKeyword(&keyword))) {
    parser.emitError(loc, "expected 'top_left' or 'bottom_right'");
    return {};
  }
  std::optional<Alignment> alignment = symbolizeAlignment(keyword);
  if (!alignment) {
    parser.emitError(loc, "expected 'top_left' or 'bottom_right', found '")
        << keyword << "'";
    return {};
  }

  bool causal = false;
  std::optional<int64_t> left, right;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc keywordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return {};
    if (keyword == "causal" && !causal) {
      causal = true;
      continue;
    }
    std::optional<int64_t> *bound =
        keyword == "left" ? &left : (keyword == "right" ? &right : nullptr);
    if (!bound || *bound) {
      parser.emitError(keywordLoc, "expected one of 'causal', 'left' and "
                                   "'right', each at most once, found '")
          << keyword << "'";
      return {};
    }
    int64_t value;
    if (parser.parseEqual() || parser.parseInteger(value))
      return {};
    *bound = value;
  }
  if (parser.parseGreater())
    return {};
  return MaskAttr::getChecked([&] { return parser.emitError(loc); },
                              parser.getContext(), *alignment, causal, left,
                              right);
}

void MaskAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyAlignment(getAlignment());
  if (getCausal())
    printer << ", causal";
  if (getLeft())
    printer << ", left = " << *getLeft();
  if (getRight())
    printer << ", right = " << *getRight();
  printer << ">";
}

LogicalResult
MaskAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Alignment,
                 bool, std::optional<int64_t> left,
                 std::optional<int64_t> right) {
  for (auto [name, bound] : {std::pair("left", left), {"right", right}})
    if (bound && (*bound < 0 || *bound > kMaxBound))
      return emitError() << "expected '" << name << "' to be from 0 to "
                         << kMaxBound << ", found " << *bound;
  return success();
}

//===----------------------------------------------------------------------===//
// TilesAttr
//===----------------------------------------------------------------------===//

LogicalResult
mlir::attn::verifyTileSize(function_ref<InFlightDiagnostic()> emitError,
                           StringRef name, int64_t size) {
  if (size < 16 || size > 1024 || size % 16 != 0)
    return emitError() << "expected '" << name
                       << "' to be a multiple of 16 from 16 to 1024, found "
                       << size;
  return success();
}

LogicalResult
TilesAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t q,
                  int64_t kv, bool) {
  return success(succeeded(verifyTileSize(emitError, "q", q)) &&
                 succeeded(verifyTileSize(emitError, "kv", kv)));
}

int64_t mlir::attn::fitTile(int64_t largest, int64_t length) {
  if (ShapedType::isDynamic(length))
    return largest;
  return std::max<int64_t>(llvm::alignTo(std::min(length, largest), 16), 16);
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

LogicalResult AttnDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  auto isString = [](Attribute element) { return isa<StringAttr>(element); };
  if (name == kReasonsAttrName || name == kFallbackReasonsAttrName) {
    if (auto reasons = dyn_cast<ArrayAttr>(value);
        reasons && llvm::all_of(reasons, isString))
      return success();
    return op->emitError("expected '")
           << name << "' to be an array of strings, found " << value;
  }
  return op->emitError("expected '")
         << kReasonsAttrName << "' or '" << kFallbackReasonsAttrName
         << "', found an attribute '" << name << "', which no pass reads";
}

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnOps.cpp.inc"
