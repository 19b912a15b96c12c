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

/// The functions that run ops, by kind of op.
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

/// The state of one run of a function.
struct Simulation {
  /// The report of a broken rule.
  struct Fault {
    Operation *op = nullptr;
    std::string message;
    std::vector<std::pair<Operation *, std::string>> notes;
    /// Whether no rule was broken, but the simulator does not support the op.
    bool isRefusal = false;
  };

  explicit Simulation(const SimulatorOptions &options);

  /// Records the first fault and stops all agents.
  LogicalResult fail(Operation *op, std::string message,
                     Operation *other = nullptr, std::string note = "");
  /// Records that the simulator does not support an op, and stops all agents.
  LogicalResult refuse(Operation *op, std::string message);
  /// Returns the layout of a tile in registers; null if the type is no such
  /// tile.
  const TileLayout *getLayout(Type type);
  const SharedLayout &getSharedLayout(Type type);

  SimulatorOptions options;
  Handlers handlers;
  Scheduler scheduler;
  std::optional<Fault> fault;
  std::string failedCheck;
  /// For each dynamic scheduler, identified by the address of its counters, the
  /// number of the next tile that no CTA has taken.
  std::map<int64_t, int64_t> nextTiles;
  /// The arrays of arguments, and those that the function has allocated.
  std::vector<std::shared_ptr<Array>> arrays;
  /// For each `attn_nv.work_counters`, the op and its two 32-bit counters.
  std::vector<std::pair<Operation *, std::unique_ptr<std::array<int32_t, 2>>>>
      counters;

private:
  llvm::DenseMap<Type, std::unique_ptr<TileLayout>> layouts;
  llvm::DenseMap<Type, std::unique_ptr<SharedLayout>> sharedLayouts;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SIMULATION_H
