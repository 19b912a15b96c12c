//===- KernelResources.h - What kernels take --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_KERNELRESOURCES_H
#define ATTN_DRIVER_KERNELRESOURCES_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Target/Chips.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlir::attn {

/// What one kernel takes of a multiprocessor.
struct KernelResources {
  // What the compiler decides.
  std::string name;
  ScheduleAttr schedule;
  int threads = 0;
  int dynamicSharedBytes = 0;

  // What whoever makes machine code of it decides.
  std::optional<int> registers, staticSharedBytes, blocksPerMultiprocessor;
  /// Bytes; the driver tells those of local memory alone.
  std::optional<int> localBytes, spillStores, spillLoads;
};

/// Schedules by the name of the kernel, in a module that attn-to-tile left.
llvm::StringMap<ScheduleAttr> getSchedules(ModuleOp module);

/// The kernels that a module launches that attn-to-nvvm left.
SmallVector<KernelResources>
getKernels(ModuleOp module, const llvm::StringMap<ScheduleAttr> &schedules);

/// Adds what `ptxas -v` says of the kernels.
llvm::Error addFromPtxas(MutableArrayRef<KernelResources> kernels,
                         StringRef log, const Chip &chip);

/// Adds what the driver says after it has loaded the PTX on this machine's GPU.
/// Returns the GPU's name.
llvm::Expected<std::string>
addFromDriver(MutableArrayRef<KernelResources> kernels, StringRef ptx,
              const Chip &chip);

/// Prints a table, with '?' for what is not known.
void printResources(ArrayRef<KernelResources> kernels, llvm::raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELRESOURCES_H
