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

/// The schedule of a kernel as an attribute prints, and the reasons for it.
struct KernelPlan {
  std::string schedule;
  std::vector<std::string> reasons;
};

/// The resources of an SM that one kernel takes.
struct KernelResources {
  // These are known after the compiler's passes.
  std::string name;
  KernelPlan plan;
  int threads = 0;
  int dynamicSharedBytes = 0;

  // These are known after ptxas or the driver has made machine code.
  std::optional<int> registers, staticSharedBytes, ctasPerSM;
  /// Sizes in bytes. The driver reports only local memory.
  std::optional<int> localBytes, spillStores, spillLoads;
};

/// Returns the plans of kernels by name, from a module after attn-to-gpu.
llvm::StringMap<KernelPlan> getPlans(ModuleOp module);

/// Returns the kernels that a module launches, from a module after
/// attn-to-nvvm.
SmallVector<KernelResources>
getKernels(ModuleOp module, const llvm::StringMap<KernelPlan> &plans);

/// Returns the PTX of all kernels in a module after attn-serialize-kernels, or
/// "" if there are none.
std::string getPTX(ModuleOp module);

/// Adds the numbers in the output of `ptxas -v`.
llvm::Error addFromPtxas(MutableArrayRef<KernelResources> kernels,
                         StringRef log, const Chip &chip);

/// Loads the PTX on this machine's GPU and adds the numbers that the driver
/// reports. Returns the GPU's name.
llvm::Expected<std::string>
addFromDriver(MutableArrayRef<KernelResources> kernels, StringRef ptx,
              const Chip &chip);

/// Adds the numbers that ptxas reports, if findPtxas finds one, or else the
/// driver. Returns a sentence that names the source, or says why there is none.
std::string measure(MutableArrayRef<KernelResources> kernels, StringRef ptx,
                    const Chip &chip, std::optional<StringRef> ptxas);

/// Prints a table of the kernels, with '?' for unknown numbers, then `source`,
/// the sentence that `measure` returned, then the reasons for each kernel's
/// schedule, one a line.
void printReport(ArrayRef<KernelResources> kernels, StringRef source,
                 llvm::raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELRESOURCES_H
