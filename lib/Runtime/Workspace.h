//===- Workspace.h - The caller's memory for launches -----------*- C++ -*-===//
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

/// The memory from which the launches of one thread allocate. A workspace
/// without an address only counts the bytes that they would need. An allocation
/// takes the lowest offset at which it fits, which is the same in each run. The
/// next launch reuses memory that a launch has freed, since launches of a
/// stream run one after the other.
class Workspace {
public:
  Workspace(std::thread::id thread, attnrt_device_ptr memory, uint64_t bytes)
      : thread(thread), memory(memory), bytes(bytes) {}
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// Allocates `size` bytes, rounded up to a multiple of the alignment, and
  /// sets `result` to their address. Returns false if the workspace is too
  /// small, or if host memory is exhausted.
  bool allocate(uint64_t size, attnrt_device_ptr &result);
  /// Frees an allocation. Returns false if the address is not that of an
  /// allocation of this workspace.
  bool free(attnrt_device_ptr allocated);
  /// Whether the workspace only counts bytes, so that nothing is launched.
  bool counts() const { return !memory; }
  /// Returns the largest number of bytes that were in use at the same time,
  /// including an allocation that did not fit.
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
  /// The workspace's present allocations, a list that is sorted by offset.
  Part *parts = nullptr;
  Workspace *next = nullptr;
};

/// A list of the workspaces of all threads that have one.
class WorkspaceList {
public:
  ~WorkspaceList();
  WorkspaceList() = default;
  WorkspaceList(const WorkspaceList &) = delete;
  WorkspaceList &operator=(const WorkspaceList &) = delete;

  /// Returns the calling thread's workspace, or null.
  Workspace *find();
  /// Whether the calling thread's launches only count bytes.
  bool counts() {
    Workspace *workspace = find();
    return workspace && workspace->counts();
  }
  /// Creates a workspace for the calling thread. Returns null if the thread has
  /// one already, or host memory is exhausted.
  Workspace *begin(attnrt_device_ptr memory, uint64_t bytes);
  /// Removes the calling thread's workspace and returns it, or null if there is
  /// none.
  std::unique_ptr<Workspace> end();

private:
  std::mutex mutex;
  /// The number of workspaces in the list. If it is 0, find() needs no lock.
  std::atomic<unsigned> count{0};
  Workspace *first = nullptr;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_WORKSPACE_H
