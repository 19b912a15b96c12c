//===- AttnInterfaces.td - What attn asks of others --------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
#define ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD

include "mlir/IR/Interfaces.td"

def Attn_TileSizesAttrInterface : AttrInterface<"TileSizesAttrInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    How much of a problem a tile program works on at a time: what tiling an op
    asks of a schedule, whatever target it is for.
  }];
  let methods = [
    InterfaceMethod<"Query rows of one tile program.", "int64_t", "getTileQ">,
    InterfaceMethod<"Keys and values visited in one step.", "int64_t", "getTileKv">
  ];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
