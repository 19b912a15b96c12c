//===- ParallelFor.cpp - Loops on all cores -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops on a pool of threads. `llvm::parallelFor` is not used: in a
// forked process its threads do not exist, so that each loop would wait for
// ever.
//
//===----------------------------------------------------------------------===//

#include "attn/Support/ParallelFor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>

using namespace llvm;

namespace {

struct Loop {
  function_ref<void(int64_t)> body;
  int64_t count;
  std::atomic<int64_t> next = 0;
  /// The number of helper threads that run the loop at present. The pool's
  /// mutex guards it.
  unsigned helpers = 0;

  Loop(function_ref<void(int64_t)> body, int64_t count)
      : body(body), count(count) {}

  void run() {
    for (int64_t number; (number = next++) < count;)
      body(number);
  }
};

/// Threads that help the callers of loops. The caller of a loop runs it, too,
/// so that the loop ends even if no thread can be created.
class Pool {
public:
  void run(Loop &loop);

  /// Ends the threads, when the process exits or the library is unloaded. Later
  /// loops run only on the threads that call them.
  void stop();

  unsigned getThreadCount() const { return threadCount; }

private:
  static void *start(void *pool) {
    static_cast<Pool *>(pool)->help();
    return nullptr;
  }
  void help();

  const unsigned threadCount = hardware_concurrency().compute_thread_count();
  std::mutex mutex;
  std::condition_variable hasLoop, hasEnded;
  SmallVector<Loop *> loops;
  SmallVector<pthread_t> threads;
  bool isStopping = false;
};

} // namespace

void Pool::run(Loop &loop) {
  auto wanted = std::min<int64_t>(threadCount, loop.count) - 1;
  {
    std::lock_guard<std::mutex> lock(mutex);
    pthread_t thread;
    while (!isStopping && int64_t(threads.size()) < wanted &&
           pthread_create(&thread, nullptr, start, this) == 0)
      threads.push_back(thread);
    loops.push_back(&loop);
  }
  if (wanted + 1 == threadCount)
    hasLoop.notify_all();
  else
    for (int64_t i = 0; i < wanted; ++i)
      hasLoop.notify_one();
  loop.run();
  std::unique_lock<std::mutex> lock(mutex);
  erase(loops, &loop);
  hasEnded.wait(lock, [&] { return loop.helpers == 0; });
}

void Pool::help() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    hasLoop.wait(lock, [&] { return isStopping || !loops.empty(); });
    if (isStopping)
      return;
    Loop &loop = *loops.front();
    ++loop.helpers;
    lock.unlock();
    loop.run();
    lock.lock();
    erase(loops, &loop);
    if (--loop.helpers == 0)
      hasEnded.notify_all();
  }
}

void Pool::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
  }
  hasLoop.notify_all();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}

namespace {

/// The thread pool of this process, as a global object. The initialisation of a
/// function's static variable would take a lock, which another thread could
/// hold at the time of a fork.
class ProcessPool {
public:
  ProcessPool();
  // The threads of the pool are ended, but its memory is not freed, since other
  // threads may still use it.
  ~ProcessPool() {
    if (Pool *pool = current)
      pool->stop();
  }

  Pool &get() {
    if (Pool *pool = current)
      return *pool;
    auto *created = new Pool;
    Pool *expected = nullptr;
    if (current.compare_exchange_strong(expected, created))
      return *created;
    delete created;
    return *expected;
  }

  /// Drops the pool in a forked process, in which its threads do not exist and
  /// its mutex may be locked for ever.
  void forget() { current = nullptr; }

private:
  std::atomic<Pool *> current = nullptr;
};

ProcessPool processPool;

ProcessPool::ProcessPool() {
  pthread_atfork(nullptr, nullptr, [] { processPool.forget(); });
}

} // namespace

void mlir::attn::parallelFor(int64_t count, function_ref<void(int64_t)> body) {
  Pool *pool = nullptr;
  if (count > 1)
    pool = &processPool.get();
  if (!pool || pool->getThreadCount() == 1) {
    for (int64_t number = 0; number < count; ++number)
      body(number);
    return;
  }
  Loop loop(body, count);
  pool->run(loop);
}

unsigned mlir::attn::getParallelThreadCount() {
  return processPool.get().getThreadCount();
}
