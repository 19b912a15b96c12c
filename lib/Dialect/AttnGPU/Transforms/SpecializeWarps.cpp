//===- SpecializeWarps.cpp - Roles of warpgroups --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecializer.h"

#include "Exchanges.h"
#include "ReducedTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSPECIALIZEWARPSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The number of warps of a warpgroup.
static constexpr int64_t kWarps = 4;

/// Whether MMAs read the load's tile as a left operand only, from shared memory
/// or from a copy in registers. Each warpgroup then reads only its own rows of
/// the tile.
static bool isLeftOperand(Operation *load) {
  return llvm::all_of(load->getUses(), [](OpOperand &use) {
    if (isa<ConvertLayoutOp>(use.getOwner()))
      return true;
    auto dot = dyn_cast<DotOp>(use.getOwner());
    return dot && use.getOperandNumber() == 0 && !dot.getTransposeLhs();
  });
}

/// Whether each iteration of an innermost loop loads the tile: the innermost
/// loop around the load contains no other loop. False for a load that is in no
/// loop, or in a loop that contains another one; its tile counts as loaded
/// once.
static bool isStreamed(LoadOp load) {
  auto loop = load->getParentOfType<LoopLikeOpInterface>();
  if (!loop)
    return false;
  return !loop->walk([&](LoopLikeOpInterface inner) {
                return inner == loop ? WalkResult::advance()
                                     : WalkResult::interrupt();
              })
              .wasInterrupted();
}

int64_t attn_gpu::getPartColumns(StoreOp store) {
  int64_t columns = store.getTile().getType().getDimSize(1);
  return mayDivideColumns(store) ? std::min<int64_t>(kReducerColumns, columns)
                                 : columns;
}

void WarpSpecializer::findRoles(Ring &ring, Value tile) {
  SmallVector<Operation *> readers = getReaders(tile);
  auto isReduced = [&](Operation *op) { return reduced.contains(op); };
  ring.isReduced = llvm::any_of(readers, isReduced);
  for (const ConvertedTiles &tiles : made)
    if (llvm::any_of(readers,
                     [&](Operation *op) { return tiles.ops.contains(op); }))
      ring.makers += tiles.role.getWarpgroups();
  ring.isConsumed = llvm::any_of(readers, [&](Operation *op) {
    return !isReduced(op) &&
           llvm::none_of(made, [&](const ConvertedTiles &tiles) {
             return tiles.ops.contains(op);
           });
  });
}

LogicalResult WarpSpecializer::findRings() {
  attn::NumberBuilder setup = getSetupBuilder(kernel);
  SmallVector<LoadOp> loads;
  kernel.walk([&](LoadOp load) {
    if (isa_and_nonnull<SwizzledLayoutAttr, SharedLayoutAttr>(
            load.getResult().getType().getEncoding()))
      loads.push_back(load);
  });
  for (LoadOp load : loads) {
    RankedTensorType tile = load.getResult().getType();
    Ring &ring = rings[load];
    findRoles(ring, load.getResult());
    SmallVector<Operation *> readers = getReaders(load.getResult());
    if (isByTma()) {
      FailureOr<SmallVector<OuterArray>> arrays = getLoadedArrays(kernel, load);
      if (failed(arrays))
        return failure();
      ring.arrays = *arrays;
      ring.maps = encodeMaps(setup, arrays->front(), load.getPartType(),
                             schedule.getSplitKv());
    } else if (failed(checkCopiedByThreads(kernel, load))) {
      return failure();
    }
    // A reader in an inner loop, such as that over the heads of a group, copies
    // the tile to registers in each iteration, so the slot is not free after
    // the first copy. The slot is free early only if all readers are in the
    // block of the load.
    bool isCopiedOnce =
        isCopied(load) && llvm::all_of(readers, [&](Operation *user) {
          return user->getBlock() == load->getBlock();
        });
    // The third field of a request is `isLeft`. It is set if each consumer
    // warpgroup reads only its own rows of the tile, and no converter or
    // multiplier reads the tile. An output may then be staged in the tile's
    // memory, since a warpgroup overwrites no rows that another one still
    // reads.
    requests.push_back({tile, isStreamed(load),
                        ring.makers == 0 && isLeftOperand(load), isCopiedOnce});
  }
  return success();
}

/// Adds a ring for each tile that consumers pass to the reducer, or that a
/// converter or multiplier passes to another role.
void WarpSpecializer::findExchanges() {
  auto add = [&](Operation *op, Ring ring) {
    rings[op] = std::move(ring);
    RingRequest &request = requests.emplace_back();
    request.tile = cast<RankedTensorType>(op->getResult(0).getType());
    request.isExchanged = true;
  };
  for (const ConvertedTiles &tiles : made)
    for (Operation *op : tiles.results) {
      Ring ring;
      findRoles(ring, op->getResult(0));
      ring.writers = tiles.role.getWarps();
      ring.isMade = true;
      add(op, ring);
      if (LoadOp dead = getReused(op))
        requests.back().host = std::distance(rings.begin(), rings.find(dead));
    }
  kernel.walk([&](ConvertLayoutOp convert) {
    SmallVector<Operation *> readers = getReaders(convert.getResult());
    if (isa_and_nonnull<SliceLayoutAttr>(
            convert.getResult().getType().getEncoding()) ||
        readers.empty() || !llvm::all_of(readers, [&](Operation *reader) {
          return reduced.contains(reader);
        }))
      return;
    Ring ring;
    ring.isConsumed = false;
    ring.isReduced = true;
    ring.writers = consumers * kWarps;
    add(convert, ring);
  });
}

/// Finds the stores whose tiles may be staged in shared memory for TMA. Which
/// of them are staged depends on the room in shared memory, which the plan
/// divides.
void WarpSpecializer::findOutputs() {
  kernel.walk([&](StoreOp store) {
    OuterArray array = getOuterArray(kernel, store.getDestination());
    if (!array)
      return;
    RankedTensorType tile = store.getTile().getType();
    bool isReduced = reduced.contains(store);
    // If threads copy the inputs, the launch does not check that arrays have
    // the alignment that TMA requires. Only workspace is then known to have it.
    if (!isByTma() && !isDescribable(kernel, array.array))
      return;
    if (store.getAdd()
            ? isReduced && canStageAdded(tile) &&
                  isDescribable(kernel, array.array)
            : canStage(tile, cast<ShapedType>(array.array.getType())))
      outputs.push_back({store, array, {}, isReduced});
  });
}

void WarpSpecializer::createRings(const RingPlan &plan) {
  attn::NumberBuilder b = getSetupBuilder(kernel);
  SmallVector<FilledRing> filled;
  for (auto [entry, place] : llvm::zip(rings, plan.rings))
    if (auto load = dyn_cast<LoadOp>(entry.first))
      filled.push_back({load, place.stages});
  for (auto [i, entry, request, place] :
       llvm::enumerate(rings, requests, plan.rings)) {
    auto type = RingType::get(b.getContext(), place.stages, request.tile);
    auto load = dyn_cast<LoadOp>(entry.first);
    bool isUnfenced = !isByTma() && load && schedule.getMma() == MmaKind::Wgmma;
    entry.second.op = RingOp::create(
        b, type, place.offset, b.getI64IntegerAttr(place.barrierOffset),
        isReadByThreads(entry.first, schedule),
        /*overlaid=*/plan.overlaid == i, isUnfenced,
        load && followsTile({load, place.stages}, filled));
    entry.second.op->setLoc(entry.first->getLoc());
  }
}

void WarpSpecializer::initRings() {
  attn::NumberBuilder b = getSetupBuilder(kernel);
  initBarriers(b, kernel, chip, [&] {
    for (auto &[op, ring] : rings) {
      int64_t readers =
          (ring.isConsumed ? consumers : 0) + ring.isReduced + ring.makers;
      IntegerAttr writers;
      if (ring.writers)
        writers = b.getI64IntegerAttr(ring.writers);
      else if (!isByTma())
        writers = b.getI64IntegerAttr(producer.getWarpgroups() * kWarpgroup);
      InitRingOp::create(b, ring.op,
                         ring.op.getEachWarp() ? readers * kWarps : readers,
                         writers);
    }
    // The producer's first thread takes numbers of tiles from the counter and
    // publishes them to the threads of the other roles. If all threads of the
    // producer copy, they also read the published numbers.
    if (tiles && tiles.getBroadcast())
      InitSchedulerOp::create(b, *tiles.getBroadcast(),
                              (isByTma() ? getFirstOfProducer() : warpgroups) *
                                  kWarpgroup);
  });
}

RolesOp WarpSpecializer::createRoles(attn::NumberBuilder &b) {
  DenseI64ArrayAttr registers;
  SmallVector<int64_t> counts = getWarpgroupsOfRoles(schedule);
  SmallVector<bool> elected(counts.size(), false);
  elected.back() = isByTma();
  if (chip.hasRegisterSplit())
    registers = b.getDenseI64ArrayAttr(RegisterSplit(schedule).getOfRoles());
  auto roles = RolesOp::create(b, b.getDenseI64ArrayAttr(counts), registers,
                               b.getDenseBoolArrayAttr(elected),
                               /*bodiesCount=*/counts.size());
  for (Region &body : roles.getBodies())
    body.emplaceBlock().addArgument(b.getIndexType(), b.getLoc());
  return roles;
}

Block *WarpSpecializer::getBody(RolesOp roles, RoleAttr role) {
  return &roles.getBodies()[schedule.getRoles().getNumber(role)].front();
}

FailureOr<RoleSlice> WarpSpecializer::findProducer(Block *program) {
  SmallVector<Operation *> loads;
  for (auto &[op, ring] : rings)
    if (isa<LoadOp>(op))
      loads.push_back(op);
  return RoleSlice::get(program, loads);
}

FailureOr<RoleSlice> WarpSpecializer::findMaker(Block *program,
                                                const ConvertedTiles &tiles) {
  SmallVector<Operation *> sources;
  for (auto &[op, ring] : rings)
    if (llvm::any_of(getReaders(op->getResult(0)), [&](Operation *reader) {
          return tiles.ops.contains(reader);
        }))
      sources.push_back(op);
  return RoleSlice::get(program, tiles.results, sources, tiles.ops);
}

FailureOr<RoleSlice> WarpSpecializer::findReducer(Block *program) {
  SmallVector<Operation *> stores, sources;
  for (Operation *op : reduced)
    if (isa<StoreOp>(op))
      stores.push_back(op);
  for (auto &[op, ring] : rings)
    if (ring.isReduced)
      sources.push_back(op);
  return RoleSlice::get(program, stores, sources, reduced);
}

/// Fails with an error that says what the role expected to do, since the
/// program has nothing for it to do.
LogicalResult WarpSpecializer::reportIdle(RoleAttr role) {
  InFlightDiagnostic error = kernel.emitOpError("expected ");
  if (role.getKind() == RoleKind::Converter)
    return error << "right operands of 8 bits for a converter to extend or "
                    "transpose, found none";
  error << "products that are 'apart' for a multiplier, ";
  if (!role.isPlain())
    error << "by 'apart = \"" << role.getName() << "\"', ";
  return error << "and others that read them, found none";
}

LogicalResult WarpSpecializer::run() {
  if (schedule.hasReducer()) {
    FailureOr<llvm::SetVector<Operation *>> found = findReduced(kernel);
    if (failed(found))
      return failure();
    reduced = std::move(*found);
  }
  if (failed(findRings()))
    return failure();
  if (rings.empty())
    return success();
  if (schedule.hasReducer() && reduced.empty())
    return kernel.emitOpError("expected a store of a loop with 'add apart' for "
                              "a reducer, found none");
  for (const ConvertedTiles &tiles : made)
    if (tiles.results.empty())
      return reportIdle(tiles.role);
  findExchanges();
  findOutputs();
  SmallVector<OutputRequest> tilesOfOutputs;
  for (Output &output : outputs)
    tilesOfOutputs.push_back(
        {output.store.getTile().getType(), output.isReduced,
         output.isReduced ? getPartColumns(output.store) : 0});
  SmallPtrSet<Operation *, 4> passedOn;
  for (auto &[op, ring] : rings)
    passedOn.insert(op);
  RingPlan plan = planRings(schedule, chip, requests, tilesOfOutputs,
                            getEndOfExchanges(kernel, schedule, passedOn, 0));
  kernel.walk([&](ForTilesOp op) { tiles = op; });
  if (tiles && tiles.getCounters())
    tiles.setBroadcast(plan.schedulerOffset);

  Block *setup = &kernel.getBody().front();
  Block *program =
      setup->splitBlock(std::next(kernel.getBegin()->getIterator()));
  FailureOr<RoleSlice> copies = findProducer(program);
  SmallVector<FailureOr<RoleSlice>> slices;
  RoleAttr reducer = schedule.getRoles().find(RoleKind::Reducer);
  if (reducer)
    slices.push_back(findReducer(program));
  for (const ConvertedTiles &tiles : made)
    slices.push_back(findMaker(program, tiles));
  bool isSplit =
      succeeded(copies) &&
      llvm::all_of(slices, [](const auto &slice) { return succeeded(slice); });
  if (isSplit) {
    createRings(plan);
    initRings();
    auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), setup);
    RolesOp roles = createRoles(b);
    for (auto [output, place] : llvm::zip(outputs, plan.outputs)) {
      output.place = place;
      if (!place)
        output.store.emitRemark("stored from registers: no shared memory is "
                                "left to stage the tile for TMA");
    }
    emitProducer(*copies, getBody(roles, producer));
    if (reducer)
      emitReducer(*slices.front(), getBody(roles, reducer));
    for (auto [tiles, slice] :
         llvm::zip(made, MutableArrayRef(slices).take_back(made.size())))
      emitMaker(*slice, getBody(roles, tiles.role), tiles);
    RoleAttr consumer = schedule.getRoles().find(RoleKind::Consumer);
    emitConsumers(program, getBody(roles, consumer), plan.overlaid.has_value());
  }
  setup->getOperations().splice(setup->end(), program->getOperations());
  program->erase();
  if (!isSplit)
    return failure();
  kernel.setThreads(warpgroups * kWarpgroup);
  return extendSharedBytes(kernel, /*begin=*/0, plan.numBytes, chip);
}

namespace {
struct AttnGPUSpecializeWarpsPass
    : public attn_gpu::impl::AttnGPUSpecializeWarpsPassBase<
          AttnGPUSpecializeWarpsPass> {
  void runOnOperation() override {
    auto lower = [](KernelOp kernel, ScheduleAttr schedule,
                    const attn::Chip &chip) -> LogicalResult {
      if (!schedule.hasProducer())
        return success();
      return WarpSpecializer(kernel, schedule, chip).run();
    };
    if (failed(lowerKernel(getOperation(), lower)))
      signalPassFailure();
  }
};

} // namespace
