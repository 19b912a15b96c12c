//===- AttnGPUOps.td - Operations of a CTA's threads -------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUCopyOps.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUKernelOps.td"
include "attn/Dialect/AttnGPU/IR/AttnGPURoleOps.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUTileOps.td"

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD
