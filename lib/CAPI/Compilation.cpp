//===- Compilation.cpp - A module and its lowering to a program -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "attn/Driver/ParseModule.h"
#include "attn/Driver/SilentFailures.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::attn;

static DialectRegistry getDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

Compilation::Compilation(const CompileRequest &request, PassDumps *dumps)
    : request(request), dumps(dumps),
      context(getDialects(), MLIRContext::Threading::DISABLED),
      diagnosticsStream(diagnostics),
      handler(sources, &context, diagnosticsStream) {
  context.printOpOnDiagnostic(false);
  shortenMessages(sources, diagnosticsStream);
}

LogicalResult
Compilation::run(llvm::function_ref<void(OpPassManager &)> buildPipeline,
                 Verify verified) {
  PassManager pm(&context);
  reportSilentFailures(pm);
  // Verify::EachPass verifies the module after each pass, and Verify::AtEnd
  // only after the last one. Verification after each pass would take a third of
  // the time of the passes on kernels.
  pm.enableVerifier(verified == Verify::EachPass);
  if (dumps)
    dumps->watch(pm);
  buildPipeline(pm);
  if (failed(pm.run(*module)))
    return failure();
  return verified == Verify::AtEnd ? verify(*module) : success();
}

LogicalResult Compilation::parse() {
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(request.source, request.sourceName),
      llvm::SMLoc());
  module = parseModule(sources, &context);
  return success(static_cast<bool>(module));
}

void Compilation::setOptions(TilePipelineOptions &options) {
  options.chip = request.getChipName();
  options.access = request.access;
  options.lineinfo = request.lineinfo;
}

LogicalResult Compilation::lowerToTile() {
  return run([&](OpPassManager &pm) {
    TilePipelineOptions options;
    setOptions(options);
    buildAttnToTilePipeline(pm, options);
  });
}

LogicalResult Compilation::lowerToNVVM() {
  if (failed(lowerToTile()))
    return failure();
  TilePipelineOptions options;
  setOptions(options);
  auto runner = [&](auto buildPipeline, Verify verified) {
    return run(buildPipeline, verified);
  };
  return lowerTileToNVVM(*module, options, runner, kernels);
}

LogicalResult Compilation::lowerToLLVM() {
  if (!request.chip)
    return run(buildAttnToHostPipeline);
  TilePipelineOptions options;
  setOptions(options);
  auto runner = [&](auto buildPipeline, Verify verified) {
    return run(buildPipeline, verified);
  };
  return lowerToLaunches(*module, options, runner, kernels, ptx);
}
