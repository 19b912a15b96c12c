//===- NVVMMath.h - What math on the GPU is lowered with --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_NVVMMATH_H
#define ATTN_LIB_CONVERSION_NVVMMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::attn {

inline bool hasF32Elements(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

/// Calls the LLVM intrinsic with the given name. The op of the LLVM dialect is
/// not created, since MLIR's conversion of GPU modules would turn it into a
/// call of libdevice.
inline Value callIntrinsic(OpBuilder &builder, Operation *op, StringRef name,
                           ValueRange operands, LLVM::FastmathFlags flags) {
  auto call = LLVM::CallIntrinsicOp::create(
      builder, op->getLoc(), op->getResult(0).getType(),
      builder.getStringAttr(name), operands);
  call.setFastmathFlags(flags);
  return call->getResult(0);
}

/// Multiplies a value of f32, a scalar or vector, by a constant.
inline Value scaleElements(OpBuilder &builder, Location loc, Value value,
                           double factor) {
  Value constant = createScalarOrSplatConstant(
      builder, loc, value.getType(), APFloat(static_cast<float>(factor)));
  return arith::MulFOp::create(builder, loc, value, constant);
}

/// Adds the patterns that expand math.powf and math.asinh of f32, and
/// math.fpowi with exponents of type index. They come before MLIR's expansions
/// of these ops.
void populatePowersToNVVMPatterns(RewritePatternSet &patterns);

/// Reduces the angles of math.sin and math.cos of f32 in `root` to less than a
/// turn, for which MLIR's polynomials are accurate, and replaces math.tan by
/// their quotient.
void reduceAngles(Operation *root);

/// Adds the pattern that lowers math.tanh.
void populateTanhToNVVMPatterns(RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_NVVMMATH_H
