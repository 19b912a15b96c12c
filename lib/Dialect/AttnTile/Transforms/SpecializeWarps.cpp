//===- SpecializeWarps.cpp - One warpgroup copies, the others compute
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNSPECIALIZEWARPSPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

namespace {

constexpr int64_t kWarpgroup = 128;
constexpr int64_t kTileAlignment = 1024;
constexpr int64_t kRegisterFile = 65536;

bool isSwizzled(LoadOp load) {
  return isa_and_nonnull<SwizzledLayoutAttr>(
      load.getResult().getType().getEncoding());
}

bool hasLoads(Operation *op) {
  return op
      ->walk([](LoadOp load) {
        return isSwizzled(load) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a product reads the tile as rows along K.
bool isLeftOperand(LoadOp load) {
  return llvm::all_of(load->getUses(), [](OpOperand &use) {
    return isa<ConvertLayoutOp>(use.getOwner()) || use.getOperandNumber() == 0;
  });
}

/// Registers of a thread. What the warpgroups give and take is the pool that
/// the launch had: more would never come.
struct RegisterSplit {
  int64_t producer, consumer;

  RegisterSplit(int64_t consumers) {
    int64_t groups = consumers + 1;
    int64_t atLaunch =
        std::min<int64_t>(kRegisterFile / (kWarpgroup * groups), 255) / 8 * 8;
    producer = consumers <= 2 ? 40 : 32;
    consumer = std::min<int64_t>(
        (atLaunch * groups - producer) / consumers / 8 * 8, 240);
  }
};

class WarpSpecializer {
public:
  WarpSpecializer(gpu::LaunchOp launch, attn::ScheduleAttr schedule)
      : launch(launch), schedule(schedule), consumers(schedule.getWarps() / 4),
        registers(consumers) {}

  LogicalResult run();

private:
  /// Tiles of one array: those that are read as the same operand.
  struct Ring {
    Value ring, map;
  };
  using RingKey = std::tuple<Value, Type, unsigned>;
  /// For each ring, the number of its next tile.
  using Counts = llvm::MapVector<Ring *, Value>;

  RingKey getKey(LoadOp load) {
    return {load.getSource(), load.getResult().getType(), isLeftOperand(load)};
  }
  LogicalResult createRings();
  void createRoles();

  SmallVector<Ring *> getRingsIn(Operation *op);
  SmallVector<Value> getCounts(Counts &counts, ArrayRef<Ring *> used);
  void setCounts(Counts &counts, ArrayRef<Ring *> used, ValueRange values);
  void advance(ImplicitLocOpBuilder &b, Counts &counts, Ring *ring);

  void produce(ImplicitLocOpBuilder &b, Block *block, IRMapping &mapping,
               Counts &counts);
  void fill(ImplicitLocOpBuilder &b, LoadOp load, IRMapping &mapping,
            Counts &counts);
  void consume(Block *block, Counts &counts);
  void acquire(LoadOp load, Counts &counts);

  gpu::LaunchOp launch;
  attn::ScheduleAttr schedule;
  int64_t consumers;
  RegisterSplit registers;
  llvm::MapVector<RingKey, std::unique_ptr<Ring>> rings;
  int64_t numBytes = 0;
};

//===----------------------------------------------------------------------===//
// Where tiles are in the arrays of the launch's surroundings
//===----------------------------------------------------------------------===//

/// A view of an array from outside of the launch: the array, and the index of
/// the view's first element in it, or nothing if other views than slices with
/// unit strides are between. A slice may end before the array only where a
/// tile's own rows or columns do.
std::pair<Value, SmallVector<OpFoldResult>>
resolveView(ImplicitLocOpBuilder &b, gpu::LaunchOp launch, Value view) {
  SmallVector<OpFoldResult> origin(cast<MemRefType>(view.getType()).getRank(),
                                   b.getIndexAttr(0));
  while (launch.getBody().isAncestor(view.getParentRegion())) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    if (!slice ||
        slice.getSourceType().getRank() !=
            static_cast<int64_t>(origin.size()) ||
        !slice.hasUnitStride())
      return {};
    AffineExpr sum = b.getAffineDimExpr(0) + b.getAffineDimExpr(1);
    for (auto [first, offset] : llvm::zip(origin, slice.getMixedOffsets()))
      first = affine::makeComposedFoldedAffineApply(b, b.getLoc(), sum,
                                                    {first, offset});
    view = slice.getSource();
  }
  return {view, origin};
}

LogicalResult WarpSpecializer::createRings() {
  ImplicitLocOpBuilder outside(launch.getLoc(), launch);
  auto inside = ImplicitLocOpBuilder::atBlockBegin(launch.getLoc(),
                                                   &launch.getBody().front());
  SmallVector<LoadOp> loads;
  launch.walk([&](LoadOp load) {
    if (isSwizzled(load))
      loads.push_back(load);
  });
  // Tiles first, then barriers.
  SmallVector<RingType> types;
  SmallVector<int64_t> offsets;
  SmallVector<Ring *> order;
  for (LoadOp load : loads) {
    std::unique_ptr<Ring> &ring = rings[getKey(load)];
    if (ring)
      continue;
    ring = std::make_unique<Ring>();
    RankedTensorType tile = load.getResult().getType();
    ImplicitLocOpBuilder atLoad(load.getLoc(), load);
    auto [array, origin] = resolveView(atLoad, launch, load.getSource());
    if (!array)
      return load.emitOpError("expected a slice with unit strides of an array "
                              "from outside of the launch");
    SmallVector<int64_t> box(cast<MemRefType>(array.getType()).getRank(), 1);
    box[box.size() - 2] = tile.getDimSize(0);
    box.back() = 64;
    ring->map = attn_nv::EncodeTensorMapOp::create(
        outside, attn_nv::TensorMapType::get(outside.getContext()), array,
        outside.getDenseI64ArrayAttr(box));
    int64_t stages = isLeftOperand(load) ? 1 : schedule.getStages();
    types.push_back(RingType::get(load.getContext(), stages, tile));
    offsets.push_back(numBytes);
    order.push_back(ring.get());
    numBytes +=
        llvm::alignTo(stages * types.back().getTileBytes(), kTileAlignment);
  }
  for (auto [ring, type, offset] : llvm::zip(order, types, offsets)) {
    ring->ring = RingOp::create(inside, type, offset, numBytes);
    numBytes += type.getBarrierBytes();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers of tiles
//===----------------------------------------------------------------------===//

SmallVector<WarpSpecializer::Ring *>
WarpSpecializer::getRingsIn(Operation *op) {
  SetVector<Ring *> used;
  op->walk([&](LoadOp load) {
    if (isSwizzled(load))
      used.insert(rings[getKey(load)].get());
  });
  return used.takeVector();
}

SmallVector<Value> WarpSpecializer::getCounts(Counts &counts,
                                              ArrayRef<Ring *> used) {
  return llvm::map_to_vector(used, [&](Ring *ring) { return counts[ring]; });
}

void WarpSpecializer::setCounts(Counts &counts, ArrayRef<Ring *> used,
                                ValueRange values) {
  for (auto [ring, value] : llvm::zip(used, values))
    counts[ring] = value;
}

void WarpSpecializer::advance(ImplicitLocOpBuilder &b, Counts &counts,
                              Ring *ring) {
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  counts[ring] = arith::AddIOp::create(b, counts[ring], one);
}

//===----------------------------------------------------------------------===//
// The producer: the program's loads and what they depend on
//===----------------------------------------------------------------------===//

void WarpSpecializer::fill(ImplicitLocOpBuilder &b, LoadOp load,
                           IRMapping &mapping, Counts &counts) {
  Ring *ring = rings[getKey(load)].get();
  auto [array, origin] =
      resolveView(b, launch, mapping.lookupOrDefault(load.getSource()));
  SmallVector<Value> coordinates;
  for (auto [first, index] : llvm::zip(origin, load.getIndices())) {
    Value position = arith::AddIOp::create(
        b, getValueOrCreateConstantIndexOp(b, b.getLoc(), first),
        mapping.lookupOrDefault(index));
    coordinates.push_back(
        arith::IndexCastOp::create(b, b.getI32Type(), position));
  }
  FillOp::create(b, ring->ring, counts[ring], ring->map, coordinates);
  advance(b, counts, ring);
}

void WarpSpecializer::produce(ImplicitLocOpBuilder &b, Block *block,
                              IRMapping &mapping, Counts &counts) {
  for (Operation &op : *block) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSwizzled(load)) {
      fill(b, load, mapping, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasLoads(loop)) {
      SmallVector<Ring *> used = getRingsIn(loop);
      auto copy = scf::ForOp::create(
          b, mapping.lookupOrDefault(loop.getLowerBound()),
          mapping.lookupOrDefault(loop.getUpperBound()),
          mapping.lookupOrDefault(loop.getStep()), getCounts(counts, used),
          [&](OpBuilder &inner, Location loc, Value position,
              ValueRange carried) {
            ImplicitLocOpBuilder body(loc, inner);
            mapping.map(loop.getInductionVar(), position);
            setCounts(counts, used, carried);
            produce(body, loop.getBody(), mapping, counts);
            scf::YieldOp::create(body, getCounts(counts, used));
          });
      setCounts(counts, used, copy.getResults());
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && hasLoads(branch)) {
      SmallVector<Ring *> used = getRingsIn(branch);
      auto emit = [&](Block *source) {
        return [&, source](OpBuilder &inner, Location loc) {
          ImplicitLocOpBuilder body(loc, inner);
          Counts own = counts;
          if (source)
            produce(body, source, mapping, own);
          scf::YieldOp::create(body, getCounts(own, used));
        };
      };
      auto copy =
          scf::IfOp::create(b, mapping.lookupOrDefault(branch.getCondition()),
                            emit(branch.thenBlock()), emit(branch.elseBlock()));
      setCounts(counts, used, copy.getResults());
    } else if (op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
               !op.hasTrait<OpTrait::IsTerminator>() &&
               llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>) &&
               llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>)) {
      b.clone(op, mapping);
    }
  }
}

//===----------------------------------------------------------------------===//
// Consumers: the program, with tiles of rings in place of loads
//===----------------------------------------------------------------------===//

/// The op after which no product reads the tile any more, in its block.
Operation *getLastReader(LoadOp load) {
  Operation *last = nullptr;
  for (Operation *user : load->getUsers()) {
    if (auto start = dyn_cast<DotStartOp>(user))
      user = *start->getUsers().begin();
    Operation *inBlock = load->getBlock()->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  return last;
}

void WarpSpecializer::acquire(LoadOp load, Counts &counts) {
  Ring *ring = rings[getKey(load)].get();
  ImplicitLocOpBuilder b(load.getLoc(), load);
  Value index = counts[ring];
  Value tile =
      AcquireOp::create(b, load.getResult().getType(), ring->ring, index);
  advance(b, counts, ring);
  // A left operand stays until the program's end.
  if (!isLeftOperand(load))
    if (Operation *last = getLastReader(load)) {
      b.setInsertionPointAfter(last);
      ReleaseOp::create(b, ring->ring, index, UnitAttr());
    }
  load.replaceAllUsesWith(tile);
  load.erase();
}

void WarpSpecializer::consume(Block *block, Counts &counts) {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSwizzled(load)) {
      acquire(load, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasLoads(loop)) {
      SmallVector<Ring *> used = getRingsIn(loop);
      unsigned numCarried = loop.getNumRegionIterArgs();
      IRRewriter rewriter(loop.getContext());
      rewriter.setInsertionPoint(loop);
      loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
          rewriter, getCounts(counts, used),
          /*replaceInitOperandUsesInLoop=*/false,
          [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
            return SmallVector<Value>(carried.begin(), carried.end());
          }));
      setCounts(counts, used, loop.getRegionIterArgs().drop_front(numCarried));
      consume(loop.getBody(), counts);
      loop.getBody()->getTerminator()->setOperands(numCarried, used.size(),
                                                   getCounts(counts, used));
      setCounts(counts, used, loop.getResults().drop_front(numCarried));
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && hasLoads(branch)) {
      SmallVector<Ring *> used = getRingsIn(branch);
      SmallVector<Type> types(branch.getResultTypes());
      types.append(used.size(), IntegerType::get(op.getContext(), 32));
      OpBuilder b(branch);
      auto wider = scf::IfOp::create(b, branch.getLoc(), types,
                                     branch.getCondition(), true);
      for (auto [from, to] :
           llvm::zip(branch->getRegions(), wider->getRegions())) {
        to.takeBody(from);
        Counts own = counts;
        if (to.empty()) {
          b.createBlock(&to);
          scf::YieldOp::create(b, branch.getLoc());
        }
        consume(&to.front(), own);
        to.front().getTerminator()->insertOperands(branch.getNumResults(),
                                                   getCounts(own, used));
      }
      setCounts(counts, used,
                wider.getResults().drop_front(branch.getNumResults()));
      branch.replaceAllUsesWith(
          wider.getResults().take_front(branch.getNumResults()));
      branch.erase();
    }
  }
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

void WarpSpecializer::createRoles() {
  Block &body = launch.getBody().front();
  // Rings were put in front of the program.
  Operation *lastRing = rings.back().second->ring.getDefiningOp();
  for (auto &[key, ring] : rings)
    if (lastRing->isBeforeInBlock(ring->ring.getDefiningOp()))
      lastRing = ring->ring.getDefiningOp();
  Block *program = body.splitBlock(lastRing->getNextNode());
  Operation *terminator = program->getTerminator();

  auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), &body);
  auto word = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value thread =
      arith::IndexCastOp::create(b, b.getI32Type(), launch.getThreadIds().x);
  // From a shuffle, the assembler knows that it is the same in each lane.
  Value group = NVVM::ShflOp::create(
      b, b.getI32Type(), word(-1),
      arith::ShRUIOp::create(b, thread, word(llvm::Log2_64(kWarpgroup))),
      word(0), word(31), NVVM::ShflKind::idx, UnitAttr());
  auto isEqual = [&](Value lhs, int32_t rhs) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lhs, word(rhs));
  };

  auto init = scf::IfOp::create(b, isEqual(thread, 0));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(init.thenBlock());
    for (auto &[key, ring] : rings)
      InitRingOp::create(b, ring->ring, consumers);
    NVVM::FenceMbarrierInitOp::create(b);
  }
  gpu::BarrierOp::create(b);

  Counts counts;
  for (auto &[key, ring] : rings)
    counts[ring.get()] = word(0);
  Value isProducer = isEqual(group, consumers);
  auto roles = scf::IfOp::create(b, isProducer, /*withElseRegion=*/true);
  b.setInsertionPointToStart(roles.thenBlock());
  NVVM::SetMaxRegisterOp::create(b, registers.producer,
                                 NVVM::SetMaxRegisterAction::decrease);
  auto elected = scf::IfOp::create(b, isEqual(thread, consumers * kWarpgroup));
  b.setInsertionPointToStart(elected.thenBlock());
  IRMapping mapping;
  Counts produced = counts;
  produce(b, program, mapping, produced);

  consume(program, counts);
  b.setInsertionPointToStart(roles.elseBlock());
  NVVM::SetMaxRegisterOp::create(b, registers.consumer,
                                 NVVM::SetMaxRegisterAction::increase);
  roles.elseBlock()->getOperations().splice(
      std::prev(roles.elseBlock()->end()), program->getOperations(),
      program->begin(), terminator->getIterator());
  terminator->moveBefore(&body, body.end());
  program->erase();
}

LogicalResult WarpSpecializer::run() {
  if (failed(createRings()))
    return failure();
  if (rings.empty())
    return success();
  createRoles();
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  launch.getBlockSizeXMutable().assign(
      arith::ConstantIndexOp::create(b, (consumers + 1) * kWarpgroup));
  launch.getDynamicSharedMemorySizeMutable().assign(
      arith::ConstantOp::create(b, b.getI32IntegerAttr(numBytes)));
  return success();
}

struct AttnSpecializeWarpsPass
    : public attn_tile::impl::AttnSpecializeWarpsPassBase<
          AttnSpecializeWarpsPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](gpu::LaunchOp launch) {
      auto schedule =
          launch->getAttrOfType<attn::ScheduleAttr>(attn::kScheduleAttrName);
      if (schedule && schedule.getAccess() == attn::Access::Tma &&
          failed(WarpSpecializer(launch, schedule).run()))
        return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
