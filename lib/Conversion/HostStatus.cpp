//===- HostStatus.cpp - Functions that return a status --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostStatus.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

Block *attn::branchOnFailure(Operation *op, Value isGood) {
  Block *block = op->getBlock();
  Block *next = block->splitBlock(op->getNextNode());
  Block *failed = new Block;
  block->getParent()->push_back(failed);
  auto b = OpBuilder::atBlockEnd(block);
  cf::CondBranchOp::create(b, op->getLoc(), isGood, next, ValueRange(), failed,
                           ValueRange());
  return failed;
}
