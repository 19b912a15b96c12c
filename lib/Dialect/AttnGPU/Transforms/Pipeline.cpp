//===- Pipeline.cpp - MMAs beside the softmax of the next iteration -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRotation.h"
#include "Stages.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPIPELINEPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Replaces a dot with an MMA and, directly after it, the wait for that MMA.
static void splitDot(RewriterBase &rewriter, DotOp dot) {
  rewriter.setInsertionPoint(dot);
  Type type = dot.getResult().getType();
  Value issued =
      MmaOp::create(rewriter, dot.getLoc(), type, dot.getLhs(), dot.getRhs(),
                    dot.getAccumulator(), dot.getTransposeLhsAttr(),
                    dot.getTransposeRhsAttr());
  rewriter.replaceOpWithNewOp<MmaWaitOp>(dot, type,
                                         rewriter.getI64IntegerAttr(0), issued);
}

/// If `mma` adds to the result of an earlier MMA of its block, which nothing
/// else reads, returns the wait for the earlier MMA. Otherwise returns null.
static MmaWaitOp getWaitBetween(MmaOp mma) {
  auto wait = mma.getAccumulator().getDefiningOp<MmaWaitOp>();
  if (!wait || !wait->hasOneUse())
    return MmaWaitOp();
  auto before = wait.getMma().getDefiningOp<MmaOp>();
  return before && before->hasOneUse() &&
                 before->getBlock() == mma->getBlock() &&
                 wait->getBlock() == mma->getBlock()
             ? wait
             : MmaWaitOp();
}

namespace {

class LoopPipeliner {
public:
  /// Creates a pipeliner for a loop. `warpgroups` is the number of warpgroups
  /// that issue their MMAs in turns (ping-pong), or 0 without ping-pong.
  LoopPipeliner(scf::ForOp loop, int64_t warpgroups, ScheduleAttr schedule,
                const attn::Chip &chip, IRRewriter &rewriter)
      : loop(loop), warpgroups(warpgroups), schedule(schedule), chip(chip),
        rewriter(rewriter) {}

  /// Pipelines the loop and returns the pipelined loop. Returns null if the
  /// loop is not pipelined, since it is in the reducer's role or since its MMAs
  /// cannot overlap with those of the next iteration, as a remark explains.
  FailureOr<scf::ForOp> run();

  /// The rings whose tiles the loop acquires, in the pipelined loop's order,
  /// each with the pipeline stage of its acquire.
  using Copies = SmallVector<std::pair<Value, unsigned>>;
  const Copies &getCopies() const { return copies; }

private:
  RoleAttr getRole();
  bool readsExchanged();
  bool fitsRegisters(ArrayRef<MmaStage> mmas);
  bool carriesLoads(const StagedOps &stages);
  FailureOr<scf::ForOp> reorder(StringRef reason);
  FailureOr<scf::ForOp> putLate();
  static void setPending(Block *block);
  void addPingPong(scf::ForOp kernel);

  scf::ForOp loop;
  int64_t warpgroups;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  IRRewriter &rewriter;
  Copies copies;
};

/// Whether an MMA of the loop reads a tile in shared memory that the same
/// iteration writes from registers. With overlap, the next iteration would
/// overwrite the tile before the MMA has read it.
bool LoopPipeliner::readsExchanged() {
  return llvm::any_of(loop.getBody()->getOps<MmaOp>(), [&](MmaOp mma) {
    return llvm::any_of(ValueRange{mma.getLhs(), mma.getRhs()}, [&](Value v) {
      while (auto columns = v.getDefiningOp<ColumnsOp>())
        v = columns.getTile();
      auto convert = v.getDefiningOp<ConvertLayoutOp>();
      return convert && convert->getBlock() == loop.getBody() &&
             isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
                 convert.getResult().getType().getEncoding());
    });
  });
}

/// Returns the role whose loop it is, or null in a kernel without roles.
RoleAttr LoopPipeliner::getRole() {
  auto roles = loop->getParentOfType<RolesOp>();
  return roles ? schedule.getRoles().getList()[roles.getRole(loop)]
               : RoleAttr();
}

/// Sets how many MMAs may be unfinished after each wait of the block. This is
/// the number of MMAs that are issued after the MMA that the wait is for, and
/// before the wait.
void LoopPipeliner::setPending(Block *block) {
  for (MmaWaitOp wait : block->getOps<MmaWaitOp>()) {
    auto mma = wait.getMma().getDefiningOp<MmaOp>();
    if (!mma || mma->getBlock() != block)
      continue;
    int64_t pending = 0;
    for (Operation *op = mma->getNextNode(); op != wait; op = op->getNextNode())
      pending += isa<MmaOp>(op);
    wait.setPending(pending);
  }
}

/// Makes warpgroups issue the MMAs of the pipelined loop in turns: inserts a
/// ping-pong wait before the first MMA of its body and a ping-pong arrive after
/// the last one.
void LoopPipeliner::addPingPong(scf::ForOp kernel) {
  MmaOp first, last;
  for (MmaOp mma : kernel.getBody()->getOps<MmaOp>()) {
    if (!first)
      first = mma;
    last = mma;
  }
  rewriter.setInsertionPoint(first);
  PingPongWaitOp::create(rewriter, first.getLoc(), warpgroups);
  rewriter.setInsertionPointAfter(last);
  PingPongArriveOp::create(rewriter, last.getLoc(), warpgroups,
                           /*initial=*/false);
}

/// Whether registers suffice for overlap. They must hold the accumulators of
/// the MMAs of two iterations, those left operands of MMAs that run late which
/// are in registers, and the other f32 tiles that the loop carries.
bool LoopPipeliner::fitsRegisters(ArrayRef<MmaStage> mmas) {
  SmallVector<MmaOp> ops(loop.getBody()->getOps<MmaOp>());
  int64_t bits = 0;
  for (const MmaStage &mma : mmas) {
    // An MMA that adds to the result of another MMA has no accumulator of its
    // own, so it is not counted.
    if (!getWaitBetween(ops[mma.index]))
      bits += 32 * ops[mma.index].getResult().getType().getNumElements();
    RankedTensorType left = ops[mma.index].getLhs().getType();
    if (mma.stage > 0 && isa_and_nonnull<MmaLayoutAttr>(left.getEncoding()))
      bits += left.getElementTypeBitWidth() * left.getNumElements();
  }
  // The f32 tiles that the loop carries and that are not results of MMAs, such
  // as totals to which partial sums are added, also take registers.
  for (Value yielded : loop.getYieldedValues())
    if (auto tile = dyn_cast<RankedTensorType>(yielded.getType());
        tile && tile.getRank() == 2 && tile.getElementType().isF32() &&
        !yielded.getDefiningOp<MmaWaitOp>())
      bits += 32 * tile.getNumElements();
  return hasRegisters(schedule, chip, bits / 32);
}

/// Reorders the ops within an iteration, without overlap of iterations: each
/// MMA is issued as soon as its operands are ready, and its wait comes when no
/// other op is ready. A remark gives `reason`, why iterations do not overlap,
/// unless a multiplier has some of the products: its MMAs run beside those of
/// the consumers. Returns failure if there is no such order, and otherwise a
/// null loop, since no pipelined loop was made.
FailureOr<scf::ForOp> LoopPipeliner::reorder(StringRef reason) {
  if (!schedule.hasMultiplier())
    loop.emitRemark("no overlap with the next iteration: ") << reason;
  SmallVector<MmaStage> mmas;
  for (auto [i, mma] : llvm::enumerate(loop.getBody()->getOps<MmaOp>()))
    mmas.push_back({static_cast<unsigned>(i), 0, 0});
  auto order = getStages(loop, mmas, /*savesRegisters=*/!fitsRegisters(mmas));
  if (failed(order))
    return failure();
  for (auto [op, stage] : *order)
    rewriter.moveOpBefore(op, loop.getBody()->getTerminator());
  setPending(loop.getBody());
  return scf::ForOp();
}

/// Pipelines a loop such that it puts the tiles and vectors of an iteration
/// into their rings within the next iteration, after the waits for the MMAs of
/// that one. Returns a null loop, since the order of copies stays the same.
FailureOr<scf::ForOp> LoopPipeliner::putLate() {
  SmallVector<MmaStage> mmas;
  for (auto [i, mma] : llvm::enumerate(loop.getBody()->getOps<MmaOp>()))
    mmas.push_back({static_cast<unsigned>(i), 0, 0});
  auto order = getStages(loop, mmas);
  if (failed(order))
    return failure();
  StagedOps before, puts, after;
  bool isAfter = false;
  for (auto [op, stage] : llvm::reverse(*order)) {
    isAfter |= isa<MmaWaitOp>(op);
    if (isa<PutOp>(op))
      puts.emplace_back(op, 1);
    else
      (isAfter ? before : after).emplace_back(op, 0);
  }
  StagedOps stages;
  llvm::append_range(stages, llvm::reverse(before));
  llvm::append_range(stages, llvm::reverse(puts));
  llvm::append_range(stages, llvm::reverse(after));
  FailureOr<scf::ForOp> kernel = rotateLoop(rewriter, loop, stages);
  if (failed(kernel))
    return failure();
  setPending(kernel->getOperation()->getBlock());
  setPending(kernel->getBody());
  return scf::ForOp();
}

/// Whether a tile that a load of the loop has loaded is read by an op of a
/// later stage, that is, in a later iteration.
bool LoopPipeliner::carriesLoads(const StagedOps &stages) {
  llvm::DenseMap<Operation *, unsigned> stageOf(stages.begin(), stages.end());
  return llvm::any_of(loop.getBody()->getOps<LoadOp>(), [&](LoadOp load) {
    return load.getResult().getType().getRank() == 2 &&
           llvm::any_of(load->getUsers(), [&](Operation *user) {
             return stageOf.lookup(user) > stageOf.lookup(load);
           });
  });
}

FailureOr<scf::ForOp> LoopPipeliner::run() {
  SmallVector<DotOp> dots(loop.getBody()->getOps<DotOp>());
  for (DotOp dot : dots)
    splitDot(rewriter, dot);
  // A reducer mostly waits for tiles of other roles, not for its own MMAs, so
  // it would gain nothing from a pipelined loop.
  RoleAttr role = getRole();
  if (role && role.getKind() == RoleKind::Reducer)
    return scf::ForOp();
  if (role && role.getLate())
    return putLate();
  SmallVector<MmaStage> mmas = getOverlap(loop, schedule.hasReducer());
  if (readsExchanged())
    return reorder(
        "an MMA reads a tile of shared memory that each iteration writes");
  if (mmas.empty())
    return reorder("no MMA of the loop can run beside what another needs");
  if (!fitsRegisters(mmas))
    return reorder("registers do not hold what MMAs of both would accumulate");
  SmallVector<Operation *> loads(loop.getBody()->getOps<LoadOp>());
  separateIndices(rewriter, loop, loads);
  auto stages = getStages(loop, mmas);
  if (failed(stages))
    return failure();
  if (schedule.getCopy() == CopyKind::Tma && !schedule.hasProducer() &&
      carriesLoads(*stages))
    // Without a producer, the pipelined loop's prologue would load the first
    // tile through another ring than the loop uses for the next tiles. The loop
    // is therefore not pipelined.
    return reorder(
        "a tile of TMA is read in both, and no producer fills its ring");
  for (auto [op, stage] : *stages)
    if (auto acquire = dyn_cast<AcquireOp>(op))
      copies.emplace_back(acquire.getRing(), stage);
  FailureOr<scf::ForOp> kernel = rotateLoop(rewriter, loop, *stages);
  if (failed(kernel))
    return failure();
  setPending(kernel->getOperation()->getBlock());
  setPending(kernel->getBody());
  if (warpgroups)
    addPingPong(*kernel);
  return kernel;
}

/// Pipelines the producer's loops that fill rings of `copies` and no other
/// rings. Fills get the stages and the order that the acquires of these rings
/// have in the consumers' pipelined loop, so that tiles are copied in the order
/// in which consumers wait for them. Loops that carry values, and those that
/// fill rings of other roles, too, keep their order, as a remark says.
LogicalResult pipelineCopies(const LoopPipeliner::Copies &copies,
                             IRRewriter &rewriter) {
  llvm::SetVector<scf::ForOp> loops;
  for (auto [ring, stage] : copies)
    for (Operation *user : ring.getUsers())
      if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
          loop && isa<FillOp>(user))
        loops.insert(loop);
  for (scf::ForOp loop : loops) {
    SmallVector<Operation *> fills(loop.getBody()->getOps<FillOp>());
    auto explain = [&](StringRef reason) {
      if (fills.size() > 1)
        loop.emitRemark("copies in the order of the program: ") << reason;
    };
    if (loop.getNumRegionIterArgs() > 0) {
      explain("the loop carries values");
      continue;
    }
    separateIndices(rewriter, loop, fills);
    SmallVector<Operation *> all =
        llvm::map_to_vector(loop.getBody()->without_terminator(),
                            [](Operation &op) { return &op; });
    for (Operation *op : llvm::reverse(all))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
    // Collects, for each ring, its fill and the ops of the loop's body since
    // the fill before. These are the arithmetic that computes the fill's
    // indices.
    llvm::DenseMap<Value, SmallVector<Operation *>> opsOfRings;
    SmallVector<Operation *> ops;
    for (Operation &op : loop.getBody()->without_terminator()) {
      ops.push_back(&op);
      if (auto fill = dyn_cast<FillOp>(op))
        opsOfRings[fill.getRing()] = std::exchange(ops, {});
    }
    StagedOps schedule;
    unsigned found = 0;
    for (auto [ring, stage] : copies) {
      found += opsOfRings.contains(ring);
      for (Operation *op : opsOfRings.lookup(ring))
        schedule.emplace_back(op, stage);
    }
    if (!ops.empty() || found != fills.size()) {
      explain("it also fills rings of other roles than the consumers");
      continue;
    }
    if (failed(rotateLoop(rewriter, loop, schedule)))
      return failure();
  }
  return success();
}

struct AttnGPUPipelinePass
    : public attn_gpu::impl::AttnGPUPipelinePassBase<AttnGPUPipelinePass> {
  void runOnOperation() override {
    auto lower = [&](KernelOp kernel, ScheduleAttr schedule,
                     const attn::Chip &chip) {
      if (failed(overlap(kernel, schedule, chip)))
        return failure();
      if (schedule.getMma() == MmaKind::Wgmma) {
        awaitOtherDots(kernel);
        joinSums(kernel);
      }
      return success();
    };
    if (failed(lowerKernel(getOperation(), lower)))
      signalPassFailure();
  }

private:
  LogicalResult overlap(KernelOp kernel, ScheduleAttr schedule,
                        const attn::Chip &chip) {
    if (!schedule.getOverlap())
      return success();
    if (!schedule.overlapsMmas()) {
      kernel.emitRemark("no overlap: MMAs of mma_sync are synchronous");
      return success();
    }
    if (schedule.getPingPong() && !schedule.hasProducer())
      kernel.emitRemark("no ping_pong: without roles, warpgroups wait for "
                        "each other in each iteration");
    return pipeline(kernel, schedule, chip);
  }

  /// Replaces the dots of wgmma that are not in pipelined loops by an MMA and,
  /// directly after it, the wait for that MMA.
  void awaitOtherDots(KernelOp kernel) {
    IRRewriter rewriter(&getContext());
    SmallVector<DotOp> dots;
    kernel.walk([&](DotOp dot) { dots.push_back(dot); });
    for (DotOp dot : dots)
      splitDot(rewriter, dot);
  }

  /// Removes the wait for an MMA to whose result another MMA adds. It is not
  /// needed, since MMAs of a warpgroup end in the order in which they were
  /// issued.
  void joinSums(KernelOp kernel) {
    kernel.walk([](MmaOp mma) {
      MmaWaitOp wait = getWaitBetween(mma);
      if (!wait)
        return;
      mma.getAccumulatorMutable().assign(wait.getMma());
      wait.erase();
    });
  }

  LogicalResult pipeline(KernelOp kernel, ScheduleAttr schedule,
                         const attn::Chip &chip) {
    int64_t warpgroups = schedule.getPingPong() && schedule.hasProducer()
                             ? schedule.getNumConsumers()
                             : 0;
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<DotOp>().empty())
        loops.push_back(loop);
    });
    SmallPtrSet<Block *, 2> pingPongs;
    for (scf::ForOp loop : loops) {
      LoopPipeliner pipeliner(loop, warpgroups, schedule, chip, rewriter);
      auto roles = loop->getParentOfType<RolesOp>();
      FailureOr<scf::ForOp> kernel = pipeliner.run();
      if (failed(kernel))
        return failure();
      if (!*kernel || !roles)
        continue;
      if (failed(pipelineCopies(pipeliner.getCopies(), rewriter)))
        return failure();
      if (warpgroups == 0)
        continue;
      // Other warpgroups count on each warpgroup's turns. A warpgroup that
      // skips blocks therefore takes a turn of the ping-pong for each skipped
      // block, too.
      roles.walk([&](SkipOp skip) {
        for (auto [ring, stage] : pipeliner.getCopies())
          if (llvm::is_contained(skip.getRings(), ring))
            skip.setPingPong(warpgroups);
      });
      pingPongs.insert(&roles.getBodies()[roles.getRole(*kernel)].front());
    }
    for (Block *role : pingPongs) {
      rewriter.setInsertionPointToStart(role);
      PingPongArriveOp::create(rewriter, role->getParentOp()->getLoc(),
                               warpgroups, /*initial=*/true);
    }
    return success();
  }
};

} // namespace
