//===- AttnTileTypes.td - Rings of tiles -------------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILETYPES_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILETYPES_TD

include "attn/Dialect/AttnTile/IR/AttnTileBase.td"
include "mlir/IR/AttrTypeBase.td"

def AttnTile_RingType : TypeDef<AttnTile_Dialect, "Ring"> {
  let mnemonic = "ring";
  let summary = "slots in shared memory for a sequence of tiles";
  let description = [{
    Tile number `i` of the sequence takes slot `i mod stages`. A slot has two
    barriers: one that completes when the tile is there, one when its readers have
    released it.

    ```mlir
    !attn_tile.ring<2, tensor<128x64xf16, #attn_tile.swizzled>>
    ```
  }];
  let parameters = (ins "int64_t":$stages, "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $stages `,` $tile `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one tile, whole panels.
    int64_t getTileBytes();
    /// Bytes of all barriers.
    int64_t getBarrierBytes() { return 16 * getStages(); }
  }];
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILETYPES_TD
