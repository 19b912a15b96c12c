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

namespace mlir::attn {

/// Forms, element types and shapes of arrays, the scale, the origin, lengths,
/// schedules and results.
LogicalResult verifyAttention(AttentionInterface op);

/// The score region, the mask region and what they capture.
LogicalResult verifyBodies(AttentionInterface op);

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

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_ATTENTIONVERIFY_H
