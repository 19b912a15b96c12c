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

/// A read by an op of the loop's body: the op that defines the value, and after
/// how many iterations the value is read: 1 if the loop carries it, otherwise
/// 0.
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
  /// Makes conversions to narrow types precede later MMAs in the order, so that
  /// values that take many registers have shorter live ranges.
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

/// Makes an MMA that begins with zeros be issued after conversions to narrower
/// types of values that depend on an earlier such MMA but not on itself, unless
/// it depends on that earlier MMA.
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

/// Returns the stage of a select of tiles that only MMAs read, as their
/// accumulator: the largest stage of these MMAs. Returns nullopt for all other
/// ops.
std::optional<unsigned> StageFinder::findStageOfStart(Operation *op) {
  std::optional<unsigned> stage;
  if (!isa<arith::SelectOp>(op) || op->use_empty() ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return stage;
  for (OpOperand &use : op->getUses()) {
    auto mma = dyn_cast<MmaOp>(use.getOwner());
    if (!mma || use.get() != mma.getAccumulator())
      return std::nullopt;
    stage = std::max(stage.value_or(0), stages[mma]);
  }
  return stage;
}

/// Sets the stages of MMAs and their waits as `list` says. Gives each op that
/// depends on MMAs the largest stage from which it can read their results, and
/// each other op the smallest stage of its readers. Fails with an error if an
/// op would read a value of a later stage, which is not computed yet.
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
  // An op cannot read a value of a later stage, which is not computed yet.
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

/// Whether `mma` is `op`, or depends on it within one iteration of the
/// pipelined loop.
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

/// Whether it is too early to emit `op`, since its result would take registers
/// while all its readers wait for other operands. This holds only when
/// registers are to be saved, and for ops that extend, unpack or broadcast a
/// tile, or convert the layout of a vector.
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

LogicalResult StageFinder::findOrder(ArrayRef<MmaStage> list) {
  auto emit = [&](Operation *op) {
    done.insert(op);
    order.push_back(op);
  };
  unsigned next = 0;
  while (order.size() < ops.size()) {
    Operation *issue =
        next < list.size() ? mmas[list[next].index].getOperation() : nullptr;
    if (issue && isReady(issue)) {
      emit(issue);
      ++next;
      continue;
    }
    auto find = [&](auto accept) -> Operation * {
      for (Operation *op : ops)
        if (!done.contains(op) && !isa<MmaOp>(op) && isReady(op) &&
            accept(op) && !isEarly(op))
          return op;
      return nullptr;
    };
    Operation *pick = nullptr;
    if (issue) {
      pick = find([&](Operation *op) {
        return !isa<MmaWaitOp>(op) && feeds(op, issue);
      });
      if (!pick)
        pick = find([&](Operation *op) { return feeds(op, issue); });
    }
    if (!pick)
      pick = find([](Operation *op) { return !isa<MmaWaitOp>(op); });
    // Otherwise picks a wait, in the order in which MMAs were issued; waits
    // whose results are read only in a later stage come last.
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

SmallVector<MmaStage> attn_gpu::getOverlap(scf::ForOp loop, bool prefetches) {
  StageFinder finder(loop);
  ArrayRef<MmaOp> mmas = finder.getMmas();
  SmallVector<MmaStage> early, late;
  for (auto [i, mma] : llvm::enumerate(mmas)) {
    bool dependsOnOther = false, isAwaited = false;
    for (MmaOp other : mmas) {
      if (other == mma)
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
