//===- Workspace.h - Memory that a program allocates ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_WORKSPACE_H
#define ATTN_TOOLS_ATTNC_WORKSPACE_H

#include "mlir/Pass/PassManager.h"

#include <cstdint>
#include <optional>

namespace attnc {

/// Counts the bytes of workspace that a program allocates, at the tile level
/// (L1), where they do not depend on the target yet.
class WorkspaceMeter {
public:
  void watch(mlir::PassManager &pm);

  /// Returns the largest sum of allocations, in bytes, on a path through the
  /// program; std::nullopt if sizes are dynamic.
  std::optional<int64_t> getBytes() const { return bytes; }

private:
  std::optional<int64_t> bytes = 0;
};

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_WORKSPACE_H
