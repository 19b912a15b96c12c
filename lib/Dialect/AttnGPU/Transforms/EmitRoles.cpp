//===- EmitRoles.cpp - The program of each role ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecializer.h"

#include "ReducedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Creates the tensor map by which each warpgroup stores its own rows of a
/// tile.
static Value encodeRowsMap(KernelOp kernel, OuterArray array,
                           RankedTensorType tile) {
  attn::NumberBuilder setup = getSetupBuilder(kernel);
  int64_t warps = cast<MmaLayoutAttr>(tile.getEncoding()).getWarps();
  return encodeMap(setup, array,
                   RankedTensorType::get(
                       {tile.getDimSize(0) / (warps / 4), tile.getDimSize(1)},
                       tile.getElementType()));
}

void WarpSpecializer::storeAsync(attn::NumberBuilder b, const Output &output,
                                 bool waits) {
  StoreOp store = output.store;
  StoreAsyncOp::create(
      b, store.getTile(),
      encodeRowsMap(kernel, output.array, store.getTile().getType()),
      getCoordinates(b, output.array, store.getDestination(),
                     store.getIndices()),
      b.getI64IntegerAttr(output.place->offset),
      waits ? b.getUnitAttr() : UnitAttr());
}

void WarpSpecializer::emitProducer(RoleSlice &slice, Block *role) {
  auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), role);
  slice.clone(
      b, [&](attn::NumberBuilder &body, Operation *root, IRMapping &mapping) {
        auto load = cast<LoadOp>(root);
        Ring &ring = rings[root];
        if (isByTma()) {
          fillLoaded(body, load, ring.arrays, ring.maps, ring.op.getRing(),
                     mapping);
        } else {
          FillOp fill = fillByThreads(body, load, ring.op, /*index=*/Value(),
                                      schedule, mapping);
          fill.setThreads(producer.getWarpgroups() * kWarpgroup);
          fill.setFirstThread(getFirstOfProducer() * kWarpgroup);
        }
      });
}

/// Emits the addition of `count` columns of a store's tile, from column `first`
/// on, to global memory. It is an asynchronous store if the plan has buffers in
/// shared memory for the output, else a store from registers. Only these
/// columns are computed, so that the accumulator takes fewer registers. `part`
/// is the number of columns of each part of the tile but the last.
void WarpSpecializer::addColumns(attn::NumberBuilder &b, StoreOp store,
                                 int64_t first, int64_t count, int64_t part,
                                 const IRMapping &outer) {
  Value tile = cloneColumns(b, store.getTile(), first, count, outer);
  SmallVector<Value> indices = llvm::map_to_vector(
      store.getIndices(), [&](Value v) { return outer.lookupOrDefault(v); });
  if (first > 0)
    indices.back() = b.addi(indices.back(), b.index(first));
  auto output = llvm::find_if(
      outputs, [&](const Output &output) { return output.store == store; });
  if (output == outputs.end() || !output->place) {
    StoreOp::create(b, tile, outer.lookupOrDefault(store.getDestination()),
                    indices, /*add=*/true);
    return;
  }
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<Value> coordinates = getCoordinates(
      b, output->array, store.getDestination(), store.getIndices(), outer);
  coordinates.back() =
      b.addi(coordinates.back(), b.word(static_cast<int32_t>(first)));
  // The parts of the tile use the output's buffers in shared memory in turn.
  const RingPlan::Output &place = *output->place;
  int64_t turn = first / part % place.places;
  StoreAsyncOp::create(
      b, tile, encodeRowsMap(kernel, output->array, type), coordinates,
      b.getI64IntegerAttr(place.offset + turn * place.partBytes),
      /*wait=*/UnitAttr(), /*add=*/b.getUnitAttr(),
      b.getI64IntegerAttr(place.places - 1));
}

/// Emits an acquire of the tile that `source`, an op of another role, writes to
/// its ring, and maps the result of `source` to this tile.
void WarpSpecializer::acquire(attn::NumberBuilder &b, Operation *source,
                              IRMapping &mapping) {
  Value tile = source->getResult(0);
  mapping.map(tile, AcquireOp::create(b, tile.getType(), b.getI32Type(),
                                      rings[source].op, Value())
                        .getTile());
}

/// Emits the program of a converter or a multiplier. It acquires the tiles of
/// other roles from their rings, and puts each of its own results into the ring
/// of that result.
void WarpSpecializer::emitMaker(RoleSlice &slice, Block *role,
                                const ConvertedTiles &tiles) {
  auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), role);
  slice.clone(b, [&](attn::NumberBuilder &body, Operation *root,
                     IRMapping &mapping) {
    if (!llvm::is_contained(tiles.results, root))
      return acquire(body, root, mapping);
    Value tile = mapping.lookup(root->getOperand(0));
    Operation *source = tile.getDefiningOp();
    bool isExtended = isa_and_nonnull<arith::ExtFOp, arith::SIToFPOp>(source);
    PutOp::create(body, isExtended ? source->getOperand(0) : tile,
                  rings[root].op, /*index=*/Value(), isa<TransposeOp>(root),
                  /*meets=*/bool(getReused(root)));
    if (isExtended && source->use_empty())
      source->erase();
  });
}

/// Emits the program of the reducer. It acquires tiles that other roles load or
/// compute from their rings, and adds the tiles of its stores to global memory,
/// part by part.
void WarpSpecializer::emitReducer(RoleSlice &slice, Block *role) {
  auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), role);
  slice.clone(
      b, [&](attn::NumberBuilder &body, Operation *root, IRMapping &mapping) {
        if (rings.contains(root))
          return acquire(body, root, mapping);
        auto store = cast<StoreOp>(root);
        int64_t columns = store.getTile().getType().getDimSize(1);
        int64_t part = getPartColumns(store);
        for (int64_t first = 0; first < columns; first += part)
          addColumns(body, store, first, std::min(part, columns - first), part,
                     mapping);
      });
  // The slice (the clone of the program for this role) also has the ops that
  // compute whole tiles. Nothing reads their results, since parts are computed
  // by clones of their own, so these ops are erased.
  SmallVector<Operation *> ops;
  role->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
  if (llvm::any_of(outputs, [](const Output &output) {
        return output.isReduced && output.place;
      }))
    FinishStoresOp::create(b);
}

/// Whether one of the ops, or a loop that carries what they compute, computes
/// the value.
static bool isComputedBy(Value value,
                         llvm::function_ref<bool(Operation *)> isOwn) {
  llvm::SmallPtrSet<Operation *, 2> seen;
  while (auto carried = getCarried(value)) {
    if (!seen.insert(carried->loop).second)
      return false;
    value = carried->loop.getYieldedValues()[carried->number];
  }
  return value.getDefiningOp() && isOwn(value.getDefiningOp());
}

/// Lets a loop over blocks carry no values at the places in `numbers`, which
/// must be in ascending order.
static void dropCarried(ForBlocksOp loop, ArrayRef<unsigned> numbers) {
  Block *body = &loop.getBody().front();
  SmallVector<Value> inits(loop.getInits()), results(loop.getResults());
  for (unsigned number : llvm::reverse(numbers)) {
    body->getTerminator()->eraseOperand(number);
    BlockArgument argument = loop.getRegionIterArgs()[number];
    argument.dropAllUses();
    body->eraseArgument(argument.getArgNumber());
    loop.getResult(number).dropAllUses();
    inits.erase(inits.begin() + number);
    results.erase(results.begin() + number);
  }
  OpBuilder b(loop);
  auto narrower = ForBlocksOp::create(
      b, loop.getLoc(), ValueRange(inits).getTypes(), loop.getDomain(), inits);
  narrower.getBody().takeBody(loop.getBody());
  for (auto [from, to] : llvm::zip(results, narrower.getResults()))
    from.replaceAllUsesWith(to);
  loop.erase();
}

void WarpSpecializer::dropCarriedByMakers(Block *role) {
  auto isOfMaker = [&](Operation *op) {
    return llvm::any_of(made, [&](const ConvertedTiles &tiles) {
      return tiles.ops.contains(op);
    });
  };
  SmallVector<std::pair<ForBlocksOp, SmallVector<unsigned>>> dropped;
  role->walk([&](ForBlocksOp loop) {
    SmallVector<unsigned> numbers;
    for (OpResult result : loop->getResults())
      if (isComputedBy(result, isOfMaker))
        numbers.push_back(result.getResultNumber());
    if (!numbers.empty())
      dropped.emplace_back(loop, numbers);
  });
  for (auto [loop, numbers] : dropped)
    dropCarried(loop, numbers);
}

/// Erases an op of another role from the program of a role, with the views of
/// columns of its tile, which nothing else reads.
static void eraseWithViews(Operation *op) {
  for (Operation *view :
       llvm::make_early_inc_range(op->getResult(0).getUsers()))
    eraseWithViews(view);
  op->erase();
}

/// Moves the program to the consumers' role. There, staged stores become
/// asynchronous, ops of other roles are erased, tiles that other roles load or
/// make are acquired from rings, and tiles for the reducer are put into rings.
void WarpSpecializer::emitConsumers(Block *program, Block *role, bool waits) {
  role->getOperations().splice(role->end(), program->getOperations());
  bool isStaged = false;
  for (const Output &output : outputs) {
    if (output.isReduced || !output.place)
      continue;
    StoreOp store = output.store;
    storeAsync(attn::NumberBuilder(store.getLoc(), store), output, waits);
    store.erase();
    isStaged = true;
  }
  // `reduced` begins with the stores, and lists each op before the ops whose
  // results it reads. So the readers of an op are erased before the op is
  // checked for uses.
  for (Operation *op : reduced)
    if (op->use_empty())
      op->erase();
  for (const ConvertedTiles &tiles : made) {
    for (Operation *op : tiles.results) {
      if (!rings[op].isConsumed)
        continue;
      IRMapping mapping;
      attn::NumberBuilder b(op->getLoc(), op);
      acquire(b, op, mapping);
      op->getResult(0).replaceAllUsesWith(mapping.lookup(op->getResult(0)));
    }
  }
  // Ops of one role may read results of another role's ops in any order, so all
  // operands are dropped before any of the ops is erased.
  for (const ConvertedTiles &tiles : made)
    for (Operation *op : tiles.ops)
      op->dropAllReferences();
  dropCarriedByMakers(role);
  for (const ConvertedTiles &tiles : made)
    for (Operation *op : tiles.ops)
      op->erase();
  for (auto &[op, ring] : rings) {
    // If a converter or a multiplier puts tiles into the ring, the op whose
    // result it puts was erased above.
    if (ring.isMade)
      continue;
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (ring.isConsumed)
        acquireLoaded(load, ring.op);
      else
        eraseWithViews(load);
      continue;
    }
    auto convert = cast<ConvertLayoutOp>(op);
    attn::NumberBuilder b(convert.getLoc(), convert);
    PutOp::create(b, convert.getInput(), ring.op, /*index=*/Value(),
                  /*transpose=*/false, /*meets=*/false);
    eraseWithViews(convert);
  }
  if (isStaged) {
    auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), role);
    FinishStoresOp::create(b);
  }
}
