//===- SilentFailures.h - Passes that fail without a message ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_SILENTFAILURES_H
#define ATTN_DRIVER_SILENTFAILURES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::attn {

/// Makes a pass manager emit an error that names the pass, if a pass fails
/// although no error was emitted since this call.
void reportSilentFailures(PassManager &pm);

} // namespace mlir::attn

#endif // ATTN_DRIVER_SILENTFAILURES_H
