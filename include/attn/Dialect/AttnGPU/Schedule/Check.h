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

/// Whether TMA may copy tiles of a captured array of that type, which a region
/// reads at the row and key of each pair. The array must have elements of f16
/// or bf16, rank 5 at most and contiguous rows, and its other static strides
/// must be multiples of 16 bytes. Launches check dynamic strides.
bool mayStreamPairs(MemRefType type);
/// Returns the first captured memref that the score region of a forward op
/// reads at row and key and that mayStreamPairs() accepts, or null. In
/// schedules with `copy = tma`, TMA copies tiles of this array. Threads read
/// all other captured arrays themselves.
Value getStreamedPairs(attn::AttentionInterface op);

/// Returns those arrays of the op whose addresses and strides must have the
/// alignment that copies of kind `copy` require. These are the input arrays
/// with a head dim and, for TMA, also the output arrays with a head dim and the
/// captured array of getStreamedPairs().
SmallVector<attn::NamedArray> getCopiedArrays(attn::AttentionInterface op,
                                              CopyKind copy);

/// Returns why the chip cannot execute the schedule, or why the passes cannot
/// lower it for any op; "" if both can.
std::string findMisfit(ScheduleAttr schedule, const attn::Chip &chip);

/// Returns why the schedule does not fit the op and the chip, or "" if it fits.
/// If its fields fit, builds the op's programs to find the registers and the
/// shared memory that they take. A program that cannot be lowered at all is not
/// reported here. The table of schedules goes on to its next row if a schedule
/// does not fit; a schedule that was written by hand is then refused.
std::string findMisfit(attn::AttentionInterface op, ScheduleAttr schedule,
                       const attn::Chip &chip);

/// Fails with an error at the op if its schedule or its fallback schedule does
/// not fit the op and the chip. With `plans` false, checks only the fields of
/// schedules, and builds no programs to find the registers and shared memory
/// that they take.
LogicalResult checkSchedule(attn::AttentionInterface op, const attn::Chip &chip,
                            bool plans);

/// Extends the shared memory of the kernel's CTAs by the bytes from `begin`, at
/// which it must end so far, to `end`. All passes that add to shared memory
/// call this. Fails with an error at the kernel if its shared memory ends
/// elsewhere, since two passes would then use the same bytes, or if the chip
/// has less shared memory.
LogicalResult extendSharedBytes(KernelOp kernel, int64_t begin, int64_t end,
                                const attn::Chip &chip);

/// Calls `lower` with a kernel, its schedule and its chip, unless the kernel
/// has no ops of attn_tile or attn_gpu any more. Fails with an error at the
/// kernel if the schedule does not fit the chip, since a pass would then lower
/// it to something else.
LogicalResult
lowerKernel(KernelOp kernel,
            llvm::function_ref<LogicalResult(KernelOp, ScheduleAttr,
                                             const attn::Chip &)>
                lower);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_CHECK_H
