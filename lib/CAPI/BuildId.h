//===- BuildId.h - Which build of the library this is -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_BUILDID_H
#define ATTN_LIB_CAPI_BUILDID_H

#include "llvm/ADT/StringRef.h"

namespace mlir::attn {

/// The bytes that the linker made of all of the library's contents, or nothing
/// if it was told to make none.
llvm::StringRef getBuildId();

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_BUILDID_H
