//===- OperandBinding.cpp - Arguments as operands of an op ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandBinding.h"

#include "attn/Support/ElementDType.h"
#include "attn/Support/Sizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::attn;

/// The largest length, and the largest coordinate of an origin (the position of
/// a problem in a larger one), that the oracle accepts. Sums of a few such
/// numbers do not overflow 64 bits.
static constexpr int64_t kLargestIndex = int64_t(1) << 60;

Value mlir::attn::stripCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<memref::CastOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

const Binding *Environment::getBinding(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !function || function.isExternal() ||
      argument.getOwner() != &function.getFunctionBody().front() ||
      argument.getArgNumber() >= arguments.size())
    return nullptr;
  return &arguments[argument.getArgNumber()];
}

const ArrayView *Environment::getArray(Value value) const {
  const Binding *binding = getBinding(stripCasts(value));
  return binding && binding->array ? &*binding->array : nullptr;
}

std::optional<ScalarValue> Environment::lookup(Value value) const {
  if (const Binding *binding = getBinding(value))
    return binding->scalar;
  Operation *op = value.getDefiningOp();
  if (!op || !isa<memref::DimOp, tensor::DimOp>(op))
    return std::nullopt;
  const ArrayView *array = getArray(op->getOperand(0));
  if (!array)
    return std::nullopt;
  FailureOr<ScalarValue> dim = evaluate(op->getOperand(1));
  if (failed(dim) || dim->i < 0 || dim->i >= array->getRank())
    return std::nullopt;
  return ScalarValue::getInt(array->sizes[dim->i]);
}

FailureOr<ArrayView> mlir::attn::bindOperand(AttentionInterface op,
                                             StringRef name, Value operand,
                                             const Environment &env) {
  const ArrayView *array = env.getArray(operand);
  if (!array)
    return op->emitOpError("--check needs query, key and value")
           << (isa<AttentionBackwardOp>(op) ? ", output, lse and d_output" : "")
           << " to be arguments of the entry function, found another " << name;
  auto type = cast<ShapedType>(operand.getType());
  std::optional<DType> dtype = getDType(type.getElementType());
  if (!dtype || array->dtype != *dtype)
    return op->emitOpError("expected ")
           << name << " elements of " << type.getElementType() << ", found "
           << getName(array->dtype);
  bool isFit = array->getRank() == type.getRank() &&
               array->strides.size() == array->sizes.size();
  for (int64_t dim = 0; isFit && dim < type.getRank(); ++dim)
    isFit =
        array->sizes[dim] >= 0 &&
        (type.isDynamicDim(dim) || type.getDimSize(dim) == array->sizes[dim]);
  if (isFit)
    return *array;
  return op->emitOpError("expected ")
         << name << " of type " << type << ", found an array of sizes "
         << formatSizes(array->sizes);
}

FailureOr<int64_t> mlir::attn::evaluateIndex(AttentionInterface op,
                                             StringRef what, Value value,
                                             const Environment &env) {
  FailureOr<ScalarValue> scalar = env.evaluate(value);
  if (failed(scalar))
    return failure();
  if (scalar->i < 0 || scalar->i > kLargestIndex)
    return op->emitOpError("expected ")
           << what << " of at least 0 and at most " << kLargestIndex
           << ", found " << scalar->i;
  return scalar->i;
}

FailureOr<ArrayView> mlir::attn::bindNumbers(AttentionInterface op,
                                             StringRef name, Value operand,
                                             ArrayRef<int64_t> sizes,
                                             const Environment &env) {
  const ArrayView *array = env.getArray(operand);
  if (!array)
    return op->emitOpError("--check needs ")
           << name << " to be an argument of the entry function";
  bool isFit = array->dtype == DType::I32 &&
               array->getRank() == static_cast<int64_t>(sizes.size());
  for (size_t dim = 0; isFit && dim < sizes.size(); ++dim)
    isFit = sizes[dim] < 0 || array->sizes[dim] == sizes[dim];
  if (isFit)
    return *array;
  InFlightDiagnostic diag = op->emitOpError("expected ");
  diag << name << " of i32 of rank " << sizes.size();
  if (!sizes.empty() && sizes[0] >= 0)
    diag << " and size " << sizes[0];
  return diag << ", found " << getName(array->dtype) << " of sizes "
              << formatSizes(array->sizes);
}
