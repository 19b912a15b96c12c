//===- OperandBinding.h - Arguments as operands of an op --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_OPERANDBINDING_H
#define ATTN_LIB_ORACLE_OPERANDBINDING_H

#include "attn/Oracle/ProblemBuilder.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::attn {

/// The values of a function's arguments, and of scalars that are computed from
/// these.
class Environment {
public:
  Environment(AttentionInterface op, ArrayRef<Binding> arguments)
      : function(op->getParentOfType<FunctionOpInterface>()),
        arguments(arguments) {}

  /// Returns what is bound to the function's argument `value`; null if `value`
  /// is no argument.
  const Binding *getBinding(Value value) const;
  /// Returns the array that is bound to `value`, or null.
  const ArrayView *getArray(Value value) const;
  /// Returns the number that is bound to a scalar argument or, if `value` is a
  /// memref.dim or tensor.dim of an array argument, the size of that dimension;
  /// none for other values.
  std::optional<ScalarValue> lookup(Value value) const;
  FailureOr<ScalarValue> evaluate(Value value) const {
    return evaluateScalar(value, [this](Value v) { return lookup(v); });
  }

private:
  // Mutable, since the methods of FunctionOpInterface are not const.
  mutable FunctionOpInterface function;
  ArrayRef<Binding> arguments;
};

/// Returns the array that is bound to an operand. Fails with an error at the op
/// if the operand is not an argument of the function, or the array does not
/// have the rank, the static sizes and the element type of the operand's type.
FailureOr<ArrayView> bindOperand(AttentionInterface op, StringRef name,
                                 Value operand, const Environment &env);

/// Evaluates an origin or a length.
FailureOr<int64_t> evaluateIndex(AttentionInterface op, StringRef what,
                                 Value value, const Environment &env);

/// Returns the i32 array that is bound to an operand. Fails with an error at
/// the op if the operand is not an argument of the function, or the array does
/// not have the given sizes, of which a negative one fits any size.
FailureOr<ArrayView> bindNumbers(AttentionInterface op, StringRef name,
                                 Value operand, ArrayRef<int64_t> sizes,
                                 const Environment &env);

/// Returns the captured arrays and scalars.
FailureOr<SmallVector<CapturedValue>> evaluateCaptures(AttentionInterface op,
                                                       const Environment &env);

/// Fills in the forward problem of `op` with the arrays and numbers that `env`
/// binds to its operands, and translates its regions into `built`, to which the
/// problem then points. Fails with an error at the op if an operand is not
/// bound or sizes do not agree.
LogicalResult bindProblem(AttentionInterface op, const Environment &env,
                          AttentionProblem &problem, BuiltRegions &built);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_OPERANDBINDING_H
