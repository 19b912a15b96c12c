//===- Registers.h - Registers at a kernel's launch ------------*- C++ -*--===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_REGISTERS_H
#define ATTN_DIALECT_ATTNGPU_IR_REGISTERS_H

#include "mlir/Support/LLVM.h"

#include <cstdint>

namespace mlir::attn_gpu {

/// The most registers that each thread of a CTA of `warpgroups` warpgroups can
/// begin with.
int64_t getRegistersAtLaunch(int64_t warpgroups);

/// The registers that each thread begins with if role i has `warpgroups[i]`
/// warpgroups whose threads then have `registers[i]` each. If each role has one
/// warpgroup, the kernel is launched with no more than they need together,
/// which leaves registers to CTAs of the next kernel. Otherwise threads begin
/// with the most that they can.
int64_t getRegistersAtLaunch(ArrayRef<int64_t> warpgroups,
                             ArrayRef<int64_t> registers);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_IR_REGISTERS_H
