//===- attnc.cpp - The driver ---------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Pipelines/Pipelines.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace attnc;

int attnc::reportError(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::WithColor::error(llvm::errs(), "attnc") << info.message() << "\n";
  });
  return 1;
}

static mlir::DialectRegistry getDialects() {
  mlir::DialectRegistry registry;
  mlir::attn::registerDialects(registry);
  return registry;
}

LoadedModule::LoadedModule()
    : context(getDialects()), handler(sources, &context) {}
LoadedModule::~LoadedModule() = default;

bool LoadedModule::load(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  return static_cast<bool>(module);
}

bool LoadedModule::loadFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    reportError(llvm::createStringError("cannot read '" + path +
                                        "': " + buffer.getError().message()));
    return false;
  }
  return load(std::move(*buffer));
}

bool LoadedModule::loadText(llvm::StringRef text, llvm::StringRef name) {
  return load(llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

bool attnc::lowerTo(mlir::ModuleOp module,
                    void (*buildPipeline)(mlir::OpPassManager &)) {
  mlir::PassManager pm(module.getContext());
  buildPipeline(pm);
  return mlir::succeeded(pm.run(module));
}

llvm::Error attnc::writeFile(llvm::StringRef path, llvm::StringRef contents) {
  if (path == "-") {
    llvm::outs() << contents;
    return llvm::Error::success();
  }
  llvm::Error error =
      llvm::writeToOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
        os << contents;
        return llvm::Error::success();
      });
  if (error)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "compiles attention ops and runs them\n\n"
      "  attnc gen       prints a module with one attention op\n"
      "  attnc compile   compiles a module to a stage of the pipeline\n"
      "  attnc run       compiles a module, runs it and checks its results\n");
  if (genCommand)
    return runGen();
  if (compileCommand)
    return runCompile();
  if (runCommand)
    return runRun();
  return reportError(llvm::createStringError(
      "expected a command, one of gen, compile and run; see attnc --help"));
}
