//===- WorkCounters.h - Counters of dynamic tile schedulers -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two words of device memory that count the tiles which a launch has begun and
// the CTAs that have finished. They are zero at first, and the last CTA sets
// them back, so that no launch waits for them to be cleared. No two launches
// that may run at the same time have the same ones:
//
// - Launches on one stream run one after the other and share a pair. A stream
//   is known by its id, which no later one has: work of a destroyed stream may
//   still run.
// - A launch that is captured has a pair of its own, which belongs to the graph
//   and comes back when neither that nor what was made of it exists or runs.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_WORKCOUNTERS_H
#define ATTN_LIB_RUNTIME_WORKCOUNTERS_H

#include "CudaDriver.h"

#include <atomic>
#include <mutex>

namespace attnrt {

/// Owns nodes linked by their `next`. Nodes live as long as the list, so that
/// searching it needs no lock; adding to it does.
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

  /// The newest node that `matches`, or null.
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

  /// Takes the node over. Calls must not run at the same time.
  void push(Node *node) {
    node->next = first.load(std::memory_order_relaxed);
    first.store(node, std::memory_order_release);
  }

private:
  std::atomic<Node *> first{nullptr};
};

class CounterPool;

/// A pair of words.
struct Counters {
  CUdeviceptr memory = 0;
  /// The id of the stream that has them, if one has.
  unsigned long long stream = 0;
  CounterPool *pool = nullptr;
  Counters *next = nullptr;
};

/// The counters of one context. Graphs may outlive the runtime, and give back
/// to the pool what they had: it lives as long as anybody refers to it.
class CounterPool {
public:
  /// With one reference, or null if host memory is exhausted.
  static CounterPool *create();
  void release();

  /// The pair of the stream of that id, in whose context the thread is.
  attnrt_status getForStream(attnrt_runtime &runtime, unsigned long long stream,
                             CUdeviceptr &memory);
  /// A pair for one launch that `graph` is given.
  attnrt_status getForGraph(attnrt_runtime &runtime, CUgraph graph,
                            CUdeviceptr &memory);
  /// Frees the memory of all pairs. The context is current; nobody asks for
  /// counters any more.
  void freeMemory(const CudaDriver &driver);

private:
  /// Memory from which pairs are taken.
  struct Chunk {
    CUdeviceptr memory = 0;
    Chunk *next = nullptr;
  };

  CounterPool() = default;
  ~CounterPool();
  attnrt_status take(attnrt_runtime &runtime, Counters *&counters);
  attnrt_status addChunk(attnrt_runtime &runtime);
  GrowingList<Counters> &getBucket(unsigned long long stream);
  /// What the driver calls when a graph's last user is gone.
  static void giveBack(void *counters);

  std::atomic<unsigned> references{1};
  GrowingList<Counters> streams[64];
  /// The driver forbids its callbacks to wait for anybody, so that they need no
  /// lock to leave here what was given back.
  std::atomic<Counters *> returned{nullptr};

  /// Guards what follows, and adding to the lists.
  std::mutex mutex;
  Counters *unused = nullptr;
  GrowingList<Chunk> chunks;
  /// What is left of the newest chunk.
  CUdeviceptr position = 0, end = 0;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_WORKCOUNTERS_H
