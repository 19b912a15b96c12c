//===- NumberSlots.cpp - Slot numbers of ring ops -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <map>

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUNUMBERSLOTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// Expands an attn_gpu.skip to a loop that acquires and releases the skipped
/// tiles of each ring without reading them.
void expandSkip(SkipOp op) {
  attn::NumberBuilder b(op.getLoc(), op);
  Value zero = b.index(0);
  Value one = b.index(1);
  scf::ForOp::create(
      b, zero, op.getCount(), one, ValueRange(),
      [&](OpBuilder &inner, Location loc, Value, ValueRange) {
        attn::NumberBuilder body(loc, inner);
        if (auto warpgroups = op.getPingPong()) {
          PingPongWaitOp::create(body, *warpgroups);
          PingPongArriveOp::create(body, *warpgroups, /*initial=*/false);
        }
        SmallVector<AcquireOp> acquired;
        for (Value ring : op.getRings())
          acquired.push_back(
              AcquireOp::create(body, cast<RingType>(ring.getType()).getTile(),
                                body.getI32Type(), ring, Value()));
        // One thread releases a tile for its warpgroup, but only after all
        // warps of the warpgroup have acquired it. An MMA that reads a tile
        // synchronises the warps. Skipped tiles are read by no MMA, so a
        // barrier of the warpgroup is needed.
        SyncWarpgroupOp::create(body);
        for (AcquireOp acquire : acquired) {
          auto ring = acquire.getRing().getDefiningOp<RingOp>();
          // Threads do not read the skipped tile, so that a release by each
          // warp needs no fence.
          bool isOfEachWarp = ring && ring.getEachWarp();
          ReleaseOp::create(body, acquire.getRing(), acquire.getNumber(),
                            isOfEachWarp, /*ordered=*/isOfEachWarp);
        }
        scf::YieldOp::create(body);
      });
  op.erase();
}

/// Numbers the tiles of rings in the order in which a role fills or acquires
/// them.
class SlotNumbering {
public:
  SlotNumbering(Block *program, IRRewriter &rewriter);

  /// Numbers the tiles of all rings of the role. The first tile of each ring
  /// has the number `zero`, an i32 constant 0.
  void run(Value zero);
  bool isEmpty() const { return leaders.empty(); }

private:
  /// A sequence numbers the tiles of a ring, from 0 on. Each ring has two
  /// sequences: one for the tiles that fills and puts write, and one for those
  /// that acquires read.
  enum Kind : unsigned { kFills, kAcquires };
  using Sequence = std::pair<Value, unsigned>;
  /// For the leader of each group of sequences (see `leaders`), the value that
  /// holds the number of the next tile.
  using Counts = llvm::MapVector<Sequence, Value>;

  /// A run is a part of a block: its ops from one op that contains fills or
  /// acquires in its regions to the next such op. The ops of a run itself
  /// contain none in their regions.
  struct Run {
    /// For the leader of each group of sequences, the values of the tile
    /// numbers that the run has computed so far. The last value is the number
    /// of the next tile.
    llvm::DenseMap<Sequence, SmallVector<Value>> numbers;
    /// The number of tiles of each sequence to which the run has given numbers
    /// so far.
    llvm::DenseMap<Sequence, unsigned> taken;
  };

  static std::optional<Sequence> getSequence(Operation *op);
  static bool hasSequences(Operation *op);
  llvm::SetVector<Sequence> getLeaders(Operation *op);
  static SmallVector<Value> get(Counts &counts, ArrayRef<Sequence> rings) {
    return llvm::map_to_vector(rings,
                               [&](Sequence ring) { return counts[ring]; });
  }
  static void set(Counts &counts, ArrayRef<Sequence> rings, ValueRange values) {
    for (auto [ring, value] : llvm::zip(rings, values))
      counts[ring] = value;
  }
  Value advance(Operation *op, Sequence ring, Run &run, Counts &counts);
  void number(Block *block, Counts &counts);
  void numberFor(scf::ForOp loop, ArrayRef<Sequence> rings, Counts &counts);
  void numberIf(scf::IfOp branch, ArrayRef<Sequence> rings, Counts &counts);
  void numberWhile(scf::WhileOp loop, ArrayRef<Sequence> rings, Counts &counts);

  Block *program;
  IRRewriter &rewriter;
  /// For each sequence, the leader of its group: the first sequence of the
  /// group. All sequences of a group advance by the same number of tiles in
  /// each run, and share the leader's counter.
  llvm::MapVector<Sequence, Sequence> leaders;
};

std::optional<SlotNumbering::Sequence>
SlotNumbering::getSequence(Operation *op) {
  if (auto fill = dyn_cast<FillOp>(op); fill && !fill.getIndex())
    return Sequence(fill.getRing(), kFills);
  if (auto put = dyn_cast<PutOp>(op); put && !put.getIndex())
    return Sequence(put.getRing(), kFills);
  if (auto acquire = dyn_cast<AcquireOp>(op); acquire && !acquire.getIndex())
    return Sequence(acquire.getRing(), kAcquires);
  return std::nullopt;
}

bool SlotNumbering::hasSequences(Operation *op) {
  return op->getNumRegions() != 0 && op->walk([](Operation *nested) {
                                         return getSequence(nested)
                                                    ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                                       }).wasInterrupted();
}

/// Puts two sequences of tile numbers into one group if each run (a part of a
/// block between ops with fills or acquires in their regions) contains as many
/// ops of one sequence as of the other.
SlotNumbering::SlotNumbering(Block *program, IRRewriter &rewriter)
    : program(program), rewriter(rewriter) {
  using Places = SmallVector<std::pair<Block *, unsigned>>;
  llvm::MapVector<Sequence, Places> placesOf;
  std::function<void(Block *)> visit = [&](Block *block) {
    unsigned run = 0;
    for (Operation &op : *block) {
      if (auto sequence = getSequence(&op))
        placesOf[*sequence].emplace_back(block, run);
      if (!hasSequences(&op))
        continue;
      ++run;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(&inner);
    }
  };
  visit(program);
  std::map<Places, Sequence> groups;
  for (const auto &[sequence, places] : placesOf)
    leaders[sequence] = groups.try_emplace(places, sequence).first->second;
}

llvm::SetVector<SlotNumbering::Sequence>
SlotNumbering::getLeaders(Operation *op) {
  llvm::SetVector<Sequence> found;
  op->walk([&](Operation *nested) {
    if (auto sequence = getSequence(nested))
      found.insert(leaders[*sequence]);
  });
  return found;
}

/// Returns the tile number for `op`, a fill, put or acquire, and counts the
/// tile. Emits the computation of the next number after `op`, if no op of the
/// group has computed it yet in this run.
Value SlotNumbering::advance(Operation *op, Sequence ring, Run &run,
                             Counts &counts) {
  Sequence leader = leaders[ring];
  SmallVector<Value> &numbers = run.numbers[leader];
  if (numbers.empty())
    numbers.push_back(counts[leader]);
  unsigned taken = run.taken[ring]++;
  if (taken + 1 == numbers.size()) {
    attn::NumberBuilder b(op->getLoc(), op->getBlock(), ++op->getIterator());
    Value one = b.word(1);
    numbers.push_back(b.addi(numbers.back(), one));
    counts[leader] = numbers.back();
  }
  return numbers[taken];
}

void SlotNumbering::number(Block *block, Counts &counts) {
  Run run;
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto sequence = getSequence(&op)) {
      Value number = advance(&op, *sequence, run, counts);
      if (auto fill = dyn_cast<FillOp>(op)) {
        fill.getIndexMutable().assign(number);
      } else if (auto put = dyn_cast<PutOp>(op)) {
        put.getIndexMutable().assign(number);
      } else {
        auto acquire = cast<AcquireOp>(op);
        acquire.getIndexMutable().assign(number);
        acquire.getNumber().replaceAllUsesWith(number);
      }
      continue;
    }
    if (!hasSequences(&op))
      continue;
    run = Run();
    llvm::SetVector<Sequence> rings = getLeaders(&op);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      numberFor(loop, rings.getArrayRef(), counts);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      numberIf(branch, rings.getArrayRef(), counts);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      numberWhile(loop, rings.getArrayRef(), counts);
  }
}

void SlotNumbering::run(Value zero) {
  Counts counts;
  for (auto [sequence, leader] : leaders)
    counts[leader] = zero;
  number(program, counts);
}

void SlotNumbering::numberFor(scf::ForOp loop, ArrayRef<Sequence> rings,
                              Counts &counts) {
  unsigned numCarried = loop.getNumRegionIterArgs();
  rewriter.setInsertionPoint(loop);
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, get(counts, rings), /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        return SmallVector<Value>(carried.begin(), carried.end());
      }));
  set(counts, rings, loop.getRegionIterArgs().drop_front(numCarried));
  number(loop.getBody(), counts);
  loop.getBody()->getTerminator()->setOperands(numCarried, rings.size(),
                                               get(counts, rings));
  set(counts, rings, loop.getResults().drop_front(numCarried));
}

void SlotNumbering::numberIf(scf::IfOp branch, ArrayRef<Sequence> rings,
                             Counts &counts) {
  unsigned numResults = branch.getNumResults();
  SmallVector<Type> types(branch.getResultTypes());
  types.append(rings.size(), rewriter.getI32Type());
  rewriter.setInsertionPoint(branch);
  auto wider = scf::IfOp::create(rewriter, branch.getLoc(), types,
                                 branch.getCondition(), true);
  for (auto [from, to] : llvm::zip(branch->getRegions(), wider->getRegions())) {
    to.takeBody(from);
    Counts own = counts;
    if (to.empty()) {
      rewriter.createBlock(&to);
      scf::YieldOp::create(rewriter, branch.getLoc());
    }
    number(&to.front(), own);
    to.front().getTerminator()->insertOperands(numResults, get(own, rings));
  }
  set(counts, rings, wider.getResults().drop_front(numResults));
  rewriter.replaceOp(branch, wider.getResults().take_front(numResults));
}

/// Numbers the tiles in the body of a while loop, such as the tile scheduler's.
/// The loop's condition must contain no fills and no acquires.
void SlotNumbering::numberWhile(scf::WhileOp loop, ArrayRef<Sequence> rings,
                                Counts &counts) {
  unsigned numResults = loop.getNumResults();
  SmallVector<Value> inits(loop.getInits());
  llvm::append_range(inits, get(counts, rings));
  SmallVector<Type> types(loop.getResultTypes());
  types.append(rings.size(), rewriter.getI32Type());
  rewriter.setInsertionPoint(loop);
  auto wider = scf::WhileOp::create(rewriter, loop.getLoc(), types, inits,
                                    nullptr, nullptr);
  wider.getBefore().takeBody(loop.getBefore());
  wider.getAfter().takeBody(loop.getAfter());
  Block *before = wider.getBeforeBody(), *after = wider.getAfterBody();
  SmallVector<Value> tested, carried;
  for (size_t i = 0; i < rings.size(); ++i) {
    tested.push_back(before->addArgument(rewriter.getI32Type(), loop.getLoc()));
    carried.push_back(after->addArgument(rewriter.getI32Type(), loop.getLoc()));
  }
  scf::ConditionOp condition = wider.getConditionOp();
  condition.getArgsMutable().append(tested);
  set(counts, rings, carried);
  number(after, counts);
  Operation *yield = after->getTerminator();
  yield->insertOperands(yield->getNumOperands(), get(counts, rings));
  set(counts, rings, wider.getResults().drop_front(numResults));
  rewriter.replaceOp(loop, wider.getResults().take_front(numResults));
}

struct AttnGPUNumberSlotsPass
    : public attn_gpu::impl::AttnGPUNumberSlotsPassBase<
          AttnGPUNumberSlotsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    kernel.walk(expandSkip);
    IRRewriter rewriter(&getContext());
    // Each role numbers the tiles that it fills or acquires in each ring. In a
    // kernel without roles, all warps run the same program, whose tiles are
    // numbered.
    SmallVector<Block *> programs;
    kernel.walk([&](RolesOp roles) {
      for (Region &body : roles.getBodies())
        programs.push_back(&body.front());
    });
    if (programs.empty())
      programs.push_back(&kernel.getBody().front());
    for (Block *program : programs) {
      SlotNumbering numbering(program, rewriter);
      if (numbering.isEmpty())
        continue;
      if (auto roles = dyn_cast<RolesOp>(program->getParentOp()))
        rewriter.setInsertionPoint(roles);
      else
        rewriter.setInsertionPointToStart(program);
      numbering.run(arith::ConstantOp::create(rewriter,
                                              program->getParentOp()->getLoc(),
                                              rewriter.getI32IntegerAttr(0)));
    }
  }
};
} // namespace
