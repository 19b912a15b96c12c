//===- AttnGPU.h - The attn_gpu dialect -------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H

#include "attn/Dialect/Attn/IR/AttnInterfaces.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Target/Chips.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.h.inc"

#include "attn/Dialect/AttnGPU/IR/AttnGPUEnums.h.inc"
#include "attn/Dialect/AttnGPU/IR/AttnGPUInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.h.inc"

namespace mlir::attn_gpu {

/// kWarpgroup is the number of threads of a warpgroup, and kWarpgroupRows the
/// number of rows that one wgmma of a warpgroup computes.
inline constexpr int64_t kWarpgroup = 128;
inline constexpr int64_t kWarpgroupRows = 64;

/// The number of bytes of a row of a panel, a group of columns of a tile of
/// layout #attn_gpu.swizzled. It is the same for all element types.
inline constexpr int64_t kPanelRowBytes = 128;

/// Returns the number of elements of type `element` in a row of a panel, which
/// has 128 bytes.
inline int64_t getPanelColumns(Type element) {
  return 8 * kPanelRowBytes / element.getIntOrFloatBitWidth();
}

/// Whether the tile is in shared memory with layout #attn_gpu.swizzled.
inline bool isSwizzled(RankedTensorType tile) {
  return isa_and_nonnull<SwizzledLayoutAttr>(tile.getEncoding());
}

/// The name of the module's attribute that states the chip which kernels are
/// compiled for.
inline constexpr StringLiteral kTargetAttrName = "attn_gpu.target";

/// getAccessClass() returns the name of the access class that a schedule with
/// `copy` requires of arrays: narrow, async16 or tma. symbolizeAccessClass()
/// returns the kind of copies for such a name, or nullopt for any other name.
/// Users choose access classes by these names, and the names of kernels contain
/// them.
StringRef getAccessClass(CopyKind copy);
std::optional<CopyKind> symbolizeAccessClass(StringRef name);

/// Returns the #attn_gpu.target of the innermost module around `op` that has
/// one, or null if none has.
TargetAttr findTarget(Operation *op);

/// Returns the #attn_gpu.target of the innermost module around `op` that has
/// one. Fails with an error at `op` if none has.
FailureOr<TargetAttr> getTarget(Operation *op);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H
