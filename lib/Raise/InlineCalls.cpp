//===- InlineCalls.cpp - Inlines calls of private functions ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// Returns the function that is called if its calls can be inlined: it is
/// private and defined, has one block, and is not the caller itself. Otherwise
/// returns null.
static func::FuncOp findCallee(func::CallOp call, SymbolTable &symbols) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || !callee.isPrivate() || callee.isExternal() ||
      !callee.getBody().hasOneBlock() ||
      callee == call->getParentOfType<func::FuncOp>())
    return nullptr;
  return callee;
}

bool mlir::attn::raise::hasPrivateCalls(func::FuncOp function,
                                        SymbolTable &symbols) {
  return function
      .walk([&](func::CallOp call) {
        return findCallee(call, symbols) ? WalkResult::interrupt()
                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

void mlir::attn::raise::inlinePrivateCalls(
    func::FuncOp function, SymbolTable &symbols,
    llvm::SetVector<func::FuncOp> &callees) {
  // Inlined bodies may contain calls that can be inlined, too. `kMostDepth`
  // ends this for functions that call each other.
  constexpr unsigned kMostDepth = 16;
  // A function that calls itself, or is called very often, would make the
  // caller too large. Once more ops than these were inlined, calls stay.
  constexpr size_t kMostOps = size_t(1) << 18;
  size_t count = 0;
  for (unsigned depth = 0; depth < kMostDepth; ++depth) {
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) {
      if (findCallee(call, symbols))
        calls.push_back(call);
    });
    if (calls.empty())
      return;
    for (func::CallOp call : calls) {
      if (count > kMostOps)
        return;
      func::FuncOp callee = findCallee(call, symbols);
      callees.insert(callee);
      OpBuilder b(call);
      IRMapping mapping;
      Block &body = callee.getBody().front();
      mapping.map(body.getArguments(), call.getOperands());
      for (Operation &op : body.without_terminator())
        b.clone(op, mapping)->walk([&](Operation *) { ++count; });
      for (auto [result, value] :
           llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
        result.replaceAllUsesWith(mapping.lookupOrDefault(value));
      call.erase();
    }
  }
}

bool mlir::attn::raise::isReferredTo(func::FuncOp function, Operation *module) {
  return module
      ->walk([&](Operation *op) {
        return op->getAttrDictionary().walk([&](SymbolRefAttr reference) {
          return reference.getRootReference() == function.getSymName()
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        });
      })
      .wasInterrupted();
}
