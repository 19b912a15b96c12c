//===- Check.h - Whether a schedule fits ------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_SCHEDULE_CHECK_H
#define ATTN_DIALECT_ATTNGPU_SCHEDULE_CHECK_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// The alignment of addresses, in bytes, that copies other than `element` need.
inline constexpr int64_t kCopyBytes = 16;

/// Whether TMA may copy rows of tiles from an array that has an element for
/// each pair of row and key: 16-bit floats whose rows are dense, as far as the
/// type tells.
bool mayStreamPairs(MemRefType type);
/// The array of pairs captured by the op's score region whose tiles TMA copies
/// in schedules with `copy = tma`, or null. Threads read other arrays of pairs
/// themselves.
Value getStreamedPairs(attn::AttentionInterface op);

/// The arrays that copies of the kind read and, with TMA, write. Their
/// addresses and strides must be fit for the copies.
SmallVector<attn::NamedArray> getCopiedArrays(attn::AttentionInterface op,
                                              CopyKind copy);

/// Why the chip cannot execute the schedule, whatever the op, or the passes
/// cannot lower it yet; "" if they can.
std::string findMisfit(ScheduleAttr schedule, const attn::Chip &chip);

/// Why the schedule does not fit the op, or "". The op's programs are built to
/// find the resources that they take: the table passes over rows that do not
/// fit, and a schedule that was written by hand is refused. A program that
/// cannot be lowered at all is no misfit.
std::string findMisfit(attn::AttentionInterface op, ScheduleAttr schedule,
                       const attn::Chip &chip);

/// Fails with an error at the op where its schedule or its fallback does not
/// fit. Without `plans` no programs are built.
LogicalResult checkSchedule(attn::AttentionInterface op, const attn::Chip &chip,
                            bool plans);

/// Sets the bytes of shared memory of the kernel's CTAs. Fails with an error at
/// the kernel if the chip has fewer.
LogicalResult setSharedBytes(KernelOp kernel, int64_t bytes,
                             const attn::Chip &chip);

/// Calls `visit` for each kernel that is a tile program, with its schedule and
/// the chip. Fails with an error at a kernel whose schedule does not fit the
/// chip: a pass that went on would lower something else.
LogicalResult
walkKernels(Operation *root,
            llvm::function_ref<LogicalResult(KernelOp, ScheduleAttr,
                                             const attn::Chip &)>
                visit);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_CHECK_H
