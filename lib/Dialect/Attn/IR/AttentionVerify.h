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

/// Verifies what the forward and the backward op have in common. Arrays must be
/// all tensors or all memrefs, and a fallback must come with a schedule. Also
/// verified are the arrays' element types and shapes, value_dims, origin,
/// lengths, packed sequences, pages, scale, dropout, and the types of results.
LogicalResult verifyAttention(AttentionInterface op);

/// Verifies the score region and the mask region of an op, and their captures.
LogicalResult verifyBodies(AttentionInterface op);

/// Verifies that an array of type `type` is a memref if the op's query is one,
/// and a tensor otherwise.
LogicalResult verifyKind(AttentionInterface op, const Twine &name,
                         ShapedType type);

/// Verifies that two sizes are equal if both are static.
LogicalResult verifySameSize(Operation *op, StringRef what, StringRef lhsName,
                             int64_t lhs, StringRef rhsName, int64_t rhs);

/// Verifies, for each entry of `all`, that its two sizes are equal if both are
/// static. Where sizes are divided into groups of elements, the numbers of
/// groups are compared.
LogicalResult verifyEqualSizes(Operation *op, ArrayRef<EqualSizes> all);

/// Verifies that the head dim of an array, its last dimension, is static and at
/// least 1.
LogicalResult verifyHeadDim(Operation *op, StringRef name, ShapedType array);

/// Verifies the results of an op. An op on tensors must have one result for
/// each operand that it writes, of the same type, and an op on memrefs must
/// have none. `source` is what messages call the written operands.
LogicalResult verifyResults(Operation *op, bool isTensor, StringRef source);

/// Adds the memory effects of an op on memrefs: the op writes those that are
/// outs and reads all others. It also reads an out for which `keepsContents` of
/// a row-wise op is true.
void addArrayEffects(Operation *op,
                     SmallVectorImpl<MemoryEffects::EffectInstance> &effects);

/// Whether the op may be speculated, that is, hoisted: only if each operand is
/// a scalar or a tensor of static shape. Dynamic sizes that disagree would be
/// undefined behaviour, which must not happen earlier.
Speculation::Speculatability getArraySpeculatability(Operation *op);

/// Reifies the shapes of an op's results: the sizes of its outs.
LogicalResult reifyOutShapes(OpBuilder &builder, DestinationStyleOpInterface op,
                             ReifiedRankedShapedTypeDims &shapes);

/// Returns the float types f16, bf16 and f32.
SmallVector<Type, 3> getFloats(MLIRContext *context);

/// Adds to `sizes`, for each size in `others`, the requirement that it equals
/// the size `first`.
void requireEqual(SmallVectorImpl<EqualSizes> &sizes, StringRef what,
                  const EqualSizes::Dim &first,
                  ArrayRef<EqualSizes::Dim> others);

/// Verifies an array of i4, in which two elements share a byte. Its head dim
/// must be even, and so must be the offset and the strides of rows of a memref.
/// Arrays of other element types are valid.
LogicalResult verifyHalfBytes(Operation *op, StringRef name, ShapedType array);

/// Verifies a row-wise op: that its arrays are all tensors or all memrefs,
/// their ranks, element types, head dims and sizes, and its results.
LogicalResult verifyRowwise(RowwiseInterface op);

/// Parse and print the keyword `narrow_products`, which `<scores>`, the
/// default, or `<all>` may follow.
ParseResult parseNarrowProducts(OpAsmParser &parser, NarrowProductsAttr &which);
void printNarrowProducts(OpAsmPrinter &printer, Operation *op,
                         NarrowProductsAttr which);

ParseResult parseGradients(OpAsmParser &parser, GradientsAttr &wrt,
                           DenseI64ArrayAttr &captureWrt);
void printGradients(OpAsmPrinter &printer, Operation *op, GradientsAttr wrt,
                    DenseI64ArrayAttr captureWrt);

/// Parse and print the clause `lengths`. Its types are printed unless all of
/// them are index.
ParseResult
parseLengths(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths,
             SmallVectorImpl<Type> &types);
void printLengths(OpAsmPrinter &printer, Operation *op, OperandRange lengths,
                  TypeRange types);

/// Parse and print the extra operands in the clause `with`: each with its name,
/// the number of rows that share an element, and its type.
ParseResult
parseExtras(OpAsmParser &parser,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
            SmallVectorImpl<Type> &types, ArrayAttr &names,
            DenseI64ArrayAttr &blocks);
void printExtras(OpAsmPrinter &printer, Operation *op, OperandRange operands,
                 TypeRange types, ArrayAttr names, DenseI64ArrayAttr blocks);

/// verifyExtras verifies the extra operands of an op, and findExtraOperand
/// returns the one of kind `which`, with a null value if there is none.
/// `extras` are the operands of the clause `with`, `names` their names, and
/// `blocks` has for each the number of rows that share an element.
LogicalResult verifyExtras(AttentionInterface op, ValueRange extras,
                           std::optional<ArrayAttr> names,
                           std::optional<ArrayRef<int64_t>> blocks);
ExtraOperand findExtraOperand(Extra which, ValueRange extras,
                              std::optional<ArrayAttr> names,
                              std::optional<ArrayRef<int64_t>> blocks);

/// Returns the forms that an extra operand may have, for a message, such as "of
/// rank 0, B x H or B x H x S". For arrays in pages, the message says Pages and
/// P for batch entries and rows (B and S).
std::string describeForms(const ExtraDeclaration &declaration, bool isPaged);

/// Verifies that an output of 8 bits has an output_scale, and that one of
/// another element type has none.
LogicalResult verifyScaleOfOutput(Operation *op, Type element, bool hasScale);

/// Verifies the operands of the clauses `lengths`, `packed` and `pages`.
LogicalResult verifySequences(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_ATTENTIONVERIFY_H
