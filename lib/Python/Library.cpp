//===- Library.cpp - libattn-c.so by its functions ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include <dlfcn.h>

using namespace attn::python;

const char *Library::open(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return dlerror();
#define ATTN_FIND(NAME)                                                        \
  NAME = reinterpret_cast<decltype(NAME)>(dlsym(handle, #NAME));               \
  if (!NAME)                                                                   \
    return "expected a library of this version, found one without " #NAME;
  ATTN_FUNCTIONS(ATTN_FIND)
#undef ATTN_FIND
  return nullptr;
}
