//===- AttnNV.h - The attn_nv dialect ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNNV_IR_ATTNNV_H
#define ATTN_DIALECT_ATTNNV_IR_ATTNNV_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "attn/Dialect/AttnNV/IR/AttnNVDialect.h.inc"

namespace mlir::attn_nv {

/// The number of columns that the first instruction computes if `attn_nv.wgmma`
/// becomes two instructions for each step along K (operand `rhs_rest`).
inline constexpr int64_t kColumnsBeforeRest = 128;

} // namespace mlir::attn_nv

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnNV/IR/AttnNVTypes.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnNV/IR/AttnNVOps.h.inc"

#endif // ATTN_DIALECT_ATTNNV_IR_ATTNNV_H
