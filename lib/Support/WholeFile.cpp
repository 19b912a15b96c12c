//===- WholeFile.cpp - Writes files atomically ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

using Write = function_ref<void(raw_ostream &)>;

/// Writes what `write` prints to an open file, and leaves the file open.
static std::error_code writeContents(int descriptor, Write write) {
  raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  os.SetBufferSize(1 << 20);
  write(os);
  os.flush();
  // An error of the stream is cleared, since the stream's destructor would
  // otherwise end the process.
  std::error_code code = os.error();
  os.clear_error();
  return code;
}

/// Writes what `write` prints to an open file, and closes the file.
static std::error_code writeAndClose(int descriptor, Write write) {
  std::error_code written = writeContents(descriptor, write);
  sys::fs::file_t file = sys::fs::convertFDToNativeFile(descriptor);
  std::error_code closed = sys::fs::closeFile(file);
  return written ? written : closed;
}

/// Writes to a new file in the directory of `target` and renames it to
/// `target`. If that fails, removes the new file and leaves `target` as it was.
/// LLVM's TempFile is not used, since it replaces each '%' in a path.
static std::error_code replaceFile(StringRef target, Write write) {
  SmallString<128> temporary;
  std::error_code code;
  int descriptor;
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    temporary = sys::path::parent_path(target);
    sys::path::append(temporary, ".attn-" +
                                     Twine(sys::Process::getProcessId()) + "-" +
                                     Twine(attempt) + ".tmp");
    code =
        sys::fs::openFileForWrite(temporary, descriptor, sys::fs::CD_CreateNew);
    if (code != std::errc::file_exists)
      break;
  }
  if (code)
    return code;
  sys::RemoveFileOnSignal(temporary);
  code = writeAndClose(descriptor, write);
  if (!code)
    code = sys::fs::rename(temporary, target);
  if (code)
    sys::fs::remove(temporary);
  sys::DontRemoveFileOnSignal(temporary);
  return code;
}

static Error makeError(StringRef path, const Twine &reason) {
  return createStringError("cannot write '" + path + "': " + reason);
}

Error mlir::attn::checkWritable(StringRef path) {
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  if (sys::fs::is_directory(status))
    return makeError(path, "expected a file, found a directory");
  if (!code && sys::fs::exists(status)) {
    code = sys::fs::access(path, sys::fs::AccessMode::Write);
  } else if (sys::fs::is_symlink_file(path)) {
    return Error::success();
  } else {
    StringRef folder = sys::path::parent_path(path);
    if (folder.empty())
      folder = ".";
    code = sys::fs::access(folder, sys::fs::AccessMode::Write);
    if (!code && !sys::fs::is_directory(folder))
      code = std::make_error_code(std::errc::not_a_directory);
  }
  return code ? makeError(path, code.message()) : Error::success();
}

Error mlir::attn::writeWholeFile(StringRef path, Write write) {
  auto makeError = [&](const Twine &reason) {
    return ::makeError(path, reason);
  };
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  if (sys::fs::is_directory(status))
    return makeError("expected a file, found a directory");
  SmallString<128> target(path);
  // If the path is a symbolic link that points nowhere, the file to which it
  // points is created. Renaming would replace the link itself.
  bool isDangling = code && sys::fs::is_symlink_file(path);
  if (isDangling) {
    int descriptor;
    if ((code = sys::fs::openFileForWrite(path, descriptor,
                                          sys::fs::CD_OpenAlways)) ||
        (code = writeAndClose(descriptor, [](raw_ostream &) {})) ||
        (code = sys::fs::real_path(path, target)))
      return makeError(code.message());
  } else if (!code && sys::fs::exists(status)) {
    // The permissions of an existing file are checked, since renaming would
    // ignore them.
    if ((code = sys::fs::access(path, sys::fs::AccessMode::Write)))
      return makeError(code.message());
    // A device or a pipe is written directly, since renaming would replace it.
    if (!sys::fs::is_regular_file(status)) {
      int descriptor;
      if ((code = sys::fs::openFileForWrite(path, descriptor,
                                            sys::fs::CD_OpenExisting)))
        return makeError(code.message());
      if ((code = writeAndClose(descriptor, write)))
        return makeError(code.message());
      return Error::success();
    }
    // If the path is a symbolic link, the new file is renamed to the link's
    // target, since renaming it to the link would replace the link.
    if ((code = sys::fs::real_path(path, target)))
      return makeError(code.message());
  }

  if ((code = replaceFile(target, write))) {
    if (isDangling)
      sys::fs::remove(target);
    return makeError(code.message());
  }
  return Error::success();
}
