//===- Gradients.h - The syntax of wrt --------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_GRADIENTS_H
#define ATTN_LIB_DIALECT_ATTN_IR_GRADIENTS_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

ParseResult parseGradients(OpAsmParser &parser, GradientsAttr &wrt,
                           DenseI64ArrayAttr &captureWrt);
void printGradients(OpAsmPrinter &printer, Operation *op, GradientsAttr wrt,
                    DenseI64ArrayAttr captureWrt);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_GRADIENTS_H
