//===- Scheduler.h - One agent at a time ------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_SCHEDULER_H
#define ATTN_LIB_SIMULATOR_SCHEDULER_H

#include "mlir/IR/Operation.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

namespace mlir::attn::sim {

/// Runs tasks, each on a thread of its own but one at a time, and events, which
/// are what asynchronous engines do. Who is next is drawn among those that can
/// go on.
class Scheduler {
public:
  /// A task that waits: where, and for what.
  struct Blocked {
    Operation *op;
    std::string who, what;
  };

  explicit Scheduler(uint64_t seed);
  ~Scheduler();

  /// Adds a task. Before `run`, or from a task.
  void spawn(std::string name, std::function<void()> body);
  /// Adds what happens once, at some time at which `ready` holds.
  void post(std::function<bool()> ready, std::function<void()> action);
  /// Runs all to their end. What waits for ever is returned.
  std::vector<Blocked> run();

  /// Lets others run, then returns when `ready` holds. False if the run was
  /// stopped. From a task alone.
  bool wait(Operation *op, std::function<bool()> ready,
            std::function<std::string()> what);
  /// Makes all waits fail.
  void stop() { isStopped = true; }

  /// A number below `bound`.
  uint64_t draw(uint64_t bound) { return engine() % bound; }

private:
  struct Task {
    std::string name;
    std::function<void()> body;
    std::thread thread;
    std::condition_variable turn;
    /// Where it waits.
    Operation *op = nullptr;
    std::function<bool()> ready;
    std::function<std::string()> what;
    bool isDone = false;
  };
  struct Event {
    std::function<bool()> ready;
    std::function<void()> action;
  };

  /// Who runs next, after events that come first; null if nobody is left.
  Task *choose();
  void runEvent(size_t number);
  void giveTurn(Task *next);

  std::mt19937_64 engine;
  /// Of how many chances an event has one where a task could run.
  uint64_t eventChances;
  std::mutex mutex;
  std::condition_variable allDone;
  std::vector<std::unique_ptr<Task>> tasks;
  /// Of tasks that are not done.
  std::vector<Task *> live;
  std::vector<Event> events;
  Task *current = nullptr;
  bool isOver = false;
  bool isStopped = false;
  std::vector<Blocked> blocked;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SCHEDULER_H
