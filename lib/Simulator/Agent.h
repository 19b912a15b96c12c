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

/// Runs ops one after another. An agent stands for the host's thread, for a
/// warp of a CTA or, while it carries out an MMA or a TMA store, for an
/// asynchronous engine.
class Agent {
public:
  /// Creates the agent of the host's thread.
  explicit Agent(Simulation &simulation) : simulation(simulation) {}
  /// Creates an agent for warp `warp` of a CTA. With `outer`, values that this
  /// agent has not set are looked up in `outer`, and the agent's own time
  /// begins at 1 instead of 0.
  Agent(std::shared_ptr<Cta> ofCta, int64_t warp, const Agent *outer)
      : simulation(ofCta->simulation), cta(std::move(ofCta)), warp(warp),
        outer(outer) {
    if (outer)
      clock.tick(warp);
  }

  /// Runs the ops of a block in order and appends the values of the
  /// terminator's operands to `results`. Fails at the first op that fails or
  /// that the simulator does not support, and when another agent has recorded a
  /// fault.
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
  /// Returns the integer that `value` holds for all lanes. If `value` holds one
  /// integer for each lane, only one lane may run, and the result is the
  /// integer of that lane; otherwise fails with an error at the op.
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
  /// That is an error if all passes of the GPU level have run on the agent's
  /// kernel (Cta::isComplete). In other kernels, and on the host, it is a
  /// refusal.
  LogicalResult misfit(Operation *op, std::string message);
  LogicalResult failKind(Operation *op, Value value);
  /// Lets other agents run until `ready` returns true. Fails if the run is
  /// stopped before that. The report of a deadlock says what `what` returns.
  LogicalResult wait(Operation *op, std::function<bool()> ready,
                     std::function<std::string()> what);
  /// Checks that all lanes run the op.
  LogicalResult checkWholeWarp(Operation *op);
  /// For example "warp 3 of CTA 0".
  std::string getName() const;
  /// The number of the warp's threads that run at present.
  int64_t getNumThreads() const { return llvm::popcount(lanes); }
  int64_t getWarpgroup() const { return warp / kWarpsPerGroup; }

  /// Returns the agent's clock, for an arrival at a barrier to publish, and
  /// then advances the agent's own time. The returned clock therefore covers
  /// all that the agent has done so far, and nothing that it does later.
  Clock release() {
    Clock before = clock;
    clock.tick(warp);
    return before;
  }
  /// Chooses an asynchronous engine for a copy that the agent begins, and
  /// returns the engine's number and clock. The copy is ordered after all that
  /// the agent has done so far, but neither with the agent's later actions nor
  /// with other engines for which the agent has not waited.
  std::pair<unsigned, Clock> beginEngine();
  /// Records a fence at each mbarrier that the agent's warp has initialised;
  /// copies that are ordered after the fence may then use the mbarrier.
  void fenceBarriers();
  /// Lets the warp's 32 threads arrive at a named barrier, which is complete
  /// when `threads` threads have arrived. Waits for that, unless `waits` is
  /// false. Fails with an error if other warps expect another number of threads
  /// there, or if the warp has already arrived in this phase with the same
  /// `waits`; a warp may first arrive without waiting, and then wait.
  LogicalResult meet(Operation *op, int64_t barrier, int64_t threads,
                     bool waits = true);
  /// Returns a buffer of `elements` floats, initially 0, through which warps
  /// exchange data in an execution of `op`. The n-th call of one warp for `op`
  /// gets the same buffer as the n-th call of each other warp of the CTA.
  std::shared_ptr<Exchange> getExchange(Operation *op, int64_t elements);
  /// Writes the warp's elements of `tile` to a buffer that all warps of the
  /// layout share, waits until all of them have done so, and returns the
  /// buffer: the whole tile in row-major order. Refuses tiles that have no
  /// floats or are not of rank 2.
  FailureOr<std::shared_ptr<const Exchange>> exchange(Operation *op,
                                                      const TileLayout &layout,
                                                      const Tile &tile,
                                                      RankedTensorType type);
  /// Waits until `layoutWarps` warps have arrived: at named barrier 0 if these
  /// are all warps of the CTA, else at the named barrier of the consumers.
  LogicalResult meetWarps(Operation *op, int64_t layoutWarps);
  /// `waitForTurn` waits at the named barrier of this warpgroup until it is its
  /// turn to issue MMAs (ping-pong). `passTurn` arrives, without waiting, at
  /// the barrier of the next of `warpgroups` warpgroups (after the last one, of
  /// the first).
  LogicalResult waitForTurn(Operation *op);
  LogicalResult passTurn(Operation *op, int64_t warpgroups);
  /// Waits until the phase with parity `parity` of the mbarrier at offset
  /// `barrier` of shared memory has ended. Fails with an error if no mbarrier
  /// was initialised there. The report of a deadlock says what `what` returns.
  LogicalResult waitFor(Operation *op, int64_t barrier, bool parity,
                        std::function<std::string()> what);
  /// Records a read of the mbarrier at `offset` of shared memory, and returns
  /// the mbarrier. Reports an error and returns null if none was initialised
  /// there, or if the read is not ordered after that.
  MemoryBarrier *findBarrier(Operation *op, int64_t offset);

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Record a read or a write of `size` bytes of shared memory at `offset` by
  /// `by`. Report an error if bytes are outside of shared memory, or if the
  /// access breaks a rule that SharedMemory::Conflict describes.
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
  /// If the tile lies in a ring's slot, reports an error if this warp has
  /// released the tile, or if the slot is not full or holds another tile by
  /// now.
  LogicalResult checkHeld(Operation *op, const SharedTile &tile);

  Simulation &simulation;
  std::shared_ptr<Cta> cta;
  int64_t warp = 0;
  const Agent *outer = nullptr;
  /// A mask of the warp's lanes that run at present.
  uint32_t lanes = ~uint32_t(0);
  Clock clock;
  /// The number of MMAs that the warp has issued, and how many of these, from
  /// the first on, it has waited for.
  uint64_t numMmas = 0, numEndedMmas = 0;
  /// The warp's copies by cp.async: those that no commit has put into a group
  /// yet, and the committed groups for which the warp has not waited.
  std::vector<std::shared_ptr<Transfer>> openCopies;
  std::vector<std::vector<std::shared_ptr<Transfer>>> copyGroups;
  std::vector<std::shared_ptr<Transfer>> stores;
  /// `numAcquired` holds, for each ring, how many tiles the warp has acquired
  /// or skipped by ops without a tile number; `numExchanges`, for each op
  /// through which warps exchange elements, how often the warp has run it.
  llvm::DenseMap<Ring *, uint32_t> numAcquired;
  llvm::DenseMap<Operation *, int64_t> numExchanges;

private:
  LogicalResult failOrder(Operation *op, StringRef verb,
                          const SharedMemory::Conflict &conflict);
  LogicalResult checkRange(Operation *op, StringRef verb, int64_t offset,
                           int64_t size);

  llvm::DenseMap<Value, RuntimeValue> values;
};

/// Returns the layout of a tile in registers. Reports an error or a refusal at
/// the op and returns null if the type is no such tile, if the agent's warp
/// holds no elements in the layout, or if the tile has no layout and the CTA
/// several warps.
const TileLayout *getTileLayout(Agent &agent, Operation *op, Value tile);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_AGENT_H
