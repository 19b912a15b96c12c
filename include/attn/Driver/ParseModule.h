//===- ParseModule.h - From a user's text to a module -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_PARSEMODULE_H
#define ATTN_DRIVER_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::attn {

/// Makes diagnostics about the sources print to `os`, which must exist as long
/// as the sources. Messages and source lines that are too long to read are
/// shortened.
void shortenMessages(llvm::SourceMgr &sources, llvm::raw_ostream &os);

/// Parses the main source, which is text or bytecode. Verifies the module
/// unless `isVerified` is false. Returns null and emits a diagnostic if the
/// parsing or the verification fails, or if the text would crash MLIR's parser
/// (see SourceCheck.h).
OwningOpRef<ModuleOp> parseModule(llvm::SourceMgr &sources,
                                  MLIRContext *context, bool isVerified = true);

} // namespace mlir::attn

#endif // ATTN_DRIVER_PARSEMODULE_H
