//===- AttnGPUBase.td - The attn_gpu dialect ---------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUBASE_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def AttnGPU_Dialect : Dialect {
  let name = "attn_gpu";
  let cppNamespace = "::mlir::attn_gpu";
  let summary = "Tile programs on the threads of a CTA.";
  let description = [{
    Tile programs of `attn_tile`, specialised to an NVIDIA GPU: where tiles are stored
    (layouts as encodings of their types, shared memory), when MMAs and copies
    run (asynchronous ops, rings of slots with barriers), and which warps run what
    (roles such as producer and consumer, the tile scheduler).
  }];
  let dependentDialects = ["::mlir::attn_nv::AttnNVDialect",
                           "::mlir::attn_tile::AttnTileDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class AttnGPU_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<AttnGPU_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class AttnGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnGPU_Dialect, mnemonic, traits>;

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUBASE_TD
