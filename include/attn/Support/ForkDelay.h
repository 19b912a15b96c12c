//===- ForkDelay.h - Delays forks of the process ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_FORKDELAY_H
#define ATTN_SUPPORT_FORKDELAY_H

namespace mlir::attn {

/// While an object of this class exists, fork() waits in other threads: a
/// process that is forked meanwhile could have locks held by a thread that it
/// does not have. The thread that owns the object must not fork.
class ForkDelay {
public:
  ForkDelay();
  ForkDelay(const ForkDelay &) = delete;
  ForkDelay &operator=(const ForkDelay &) = delete;
  ~ForkDelay();
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_FORKDELAY_H
