//===- Inspect.cpp - attnc inspect ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Driver/Assembler.h"
#include "attn/Driver/BlockMap.h"
#include "attn/Driver/KernelLowering.h"
#include "attn/Driver/PassDumps.h"
#include "attn/Pipelines/Pipelines.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::inspectCommand("inspect",
                                     "Show what kernels take, why, and the IR "
                                     "after passes");

namespace attnc::inspect_command {

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::sub(inspectCommand), cl::desc("FILE"));
static cl::opt<bool>
    raises("raise", cl::sub(inspectCommand),
           cl::desc("Find attention in IR of other compilers first, as "
                    "attn-opt's -attn-raise does; their dialects need not be "
                    "known"));
static cl::list<std::string> arguments(
    cl::Positional, cl::sub(inspectCommand), cl::value_desc("ARG..."),
    cl::desc("With --blocks: the entry's arguments, as for attnc run"));
static cl::opt<std::string>
    blocks("blocks", cl::sub(inspectCommand), cl::value_desc("ROWSxKEYS[:B,H]"),
           cl::desc("In place of kernels: which blocks of this size of the "
                    "scores of @main's one attention op are skipped (-), full "
                    "(#) and partial (+) for the arguments that follow, and a "
                    "map of batch entry B and head H (default 0,0)"));
static cl::list<std::string>
    shapes("shape", cl::sub(inspectCommand), cl::value_desc("K=4x12x1024x64"),
           cl::desc("With --blocks: sizes of argument K, counted from 0"));
static cl::list<std::string> strides(
    "strides", cl::sub(inspectCommand), cl::value_desc("K=AxBxCx1"),
    cl::desc("With --blocks: strides of argument K, where its type leaves "
             "them open"));
static cl::opt<std::string>
    target("target", cl::sub(inspectCommand), cl::value_desc(kTargets),
           cl::init("cuda"),
           cl::desc("Target to compile for; host only with --after (default: "
                    "cuda, the GPU's chip)"));
static cl::opt<std::string> chipName(
    "chip", cl::sub(inspectCommand), cl::value_desc("sm_..."),
    cl::desc("Chip of the cuda target (default: the GPU's own), or of the "
             "simulate target (default: sm_90a)"));
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

/// Lowers the module to PTX for a chip, and fills `dumps`, `kernels` and `ptx`.
/// Returns false on failure, after printing errors.
static bool lowerKernels(mlir::ModuleOp module, const Chip &chip,
                         PassDumps &dumps,
                         llvm::SmallVector<KernelResources> &kernels,
                         std::string &ptx) {
  TilePipelineOptions options;
  options.access = access;
  options.chip = chip.name.str();
  auto run = [&](llvm::function_ref<void(mlir::OpPassManager &)> build,
                 Verify) {
    return mlir::success(lowerTo(module, build, &dumps));
  };
  return mlir::succeeded(lowerToLaunches(module, options, run, kernels, ptx));
}

/// Parses the sizes of a block of scores (rows x keys), such as "64x128", and,
/// if they follow a colon, the batch entry and the head: "64x128:1,0".
static bool parseBlocks(llvm::StringRef text, int64_t &rows, int64_t &keys,
                        int64_t &batch, int64_t &head) {
  auto [sizes, place] = text.split(':');
  auto [first, second] = sizes.split('x');
  auto [b, h] = place.split(',');
  auto parse = [](llvm::StringRef number, int64_t least, int64_t &value) {
    return !number.getAsInteger(10, value) && value >= least;
  };
  batch = head = 0;
  return parse(first, 1, rows) && parse(second, 1, keys) &&
         (!text.contains(':') || (parse(b, 0, batch) && parse(h, 0, head)));
}

static int printBlocks() {
  int64_t rows, keys, batch, head;
  if (!parseBlocks(blocks, rows, keys, batch, head))
    return reportError(llvm::createStringError(
        "expected sizes such as 64x128 for --blocks, found '" + blocks + "'"));
  llvm::Expected<ExecutionOptions> options =
      readExecutionOptions(arguments, shapes, strides);
  if (!options)
    return reportError(options.takeError());
  LoadedModule module;
  if (!module.loadFile(input, raises))
    return 1;
  mlir::FailureOr<EntryPoint> entry = analyzeEntryPoint(module.get(), "main");
  if (failed(entry))
    return 1;
  llvm::Expected<Execution> execution = Execution::prepare(*entry, *options);
  if (!execution)
    return reportError(execution.takeError());
  mlir::FailureOr<BlockMap> map =
      deriveBlockMap(module.get(), *entry, *execution, rows, keys);
  if (failed(map))
    return 1;
  if (map->kinds.empty() ? batch || head
                         : batch >= map->batch || head >= map->heads)
    return reportError(llvm::createStringError(
        "--blocks: expected a batch entry below " + llvm::Twine(map->batch) +
        " and a head below " + llvm::Twine(map->heads) + ", found " +
        llvm::Twine(batch) + "," + llvm::Twine(head)));
  map->print(llvm::outs(), batch, head);
  return 0;
}

static int run() {
  if (blocks.getNumOccurrences())
    return printBlocks();
  if (!arguments.empty() || !shapes.empty() || !strides.empty())
    return reportError(llvm::createStringError(
        "expected arguments, --shape and --strides with --blocks alone"));
  llvm::Expected<std::optional<Chip>> chip = findTarget(target, chipName);
  if (!chip)
    return reportError(chip.takeError());
  if (!*chip && after.empty())
    return reportError(llvm::createStringError(
        "expected --after for target 'host', which has no kernels; --target "
        "sm_90a or another chip has some"));
  if (!*chip && (ptxas.getNumOccurrences() || access.getNumOccurrences()))
    return reportError(llvm::createStringError(
        "expected --ptxas and --access for a chip alone"));
  std::optional<llvm::StringRef> givenPtxas;
  if (ptxas.getNumOccurrences())
    givenPtxas = ptxas;
  // Checks the path of ptxas before any work is done. A wrong path is an error:
  // results without ptxas would not be what the user asked for.
  if (!ptxas.empty())
    if (auto program = findPtxas(givenPtxas); !program)
      return reportError(program.takeError());

  LoadedModule module;
  if (!module.loadFunctions(input, raises))
    return 1;
  // Disables multithreading, since dumps print the whole module, which no other
  // thread may modify meanwhile.
  module.getContext().disableMultithreading();
  PassDumps dumps(after);
  llvm::SmallVector<KernelResources> kernels;
  std::string ptx;
  bool isLowered = *chip
                       ? lowerKernels(module.get(), **chip, dumps, kernels, ptx)
                       : lowerTo(module.get(), buildAttnToHostPipeline, &dumps);
  llvm::Expected<llvm::StringRef> text = dumps.get();
  if (!isLowered) {
    // Writes the IR of passes that ran before the error, too. Not all passes
    // have run, so a pass that was asked for and not seen may be a later one;
    // that is no error here.
    if (text && !text->empty())
      llvm::consumeError(writeFile(output, *text));
    llvm::consumeError(text.takeError());
    return 1;
  }
  if (!text) {
    // Without kernels in the module, no pass on kernels has run, so the error's
    // list of passes lacks the names of these. The hint says so.
    llvm::StringRef hint =
        *chip && kernels.empty()
            ? "; the module has no kernels, on which other passes would run"
            : "";
    return reportError(llvm::createStringError(
        "--after: expected " + llvm::toString(text.takeError()) + hint));
  }

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

} // namespace attnc::inspect_command

int attnc::runInspect() { return inspect_command::run(); }
