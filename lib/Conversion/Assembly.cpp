//===- Assembly.cpp - Statements of inline assembly -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::attn;

Value attn::createAssembly(NumberBuilder &b, Type result, ValueRange operands,
                           StringRef text, StringRef constraints,
                           bool hasEffects, StringRef kind) {
  auto op = LLVM::InlineAsmOp::create(
      b, result, operands, text, constraints, hasEffects,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  if (!kind.empty())
    op->setDiscardableAttr(kind, b.getUnitAttr());
  return op.getRes();
}
