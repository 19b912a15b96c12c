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

/// Emits calls of the runtime in host functions, which return the
/// `attnrt_status` of the first call that fails.
class RuntimeCalls {
public:
  explicit RuntimeCalls(ModuleOp module)
      : module(module), symbols(module), context(module.getContext()),
        ptr(LLVM::LLVMPointerType::get(context)),
        i32(IntegerType::get(context, 32)), i64(IntegerType::get(context, 64)) {
  }

protected:
  /// Returns the declaration of a runtime function, which returns a status.
  LLVM::LLVMFuncOp getFunction(StringRef name, ArrayRef<Type> parameters);
  /// Allocates memory on the stack of the function that holds `op`.
  Value allocate(Operation *op, Type type, int64_t count,
                 unsigned alignment = 0);
  Value constant(NumberBuilder &b, Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  /// Returns from the function after `op` if `status` is not 0.
  void returnOnFailure(Operation *op, Value status);
  /// Replaces the op's result by the value that the runtime writes:
  /// `function(arguments..., &value)`.
  void lowerQuery(Operation *op, StringRef function, ValueRange arguments,
                  Type type);
  /// Emits the call that encodes a tensor map, and returns the map's address on
  /// the stack.
  Value encodeTensorMap(attn_nv::EncodeTensorMapOp op, Value runtime);

  ModuleOp module;
  SymbolTable symbols;
  MLIRContext *context;
  Type ptr, i32, i64;
};

/// Marks a function that attn-lower-launch has made return a status, for
/// attn-host-export.
inline constexpr StringLiteral kStatusAttrName = "attn.status";

/// Branches after `op`: if `isGood` holds, to the ops after it, else to a new,
/// empty block of its function, which is returned.
Block *branchOnFailure(Operation *op, Value isGood);

/// Creates constants for texts in a module, with a terminating zero. Equal
/// texts share a constant.
class StringConstants {
public:
  explicit StringConstants(SymbolTable &symbols) : symbols(symbols) {}

  /// Returns the address of a text. Its constant is named `name`, with a suffix
  /// if that is taken.
  Value get(NumberBuilder &builder, StringRef name, StringRef text);

private:
  SymbolTable &symbols;
  llvm::StringMap<LLVM::GlobalOp> globals;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_RUNTIMECALLS_H
