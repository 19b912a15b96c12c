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

/// The schedule of a kernel, as its attribute prints, and the reasons why it
/// was chosen.
struct KernelPlan {
  std::string schedule;
  std::vector<std::string> reasons;
};

/// The resources of an SM that a kernel needs.
struct KernelResources {
  // The name, the plan, the number of threads of a CTA and its dynamic shared
  // memory are known as soon as the compiler's passes have run.
  std::string name;
  KernelPlan plan;
  int threads = 0;
  int dynamicSharedBytes = 0;

  // The registers of a thread, the static shared bytes of a CTA, and the number
  // of CTAs on an SM. They are unset until ptxas or the CUDA driver has made
  // machine code.
  std::optional<int> registers, staticSharedBytes, ctasPerSM;
  /// The bytes of local memory, of stores to it and of loads from it by spills,
  /// for each thread. The CUDA driver reports only `localBytes`.
  std::optional<int> localBytes, spillStores, spillLoads;
};

/// Returns the schedules of the kernels in a module after attn-to-gpu, by the
/// names of the kernels.
llvm::StringMap<KernelPlan> getPlans(ModuleOp module);

/// Returns the kernels of a module after attn-to-nvvm, with those of their
/// resources that the module states, and with their schedules from `plans`.
SmallVector<KernelResources>
getKernels(ModuleOp module, const llvm::StringMap<KernelPlan> &plans);

/// Returns the PTX of all kernels in a module after attn-serialize-kernels.
/// Returns an empty text if there are no kernels.
std::string getPTX(ModuleOp module);

/// Sets those resources of the kernels that the output of `ptxas -v` states.
llvm::Error addFromPtxas(MutableArrayRef<KernelResources> kernels,
                         StringRef log, const Chip &chip);

/// Loads the PTX on this machine's GPU, and sets those resources of the kernels
/// that the CUDA driver reports. Returns the name of the GPU.
llvm::Expected<std::string>
addFromDriver(MutableArrayRef<KernelResources> kernels, StringRef ptx,
              const Chip &chip);

/// Sets those resources of the kernels that ptxas reports or, if findPtxas()
/// finds none, those that the CUDA driver reports. Returns a sentence that
/// names the source of the numbers, or says why there are no numbers.
std::string measure(MutableArrayRef<KernelResources> kernels, StringRef ptx,
                    const Chip &chip, std::optional<StringRef> ptxas);

/// Prints a table of the kernels, in which unknown numbers are '?'. Below it
/// are the sentence `source`, which measure() returned, and the reasons for
/// each kernel's schedule, one on each line.
void printReport(ArrayRef<KernelResources> kernels, StringRef source,
                 llvm::raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELRESOURCES_H
