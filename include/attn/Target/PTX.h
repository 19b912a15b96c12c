//===- PTX.h - PTX for NVIDIA chips -----------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_PTX_H
#define ATTN_TARGET_PTX_H

#include "attn/Target/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <memory>
#include <optional>
#include <string>

namespace mlir::attn {

/// Returns the chip that the #nvvm.target of a gpu.module names, or
/// std::nullopt if the module has no such target or the chip is unknown.
std::optional<Chip> findChip(gpu::GPUModuleOp module);

/// As findChip(), but fails with an error at the module if it names no chip.
FailureOr<Chip> getChip(gpu::GPUModuleOp module);

/// Fails with an error at an op that its verifier accepts, but for which PTX,
/// or this chip, has no instruction. MLIR's translation to LLVM IR does not
/// check that, and LLVM would abort the process.
LogicalResult checkTranslatable(gpu::GPUModuleOp module, const Chip &chip);

/// Fails with an error at an op of the LLVM dialect that its verifier accepts,
/// but that cannot be translated to LLVM IR: an allocation or address of
/// elements of a type that LLVM lacks, such as index, or inline assembly whose
/// constraints do not match its operands and result.
LogicalResult checkLLVMOps(Operation *root);

/// Returns `chip`, with its PTX version raised to the one that the module's
/// instructions for 8-bit floats need. Modules without these keep the chip's
/// version, which older drivers accept, too.
Chip withNeededPTX(gpu::GPUModuleOp module, Chip chip);

/// The compilation of one gpu.module to PTX, in an LLVM context of its own, so
/// that everything after the translation may run on any thread, at the same
/// time as other compilations.
class PTXCompilation {
public:
  /// Translates a module in the LLVM and NVVM dialects to LLVM IR.
  static llvm::Expected<PTXCompilation> translate(gpu::GPUModuleOp module,
                                                  const Chip &chip);
  PTXCompilation(PTXCompilation &&);
  ~PTXCompilation();

  /// Returns PTX of the lowest version that the chip allows and the program
  /// needs, or the code generator's error. May be called only once.
  llvm::Expected<std::string> compile();

private:
  struct State;
  explicit PTXCompilation(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Joins the PTX of several modules for the same chip. Leaves out each line
/// outside of functions, and each function, of a later module that equals an
/// earlier one.
std::string joinPTX(llvm::ArrayRef<llvm::StringRef> texts);

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_H
