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

/// Returns the chip with its PTX version raised if kernels use e4m3 or e5m2:
/// "mma" on these types needs PTX 8.4, and their conversion ("cvt") 8.1 on
/// sm_89 (PTX ISA).
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
