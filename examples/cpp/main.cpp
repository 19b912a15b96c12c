//===- main.cpp - The pipeline in a pass manager of one's own -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::attn::registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(argc > 1 ? argv[1] : "-", &context);
  mlir::PassManager pm(&context);
  mlir::attn::buildAttnToHostPipeline(pm);
  if (!module || mlir::failed(pm.run(*module)))
    return 1;
  llvm::outs() << *module << "\n";
  return 0;
}
