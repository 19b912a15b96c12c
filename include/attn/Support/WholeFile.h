//===- WholeFile.h - Writes files atomically --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_WHOLEFILE_H
#define ATTN_SUPPORT_WHOLEFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::attn {

/// Writes a file completely or not at all. If writing fails, the former file is
/// kept, and the returned error names the path. Devices and pipes are written
/// directly, and symbolic links are followed.
llvm::Error writeWholeFile(llvm::StringRef path,
                           llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Returns the error that a write to a file would certainly have, since the
/// path is a directory, the file or its directory has no permission for it, or
/// there is no such directory. Changes nothing.
llvm::Error checkWritable(llvm::StringRef path);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_WHOLEFILE_H
