//===- SharedMemory.h - A CTA's shared memory -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_SHAREDMEMORY_H
#define ATTN_LIB_SIMULATOR_SHAREDMEMORY_H

#include "Clock.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <vector>

namespace mlir::attn::sim {

/// A CTA's shared memory, and who read and wrote each 16 bytes of it when.
class SharedMemory {
public:
  static constexpr int64_t kGranule = 16;

  /// Two accesses without an order or, by the async proxy after a write by
  /// threads, without a fence, or a read of what nobody has written.
  struct Conflict {
    /// The earlier access, or null.
    Operation *before = nullptr;
    int64_t offset = 0;
    bool isBeforeWrite = false, lacksFence = false;
  };

  explicit SharedMemory(int64_t bytes)
      : bytes(bytes), cells((bytes + kGranule - 1) / kGranule) {}

  int64_t getSize() const { return bytes.size(); }
  char *at(int64_t offset) { return bytes.data() + offset; }

  /// Notes an access of [offset, offset + size).
  std::optional<Conflict> read(int64_t offset, int64_t size, const Accessor &by,
                               Operation *op);
  std::optional<Conflict> write(int64_t offset, int64_t size,
                                const Accessor &by, Operation *op);

private:
  struct Cell;
  struct Access {
    unsigned actor = 0;
    uint32_t time = 0;
    Operation *op = nullptr;
    bool isAsync = false;

    bool isBefore(const Clock &clock) const { return clock.at(actor) >= time; }
    /// Whether the async proxy sees it.
    bool isVisible(const Clock &clock) const {
      return isAsync || clock.getFenced(actor) >= time;
    }
  };
  struct Cell {
    /// Without an op, nobody has written.
    Access writer;
    llvm::SmallVector<Access, 2> readers;
  };

  static std::optional<Conflict> checkWriter(const Cell &cell,
                                             const Accessor &by);

  std::vector<char> bytes;
  std::vector<Cell> cells;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SHAREDMEMORY_H
