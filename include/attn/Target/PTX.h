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

/// The chip that the module's #nvvm.target names, or none.
std::optional<Chip> findChip(gpu::GPUModuleOp module);

/// The same; fails with an error at the module if there is none.
FailureOr<Chip> getChip(gpu::GPUModuleOp module);

/// Fails with an error at an op that upstream's translation to LLVM IR would
/// take without asking, and end the process with: one that passes its verifier,
/// but for which there is no instruction, or none of this chip's.
LogicalResult checkTranslatable(gpu::GPUModuleOp module, const Chip &chip);

/// Fails with an error at an op of the LLVM dialect that passes its verifier,
/// but that upstream's translation has no instruction for: an allocation or
/// address of elements that LLVM has not, such as index, and inline assembly
/// whose constraints are not those of its operands and result.
LogicalResult checkLLVMOps(Operation *root);

/// The chip, with the PTX version that the module's instructions for floats of
/// 8 bits need. Other modules keep the chip's, which older drivers take.
Chip withNeededPTX(gpu::GPUModuleOp module, Chip chip);

/// A gpu.module on its way to PTX, in an LLVM context of its own: what follows
/// translation may run on any thread, beside others.
class PTXCompilation {
public:
  /// Translates a module in the LLVM and NVVM dialects.
  static llvm::Expected<PTXCompilation> translate(gpu::GPUModuleOp module,
                                                  const Chip &chip);
  PTXCompilation(PTXCompilation &&);
  ~PTXCompilation();

  /// PTX of the lowest version that the chip allows and the program needs, or
  /// what the code generator reports. To be called once.
  llvm::Expected<std::string> compile();

private:
  struct State;
  explicit PTXCompilation(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// One text for the kernels of several that were made for one chip: what stands
/// outside of kernels comes once.
std::string joinPTX(llvm::ArrayRef<llvm::StringRef> texts);

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_H
