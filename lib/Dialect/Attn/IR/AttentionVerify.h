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

/// Forms, element types and shapes of arrays, the scale, the origin, lengths,
/// schedules and results.
LogicalResult verifyAttention(AttentionInterface op);

/// The score region, the mask region and what they capture.
LogicalResult verifyBodies(AttentionInterface op);

/// Two sizes are equal where both are known.
LogicalResult verifySameSize(Operation *op, StringRef what, StringRef lhsName,
                             int64_t lhs, StringRef rhsName, int64_t rhs);

/// The same of each pair of dimensions.
LogicalResult verifyEqualSizes(Operation *op, ArrayRef<EqualSizes> all);

/// The last dimension of an array, by its name.
LogicalResult verifyHeadDim(Operation *op, StringRef name, ShapedType array);

/// Tensors are results, of the types of `source`, which is what the op is
/// written to.
LogicalResult verifyResults(Operation *op, bool isTensor, StringRef source);

/// Memrefs are read, or written if they are outs.
void addArrayEffects(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Dynamic sizes that disagree are undefined behaviour, so the op only moves
/// where every size is static.
Speculation::Speculatability getArraySpeculatability(Operation *op);

/// Results have the sizes of their outs.
LogicalResult reifyOutShapes(OpBuilder &builder, DestinationStyleOpInterface op,
                             ReifiedRankedShapedTypeDims &shapes);

/// f16, bf16 and f32.
SmallVector<Type, 3> getFloats(MLIRContext *context);

/// The sizes of `dim` of the first array and of each other one.
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

/// The operands of `lengths`, with types where they are not all indices.
ParseResult
parseLengths(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths,
             SmallVectorImpl<Type> &types);
void printLengths(OpAsmPrinter &printer, Operation *op, OperandRange lengths,
                  TypeRange types);

/// The operands of `with`, each with its name, rows of an element and type.
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

/// The operands of `lengths`, `packed` and `pages`.
LogicalResult verifySequences(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_ATTENTIONVERIFY_H
