//===- RuntimeCalls.h - Calls of attnrt in host functions -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_RUNTIMECALLS_H
#define ATTN_CONVERSION_RUNTIMECALLS_H

#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {

/// Emits calls of the runtime in host functions. Such a function returns the
/// `attnrt_status` of the first call that fails.
class RuntimeCalls {
public:
  explicit RuntimeCalls(ModuleOp module)
      : module(module), symbols(module), context(module.getContext()),
        ptr(LLVM::LLVMPointerType::get(context)),
        i32(IntegerType::get(context, 32)), i64(IntegerType::get(context, 64)) {
  }

protected:
  /// Returns the declaration of a runtime function with this name, which takes
  /// these parameters and returns an attnrt_status; creates it at the first
  /// call.
  LLVM::LLVMFuncOp getFunction(StringRef name, ArrayRef<Type> parameters);
  /// Allocates memory for `count` elements of `type` on the stack, at the entry
  /// of the function that holds `op`, and returns its address.
  Value allocate(Operation *op, Type type, int64_t count,
                 unsigned alignment = 0);
  Value constant(NumberBuilder &b, Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  /// Makes the function return `status` directly after `op` if it is not 0. Ops
  /// after `op` then run only if it is 0.
  void returnOnFailure(Operation *op, Value status);
  /// Replaces the op's result by the value that a runtime function writes
  /// through its last parameter: `function(arguments..., &value)`.
  void lowerQuery(Operation *op, StringRef function, ValueRange arguments,
                  Type type);
  /// Emits the call that encodes a tensor map on the host, and returns the
  /// map's address on the stack.
  Value encodeTensorMap(attn_nv::EncodeTensorMapOp op, Value runtime);

  ModuleOp module;
  SymbolTable symbols;
  MLIRContext *context;
  Type ptr, i32, i64;
};

/// Splits the block after `op` and ends it with a branch on `isGood`: if that
/// holds, execution continues with the ops after `op`, else in a new, empty
/// block at the end of the function, which is returned.
Block *branchOnFailure(Operation *op, Value isGood);

/// Creates constants for texts with a terminating zero in a module. Equal texts
/// share one constant.
class StringConstants {
public:
  explicit StringConstants(SymbolTable &symbols) : symbols(symbols) {}

  /// Returns the address of the module's constant with the text, which is
  /// created at the first call for this text. A new constant is named `name`,
  /// with a suffix if that name is taken.
  Value get(NumberBuilder &builder, StringRef name, StringRef text);

private:
  SymbolTable &symbols;
  llvm::StringMap<LLVM::GlobalOp> globals;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_RUNTIMECALLS_H
