//===- DiskCache.cpp - A cache on disk for several processes --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache in a directory. `llvm::localCache` is not used, since it installs
// signal handlers for its temporary files, and ends the process if the
// directory disappears or the disk is full. A library must do neither.
//
//===----------------------------------------------------------------------===//

#include "attn/Support/DiskCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>

using namespace mlir::attn;
using namespace llvm;

/// A cache file has four parts: the hash of the key and of all that follows,
/// the length of the description in 8 bytes, the description, and the contents.
static constexpr size_t kHashBytes = LLVM_BLAKE3_OUT_LEN;
static constexpr size_t kHeaderBytes = kHashBytes + sizeof(uint64_t);
static constexpr StringRef kSuffix = ".attn", kUnfinishedSuffix = ".attn-tmp";
static constexpr uint64_t kDefaultMiB = 256;

/// Hashes a list of texts together with their lengths, so that different lists
/// never give the same bytes to hash.
static BLAKE3Result<> hash(ArrayRef<StringRef> texts) {
  BLAKE3 hasher;
  for (StringRef text : texts) {
    char size[sizeof(uint64_t)];
    support::endian::write64le(size, text.size());
    hasher.update(StringRef(size, sizeof(size)));
    hasher.update(text);
  }
  return hasher.final();
}

std::string DiskCache::getKey(ArrayRef<StringRef> texts) {
  return toHex(hash(texts), /*LowerCase=*/true);
}

Expected<std::optional<DiskCache>> DiskCache::open(StringRef setting) {
  std::string directory = setting.str();
  if (directory.empty())
    directory = sys::Process::GetEnv("ATTN_MLIR_CACHE").value_or("");
  if (directory == "0")
    return std::nullopt;
  if (directory.empty()) {
    SmallString<128> path;
    if (!sys::path::cache_directory(path))
      return std::nullopt;
    sys::path::append(path, "attn-mlir");
    directory = path.str();
  }
  uint64_t limit = kDefaultMiB;
  if (auto text = sys::Process::GetEnv("ATTN_MLIR_CACHE_MIB"))
    if (StringRef(*text).getAsInteger(10, limit) || limit > (1 << 30))
      return createStringError(
          "expected ATTN_MLIR_CACHE_MIB to be a number of MiB, found '" +
          *text + "'");
  return DiskCache(directory, limit << 20);
}

std::string DiskCache::getPath(StringRef key) const {
  SmallString<128> path(directory);
  sys::path::append(path, key + kSuffix);
  return std::string(path);
}

/// Reads a file without mapping it, since a mapped file that another process
/// truncates would end this process. Sets the access time explicitly, since
/// file systems do not do so reliably: to now if `isUse`, and otherwise to what
/// it was before.
static ErrorOr<std::unique_ptr<MemoryBuffer>> readFile(const std::string &path,
                                                       bool isUse) {
  // The cache file is opened with O_NONBLOCK, since opening a pipe would
  // otherwise wait for a writer.
  sys::fs::file_t file = sys::RetryAfterSignal(
      -1, ::open, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return errnoAsErrorCode();
  ErrorOr<std::unique_ptr<MemoryBuffer>> result =
      std::make_error_code(std::errc::invalid_argument);
  sys::fs::file_status status;
  if (!sys::fs::status(file, status) && sys::fs::is_regular_file(status)) {
    result = MemoryBuffer::getOpenFile(file, path, status.getSize(),
                                       /*RequiresNullTerminator=*/false,
                                       /*IsVolatile=*/true);
    (void)sys::fs::setLastAccessAndModificationTime(
        file,
        isUse ? std::chrono::system_clock::now() : status.getLastAccessedTime(),
        status.getLastModificationTime());
  }
  sys::fs::closeFile(file);
  return result;
}

/// Splits a cache file into its parts. Returns false if the file is not what
/// was stored under the key.
static bool parse(StringRef key, StringRef file, StringRef &description,
                  StringRef &contents) {
  if (file.size() < kHeaderBytes)
    return false;
  StringRef hashed = file.drop_front(kHashBytes);
  if (toStringRef(hash({key, hashed})) != file.take_front(kHashBytes))
    return false;
  uint64_t size = support::endian::read64le(hashed.data());
  StringRef rest = file.drop_front(kHeaderBytes);
  if (size > rest.size())
    return false;
  description = rest.take_front(size);
  contents = rest.drop_front(size);
  return true;
}

std::unique_ptr<MemoryBuffer> DiskCache::load(StringRef key) const {
  auto file = readFile(getPath(key), /*isUse=*/true);
  StringRef description, contents;
  if (!file || !parse(key, (*file)->getBuffer(), description, contents))
    return nullptr;
  return MemoryBuffer::getMemBufferCopy(contents, key);
}

/// Writes all parts to a file, closes it, and returns whether that succeeded.
/// Clears an error, since the stream's destructor would otherwise end the
/// process.
static bool writeAll(int descriptor, ArrayRef<StringRef> parts) {
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  for (StringRef part : parts)
    os << part;
  os.close();
  bool isWhole = !os.has_error();
  os.clear_error();
  return isWhole;
}

void DiskCache::store(StringRef key, StringRef description,
                      StringRef contents) const {
  if (sys::fs::create_directories(directory, /*IgnoreExisting=*/true,
                                  sys::fs::owner_all))
    return;
  char size[sizeof(uint64_t)];
  support::endian::write64le(size, description.size());
  std::string hashed =
      (Twine(StringRef(size, sizeof(size))) + description + contents).str();
  BLAKE3Result<> checksum = hash({key, hashed});

  // The cache entry is written to a new file, which is renamed to the entry's
  // path at the end. A file of the new name may exist already, from a process
  // that was killed or that runs on another machine. So up to 100 names are
  // tried.
  std::string path = getPath(key), unfinished;
  int descriptor = -1;
  std::error_code code;
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    unfinished =
        (path + "-" + Twine(sys::Process::getProcessId()) + "-" +
         Twine(get_threadid()) + "-" + Twine(attempt) + kUnfinishedSuffix)
            .str();
    code = sys::fs::openFileForWrite(
        unfinished, descriptor, sys::fs::CD_CreateNew, sys::fs::OF_None,
        sys::fs::owner_read | sys::fs::owner_write);
    if (code != std::errc::file_exists)
      break;
  }
  if (code)
    return;
  if (!writeAll(descriptor, {toStringRef(checksum), hashed}) ||
      sys::fs::rename(unfinished, path)) {
    sys::fs::remove(unfinished);
    return;
  }
  prune();
}

/// Whether a file name is that of a cache entry, or of an entry that is not
/// finished (`isUnfinished`). Other files in the directory are never touched.
static bool isEntry(StringRef name, bool &isUnfinished) {
  isUnfinished = name.ends_with(kUnfinishedSuffix);
  StringRef key = name.take_front(2 * kHashBytes);
  return key.size() == 2 * kHashBytes && all_of(key, isHexDigit) &&
         (isUnfinished || name.drop_front(key.size()) == kSuffix);
}

Expected<std::vector<DiskCache::Entry>> DiskCache::getEntries() const {
  std::vector<Entry> entries;
  std::error_code code;
  for (sys::fs::directory_iterator file(directory, code,
                                        /*follow_symlinks=*/false),
       end;
       file != end && !code; file.increment(code)) {
    StringRef path = file->path();
    bool isUnfinished;
    if (!isEntry(sys::path::filename(path), isUnfinished))
      continue;
    // Another process may have removed the cache file since the directory was
    // read.
    ErrorOr<sys::fs::basic_file_status> status = file->status();
    if (status && status->type() == sys::fs::file_type::regular_file)
      entries.push_back({path.str(), status->getSize(),
                         status->getLastAccessedTime(), isUnfinished});
  }
  if (code && code != std::errc::no_such_file_or_directory)
    return createStringError("cannot read '" + directory +
                             "': " + code.message());
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.lastUse, a.path) < std::tie(b.lastUse, b.path);
  });
  return entries;
}

void DiskCache::prune() const {
  Expected<std::vector<Entry>> entries = getEntries();
  if (!entries) {
    consumeError(entries.takeError());
    return;
  }
  uint64_t total = 0;
  for (const Entry &entry : *entries)
    total += entry.bytes;
  for (const Entry &entry : *entries) {
    if (total <= maxBytes)
      return;
    sys::fs::remove(entry.path);
    total -= entry.bytes;
  }
}

Expected<std::string> DiskCache::describe(const Entry &entry) {
  auto file = readFile(entry.path, /*isUse=*/false);
  if (!file)
    return createStringError("cannot be read: " + file.getError().message());
  StringRef description, contents;
  if (!parse(sys::path::stem(entry.path), (*file)->getBuffer(), description,
             contents))
    return createStringError("damaged");
  return description.str();
}

Expected<unsigned> DiskCache::clear() const {
  Expected<std::vector<Entry>> entries = getEntries();
  if (!entries)
    return entries.takeError();
  unsigned count = 0;
  for (const Entry &entry : *entries) {
    if (std::error_code code = sys::fs::remove(entry.path))
      return createStringError("cannot remove '" + entry.path +
                               "': " + code.message());
    ++count;
  }
  return count;
}
