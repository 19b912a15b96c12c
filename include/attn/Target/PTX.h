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

/// Returns the chip that the module's #nvvm.target names, or std::nullopt.
std::optional<Chip> findChip(gpu::GPUModuleOp module);

/// Does the same, but fails with an error at the module if there is none.
FailureOr<Chip> getChip(gpu::GPUModuleOp module);

/// Fails with an error at an op that passes its verifier, but has no
/// instruction, or none on this chip: MLIR's translation to LLVM IR does not
/// check this, and LLVM would end the process.
LogicalResult checkTranslatable(gpu::GPUModuleOp module, const Chip &chip);

/// Fails with an error at an op of the LLVM dialect that passes its verifier,
/// but cannot be translated to LLVM IR: an allocation or address of elements of
/// a type that LLVM does not have, such as index, or inline assembly whose
/// constraints do not match its operands and result.
LogicalResult checkLLVMOps(Operation *root);

/// Returns the chip with the PTX version that the module's instructions for
/// 8-bit floats need. For other modules the chip's version is kept, which older
/// drivers accept.
Chip withNeededPTX(gpu::GPUModuleOp module, Chip chip);

/// A gpu.module during its compilation to PTX, in its own LLVM context:
/// everything after the translation may run on any thread, at the same time as
/// other compilations.
class PTXCompilation {
public:
  /// Translates a module in the LLVM and NVVM dialects to LLVM IR.
  static llvm::Expected<PTXCompilation> translate(gpu::GPUModuleOp module,
                                                  const Chip &chip);
  PTXCompilation(PTXCompilation &&);
  ~PTXCompilation();

  /// Returns PTX of the lowest version that the chip allows and the program
  /// needs, or the code generator's error. May be called once.
  llvm::Expected<std::string> compile();

private:
  struct State;
  explicit PTXCompilation(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Joins the PTX of several modules for the same chip; lines outside of
/// functions are kept once.
std::string joinPTX(llvm::ArrayRef<llvm::StringRef> texts);

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_H
