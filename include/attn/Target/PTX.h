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

/// Returns the chip that the #nvvm.target of a gpu.module names. Returns
/// std::nullopt if the module has no such target, or the chip is unknown.
std::optional<Chip> findChip(gpu::GPUModuleOp module);

/// Returns the chip of a gpu.module as findChip() does, but fails with an error
/// at the module if there is none.
FailureOr<Chip> getChip(gpu::GPUModuleOp module);

/// Fails with an error at an op that is valid for its verifier, but for which
/// PTX or this chip has no instruction. MLIR's translation to LLVM IR does not
/// find such ops, and LLVM would abort the process at them.
LogicalResult checkTranslatable(gpu::GPUModuleOp module, const Chip &chip);

/// Fails with an error at an op of the LLVM dialect that is valid for its
/// verifier, but cannot be translated to LLVM IR. Such ops are allocations and
/// addresses of elements whose type LLVM lacks, such as index, and inline
/// assembly whose constraints do not match its operands and its result.
LogicalResult checkLLVMOps(Operation *root);

/// Returns `chip` with its PTX version raised, if necessary, to the version
/// that the module's instructions for 8-bit floats need. For a module without
/// such instructions, the chip's version is kept, which older drivers accept,
/// too.
Chip withNeededPTX(gpu::GPUModuleOp module, Chip chip);

/// The compilation of one gpu.module to PTX, with an LLVM context of its own.
/// After the translation to LLVM IR, everything may therefore run on any
/// thread, at the same time as other compilations.
class PTXCompilation {
public:
  /// Translates a module in the LLVM and NVVM dialects to LLVM IR, and returns
  /// the compilation of it.
  static llvm::Expected<PTXCompilation> translate(gpu::GPUModuleOp module,
                                                  const Chip &chip);
  PTXCompilation(PTXCompilation &&);
  ~PTXCompilation();

  /// Returns the PTX, of the lowest version that the chip allows and the
  /// program needs, or the error of the code generator. The function may be
  /// called only once.
  llvm::Expected<std::string> compile();

private:
  struct State;
  explicit PTXCompilation(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Joins the PTX texts of several modules for the same chip into one text. If a
/// line outside of functions, or a whole function, of a later module equals one
/// of an earlier module, it is left out.
std::string joinPTX(llvm::ArrayRef<llvm::StringRef> texts);

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_H
