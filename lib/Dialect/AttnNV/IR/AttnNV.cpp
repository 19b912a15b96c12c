//===- AttnNV.cpp - The attn_nv dialect -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/Inlining.h"
#include "attn/Target/AssemblyKinds.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_nv;

#include "attn/Dialect/AttnNV/IR/AttnNVDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnNV/IR/AttnNVTypes.cpp.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnNV/IR/AttnNVOps.cpp.inc"

void AttnNVDialect::initialize() {
  addInterfaces<attn::InlineAnywhere>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "attn/Dialect/AttnNV/IR/AttnNVTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/AttnNV/IR/AttnNVOps.cpp.inc"
      >();
}

LogicalResult
AttnNVDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName();
  constexpr StringRef kinds[] = {attn::kWarpgroupMma, attn::kLaunchWait,
                                 attn::kLaunchNext, attn::kProducer};
  if (isa<LLVM::InlineAsmOp>(op) && isa<UnitAttr>(attribute.getValue()) &&
      llvm::is_contained(kinds, name))
    return success();
  InFlightDiagnostic error = op->emitError("expected ");
  llvm::interleaveComma(kinds, error,
                        [&](StringRef kind) { error << "'" << kind << "'"; });
  return error << " without a value on llvm.inline_asm, found '" << name
               << "' = " << attribute.getValue() << " on " << op->getName();
}

LogicalResult EncodeTensorMapOp::verify() {
  MemRefType array = getArray().getType();
  if (array.getRank() < 1 || array.getRank() > 5)
    return emitOpError("expected an array of rank 1 to 5, found ") << array;
  if (array.getStridesAndOffset().first.back() != 1)
    return emitOpError("expected an innermost stride of 1, found ") << array;
  // A tensor map has at most five dimensions. A map of slices (`sliced`) needs
  // one dimension more than the array, in which the end of a slice is a
  // coordinate.
  int64_t rank = array.getRank() + getSliced().has_value();
  if (getSliced() &&
      (rank > 5 || static_cast<int64_t>(*getSliced()) >= array.getRank() - 1))
    return emitOpError(
               "expected 'sliced' to be a dimension before the last one "
               "of an array of rank 2 to 4, found dimension ")
           << *getSliced() << " of " << array;
  if (getEmpty() && !getSliced())
    return emitOpError("expected 'sliced' beside 'empty', found none");
  if (static_cast<int64_t>(getBox().size()) != rank)
    return emitOpError("expected ")
           << rank << " sizes of the box, found " << getBox().size();
  for (int64_t size : getBox())
    if (size < 1 || size > 256)
      return emitOpError("expected sizes of the box from 1 to 256, found ")
             << size;
  Type element = array.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      (!attn::isNarrow(element) || attn::isInt4(element)))
    return emitOpError("expected elements of f16, bf16, f32, f8E4M3FN, f8E5M2 "
                       "or i8, found ")
           << element;
  int64_t rowBytes = getBox().back() * array.getElementTypeBitWidth() / 8;
  if (getLinear() && rowBytes % 16 != 0)
    return emitOpError("expected the box's rows to have a multiple of 16 "
                       "bytes, found ")
           << rowBytes;
  if (!getLinear() && rowBytes != 128)
    return emitOpError("expected the box's rows to have 128 bytes, found ")
           << rowBytes;
  return success();
}

LogicalResult WgmmaOp::verify() {
  Type element = getElementType();
  bool isOf8Bits = attn::isFloat8(element);
  if (!element.isF16() && !element.isBF16() && !isOf8Bits)
    return emitOpError("expected element type f16, bf16, f8E4M3FN or f8E5M2, "
                       "found ")
           << element;
  if (isOf8Bits && (getTransposeLhs() || getTransposeRhs()))
    return emitOpError("expected neither transpose_lhs nor transpose_rhs for "
                       "elements of 8 bits");
  int64_t steps = getRhsSteps().size();
  int64_t columns = getResult().getType().getNumElements() * 2;
  if (steps == 0)
    return emitOpError("expected at least one step");
  if (columns % 8 != 0 || columns > 256)
    return emitOpError("expected a multiple of 8 columns up to 256, found ")
           << columns;
  if (std::optional<int64_t> rest = getRhsRest()) {
    if (columns <= kColumnsBeforeRest)
      return emitOpError("expected more than ")
             << kColumnsBeforeRest << " columns with rhs_rest, found "
             << columns;
    if (*rest <= 0)
      return emitOpError("expected a positive rhs_rest, found ") << *rest;
  }
  if (getAccumulate() && !getAccumulator())
    return emitOpError("expected an accumulator beside the condition");
  auto registers = dyn_cast<VectorType>(getLhs().getType());
  if (!registers) {
    if (getLhsSteps().size() != getRhsSteps().size())
      return emitOpError("expected as many lhs_steps as rhs_steps, found ")
             << getLhsSteps().size() << " and " << steps;
    return success();
  }
  if (!getLhsSteps().empty())
    return emitOpError("expected no lhs_steps with lhs in registers");
  if (getTransposeLhs())
    return emitOpError("expected no transpose_lhs with lhs in registers");
  int64_t perStep = 128 / element.getIntOrFloatBitWidth();
  if (registers.getElementType() != element ||
      registers.getNumElements() != perStep * steps)
    return emitOpError("expected lhs of type ")
           << VectorType::get({perStep * steps}, element) << " for " << steps
           << " steps, found " << registers;
  return success();
}

LogicalResult CompareHalvesOp::verify() {
  int64_t threshold = getThreshold();
  if (threshold < 1 || threshold > 65535)
    return emitOpError("expected a threshold from 1 to 65535, found ")
           << threshold;
  return success();
}

LogicalResult UnpackPairsOp::verify() {
  int64_t pairs = getPositions().size();
  if (getResult().getType().getNumElements() != 2 * pairs)
    return emitOpError("expected ")
           << 2 * pairs << " elements for " << pairs << " positions, found "
           << getResult().getType().getNumElements();
  int64_t bits = 32 * getWords().getType().getNumElements();
  for (int64_t position : getPositions())
    if (position < 0 || position >= bits || position % 32 >= 16)
      return emitOpError("expected positions in the lower halves of ")
             << bits / 32 << " words, found " << position;
  return success();
}
