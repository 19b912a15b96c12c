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

/// A schedule, and the reasons why it was chosen, for people.
struct Plan {
  ScheduleAttr schedule;
  SmallVector<std::string> reasons;

  /// The reasons as an attribute for ops.
  ArrayAttr getReasonsAttr() const;
};

/// Chooses a schedule for the op from the table, with the given kind of copies.
/// An error says why none fits.
llvm::Expected<Plan> choosePlan(attn::AttentionInterface op,
                                const attn::Chip &chip, CopyKind copy);

/// Returns the reasons of all rows of the table, for tests. No two rows have
/// the same reason.
SmallVector<StringRef> getTableReasons();

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_TABLE_H
