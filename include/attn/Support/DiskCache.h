//===- DiskCache.h - A cache on disk for several processes ------*- C++ -*-===//
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

/// A cache on disk: a directory with one file for each entry, which several
/// processes may use at once. Files are written atomically, and a damaged file
/// counts as absent. Loading and storing do not fail. If an entry cannot be
/// stored, it is computed again the next time.
class DiskCache {
public:
  DiskCache(llvm::StringRef directory, uint64_t maxBytes)
      : directory(directory), maxBytes(maxBytes) {}

  /// Opens the cache in the directory `setting`. If `setting` is empty, the
  /// value of the environment variable ATTN_MLIR_CACHE is used. If that is
  /// empty, too, the directory is attn-mlir in the user's cache directory,
  /// XDG_CACHE_HOME. Returns std::nullopt if the setting or the variable is
  /// "0", or if the user has no cache directory. Fails if the size limit in
  /// ATTN_MLIR_CACHE_MIB is not valid.
  static llvm::Expected<std::optional<DiskCache>>
  open(llvm::StringRef setting = "");

  /// Returns the key of an entry, which is a hash of the given texts in their
  /// order.
  static std::string getKey(llvm::ArrayRef<llvm::StringRef> texts);

  /// Returns the contents of the entry with the given key, or null if there is
  /// none. Marks the entry as used now.
  std::unique_ptr<llvm::MemoryBuffer> load(llvm::StringRef key) const;
  /// Stores an entry. Then removes entries, those that were used longest ago
  /// first, until the cache is within its size limit. `description` is shown in
  /// listings of the entries.
  void store(llvm::StringRef key, llvm::StringRef description,
             llvm::StringRef contents) const;

  struct Entry {
    std::string path;
    uint64_t bytes;
    llvm::sys::TimePoint<> lastUse;
    /// Whether the file has not been written completely: a process still writes
    /// it, or was killed while it did.
    bool isUnfinished;
  };
  /// Returns the entries of the cache, sorted by their last use, the one used
  /// longest ago first. Returns no entries if the directory does not exist.
  llvm::Expected<std::vector<Entry>> getEntries() const;
  /// Returns the description of an entry. Fails if the entry's file is damaged
  /// or cannot be read.
  static llvm::Expected<std::string> describe(const Entry &entry);
  /// Removes all entries of the cache, but no other files in its directory.
  /// Returns the number of entries that were removed.
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
