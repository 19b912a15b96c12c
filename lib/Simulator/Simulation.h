//===- Simulation.h - The state of one run ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_SIMULATION_H
#define ATTN_LIB_SIMULATOR_SIMULATION_H

#include "Layouts.h"
#include "Scheduler.h"

#include "attn/Simulator/Simulator.h"

#include <map>

namespace mlir::attn::sim {

class Agent;

/// The functions by which the simulator runs ops, one for each kind of op.
class Handlers {
public:
  using Handler = std::function<LogicalResult(Agent &, Operation *)>;

  template <typename Op, typename Fn> void add(Fn run) {
    byType[TypeID::get<Op>()] = [run](Agent &agent, Operation *op) {
      return run(agent, cast<Op>(op));
    };
  }
  const Handler *find(Operation *op) const {
    auto found = byType.find(op->getName().getTypeID());
    return found == byType.end() ? nullptr : &found->second;
  }

private:
  llvm::DenseMap<TypeID, Handler> byType;
};

void addConstantOps(Handlers &handlers);
void addArithOps(Handlers &handlers);
void addIndexOps(Handlers &handlers);
void addControlOps(Handlers &handlers);
void addMemRefOps(Handlers &handlers);
void addTileOps(Handlers &handlers);
void addReduceOps(Handlers &handlers);
void addGlobalTileOps(Handlers &handlers);
void addExchangeOps(Handlers &handlers);
void addRingOps(Handlers &handlers);
void addPutOps(Handlers &handlers);
void addTileSchedulerOps(Handlers &handlers);
void addBarrierOps(Handlers &handlers);
void addMmaOps(Handlers &handlers);
void addCopyOps(Handlers &handlers);
void addStoreOps(Handlers &handlers);
void addLaunchOps(Handlers &handlers);
void addAttentionOps(Handlers &handlers);
void addBlockOps(Handlers &handlers);
void addSoftmaxOps(Handlers &handlers);

/// The state of one run of a function in the simulator, shared by all of its
/// agents.
struct Simulation {
  /// The report of a rule that the program breaks, or of an op that the
  /// simulator does not support.
  struct Fault {
    Operation *op = nullptr;
    std::string message;
    std::vector<std::pair<Operation *, std::string>> notes;
    /// Whether the report is a refusal: the simulator does not support the op,
    /// and the program breaks no rule that was found.
    bool isRefusal = false;
  };

  explicit Simulation(const SimulatorOptions &options);

  /// Records that the program breaks a rule at `op`, unless an earlier fault
  /// was recorded, and stops all agents. Always returns failure.
  LogicalResult fail(Operation *op, const Twine &message,
                     Operation *other = nullptr, const Twine &note = "");
  /// Records that the simulator does not support `op`, unless an earlier fault
  /// was recorded, and stops all agents. Always returns failure.
  LogicalResult refuse(Operation *op, const Twine &message);
  /// Returns the layout of a tile in registers, or null if `type` is not the
  /// type of such a tile.
  const TileLayout *getLayout(Type type);
  const SharedLayout &getSharedLayout(Type type);

  SimulatorOptions options;
  Handlers handlers;
  Scheduler scheduler;
  std::optional<Fault> fault;
  std::string failedCheck;
  /// For each dynamic scheduler, the number of the next tile that no CTA has
  /// taken. The key is the address of the scheduler's counters.
  std::map<int64_t, int64_t> nextTiles;
  /// The arrays of the function's arguments, and those that the function has
  /// allocated.
  std::vector<std::shared_ptr<Array>> arrays;
  /// For each `attn_nv.work_counters` that has run: the op, and the memory of
  /// its two 32-bit counters with their present values.
  std::vector<std::pair<Operation *, std::unique_ptr<std::array<int32_t, 2>>>>
      counters;

private:
  llvm::DenseMap<Type, std::unique_ptr<TileLayout>> layouts;
  llvm::DenseMap<Type, std::unique_ptr<SharedLayout>> sharedLayouts;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SIMULATION_H
