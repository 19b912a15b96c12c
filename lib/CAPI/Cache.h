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

/// The entry of a program in the cache on disk. It holds all results of the
/// compiler, but no machine code for a GPU: the driver compiles the PTX and has
/// a cache of its own. This library could get machine code only from the
/// driver's linker, which compiles PTX as relocatable code. On Hopper, all
/// warps of such code have the same number of registers, and each wgmma is
/// waited for as soon as it is issued.
class ProgramCache {
public:
  explicit ProgramCache(const CompileRequest &request);

  /// Returns the program from the cache, or std::nullopt if the cache has no
  /// complete entry of it.
  std::optional<CompiledProgram> load() const;
  void store(const CompiledProgram &program) const;

private:
  std::optional<DiskCache> disk;
  std::string key, description;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_CACHE_H
