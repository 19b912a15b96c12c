//===- Compile.cpp - attnc compile ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "Enum.h"

#include "attn/Driver/Assembler.h"
#include "attn/Driver/KernelLowering.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Host.h"
#include "attn/Target/PTX.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/TargetMachine.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::compileCommand("compile",
                                     "Compile a module to a stage of the "
                                     "pipeline");

namespace attnc::compile_command {

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::sub(compileCommand), cl::desc("FILE"));
static cl::opt<bool>
    raises("raise", cl::sub(compileCommand),
           cl::desc("Find attention in IR of other compilers first, as "
                    "attn-opt's -attn-raise does; their dialects need not be "
                    "known"));
static cl::opt<std::string> target(
    "target", cl::sub(compileCommand), cl::value_desc(kTargets),
    cl::init("host"),
    cl::desc("Target to compile for; cuda means the GPU's chip, auto that or, "
             "without a GPU, the host, and simulate the chip whose kernels the "
             "simulator runs (default: host, or cuda with --chip)"));
static cl::opt<std::string> chipName(
    "chip", cl::sub(compileCommand), cl::value_desc("sm_..."),
    cl::desc("Chip of the cuda target (default: the GPU's own), or of the "
             "simulate target (default: sm_90a)"));
static cl::opt<std::string>
    cpu("cpu", cl::sub(compileCommand), cl::value_desc("NAME"),
        cl::desc("CPU of the host target, as LLVM names it (default: this "
                 "machine's)"));
namespace {
enum class Stage { Tile, MLIR, LLVM, Object, NVVM, PTX, Cubin };
} // namespace
static EnumOption<Stage>
    emit("emit", cl::sub(compileCommand), cl::desc("What to write"),
         cl::values(clEnumValN(Stage::Tile, "tile", "Tile programs"),
                    clEnumValN(Stage::MLIR, "mlir", "MLIR in the LLVM dialect"),
                    clEnumValN(Stage::LLVM, "llvm", "Optimised LLVM IR"),
                    clEnumValN(Stage::Object, "obj",
                               "An object file with the C functions attn_NAME "
                               "(default for the host)"),
                    clEnumValN(Stage::NVVM, "nvvm",
                               "Kernels in the LLVM and NVVM dialects"),
                    clEnumValN(Stage::PTX, "ptx", "PTX (default for a chip)"),
                    clEnumValN(Stage::Cubin, "cubin",
                               "Machine code for a chip, made by ptxas or else "
                               "by the CUDA driver")),
         cl::init(Stage::Object));
static cl::opt<std::string> access(
    "access", cl::sub(compileCommand),
    cl::value_desc("auto|tma|async16|narrow"), cl::init("auto"),
    cl::desc("For a chip: kernels for rows that begin at multiples of 16 bytes "
             "(async16), at any element (narrow), or both where the types do "
             "not tell (auto, the default)"));
static cl::opt<std::string>
    lineinfo("lineinfo", cl::sub(compileCommand), cl::value_desc("FILE"),
             cl::desc("For a chip: write the tile programs to FILE, and add "
                      "line tables to the kernels that refer to it"));
static cl::opt<bool> resources(
    "resources", cl::sub(compileCommand),
    cl::desc("For a chip: print the resources of each kernel, from ptxas or "
             "else from the CUDA driver, and the reasons for its schedule; to "
             "standard error if the code is written to standard output"));
static cl::opt<std::string>
    ptxas("ptxas", cl::sub(compileCommand), cl::value_desc("FILE"),
          cl::desc("For --emit cubin and --resources: the ptxas to use; an "
                   "empty name means none (default: one in PATH, CUDA_HOME, "
                   "CUDA_PATH or /usr/local/cuda)"));
static cl::opt<std::string> output("o", cl::sub(compileCommand),
                                   cl::value_desc("FILE"), cl::init("-"),
                                   cl::desc("Output file (default: standard "
                                            "output)"));

/// Translates the module, which is lowered for the host, as far as the
/// requested stage needs (MLIR, LLVM IR or object code), and writes the result
/// to `os`.
static llvm::Error compileForHost(mlir::ModuleOp module,
                                  llvm::TargetMachine &machine,
                                  llvm::raw_pwrite_stream &os) {
  if (emit == Stage::MLIR) {
    module.print(os);
    return llvm::Error::success();
  }
  llvm::LLVMContext context;
  auto translated = translateForHost(module, context, machine);
  if (!translated)
    return translated.takeError();
  if (emit == Stage::LLVM) {
    (*translated)->print(os, nullptr);
    return llvm::Error::success();
  }
  return emitObject(**translated, machine, os);
}

static std::optional<llvm::StringRef> getPtxas() {
  if (!ptxas.getNumOccurrences())
    return std::nullopt;
  return llvm::StringRef(ptxas);
}

static void report(llvm::MutableArrayRef<KernelResources> kernels,
                   llvm::StringRef ptx, const Chip &chip) {
  printReport(kernels, measure(kernels, ptx, chip, getPtxas()),
              output == "-" ? llvm::errs() : llvm::outs());
}

/// Translates the kernels of the module, which is lowered for a chip, as far as
/// the requested stage needs (NVVM, PTX or a cubin), and writes the result to
/// `os`. Fails if there is not exactly one module of kernels, except for NVVM.
/// `ptx` becomes the PTX.
static llvm::Error compileForChip(mlir::ModuleOp module, const Chip &chip,
                                  std::string &ptx, llvm::raw_ostream &os) {
  if (emit == Stage::NVVM) {
    module.print(os);
    return llvm::Error::success();
  }
  auto kernels = llvm::to_vector(module.getOps<mlir::gpu::GPUModuleOp>());
  if (kernels.empty())
    return llvm::createStringError(
        "expected an attention op, a loop over its programs of tiles, or "
        "another op that runs on a GPU, found none in a public function of '" +
        input + "'");
  if (kernels.size() != 1)
    return llvm::createStringError("expected one module of kernels for --emit "
                                   "ptx and cubin, found " +
                                   llvm::Twine(kernels.size()));
  if (failed(checkTranslatable(kernels.front(), chip)))
    return llvm::createStringError("the kernels have no PTX");
  auto translated = PTXCompilation::translate(
      kernels.front(), withNeededPTX(kernels.front(), chip));
  if (!translated)
    return translated.takeError();
  if (llvm::Error error = translated->compile().moveInto(ptx))
    return error;
  if (emit == Stage::PTX) {
    os << ptx;
    return llvm::Error::success();
  }
  llvm::Expected<Assembly> assembly = assemble(ptx, chip, getPtxas());
  if (!assembly)
    return assembly.takeError();
  // An empty log of the assembler means that the driver's linker assembled the
  // PTX, not ptxas. Such code can be linked with other code, but its wgmma is
  // slow, so a warning is printed.
  if (assembly->log.empty() && chip.hasWgmma)
    llvm::WithColor::warning(llvm::errs(), "attnc")
        << "the driver's linker made the code for " << chip.name
        << ", in which wgmma is several times slower; ptxas makes fast code, "
           "and "
           "so does the driver from PTX\n";
  os << assembly->cubin;
  return llvm::Error::success();
}

static int run() {
  llvm::Expected<std::optional<Chip>> found = findTarget(
      chipName.empty() || target.getNumOccurrences() ? llvm::StringRef(target)
                                                     : "cuda",
      chipName);
  if (!found)
    return reportError(found.takeError());
  std::optional<Chip> chip = *found;
  std::unique_ptr<llvm::TargetMachine> machine;
  if (!chip) {
    auto created = createHostTargetMachine(cpu);
    if (!created)
      return reportError(created.takeError());
    machine = std::move(*created);
  } else if (emit.getNumOccurrences() == 0) {
    emit = Stage::PTX;
  }
  bool hasKernels = emit == Stage::PTX || emit == Stage::Cubin;
  bool isGPUStage = emit == Stage::NVVM || hasKernels;
  if (emit != Stage::Tile && isGPUStage != chip.has_value())
    return reportError(llvm::createStringError(
        chip ? "expected --emit tile, nvvm, ptx or cubin for target '" +
                   target + "'"
             : "expected --emit tile, mlir, llvm or obj for target 'host'"));
  if (resources && !hasKernels)
    return reportError(llvm::createStringError(
        "expected --resources with --emit ptx or cubin for a chip alone"));
  if (lineinfo.getNumOccurrences() && !isGPUStage)
    return reportError(llvm::createStringError(
        "expected --lineinfo with --emit nvvm, ptx or cubin for a chip alone"));
  if (llvm::Error error = checkLineinfo(lineinfo))
    return reportError(std::move(error));
  if (ptxas.getNumOccurrences() && emit != Stage::Cubin && !resources)
    return reportError(llvm::createStringError(
        "expected --ptxas with --emit cubin or --resources alone"));
  if ((emit == Stage::Object || emit == Stage::Cubin) && output == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return reportError(llvm::createStringError(
        "expected -o FILE for machine code, found a terminal"));
  // Checks the path of ptxas before any work is done. A wrong path is an error:
  // results without ptxas would not be what the user asked for.
  if (ptxas.getNumOccurrences() && !ptxas.empty())
    if (auto program = findPtxas(getPtxas()); !program)
      return reportError(program.takeError());

  LoadedModule module;
  if (!module.loadFunctions(input, raises))
    return 1;

  TilePipelineOptions options;
  options.access = access;
  options.lineinfo = lineinfo;
  options.chip = chip ? chip->name.str() : "host";
  bool isLowered = lowerTo(module.get(), [&](mlir::OpPassManager &pm) {
    if (emit == Stage::Tile || chip)
      buildAttnToTilePipeline(pm, options);
    else
      buildAttnToHostPipeline(pm);
  });
  if (!isLowered)
    return 1;
  llvm::SmallVector<KernelResources> kernels;
  if (isGPUStage) {
    auto run = [&](llvm::function_ref<void(mlir::OpPassManager &)> build,
                   Verify) {
      return mlir::success(lowerTo(module.get(), build));
    };
    if (failed(lowerTileToNVVM(module.get(), options, run, kernels)))
      return 1;
  }

  std::string ptx;
  llvm::SmallString<0> contents;
  llvm::raw_svector_ostream os(contents);
  llvm::Error error = llvm::Error::success();
  if (emit == Stage::Tile)
    module.get().print(os);
  else if (chip)
    error = compileForChip(module.get(), *chip, ptx, os);
  else
    error = compileForHost(module.get(), *machine, os);
  if (error)
    return reportError(std::move(error));
  if ((error = writeFile(output, contents)))
    return reportError(std::move(error));
  if (resources)
    report(kernels, ptx, *chip);
  return 0;
}

} // namespace attnc::compile_command

int attnc::runCompile() { return compile_command::run(); }
