//===- Cache.cpp - attnc cache --------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Support/DiskCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::cacheCommand("cache",
                                   "Show or clear the cache of programs that "
                                   "libattn-c and Python compiled");

namespace attnc::cache_command {

static cl::opt<bool>
    list("list", cl::sub(cacheCommand),
         cl::desc("List the entries, most recently used first"));
static cl::opt<bool> clear("clear", cl::sub(cacheCommand),
                           cl::desc("Remove all entries"));

static void print(const DiskCache::Entry &entry) {
  std::string text = "being written, or never finished";
  if (!entry.isUnfinished) {
    llvm::Expected<std::string> description = DiskCache::describe(entry);
    text = description ? *description : llvm::toString(description.takeError());
  }
  llvm::outs() << llvm::formatv(
      "{0:%Y-%m-%d %H:%M:%S} {1,9}  {2}  ", entry.lastUse, entry.bytes,
      llvm::sys::path::filename(entry.path).take_front(12));
  // The text contains names of functions, which may have any characters, so
  // unprintable ones are escaped.
  llvm::printEscapedString(text, llvm::outs());
  llvm::outs() << "\n";
}

static llvm::Error show(const DiskCache &cache) {
  llvm::Expected<std::vector<DiskCache::Entry>> entries = cache.getEntries();
  if (!entries)
    return entries.takeError();
  uint64_t bytes = 0;
  for (const DiskCache::Entry &entry : *entries)
    bytes += entry.bytes;
  llvm::outs() << "directory  " << cache.getDirectory() << "\n"
               << "entries    " << entries->size() << "\n"
               << "bytes      " << bytes << " of " << cache.getMaxBytes()
               << "\n";
  if (list)
    for (const DiskCache::Entry &entry : llvm::reverse(*entries))
      print(entry);
  return llvm::Error::success();
}

static int run() {
  if (list && clear)
    return reportError(
        llvm::createStringError("expected --list or --clear, found both"));
  llvm::Expected<std::optional<DiskCache>> cache = DiskCache::open();
  if (!cache)
    return reportError(cache.takeError());
  if (!*cache) {
    llvm::outs() << "no cache: ATTN_MLIR_CACHE is 0, or there is neither "
                    "XDG_CACHE_HOME nor a home\n";
    return 0;
  }
  if (!clear) {
    llvm::Error error = show(**cache);
    return error ? reportError(std::move(error)) : 0;
  }
  llvm::Expected<unsigned> count = (*cache)->clear();
  if (!count)
    return reportError(count.takeError());
  llvm::outs() << "removed " << *count << " entries from "
               << (*cache)->getDirectory() << "\n";
  return 0;
}

} // namespace attnc::cache_command

int attnc::runCache() { return cache_command::run(); }
