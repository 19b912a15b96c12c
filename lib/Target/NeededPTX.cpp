//===- NeededPTX.cpp - The PTX version that a program needs ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <algorithm>

using namespace mlir;

/// Returns the chip with the PTX version that the kernels need, if that is
/// higher than the chip's. By the PTX ISA, "mma" on e4m3 or e5m2 needs PTX 8.4,
/// and conversions of these types ("cvt") need 8.1 on sm_89.
attn::Chip attn::withNeededPTX(gpu::GPUModuleOp module, Chip chip) {
  module.walk([&](LLVM::CallIntrinsicOp call) {
    StringRef name = call.getIntrin();
    if (!name.contains("e4m3") && !name.contains("e5m2"))
      return;
    bool isMma = name.starts_with("llvm.nvvm.mma.");
    chip.ptxVersion = std::max(chip.ptxVersion, isMma ? 84 : 81);
  });
  return chip;
}
