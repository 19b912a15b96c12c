//===- Unused.h - Erases ops that raising left unused -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_UNUSED_H
#define ATTN_LIB_RAISE_UNUSED_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn::raise {

/// Erases those of `ops` that have no uses and no effects. Then erases ops that
/// compute their operands, if these have no uses left and no effects, and so
/// on.
void eraseUnused(const llvm::SetVector<Operation *> &ops);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_UNUSED_H
