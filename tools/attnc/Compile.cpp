//===- Compile.cpp - attnc compile ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Host.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Process.h"
#include "llvm/Target/TargetMachine.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::compileCommand("compile",
                                     "Compile a module to a stage of the "
                                     "pipeline");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::sub(compileCommand), cl::desc("FILE"));
static cl::opt<std::string> target("target", cl::sub(compileCommand),
                                   cl::value_desc("host"), cl::init("host"),
                                   cl::desc("What runs the code"));
static cl::opt<std::string>
    cpu("cpu", cl::sub(compileCommand), cl::value_desc("NAME"),
        cl::desc("CPU of the host target, as LLVM names it (default: this "
                 "machine's)"));
namespace {
enum class Stage { Tile, MLIR, LLVM, Object };
} // namespace
static cl::opt<Stage>
    emit("emit", cl::sub(compileCommand), cl::desc("What to write"),
         cl::values(clEnumValN(Stage::Tile, "tile", "Tile programs"),
                    clEnumValN(Stage::MLIR, "mlir", "MLIR in the LLVM dialect"),
                    clEnumValN(Stage::LLVM, "llvm", "Optimised LLVM IR"),
                    clEnumValN(Stage::Object, "obj",
                               "An object file with the C functions attn_NAME "
                               "(default)")),
         cl::init(Stage::Object));
static cl::opt<std::string> output("o", cl::sub(compileCommand),
                                   cl::value_desc("FILE"), cl::init("-"),
                                   cl::desc("Output file (default: standard "
                                            "output)"));

static void buildTilePipeline(mlir::OpPassManager &pm) {
  buildAttnToTilePipeline(pm, TilePipelineOptions());
}

int attnc::runCompile() {
  if (target != "host")
    return reportError(llvm::createStringError(
        "expected target 'host', found '" + target + "'"));
  auto machine = createHostTargetMachine(cpu);
  if (!machine)
    return reportError(machine.takeError());
  if (emit == Stage::Object && output == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return reportError(llvm::createStringError(
        "expected -o FILE for an object file, found a terminal"));

  LoadedModule module;
  if (!module.loadFile(input))
    return 1;
  bool hasEntry = llvm::any_of(
      module.get().getOps<mlir::func::FuncOp>(), [](mlir::func::FuncOp func) {
        return func.isPublic() && !func.isDeclaration();
      });
  if (!hasEntry)
    return reportError(
        llvm::createStringError("expected a public function with a body in '" +
                                input + "', found none"));
  if (!lowerTo(module.get(), emit == Stage::Tile ? buildTilePipeline
                                                 : buildAttnToHostPipeline))
    return 1;

  llvm::SmallString<0> contents;
  llvm::raw_svector_ostream os(contents);
  if (emit == Stage::Tile || emit == Stage::MLIR) {
    module.get().print(os);
  } else {
    llvm::LLVMContext context;
    auto translated = translateForHost(module.get(), context, **machine);
    if (!translated)
      return reportError(translated.takeError());
    if (emit == Stage::LLVM)
      (*translated)->print(os, nullptr);
    else if (llvm::Error error = emitObject(**translated, **machine, os))
      return reportError(std::move(error));
  }
  if (llvm::Error error = writeFile(output, contents))
    return reportError(std::move(error));
  return 0;
}
