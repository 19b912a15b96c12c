//===- CheckTiles.h - Checks of the tiles of keys and values ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_CHECKTILES_H
#define ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_CHECKTILES_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include <string>

namespace mlir::attn_gpu {

/// Returns why the warps that have a tile of the op in registers cannot divide
/// it among them; "" if they can. These are the tiles of 8 bits that warps
/// extend, those of 4 bits that they unpack, and those of keys and values that
/// they gather from pages. In a schedule with a converter, the converter's
/// warps extend keys and values. In all other cases the computing warps have
/// these tiles.
std::string findUndividedTile(attn::AttentionInterface op,
                              ScheduleAttr schedule);

/// Whether wgmma reads the tiles of an array of 8 bits or fewer as they are, so
/// that no warps extend them. For query and keys, this holds if scores are
/// products of 8 bits. For values, it holds if the output is such a product and
/// either the values' contiguous dimension is keys or a converter transposes
/// them. It never holds with mma.sync.
bool staysNarrow(attn::AttentionOp op, attn::ArrayKind kind,
                 ScheduleAttr schedule);

/// Returns an error text if MMAs of 8 bits compute the output but cannot add up
/// the schedule's number of keys of a step (`tile_kv`), since it is not a
/// multiple of their size along K. Returns "" in all other cases.
std::string findUnfitSum(attn::AttentionInterface op, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_CHECKTILES_H
