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

/// The machine code of kernels for one chip.
struct Assembly {
  std::string cubin;
  /// The output of `ptxas -v` about the kernels. It is empty if the CUDA driver
  /// assembled the PTX, and not ptxas.
  std::string log;
};

/// Returns the path of ptxas. It is `given` or, if nothing is given, the first
/// ptxas in PATH, CUDA_HOME, CUDA_PATH and the default directories of CUDA
/// toolkits. Fails if there is none, if `given` cannot be run, or if `given` is
/// an empty text, by which the user says that ptxas is not to be used.
llvm::Expected<std::string> findPtxas(std::optional<llvm::StringRef> given);

/// Assembles PTX with the ptxas at path `program`. If ptxas fails, the returned
/// error holds its messages.
llvm::Expected<Assembly> runPtxas(llvm::StringRef program, llvm::StringRef ptx,
                                  const Chip &chip);

/// Assembles PTX with the ptxas that findPtxas() finds. If there is none, or
/// `given` is an empty text, the linker of the CUDA driver assembles it. Fails
/// if `given` names a program that cannot be run.
llvm::Expected<Assembly> assemble(llvm::StringRef ptx, const Chip &chip,
                                  std::optional<llvm::StringRef> given);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ASSEMBLER_H
