//===- Scheduler.cpp - Runs one agent at a time ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

using namespace mlir;
using namespace mlir::attn::sim;

Scheduler::Scheduler(uint64_t seed) : engine(seed) {
  engine.discard(16);
  // Draws `eventChances` at random: 1, 4 or 16. If both tasks and events are
  // ready, an event runs next with probability 1 / `eventChances`. Copies and
  // MMAs, which are events, thus end late with some seeds and early with
  // others.
  eventChances = uint64_t(1) << (2 * draw(3));
}

Scheduler::~Scheduler() = default;

void Scheduler::spawn(std::string name, std::function<void()> body) {
  // Joins the threads of tasks that have ended, since a thread keeps its stack
  // until it is joined, and erases these tasks. The calling thread may run an
  // event after its own task has ended; that task is left, since a thread
  // cannot join itself.
  llvm::erase_if(tasks, [](std::unique_ptr<Task> &task) {
    if (!task->isDone || task->thread.get_id() == std::this_thread::get_id())
      return false;
    task->thread.join();
    return true;
  });
  auto task = std::make_unique<Task>();
  task->name = std::move(name);
  task->body = std::move(body);
  Task *own = task.get();
  tasks.push_back(std::move(task));
  live.push_back(own);
  own->thread = std::thread([this, own] {
    std::unique_lock<std::mutex> lock(mutex);
    own->turn.wait(lock, [&] { return current == own; });
    own->body();
    own->isDone = true;
    live.erase(llvm::find(live, own));
    giveTurn(choose());
  });
}

void Scheduler::post(std::function<bool()> ready,
                     std::function<void()> action) {
  events.push_back({std::move(ready), std::move(action)});
}

void Scheduler::giveTurn(Task *next) {
  current = next;
  if (next) {
    next->turn.notify_one();
    return;
  }
  isOver = true;
  allDone.notify_one();
}

void Scheduler::runEvent(size_t number) {
  Event event = std::move(events[number]);
  events.erase(events.begin() + number);
  event.action();
}

Scheduler::Task *Scheduler::choose() {
  while (true) {
    if (isStopped) {
      events.clear();
      return live.empty() ? nullptr : live.front();
    }
    llvm::SmallVector<Task *, 32> ready;
    for (Task *task : live)
      if (!task->ready || task->ready())
        ready.push_back(task);
    llvm::SmallVector<size_t, 32> readyEvents;
    for (auto [i, event] : llvm::enumerate(events))
      if (event.ready())
        readyEvents.push_back(i);
    if (!readyEvents.empty() && (ready.empty() || draw(eventChances) == 0)) {
      runEvent(readyEvents[draw(readyEvents.size())]);
      continue;
    }
    if (!ready.empty())
      return ready[draw(ready.size())];
    if (live.empty())
      return nullptr;
    for (Task *task : live)
      blocked.push_back({task->op, task->name, task->what()});
    isStopped = true;
  }
}

bool Scheduler::wait(Operation *op, std::function<bool()> ready,
                     std::function<std::string()> what) {
  // This function does not lock the mutex, since the calling task already holds
  // it: each task holds the mutex while it runs.
  Task *own = current;
  own->op = op;
  own->ready = std::move(ready);
  own->what = std::move(what);
  Task *next = choose();
  if (next != own) {
    giveTurn(next);
    std::unique_lock<std::mutex> lock(mutex, std::adopt_lock);
    own->turn.wait(lock, [&] { return current == own; });
    lock.release();
  }
  own->ready = nullptr;
  return !isStopped;
}

std::vector<Scheduler::Blocked> Scheduler::run() {
  std::unique_lock<std::mutex> lock(mutex);
  giveTurn(choose());
  allDone.wait(lock, [&] { return isOver; });
  lock.unlock();
  for (std::unique_ptr<Task> &task : tasks)
    task->thread.join();
  tasks.clear();
  isOver = false;
  return std::move(blocked);
}
