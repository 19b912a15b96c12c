//===- AttnBase.td - The attn dialect ----------------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNBASE_TD
#define ATTN_DIALECT_ATTN_IR_ATTNBASE_TD

include "mlir/IR/DialectBase.td"

def Attn_Dialect : Dialect {
  let name = "attn";
  let cppNamespace = "::mlir::attn";
  let summary = "Attention as a frontend states it, without a way to compute it.";
  let description = [{
    `attn.attention` states an attention problem on tensors or on strided memrefs, and
    `attn.attention_backward` its gradients. Other ops serve caches of keys and values. The
    ops say nothing of tiles, passes over memory or threads; passes derive these. A causal
    mask and a window are an attribute; other masks, and functions of scores, are regions.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNBASE_TD
