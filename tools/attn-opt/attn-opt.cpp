//===- attn-opt.cpp - Runs passes on .mlir files --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlantFault.h"
#include "Tosa.h"

#include "attn/Driver/ParseModule.h"
#include "attn/Driver/SilentFailures.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Support/CrashReport.h"
#include "attn/Support/SourceCheck.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// Whether the file is safe to parse: it is bytecode, or text without a fault
/// that would crash MLIR's parser. Otherwise prints an error at the fault.
static bool isSound(const llvm::MemoryBuffer &file) {
  if (isBytecode(file))
    return true;
  std::optional<attn::SourceFault> fault =
      attn::findSourceFault(file.getBuffer());
  if (!fault)
    return true;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(file),
                             llvm::SMLoc());
  attn::shortenMessages(sources, llvm::errs());
  sources.PrintMessage(
      llvm::SMLoc::getFromPointer(file.getBufferStart() + fault->offset),
      llvm::SourceMgr::DK_Error, fault->message);
  return false;
}

/// Runs passes on the input file as MLIR's MlirOptMain does, but checks the
/// text before it is parsed.
static LogicalResult run(StringRef input, StringRef output,
                         const MlirOptMainConfig &config,
                         DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &message);
  std::unique_ptr<llvm::ToolOutputFile> result;
  if (file)
    result = openOutputFile(output, &message);
  if (!result) {
    llvm::WithColor::error(llvm::errs(), "attn-opt") << message << "\n";
    return failure();
  }
  if (!isSound(*file) ||
      failed(MlirOptMain(result->os(), std::move(file), registry, config)))
    return failure();
  result->keep();
  return success();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  attn::registerDialects(registry);
  attn::registerTosaDialect(registry);
  attn::registerPasses();
  attn::registerPipelines();
  attn::registerTosaPasses();
  mlir::attn::registerPlantFaultPass();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Optimiser driver of the attn-mlir dialects\n", registry);
  MlirOptMainConfig fromOptions = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = fromOptions;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    attn::reportSilentFailures(pm);
    return fromOptions.setupPassPipeline(pm);
  });
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  attn::reportCrashes("attn-opt");
  return asMainReturnCode(run(input, output, config, registry));
}
