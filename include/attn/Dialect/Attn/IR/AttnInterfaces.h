//===- AttnInterfaces.h - Interfaces that attn defines ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_H
#define ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

#include "attn/Dialect/Attn/IR/AttnInterfaces.h.inc"

namespace mlir::attn {

/// Fails with an error unless `size`, the number of rows or of keys of a tile,
/// is a multiple of 16 from 16 to 1024. The message names the size `name`.
LogicalResult verifyTileSize(function_ref<InFlightDiagnostic()> emitError,
                             StringRef name, int64_t size);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_H
