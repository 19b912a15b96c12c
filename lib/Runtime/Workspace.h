//===- Workspace.h - Memory of the caller's for launches --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_WORKSPACE_H
#define ATTN_LIB_RUNTIME_WORKSPACE_H

#include "attn/Runtime/attnrt.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace attnrt {

/// Memory that one thread's launches take theirs from, or without an address a
/// count of what they would take. What is allocated goes to the lowest place
/// that is free, the same in each run: launches of a stream run one after the
/// other, so what one has freed may be the next one's.
class Workspace {
public:
  Workspace(std::thread::id thread, attnrt_device_ptr memory, uint64_t bytes)
      : thread(thread), memory(memory), bytes(bytes) {}
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// False if the workspace or the host's memory is too small for it.
  bool allocate(uint64_t size, attnrt_device_ptr &result);
  /// False if it is none of the workspace's.
  bool free(attnrt_device_ptr allocated);
  /// Whether nothing is to be launched.
  bool counts() const { return !memory; }
  /// The most bytes that were in use at a time, those that did not fit too.
  uint64_t getNeeded() const { return needed; }
  uint64_t getBytes() const { return bytes; }

private:
  friend class WorkspaceList;
  struct Part {
    uint64_t begin, end;
    Part *next;
  };

  std::thread::id thread;
  attnrt_device_ptr memory;
  uint64_t bytes;
  uint64_t needed = 0;
  /// In the order of their places.
  Part *parts = nullptr;
  Workspace *next = nullptr;
};

/// The workspaces of the threads that have one.
class WorkspaceList {
public:
  ~WorkspaceList();
  WorkspaceList() = default;
  WorkspaceList(const WorkspaceList &) = delete;
  WorkspaceList &operator=(const WorkspaceList &) = delete;

  /// The calling thread's, or null.
  Workspace *find();
  /// Whether the calling thread's launches are only counted.
  bool counts() {
    Workspace *workspace = find();
    return workspace && workspace->counts();
  }
  /// For a thread without one; null if the host's memory is exhausted.
  Workspace *begin(attnrt_device_ptr memory, uint64_t bytes);
  /// The calling thread's, which is its no more.
  std::unique_ptr<Workspace> end();

private:
  std::mutex mutex;
  /// Launches without a workspace need no lock.
  std::atomic<unsigned> count{0};
  Workspace *first = nullptr;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_WORKSPACE_H
