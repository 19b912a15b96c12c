//===- Cache.h - Compiled programs on disk ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_CACHE_H
#define ATTN_LIB_CAPI_CACHE_H

#include "attn/Runtime/attnrt.h"
#include "attn/Support/DiskCache.h"

namespace mlir::attn {

struct CompileRequest;
struct CompiledProgram;

/// The place of one program in the cache. An entry holds all that the compiler
/// makes of a module; machine code of a GPU, which the driver makes at the
/// first launch, has an entry of its own for each kind of device and driver.
class ProgramCache {
public:
  /// No cache: nothing is found or kept.
  ProgramCache() = default;
  explicit ProgramCache(const CompileRequest &request);

  /// Nothing if the program was not stored, or not as a whole.
  std::optional<CompiledProgram> load() const;
  void store(const CompiledProgram &program) const;

  /// For a runtime, which this must outlive.
  attnrt_code_cache getCodeCache();
  std::unique_ptr<llvm::MemoryBuffer> loadCode(llvm::StringRef target) const;
  void storeCode(llvm::StringRef target, llvm::StringRef code) const;

private:
  std::optional<DiskCache> disk;
  std::string key, name;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_CACHE_H
