//===- AttnNVTypes.td - The attn_nv dialect and its types --*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNNV_IR_ATTNNVTYPES_TD
#define ATTN_DIALECT_ATTNNV_IR_ATTNNVTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def AttnNV_Dialect : Dialect {
  let name = "attn_nv";
  let cppNamespace = "::mlir::attn_nv";
  let summary = "What the NVVM dialect cannot say.";
  let description = [{
    MMAs of a warpgroup with the left operand in registers, waits for them through which
    accumulators pass as operands and results, and tensor maps as parameters of a kernel.

    Four attributes tell passes on LLVM IR what an `llvm.inline_asm` does: it issues a wgmma
    (`attn_nv.warpgroup_mma`), waits for kernels that were launched earlier
    (`attn_nv.launch_wait`), lets the next kernel begin (`attn_nv.launch_next`),
    or stands where the producer's program begins (`attn_nv.producer`).
    The `passthrough` of a kernel whose roles differ in registers has
    `attn_nv.consumer_registers`, the number of registers of each thread of the consumers.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

def AttnNV_TensorMapType : TypeDef<AttnNV_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "128 bytes that describe an array to the tensor memory accelerator";
  let description = [{
    On the host it is the result of `attn_nv.encode_tensor_map`; in a kernel it is a
    parameter in constant memory.
  }];
}

#endif // ATTN_DIALECT_ATTNNV_IR_ATTNNVTYPES_TD
