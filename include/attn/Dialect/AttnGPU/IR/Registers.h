//===- Registers.h - What threads of a CTA begin with -----------*- C++ -*-===//
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

/// Most registers that each thread of a CTA of so many warpgroups can begin
/// with.
int64_t getRegistersAtLaunch(int64_t warpgroups);

/// Registers that each thread begins with where roles of `warpgroups` then have
/// `registers` a thread: no more than they share, so that CTAs of the next
/// kernel find some. That is known of kernels (attn-annotate-kernels) in which
/// each warpgroup has a role of its own; others begin with the most.
int64_t getRegistersAtLaunch(ArrayRef<int64_t> warpgroups,
                             ArrayRef<int64_t> registers);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_IR_REGISTERS_H
