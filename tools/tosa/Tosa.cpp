//===- Tosa.cpp - Lowers TOSA to linalg -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers TOSA by upstream's passes. A reader of TOSA in attn-raise would repeat
// them: what they emit are the ops of linalg that attn-raise reads.
//
//===----------------------------------------------------------------------===//

#include "Tosa.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::attn::buildTosaLowering(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // Products become named ops first, or else tosa-to-linalg fails at them.
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(tosa::createTosaToLinalg());
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  // Folds the sizes of dynamic dimensions, and erases constants that only the
  // ops of TOSA read, such as zero points and shifts.
  pm.addPass(createCanonicalizerPass());
}

void mlir::attn::registerTosaPasses() {
  registerTosaToLinalgNamed();
  registerTosaToLinalg();
  registerTosaToArithPass();
  registerTosaToTensorPass();
  static PassPipelineRegistration<> lowering(
      "attn-lower-tosa", "Lower TOSA to linalg for attn-raise",
      buildTosaLowering);
}

void mlir::attn::registerTosaDialect(DialectRegistry &registry) {
  registry.insert<tosa::TosaDialect>();
}
