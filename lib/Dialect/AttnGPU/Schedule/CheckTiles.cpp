//===- CheckTiles.cpp - Checks of the tiles of keys and values ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTiles.h"

#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Dialect/Attn/IR/Pages.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using llvm::formatv;

bool attn_gpu::staysNarrow(attn::AttentionOp op, attn::ArrayKind kind,
                           ScheduleAttr schedule) {
  if (schedule.getMma() != MmaKind::Wgmma)
    return false;
  if (kind != attn::ArrayKind::Value)
    return hasNarrowScores(op);
  return hasNarrowProbabilities(op) &&
         (schedule.hasConverter() || hasValueAlongKeys(op));
}

/// Whether threads gather the tiles of keys or values, one element after the
/// other: those of gathersKeys(), and tiles of values along keys that are not a
/// part of one page.
static bool isGathered(attn::AttentionOp op, attn::ArrayKind kind,
                       ScheduleAttr schedule) {
  if (!op.getPages() ||
      (kind != attn::ArrayKind::Key && kind != attn::ArrayKind::Value))
    return false;
  int64_t pages =
      attn::getPagesOfTile(op.getKeyType().getDimSize(2), schedule.getTileKv());
  return attn::gathersKeys(op, schedule) ||
         (pages != 1 && kind == attn::ArrayKind::Value &&
          hasValueAlongKeys(op));
}

std::string attn_gpu::findUndividedTile(AttentionInterface op,
                                        ScheduleAttr schedule) {
  auto forward = dyn_cast<attn::AttentionOp>(op.getOperation());
  if (!forward)
    return "";
  attn::HeadDimTiles tiles = getHeadDimTiles(forward, schedule);
  SmallVector<attn::NamedArray> arrays = op.getArrays();
  // Values that are columns of the key, but not of its tiles, have tiles of
  // their own.
  if (!op.getValue() && !tiles.isWithin)
    arrays.push_back({"value", attn::ArrayKind::Value, op.getKey()});
  for (const attn::NamedArray &array : arrays) {
    auto type = cast<ShapedType>(array.value.getType());
    bool isQuery = array.kind == attn::ArrayKind::Query;
    bool gathers = isGathered(forward, array.kind, schedule);
    bool extends = (array.isOfKeys() || isQuery) &&
                   attn::isNarrow(type.getElementType()) &&
                   !staysNarrow(forward, array.kind, schedule);
    if (!gathers && !extends)
      continue;
    int64_t rows = isQuery ? schedule.getTileQ() : schedule.getTileKv();
    int64_t columns =
        array.kind == attn::ArrayKind::Value ? tiles.value : tiles.key;
    if (attn::isInt4(type.getElementType()))
      columns /= 2;
    if (array.kind == attn::ArrayKind::Value && hasValueAlongKeys(op))
      std::swap(rows, columns);
    constexpr int64_t kOfConverter = 4;
    bool isOfConverter =
        schedule.hasConverter() && array.isOfKeys() && !gathers;
    auto layout = isOfConverter
                      ? MmaLayoutAttr::getFor(op->getContext(), {rows, columns},
                                              kOfConverter)
                      : schedule.getLayoutFor({rows, columns});
    if (failed(layout))
      return formatv("{0} warps do not have a multiple of 16 rows and 8 "
                     "columns each of the {1}'s {2} rows and {3} columns, "
                     "which they {4}",
                     isOfConverter ? kOfConverter : schedule.getWarps(),
                     array.name, rows, columns, gathers ? "gather" : "extend");
  }
  return "";
}

std::string attn_gpu::findUnfitSum(AttentionInterface op,
                                   ScheduleAttr schedule) {
  constexpr int64_t kStep = 32; // along K, of a wgmma of 8 bits
  auto forward = dyn_cast<attn::AttentionOp>(op.getOperation());
  if (!forward || schedule.getTileKv() % kStep == 0 ||
      !hasNarrowProbabilities(forward) ||
      !staysNarrow(forward, attn::ArrayKind::Value, schedule))
    return "";
  return formatv("an MMA of 8 bits adds up a multiple of {0} keys, not "
                 "tile_kv = {1}",
                 kStep, schedule.getTileKv());
}
