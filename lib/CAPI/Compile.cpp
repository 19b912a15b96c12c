//===- Compile.cpp - From a module to a program ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "Compilation.h"
#include "Error.h"
#include "Load.h"
#include "Runtime.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/ForkDelay.h"
#include "attn/Support/LargeStack.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::attn;

/// Sets `chip` to the chip of the device of the current CUDA context or, if
/// there is no context, of device 0. Returns an error and sets `status` if
/// there is no GPU or its chip is not supported.
static llvm::Error findCurrentChip(LazyRuntime &runtime, attn_status &status,
                                   std::optional<Chip> &chip) {
  attnrt_runtime *driver = runtime.get();
  int device = 0;
  attnrt_status found = attnrt_get_current_device(driver, &device);
  int major = 0, minor = 0;
  if (found == ATTNRT_SUCCESS || found == ATTNRT_NO_DEVICE)
    found = attnrt_get_compute_capability(driver, device, &major, &minor);
  if (found != ATTNRT_SUCCESS) {
    status = getStatus(found);
    return llvm::createStringError("no GPU to compile for: " +
                                   llvm::Twine(attnrt_last_error(driver)));
  }
  llvm::Expected<Chip> own = findChipFor(major, minor);
  if (!own) {
    status = ATTN_UNSUPPORTED;
    attnrt_device_info info = {};
    attnrt_get_device_info(driver, device, &info);
    return llvm::createStringError(llvm::Twine(info.name) + ": " +
                                   llvm::toString(own.takeError()));
  }
  chip = *own;
  return llvm::Error::success();
}

std::string mlir::attn::getCurrentChipName() {
  // The runtime is never destroyed, since executables of XLA may be built until
  // the process ends.
  static auto *runtime = new LazyRuntime();
  attn_status status = ATTN_SUCCESS;
  std::optional<Chip> chip;
  if (llvm::Error error = findCurrentChip(*runtime, status, chip)) {
    llvm::consumeError(std::move(error));
    return "";
  }
  return chip->name.str();
}

/// Copies the compile options to the program's request, after checking them.
/// Options that are null, or that the caller's version of the structure lacks,
/// get their defaults. Returns an error if an option is invalid.
static llvm::Error readOptions(const attn_compile_options *given,
                               attn_program &program, attn_status &status) {
  attn_compile_options options = {};
  if (given) {
    using Options = attn_compile_options;
    if (!isStructSize<Options>(
            given->struct_size,
            {offsetof(Options, chip), offsetof(Options, access),
             offsetof(Options, function), offsetof(Options, cpu),
             offsetof(Options, source_name), offsetof(Options, cache),
             offsetof(Options, lineinfo)}))
      return llvm::createStringError("options: expected struct_size to be "
                                     "sizeof(attn_compile_options), found " +
                                     llvm::Twine(given->struct_size));
    std::memcpy(&options, given, std::min(given->struct_size, sizeof(options)));
  }
  auto read = [](const char *text, const char *ifNull) {
    return std::string(text ? text : ifNull);
  };
  CompileRequest &request = program.request;
  request.access = read(options.access, "auto");
  request.function = read(options.function, "main");
  request.cpu = read(options.cpu, "");
  request.sourceName = read(options.source_name, "module");
  request.cache = read(options.cache, "");
  request.lineinfo = read(options.lineinfo, "");
  if (request.access != "auto" &&
      !attn_gpu::symbolizeAccessClass(request.access))
    return llvm::createStringError("options: expected access auto, narrow, "
                                   "async16 or tma, found '" +
                                   request.access + "'");
  bool isHost = options.chip && StringRef(options.chip) == "host";
  if (isHost && options.access)
    return llvm::createStringError("options: expected access for a chip alone, "
                                   "found chip 'host'");
  if (isHost && options.lineinfo)
    return llvm::createStringError("options: expected lineinfo for a chip "
                                   "alone, found chip 'host'");
  if (options.lineinfo && (request.lineinfo.empty() || request.lineinfo == "-"))
    return llvm::createStringError("options: expected the name of a file for "
                                   "lineinfo, found '" +
                                   request.lineinfo + "'");
  if (!isHost && options.cpu)
    return llvm::createStringError("options: expected cpu for chip 'host' "
                                   "alone");
  if (isHost)
    return createHostTargetMachine(request.cpu).takeError();
  if (!options.chip)
    return findCurrentChip(program.runtime, status, request.chip);
  llvm::Expected<Chip> chip = findChip(options.chip);
  if (!chip)
    return llvm::createStringError("options: expected chip 'host' or one that "
                                   "is known; " +
                                   llvm::toString(chip.takeError()));
  request.chip = *chip;
  return llvm::Error::success();
}

static llvm::Error addArguments(const EntryPoint &entry,
                                CompiledProgram &program) {
  for (unsigned i = 0, e = entry.parameters.size(); i < e; ++i) {
    llvm::Expected<Argument> argument = Argument::create(entry, i);
    if (!argument)
      return argument.takeError();
    program.arguments.push_back(std::move(*argument));
  }
  return llvm::Error::success();
}

static void addKernels(const Compilation &compilation,
                       CompiledProgram &program) {
  program.ptx = compilation.getPTX().str();
  for (const KernelResources &kernel : compilation.getKernels()) {
    KernelEntry &entry = program.kernels.emplace_back();
    entry.name = kernel.name;
    entry.threads = kernel.threads;
    entry.dynamicSharedBytes = kernel.dynamicSharedBytes;
    entry.schedule = kernel.plan.schedule;
    entry.reasons = llvm::join(kernel.plan.reasons, "\n");
  }
}

static attn_status compile(const CompileRequest &request,
                           CompiledProgram &program) {
  Compilation compilation(request);
  if (failed(compilation.parse()))
    return fail(ATTN_INVALID_MODULE, compilation.getDiagnostics());
  FailureOr<EntryPoint> entry =
      analyzeEntryPoint(compilation.getModule(), request.function);
  if (failed(entry))
    return fail(ATTN_UNSUPPORTED, compilation.getDiagnostics());
  if (llvm::Error error = addArguments(*entry, program))
    return fail(ATTN_UNSUPPORTED, std::move(error));
  if (failed(compilation.lowerToLLVM()))
    return fail(ATTN_UNSUPPORTED, compilation.getDiagnostics());
  auto object = HostProgram::compile(compilation.getModule(), request.cpu,
                                     request.chip ? HostCode::Launches
                                                  : HostCode::Computes);
  if (llvm::Error error = std::move(object).moveInto(program.object))
    return fail(ATTN_UNSUPPORTED, std::move(error));
  addKernels(compilation, program);
  program.diagnostics = compilation.getDiagnostics().str();
  return ATTN_SUCCESS;
}

/// Loads the host code of a compiled program into the process, and sets the
/// fields of `program` so that it can be launched.
static llvm::Error load(CompiledProgram compiled, attn_program &program) {
  if (llvm::Error error =
          HostProgram::load(std::move(compiled.object)).moveInto(program.code))
    return error;
  static_cast<CompiledProgram &>(program) = std::move(compiled);
  for (const Argument &argument : program.arguments)
    program.numWords += argument.getNumWords();
  const CompileRequest &request = program.request;
  if (program.isHost()) {
    if (llvm::Error error = checkHostRuns(request.cpu))
      program.hostFault = llvm::toString(std::move(error));
    return program.code->lookup(request.function).moveInto(program.hostEntry);
  }
  program.image = {program.ptx.c_str(), program.ptx.size() + 1, "attn_kernels",
                   request.chip->name.data()};
  return program.code->lookupLaunch(request.function)
      .moveInto(program.launchEntry);
}

/// Runs `body` on a thread with a large stack and returns its status: compilers
/// recurse, and the calling thread's stack may be small. Copies the message of
/// a failure to the calling thread. Delays fork() until the thread has ended:
/// in a forked process, LLVM's locks would be held by a thread that does not
/// exist there.
static attn_status withLargeStack(llvm::function_ref<attn_status()> body) {
  ForkDelay delay;
  attn_status status = ATTN_SUCCESS;
  std::string message;
  auto run = [&] {
    status = body();
    if (status != ATTN_SUCCESS)
      message = attn_last_error();
  };
  if (llvm::Error error = runOnLargeStack(run))
    return fail(ATTN_OUT_OF_MEMORY, std::move(error));
  return status == ATTN_SUCCESS ? status : fail(status, message);
}

/// Loads the program from the cache on disk or, if the cache has no entry that
/// can be loaded, compiles it and stores it there.
static attn_status makeProgram(attn_program &program) {
  ProgramCache cache(program.request);
  if (std::optional<CompiledProgram> cached = cache.load()) {
    llvm::Error error = load(std::move(*cached), program);
    if (!error)
      return ATTN_SUCCESS;
    // A cached entry that cannot be loaded is replaced by the compilation
    // below.
    llvm::consumeError(std::move(error));
  }
  CompiledProgram compiled;
  attn_status status = compile(program.request, compiled);
  if (status != ATTN_SUCCESS)
    return status;
  cache.store(compiled);
  if (llvm::Error error = load(std::move(compiled), program))
    return fail(ATTN_UNSUPPORTED, std::move(error));
  return ATTN_SUCCESS;
}

attn_status attn_compile(const char *source, size_t length,
                         const attn_compile_options *options,
                         attn_program **program) {
  if (!program)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected the address of a program to set, found null");
  *program = nullptr;
  if (!source)
    return fail(ATTN_INVALID_ARGUMENT, "expected a source, found null");
  auto created = std::make_unique<attn_program>();
  attn_status status = ATTN_INVALID_ARGUMENT;
  if (llvm::Error error = readOptions(options, *created, status))
    return fail(status, std::move(error));
  created->request.source.assign(source, length);
  status = withLargeStack([&] { return makeProgram(*created); });
  if (status == ATTN_SUCCESS)
    *program = created.release();
  return status;
}

/// Compiles the module again up to `stage`, and sets `text` to the module after
/// that stage. `stage` may also be a pass's flag: `text` is then the module
/// after each run of that pass. Fails if `stage` is neither.
static attn_status print(const CompileRequest &request,
                         const std::string &stage, std::string &text) {
  PassDumps dumps(stage);
  Compilation compilation(request, &dumps);
  bool isStage = llvm::is_contained({"source", "tile", "llvm"}, stage) ||
                 (stage == "nvvm" && request.chip);
  LogicalResult result = compilation.parse();
  if (succeeded(result) && stage != "source")
    result = !isStage || stage == "llvm" ? compilation.lowerToLLVM()
             : stage == "tile"           ? compilation.lowerToTile()
                                         : compilation.lowerToNVVM();
  if (failed(result))
    return fail(ATTN_UNSUPPORTED, compilation.getDiagnostics());
  if (isStage) {
    llvm::raw_string_ostream os(text);
    compilation.getModule().print(os);
    return ATTN_SUCCESS;
  }
  llvm::Expected<StringRef> dumped = dumps.get();
  if (!dumped)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected stage source, tile" +
                    llvm::Twine(request.chip ? ", nvvm" : "") +
                    " or llvm, or " + llvm::toString(dumped.takeError()));
  text = dumped->str();
  return ATTN_SUCCESS;
}

attn_status attn_program_ir(attn_program *program, const char *stage,
                            const char **text) {
  if (!program || !stage || !text)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected a program, a stage and the address of a text to set, "
                "found null");
  ForkDelay delay;
  std::lock_guard<std::mutex> lock(program->stagesMutex);
  auto known = program->stages.find(stage);
  if (known == program->stages.end()) {
    // attn_compile has already written the file that line tables refer to, so
    // this compilation does not write it again.
    CompileRequest request = program->request;
    request.lineinfo.clear();
    std::string printed;
    attn_status status =
        withLargeStack([&] { return print(request, stage, printed); });
    if (status != ATTN_SUCCESS)
      return status;
    known = program->stages.try_emplace(stage, std::move(printed)).first;
  }
  *text = known->second.c_str();
  return ATTN_SUCCESS;
}

void attn_program_destroy(attn_program *program) { delete program; }
