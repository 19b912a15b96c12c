//===- AttnOutline.cpp - Attention in a module of its own -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Raise/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNOUTLINEPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static bool isAttention(Operation *op) {
  return isa<AttentionOp, AttentionBackwardOp>(op);
}

/// Whether the op only moves the elements of a tensor or casts the tensor's
/// type, so that a view with other strides could replace it.
static bool isMove(Operation *op) {
  return isa<linalg::TransposeOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::CastOp>(op);
}

/// Whether the op is a constant or an empty tensor, which is cheap and
/// therefore cloned into the outlined function instead of passed as an
/// argument.
static bool isRemade(Operation *op) {
  return isa<tensor::EmptyOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
}

/// Adds to `ops` the ops of the same block that compute operands of `op` and
/// are outlined with it, each before its users. These are constants, empty
/// tensors, and ops that move elements (isMove()) and whose only users are `op`
/// and ops in `ops`.
static void collectBefore(Operation *op, Operation *block,
                          llvm::SetVector<Operation *> &ops) {
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != block->getBlock() ||
        ops.contains(source))
      continue;
    bool isOwn = isMove(source) &&
                 llvm::all_of(source->getUsers(), [&](Operation *user) {
                   return ops.contains(user) || user == op;
                 });
    if (!isOwn && !isRemade(source))
      continue;
    // The sizes of an empty tensor are outlined with it if they are constants;
    // others become arguments of the outlined function.
    if (!isRemade(source))
      collectBefore(source, block, ops);
    else if (isa<tensor::EmptyOp>(source))
      for (Value size : source->getOperands())
        if (Operation *constant = size.getDefiningOp();
            constant && constant->hasTrait<OpTrait::ConstantLike>())
          ops.insert(constant);
    ops.insert(source);
  }
}

/// Whether one of `ops` reads a value that is computed after `attention` in the
/// same block, and by none of `ops`.
static bool readsLater(const llvm::SetVector<Operation *> &ops,
                       Operation *attention) {
  return llvm::any_of(ops, [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source && !ops.contains(source) &&
             source->getBlock() == attention->getBlock() &&
             attention->isBeforeInBlock(source);
    });
  });
}

namespace {
struct AttnOutlinePass
    : public attn::impl::AttnOutlinePassBase<AttnOutlinePass> {
  using AttnOutlinePassBase::AttnOutlinePassBase;

  ModuleOp nested;

  ModuleOp getNested() {
    if (!nested) {
      OpBuilder b(&getOperation().getBody()->front());
      nested = ModuleOp::create(b, getOperation().getLoc(), "attention");
      SymbolTable(getOperation()).insert(nested);
    }
    return nested;
  }

  /// Declares a function of the nested module in the outer module.
  void declare(func::FuncOp function) {
    auto b = OpBuilder::atBlockEnd(getOperation().getBody());
    auto declaration = func::FuncOp::create(
        b, function.getLoc(), function.getName(), function.getFunctionType());
    declaration.setPrivate();
  }

  /// Returns `name`, with a number appended if that is the name of another
  /// function already.
  std::string getUnused(StringRef name) {
    std::string unused = name.str();
    ModuleOp inner = getNested();
    for (unsigned number = 0;
         SymbolTable::lookupSymbolIn(getOperation(), unused) ||
         SymbolTable::lookupSymbolIn(inner, unused);
         ++number)
      unused = (name + "_" + Twine(number)).str();
    return unused;
  }

  void outline(Operation *attention, StringRef name) {
    // The ops that are outlined: the attention op, the ops that prepare its
    // operands (collectBefore()), and ops that move the elements of a result,
    // if the result has no other use.
    llvm::SetVector<Operation *> ops;
    collectBefore(attention, attention, ops);
    ops.insert(attention);
    SmallVector<Value> results(attention->getResults());
    for (Value &result : results)
      while (result.hasOneUse() && isMove(*result.user_begin()) &&
             (*result.user_begin())->getBlock() == attention->getBlock()) {
        Operation *user = *result.user_begin();
        llvm::SetVector<Operation *> next = ops;
        collectBefore(user, attention, next);
        next.insert(user);
        // If `next` reads a value that is computed after the attention op, the
        // call of the outlined function must come after that value. If the op
        // has several results, another one may be used before; `user` is then
        // not outlined.
        if (results.size() > 1 && readsLater(next, attention))
          break;
        ops = next;
        result = user->getResult(0);
      }
    llvm::SetVector<Value> inputs;
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (!operand.getDefiningOp() || !ops.contains(operand.getDefiningOp()))
          inputs.insert(operand);
    // The call of the outlined function is inserted at the attention op or, if
    // an input is computed later than that, after the last op that computes an
    // input. In both cases, it comes before all uses of the results.
    Operation *place = attention;
    for (Value input : inputs)
      if (Operation *source = input.getDefiningOp();
          source && source->getBlock() == attention->getBlock() &&
          place->isBeforeInBlock(source))
        place = source->getNextNode();

    Location loc = attention->getLoc();
    SmallVector<Value> kept;
    for (Value result : results)
      if (!result.use_empty())
        kept.push_back(result);
    OpBuilder b(attention);
    auto type = b.getFunctionType(ValueRange(inputs.getArrayRef()).getTypes(),
                                  ValueRange(kept).getTypes());
    b.setInsertionPointToEnd(getNested().getBody());
    auto function = func::FuncOp::create(b, loc, getUnused(name), type);
    Block *entry = function.addEntryBlock();
    IRMapping mapping;
    mapping.map(inputs.getArrayRef(), entry->getArguments());
    b.setInsertionPointToStart(entry);
    for (Operation *op : ops)
      b.clone(*op, mapping);
    SmallVector<Value> returned;
    for (Value result : kept)
      returned.push_back(mapping.lookup(result));
    func::ReturnOp::create(b, loc, returned);

    b.setInsertionPoint(place);
    auto call =
        func::CallOp::create(b, loc, function.getName(),
                             ValueRange(kept).getTypes(), inputs.getArrayRef());
    for (auto [result, value] : llvm::zip(kept, call.getResults()))
      result.replaceAllUsesWith(value);
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
    declare(function);
  }

  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<Operation *> found;
      bool hasOthers = false;
      function.walk([&](Operation *op) {
        if (isAttention(op))
          found.push_back(op);
        else if (op != function && !isMove(op) && !isRemade(op) &&
                 !isa<func::ReturnOp>(op) &&
                 !op->getParentOfType<AttentionOp>() &&
                 !op->getParentOfType<AttentionBackwardOp>())
          hasOthers |= !op->getParentOfType<linalg::LinalgOp>();
      });
      if (found.empty())
        continue;
      if (!hasOthers) {
        // Functions that stay in the outer module may call the function, which
        // is then declared there.
        bool isCalled =
            !SymbolTable::symbolKnownUseEmpty(function, getOperation());
        function->moveBefore(getNested().getBody(),
                             getNested().getBody()->end());
        function.setPublic();
        if (isCalled)
          declare(function);
        continue;
      }
      for (auto [number, op] : llvm::enumerate(found))
        outline(op, (function.getName() + "_attention_" + Twine(number)).str());
    }
  }
};
} // namespace
