//===- SharedMemory.cpp - A CTA's shared memory ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

/// After the last write.
std::optional<sim::SharedMemory::Conflict>
sim::SharedMemory::checkWriter(const Cell &cell, const Accessor &by) {
  const Access &writer = cell.writer;
  if (!writer.op)
    return std::nullopt;
  bool isOrdered = writer.isBefore(by.clock);
  if (isOrdered && (!by.isAsync || writer.isVisible(by.clock)))
    return std::nullopt;
  Conflict conflict;
  conflict.before = writer.op;
  conflict.isBeforeWrite = true;
  conflict.lacksFence = isOrdered;
  return conflict;
}

std::optional<sim::SharedMemory::Conflict>
sim::SharedMemory::read(int64_t offset, int64_t size, const Accessor &by,
                        Operation *op) {
  Access access{by.actor, by.clock.at(by.actor), op, by.isAsync};
  for (int64_t i = offset / kGranule; i * kGranule < offset + size; ++i) {
    Cell &cell = cells[i];
    std::optional<Conflict> conflict = checkWriter(cell, by);
    if (!conflict && !cell.writer.op)
      conflict = Conflict();
    if (conflict) {
      conflict->offset = i * kGranule;
      return conflict;
    }
    Access *own = llvm::find_if(cell.readers, [&](const Access &reader) {
      return reader.actor == by.actor;
    });
    if (own != cell.readers.end())
      *own = access;
    else
      cell.readers.push_back(access);
  }
  return std::nullopt;
}

std::optional<sim::SharedMemory::Conflict>
sim::SharedMemory::write(int64_t offset, int64_t size, const Accessor &by,
                         Operation *op) {
  for (int64_t i = offset / kGranule; i * kGranule < offset + size; ++i) {
    Cell &cell = cells[i];
    std::optional<Conflict> conflict = checkWriter(cell, by);
    for (const Access &reader : cell.readers)
      if (!conflict && !reader.isBefore(by.clock)) {
        conflict = Conflict();
        conflict->before = reader.op;
      }
    if (conflict) {
      conflict->offset = i * kGranule;
      return conflict;
    }
    cell.writer = {by.actor, by.clock.at(by.actor), op, by.isAsync};
    cell.readers.clear();
  }
  return std::nullopt;
}
