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
#include "llvm/Support/WithColor.h"

using namespace attnc;
using namespace mlir::attn;

using Kind = TargetChoice::Kind;

static constexpr char kNoGPU[] = "no GPU can be used: ";

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
    llvm::WithColor::note(llvm::errs(), "attnc")
        << "target auto is the host, since " << kNoGPU
        << llvm::toString(found.takeError()) << "\n";
    return std::nullopt;
  }
  return llvm::createStringError(
      "expected the name of a chip, such as --target sm_90a, since there is no "
      "GPU to compile for: " +
      llvm::toString(found.takeError()));
}

std::string ChosenRunner::describe() const {
  std::string description = runner->getDescription();
  return whyNoGPU.empty() ? description
                          : description + ", since " + kNoGPU + whyNoGPU;
}

llvm::Expected<ChosenRunner> attnc::createRunnerOn(const TargetChoice &target,
                                                   CudaRunnerOptions options,
                                                   llvm::StringRef cpu) {
  std::string whyNoGPU;
  if (target.kind != Kind::Host) {
    options.chip = target.chip;
    auto runner = createCudaRunner(options);
    if (runner)
      return ChosenRunner(std::move(*runner));
    whyNoGPU = llvm::toString(runner.takeError());
    if (target.kind == Kind::Cuda)
      return llvm::createStringError(
          "target cuda: " + whyNoGPU +
          "; target simulate runs kernels without a GPU");
  }
  auto host = createHostRunner(cpu);
  if (!host)
    return host.takeError();
  ChosenRunner chosen(std::move(*host));
  chosen.isHost = true;
  chosen.whyNoGPU = std::move(whyNoGPU);
  return chosen;
}
