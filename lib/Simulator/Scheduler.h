//===- Scheduler.h - Runs one agent at a time -------------------*- C++ -*-===//
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

/// Runs tasks and events. Each task has a thread of its own, but only one
/// thread runs at a time. Events are the actions of asynchronous engines. The
/// next task or event is drawn at random from those that are ready.
class Scheduler {
public:
  /// A task that waits: its name, the op at which it waits, and what for.
  struct Blocked {
    Operation *op;
    std::string who, what;
  };

  explicit Scheduler(uint64_t seed);
  ~Scheduler();

  /// Adds a task, before run() or from a running task.
  void spawn(std::string name, std::function<void()> body);
  /// Adds an action that runs once, at some time when `ready` is true.
  void post(std::function<bool()> ready, std::function<void()> action);
  /// Runs tasks and events until no task is left. If all remaining tasks wait
  /// for something that never happens, stops them and returns them.
  std::vector<Blocked> run();

  /// Lets other tasks run until `ready` returns true, and returns true. Returns
  /// false if the run was stopped. Only a running task may call it.
  bool wait(Operation *op, std::function<bool()> ready,
            std::function<std::string()> what);
  /// Makes all waits fail.
  void stop() { isStopped = true; }

  /// Returns a random number below `bound`.
  uint64_t draw(uint64_t bound) { return engine() % bound; }

private:
  struct Task {
    std::string name;
    std::function<void()> body;
    std::thread thread;
    std::condition_variable turn;
    /// The op at which it waits.
    Operation *op = nullptr;
    std::function<bool()> ready;
    std::function<std::string()> what;
    bool isDone = false;
  };
  struct Event {
    std::function<bool()> ready;
    std::function<void()> action;
  };

  /// Draws from the tasks and events that are ready, and runs the events that
  /// it draws until it draws a task, which it returns. Returns null if no task
  /// is left. If no task or event is ready, records the tasks as blocked, and
  /// stops the run.
  Task *choose();
  void runEvent(size_t number);
  void giveTurn(Task *next);

  std::mt19937_64 engine;
  /// If a task is ready too, an event runs with probability 1 / eventChances.
  uint64_t eventChances;
  std::mutex mutex;
  std::condition_variable allDone;
  std::vector<std::unique_ptr<Task>> tasks;
  /// The tasks that have not ended.
  std::vector<Task *> live;
  std::vector<Event> events;
  Task *current = nullptr;
  bool isOver = false;
  bool isStopped = false;
  std::vector<Blocked> blocked;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SCHEDULER_H
