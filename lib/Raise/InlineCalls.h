//===- InlineCalls.h - Inlines calls of private functions -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_INLINECALLS_H
#define ATTN_LIB_RAISE_INLINECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn::raise {

/// Whether the function calls a private function that has one block, so that
/// the call can be inlined.
bool hasPrivateCalls(func::FuncOp function, SymbolTable &symbols);

/// Inlines the function's calls of private functions that have one block, and
/// the calls in the inlined bodies, too. The bodies may have ops of any
/// dialect. Adds the called functions to `callees`.
void inlinePrivateCalls(func::FuncOp function, SymbolTable &symbols,
                        llvm::SetVector<func::FuncOp> &callees);

/// Whether an op of the module, which need not be registered, refers to the
/// function by its name.
bool isReferredTo(func::FuncOp function, Operation *module);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_INLINECALLS_H
