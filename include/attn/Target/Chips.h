//===- Chips.h - The NVIDIA chips that are known ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CHIPS_H
#define ATTN_TARGET_CHIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// What the compiler needs to know of a chip.
struct Chip {
  llvm::StringRef name;
  /// The oldest PTX version that can name it, and has what its kernels use,
  /// times ten.
  int ptxVersion;
  /// Shared memory that one CTA can have, in bytes.
  int sharedBytes;
  /// Threads and CTAs that an SM can hold.
  int threadsPerSM;
  int ctasPerSM;
  /// Whether it has wgmma.
  bool hasWgmma = false;

  /// 90 of sm_90a.
  int getNumber() const;

  /// Whether mma.sync and conversions take floats of 8 bits.
  bool hasFloat8() const { return getNumber() >= 89; }

  /// Whether it has the tensor memory accelerator, and barriers for it.
  bool hasTma() const { return getNumber() >= 90; }

  /// Whether a kernel can wait for those before it (griddepcontrol).
  bool hasDependentLaunch() const { return getNumber() >= 90; }

  /// Whether warpgroups can share out their registers anew, by setmaxnreg. Of
  /// sm_120a and sm_121a, ptxas takes and ignores it (13.0).
  bool hasRegisterSplit() const {
    return hasTma() && name.ends_with("a") && getNumber() < 120;
  }

  /// Whether a GPU of compute capability `major.minor` runs its PTX: a newer
  /// one does, but with an "f" at the end of the name only one of the same
  /// major number, and with an "a" only this very one.
  bool runsOn(int major, int minor) const;

  /// CTAs of `threads` threads of `registers` registers each, with
  /// `sharedBytes` of shared memory, that an SM holds at a time.
  int getCTAsPerSM(int threads, int registers, int sharedBytes) const;
};

llvm::ArrayRef<Chip> getChips();

/// The chip of that name; an error lists those that are known.
llvm::Expected<Chip> findChip(llvm::StringRef name);

/// The chip of a GPU of compute capability `major.minor`, with all of its own
/// features; an older one that the GPU can run if it is not known.
llvm::Expected<Chip> findChipFor(int major, int minor);

} // namespace mlir::attn

#endif // ATTN_TARGET_CHIPS_H
