//===- Workspace.cpp - The caller's memory for launches -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include <algorithm>
#include <new>

using namespace attnrt;

/// The alignment of allocations in bytes, which tensor maps and vector accesses
/// need. Memory from the driver has at least this alignment.
static constexpr uint64_t kAlignment = ATTNRT_WORKSPACE_ALIGNMENT;
/// The address at which the allocations of a workspace that only counts bytes
/// begin.
static constexpr attnrt_device_ptr kNowhere = attnrt_device_ptr(1) << 40;

Workspace::~Workspace() {
  while (parts) {
    Part *next = parts->next;
    delete parts;
    parts = next;
  }
}

bool Workspace::allocate(uint64_t size, attnrt_device_ptr &result) {
  size = (size + kAlignment - 1) / kAlignment * kAlignment;
  uint64_t begin = 0;
  Part **link = &parts;
  for (; *link && (*link)->begin - begin < size; link = &(*link)->next)
    begin = (*link)->end;
  needed = std::max(needed, begin + size);
  if (memory && begin + size > bytes)
    return false;
  auto *part = new (std::nothrow) Part{begin, begin + size, *link};
  if (!part)
    return false;
  *link = part;
  result = (memory ? memory : kNowhere) + begin;
  return true;
}

bool Workspace::free(attnrt_device_ptr allocated) {
  uint64_t begin = allocated - (memory ? memory : kNowhere);
  for (Part **link = &parts; *link; link = &(*link)->next)
    if ((*link)->begin == begin) {
      Part *part = *link;
      *link = part->next;
      delete part;
      return true;
    }
  return false;
}

WorkspaceList::~WorkspaceList() {
  while (first) {
    Workspace *next = first->next;
    delete first;
    first = next;
  }
}

Workspace *WorkspaceList::find() {
  if (!count.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  Workspace *workspace = first;
  while (workspace && workspace->thread != std::this_thread::get_id())
    workspace = workspace->next;
  return workspace;
}

Workspace *WorkspaceList::begin(attnrt_device_ptr memory, uint64_t bytes) {
  if (find())
    return nullptr;
  auto *workspace =
      new (std::nothrow) Workspace(std::this_thread::get_id(), memory, bytes);
  if (!workspace)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  workspace->next = first;
  first = workspace;
  ++count;
  return workspace;
}

std::unique_ptr<Workspace> WorkspaceList::end() {
  std::lock_guard<std::mutex> lock(mutex);
  for (Workspace **link = &first; *link; link = &(*link)->next)
    if ((*link)->thread == std::this_thread::get_id()) {
      std::unique_ptr<Workspace> workspace(*link);
      *link = workspace->next;
      --count;
      return workspace;
    }
  return nullptr;
}

attnrt_status attnrt_begin_workspace(attnrt_runtime *runtime,
                                     attnrt_device_ptr memory, uint64_t bytes) {
  if (!runtime)
    return ATTNRT_INVALID_ARGUMENT;
  if (memory % kAlignment)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "workspace: expected an address that is a multiple of %llu, "
                "found %#llx",
                static_cast<unsigned long long>(kAlignment),
                static_cast<unsigned long long>(memory));
  if (runtime->workspaces.find())
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "workspace: expected a thread without one, found one");
  if (!runtime->workspaces.begin(memory, bytes))
    return fail(*runtime, ATTNRT_OUT_OF_MEMORY,
                "workspace: the host's memory is exhausted");
  return ATTNRT_SUCCESS;
}

attnrt_status attnrt_end_workspace(attnrt_runtime *runtime, uint64_t *needed) {
  if (!runtime)
    return ATTNRT_INVALID_ARGUMENT;
  std::unique_ptr<Workspace> workspace = runtime->workspaces.end();
  if (!workspace)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "workspace: expected a thread with one, found none");
  if (needed)
    *needed = workspace->getNeeded();
  return ATTNRT_SUCCESS;
}
