//===- Host.cpp - Code for the host CPU -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Host.h"

#include "Optimize.h"
#include "Targets.h"

#include "attn/Runtime/attnrt.h"
#include "attn/Support/ArrayView.h"
#include "attn/Support/ParallelFor.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::attn;

static const llvm::Target *getX86Target(std::string &message) {
  initializeTargets();
  return llvm::TargetRegistry::lookupTarget(
      llvm::Triple(llvm::sys::getProcessTriple()), message);
}

HostCPU mlir::attn::getHostCPU(StringRef cpu) {
  if (!cpu.empty())
    return {cpu.str(), ""};
  // All features of this machine's CPU are listed explicitly, since a virtual
  // machine may lack some that the CPU's name implies.
  llvm::SubtargetFeatures features;
  for (auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

static std::unique_ptr<llvm::MCSubtargetInfo>
describeCPU(const llvm::Target &target, StringRef cpu) {
  return std::unique_ptr<llvm::MCSubtargetInfo>(target.createMCSubtargetInfo(
      llvm::Triple(llvm::sys::getProcessTriple()), cpu, ""));
}

/// Whether LLVM's code generator never selects instructions of this CPU feature
/// by itself. Code for a CPU with the feature then runs on a CPU without it.
/// Virtual machines often lack such features.
static bool isForSystems(StringRef feature) {
  return llvm::is_contained(
      {"cldemote",  "clflushopt", "clwb",      "clzero",  "enqcmd",
       "fsgsbase",  "hreset",     "invpcid",   "kl",      "lwp",
       "mwaitx",    "movdir64b",  "movdiri",   "pconfig", "pku",
       "prefetchi", "ptwrite",    "rdpid",     "rdpru",   "rdrnd",
       "rdseed",    "rtm",        "serialize", "sgx",     "shstk",
       "tsxldtrk",  "uintr",      "usermsr",   "waitpkg", "wbnoinvd",
       "widekl",    "xsavec",     "xsaveopt",  "xsaves"},
      feature);
}

llvm::Error mlir::attn::checkHostRuns(StringRef cpu) {
  if (cpu.empty())
    return llvm::Error::success();
  std::string message;
  const llvm::Target *target = getX86Target(message);
  if (!target)
    return llvm::createStringError(message);
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::string missing;
  for (const llvm::SubtargetFeatureKV &feature :
       describeCPU(*target, cpu)->getEnabledProcessorFeatures()) {
    // Features that are not in `host` are skipped: LLVM cannot tell whether
    // this machine has them, and they only tune code.
    auto known = host.find(feature.Key);
    if (known != host.end() && !known->second && !isForSystems(feature.Key))
      missing += (missing.empty() ? "" : ", ") + std::string(feature.Key);
  }
  if (missing.empty())
    return llvm::Error::success();
  return llvm::createStringError("expected a CPU whose code this machine runs, "
                                 "found '" +
                                 cpu + "'; this machine lacks " + missing);
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::attn::createHostTargetMachine(StringRef cpu, HostCode code) {
  std::string message;
  const llvm::Target *target = getX86Target(message);
  if (!target)
    return llvm::createStringError("no code generator for this machine: " +
                                   message);
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (!cpu.empty()) {
    if (!describeCPU(*target, "")->isCPUStringValid(cpu))
      return llvm::createStringError(
          "unknown CPU '" + cpu.str() +
          "', expected a name that LLVM knows, such as x86-64-v3");
    if (!describeCPU(*target, cpu)->checkFeatures("+64bit"))
      return llvm::createStringError("expected a CPU of 64 bits, such as "
                                     "x86-64-v3, found '" +
                                     cpu + "'");
  }
  HostCPU host = getHostCPU(cpu);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, host.name, host.features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt,
      code == HostCode::Launches ? llvm::CodeGenOptLevel::Less
                                 : llvm::CodeGenOptLevel::Default,
      /*JIT=*/false));
  if (!machine)
    return llvm::createStringError("no code generator for CPU '" + host.name +
                                   "'");
  return machine;
}

llvm::Expected<std::unique_ptr<llvm::Module>>
mlir::attn::translateForHost(ModuleOp module, llvm::LLVMContext &context,
                             llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "attn");
  if (!translated)
    return llvm::createStringError(
        "the module could not be translated to LLVM IR");
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Without "prefer-vector-width", LLVM does not use 512-bit registers for
    // many CPUs.
    function.addFnAttr("prefer-vector-width", "512");
  }
  optimize(*translated, machine);
  return translated;
}

llvm::Error mlir::attn::emitObject(llvm::Module &module,
                                   llvm::TargetMachine &machine,
                                   llvm::raw_pwrite_stream &os) {
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("this target emits no object files");
  return generateCode(passes, module);
}

//===----------------------------------------------------------------------===//
// HostProgram
//===----------------------------------------------------------------------===//

/// Implements attnrt_parallel_for, by which host code runs the programs of a
/// grid on all cores.
static void runGrid(void (*body)(void *, int64_t), void *context,
                    int64_t count) {
  parallelFor(count, [&](int64_t index) { body(context, index); });
}

/// The library functions __truncsfbf2 and __truncdfbf2, by which LLVM's code
/// converts to bf16 if the CPU has no instruction for that. libgcc of Debian 12
/// lacks them.
static __bf16 truncateFloat(float value) {
  uint16_t bits;
  storeElement(&bits, DType::BF16, 0, value);
  return llvm::bit_cast<__bf16>(bits);
}
static __bf16 truncateDouble(double value) {
  uint16_t bits;
  storeElement(&bits, DType::BF16, 0, value);
  return llvm::bit_cast<__bf16>(bits);
}

HostProgram::HostProgram(std::unique_ptr<llvm::orc::LLJIT> jit)
    : jit(std::move(jit)) {}
HostProgram::~HostProgram() = default;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
HostProgram::compile(ModuleOp module, StringRef cpu, HostCode code) {
  auto machine = createHostTargetMachine(cpu, code);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto translated = translateForHost(module, context, **machine);
  if (!translated)
    return translated.takeError();
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (llvm::Error error = emitObject(**translated, **machine, os))
    return std::move(error);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(object), /*RequiresNullTerminator=*/false);
}

llvm::Expected<std::unique_ptr<HostProgram>>
HostProgram::load(std::unique_ptr<llvm::MemoryBuffer> object) {
  initializeTargets();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::orc::JITTargetMachineBuilder machine(triple);
  // Object files do not need the platform support that LLJIT sets up for IR.
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(machine))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit.takeError();

  // The JIT's session need not print errors, since lookup() returns them.
  (*jit)->getExecutionSession().setErrorReporter(llvm::consumeError);
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  // The JIT gets the addresses of the runtime's functions explicitly, since
  // tools are linked statically and export no symbols. These strong definitions
  // come first and replace the module's weak ones.
  llvm::orc::SymbolMap runtime;
  auto define = [&](StringRef name, auto *function) {
    runtime[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported};
  };
  define("attnrt_parallel_for", &runGrid);
  define("attnrt_launch_kernel", &attnrt_launch_kernel);
  define("attnrt_get_sm_count", &attnrt_get_sm_count);
  define("attnrt_get_work_counters", &attnrt_get_work_counters);
  define("attnrt_encode_tensor_map", &attnrt_encode_tensor_map);
  define("attnrt_allocate_async", &attnrt_allocate_async);
  define("attnrt_free_async", &attnrt_free_async);
  define("attnrt_fail", &attnrt_fail);
  define("__truncsfbf2", &truncateFloat);
  define("__truncdfbf2", &truncateDouble);
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(runtime))))
    return std::move(error);
  // libm is named explicitly: if this library was loaded at run time, libm may
  // not be in the process's search order.
  char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  for (const char *name : {static_cast<const char *>(nullptr), "libm.so.6"}) {
    auto symbols = llvm::orc::DynamicLibrarySearchGenerator::Load(name, prefix);
    if (!symbols)
      return symbols.takeError();
    library.addGenerator(std::move(*symbols));
  }

  if (llvm::Error error = (*jit)->addObjectFile(std::move(object)))
    return std::move(error);
  return std::unique_ptr<HostProgram>(new HostProgram(std::move(*jit)));
}

llvm::Expected<std::unique_ptr<HostProgram>>
HostProgram::create(ModuleOp module, StringRef cpu, HostCode code) {
  auto object = compile(module, cpu, code);
  if (!object)
    return object.takeError();
  return load(std::move(*object));
}

template <typename Function>
static llvm::Expected<Function> lookupPacked(llvm::orc::LLJIT &jit,
                                             StringRef name) {
  auto address = jit.lookup(("attn_" + name + "_packed").str());
  if (!address)
    return address.takeError();
  return address->toPtr<Function>();
}

llvm::Expected<HostProgram::Entry> HostProgram::lookup(StringRef name) const {
  return lookupPacked<Entry>(*jit, name);
}

llvm::Expected<HostProgram::LaunchEntry>
HostProgram::lookupLaunch(StringRef name) const {
  return lookupPacked<LaunchEntry>(*jit, name);
}
