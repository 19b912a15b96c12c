//===- Registers.cpp - Registers at a kernel's launch ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/Registers.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

int64_t mlir::attn_gpu::getRegistersAtLaunch(int64_t warpgroups) {
  constexpr int64_t kRegisterFile = 65536;
  return std::min<int64_t>(kRegisterFile / (kWarpgroup * warpgroups), 255) / 8 *
         8;
}

int64_t mlir::attn_gpu::getRegistersAtLaunch(ArrayRef<int64_t> warpgroups,
                                             ArrayRef<int64_t> registers) {
  int64_t groups = llvm::sum_of(warpgroups);
  int64_t most = getRegistersAtLaunch(groups);
  if (!llvm::all_equal(warpgroups) || warpgroups.front() != 1)
    return most;
  int64_t shared = llvm::sum_of(registers);
  return std::min<int64_t>(llvm::alignTo(llvm::divideCeil(shared, groups), 8),
                           most);
}
