//===- CodeCache.h - Machine code kept for other processes ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_CODECACHE_H
#define ATTN_LIB_RUNTIME_CODECACHE_H

#include "CudaDriver.h"

namespace attnrt {

/// Loads PTX as machine code that the runtime's cache keeps, or that is made
/// now for the cache to keep. False if there is no cache or the driver does not
/// do its part: what is wrong, it says when it loads the PTX itself.
bool loadFromCodeCache(attnrt_runtime &runtime, const attnrt_program &program,
                       CUmodule &module);

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_CODECACHE_H
