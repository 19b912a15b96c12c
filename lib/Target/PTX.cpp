//===- PTX.cpp - PTX for NVIDIA chips -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX.h"

#include "Optimize.h"
#include "Targets.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::attn;

std::optional<Chip> mlir::attn::findChip(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  auto target = targets && !targets.empty()
                    ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                    : nullptr;
  if (!target)
    return std::nullopt;
  return llvm::expectedToOptional(findChip(target.getChip()));
}

FailureOr<Chip> mlir::attn::getChip(gpu::GPUModuleOp module) {
  if (std::optional<Chip> chip = findChip(module))
    return *chip;
  return module.emitOpError(
      "expected a #nvvm.target of a chip that is known, found none");
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Chip &chip) {
  initializeTargets();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError("no code generator for PTX: " + message);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip.name, "+ptx" + std::to_string(chip.ptxVersion),
      llvm::TargetOptions(), std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

namespace {
/// The last changes of a kernel's LLVM IR before the code generator.
class SinkValues : public llvm::FunctionPass {
public:
  static char ID;

  SinkValues() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Fewer live registers"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }
  bool runOnFunction(llvm::Function &function) override {
    bool isChanged = giveOwnArguments(function);
    return sinkAroundLoops(function) || isChanged;
  }
};
char SinkValues::ID;

/// Adds the passes of LLVM's code generator to a pass manager, with two
/// changes. It drops early-machinelicm, which would hoist instructions that
/// this project has sunk, and it adds SinkValues after codegenprepare.
class CodeGenPasses : public llvm::legacy::PassManagerBase {
public:
  explicit CodeGenPasses(llvm::legacy::PassManagerBase &passes)
      : passes(passes) {}
  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &passes;
};
} // namespace

void CodeGenPasses::add(llvm::Pass *pass) {
  const llvm::PassInfo *info =
      llvm::PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
  llvm::StringRef name = info ? info->getPassArgument() : "";
  if (name == "early-machinelicm") {
    delete pass;
    return;
  }
  passes.add(pass);
  // codegenprepare is the last pass on LLVM IR that moves values between
  // blocks, so this project's pass comes after it.
  if (name == "codegenprepare")
    passes.add(new SinkValues());
}

struct PTXCompilation::State {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream os{ptx};
  llvm::legacy::PassManager codeGenerator;
};

PTXCompilation::PTXCompilation(std::unique_ptr<State> state)
    : state(std::move(state)) {}
PTXCompilation::PTXCompilation(PTXCompilation &&) = default;
PTXCompilation::~PTXCompilation() = default;

llvm::Expected<PTXCompilation>
PTXCompilation::translate(gpu::GPUModuleOp module, const Chip &chip) {
  auto state = std::make_unique<State>();
  if (llvm::Error error = createMachine(chip).moveInto(state->machine))
    return std::move(error);
  state->module =
      translateModuleToLLVMIR(module, state->context, module.getName());
  if (!state->module)
    return llvm::createStringError(
        "the GPU module could not be translated to LLVM IR");
  state->module->setTargetTriple(state->machine->getTargetTriple());
  state->module->setDataLayout(state->machine->createDataLayout());
  for (llvm::Function &function : *state->module)
    if (!function.isDeclaration())
      // The attribute denormal-fp-math-f32 makes f32 instructions flush
      // subnormal numbers, so that exp2 is one instruction. Otherwise LLVM adds
      // code for subnormal numbers.
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  CodeGenPasses passes(state->codeGenerator);
  if (state->machine->addPassesToEmitFile(passes, state->os, nullptr,
                                          llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("the code generator emits no PTX");
  return PTXCompilation(std::move(state));
}

llvm::Expected<std::string> PTXCompilation::compile() {
  optimize(*state->module, *state->machine);
  if (llvm::Error error = generateCode(state->codeGenerator, *state->module))
    return std::move(error);
  return std::string(state->ptx);
}

std::string mlir::attn::joinPTX(llvm::ArrayRef<llvm::StringRef> texts) {
  if (texts.size() == 1)
    return texts.front().str();
  std::string joined, item;
  llvm::StringSet<> known;
  // The texts are split into items: lines outside of functions, and whole
  // functions. All items of the first text are appended, and those items of the
  // others that did not occur before. A brace of inline assembly does not end a
  // function.
  bool isFunction = false, isAssembly = false;
  for (auto [i, whole] : llvm::enumerate(texts))
    for (llvm::StringRef text = whole; !text.empty();) {
      auto [line, rest] = text.split('\n');
      text = rest;
      item += line.str() + "\n";
      isFunction |= line.starts_with(".") &&
                    (line.contains(".entry ") || line.contains(".func "));
      isAssembly |= line.contains("// begin inline asm");
      isAssembly &= !line.contains("// end inline asm");
      isFunction &= isAssembly || (line != "}" && line != ";");
      if (isFunction)
        continue;
      if (known.insert(item).second || i == 0)
        joined += item;
      item.clear();
    }
  return joined;
}
