//===- AttentionVerify.h - What attention ops have in common ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_ATTENTIONVERIFY_H
#define ATTN_LIB_DIALECT_ATTN_IR_ATTENTIONVERIFY_H

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::attn {

/// Verifies the forms, element types and shapes of arrays, the scale, the
/// origin, lengths, schedules and results.
LogicalResult verifyAttention(AttentionInterface op);

/// Verifies the score region, the mask region and their captures.
LogicalResult verifyBodies(AttentionInterface op);

/// Verifies that two sizes are equal if both are static.
LogicalResult verifySameSize(Operation *op, StringRef what, StringRef lhsName,
                             int64_t lhs, StringRef rhsName, int64_t rhs);

/// Verifies that for each pair of dimensions.
LogicalResult verifyEqualSizes(Operation *op, ArrayRef<EqualSizes> all);

/// Verifies the head dim of an array, its last dimension.
LogicalResult verifyHeadDim(Operation *op, StringRef name, ShapedType array);

/// Verifies results: an op on tensors has one for each operand that it writes,
/// `source`, of the same type; an op on memrefs has none.
LogicalResult verifyResults(Operation *op, bool isTensor, StringRef source);

/// Adds the effects of the op's memrefs: those among outs are written, others
/// are read.
void addArrayEffects(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Returns whether the op may be hoisted. Dynamic sizes that disagree are
/// undefined behaviour, so it may only if all sizes are static.
Speculation::Speculatability getArraySpeculatability(Operation *op);

/// Reifies the sizes of results, which are those of the outs.
LogicalResult reifyOutShapes(OpBuilder &builder, DestinationStyleOpInterface op,
                             ReifiedRankedShapedTypeDims &shapes);

/// Returns f16, bf16 and f32.
SmallVector<Type, 3> getFloats(MLIRContext *context);

/// Adds the requirement that the size `first` equals each of the others.
void requireEqual(SmallVectorImpl<EqualSizes> &sizes, StringRef what,
                  const EqualSizes::Dim &first,
                  ArrayRef<EqualSizes::Dim> others);

/// Of i4, two elements share a byte: the rows of such an array are whole bytes.
LogicalResult verifyHalfBytes(Operation *op, StringRef name, ShapedType array);

/// Forms, ranks, element types, head dims, sizes and results.
LogicalResult verifyRowwise(RowwiseInterface op);

ParseResult parseGradients(OpAsmParser &parser, GradientsAttr &wrt,
                           DenseI64ArrayAttr &captureWrt);
void printGradients(OpAsmPrinter &printer, Operation *op, GradientsAttr wrt,
                    DenseI64ArrayAttr captureWrt);

/// Parse and print the operands of `lengths`, with types if they are not all
/// indices.
ParseResult
parseLengths(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths,
             SmallVectorImpl<Type> &types);
void printLengths(OpAsmPrinter &printer, Operation *op, OperandRange lengths,
                  TypeRange types);

/// Parse and print the operands of `with`, each with its name, its number of
/// rows for each element, and its type.
ParseResult
parseExtras(OpAsmParser &parser,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
            SmallVectorImpl<Type> &types, ArrayAttr &names,
            DenseI64ArrayAttr &blocks);
void printExtras(OpAsmPrinter &printer, Operation *op, OperandRange operands,
                 TypeRange types, ArrayAttr names, DenseI64ArrayAttr blocks);

/// Verify and find the extra operands of an op, given the operands of `with`,
/// their names and the number of rows for which an element is.
LogicalResult verifyExtras(AttentionInterface op, ValueRange extras,
                           std::optional<ArrayAttr> names,
                           std::optional<ArrayRef<int64_t>> blocks);
ExtraOperand findExtraOperand(Extra which, ValueRange extras,
                              std::optional<ArrayAttr> names,
                              std::optional<ArrayRef<int64_t>> blocks);

/// Verifies the operands of `lengths`, `packed` and `pages`.
LogicalResult verifySequences(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_ATTENTIONVERIFY_H
