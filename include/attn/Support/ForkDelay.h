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

/// Delays forks of the process: while an object of this class exists, a call of
/// fork() in another thread waits. Otherwise the forked process could have a
/// lock that is held by a thread that the forked process does not have. The
/// thread that owns the object must not fork.
class ForkDelay {
public:
  ForkDelay();
  ForkDelay(const ForkDelay &) = delete;
  ForkDelay &operator=(const ForkDelay &) = delete;
  ~ForkDelay();
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_FORKDELAY_H
