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
using namespace mlir::attn::sim;

std::optional<SharedMemory::Conflict>
SharedMemory::read(int64_t offset, int64_t size, unsigned actor,
                   const Clock &clock, Operation *op) {
  Access access{actor, clock.at(actor), op};
  for (int64_t i = offset / kGranule; i * kGranule < offset + size; ++i) {
    Cell &cell = cells[i];
    if (!cell.writer.op || !cell.writer.isBefore(clock))
      return Conflict{cell.writer.op, i * kGranule, true};
    Access *own = llvm::find_if(cell.readers, [&](const Access &reader) {
      return reader.actor == actor;
    });
    if (own != cell.readers.end())
      *own = access;
    else
      cell.readers.push_back(access);
  }
  return std::nullopt;
}

std::optional<SharedMemory::Conflict>
SharedMemory::write(int64_t offset, int64_t size, unsigned actor,
                    const Clock &clock, Operation *op) {
  for (int64_t i = offset / kGranule; i * kGranule < offset + size; ++i) {
    Cell &cell = cells[i];
    if (cell.writer.op && !cell.writer.isBefore(clock))
      return Conflict{cell.writer.op, i * kGranule, true};
    for (const Access &reader : cell.readers)
      if (!reader.isBefore(clock))
        return Conflict{reader.op, i * kGranule, false};
    cell.writer = {actor, clock.at(actor), op};
    cell.readers.clear();
  }
  return std::nullopt;
}
