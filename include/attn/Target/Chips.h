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

/// The properties of a chip that the compiler needs.
struct Chip {
  llvm::StringRef name;
  /// The lowest PTX ISA version, times ten, that has this chip as a target and
  /// all instructions that the compiler emits for it, except those for 8-bit
  /// floats (see withNeededPTX()).
  int ptxVersion;
  /// The largest number of bytes of shared memory that a CTA can have.
  int sharedBytes;
  /// The largest numbers of threads and of CTAs that an SM can have.
  int threadsPerSM;
  int ctasPerSM;
  /// Whether it has wgmma.
  bool hasWgmma = false;

  /// Returns for example 90 for sm_90a.
  int getNumber() const;

  /// Whether mma.sync and conversions support 8-bit floats.
  bool hasFloat8() const { return getNumber() >= 89; }

  /// Whether it has the tensor memory accelerator (TMA) and its mbarriers.
  bool hasTma() const { return getNumber() >= 90; }

  /// Whether a kernel can be launched early and wait for earlier kernels
  /// (griddepcontrol).
  bool hasDependentLaunch() const { return getNumber() >= 90; }

  /// Whether warpgroups can change their number of registers by setmaxnreg. For
  /// sm_120a and sm_121a, ptxas 13.0 accepts the instruction but ignores it.
  bool hasRegisterSplit() const {
    return hasTma() && name.ends_with("a") && getNumber() < 120;
  }

  /// Whether a GPU of compute capability `major.minor` runs PTX for this chip.
  /// Newer GPUs do as well, except that a chip with the suffix "f" requires the
  /// same major number, and one with "a" exactly this capability.
  bool runsOn(int major, int minor) const;

  /// Returns the number of CTAs that fit on an SM at a time, each with
  /// `threads` threads of `registers` registers and `sharedBytes` of shared
  /// memory.
  int getCTAsPerSM(int threads, int registers, int sharedBytes) const;
};

llvm::ArrayRef<Chip> getChips();

/// Returns the chip called `name`. An error lists the known chips.
llvm::Expected<Chip> findChip(llvm::StringRef name);

/// Returns the chip of a GPU of compute capability `major.minor`, with all of
/// its architecture-specific features. For an unknown GPU, returns an older
/// chip whose code it can run. Fails if there is none, below compute capability
/// 8.0.
llvm::Expected<Chip> findChipFor(int major, int minor);

} // namespace mlir::attn

#endif // ATTN_TARGET_CHIPS_H
