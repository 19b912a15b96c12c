//===- CheckFields.h - Checks of a schedule's fields ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_CHECKFIELDS_H
#define ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_CHECKFIELDS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include <string>

namespace mlir::attn_gpu {

/// Returns the message for a schedule with wgmma whose `tile_q` is neither 64
/// rows for each warpgroup nor 64 rows for each of several equal groups of
/// warpgroups.
std::string findMissingRowsOfWarpgroups(ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_CHECKFIELDS_H
