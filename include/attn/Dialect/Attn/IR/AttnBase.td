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
  let summary = "Attention as a frontend means it: what, not how.";
  let description = [{
    One op, `attn.attention`, states an attention problem on tensors or on
    strided memrefs. It says nothing of tiles, passes over memory or threads;
    passes derive those from it. The mask is an attribute where it has
    structure, the score function is a region where it has none.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNBASE_TD
