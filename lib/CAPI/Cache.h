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

/// The entry of one program in the cache. It holds all results of the compiler,
/// but no machine code for a GPU: the driver compiles the PTX and keeps the
/// code in its own cache. Only the driver's linker would return machine code,
/// and that compiles PTX as relocatable code: on Hopper such code has a fixed
/// number of registers for all warps and waits for each wgmma.
class ProgramCache {
public:
  explicit ProgramCache(const CompileRequest &request);

  /// Returns std::nullopt if there is no complete entry.
  std::optional<CompiledProgram> load() const;
  void store(const CompiledProgram &program) const;

private:
  std::optional<DiskCache> disk;
  std::string key, description;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_CACHE_H
