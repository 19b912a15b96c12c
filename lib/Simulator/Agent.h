//===- Agent.h - Agents that run ops ----------------------------*- C++ -*-===//
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

/// Runs ops one after the other: the host's thread, a warp of a CTA, or a
/// temporary agent that carries out an engine's MMA or store.
class Agent {
public:
  /// Creates the agent of the host's thread.
  explicit Agent(Simulation &simulation) : simulation(simulation) {}
  /// Creates an agent for warp `warp` of a CTA. If `outer` is given, the agent
  /// also sees the values of that agent.
  Agent(std::shared_ptr<Cta> ofCta, int64_t warp, const Agent *outer)
      : simulation(ofCta->simulation), cta(std::move(ofCta)), warp(warp),
        outer(outer) {
    if (outer)
      clock.tick(warp);
  }

  /// Runs a block to its terminator, whose operands are `results`.
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
  /// Sets each value of `range` to the entry of `runtime` at the same index.
  void set(ValueRange range, ArrayRef<RuntimeValue> runtime);
  /// Returns what `value` holds at run time if that is of kind T; else reports
  /// an error at the op and returns null.
  template <typename T> const T *get(Operation *op, Value value) {
    if (const T *found = std::get_if<T>(&get(value)))
      return found;
    (void)failKind(op, value);
    return nullptr;
  }
  /// Returns an integer that is the same in all lanes; if only one lane runs,
  /// that lane's integer.
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
  /// Reports that the op does not fit its operands, or the agent that runs it.
  /// In a complete program that is an error. In one that passes have not
  /// finished yet, the simulator refuses to run it.
  LogicalResult misfit(Operation *op, std::string message);
  LogicalResult failKind(Operation *op, Value value);
  /// Lets other agents run until `ready` holds.
  LogicalResult wait(Operation *op, std::function<bool()> ready,
                     std::function<std::string()> what);
  /// Checks that all lanes run the op.
  LogicalResult checkWholeWarp(Operation *op);
  /// For example "warp 3 of CTA 0".
  std::string getName() const;
  /// The number of the warp's threads that run at present.
  int64_t getNumThreads() const { return llvm::popcount(lanes); }
  int64_t getWarpgroup() const { return warp / kWarpsPerGroup; }

  /// Returns the clock that an arrival at a barrier publishes. It covers all
  /// that the agent has done so far, and nothing that it does later.
  Clock release() {
    Clock before = clock;
    clock.tick(warp);
    return before;
  }
  /// Begins the work of an asynchronous engine (a copy or an MMA). The work is
  /// ordered after all that the agent has done, but not with the work of other
  /// engines for which the agent has not waited. Returns the engine's number
  /// and its clock.
  std::pair<unsigned, Clock> beginEngine();
  /// Makes the mbarriers that the agent has initialised visible to copies.
  void fenceBarriers();
  /// Waits at a named barrier of `threads` threads or, if `waits` is false,
  /// only arrives there.
  LogicalResult meet(Operation *op, int64_t barrier, int64_t threads,
                     bool waits = true);
  /// Returns the memory of `elements` numbers, initially 0, through which warps
  /// exchange data in the present execution of an op.
  std::shared_ptr<Exchange> getExchange(Operation *op, int64_t elements);
  /// Waits for all warps of a layout, and returns the elements of the whole
  /// tile.
  FailureOr<std::shared_ptr<const Exchange>> exchange(Operation *op,
                                                      const TileLayout &layout,
                                                      const Tile &tile,
                                                      RankedTensorType type);
  /// Waits at the named barrier of the warps of a layout. These are
  /// `layoutWarps` warps: all of the CTA, or all consumers.
  LogicalResult meetWarps(Operation *op, int64_t layoutWarps);
  /// `waitForTurn` waits until it is this warpgroup's turn to issue MMAs
  /// (ping-pong); `passTurn` gives the turn to the next one.
  LogicalResult waitForTurn(Operation *op);
  LogicalResult passTurn(Operation *op, int64_t warpgroups);
  /// Waits until the phase of an mbarrier with the given parity has ended.
  /// `what` says in messages what is waited for.
  LogicalResult waitFor(Operation *op, int64_t barrier, bool parity,
                        std::function<std::string()> what);
  /// Returns the mbarrier at `offset`. It must have been initialised, else an
  /// error is reported and the result is null.
  MemoryBarrier *findBarrier(Operation *op, int64_t offset);

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Record an access by `by` to `size` bytes of shared memory at `offset`.
  /// Report an error if it is not ordered with an earlier access, and one of
  /// the two is a write.
  LogicalResult noteRead(Operation *op, int64_t offset, int64_t size,
                         const Accessor &by);
  LogicalResult noteWrite(Operation *op, int64_t offset, int64_t size,
                          const Accessor &by);
  Accessor getAccessor() const { return {unsigned(warp), clock}; }
  /// Record an access to shared memory by the agent itself.
  LogicalResult noteRead(Operation *op, int64_t offset, int64_t size) {
    return noteRead(op, offset, size, getAccessor());
  }
  LogicalResult noteWrite(Operation *op, int64_t offset, int64_t size) {
    return noteWrite(op, offset, size, getAccessor());
  }
  /// Reports an error if the tile is in a ring's slot that holds another tile
  /// now, or that this warp has released.
  LogicalResult checkHeld(Operation *op, const SharedTile &tile);

  Simulation &simulation;
  std::shared_ptr<Cta> cta;
  int64_t warp = 0;
  const Agent *outer = nullptr;
  /// A mask of the warp's lanes that run at present.
  uint32_t lanes = ~uint32_t(0);
  Clock clock;
  /// The number of MMAs that the warp has issued, and the number of these for
  /// which it has waited.
  uint64_t numMmas = 0, numEndedMmas = 0;
  /// Copies by cp.async: those that are in no group yet, and the committed
  /// groups.
  std::vector<std::shared_ptr<Transfer>> openCopies;
  std::vector<std::vector<std::shared_ptr<Transfer>>> copyGroups;
  std::vector<std::shared_ptr<Transfer>> stores;
  /// For each ring, the number of tiles that the warp has acquired by ops
  /// without a slot number; for each op through which warps exchange elements,
  /// how often the warp has run it.
  llvm::DenseMap<Ring *, uint32_t> numAcquired;
  llvm::DenseMap<Operation *, int64_t> numExchanges;

private:
  LogicalResult failOrder(Operation *op, StringRef verb,
                          const SharedMemory::Conflict &conflict);
  LogicalResult checkRange(Operation *op, StringRef verb, int64_t offset,
                           int64_t size);

  llvm::DenseMap<Value, RuntimeValue> values;
};

/// Returns the layout in registers of a tile that the agent has, or null, with
/// an error, if it has none.
const TileLayout *getTileLayout(Agent &agent, Operation *op, Value tile);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_AGENT_H
