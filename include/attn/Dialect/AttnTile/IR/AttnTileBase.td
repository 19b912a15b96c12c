//===- AttnTileBase.td - The attn_tile dialect -------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILEBASE_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILEBASE_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def AttnTile_Dialect : Dialect {
  let name = "attn_tile";
  let cppNamespace = "::mlir::attn_tile";
  let summary = "Programs on tiles, without threads, memory spaces or an order of execution.";
  let description = [{
    A tile program is the work of one cooperative thread array (on a GPU) or of
    one task (on the host). Its values are tiles: tensors of static shape and rank
    1 (one element per row) or 2. Element-wise work on tiles is arith and math on
    tensors, control flow is scf. This dialect adds what those lack: movement
    between strided memory and tiles, products, reductions and coordinates.

    Tiles have value semantics. Nothing here names threads, memories of a GPU or an
    order of execution; every program also runs on the host.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let useDefaultTypePrinterParser = 1;
}

class AttnTile_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnTile_Dialect, mnemonic, traits>;

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEBASE_TD
