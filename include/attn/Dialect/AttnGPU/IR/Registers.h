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

/// Returns the largest number of registers that each thread of a CTA of
/// `warpgroups` warpgroups can have at launch. It is the largest multiple of 8,
/// at most 248, for which the 65536 registers of an SM suffice for all threads
/// of the CTA.
int64_t getRegistersAtLaunch(int64_t warpgroups);

/// Returns the number of registers that each thread has at the launch, if role
/// i has `warpgroups[i]` warpgroups whose threads then change to `registers[i]`
/// by setmaxnreg. If each role has one warpgroup, the kernel is launched with
/// no more registers than the roles need together, which leaves some to CTAs of
/// the next kernel. Otherwise threads begin with the largest possible number.
int64_t getRegistersAtLaunch(ArrayRef<int64_t> warpgroups,
                             ArrayRef<int64_t> registers);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_IR_REGISTERS_H
