//===- Attn.cpp - The attn dialect ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

#include "attn/Dialect/Attn/IR/AttnDialect.cpp.inc"
#include "attn/Dialect/Attn/IR/AttnEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnAttrs.cpp.inc"

void AttnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attn/Dialect/Attn/IR/AttnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/Attn/IR/AttnOps.cpp.inc"
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
// ScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t tileQ, int64_t tileKv, int64_t warps,
                     Access access, int64_t stages, bool overlap, Blocks blocks,
                     bool pingPong, bool lazyMax) {
  for (auto [name, size] : {std::pair("tile_q", tileQ), {"tile_kv", tileKv}})
    if (size < 16 || size > 1024 || size % 16 != 0)
      return emitError() << "expected '" << name
                         << "' to be a multiple of 16 from 16 to 1024, found "
                         << size;
  if (warps < 0 || warps > 32)
    return emitError() << "expected 'warps' to be from 0 to 32, found "
                       << warps;
  if (warps > 0 && tileQ % (16 * warps) != 0)
    return emitError() << "expected 'tile_q' to be a multiple of 16 rows for "
                          "each of "
                       << warps << " warps, found " << tileQ;
  if (stages < 2 || stages > 8)
    return emitError() << "expected 'stages' to be from 2 to 8, found "
                       << stages;
  if (access != Access::Tma && (pingPong || lazyMax))
    return emitError() << "expected 'ping_pong' and 'lazy_max' to be false "
                          "without access tma";
  if (pingPong && !overlap)
    return emitError() << "expected 'overlap' to be true with ping_pong";
  if (access != Access::Tma && blocks != Blocks::Single)
    return emitError() << "expected 'blocks' to be single without access tma, "
                          "found "
                       << stringifyBlocks(blocks);
  if (access != Access::Tma)
    return success();
  if (warps < 4 || warps > 16 || warps % 4 != 0)
    return emitError()
           << "expected 4, 8, 12 or 16 warps with access tma, found " << warps;
  if (tileQ != 16 * warps)
    return emitError() << "expected 'tile_q' to be 16 rows for each of "
                       << warps << " warps with access tma, found " << tileQ;
  if (tileKv > 256)
    return emitError()
           << "expected 'tile_kv' to be at most 256 with access tma, "
              "found "
           << tileKv;
  return success();
}

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnOps.cpp.inc"
