//===- Inspect.cpp - attnc inspect ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Driver/Assembler.h"
#include "attn/Driver/CudaDevice.h"
#include "attn/Driver/KernelLowering.h"
#include "attn/Driver/PassDumps.h"
#include "attn/Pipelines/Pipelines.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::inspectCommand("inspect",
                                     "Show what kernels take, why, and the IR "
                                     "after passes");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::sub(inspectCommand), cl::desc("FILE"));
static cl::opt<std::string>
    target("target", cl::sub(inspectCommand), cl::value_desc("host|sm_..."),
           cl::desc("What runs the code (default: this machine's GPU)"));
static cl::opt<std::string> access(
    "access", cl::sub(inspectCommand),
    cl::value_desc("auto|tma|async16|narrow"), cl::init("auto"),
    cl::desc("For a chip: what kernels may assume of addresses; see attnc "
             "compile"));
static cl::list<std::string>
    after("after", cl::sub(inspectCommand), cl::CommaSeparated,
          cl::value_desc("PASS,..."),
          cl::desc("Print the IR after each run of these passes, by the names "
                   "that attn-opt has for them, or of all"));
static cl::opt<std::string>
    ptxas("ptxas", cl::sub(inspectCommand), cl::value_desc("PATH"),
          cl::desc("The ptxas to ask; an empty name means none (default: one "
                   "in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda)"));
static cl::opt<std::string> output("o", cl::sub(inspectCommand),
                                   cl::value_desc("FILE"), cl::init("-"),
                                   cl::desc("Output file (default: standard "
                                            "output)"));

/// The target that was asked for, or else the first GPU's chip.
static llvm::Expected<std::optional<Chip>> chooseTarget() {
  if (target.getNumOccurrences())
    return findTarget(target);
  auto device = CudaDevice::open();
  if (!device)
    return llvm::createStringError("expected --target, since there is no GPU "
                                   "to inspect code for: " +
                                   llvm::toString(device.takeError()));
  const attnrt_device_info &info = (*device)->getInfo();
  return findChipFor(info.compute_major, info.compute_minor);
}

/// Lowers for a chip, all the way; says what is wrong where it fails.
static bool lowerKernels(mlir::ModuleOp module, const Chip &chip,
                         PassDumps &dumps,
                         llvm::SmallVector<KernelResources> &kernels,
                         std::string &ptx) {
  TilePipelineOptions options;
  options.access = access;
  options.chip = chip.name.str();
  auto run = [&](llvm::function_ref<void(mlir::OpPassManager &)> build) {
    return mlir::success(lowerTo(module, build, &dumps));
  };
  return mlir::succeeded(lowerToLaunches(module, options, run, kernels, ptx));
}

int attnc::runInspect() {
  llvm::Expected<std::optional<Chip>> chip = chooseTarget();
  if (!chip)
    return reportError(chip.takeError());
  if (!*chip && after.empty())
    return reportError(llvm::createStringError(
        "expected --after for target 'host', which has no kernels"));
  if (!*chip && (ptxas.getNumOccurrences() || access.getNumOccurrences()))
    return reportError(llvm::createStringError(
        "expected --ptxas and --access for a chip alone"));
  std::optional<llvm::StringRef> givenPtxas;
  if (ptxas.getNumOccurrences())
    givenPtxas = ptxas;
  // Before any work: a wrong name is no reason to do without.
  if (!ptxas.empty())
    if (auto program = findPtxas(givenPtxas); !program)
      return reportError(program.takeError());

  LoadedModule module;
  if (!module.loadFunctions(input))
    return 1;
  // Dumps show the whole module, which no other thread may be changing.
  module.getContext().disableMultithreading();
  PassDumps dumps(after);
  llvm::SmallVector<KernelResources> kernels;
  std::string ptx;
  bool isLowered = *chip
                       ? lowerKernels(module.get(), **chip, dumps, kernels, ptx)
                       : lowerTo(module.get(), buildAttnToHostPipeline, &dumps);
  llvm::Expected<llvm::StringRef> text = dumps.get();
  if (!isLowered) {
    // The IR before the error tells most. Not all passes have run, so that a
    // name that is none of theirs need not be wrong.
    if (text && !text->empty())
      llvm::consumeError(writeFile(output, *text));
    llvm::consumeError(text.takeError());
    return 1;
  }
  if (!text)
    return reportError(llvm::createStringError(
        "--after: expected " + llvm::toString(text.takeError())));

  std::string contents;
  llvm::raw_string_ostream os(contents);
  if (*chip && kernels.empty())
    os << "no kernels\n";
  else if (*chip)
    printReport(kernels, measure(kernels, ptx, **chip, givenPtxas), os);
  os << *text;
  if (llvm::Error error = writeFile(output, contents))
    return reportError(std::move(error));
  return 0;
}
