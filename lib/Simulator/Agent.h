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

/// An agent of the simulator, which runs ops one after another. It stands for
/// the host's thread, for a warp of a CTA or, while it carries out an MMA or a
/// TMA store, for an asynchronous engine.
class Agent {
public:
  /// Creates the simulator's agent that runs the host's code, outside of
  /// kernels.
  explicit Agent(Simulation &simulation) : simulation(simulation) {}
  /// Creates an agent for warp `warp` of a CTA. `outer` is the agent that holds
  /// the values of the kernel's arguments, in which `get` looks up values that
  /// this agent has not set. The agent's own time begins at 1, so that no other
  /// agent's clock covers its first actions. A null `outer` instead creates an
  /// agent for an asynchronous engine, whose time is not set here.
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
  /// Sets the run-time content of each SSA value in `range` to the entry of
  /// `runtime` with the same index.
  void set(ValueRange range, ArrayRef<RuntimeValue> runtime);
  /// Returns the run-time content of `value` if it is of the alternative T of
  /// RuntimeValue; else reports an error at the op and returns null.
  template <typename T> const T *get(Operation *op, Value value) {
    if (const T *found = std::get_if<T>(&get(value)))
      return found;
    (void)failKind(op, value);
    return nullptr;
  }
  /// Returns the integer that the SSA value `value` holds at run time. If
  /// `value` holds one integer for each lane, only one lane of the warp may
  /// run, and the result is the integer of that lane; otherwise fails with an
  /// error at the op.
  FailureOr<int64_t> getInt(Operation *op, Value value);
  LogicalResult getInts(Operation *op, ValueRange range,
                        SmallVectorImpl<int64_t> &result);

  //===--------------------------------------------------------------------===//
  // Errors and order
  //===--------------------------------------------------------------------===//

  LogicalResult fail(Operation *op, const Twine &message,
                     Operation *other = nullptr, const Twine &note = "") {
    return simulation.fail(op, message, other, note);
  }
  LogicalResult refuse(Operation *op, const Twine &message) {
    return simulation.refuse(op, message);
  }
  /// Reports that the op does not fit its operands, or the agent that runs it.
  /// The report is an error of the program if all passes of the GPU level have
  /// run on the agent's kernel (Cta::isComplete). In other kernels, and on the
  /// host, it only says that the simulator does not support the op.
  LogicalResult misfit(Operation *op, const Twine &message);
  LogicalResult failKind(Operation *op, Value value);
  /// Lets other agents run until `ready` returns true. Fails if the run is
  /// stopped before that. `what` returns the text by which the report of a
  /// deadlock describes this wait.
  LogicalResult wait(Operation *op, std::function<bool()> ready,
                     std::function<std::string()> what);
  /// Reports an error at the op unless all 32 lanes of the agent's warp run it.
  LogicalResult checkWholeWarp(Operation *op);
  /// Returns the agent's name for messages, such as "warp 3 of CTA 0".
  std::string getName() const;
  /// Returns the number of the warp's lanes that run the current op: 32, except
  /// in a branch or role that only some lanes run.
  int64_t getNumThreads() const { return llvm::popcount(lanes); }
  int64_t getWarpgroup() const { return warp / kWarpsPerGroup; }

  /// Returns a copy of the agent's vector clock, for an arrival at a barrier to
  /// publish, and then advances the agent's own time in its clock. The copy
  /// therefore covers all that the agent has done so far, and nothing that it
  /// does later.
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
  /// Records a `fence.mbarrier.init` by the agent's warp at each mbarrier that
  /// the warp has initialised. TMA copies that are ordered after the fence may
  /// then use these mbarriers.
  void fenceBarriers();
  /// Lets the warp's 32 threads arrive at named barrier `barrier`, which is
  /// complete when `threads` threads have arrived, and waits until it is
  /// complete unless `waits` is false. Fails with an error if other warps
  /// expect another number of threads there. A warp may arrive twice in a phase
  /// of the barrier: first without waiting, then waiting; arriving twice with
  /// the same `waits` is an error, too.
  LogicalResult meet(Operation *op, int64_t barrier, int64_t threads,
                     bool waits = true);
  /// Returns a buffer of `elements` floats, initially 0, through which the
  /// warps of a CTA exchange data when they run `op`. The n-th call of one warp
  /// for `op` gets the same buffer as the n-th call of each other warp, so each
  /// execution of `op` has one buffer.
  std::shared_ptr<Exchange> getExchange(Operation *op, int64_t elements);
  /// Writes the warp's elements of `tile` to a buffer that all warps of the
  /// layout share, and waits until all of these warps have written theirs.
  /// Returns the buffer, which then has the whole tile in row-major order.
  /// Refuses tiles that have no floats or are not of rank 2.
  FailureOr<std::shared_ptr<const Exchange>> exchange(Operation *op,
                                                      const TileLayout &layout,
                                                      const Tile &tile,
                                                      RankedTensorType type);
  /// Waits at a named barrier until `layoutWarps` warps have arrived there. The
  /// barrier is number 0 if the CTA has no other warps, else the named barrier
  /// of the consumers.
  LogicalResult meetWarps(Operation *op, int64_t layoutWarps);
  /// The two calls by which `warpgroups` consumer warpgroups take turns at
  /// issuing MMAs (ping-pong). Each warpgroup has a named barrier.
  /// `waitForTurn` waits at the barrier of the agent's warpgroup until it is
  /// that warpgroup's turn. `passTurn` arrives, without waiting, at the barrier
  /// of the next warpgroup; the first one comes after the last.
  LogicalResult waitForTurn(Operation *op);
  LogicalResult passTurn(Operation *op, int64_t warpgroups);
  /// Waits until the phase with parity `parity` of the mbarrier at byte
  /// `barrier` of shared memory has ended. Fails with an error if no mbarrier
  /// was initialised there. `what` returns the text by which the report of a
  /// deadlock describes this wait.
  LogicalResult waitFor(Operation *op, int64_t barrier, bool parity,
                        std::function<std::string()> what);
  /// Counts `arrivals` arrivals of the agent at the mbarrier at byte `offset`
  /// of shared memory. Fails with an error if no mbarrier was initialised
  /// there, or if its phase lacks fewer arrivals.
  LogicalResult arrive(Operation *op, int64_t offset, int64_t arrivals = 1);
  /// Returns the mbarrier at byte `offset` of shared memory, and records that
  /// the agent reads it. Reports an error and returns null if no mbarrier was
  /// initialised there, or if no barrier or wait orders the read after the
  /// initialisation.
  MemoryBarrier *findBarrier(Operation *op, int64_t offset);

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Record that `by` reads or writes `size` bytes of shared memory, from byte
  /// `offset` on, in `op`. Report an error at `op` if some of the bytes are
  /// outside of shared memory, or if the access breaks a rule that
  /// SharedMemory::Conflict describes.
  LogicalResult noteRead(Operation *op, int64_t offset, int64_t size,
                         const Accessor &by);
  LogicalResult noteWrite(Operation *op, int64_t offset, int64_t size,
                          const Accessor &by);
  Accessor getAccessor() const { return {unsigned(warp), clock}; }
  /// Record that the agent itself, rather than an asynchronous engine, reads or
  /// writes `size` bytes of shared memory from byte `offset` on.
  LogicalResult noteRead(Operation *op, int64_t offset, int64_t size) {
    return noteRead(op, offset, size, getAccessor());
  }
  LogicalResult noteWrite(Operation *op, int64_t offset, int64_t size) {
    return noteWrite(op, offset, size, getAccessor());
  }
  /// Reports an error if `tile` lies in a slot of a ring and the agent may no
  /// longer read it there: its warp has released the tile, or the slot is not
  /// full, or the slot holds another tile by now.
  LogicalResult checkHeld(Operation *op, const SharedTile &tile);

  Simulation &simulation;
  std::shared_ptr<Cta> cta;
  int64_t warp = 0;
  const Agent *outer = nullptr;
  /// A bit mask of the lanes of the warp that run the current op.
  uint32_t lanes = ~uint32_t(0);
  Clock clock;
  /// `numMmas` is the number of MMAs that the warp has issued; `numEndedMmas`
  /// is how many of them, the oldest ones, the warp has waited for.
  uint64_t numMmas = 0, numEndedMmas = 0;
  /// The cp.async copies of the warp: in `openCopies` those that no commit has
  /// put into a group yet, in `copyGroups` the committed groups for which the
  /// warp has not waited.
  std::vector<std::shared_ptr<Transfer>> openCopies;
  std::vector<std::vector<std::shared_ptr<Transfer>>> copyGroups;
  std::vector<std::shared_ptr<Transfer>> stores;
  /// For programs whose slots are not numbered yet, `numAcquired` has for each
  /// ring how many tiles the warp has acquired or skipped. `numExchanges` has,
  /// for each op through which warps exchange elements, how often the warp has
  /// run the op.
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
/// the op and returns null if the value's type is no such tile, if the agent's
/// warp holds none of the tile's elements, or if the tile has no layout
/// although the CTA has several warps.
const TileLayout *getTileLayout(Agent &agent, Operation *op, Value tile);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_AGENT_H
