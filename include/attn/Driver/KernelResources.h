//===- KernelResources.h - What kernels take --------------------*- C++ -*-===//
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

/// The schedule of a kernel as an attribute prints, and why it is this one.
struct KernelPlan {
  std::string schedule;
  std::vector<std::string> reasons;
};

/// What one kernel takes of an SM.
struct KernelResources {
  // What the compiler decides.
  std::string name;
  KernelPlan plan;
  int threads = 0;
  int dynamicSharedBytes = 0;

  // What whoever makes machine code of it decides.
  std::optional<int> registers, staticSharedBytes, ctasPerSM;
  /// Bytes; the driver tells those of local memory alone.
  std::optional<int> localBytes, spillStores, spillLoads;
};

/// Plans by the name of the kernel, in a module that attn-to-gpu left.
llvm::StringMap<KernelPlan> getPlans(ModuleOp module);

/// The kernels that a module launches that attn-to-nvvm left.
SmallVector<KernelResources>
getKernels(ModuleOp module, const llvm::StringMap<KernelPlan> &plans);

/// The PTX of all kernels in a module that attn-serialize-kernels left, "" if
/// there are none.
std::string getPTX(ModuleOp module);

/// Adds what `ptxas -v` says of the kernels.
llvm::Error addFromPtxas(MutableArrayRef<KernelResources> kernels,
                         StringRef log, const Chip &chip);

/// Adds what the driver says after it has loaded the PTX on this machine's GPU.
/// Returns the GPU's name.
llvm::Expected<std::string>
addFromDriver(MutableArrayRef<KernelResources> kernels, StringRef ptx,
              const Chip &chip);

/// Adds what ptxas says, as findPtxas finds it, or else the driver. Returns a
/// sentence that tells who says it, or why nobody does.
std::string measure(MutableArrayRef<KernelResources> kernels, StringRef ptx,
                    const Chip &chip, std::optional<StringRef> ptxas);

/// Prints a table, with '?' for what is not known, then `source`, the sentence
/// of measure, then why each kernel has its schedule, a line for each reason.
void printReport(ArrayRef<KernelResources> kernels, StringRef source,
                 llvm::raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELRESOURCES_H
