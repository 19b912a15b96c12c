//===- Sequences.h - Lengths, packed sequences and pages --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_SEQUENCES_H
#define ATTN_LIB_DIALECT_ATTN_IR_SEQUENCES_H

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::attn {

/// The operands of `lengths`, with types where they are not all indices.
ParseResult
parseLengths(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths,
             SmallVectorImpl<Type> &types);
void printLengths(OpAsmPrinter &printer, Operation *op, OperandRange lengths,
                  TypeRange types);

/// The operands of `lengths`, `packed` and `pages`.
LogicalResult verifySequences(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_SEQUENCES_H
