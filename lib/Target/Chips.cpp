//===- Chips.cpp - The NVIDIA chips that are known
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Chips.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::attn;
using llvm::StringRef;

/// PTX versions: PTX ISA, "Release Notes". Shared memory: CUDA Programming
/// Guide, "Compute Capabilities".
static constexpr Chip kChips[] = {
    {"sm_80", 70, 163 << 10},  {"sm_86", 71, 99 << 10},
    {"sm_87", 74, 163 << 10},  {"sm_89", 78, 99 << 10},
    {"sm_90", 78, 227 << 10},  {"sm_90a", 83, 227 << 10, true},
    {"sm_100", 86, 227 << 10}, {"sm_100a", 86, 227 << 10},
    {"sm_103", 88, 227 << 10}, {"sm_103a", 88, 227 << 10},
    {"sm_120", 87, 99 << 10},  {"sm_120a", 87, 99 << 10},
    {"sm_121", 88, 99 << 10},  {"sm_121a", 88, 99 << 10},
};

llvm::ArrayRef<Chip> mlir::attn::getChips() { return kChips; }

llvm::Expected<Chip> mlir::attn::findChip(llvm::StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return chip;
  std::string known;
  for (const Chip &chip : kChips)
    known += (known.empty() ? "" : ", ") + chip.name.str();
  return llvm::createStringError("unknown chip '" + name +
                                 "', expected one of " + known);
}

static int getNumber(const Chip &chip) {
  int number = 0;
  chip.name.drop_front(StringRef("sm_").size())
      .take_while(llvm::isDigit)
      .getAsInteger(10, number);
  return number;
}

bool Chip::runsOn(int major, int minor) const {
  int own = 10 * major + minor;
  return name.ends_with("a") ? getNumber(*this) == own
                             : getNumber(*this) <= own;
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
