//===- SilentFailures.cpp - Passes that fail without a message ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/SilentFailures.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <atomic>

using namespace mlir;

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
  // Passes on several functions run in threads.
  std::atomic<bool> hasError = false;
  ScopedDiagnosticHandler handler;
};
} // namespace

void mlir::attn::reportSilentFailures(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<SilentFailures>(pm.getContext()));
}
