//===- Targets.cpp - LLVM's code generators -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"

static bool initialize() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return true;
}

void mlir::attn::initializeTargets() {
  // The initialisation of a static variable is thread-safe, while LLVM's
  // registry of targets is not.
  [[maybe_unused]] static const bool isDone = initialize();
}

namespace {
/// A diagnostic handler that keeps the first error as a text.
struct FirstError : llvm::DiagnosticHandler {
  explicit FirstError(std::string &text) : text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return false;
    if (!text.empty())
      return true;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }
  std::string &text;
};
} // namespace

llvm::Error mlir::attn::generateCode(llvm::legacy::PassManager &passes,
                                     llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  std::string error;
  std::unique_ptr<llvm::DiagnosticHandler> before =
      context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<FirstError>(error));
  passes.run(module);
  context.setDiagnosticHandler(std::move(before));
  return error.empty() ? llvm::Error::success()
                       : llvm::createStringError(error);
}
