//===- AttnGPUTypes.td - Rings of tiles -------------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTYPES_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTYPES_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUBase.td"
include "mlir/IR/AttrTypeBase.td"

def AttnGPU_RingType : TypeDef<AttnGPU_Dialect, "Ring"> {
  let mnemonic = "ring";
  let summary = "slots in shared memory for a sequence of tiles";
  let description = [{
    Tiles have layout #attn_gpu.swizzled or #attn_gpu.shared; vectors have #attn_gpu.shared
    without padding. Tile number `i` of the sequence uses slot `i mod stages`. A slot
    has two barriers (mbarriers): the full barrier completes when the tile has arrived, the
    empty barrier when all readers have released it. A ring whose tiles all threads of the
    CTA copy and read together has no barriers.

    ```mlir
    !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
    ```
  }];
  let parameters = (ins "int64_t":$stages, "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $stages `,` $tile `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the number of bytes from the beginning of one slot to that of
    /// the next. A swizzled tile takes whole panels, any other tile whole rows
    /// with their padding. A vector takes a multiple of 128 bytes, as TMA
    /// requires, in a ring with barriers, and a multiple of 16 bytes in a ring
    /// without.
    int64_t getTileBytes(bool hasBarriers = true);
    /// Returns the number of bytes of all barriers of the ring: 16 for each
    /// slot.
    int64_t getBarrierBytes() { return 16 * getStages(); }
  }];
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTYPES_TD
