//===- Check.h - Checks of schedules ----------------------------*- C++ -*-===//
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

/// The alignment of addresses, in bytes, that TMA and cp.async need.
inline constexpr int64_t kCopyBytes = 16;

/// Whether TMA may copy tiles of a captured array that is read at row and key:
/// as far as its type tells, it has elements of f16 or bf16, rank 5 at most,
/// contiguous rows, and other strides that are multiples of 16 bytes.
bool mayStreamPairs(MemRefType type);
/// Returns the first captured memref that the score region of a forward op
/// reads at row and key and that mayStreamPairs() accepts, or null. TMA copies
/// its tiles in schedules with `copy = tma`; threads read all other such arrays
/// themselves.
Value getStreamedPairs(attn::AttentionInterface op);

/// Returns the arrays that copies of the kind read and, for TMA, write: those
/// with a head dim and, for TMA, the captured array of getStreamedPairs().
/// Their addresses and strides must meet the copies' alignment.
SmallVector<attn::NamedArray> getCopiedArrays(attn::AttentionInterface op,
                                              CopyKind copy);

/// Returns why the chip cannot execute the schedule, or the passes cannot lower
/// it yet, whatever the op; "" if they can.
std::string findMisfit(ScheduleAttr schedule, const attn::Chip &chip);

/// Returns why the schedule does not fit the op, or "". If its fields fit,
/// builds the op's programs to find the registers and the shared memory that
/// they take. A program that cannot be lowered at all is not reported here. For
/// a misfit, the table goes on to its next row, and a schedule that was written
/// by hand is refused.
std::string findMisfit(attn::AttentionInterface op, ScheduleAttr schedule,
                       const attn::Chip &chip);

/// Fails with an error at the op if its schedule or its fallback does not fit.
/// With `plans` false, no programs are built to find the resources that they
/// take.
LogicalResult checkSchedule(attn::AttentionInterface op, const attn::Chip &chip,
                            bool plans);

/// Sets the number of bytes of shared memory of the kernel's CTAs. Fails with
/// an error at the kernel if the chip has less shared memory.
LogicalResult setSharedBytes(KernelOp kernel, int64_t bytes,
                             const attn::Chip &chip);

/// Calls `lower` for a kernel that still has ops of attn_tile or attn_gpu, with
/// its schedule and chip. Fails with an error at a kernel whose schedule does
/// not fit its chip, since a pass would lower it to something else.
LogicalResult
lowerKernel(KernelOp kernel,
            llvm::function_ref<LogicalResult(KernelOp, ScheduleAttr,
                                             const attn::Chip &)>
                lower);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_CHECK_H
