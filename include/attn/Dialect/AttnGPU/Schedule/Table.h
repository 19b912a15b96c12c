//===- Table.h - Schedules that were found to be fast -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_SCHEDULE_TABLE_H
#define ATTN_DIALECT_ATTNGPU_SCHEDULE_TABLE_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// A schedule, and the reasons why it was chosen, as sentences for people to
/// read.
struct Plan {
  ScheduleAttr schedule;
  SmallVector<std::string> reasons;

  /// Returns the reasons as an array of strings, for an attribute of an op.
  ArrayAttr getReasonsAttr() const;
};

/// Returns a schedule for the op from the table of schedules, with the given
/// kind of copies. Fails with an error that says why none fits.
llvm::Expected<Plan> choosePlan(attn::AttentionInterface op,
                                const attn::Chip &chip, CopyKind copy);

/// Returns a schedule with copies by cp.async that is faster than those with
/// TMA, if the table has one: for few rows on keys and values of 8 bits or
/// fewer, which one warp extends to the registers of mma.sync. choosePlan()
/// returns it for cp.async.
std::optional<Plan> chooseBeforeTma(attn::AttentionInterface op,
                                    const attn::Chip &chip);

/// Returns the reasons of all rows of the table of schedules, for tests. No two
/// rows have the same reason.
SmallVector<StringRef> getTableReasons();

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_TABLE_H
