//===- WorkCounters.h - Counters of dynamic tile schedulers -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of 32-bit counters in device memory, which count the tiles that a
// launch has begun and the CTAs that have finished. They are zero at first, and
// the last CTA resets them, so no launch has to wait until they are cleared.
// Two launches that may run at the same time never have the same pair, except
// for those of graphs that are instantiated or cloned from one capture:
//
// - Launches on one stream run one after the other and share a pair. A stream
//   is identified by its id, which is never reused, since work of a destroyed
//   stream may still run.
// - A captured launch has a pair that belongs to its graph. It returns to the
//   pool when neither the graph nor anything instantiated or cloned from it
//   exists or runs.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_WORKCOUNTERS_H
#define ATTN_LIB_RUNTIME_WORKCOUNTERS_H

#include "CudaDriver.h"

#include <atomic>
#include <mutex>

namespace attnrt {

/// A list that owns its nodes, which are linked by `next`. Nodes live as long
/// as the list, so searching the list needs no lock; adding to it does.
template <class Node> class GrowingList {
public:
  GrowingList() = default;
  GrowingList(const GrowingList &) = delete;
  GrowingList &operator=(const GrowingList &) = delete;
  ~GrowingList() {
    for (Node *node = first.load(std::memory_order_relaxed); node;) {
      Node *next = node->next;
      delete node;
      node = next;
    }
  }

  /// Returns the newest node of the list for which `matches` is true, or null.
  template <class Predicate> Node *find(Predicate matches) const {
    Node *node = first.load(std::memory_order_acquire);
    while (node && !matches(*node))
      node = node->next;
    return node;
  }

  template <class Action> void forEach(Action action) const {
    find([&](Node &node) {
      action(node);
      return false;
    });
  }

  /// Adds a node to the list, which then owns it. Calls of push() must be
  /// serialised.
  void push(Node *node) {
    node->next = first.load(std::memory_order_relaxed);
    first.store(node, std::memory_order_release);
  }

private:
  std::atomic<Node *> first{nullptr};
};

class CounterPool;

/// A pair of 32-bit work counters in device memory, by which the dynamic tile
/// scheduler of a launch assigns tiles to CTAs.
struct Counters {
  CUdeviceptr memory = 0;
  /// The id of the stream to which the pair belongs, if it belongs to a stream.
  unsigned long long stream = 0;
  CounterPool *pool = nullptr;
  Counters *next = nullptr;
};

/// The pairs of counters of one context. Graphs may outlive the runtime and
/// return their pairs to the pool afterwards, so the pool has a reference
/// count.
class CounterPool {
public:
  /// Creates a pool of counters with one reference. Returns null if host memory
  /// is exhausted.
  static CounterPool *create();
  void release();

  /// Sets `memory` to the pair of counters of the stream with the id `stream`.
  /// The stream's context must be current.
  attnrt_status getForStream(attnrt_runtime &runtime, unsigned long long stream,
                             CUdeviceptr &memory);
  /// Sets `memory` to a new pair of counters for one captured launch; `graph`
  /// then owns the pair.
  attnrt_status getForGraph(attnrt_runtime &runtime, CUgraph graph,
                            CUdeviceptr &memory);
  /// Frees the device memory of all pairs. The pool's context must be current,
  /// and no counters may be requested afterwards.
  void freeMemory(const CudaDriver &driver);

private:
  /// A piece of device memory that is divided into pairs of counters.
  struct Chunk {
    CUdeviceptr memory = 0;
    Chunk *next = nullptr;
  };

  CounterPool() = default;
  ~CounterPool();
  attnrt_status take(attnrt_runtime &runtime, Counters *&counters);
  attnrt_status addChunk(attnrt_runtime &runtime);
  GrowingList<Counters> &getBucket(unsigned long long stream);
  /// The callback that the driver calls when the last user of a graph is gone:
  /// returns the graph's pair of counters to its pool.
  static void giveBack(void *counters);

  std::atomic<unsigned> references{1};
  GrowingList<Counters> streams[64];
  /// The pairs that graphs have returned, a list that is changed atomically,
  /// since a callback of the driver must not wait for a lock.
  std::atomic<Counters *> returned{nullptr};

  /// Guards `unused`, `chunks`, `position` and `end`, and additions to the
  /// lists `streams`.
  std::mutex mutex;
  Counters *unused = nullptr;
  GrowingList<Chunk> chunks;
  /// The addresses where the unused part of the newest chunk begins and ends.
  CUdeviceptr position = 0, end = 0;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_WORKCOUNTERS_H
