//===- Target.cpp - Parses --target and --chip ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Driver/CudaDevice.h"

#include "llvm/ADT/StringSwitch.h"

using namespace attnc;
using namespace mlir::attn;

using Kind = TargetChoice::Kind;

llvm::Expected<TargetChoice> attnc::readTarget(llvm::StringRef target,
                                               llvm::StringRef chip,
                                               llvm::StringRef others) {
  auto kind = llvm::StringSwitch<std::optional<Kind>>(target)
                  .Case("auto", Kind::Auto)
                  .Case("host", Kind::Host)
                  .Case("cuda", Kind::Cuda)
                  .Case("simulate", Kind::Simulate)
                  .Default(std::nullopt);
  TargetChoice choice{kind.value_or(Kind::Cuda), chip.str()};
  if (!kind && !target.starts_with("sm_"))
    return llvm::createStringError(
        "expected target " + others +
        "auto, host, cuda, simulate or a chip such as sm_90a, found '" +
        target + "'");
  if (!kind) {
    if (!chip.empty() && chip != target)
      return llvm::createStringError("expected one chip, found --target " +
                                     target + " and --chip " + chip);
    choice.chip = target.str();
  }
  if (choice.kind == Kind::Host && !chip.empty())
    return llvm::createStringError(
        "expected --chip for a GPU alone, found target host");
  if (!choice.chip.empty())
    if (llvm::Expected<Chip> found = findChip(choice.chip); !found)
      return found.takeError();
  return choice;
}

/// Returns the chip of the machine's first GPU.
static llvm::Expected<Chip> findOwnChip() {
  auto device = CudaDevice::open();
  if (!device)
    return device.takeError();
  const attnrt_device_info &info = (*device)->getInfo();
  return findChipFor(info.compute_major, info.compute_minor);
}

llvm::Expected<std::optional<Chip>> attnc::findTarget(llvm::StringRef target,
                                                      llvm::StringRef chip) {
  llvm::Expected<TargetChoice> choice = readTarget(target, chip);
  if (!choice)
    return choice.takeError();
  if (choice->kind == Kind::Host)
    return std::nullopt;
  if (choice->chip.empty() && choice->kind == Kind::Simulate)
    choice->chip = SimulatingRunnerOptions().chip;
  llvm::Expected<Chip> found =
      choice->chip.empty() ? findOwnChip() : findChip(choice->chip);
  if (found)
    return *found;
  if (choice->kind == Kind::Auto && choice->chip.empty()) {
    llvm::consumeError(found.takeError());
    return std::nullopt;
  }
  return llvm::createStringError(
      "expected the name of a chip, such as --target sm_90a, since there is no "
      "GPU to compile for: " +
      llvm::toString(found.takeError()));
}

llvm::Expected<std::unique_ptr<Runner>>
attnc::createRunnerOn(const TargetChoice &target, CudaRunnerOptions options,
                      llvm::StringRef cpu, bool &isHost) {
  isHost = target.kind == Kind::Host;
  if (isHost)
    return createHostRunner(cpu);
  options.chip = target.chip;
  auto runner = createCudaRunner(options);
  if (runner)
    return runner;
  if (target.kind == Kind::Cuda)
    return llvm::createStringError(
        "target cuda: " + llvm::toString(runner.takeError()) +
        "; target simulate runs kernels without a GPU");
  llvm::consumeError(runner.takeError());
  isHost = true;
  return createHostRunner(cpu);
}
