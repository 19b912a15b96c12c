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

/// Emits calls of the runtime in host functions. A function with such calls
/// returns the `attnrt_status` of the first call that fails.
class RuntimeCalls {
public:
  explicit RuntimeCalls(ModuleOp module)
      : module(module), symbols(module), context(module.getContext()),
        ptr(LLVM::LLVMPointerType::get(context)),
        i32(IntegerType::get(context, 32)), i64(IntegerType::get(context, 64)) {
  }

protected:
  /// Returns the declaration of the runtime function `name`, which has the
  /// given parameters and returns an attnrt_status. The declaration is created
  /// at the first call for this name.
  LLVM::LLVMFuncOp getFunction(StringRef name, ArrayRef<Type> parameters);
  /// Allocates memory for `count` elements of `type` on the stack of the
  /// function that contains `op`, at its entry. Returns the memory's address.
  Value allocate(Operation *op, Type type, int64_t count,
                 unsigned alignment = 0);
  Value constant(NumberBuilder &b, Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  /// Emits, directly after `op`, a return of `status` for the case that
  /// `status` is not 0. The ops after `op` then run only if `status` is 0.
  void returnOnFailure(Operation *op, Value status);
  /// Replaces the result of an op by the value that a runtime function writes
  /// to the address in its last parameter: `function(arguments..., &value)`.
  void lowerQuery(Operation *op, StringRef function, ValueRange arguments,
                  Type type);
  /// Emits the runtime call that encodes a tensor map on the host. Returns the
  /// address of the map on the stack.
  Value encodeTensorMap(attn_nv::EncodeTensorMapOp op, Value runtime);

  ModuleOp module;
  SymbolTable symbols;
  MLIRContext *context;
  Type ptr, i32, i64;
};

/// Splits the block of `op` after it, and ends the first part with a branch on
/// `isGood`. If `isGood` is true, execution continues with the ops after `op`,
/// else in a new, empty block at the end of the function. Returns that new
/// block.
Block *branchOnFailure(Operation *op, Value isGood);

/// Creates constants of a module that hold texts with a terminating zero. Equal
/// texts share one constant.
class StringConstants {
public:
  explicit StringConstants(SymbolTable &symbols) : symbols(symbols) {}

  /// Returns the address of the module's constant that holds `text`. The
  /// constant is created at the first call for this text, and is named `name`,
  /// with a suffix if that name is taken.
  Value get(NumberBuilder &builder, StringRef name, StringRef text);

private:
  SymbolTable &symbols;
  llvm::StringMap<LLVM::GlobalOp> globals;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_RUNTIMECALLS_H
