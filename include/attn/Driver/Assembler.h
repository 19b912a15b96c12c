//===- Assembler.h - From PTX to machine code -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_ASSEMBLER_H
#define ATTN_DRIVER_ASSEMBLER_H

#include "attn/Target/Chips.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace mlir::attn {

/// Machine code for a chip.
struct Assembly {
  std::string cubin;
  /// What ptxas -v says of the kernels; empty if the driver made the code.
  std::string log;
};

/// The path of ptxas: `given`, or else one in PATH, CUDA_HOME, CUDA_PATH or
/// where toolkits go by default. An error says that there is none.
llvm::Expected<std::string> findPtxas(std::optional<llvm::StringRef> given);

/// Assembles with that ptxas. An error holds what it says of the PTX.
llvm::Expected<Assembly> runPtxas(llvm::StringRef program, llvm::StringRef ptx,
                                  const Chip &chip);

/// Assembles with ptxas as findPtxas finds it, and without one with the linker
/// of the CUDA driver. An empty `given` means not to look for ptxas.
llvm::Expected<Assembly> assemble(llvm::StringRef ptx, const Chip &chip,
                                  std::optional<llvm::StringRef> given);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ASSEMBLER_H
