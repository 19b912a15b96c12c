//===- PlantFault.h - Faults in programs of the GPU level -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_OPT_PLANTFAULT_H
#define ATTN_TOOLS_ATTN_OPT_PLANTFAULT_H

namespace mlir::attn {

/// Registers the pass attn-test-plant-fault, which puts a fault into a kernel,
/// for tests of the tools that must find it.
void registerPlantFaultPass();

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_OPT_PLANTFAULT_H
