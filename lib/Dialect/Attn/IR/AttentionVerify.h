//===- AttentionVerify.h - Common parts of attention ops --------*- C++ -*-===//
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

/// Verifies what the forward and the backward op share: that arrays are all
/// tensors or all memrefs, their element types and shapes, value_dims, origin,
/// lengths, packed sequences, pages, scale, dropout, that a fallback comes with
/// a schedule, and the types of results.
LogicalResult verifyAttention(AttentionInterface op);

/// Verifies the score region, the mask region and their captures.
LogicalResult verifyBodies(AttentionInterface op);

/// Verifies that two sizes are equal if both are static.
LogicalResult verifySameSize(Operation *op, StringRef what, StringRef lhsName,
                             int64_t lhs, StringRef rhsName, int64_t rhs);

/// Verifies that for each pair of dimensions.
LogicalResult verifyEqualSizes(Operation *op, ArrayRef<EqualSizes> all);

/// Verifies that the head dim of an array, its last dimension, is static and at
/// least 1.
LogicalResult verifyHeadDim(Operation *op, StringRef name, ShapedType array);

/// Verifies results: an op on tensors has one for each operand that it writes,
/// of the same type; an op on memrefs has none. Messages call these operands
/// `source`.
LogicalResult verifyResults(Operation *op, bool isTensor, StringRef source);

/// Adds the effects on the op's memrefs: the op writes those that are outs, and
/// reads all others. It also reads outs for which a row-wise op's
/// `keepsContents` is true.
void addArrayEffects(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Whether the op may be speculated, that is, hoisted: only if each operand is
/// a scalar or a tensor of static shape. Dynamic sizes that disagree would be
/// undefined behaviour, which must not happen earlier.
Speculation::Speculatability getArraySpeculatability(Operation *op);

/// Reifies the sizes of results, which are the sizes of the outs.
LogicalResult reifyOutShapes(OpBuilder &builder, DestinationStyleOpInterface op,
                             ReifiedRankedShapedTypeDims &shapes);

/// Returns f16, bf16 and f32.
SmallVector<Type, 3> getFloats(MLIRContext *context);

/// Adds to `sizes` the requirement that the size `first` equals each of
/// `others`.
void requireEqual(SmallVectorImpl<EqualSizes> &sizes, StringRef what,
                  const EqualSizes::Dim &first,
                  ArrayRef<EqualSizes::Dim> others);

/// Verifies an array of i4, two elements of which share a byte: its head dim
/// must be even, and so must a memref's offset and the strides of its rows.
/// Arrays of other element types are valid.
LogicalResult verifyHalfBytes(Operation *op, StringRef name, ShapedType array);

/// Verifies a row-wise op: that its arrays are all tensors or all memrefs,
/// their ranks, element types, head dims and sizes, and its results.
LogicalResult verifyRowwise(RowwiseInterface op);

ParseResult parseGradients(OpAsmParser &parser, GradientsAttr &wrt,
                           DenseI64ArrayAttr &captureWrt);
void printGradients(OpAsmPrinter &printer, Operation *op, GradientsAttr wrt,
                    DenseI64ArrayAttr captureWrt);

/// Parse and print the operands of `lengths`; types are printed unless all are
/// index.
ParseResult
parseLengths(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths,
             SmallVectorImpl<Type> &types);
void printLengths(OpAsmPrinter &printer, Operation *op, OperandRange lengths,
                  TypeRange types);

/// Parse and print the operands of `with`, each with its name, the number of
/// rows that share an element, and its type.
ParseResult
parseExtras(OpAsmParser &parser,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
            SmallVectorImpl<Type> &types, ArrayAttr &names,
            DenseI64ArrayAttr &blocks);
void printExtras(OpAsmPrinter &printer, Operation *op, OperandRange operands,
                 TypeRange types, ArrayAttr names, DenseI64ArrayAttr blocks);

/// Verify the extra operands of an op, and find the one of kind `which` (its
/// value is null if there is none), given the operands of `with`, their names,
/// and for each the number of rows that share an element.
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
