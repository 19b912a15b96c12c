//===- Assembly.h - Statements of inline assembly ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ASSEMBLY_H
#define ATTN_CONVERSION_ASSEMBLY_H

#include "attn/Support/NumberBuilder.h"

namespace mlir::attn {

/// Emits a statement of inline assembly. Returns its value of type `result`, or
/// null if `result` is a null type: the statement then has no value. LLVM may
/// move or remove the statement if `hasEffects` is false. `kind`, one of the
/// names in AssemblyKinds.h, tells passes on LLVM IR what the statement does.
Value createAssembly(NumberBuilder &builder, Type result, ValueRange operands,
                     StringRef text, StringRef constraints,
                     bool hasEffects = true, StringRef kind = {});

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ASSEMBLY_H
