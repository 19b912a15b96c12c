//===- Stages.cpp - Stages of a pipelined loop's ops ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// A read of a value by an op of the loop's body. `definition` is the op of the
/// body that defines the value. `distance` is 1 if the loop carries the value
/// to the next iteration, where it is read, and 0 if it is read in the same
/// iteration.
struct Read {
  Operation *definition;
  unsigned distance;
};

class StageFinder {
public:
  StageFinder(scf::ForOp loop) : loop(loop), body(loop.getBody()) {
    for (Operation &op : body->without_terminator()) {
      ops.push_back(&op);
      reads[&op] = getReads(&op);
      if (auto mma = dyn_cast<MmaOp>(op))
        mmas.push_back(mma);
    }
  }

  ArrayRef<MmaOp> getMmas() const { return mmas; }
  static Operation *getWait(MmaOp mma) {
    return mma->hasOneUse() ? *mma->getUsers().begin() : nullptr;
  }
  bool dependsInIteration(Operation *op, Operation *on);
  /// Adds constraints to the order, so that conversions to narrower types
  /// precede later MMAs. Values that take many registers then have shorter live
  /// ranges.
  void saveRegisters();
  LogicalResult findStages(ArrayRef<MmaStage> list);
  LogicalResult findOrder(ArrayRef<MmaStage> list);
  StagedOps takeResult() {
    StagedOps result;
    for (Operation *op : order)
      result.emplace_back(op, stages[op]);
    return result;
  }

private:
  SmallVector<Read> getReads(Operation *op);
  std::optional<unsigned> findStageOfStart(Operation *op);
  bool isReady(Operation *op);
  bool isEarly(Operation *op);
  bool feeds(Operation *op, Operation *mma);

  scf::ForOp loop;
  Block *body;
  bool savesRegisters = false;
  SmallVector<Operation *> ops;
  SmallVector<MmaOp> mmas;
  llvm::DenseMap<Operation *, SmallVector<Read>> reads;
  llvm::DenseMap<Operation *, unsigned> stages;
  llvm::DenseSet<Operation *> done;
  SmallVector<Operation *> order;
};

SmallVector<Read> StageFinder::getReads(Operation *op) {
  SmallVector<Read> found;
  op->walk([&](Operation *nested) {
    for (Value value : nested->getOperands()) {
      unsigned distance = 0;
      if (auto argument = dyn_cast<BlockArgument>(value);
          argument && argument.getOwner() == body &&
          argument.getArgNumber() > 0) {
        value = body->getTerminator()->getOperand(argument.getArgNumber() - 1);
        distance = 1;
      }
      Operation *definition = value.getDefiningOp();
      if (definition)
        definition = body->findAncestorOpInBlock(*definition);
      if (definition && (distance || definition != op))
        found.push_back({definition, distance});
    }
  });
  return found;
}

bool StageFinder::dependsInIteration(Operation *op, Operation *on) {
  SmallVector<Operation *> work = {op};
  llvm::DenseSet<Operation *> seen;
  while (!work.empty()) {
    Operation *at = work.pop_back_val();
    if (at == on)
      return true;
    for (const Read &read : reads[at])
      if (read.distance == 0 && seen.insert(read.definition).second)
        work.push_back(read.definition);
  }
  return false;
}

/// Delays each MMA that begins with zeros. It is issued only after conversions
/// to narrower types of values that depend on an earlier such MMA, but not on
/// this one. If it depends on that earlier MMA, it is not delayed.
void StageFinder::saveRegisters() {
  savesRegisters = true;
  auto isFresh = [](MmaOp mma) {
    return matchPattern(mma.getAccumulator(), m_AnyZeroFloat());
  };
  for (auto [i, mma] : llvm::enumerate(mmas)) {
    if (!isFresh(mma))
      continue;
    for (MmaOp before : ArrayRef(mmas).take_front(i)) {
      if (!isFresh(before) || dependsInIteration(mma, before))
        continue;
      for (Operation *op : ops)
        if (isa<arith::TruncFOp>(op) && dependsInIteration(op, before) &&
            !dependsInIteration(op, mma))
          reads[mma].push_back({op, 0});
    }
  }
}

/// If `op` starts the accumulators of MMAs, returns the largest stage of these
/// MMAs. Returns nullopt for all other ops.
std::optional<unsigned> StageFinder::findStageOfStart(Operation *op) {
  std::optional<unsigned> stage;
  if (isa<StartSumOp>(op))
    for (Operation *mma : op->getUsers())
      stage = std::max(stage.value_or(0), stages[mma]);
  return stage;
}

/// Gives each op of the body its stage. MMAs and their waits have the stages
/// that `list` states. An op that depends on MMAs gets the largest of the
/// stages at which the values that it reads are available, which for the result
/// of an MMA is its `use`; an op that starts accumulators gets the stage of
/// findStageOfStart(). Any other op gets the smallest stage of the ops that
/// read its results. Fails with an error if an op would read a value of a later
/// stage, which is not computed yet.
LogicalResult StageFinder::findStages(ArrayRef<MmaStage> list) {
  llvm::DenseSet<Operation *> hanging;
  llvm::DenseMap<Operation *, unsigned> useStages;
  for (const MmaStage &mma : list) {
    Operation *wait = getWait(mmas[mma.index]);
    for (Operation *op : {mmas[mma.index].getOperation(), wait}) {
      stages[op] = mma.stage;
      hanging.insert(op);
    }
    useStages[wait] = mma.use;
  }
  for (Operation *op : ops) {
    if (hanging.contains(op))
      continue;
    std::optional<unsigned> stage;
    for (const Read &read : reads[op]) {
      if (read.distance != 0 || !hanging.contains(read.definition))
        continue;
      auto use = useStages.find(read.definition);
      unsigned own =
          use == useStages.end() ? stages[read.definition] : use->second;
      stage = std::max(stage.value_or(0), own);
    }
    if (std::optional<unsigned> own = findStageOfStart(op); stage && own)
      stage = own;
    if (stage) {
      hanging.insert(op);
      stages[op] = *stage;
    }
  }
  for (Operation *op : llvm::reverse(ops)) {
    if (hanging.contains(op))
      continue;
    std::optional<unsigned> stage;
    for (Operation *user : op->getUsers())
      if (Operation *reader = body->findAncestorOpInBlock(*user);
          reader && reader != body->getTerminator())
        stage = std::min(stage.value_or(~0u), stages[reader]);
    stages[op] = stage.value_or(0);
  }
  // Checks that no op reads a value of a later stage, which would not be
  // computed yet.
  for (Operation *op : ops)
    for (const Read &read : reads[op])
      if (stages[op] + read.distance < stages[read.definition])
        return op->emitOpError("expected a stage of at least ")
               << stages[read.definition] - read.distance
               << ", that of what it reads, found " << stages[op];
  return success();
}

bool StageFinder::isReady(Operation *op) {
  return llvm::all_of(reads[op], [&](const Read &read) {
    return stages[op] + read.distance != stages[read.definition] ||
           done.contains(read.definition);
  });
}

/// Whether `mma` depends on `op` within one iteration of the pipelined loop, or
/// is `op` itself.
bool StageFinder::feeds(Operation *op, Operation *mma) {
  SmallVector<Operation *> work = {mma};
  llvm::DenseSet<Operation *> seen;
  while (!work.empty()) {
    Operation *at = work.pop_back_val();
    if (at == op)
      return true;
    for (const Read &read : reads[at])
      if (stages[at] + read.distance == stages[read.definition] &&
          seen.insert(read.definition).second)
        work.push_back(read.definition);
  }
  return false;
}

/// Whether it is too early to emit `op`: all of its readers still wait for
/// other operands, and its result would take registers in the meantime. Always
/// false unless registers are to be saved. Only considers ops that extend,
/// unpack or broadcast a tile, or convert the layout of a vector.
bool StageFinder::isEarly(Operation *op) {
  auto takesRegisters = [](Operation *op) {
    auto convert = dyn_cast<ConvertLayoutOp>(op);
    return isa<arith::ExtFOp, attn_tile::BroadcastOp, attn_tile::UnpackOp>(
               op) ||
           (convert && convert.getResult().getType().getRank() == 1);
  };
  if (!savesRegisters || !takesRegisters(op))
    return false;
  auto isAwaited = [&](Operation *reader) {
    if (takesRegisters(reader))
      return !isEarly(reader);
    return llvm::all_of(reads[reader], [&](const Read &read) {
      return takesRegisters(read.definition) ||
             done.contains(read.definition) ||
             stages[reader] + read.distance != stages[read.definition];
    });
  };
  return llvm::none_of(op->getUsers(), [&](Operation *user) {
    Operation *reader = body->findAncestorOpInBlock(*user);
    return reader && isAwaited(reader);
  });
}

/// Whether instructions of the op compute the accumulator of an MMA.
static bool startsMma(Operation *op) {
  return !isa<MmaOp, MmaWaitOp, StartSumOp>(op) &&
         llvm::any_of(op->getUses(), [](OpOperand &use) {
           auto mma = dyn_cast<MmaOp>(use.getOwner());
           return mma && use.get() == mma.getAccumulator();
         });
}

LogicalResult StageFinder::findOrder(ArrayRef<MmaStage> list) {
  auto emit = [&](Operation *op) {
    done.insert(op);
    order.push_back(op);
  };
  unsigned next = 0;
  while (order.size() < ops.size()) {
    Operation *issue =
        next < list.size() ? mmas[list[next].index].getOperation() : nullptr;
    auto find = [&](auto accept) -> Operation * {
      for (Operation *op : ops)
        if (!done.contains(op) && !isa<MmaOp>(op) && isReady(op) &&
            accept(op) && !isEarly(op))
          return op;
      return nullptr;
    };
    Operation *pick = nullptr;
    if (issue && isReady(issue)) {
      // ptxas runs MMAs one after the other if registers of an accumulator are
      // read or written while an earlier one runs.
      pick = find(startsMma);
      emit(pick ? pick : issue);
      next += !pick;
      continue;
    }
    if (issue) {
      pick = find([&](Operation *op) {
        return !isa<MmaWaitOp>(op) && feeds(op, issue);
      });
      if (!pick)
        pick = find([&](Operation *op) { return feeds(op, issue); });
    }
    if (!pick)
      pick = find([](Operation *op) { return !isa<MmaWaitOp>(op); });
    // If no other op is ready, the next op is a wait for an MMA, in the order
    // in which MMAs are issued. Waits whose results are read only in a later
    // stage come last.
    for (bool isCarried : {false, true})
      for (const MmaStage &mma : list) {
        Operation *wait = getWait(mmas[mma.index]);
        if (!pick && !done.contains(wait) && isReady(wait) &&
            (mma.use != mma.stage) == isCarried)
          pick = wait;
      }
    if (!pick)
      return loop.emitOpError("expected an order of MMAs in which each has its "
                              "operands, found none");
    emit(pick);
  }
  return success();
}

} // namespace

/// Returns the first MMA of a sum of products, to whose result `mma` and others
/// add.
static MmaOp getSum(MmaOp mma) {
  while (auto wait = mma.getAccumulator().getDefiningOp<MmaWaitOp>()) {
    auto before = wait.getMma().getDefiningOp<MmaOp>();
    if (!before || before->getBlock() != mma->getBlock())
      break;
    mma = before;
  }
  return mma;
}

SmallVector<MmaStage> attn_gpu::getOverlap(scf::ForOp loop, bool prefetches) {
  StageFinder finder(loop);
  ArrayRef<MmaOp> mmas = finder.getMmas();
  SmallVector<MmaStage> early, late;
  for (auto [i, mma] : llvm::enumerate(mmas)) {
    bool dependsOnOther = false, isAwaited = false;
    for (MmaOp other : mmas) {
      if (other == mma || getSum(other) == getSum(mma))
        continue;
      dependsOnOther |= finder.dependsInIteration(mma, other);
      isAwaited |= finder.dependsInIteration(other, mma);
    }
    unsigned index = i;
    if (dependsOnOther && !isAwaited)
      late.push_back({index, 1, 1});
    else
      early.push_back({index, 0, 0});
  }
  if (early.empty() || late.empty())
    return {};
  if (prefetches && early.size() > 1) {
    SmallVector<MmaStage> all;
    for (const MmaStage &mma :
         llvm::concat<MmaStage>(MutableArrayRef(early).drop_front(), late))
      all.push_back({mma.index, 1, 1});
    all.push_back({early.front().index, 0, 1});
    return all;
  }
  llvm::append_range(early, late);
  return early;
}

FailureOr<StagedOps> attn_gpu::getStages(scf::ForOp loop,
                                         ArrayRef<MmaStage> mmas,
                                         bool savesRegisters) {
  StageFinder finder(loop);
  if (savesRegisters)
    finder.saveRegisters();
  if (finder.getMmas().size() != mmas.size())
    return loop.emitOpError("expected a stage for each of ")
           << finder.getMmas().size() << " MMAs, found " << mmas.size();
  for (MmaOp mma : finder.getMmas())
    if (!isa_and_nonnull<MmaWaitOp>(StageFinder::getWait(mma)))
      return mma.emitOpError("expected one use, a wait");
  if (failed(finder.findStages(mmas)) || failed(finder.findOrder(mmas)))
    return failure();
  return finder.takeResult();
}
