//===- GrowingList.h - A list that is read without a lock -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_GROWINGLIST_H
#define ATTN_LIB_RUNTIME_GROWINGLIST_H

#include <atomic>

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

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_GROWINGLIST_H
