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

/// The values that are bound to a function's arguments, from which the oracle
/// evaluates the operands of an op in the function.
class Environment {
public:
  Environment(AttentionInterface op, ArrayRef<Binding> arguments)
      : function(op->getParentOfType<FunctionOpInterface>()),
        arguments(arguments) {}

  /// Returns the binding of `value` if it is an argument of the function, and
  /// null otherwise.
  const Binding *getBinding(Value value) const;
  /// Returns the array that is bound to `value`, perhaps through casts, or null
  /// if there is none.
  const ArrayView *getArray(Value value) const;
  /// Returns the number that `value` stands for, without evaluating other ops:
  /// the number that is bound to it if it is a scalar argument, or the size of
  /// a dimension if it is a memref.dim or tensor.dim of an array argument.
  /// Returns nothing for other values.
  std::optional<ScalarValue> lookup(Value value) const;
  FailureOr<ScalarValue> evaluate(Value value) const {
    return evaluateScalar(value, [this](Value v) { return lookup(v); });
  }

private:
  // The member is mutable, since the methods of FunctionOpInterface are not
  // const.
  mutable FunctionOpInterface function;
  ArrayRef<Binding> arguments;
};

/// Returns the array that is bound to the operand called `name`. Fails with an
/// error at the op if the operand is not an argument of the function. Also
/// fails if the array does not have the rank, the static sizes and the element
/// type of the operand's type.
FailureOr<ArrayView> bindOperand(AttentionInterface op, StringRef name,
                                 Value operand, const Environment &env);

/// Sets `array` to the array that is bound to the operand. Does nothing if the
/// op lacks the operand.
template <typename Array>
LogicalResult bindOperand(AttentionInterface op, StringRef name, Value operand,
                          const Environment &env, Array &array) {
  if (!operand)
    return success();
  FailureOr<ArrayView> bound = bindOperand(op, name, operand, env);
  if (succeeded(bound))
    array = *bound;
  return bound;
}

/// Evaluates `value`, which `what` names in messages: a length, or a coordinate
/// of the origin (the position of the problem in a larger one). Fails with an
/// error at the op if the result is negative or above 2^60.
FailureOr<int64_t> evaluateIndex(AttentionInterface op, StringRef what,
                                 Value value, const Environment &env);

/// Returns the i32 array that is bound to the operand called `name`. Fails with
/// an error at the op if the operand is not an argument of the function, or if
/// the array's sizes are not `sizes`, in which a negative number stands for any
/// size.
FailureOr<ArrayView> bindNumbers(AttentionInterface op, StringRef name,
                                 Value operand, ArrayRef<int64_t> sizes,
                                 const Environment &env);

/// Returns the values of the op's captures, each an array or a scalar.
FailureOr<SmallVector<CapturedValue>> evaluateCaptures(AttentionInterface op,
                                                       const Environment &env);

/// Builds the forward problem of `op` in `problem`, from the arrays and numbers
/// that `env` binds to the operands. The op's regions are translated into
/// `built`, to which `problem` then points. Fails with an error at the op if an
/// operand is not bound or if sizes do not agree.
LogicalResult bindProblem(AttentionInterface op, const Environment &env,
                          AttentionProblem &problem, BuiltRegions &built);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_OPERANDBINDING_H
