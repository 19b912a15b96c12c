//===- CudaDriver.cpp - The CUDA driver's interface -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <dlfcn.h>

using namespace attnrt;

/// Looks up `symbol`, or `older` where the driver does not have it yet.
template <class Function>
static bool find(Function &function, void *library, const char *symbol,
                 const char *older) {
  void *address = dlsym(library, symbol);
  if (!address && older)
    address = dlsym(library, older);
  function = reinterpret_cast<Function>(address);
  return address != nullptr;
}

const char *CudaDriver::load(void *library) {
#define ATTNRT_FIND_OPTIONAL(name, parameters, symbol, older)                  \
  find(name, library, symbol, older);
#define ATTNRT_FIND_REQUIRED(name, parameters, symbol, older)                  \
  if (!find(name, library, symbol, older))                                     \
    return symbol;
  ATTNRT_OPTIONAL_FUNCTIONS(ATTNRT_FIND_OPTIONAL)
  ATTNRT_REQUIRED_FUNCTIONS(ATTNRT_FIND_REQUIRED)
#undef ATTNRT_FIND_REQUIRED
#undef ATTNRT_FIND_OPTIONAL
  return nullptr;
}
