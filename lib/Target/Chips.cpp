//===- Chips.cpp - The NVIDIA chips that are known ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Chips.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::attn;
using llvm::StringRef;

/// The known chips, sorted by number, and for one number by features, since
/// findChipFor() takes the last chip that fits. PTX versions are from the
/// "Release Notes" of the PTX ISA (version 8.0 added TMA and its mbarriers).
/// The rest is from "Compute Capabilities" in the CUDA Programming Guide.
/// Before PTX 9.0, sm_110 was called sm_101.
static constexpr Chip kChips[] = {
    {"sm_80", 71, 163 << 10, 2048, 32},
    {"sm_86", 71, 99 << 10, 1536, 16},
    {"sm_87", 74, 163 << 10, 1536, 16},
    {"sm_88", 90, 99 << 10, 1536, 16},
    {"sm_89", 78, 99 << 10, 1536, 24},
    {"sm_90", 80, 227 << 10, 2048, 32},
    {"sm_90a", 83, 227 << 10, 2048, 32, true},
    {"sm_100", 86, 227 << 10, 2048, 32},
    {"sm_100f", 88, 227 << 10, 2048, 32},
    {"sm_100a", 86, 227 << 10, 2048, 32},
    {"sm_101", 86, 227 << 10, 1536, 24},
    {"sm_101f", 88, 227 << 10, 1536, 24},
    {"sm_101a", 86, 227 << 10, 1536, 24},
    {"sm_103", 88, 227 << 10, 2048, 32},
    {"sm_103f", 88, 227 << 10, 2048, 32},
    {"sm_103a", 88, 227 << 10, 2048, 32},
    {"sm_110", 90, 227 << 10, 1536, 24},
    {"sm_110f", 90, 227 << 10, 1536, 24},
    {"sm_110a", 90, 227 << 10, 1536, 24},
    {"sm_120", 87, 99 << 10, 1536, 24},
    {"sm_120f", 88, 99 << 10, 1536, 24},
    {"sm_120a", 87, 99 << 10, 1536, 24},
    {"sm_121", 88, 99 << 10, 1536, 24},
    {"sm_121f", 88, 99 << 10, 1536, 24},
    {"sm_121a", 88, 99 << 10, 1536, 24},
};

llvm::ArrayRef<Chip> mlir::attn::getChips() { return kChips; }

llvm::Expected<Chip> mlir::attn::findChip(llvm::StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return chip;
  // A chip that is older than all in the list, such as "sm_75", gets an error
  // of its own. It is recognised by the number in its name, with or without a
  // suffix.
  int number = name.starts_with("sm_") ? Chip{name, 0, 0, 0, 0}.getNumber() : 0;
  if (number > 0 && number < kChips[0].getNumber())
    return llvm::createStringError(
        "chip '" + name + "' is older than " + kChips[0].name +
        ", the first that has what kernels need: asynchronous copies and MMAs "
        "of bf16");
  std::string known;
  for (const Chip &chip : kChips)
    known += (known.empty() ? "" : ", ") + chip.name.str();
  return llvm::createStringError("unknown chip '" + name +
                                 "', expected one of " + known);
}

int Chip::getNumber() const {
  int number = 0;
  name.drop_front(StringRef("sm_").size())
      .take_while(llvm::isDigit)
      .getAsInteger(10, number);
  return number;
}

bool Chip::runsOn(int major, int minor) const {
  int own = getNumber(), found = 10 * major + minor;
  if (name.ends_with("a"))
    return own == found;
  if (name.ends_with("f"))
    return own / 10 == major && own <= found;
  return own <= found;
}

llvm::Expected<Chip> mlir::attn::findChipFor(int major, int minor) {
  const Chip *best = nullptr;
  for (const Chip &chip : kChips)
    if (chip.runsOn(major, minor))
      best = &chip;
  if (!best)
    return llvm::createStringError(
        "expected a GPU of compute capability 8.0 or later, found " +
        llvm::Twine(major) + "." + llvm::Twine(minor));
  return *best;
}

int Chip::getCTAsPerSM(int threads, int registers, int ctaSharedBytes) const {
  // All chips of the table have these numbers in common. An SM has four
  // schedulers with 16384 registers each, which are allocated to warps in units
  // of 256. Shared memory is allocated in units of 128 bytes, and the driver
  // reserves 1024 bytes for each CTA.
  constexpr int kSchedulers = 4, kSchedulerRegisters = 16384;
  constexpr int kReservedBytes = 1024;
  int warps = llvm::divideCeil(threads, 32);
  if (warps == 0)
    return 0;
  int ctas = std::min(ctasPerSM, threadsPerSM / (32 * warps));
  // The warps of several CTAs share a scheduler's registers. A CTA starts only
  // if it would also fit with as many warps in each scheduler.
  if (int warpRegisters = llvm::alignTo(32 * registers, 256)) {
    int most = kSchedulerRegisters / warpRegisters * kSchedulers;
    bool fits = static_cast<int>(llvm::alignTo(warps, kSchedulers)) <= most;
    ctas = fits ? std::min(ctas, most / warps) : 0;
  }
  int ctaBytes = llvm::alignTo(ctaSharedBytes, 128) + kReservedBytes;
  return std::min(ctas, (sharedBytes + kReservedBytes) / ctaBytes);
}
