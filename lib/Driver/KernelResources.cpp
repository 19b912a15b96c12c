//===- KernelResources.cpp - Resources that kernels take ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/KernelResources.h"
#include "SharedMemory.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Driver/Assembler.h"
#include "attn/Driver/CudaDevice.h"
#include "attn/Driver/KernelLowering.h"
#include "attn/Target/PTX.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::attn;

llvm::StringMap<KernelPlan> mlir::attn::getPlans(ModuleOp module) {
  llvm::StringMap<KernelPlan> plans;
  module.walk([&](attn_gpu::KernelOp kernel) {
    KernelPlan &plan = plans[kernel.getSymName()];
    plan.schedule = llvm::formatv("{0}", Attribute(kernel.getSchedule()));
    if (std::optional<ArrayAttr> reasons = kernel.getReasons())
      for (auto reason : reasons->getAsRange<StringAttr>())
        plan.reasons.push_back(reason.str());
    // If the schedule has reasons and the kernel uses shared memory, a
    // description of this memory is inserted before the last reason, which is
    // about the kind of copies.
    if (!plan.reasons.empty() && kernel.getSharedBytes() > 0)
      plan.reasons.insert(std::prev(plan.reasons.end()),
                          "shared memory: " + describeSharedMemory(kernel));
  });
  return plans;
}

static int getConstant(Value value) {
  APInt constant;
  if (!value || !matchPattern(value, m_ConstantInt(&constant)))
    return 0;
  return constant.getSExtValue();
}

SmallVector<KernelResources>
mlir::attn::getKernels(ModuleOp module,
                       const llvm::StringMap<KernelPlan> &plans) {
  SmallVector<KernelResources> kernels;
  llvm::StringMap<bool> seen;
  module.walk([&](gpu::LaunchFuncOp launch) {
    StringRef name = launch.getKernelName().getValue();
    if (!seen.try_emplace(name).second)
      return;
    KernelResources &kernel = kernels.emplace_back();
    kernel.name = name.str();
    kernel.plan = plans.lookup(name);
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    kernel.threads =
        getConstant(block.x) * getConstant(block.y) * getConstant(block.z);
    kernel.dynamicSharedBytes =
        getConstant(launch.getDynamicSharedMemorySize());
  });
  return kernels;
}

std::string mlir::attn::getPTX(ModuleOp module) {
  SmallVector<StringRef> texts;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto object = cast<gpu::ObjectAttr>(binary.getObjectsAttr()[0]);
    texts.push_back(object.getObject().getValue());
  }
  return joinPTX(texts);
}

/// Returns the number that the first group of the regular expression `pattern`
/// matches in `text`, or nothing if the expression does not match.
static std::optional<int> findNumber(StringRef text, StringRef pattern) {
  SmallVector<StringRef> groups;
  int number;
  if (!llvm::Regex(pattern).match(text, &groups) ||
      groups[1].getAsInteger(10, number))
    return std::nullopt;
  return number;
}

llvm::Error mlir::attn::addFromPtxas(MutableArrayRef<KernelResources> kernels,
                                     StringRef log, const Chip &chip) {
  for (KernelResources &kernel : kernels) {
    // In ptxas's output, the lines about a kernel follow the kernel's name, and
    // end before the name of the next kernel.
    StringRef said = log.split("Compiling entry function '" + kernel.name + "'")
                         .second.split("Compiling entry function")
                         .first;
    kernel.registers = findNumber(said, "Used ([0-9]+) registers");
    kernel.localBytes = findNumber(said, "([0-9]+) bytes stack frame");
    kernel.spillStores = findNumber(said, "([0-9]+) bytes spill stores");
    kernel.spillLoads = findNumber(said, "([0-9]+) bytes spill loads");
    if (!kernel.registers || !kernel.spillStores || !kernel.spillLoads)
      return llvm::createStringError(
          "expected registers and spills of kernel '" + kernel.name +
          "' in what ptxas says, found:\n" + log.rtrim());
    kernel.staticSharedBytes =
        findNumber(said, "([0-9]+) bytes smem").value_or(0);
    kernel.ctasPerSM = chip.getCTAsPerSM(kernel.threads, *kernel.registers,
                                         *kernel.staticSharedBytes +
                                             kernel.dynamicSharedBytes);
  }
  return llvm::Error::success();
}

llvm::Expected<std::string>
mlir::attn::addFromDriver(MutableArrayRef<KernelResources> kernels,
                          StringRef ptx, const Chip &chip) {
  auto device = CudaDevice::open();
  if (!device)
    return device.takeError();
  if (llvm::Error error = (*device)->checkRuns(chip))
    return std::move(error);
  std::string image = ptx.str(), name = chip.name.str();
  attnrt_program program = {image.c_str(), image.size() + 1, "attn_kernels",
                            name.c_str()};
  for (KernelResources &kernel : kernels) {
    attnrt_kernel_info info;
    if (llvm::Error error = (*device)->check(attnrt_get_kernel_info(
            (*device)->getRuntime(), &program, kernel.name.c_str(),
            kernel.threads, kernel.dynamicSharedBytes, &info)))
      return std::move(error);
    kernel.registers = info.registers;
    kernel.localBytes = info.local_bytes;
    kernel.staticSharedBytes = info.static_shared_bytes;
    kernel.ctasPerSM = info.ctas_per_sm;
  }
  return std::string((*device)->getInfo().name);
}

std::string mlir::attn::measure(MutableArrayRef<KernelResources> kernels,
                                StringRef ptx, const Chip &chip,
                                std::optional<StringRef> ptxas) {
  auto addFromProgram = [&]() -> llvm::Expected<std::string> {
    llvm::Expected<std::string> program = findPtxas(ptxas);
    if (!program)
      return program.takeError();
    llvm::Expected<Assembly> assembly = runPtxas(*program, ptx, chip);
    if (!assembly)
      return assembly.takeError();
    if (llvm::Error error = addFromPtxas(kernels, assembly->log, chip))
      return std::move(error);
    return *program;
  };
  llvm::Expected<std::string> program = addFromProgram();
  if (program)
    return "as " + *program + " says; CTAs/SM are computed";
  std::string reason = llvm::toString(program.takeError());
  if (auto device = addFromDriver(kernels, ptx, chip))
    return "as the driver of " + *device + " says; " + reason;
  else
    return "'?' is not known: " + llvm::toString(device.takeError()) + "; " +
           reason;
}

static void printTable(ArrayRef<KernelResources> kernels,
                       llvm::raw_ostream &os) {
  auto asText = [](std::optional<int> number) {
    return number ? std::to_string(*number) : "?";
  };
  SmallVector<SmallVector<std::string>> rows = {
      {"kernel", "threads", "registers", "spill stores", "spill loads",
       "local bytes", "static shared", "dynamic shared", "CTAs/SM",
       "schedule"}};
  for (const KernelResources &kernel : kernels) {
    rows.push_back({kernel.name, asText(kernel.threads),
                    asText(kernel.registers), asText(kernel.spillStores),
                    asText(kernel.spillLoads), asText(kernel.localBytes),
                    asText(kernel.staticSharedBytes),
                    asText(kernel.dynamicSharedBytes), asText(kernel.ctasPerSM),
                    kernel.plan.schedule.empty() ? "?" : kernel.plan.schedule});
  }
  SmallVector<size_t> widths(rows.front().size());
  for (ArrayRef<std::string> row : rows)
    for (auto [width, text] : llvm::zip(widths, row))
      width = std::max(width, text.size());
  // The first and the last column of the table are aligned left, and the
  // columns between them, which have numbers, right.
  for (ArrayRef<std::string> row : rows) {
    os << llvm::left_justify(row.front(), widths.front());
    for (size_t i = 1; i + 1 < row.size(); ++i)
      os << "  " << llvm::right_justify(row[i], widths[i]);
    os << "  " << row.back() << "\n";
  }
}

void mlir::attn::printReport(ArrayRef<KernelResources> kernels,
                             StringRef source, llvm::raw_ostream &os) {
  printTable(kernels, os);
  os << source << "\n";
  for (const KernelResources &kernel : kernels)
    for (StringRef reason : kernel.plan.reasons)
      os << kernel.name << ": " << reason << "\n";
  // Only the main kernels of an attention op have reasons for their schedules.
  // Kernels without reasons are listed as helpers.
  SmallVector<StringRef> helpers;
  for (const KernelResources &kernel : kernels)
    if (kernel.plan.reasons.empty())
      helpers.push_back(kernel.name);
  if (!helpers.empty() && helpers.size() < kernels.size())
    os << llvm::join(helpers, ", ")
       << ": smaller programs, which make what the others read (under a mask "
          "region lists of the blocks that it leaves) or add up what these "
          "write\n";
}

LogicalResult
mlir::attn::lowerTileToNVVM(ModuleOp module, const TilePipelineOptions &options,
                            PassRunner run,
                            SmallVectorImpl<KernelResources> &kernels) {
  if (failed(run(buildTileToLaunchesPipeline, Verify::EachPass)) ||
      failed(run(buildLaunchesToGPUPipeline, Verify::EachPass)))
    return failure();
  // The schedules are read here, since later passes replace the attn_gpu.kernel
  // ops that have them.
  llvm::StringMap<KernelPlan> plans = getPlans(module);
  if (failed(
          run([&](OpPassManager &pm) { buildGPUToNVVMPipeline(pm, options); },
              Verify::AtEnd)))
    return failure();
  kernels = getKernels(module, plans);
  return success();
}

LogicalResult mlir::attn::lowerToLaunches(
    ModuleOp module, const TilePipelineOptions &options, PassRunner run,
    SmallVectorImpl<KernelResources> &kernels, std::string &ptx) {
  if (failed(
          run([&](OpPassManager &pm) { buildAttnToTilePipeline(pm, options); },
              Verify::EachPass)) ||
      failed(lowerTileToNVVM(module, options, run, kernels)) ||
      failed(run(buildNVVMToPTXPipeline, Verify::AtEnd)))
    return failure();
  ptx = getPTX(module);
  return run(buildLaunchToLLVMPipeline, Verify::AtEnd);
}
