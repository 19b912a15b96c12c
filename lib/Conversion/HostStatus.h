//===- HostStatus.h - Functions that return a status ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTSTATUS_H
#define ATTN_CONVERSION_HOSTSTATUS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// Marks a function that attn-lower-launch has made return a status, for
/// attn-host-export.
inline constexpr StringLiteral kStatusAttrName = "attn.status";

/// Goes on behind `op` only where `isGood` holds, and else in a new block of
/// its function, which is returned.
Block *branchOnFailure(Operation *op, Value isGood);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTSTATUS_H
