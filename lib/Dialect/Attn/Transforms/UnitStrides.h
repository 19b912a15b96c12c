//===- UnitStrides.h - Buffers where control flow meets ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_UNITSTRIDES_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_UNITSTRIDES_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::attn {

class AttnDialect;

/// Makes tensors that control flow carries, and operands of attention, row-wise
/// ops and returns, have buffers with an innermost stride of 1. Runs after
/// copies were inserted. Buffers of different layouts may reach one value: the
/// initial and the yielded tensor of a loop, the branches of an scf.if, the
/// predecessors of a block. For such a value, upstream's bufferisation chooses
/// a type with unknown strides. This function inserts an `attn.unit_stride`, an
/// op that exists during bufferisation only, at each operand that flows to such
/// a value.
void keepUnitStrides(ModuleOp module,
                     const bufferization::OneShotBufferizationOptions &options,
                     const bufferization::BufferizationState &state);

/// Adds the op attn.unit_stride to the attn dialect.
void registerUnitStrideOp(AttnDialect *dialect);

/// Returns a memref type for a tensor, with its shape and element type: offset
/// and strides are dynamic, except for an innermost stride of 1.
MemRefType getTypeWithUnitInnerStride(RankedTensorType tensor,
                                      Attribute memorySpace = {});

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_UNITSTRIDES_H
