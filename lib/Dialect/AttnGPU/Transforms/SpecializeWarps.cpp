//===- SpecializeWarps.cpp - Roles of warpgroups --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"
#include "ConvertedTiles.h"
#include "Exchanges.h"
#include "ReducedTiles.h"
#include "RingTiles.h"
#include "RoleSlice.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSPECIALIZEWARPSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Warps of a warpgroup.
static constexpr int64_t kWarps = 4;

namespace {

class WarpSpecializer {
public:
  WarpSpecializer(KernelOp kernel, ScheduleAttr schedule,
                  const attn::Chip &chip)
      : kernel(kernel), schedule(schedule), chip(chip),
        producer(schedule.getRoles().find(RoleKind::Producer)),
        consumers(schedule.getNumConsumers()),
        warpgroups(schedule.getNumWarpgroups()) {
    for (RoleAttr role : schedule.getHelpers())
      if (role.getKind() != RoleKind::Reducer)
        made.emplace_back(kernel, role);
  }

  LogicalResult run();

private:
  /// Whether one thread of the producer copies, by TMA; otherwise all of its
  /// threads do.
  bool isByTma() const { return schedule.getCopy() == CopyKind::Tma; }
  /// The producer's first warpgroup.
  int64_t getFirstOfProducer() const {
    return warpgroups - producer.getWarpgroups();
  }

  /// The ring for the tiles of one load, or for a tile that consumers pass to
  /// the reducer.
  struct Ring {
    SmallVector<OuterArray> arrays;
    LoadMaps maps;
    RingOp op;
    /// Which roles read them: `makers` are the warpgroups of those whose tiles
    /// `made` has.
    bool isConsumed = true, isReduced = false;
    int64_t makers = 0;
    /// Warps that put a tile there, if no load fills it.
    int64_t writers = 0;
    /// Whether a role of `made` puts it there.
    bool isMade = false;
  };
  /// A tile that may be stored through shared memory.
  struct Output {
    StoreOp store;
    OuterArray array;
    std::optional<RingPlan::Output> place;
    /// Whether the reducer adds it to memory.
    bool isReduced = false;
  };

  void findRoles(Ring &ring, Value tile);
  LogicalResult findRings();
  void findExchanges();
  void findOutputs();
  void createRings(const RingPlan &plan, Block *setup);
  void storeAsync(attn::NumberBuilder b, const Output &output, bool waits);
  void addColumns(attn::NumberBuilder &b, StoreOp store, int64_t first,
                  int64_t count, int64_t part, const IRMapping &mapping);
  void initRings(attn::NumberBuilder &b);
  RolesOp createRoles(attn::NumberBuilder &b);
  FailureOr<RoleSlice> findProducer(Block *program);
  FailureOr<RoleSlice> findReducer(Block *program);
  FailureOr<RoleSlice> findMaker(Block *program, const ConvertedTiles &tiles);
  void emitProducer(RoleSlice &slice, Block *role);
  void emitReducer(RoleSlice &slice, Block *role);
  void emitMaker(RoleSlice &slice, Block *role, const ConvertedTiles &tiles);
  void acquire(attn::NumberBuilder &b, Operation *source, IRMapping &mapping);
  void emitConsumers(Block *program, Block *role, bool waits);
  LogicalResult reportIdle(RoleAttr role);

  KernelOp kernel;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  RoleAttr producer;
  /// The number of warpgroups that compute, and of all.
  int64_t consumers, warpgroups;
  /// Rings, keyed by the load, or by the conversion to shared memory of a tile
  /// that MMAs of the reducer read.
  llvm::MapVector<Operation *, Ring> rings;
  SmallVector<RingRequest> requests;
  /// The ops that the reducer runs.
  llvm::SetVector<Operation *> reduced;
  /// What the converter and the multipliers run, in the order of roles.
  SmallVector<ConvertedTiles> made;
  SmallVector<Output> outputs;
  ForTilesOp tiles;
};

} // namespace

/// Whether each warpgroup reads only its own rows of the tile: as a left
/// operand, in shared memory or copied to registers.
static bool isLeftOperand(Operation *load) {
  return llvm::all_of(load->getUses(), [](OpOperand &use) {
    if (isa<ConvertLayoutOp>(use.getOwner()))
      return true;
    auto dot = dyn_cast<DotOp>(use.getOwner());
    return dot && use.getOperandNumber() == 0 && !dot.getTransposeLhs();
  });
}

/// Whether the load is in an innermost loop, so that each iteration waits for
/// it. A load of an outer loop is as rare as one outside of all loops.
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

/// The number of columns that the reducer computes and adds at a time.
static int64_t getPartColumns(StoreOp store) {
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
    // A reader in an inner loop, over the heads of a group, copies the tile to
    // registers in each iteration, so that its slot is not free after the first
    // copy.
    bool isCopiedOnce =
        isCopied(load) && llvm::all_of(readers, [&](Operation *user) {
          return user->getBlock() == load->getBlock();
        });
    // Results of consumers may be stored where they alone have read their rows.
    requests.push_back({tile, isStreamed(load),
                        ring.makers == 0 && isLeftOperand(load), isCopiedOnce});
  }
  return success();
}

/// What consumers pass on to the reducer, and others to consumers.
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
    }
  kernel.walk([&](ConvertLayoutOp convert) {
    if (convert->use_empty() ||
        !llvm::all_of(convert->getUsers(),
                      [&](Operation *user) { return reduced.contains(user); }))
      return;
    Ring ring;
    ring.isConsumed = false;
    ring.isReduced = true;
    ring.writers = consumers * kWarps;
    add(convert, ring);
  });
}

/// Finds the stores that may go through shared memory, which they do if it has
/// room.
void WarpSpecializer::findOutputs() {
  kernel.walk([&](StoreOp store) {
    OuterArray array = getOuterArray(kernel, store.getDestination());
    if (!array)
      return;
    RankedTensorType tile = store.getTile().getType();
    bool isReduced = reduced.contains(store);
    // If threads copy, the launch has not checked what TMA requires of arrays.
    // Only workspace is known to be fit.
    if (!isByTma() && !isDescribable(kernel, array.array))
      return;
    if (store.getAdd()
            ? isReduced && canStageAdded(tile) &&
                  isDescribable(kernel, array.array)
            : canStage(tile, cast<ShapedType>(array.array.getType())))
      outputs.push_back({store, array, {}, isReduced});
  });
}

void WarpSpecializer::createRings(const RingPlan &plan, Block *setup) {
  auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), setup);
  for (auto [i, entry, request, place] :
       llvm::enumerate(rings, requests, plan.rings)) {
    auto type = RingType::get(b.getContext(), place.stages, request.tile);
    bool isUnfenced = !isByTma() && isa<LoadOp>(entry.first) &&
                      schedule.getMma() == MmaKind::Wgmma;
    entry.second.op = RingOp::create(
        b, type, place.offset, b.getI64IntegerAttr(place.barrierOffset),
        isReadByThreads(entry.first, schedule),
        /*overlaid=*/plan.overlaid == i, isUnfenced);
    entry.second.op->setLoc(entry.first->getLoc());
  }
}

/// The tensor map for a warpgroup's rows of a tile.
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

void WarpSpecializer::initRings(attn::NumberBuilder &b) {
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
    // The producer's first thread takes tile numbers. If all threads of the
    // producer copy, they all read the numbers, too.
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

/// Adds `count` columns of a store's tile to memory, from `first` on. Only
/// these are computed, so that the accumulator takes fewer registers. Each part
/// but the last has `part` columns.
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
  // Parts take turns at the buffers that shared memory has for them.
  const RingPlan::Output &place = *output->place;
  int64_t turn = first / part % place.places;
  StoreAsyncOp::create(
      b, tile, encodeRowsMap(kernel, output->array, type), coordinates,
      b.getI64IntegerAttr(place.offset + turn * place.partBytes),
      /*wait=*/UnitAttr(), /*add=*/b.getUnitAttr(),
      b.getI64IntegerAttr(place.places - 1));
}

/// Acquires the tile of a ring instead of one that another role loads or
/// computes.
void WarpSpecializer::acquire(attn::NumberBuilder &b, Operation *source,
                              IRMapping &mapping) {
  Value tile = source->getResult(0);
  mapping.map(tile, AcquireOp::create(b, tile.getType(), b.getI32Type(),
                                      rings[source].op, Value())
                        .getTile());
}

/// What is made of the tiles of rings, each put into its ring.
void WarpSpecializer::emitMaker(RoleSlice &slice, Block *role,
                                const ConvertedTiles &tiles) {
  auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), role);
  slice.clone(
      b, [&](attn::NumberBuilder &body, Operation *root, IRMapping &mapping) {
        if (!llvm::is_contained(tiles.results, root))
          return acquire(body, root, mapping);
        PutOp::create(body, mapping.lookup(root->getOperand(0)), rings[root].op,
                      /*index=*/Value(), isa<TransposeOp>(root));
      });
}

/// Emits the reducer's role: it adds tiles to memory. Tiles that other roles
/// load or compute are acquired from rings.
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
  // The slice has also cloned ops on whole tiles, which nothing uses.
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

/// Moves the program to the consumers' role, and replaces its loads by acquired
/// tiles.
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
  // The ops of `reduced` begin with the stores, and each comes before those
  // that it reads.
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
  // Roles may read what others make.
  for (const ConvertedTiles &tiles : made)
    for (Operation *op : tiles.ops)
      op->dropAllReferences();
  for (const ConvertedTiles &tiles : made)
    for (Operation *op : tiles.ops)
      op->erase();
  for (auto &[op, ring] : rings) {
    // What others make is gone.
    if (ring.isMade)
      continue;
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (ring.isConsumed)
        acquireLoaded(load, ring.op);
      else
        load.erase();
      continue;
    }
    auto convert = cast<ConvertLayoutOp>(op);
    attn::NumberBuilder b(convert.getLoc(), convert);
    PutOp::create(b, convert.getInput(), ring.op, /*index=*/Value(),
                  /*transpose=*/false);
    convert.erase();
  }
  if (isStaged) {
    auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), role);
    FinishStoresOp::create(b);
  }
}

/// Fails with an error about a role that has nothing to do.
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
  Block *program = setup->splitBlock(kernel.getProgramBegin());
  FailureOr<RoleSlice> copies = findProducer(program);
  SmallVector<FailureOr<RoleSlice>> slices;
  if (schedule.hasReducer())
    slices.push_back(findReducer(program));
  for (const ConvertedTiles &tiles : made)
    slices.push_back(findMaker(program, tiles));
  bool isSplit =
      succeeded(copies) &&
      llvm::all_of(slices, [](const auto &slice) { return succeeded(slice); });
  if (isSplit) {
    createRings(plan, setup);
    auto b = attn::NumberBuilder::atBlockEnd(kernel.getLoc(), setup);
    initRings(b);
    RolesOp roles = createRoles(b);
    for (auto [output, place] : llvm::zip(outputs, plan.outputs))
      output.place = place;
    emitProducer(*copies, &roles.getBodies().back().front());
    // In the order of ScheduleAttr::getHelpers.
    if (schedule.hasReducer())
      emitReducer(*slices[0], &roles.getBodies()[1].front());
    for (auto [i, tiles] : llvm::enumerate(made)) {
      size_t number = schedule.hasReducer() + i;
      emitMaker(*slices[number], &roles.getBodies()[1 + number].front(), tiles);
    }
    emitConsumers(program, &roles.getBodies()[0].front(),
                  plan.overlaid.has_value());
  }
  setup->getOperations().splice(setup->end(), program->getOperations());
  program->erase();
  if (!isSplit)
    return failure();
  kernel.setThreads(warpgroups * kWarpgroup);
  return setSharedBytes(kernel, plan.numBytes, chip);
}

namespace {
struct AttnGPUSpecializeWarpsPass
    : public attn_gpu::impl::AttnGPUSpecializeWarpsPassBase<
          AttnGPUSpecializeWarpsPass> {
  void runOnOperation() override {
    auto visit = [](KernelOp kernel, ScheduleAttr schedule,
                    const attn::Chip &chip) -> LogicalResult {
      if (!schedule.hasProducer())
        return success();
      return WarpSpecializer(kernel, schedule, chip).run();
    };
    if (failed(walkKernels(getOperation(), visit)))
      signalPassFailure();
  }
};

} // namespace
