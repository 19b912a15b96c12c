//===- AssignSlices.h - Layouts of vectors ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ASSIGNSLICES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ASSIGNSLICES_H

#include "TileLayouts.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::attn_gpu {

/// Gives a tile a layout; the value of a constant has the type of its result.
void setLayout(Value tile, Attribute layout);

/// Calls `assign` for each result and each argument of a block of an op; stops
/// where it fails.
LogicalResult assignToValues(Operation *op,
                             llvm::function_ref<LogicalResult(Value)> assign);

/// Gives the kernel's vectors their layouts, from those of its tiles. Fails
/// with an error at an op that needs a vector in another layout than others do.
LogicalResult assignSlices(KernelOp kernel, ScheduleAttr schedule,
                           const TileLayouts &tiles);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ASSIGNSLICES_H
