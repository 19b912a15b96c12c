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

/// Runs tasks and events one at a time, in a random order that the seed
/// determines. A task is an agent's run, in a thread of its own; an event is an
/// action of an asynchronous engine. The next task or event is drawn from those
/// that are ready.
class Scheduler {
public:
  /// A task that still waits when the run is stopped because of a deadlock:
  /// `who` is its name, `op` the op at which it waits, and `what` says what it
  /// waits for.
  struct Blocked {
    Operation *op;
    std::string who, what;
  };

  explicit Scheduler(uint64_t seed);
  ~Scheduler();

  /// Adds a task, which runs `body`. May be called before run(), or by a
  /// running task.
  void spawn(std::string name, std::function<void()> body);
  /// Adds an event, an action of an asynchronous engine: `action` runs once, at
  /// some time when `ready` returns true.
  void post(std::function<bool()> ready, std::function<void()> action);
  /// Runs tasks and events until no task is left. If all remaining tasks wait
  /// for conditions that nothing can make true any more, ends the run and
  /// returns these tasks; otherwise returns an empty vector.
  std::vector<Blocked> run();

  /// Lets other tasks and events run until `ready` returns true, and then
  /// returns true. Returns false if the run was stopped before that. Only a
  /// running task may call this function.
  bool wait(Operation *op, std::function<bool()> ready,
            std::function<std::string()> what);
  /// Stops the run: all present and later calls of wait() return false.
  void stop() { isStopped = true; }

  /// Returns a random number below `bound`.
  uint64_t draw(uint64_t bound) { return engine() % bound; }

private:
  struct Task {
    std::string name;
    std::function<void()> body;
    std::thread thread;
    std::condition_variable turn;
    /// The op at which the task waits.
    Operation *op = nullptr;
    std::function<bool()> ready;
    std::function<std::string()> what;
    bool isDone = false;
  };
  struct Event {
    std::function<bool()> ready;
    std::function<void()> action;
  };

  /// Chooses the task that runs next. Draws from the ready tasks and events,
  /// and runs each event that it draws, until it draws a task. Returns null if
  /// no task is left. If neither a task nor an event is ready, that is a
  /// deadlock: records all tasks in `blocked`, and stops the run.
  Task *choose();
  void runEvent(size_t number);
  void giveTurn(Task *next);

  std::mt19937_64 engine;
  /// If both tasks and events are ready, an event runs next with probability 1
  /// / `eventChances`.
  uint64_t eventChances;
  std::mutex mutex;
  std::condition_variable allDone;
  std::vector<std::unique_ptr<Task>> tasks;
  /// The tasks that have not ended, whether they are ready or wait.
  std::vector<Task *> live;
  std::vector<Event> events;
  Task *current = nullptr;
  bool isOver = false;
  bool isStopped = false;
  std::vector<Blocked> blocked;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SCHEDULER_H
