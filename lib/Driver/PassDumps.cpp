//===- PassDumps.cpp - The IR after passes --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/PassDumps.h"

#include "attn/Driver/SilentFailures.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>

using namespace mlir;
using namespace mlir::attn;

static constexpr StringLiteral kAll = "all";

void PassDumps::watch(PassManager &pm) {
  pm.enableIRPrinting(
      /*shouldPrintBeforePass=*/[](Pass *, Operation *) { return false; },
      /*shouldPrintAfterPass=*/
      [this](Pass *pass, Operation *) {
        // Flags of passes are string literals, so `seen` may keep references to
        // them.
        seen.insert(pass->getArgument());
        return llvm::is_contained(wanted, pass->getArgument()) ||
               llvm::is_contained(wanted, kAll);
      },
      /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
      /*printAfterOnlyOnFailure=*/false, os);
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
    if (hasError)
      return;
    StringRef name = pass->getArgument();
    emitError(op->getLoc())
        << "pass '" << (name.empty() ? pass->getName() : name)
        << "' failed on '" << op->getName()
        << "' and did not say why: a fault of the compiler";
  }

private:
  // Atomic, since passes on several functions may run in several threads.
  std::atomic<bool> hasError = false;
  ScopedDiagnosticHandler handler;
};
} // namespace

void mlir::attn::reportSilentFailures(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<SilentFailures>(pm.getContext()));
}
