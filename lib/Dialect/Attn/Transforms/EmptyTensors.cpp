//===- EmptyTensors.cpp - Results where they are stored -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's elimination of tensor.empty, as far as it is right. Where a tensor
// is written to a memref, upstream replaces the tensor.empty at the beginning
// of the tensor's chain of destinations by that memref, also if an op of the
// chain does not write in place since its destination is read later. The memref
// is then overwritten while it holds a tensor that is still read, which
// bufferisation, which does not follow memrefs, does not see.
//
//===----------------------------------------------------------------------===//

#include "EmptyTensors.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

/// Whether the buffer of `tensor` is that of `origin`, if all ops between them
/// write in place. Sets `isInPlace` to false if one of these ops does not.
/// `known` has the results for tensors that were asked for before.
static bool comesFrom(Value tensor, Value origin,
                      const bufferization::OneShotAnalysisState &state,
                      llvm::SmallDenseMap<Value, bool> &known,
                      bool &isInPlace) {
  if (tensor == origin)
    return true;
  if (auto [entry, isNew] = known.try_emplace(tensor, false); !isNew)
    return entry->second;
  bool isFound = false;
  for (const bufferization::AliasingOpOperand &alias :
       state.getAliasingOpOperands(tensor)) {
    OpOperand &operand = *alias.opOperand;
    if (!comesFrom(operand.get(), origin, state, known, isInPlace))
      continue;
    isFound = true;
    isInPlace &= state.isInPlace(operand);
  }
  return known[tensor] = isFound;
}

/// Whether an op other than `reader` writes to the buffer of `tensor` in place.
static bool isOverwritten(Value tensor, Operation *reader,
                          const bufferization::OneShotAnalysisState &state,
                          llvm::SmallDenseSet<Value> &known) {
  if (!known.insert(tensor).second)
    return false;
  return llvm::any_of(tensor.getUses(), [&](OpOperand &use) {
    if (use.getOwner() == reader || !state.isInPlace(use))
      return false;
    return state.bufferizesToMemoryWrite(use) ||
           llvm::any_of(state.getAliasingValues(use),
                        [&](const bufferization::AliasingValue &alias) {
                          return isOverwritten(alias.value, reader, state,
                                               known);
                        });
  });
}

/// Gives each use of a tensor.empty an op of its own. If an op has several uses
/// on a chain, such as those in two branches, upstream replaces the one that
/// comes first in the order of addresses, which differs from run to run.
/// Returns the new ops, each with the original op.
static SmallVector<std::pair<tensor::EmptyOp, tensor::EmptyOp>>
divideUses(ModuleOp module) {
  SmallVector<std::pair<tensor::EmptyOp, tensor::EmptyOp>> copies;
  module.walk([&](tensor::EmptyOp empty) {
    while (!empty->use_empty() && !empty->hasOneUse()) {
      OpOperand &use = *empty->use_begin();
      auto copy = cast<tensor::EmptyOp>(OpBuilder(empty).clone(*empty));
      use.set(copy);
      copies.push_back({copy, empty});
    }
  });
  return copies;
}

LogicalResult mlir::attn::eliminateEmptyTensors(ModuleOp module) {
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  auto copies = divideUses(module);
  bufferization::OneShotAnalysisState state(module, options);
  if (failed(bufferization::analyzeModuleOp(module, state)))
    return failure();
  auto extract = [&](RewriterBase &rewriter, SubsetInsertionOpInterface op,
                     tensor::EmptyOp empty, Operation *user) -> Value {
    bool isInPlace = true;
    llvm::SmallDenseMap<Value, bool> known;
    llvm::SmallDenseSet<Value> later;
    Value source = op.getSourceOperand().get();
    if (isa<bufferization::MaterializeInDestinationOp>(op) &&
        (!comesFrom(source, empty, state, known, isInPlace) || !isInPlace ||
         isOverwritten(source, op, state, later)))
      return Value();
    return bufferization::buildSubsetExtraction(rewriter, op, empty, user);
  };
  IRRewriter rewriter(module.getContext());
  if (failed(bufferization::eliminateEmptyTensors(rewriter, module, state,
                                                  extract)))
    return failure();
  // Uses that were not replaced have the original op again, so that
  // bufferisation may use its memory for all of them.
  for (auto [copy, empty] : copies)
    rewriter.replaceOp(copy, empty);
  return success();
}
