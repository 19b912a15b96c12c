//===- AttnTileOps.td - Operations on tiles ----------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD

include "attn/Dialect/AttnTile/IR/AttnTileLoopOps.td"
include "attn/Dialect/AttnTile/IR/AttnTileMathOps.td"
include "attn/Dialect/AttnTile/IR/AttnTileMemoryOps.td"

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
