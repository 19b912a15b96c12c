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

/// While an object of it exists, fork() waits in other threads, so that a
/// forked process has no lock that is held by a thread missing there. The
/// thread itself must not fork.
class ForkDelay {
public:
  ForkDelay();
  ForkDelay(const ForkDelay &) = delete;
  ForkDelay &operator=(const ForkDelay &) = delete;
  ~ForkDelay();
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_FORKDELAY_H
