//===- Agent.h - What runs ops ----------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_AGENT_H
#define ATTN_LIB_SIMULATOR_AGENT_H

#include "Cta.h"

namespace mlir::attn::sim {

/// What runs ops one after the other: the host's thread or a warp.
class Agent {
public:
  /// The host's.
  explicit Agent(Simulation &simulation) : simulation(simulation) {}
  /// Warp `warp` of a CTA, which sees the values of `outer`, if it is given.
  Agent(std::shared_ptr<Cta> ofCta, int64_t warp, const Agent *outer)
      : simulation(ofCta->simulation), cta(std::move(ofCta)), warp(warp),
        outer(outer) {
    if (outer)
      clock.tick(warp);
  }

  /// Runs a block to its terminator, whose operands are the results.
  LogicalResult run(Block &block, SmallVectorImpl<RuntimeValue> &results);
  LogicalResult run(Block &block) {
    SmallVector<RuntimeValue> ignored;
    return run(block, ignored);
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  const RuntimeValue &get(Value value) const;
  void set(Value value, RuntimeValue runtime) {
    values[value] = std::move(runtime);
  }
  /// Sets all of them.
  void set(ValueRange range, ArrayRef<RuntimeValue> runtime);
  /// Of a kind that is expected; null, with an error at the op, if it is not.
  template <typename T> const T *get(Operation *op, Value value) {
    if (const T *found = std::get_if<T>(&get(value)))
      return found;
    (void)failKind(op, value);
    return nullptr;
  }
  /// An integer that all lanes have in common, or that of a lane that runs
  /// alone.
  FailureOr<int64_t> getInt(Operation *op, Value value);
  LogicalResult getInts(Operation *op, ValueRange range,
                        SmallVectorImpl<int64_t> &result);

  //===--------------------------------------------------------------------===//
  // Errors and order
  //===--------------------------------------------------------------------===//

  LogicalResult fail(Operation *op, std::string message,
                     Operation *other = nullptr, std::string note = "") {
    return simulation.fail(op, std::move(message), other, std::move(note));
  }
  LogicalResult refuse(Operation *op, std::string message) {
    return simulation.refuse(op, std::move(message));
  }
  /// The op does not fit who runs it, or what it is given: an error in a
  /// program that is complete, a refusal in one that passes have to finish.
  LogicalResult misfit(Operation *op, std::string message);
  LogicalResult failKind(Operation *op, Value value);
  /// Lets others run until `ready` holds.
  LogicalResult wait(Operation *op, std::function<bool()> ready,
                     std::function<std::string()> what);
  /// Checks that all lanes run the op.
  LogicalResult checkWholeWarp(Operation *op);
  /// "warp 3 of CTA 0".
  std::string getName() const;
  /// Of the warp, those that run.
  int64_t getNumThreads() const { return llvm::popcount(lanes); }
  int64_t getWarpgroup() const { return warp / kWarpsPerGroup; }

  /// A barrier's arrivals come after all that the agent has done; what it does
  /// next does not come before.
  Clock release() {
    Clock before = clock;
    clock.tick(warp);
    return before;
  }
  /// What an engine does that begins now, in no order with what other engines
  /// do that the agent has not waited for: its number, and its clock.
  std::pair<unsigned, Clock> beginEngine();
  /// Makes the barriers that the agent has prepared visible to copies.
  void fenceBarriers();
  /// Meets `threads` threads at a named barrier, or arrives for them alone.
  LogicalResult meet(Operation *op, int64_t barrier, int64_t threads,
                     bool waits = true);
  /// What the warps that come to an op share there, each time: so many numbers,
  /// 0 at first.
  std::shared_ptr<Exchange> getExchange(Operation *op, int64_t elements);
  /// Brings the elements of all warps of a layout together.
  FailureOr<std::shared_ptr<const Exchange>> exchange(Operation *op,
                                                      const TileLayout &layout,
                                                      const Tile &tile,
                                                      RankedTensorType type);
  /// All warps that compute, of which a layout has `layoutWarps`.
  LogicalResult meetWarps(Operation *op, int64_t layoutWarps);
  /// Turns of warpgroups, each of which lets the next one go on.
  LogicalResult waitForTurn(Operation *op);
  LogicalResult passTurn(Operation *op, int64_t warpgroups);
  /// Waits for a phase of a barrier in shared memory.
  LogicalResult waitFor(Operation *op, int64_t barrier, bool parity,
                        std::function<std::string()> what);
  /// The barrier there, which must have been prepared; else null.
  MemoryBarrier *findBarrier(Operation *op, int64_t offset);

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Notes an access; an error if it has no order with an earlier one.
  LogicalResult noteRead(Operation *op, int64_t offset, int64_t size,
                         const Accessor &by);
  LogicalResult noteWrite(Operation *op, int64_t offset, int64_t size,
                          const Accessor &by);
  Accessor getAccessor() const { return {unsigned(warp), clock}; }
  /// The same of the agent itself.
  LogicalResult noteRead(Operation *op, int64_t offset, int64_t size) {
    return noteRead(op, offset, size, getAccessor());
  }
  LogicalResult noteWrite(Operation *op, int64_t offset, int64_t size) {
    return noteWrite(op, offset, size, getAccessor());
  }
  /// An error if the tile is one of a ring that is not there for this agent.
  LogicalResult checkHeld(Operation *op, const SharedTile &tile);

  Simulation &simulation;
  std::shared_ptr<Cta> cta;
  int64_t warp = 0;
  const Agent *outer = nullptr;
  /// Of the warp, those that run.
  uint32_t lanes = ~uint32_t(0);
  Clock clock;
  /// How many MMAs the warp has issued, and has waited for.
  uint64_t numMmas = 0, numEndedMmas = 0;
  /// cp.async: what is not committed yet, and groups.
  std::vector<std::shared_ptr<Transfer>> openCopies;
  std::vector<std::vector<std::shared_ptr<Transfer>>> copyGroups;
  std::vector<std::shared_ptr<Transfer>> stores;
  /// Of rings without numbers, how many tiles it has acquired; of ops through
  /// which warps exchange elements, how many it has run.
  llvm::DenseMap<Ring *, uint32_t> numAcquired;
  llvm::DenseMap<Operation *, int64_t> numExchanges;

private:
  LogicalResult failOrder(Operation *op, StringRef verb,
                          const SharedMemory::Conflict &conflict);
  LogicalResult checkRange(Operation *op, StringRef verb, int64_t offset,
                           int64_t size);

  llvm::DenseMap<Value, RuntimeValue> values;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_AGENT_H
