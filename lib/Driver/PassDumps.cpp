//===- PassDumps.cpp - The IR after passes --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/PassDumps.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Driver/SilentFailures.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <mutex>
#include <optional>

using namespace mlir;
using namespace mlir::attn;

static constexpr StringLiteral kAll = "all";

/// Prints a kernel, without the rest of its module, below a line that names the
/// pass. Passes on kernels take one kernel after the other. The module's other
/// kernels have not been through the pass yet, or have been through later
/// passes, too.
static void printKernel(attn_gpu::KernelOp kernel, Pass *pass,
                        raw_ostream &os) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  module->push_back(kernel.clone());
  os << "// -----// IR Dump After " << pass->getName() << " ("
     << pass->getArgument() << ") ('" << kernel->getName() << "' operation: @"
     << kernel.getSymName() << ") //----- //\n";
  module->print(os);
  os << "\n\n";
}

class PassDumps::Printer : public PassManager::IRPrinterConfig {
public:
  explicit Printer(PassDumps &dumps)
      : IRPrinterConfig(/*printModuleScope=*/true), dumps(dumps) {}

  void printBeforeIfEnabled(Pass *, Operation *, PrintCallbackFn) final {}
  void printAfterIfEnabled(Pass *pass, Operation *op,
                           PrintCallbackFn print) final {
    // `seen` may keep references to the flags of passes, since these are string
    // literals.
    dumps.seen.insert(pass->getArgument());
    if (!llvm::is_contained(dumps.wanted, pass->getArgument()) &&
        !llvm::is_contained(dumps.wanted, kAll))
      return;
    if (auto kernel = dyn_cast<attn_gpu::KernelOp>(op))
      printKernel(kernel, pass, dumps.os);
    else
      print(dumps.os);
  }

private:
  PassDumps &dumps;
};

void PassDumps::watch(PassManager &pm) {
  pm.enableIRPrinting(std::make_unique<Printer>(*this));
}

llvm::Expected<StringRef> PassDumps::get() const {
  for (StringRef name : wanted)
    if (name != kAll && !seen.contains(name))
      return llvm::createStringError("a pass of the pipeline, one of " +
                                     llvm::join(seen, ", ") + ", found '" +
                                     name + "'");
  return StringRef(text);
}

//===----------------------------------------------------------------------===//
// Failures without a diagnostic
//===----------------------------------------------------------------------===//

namespace {
class SilentFailures : public PassInstrumentation {
public:
  explicit SilentFailures(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            hasError = true;
          return failure();
        }) {}

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (!silent) {
      StringRef name = pass->getArgument();
      silent.emplace(op->getLoc(), "pass '");
      silent->second += name.empty() ? pass->getName() : name;
      silent->second += ("' failed on '" + op->getName().getStringRef() +
                         "' and did not say why: a fault of the compiler")
                            .str();
    }
    // The error about a pass that failed without one is emitted when the pass
    // on the whole module fails, unless there was another error. Passes on
    // functions or kernels may run in several threads, whose errors are emitted
    // when all of these have ended and before the pass on the module fails.
    if (!op->getParentOp() && !hasError)
      emitError(silent->first) << silent->second;
  }

private:
  // The mutex protects `silent`, since passes on several functions or kernels
  // may run, and fail, in several threads.
  std::mutex mutex;
  std::atomic<bool> hasError = false;
  /// The location of the first pass failure, and the message to emit there if
  /// no pass has emitted an error.
  std::optional<std::pair<Location, std::string>> silent;
  ScopedDiagnosticHandler handler;
};
} // namespace

void mlir::attn::reportSilentFailures(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<SilentFailures>(pm.getContext()));
}
