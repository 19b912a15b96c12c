//===- Mutator.h - One change of a module -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNFUZZ_MUTATOR_H
#define ATTN_TOOLS_ATTNFUZZ_MUTATOR_H

#include "Fuzz.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace attn_fuzz {

/// Makes random changes of a module, one for each call.
class Mutator {
public:
  Mutator(mlir::ModuleOp module, mlir::attn::Dice &dice)
      : dice(dice), module(module), b(module.getContext()) {
    module.walk([&](mlir::Operation *op) {
      if (op != module)
        ops.push_back(op);
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          llvm::append_range(values, block.getArguments());
      llvm::append_range(values, op->getResults());
    });
  }

  void mutate();

private:
  mlir::Type mutateType(mlir::Type type);
  mlir::Type mutateShaped(mlir::ShapedType type);
  mlir::Type pickScalar();
  mlir::Attribute mutateAttribute(mlir::Attribute attribute);
  mlir::Value pickValue(mlir::Type type);

  void changeTypeEverywhere();
  void changeValueType();
  void changeAttribute();
  void changeOperand();
  void changeOperands();
  void eraseOp();
  void copyOp();
  void moveOp();
  void changeBlock();
  void exchangeRegions();

  mlir::attn::Dice &dice;
  mlir::ModuleOp module;
  mlir::Builder b;
  std::vector<mlir::Operation *> ops;
  std::vector<mlir::Value> values;
};

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_MUTATOR_H
