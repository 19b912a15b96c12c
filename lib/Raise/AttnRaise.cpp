//===- AttnRaise.cpp - Find attention in IR that others wrote -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Gradient.h"
#include "InlineCalls.h"
#include "Unraised.h"

#include "attn/Raise/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNRAISEPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Whether the op's result may be the result of an attention: it is attention
/// by name, or may be the product of weights and values, or its quotient by the
/// weights' sum.
static bool mayBeProduct(Operation &op) {
  if (isNamedAttention(&op))
    return true;
  if (op.getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return false;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (linalgOp.getNumReductionLoops() > 0)
      return true;
    bool found = false;
    linalgOp.getBlock()->walk([&](Operation *inner) {
      found |= isa<arith::DivFOp, arith::MulFOp>(inner);
    });
    return found;
  }
  StringRef name = op.getName().getStringRef();
  return isa<arith::DivFOp, arith::MulFOp>(op) ||
         name == "stablehlo.dot_general" || name == "stablehlo.dot" ||
         name == "stablehlo.reduce" || name == "stablehlo.divide" ||
         name == "stablehlo.multiply";
}

/// Whether an op of an unregistered dialect is known by its name to have no
/// effect besides its results: attention by name, and most ops of StableHLO.
static bool isPureByName(Operation *op) {
  if (op->isRegistered())
    return false;
  if (isNamedAttention(op))
    return true;
  StringRef name = op->getName().stripDialect();
  static constexpr StringRef kEffects[] = {
      "custom_call", "infeed",    "outfeed", "send",
      "recv",        "composite", "rng",     "rng_bit_generator"};
  return op->getName().getDialectNamespace() == "stablehlo" &&
         !llvm::is_contained(kEffects, name) &&
         (op->getNumRegions() == 0 || name == "reduce");
}

/// Erases the ops in `ops` that have no uses and no effects, and then ops that
/// compute their operands, if these have no uses left.
static void eraseUnused(const llvm::SetVector<Operation *> &ops) {
  // An op may be in the set before or after those whose results it reads, so
  // this repeats until nothing changes.
  llvm::SetVector<Operation *> rest(ops.begin(), ops.end());
  for (bool changes = true; changes;) {
    changes = false;
    for (Operation *op : llvm::to_vector(rest)) {
      if (!op->use_empty() || !(isPureByName(op) || isMemoryEffectFree(op)))
        continue;
      rest.remove(op);
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp())
          if (isPureByName(source) || isMemoryEffectFree(source))
            rest.insert(source);
      op->erase();
      changes = true;
    }
  }
}

namespace {
struct AttnRaisePass : public attn::impl::AttnRaisePassBase<AttnRaisePass> {
  using AttnRaisePassBase::AttnRaisePassBase;

  /// Whether a remark was emitted on the function that is being raised.
  bool hasRemark = false;

  void remark(Operation *op, StringRef reason) {
    op->emitRemark("attention was not raised: ") << reason;
    hasRemark = true;
  }

  /// Replaces `result` by the result of an attention op if attention computes
  /// it, and returns true. Otherwise returns false; `reason` may then say why.
  bool raise(Value result, std::string &reason) {
    Elements elements(&getContext());
    Operation *op = result.getDefiningOp();
    bool isNamed = isNamedAttention(op);
    std::unique_ptr<Attention> attention =
        isNamed ? matchNamedAttention(elements, op, reason)
                : matchAttention(elements, result, keepRounding, reason);
    if (!attention)
      return false;
    takeMasks(elements, *attention, keepRounding);
    FailureOr<Layout> layout = findLayout(elements, *attention, reason);
    if (failed(layout))
      return false;
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Value value =
        emitAttention(b, elements, *attention, *layout, keepRounding, reason);
    if (!value)
      return false;
    result.replaceAllUsesWith(value);
    llvm::SetVector<Operation *> unused = elements.getExpanded();
    unused.insert(op);
    eraseUnused(unused);
    ++numRaised;
    return true;
  }

  /// Raises a torch.operator that is ONNX's attention on tensors of
  /// torch-mlir's own type, by an op on builtin tensors with casts around it.
  /// Returns false, after a remark, if it is not raised.
  bool raiseTorchOperator(Operation *op) {
    Operation *made = makeTensorAttention(op);
    SmallVector<Value> operands(made->getOperands());
    std::string reason;
    OpBuilder b(op);
    OperationState cast(op->getLoc(), "torch_c.from_builtin_tensor");
    cast.addOperands(made->getResult(0));
    cast.addTypes(op->getResult(0).getType());
    Operation *result = b.create(cast);
    bool isOnly = llvm::all_of(op->getResults().drop_front(),
                               [](Value value) { return value.use_empty(); });
    if (!isOnly)
      reason = "more than its first output is used";
    if (isOnly && raise(made->getResult(0), reason)) {
      op->getResult(0).replaceAllUsesWith(result->getResult(0));
      op->erase();
      return true;
    }
    result->erase();
    made->erase();
    for (Value operand : operands)
      if (Operation *source = operand.getDefiningOp();
          source && source->use_empty() &&
          source->getName().getStringRef() == "torch_c.to_builtin_tensor")
        source->erase();
    remark(op, reason);
    return false;
  }

  /// Raises the attention whose result is the product `op`, or a later value
  /// that ops compute from it by moving or converting elements; tries the last
  /// such value first. Returns false if none is raised, and emits a remark if
  /// there is a reason.
  bool raiseFrom(Operation *op) {
    if (op->getName().getStringRef() == "torch.operator")
      return raiseTorchOperator(op);
    SmallVector<Value> values = {op->getResult(0)};
    std::string reason;
    if (!isNamedAttention(op)) {
      Elements elements(&getContext());
      if (!matchAttention(elements, values.front(), keepRounding, reason)) {
        if (!reason.empty())
          remark(op, reason);
        return false;
      }
    }
    while (!isNamedAttention(op) && values.back().hasOneUse()) {
      Operation *user = *values.back().user_begin();
      if (user->getNumResults() != 1 || user->getBlock() != op->getBlock() ||
          !isa<RankedTensorType>(user->getResult(0).getType()))
        break;
      Elements elements(&getContext());
      std::string ignored;
      if (!matchAttention(elements, user->getResult(0), keepRounding, ignored))
        break;
      values.push_back(user->getResult(0));
    }
    for (Value value : llvm::reverse(values))
      if (raise(value, reason))
        return true;
    remark(op, reason);
    return false;
  }

  /// Returns the match of a gradient of attention that is the op's result, or a
  /// later value that a chain of single users computes from it by moving,
  /// converting, scaling or summing elements. Of several such values, takes the
  /// last; null if there is none.
  std::unique_ptr<GradientMatch> findGradient(Operation *op) {
    // The largest number of values that are tried without a match.
    constexpr unsigned kMostOps = 4;
    std::unique_ptr<GradientMatch> found;
    Value value = op->getResult(0);
    for (unsigned count = 0; found || count < kMostOps; ++count) {
      std::unique_ptr<GradientMatch> match = matchGradient(value, keepRounding);
      if (found && !match)
        break;
      if (match)
        found = std::move(match);
      if (!value.hasOneUse())
        break;
      Operation *user = *value.user_begin();
      if (user->getNumResults() != 1 || user->getBlock() != op->getBlock() ||
          !isa<RankedTensorType>(user->getResult(0).getType()))
        break;
      value = user->getResult(0);
    }
    return found;
  }

  /// Whether two gradients belong to the same attention: they have an array of
  /// exponentials in common, and the same gradient of the output.
  static bool isOfSame(const GradientMatch &lhs, const GradientMatch &rhs) {
    return llvm::any_of(lhs.weights,
                        [&](Value array) {
                          return llvm::is_contained(rhs.weights, array);
                        }) &&
           lhs.layout.outputGradient->array == rhs.layout.outputGradient->array;
  }

  /// Returns matches of the gradients of those float arrays that the score of
  /// `leader` reads. For each array, takes the last op of the block whose
  /// result matches.
  SmallVector<std::unique_ptr<GradientMatch>>
  findCaptureGradients(GradientMatch &leader) {
    SmallVector<std::unique_ptr<GradientMatch>> found;
    Block *block = leader.attention->result.getDefiningOp()->getBlock();
    for (Value array : getCapturedFloats(leader)) {
      ArrayRef<int64_t> shape = getShape(array);
      for (Operation &op : llvm::reverse(*block)) {
        if (op.getNumResults() != 1)
          continue;
        auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
        if (!type || type.getShape() != shape ||
            !isa<FloatType>(type.getElementType()))
          continue;
        std::unique_ptr<GradientMatch> match =
            matchCaptureGradient(op.getResult(0), array, keepRounding);
        if (!match)
          continue;
        found.push_back(std::move(match));
        break;
      }
    }
    return found;
  }

  /// Raises the gradients of attention that a function computes. Returns
  /// whether there were any; emits a remark for those that cannot be raised.
  bool raiseGradients(Operation *function) {
    SmallVector<std::unique_ptr<GradientMatch>> matches;
    function->walk([&](Operation *op) {
      if (isProduct(op) && op->getNumResults() == 1)
        if (std::unique_ptr<GradientMatch> match = findGradient(op))
          matches.push_back(std::move(match));
    });
    bool changes = false;
    llvm::DenseMap<Value, Value> replaced;
    llvm::SetVector<Operation *> unused;
    for (auto &leader : matches) {
      // A gradient of the value alone does not determine which array the value
      // is, so a group begins with the gradient of a query or key.
      if (!leader || leader->of == Gradients::Value)
        continue;
      SmallVector<GradientMatch *> group = {leader.get()};
      for (auto &other : matches) {
        bool isNew = other && llvm::none_of(group, [&](GradientMatch *match) {
                       return match->of == other->of;
                     });
        if (isNew && isOfSame(*other, *leader))
          group.push_back(other.get());
      }
      auto ofCaptures = findCaptureGradients(*leader);
      for (auto &match : ofCaptures)
        if (isOfSame(*match, *leader))
          group.push_back(match.get());
      std::string reason;
      if (failed(emitGradients(group, keepRounding, replaced, reason))) {
        remark(leader->attention->result.getDefiningOp(), reason);
        continue;
      }
      changes = true;
      ++numRaised;
      for (GradientMatch *match : group) {
        unused.insert(match->elements->getExpanded().begin(),
                      match->elements->getExpanded().end());
        unused.insert(match->attention->result.getDefiningOp());
      }
      for (auto &match : matches)
        if (llvm::is_contained(group, match.get()) && match != leader)
          match.reset();
      leader.reset();
    }
    eraseUnused(unused);
    return changes;
  }

  /// Whether something was raised.
  bool raiseIn(Operation *function) {
    auto find = [&] {
      SmallVector<Operation *> products;
      function->walk([&](Operation *op) {
        if (mayBeProduct(*op))
          products.push_back(op);
      });
      return products;
    };
    // Raises later ops first: ops that become unused are erased, and need not
    // be looked at.
    hasRemark = false;
    bool found = raiseGradients(function);
    SmallVector<Operation *> products = find();
    size_t end = products.size();
    while (end > 0) {
      Operation *op = products[--end];
      if (!raiseFrom(op))
        continue;
      found = true;
      // Ops before this one are unchanged or erased. The ops are listed again,
      // and the next one is found by its distance from the end of the list,
      // since the ops after it are the same.
      size_t after = products.size() - end;
      products = find();
      end = products.size() > after ? products.size() - after : 0;
    }
    if (!found && !hasRemark)
      remarkUnraised(function);
    llvm::SetVector<Operation *> unused;
    if (found)
      shareForwards(function, unused);
    eraseUnused(unused);
    return found;
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SetVector<func::FuncOp> callees;
    for (Operation &op :
         llvm::make_early_inc_range(*getOperation().getBody())) {
      auto function = dyn_cast<func::FuncOp>(op);
      // A function with calls of private functions is copied, and calls are
      // inlined in the copy. The function gets the copy's body if attention was
      // raised in it.
      if (!function || !hasPrivateCalls(function, symbols)) {
        raiseIn(&op);
        continue;
      }
      func::FuncOp copy = function.clone();
      OpBuilder(function).insert(copy);
      inlinePrivateCalls(copy, symbols, callees);
      if (raiseIn(copy))
        function.getBody().takeBody(copy.getBody());
      copy.erase();
    }
    // Erases private functions whose calls were all inlined, and then those
    // whose only callers were erased.
    for (bool changes = true; changes;) {
      changes = false;
      for (func::FuncOp callee : llvm::to_vector(callees))
        if (SymbolTable::symbolKnownUseEmpty(callee, getOperation())) {
          callees.remove(callee);
          callee.erase();
          changes = true;
        }
    }
  }
};
} // namespace
