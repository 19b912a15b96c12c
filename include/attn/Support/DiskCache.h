//===- DiskCache.h - What is kept from one process to the next --*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_DISKCACHE_H
#define ATTN_SUPPORT_DISKCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::attn {

/// A directory with one file for each entry, which any number of processes may
/// use at once. Files appear whole or not at all; one that is damaged all the
/// same is as good as absent. Loading and storing do not fail: what cannot be
/// kept is made again.
class DiskCache {
public:
  DiskCache(llvm::StringRef directory, uint64_t maxBytes)
      : directory(directory), maxBytes(maxBytes) {}

  /// The cache in directory `setting`, or none if that is "0". Where it is
  /// empty the environment decides: ATTN_MLIR_CACHE is such a setting, and else
  /// the cache is attn-mlir in the user's directory for caches, XDG_CACHE_HOME.
  /// An error says that ATTN_MLIR_CACHE_MIB, the limit, is wrong.
  static llvm::Expected<std::optional<DiskCache>>
  open(llvm::StringRef setting = "");

  /// A name for what these texts determine, in this order.
  static std::string getKey(llvm::ArrayRef<llvm::StringRef> texts);

  /// What was stored, or null. It counts as the entry's last use.
  std::unique_ptr<llvm::MemoryBuffer> load(llvm::StringRef key) const;
  /// Stores an entry, and removes those that were used longest ago until all
  /// are within the limit. `description` is for those who list entries.
  void store(llvm::StringRef key, llvm::StringRef description,
             llvm::StringRef contents) const;

  struct Entry {
    std::string path;
    uint64_t bytes;
    llvm::sys::TimePoint<> lastUse;
    /// What a process is writing, or was when it was killed.
    bool isUnfinished;
  };
  /// Oldest use first. A directory that is not there yet has none.
  llvm::Expected<std::vector<Entry>> getEntries() const;
  /// The description; an error says that the entry is damaged or cannot be
  /// read.
  static llvm::Expected<std::string> describe(const Entry &entry);
  /// Removes all entries and nothing else, and says how many.
  llvm::Expected<unsigned> clear() const;

  llvm::StringRef getDirectory() const { return directory; }
  uint64_t getMaxBytes() const { return maxBytes; }

private:
  std::string getPath(llvm::StringRef key) const;
  void prune() const;

  std::string directory;
  uint64_t maxBytes;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_DISKCACHE_H
