//===- Cache.h - Compiled programs on disk ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_CACHE_H
#define ATTN_LIB_CAPI_CACHE_H

#include "Program.h"

#include "attn/Support/DiskCache.h"

namespace mlir::attn {

/// The place of one program in the cache. An entry holds all that the compiler
/// makes of a module. Machine code of a GPU is not ours to keep: the driver
/// makes it of the PTX, and keeps it in a cache of its own. Only its linker
/// would hand it out, which compiles PTX as relocatable code. On Hopper that
/// has a fixed number of registers for all warps, and waits for each wgmma.
class ProgramCache {
public:
  explicit ProgramCache(const CompileRequest &request);

  /// Nothing if the program was not stored, or not as a whole.
  std::optional<CompiledProgram> load() const;
  void store(const CompiledProgram &program) const;

private:
  std::optional<DiskCache> disk;
  std::string key, description;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_CACHE_H
