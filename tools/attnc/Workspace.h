//===- Workspace.h - Memory that a program needs besides arrays -*- C++ -*-===//
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

/// Counts what a program allocates, as the pipeline of any target leaves it at
/// the tile level: where no target has memory of its own yet.
class WorkspaceMeter {
public:
  void watch(mlir::PassManager &pm);

  /// In bytes: the most that one way through the program takes, if it freed
  /// nothing. None if sizes are dynamic.
  std::optional<int64_t> getBytes() const { return bytes; }

private:
  std::optional<int64_t> bytes = 0;
};

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_WORKSPACE_H
