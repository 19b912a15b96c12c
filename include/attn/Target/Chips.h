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
  /// The PTX ISA version that code for the chip uses, times ten. It is the
  /// lowest version that has the chip as a target, and has all instructions
  /// that the compiler emits for the chip. Instructions for 8-bit floats do not
  /// count here (see withNeededPTX()).
  int ptxVersion;
  /// The largest number of bytes of shared memory that a CTA can have.
  int sharedBytes;
  /// The largest number of threads, and the largest number of CTAs, that an SM
  /// can have at a time.
  int threadsPerSM;
  int ctasPerSM;
  /// Whether the chip has wgmma.
  bool hasWgmma = false;

  /// Returns the number in the chip's name, for example 90 for sm_90a.
  int getNumber() const;

  /// Whether the chip's mma.sync and its conversions support 8-bit floats.
  bool hasFloat8() const { return getNumber() >= 89; }

  /// Whether an mma.sync of 8-bit floats is one instruction of the chip, whose
  /// sums lose low bits. On Hopper, ptxas extends the operands of such an
  /// mma.sync to f16 instead (docs/lab/eight-bits.md).
  bool multipliesFloat8() const { return hasFloat8() && getNumber() != 90; }

  /// Whether the chip has the tensor memory accelerator (TMA) and the mbarriers
  /// that TMA uses.
  bool hasTma() const { return getNumber() >= 90; }

  /// Whether the chip can launch a kernel before earlier kernels have ended,
  /// for which the kernel then waits (griddepcontrol).
  bool hasDependentLaunch() const { return getNumber() >= 90; }

  /// Whether warpgroups can change the number of their registers by setmaxnreg.
  /// On sm_120a and sm_121a this is false, since ptxas 13.0 accepts the
  /// instruction for them but ignores it.
  bool hasRegisterSplit() const {
    return hasTma() && name.ends_with("a") && getNumber() < 120;
  }

  /// Whether a GPU of compute capability `major.minor` runs PTX that was
  /// compiled for this chip. The chip's own capability and newer ones do. For a
  /// chip with the suffix "f", the GPU must have the same major number, and for
  /// one with the suffix "a" exactly the chip's capability.
  bool runsOn(int major, int minor) const;

  /// Returns how many CTAs fit on an SM at a time, if each has `threads`
  /// threads, `registers` registers for each thread, and `sharedBytes` bytes of
  /// shared memory.
  int getCTAsPerSM(int threads, int registers, int sharedBytes) const;
};

llvm::ArrayRef<Chip> getChips();

/// Returns the chip called `name`. If there is none, the returned error lists
/// the known chips.
llvm::Expected<Chip> findChip(llvm::StringRef name);

/// Returns the chip for a GPU of compute capability `major.minor`, with all
/// architecture-specific features of that GPU. For an unknown GPU, returns an
/// older chip whose code the GPU can run. Fails if there is no such chip, which
/// is so below compute capability 8.0.
llvm::Expected<Chip> findChipFor(int major, int minor);

} // namespace mlir::attn

#endif // ATTN_TARGET_CHIPS_H
