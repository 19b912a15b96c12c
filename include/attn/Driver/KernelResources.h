//===- KernelResources.h - Resources that kernels take ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_KERNELRESOURCES_H
#define ATTN_DRIVER_KERNELRESOURCES_H

#include "attn/Target/Chips.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlir::attn {

/// A kernel's schedule, as its attribute prints, and the reasons for it.
struct KernelPlan {
  std::string schedule;
  std::vector<std::string> reasons;
};

/// The resources of an SM that a kernel takes.
struct KernelResources {
  // These are known after the compiler's passes.
  std::string name;
  KernelPlan plan;
  int threads = 0;
  int dynamicSharedBytes = 0;

  // Numbers for each thread, each CTA and each SM; unknown until ptxas or the
  // CUDA driver has made machine code.
  std::optional<int> registers, staticSharedBytes, ctasPerSM;
  /// Sizes in bytes for each thread. The CUDA driver reports only the first.
  std::optional<int> localBytes, spillStores, spillLoads;
};

/// Returns the schedules of kernels, by the kernels' names, from a module after
/// attn-to-gpu.
llvm::StringMap<KernelPlan> getPlans(ModuleOp module);

/// Returns the kernels of a module after attn-to-nvvm, with the numbers that
/// the module tells and with their schedules from `plans`.
SmallVector<KernelResources>
getKernels(ModuleOp module, const llvm::StringMap<KernelPlan> &plans);

/// Returns the PTX of all kernels in a module after attn-serialize-kernels, or
/// "" if there are none.
std::string getPTX(ModuleOp module);

/// Adds the numbers in the output of `ptxas -v` to the kernels.
llvm::Error addFromPtxas(MutableArrayRef<KernelResources> kernels,
                         StringRef log, const Chip &chip);

/// Loads the PTX on this machine's GPU and adds the numbers that the CUDA
/// driver reports to the kernels. Returns the GPU's name.
llvm::Expected<std::string>
addFromDriver(MutableArrayRef<KernelResources> kernels, StringRef ptx,
              const Chip &chip);

/// Adds the numbers that ptxas reports to the kernels; if findPtxas() finds
/// none, those of the CUDA driver. Returns a sentence that names the source, or
/// says why there is none.
std::string measure(MutableArrayRef<KernelResources> kernels, StringRef ptx,
                    const Chip &chip, std::optional<StringRef> ptxas);

/// Prints a table of the kernels, with '?' for unknown numbers; then `source`,
/// the sentence that measure() returned; then the reasons for each kernel's
/// schedule, one a line.
void printReport(ArrayRef<KernelResources> kernels, StringRef source,
                 llvm::raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELRESOURCES_H
