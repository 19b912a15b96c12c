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

/// Sets the layout of a tile, the encoding of its type. If a constant defines
/// the tile, also changes the type of the constant's value.
void setLayout(Value tile, Attribute layout);

/// Calls `assign` for each result of an op and for each argument of the blocks
/// in its regions. Stops and fails at the first call that fails.
LogicalResult assignToValues(Operation *op,
                             llvm::function_ref<LogicalResult(Value)> assign);

/// Assigns a layout to each vector of the kernel, derived from those of the
/// tiles that it is broadcast to or reduced from. Fails with an error at an op
/// that needs a vector in another layout than other ops do.
LogicalResult assignSlices(KernelOp kernel, ScheduleAttr schedule,
                           const TileLayouts &tiles);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ASSIGNSLICES_H
