//===- AttnRaise.cpp - Find attention in IR that others wrote -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribAttention.h"
#include "Differences.h"
#include "Emit.h"
#include "Gradient.h"
#include "InlineCalls.h"
#include "Loops.h"
#include "Shadows.h"
#include "Unraised.h"
#include "Unused.h"

#include "attn/Raise/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNRAISEPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Whether the op may compute the result of an attention. It may if it is an
/// attention op of another dialect (isNamedAttention()), or a product of
/// softmax weights and values, or the quotient of such a product and the sum of
/// the weights.
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

namespace {
struct AttnRaisePass : public attn::impl::AttnRaisePassBase<AttnRaisePass> {
  using AttnRaisePassBase::AttnRaisePassBase;

  /// Whether attn-raise has emitted a remark in the function that it looks at.
  bool hasRemark = false;
  /// Whether gradients of attention were raised in the function.
  bool hasGradients = false;
  /// The arrays of softmax exponentials in the function that belong to raised
  /// gradients with shifted scores. Their attention has the same scores, so
  /// that there is only one attention op.
  llvm::DenseSet<Value> shifted;

  void remark(Operation *op, StringRef reason) {
    // A remark on a shadow is one on the op that it is of, and does not show
    // the shadow.
    if (isShadow(op))
      emitRemark(op->getLoc()) << "attention was not raised: " << reason;
    else
      op->emitRemark("attention was not raised: ") << reason;
    hasRemark = true;
  }

  /// Replaces `result` by the result of a new attn.attention op, and returns
  /// true, if `result` is the result of attention. Otherwise returns false and
  /// may set `reason` to the reason. `call` describes the result of an op that
  /// stands for one of ONNX.
  bool raise(Value result, std::string &reason,
             const ContribCall *call = nullptr) {
    Elements elements(&getContext());
    Operation *op = result.getDefiningOp();
    bool isNamed = isNamedAttention(op);
    std::unique_ptr<Attention> attention =
        call      ? matchContrib(elements, result, *call, reason)
        : isNamed ? matchNamedAttention(elements, op, reason)
                  : matchAttention(elements, result, keepRounding, reason);
    if (!attention)
      return false;
    takeMasks(elements, *attention, keepRounding);
    FailureOr<Layout> layout = findLayout(elements, *attention, reason);
    if (failed(layout))
      return false;
    // Gradients have no such values, and share the attention with the forward
    // pass.
    if (!hasGradients)
      layout->valueColumns = findValueColumns(elements, *attention, *layout);
    SmallVector<LseMatch> ofLse = findLse(elements, *attention, *layout, op);
    ImplicitLocOpBuilder b(op->getLoc(), op);
    bool shiftsRows =
        attention->weight &&
        llvm::any_of(attention->weight->sources, [&](const Access &source) {
          return shifted.contains(source.array);
        });
    SmallVector<Value> values =
        emitAttention(b, elements, *attention, *layout, ofLse, keepRounding,
                      shiftsRows, reason);
    if (values.empty())
      return false;
    result.replaceAllUsesWith(values.front());
    for (auto [match, value] : llvm::zip(ofLse, ArrayRef(values).drop_front()))
      match.value.replaceUsesWithIf(
          value, [&](OpOperand &use) { return isAfter(use, op); });
    llvm::SetVector<Operation *> unused = elements.getExpanded();
    unused.insert(op);
    eraseUnused(unused);
    ++numRaised;
    return true;
  }

  /// Raises an op of ONNX through ops on builtin tensors (OperatorTensors).
  /// Returns false, after a remark, if it cannot be raised.
  bool raiseOperator(Operation *op) {
    std::string reason;
    {
      OperatorTensors tensors(op);
      Value output = tensors.build(reason);
      if (output && raise(output, reason, &tensors.getCall())) {
        tensors.replace();
        return true;
      }
    }
    remark(op, reason);
    return false;
  }

  /// Raises the attention that computes the product `op`, or a later value that
  /// a chain of ops computes from it by moving or converting elements. Of the
  /// values of this chain that are attention, the last one is tried first.
  /// Returns false if none is raised, and emits a remark if there is a reason.
  bool raiseFrom(Operation *op) {
    if (!getONNXAttention(op).empty())
      return raiseOperator(op);
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
    while (!isNamedAttention(op)) {
      Operation *user = getOnlyUser(values.back());
      if (!user || user->getNumResults() != 1 ||
          user->getBlock() != op->getBlock() ||
          !isa<RankedTensorType>(user->getResult(0).getType()))
        break;
      Elements elements(&getContext());
      std::string ignored;
      if (!matchAttention(elements, user->getResult(0), keepRounding, ignored))
        break;
      values.push_back(user->getResult(0));
    }
    // A conversion to wider elements at the end stays, so that attention of a
    // function and of its gradients have results of the same type.
    auto getWidth = [](Value value) {
      return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    };
    while (values.size() > 1 &&
           getWidth(values.back()) > getWidth(values[values.size() - 2]))
      values.pop_back();
    for (Value value : llvm::reverse(values))
      if (raise(value, reason))
        return true;
    remark(op, reason);
    return false;
  }

  using GradientMatches = SmallVector<std::unique_ptr<GradientMatch>, 1>;

  /// Returns the match of a gradient of attention that `op` computes, and
  /// before it those of later values, if a chain of ops computes them from the
  /// result of `op` by moving, converting, scaling or summing elements, and
  /// each value of the chain has a single user.
  GradientMatches findGradient(Operation *op) {
    // The largest number of values, along the chain of ops that begins at `op`,
    // that are compared with gradients before one matches.
    constexpr unsigned kMostOps = 4;
    GradientMatches found;
    Value value = op->getResult(0);
    for (unsigned count = 0; !found.empty() || count < kMostOps; ++count) {
      std::unique_ptr<GradientMatch> match = matchGradient(value, keepRounding);
      if (!found.empty() && !match)
        break;
      if (match)
        found.insert(found.begin(), std::move(match));
      Operation *user = getOnlyUser(value);
      if (!user || user->getNumResults() != 1 ||
          user->getBlock() != op->getBlock() ||
          !isa<RankedTensorType>(user->getResult(0).getType()))
        break;
      value = user->getResult(0);
    }
    return found;
  }

  /// Whether two matched gradients belong to the same attention: they use an
  /// array of softmax exponentials in common, and the same gradients of the
  /// output and of the lse.
  static bool isOfSame(const GradientMatch &lhs, const GradientMatch &rhs) {
    return isSameOfLse(lhs, rhs) &&
           llvm::any_of(lhs.weights,
                        [&](Value array) {
                          return llvm::is_contained(rhs.weights, array);
                        }) &&
           lhs.layout.outputGradient->array == rhs.layout.outputGradient->array;
  }

  /// Returns matches of the gradients of those arrays of floats that the score
  /// of `leader`'s attention reads. For each such array, takes the last op of
  /// the block whose result is the array's gradient.
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

  /// Returns the match of the gradient of the sink of `leader`'s attention, or
  /// null if there is none. Takes the last op of the block whose result is the
  /// gradient.
  std::unique_ptr<GradientMatch> findSinkGradient(GradientMatch &leader) {
    // The gradient of a sink is matched without what the gradient of an lse
    // adds to it.
    if (!leader.layout.sink || leader.layout.lseGradient)
      return nullptr;
    auto type = cast<RankedTensorType>(leader.layout.sink->array.getType());
    Block *block = leader.attention->result.getDefiningOp()->getBlock();
    for (Operation &op : llvm::reverse(*block)) {
      auto its = op.getNumResults() == 1
                     ? dyn_cast<RankedTensorType>(op.getResult(0).getType())
                     : nullptr;
      if (!its || its.getShape() != type.getShape() ||
          !isa<FloatType>(its.getElementType()))
        continue;
      std::unique_ptr<GradientMatch> match =
          matchSinkGradient(op.getResult(0), keepRounding);
      if (match && isOfSame(*match, leader))
        return match;
    }
    return nullptr;
  }

  /// Raises all gradients of attention that a function computes, and returns
  /// whether there were any. Emits a remark for gradients that cannot be
  /// raised.
  bool raiseGradients(Operation *function) {
    SmallVector<GradientMatches> matches;
    function->walk([&](Operation *op) {
      if (isProduct(op) && op->getNumResults() == 1 &&
          isa<RankedTensorType>(op->getResult(0).getType()))
        if (GradientMatches found = findGradient(op); !found.empty())
          matches.push_back(std::move(found));
    });
    bool changes = false;
    llvm::DenseMap<Value, Value> replaced;
    llvm::SetVector<Operation *> unused;
    for (GradientMatches &leaders : matches) {
      // A gradient of the value alone does not determine which array the value
      // is, so each group of gradients of one attention begins with the
      // gradient of a query or key.
      if (leaders.empty() || leaders.front()->of == Gradients::Value)
        continue;
      SmallVector<GradientMatches *> taken;
      // A value may be shared by heads that have a key of their own, or be
      // repeated for them as keys are, so the matches of a group are chosen
      // together.
      auto findGroup = [&](GradientMatch *leader) {
        SmallVector<GradientMatch *> group = {leader};
        taken = {&leaders};
        bool fits = true;
        for (GradientMatches &others : matches) {
          if (others.empty() || !isOfSame(*others.front(), *leader) ||
              llvm::any_of(group, [&](GradientMatch *match) {
                return match->of == others.front()->of;
              }))
            continue;
          auto *same = llvm::find_if(others, [&](auto &other) {
            return haveSameArrays(*leader, *other);
          });
          fits &= same != others.end();
          group.push_back(
              (same == others.end() ? others.front() : *same).get());
          taken.push_back(&others);
        }
        return std::pair(group, fits);
      };
      auto *chosen = llvm::find_if(
          leaders, [&](auto &match) { return findGroup(match.get()).second; });
      GradientMatch *leader =
          (chosen == leaders.end() ? leaders.front() : *chosen).get();
      SmallVector<GradientMatch *> group = findGroup(leader).first;
      auto ofCaptures = findCaptureGradients(*leader);
      for (auto &match : ofCaptures)
        if (isOfSame(*match, *leader))
          group.push_back(match.get());
      std::unique_ptr<GradientMatch> ofSink = findSinkGradient(*leader);
      if (ofSink)
        group.push_back(ofSink.get());
      std::string reason;
      if (failed(
              emitGradients(group, keepRounding, replaced, shifted, reason))) {
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
      for (GradientMatches *match : taken)
        match->clear();
    }
    eraseUnused(unused);
    return changes;
  }

  /// Raises all attention, and gradients of attention, in a function, and
  /// returns whether there was any.
  bool raiseIn(Operation *function) {
    auto find = [&] {
      SmallVector<Operation *> products;
      function->walk([&](Operation *op) {
        if (mayBeProduct(*op))
          products.push_back(op);
      });
      return products;
    };
    // The function's ops are raised from the last to the first. Earlier ops
    // that become unused are then erased before they are looked at.
    hasRemark = false;
    shifted.clear();
    bool hasShadows = addShadows(
        function, [&](Operation *op, StringRef reason) { remark(op, reason); });
    LoopResiduals residuals(function);
    bool found = hasGradients = raiseGradients(function);
    residuals.finish();
    if (found && hasShadows)
      releaseShadows(function);
    // Products of a difference of probabilities round each term by itself.
    if (!keepRounding)
      for (Operation *op : find())
        splitDifference(op, [&](Value product) {
          Elements elements(&getContext());
          std::string ignored;
          auto found = matchAttention(elements, product, false, ignored);
          return found && succeeded(findLayout(elements, *found, ignored));
        });
    SmallVector<Operation *> products = find();
    size_t end = products.size();
    while (end > 0) {
      Operation *op = products[--end];
      if (!raiseFrom(op))
        continue;
      found = true;
      // Raising an op may erase other ops of `products`. Raising creates no
      // products, so those that find() returns now are the ones that are left.
      SmallVector<Operation *> all = find();
      llvm::SmallPtrSet<Operation *, 16> left(all.begin(), all.end());
      products.truncate(end);
      llvm::erase_if(products,
                     [&](Operation *other) { return !left.contains(other); });
      end = products.size();
    }
    if (!found && !hasRemark)
      remarkUnraised(function);
    llvm::SetVector<Operation *> unused;
    if (found)
      shareForwards(function, unused);
    eraseUnused(unused);
    if (hasShadows)
      removeShadows(function);
    return found;
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SetVector<func::FuncOp> callees;
    for (Operation &op :
         llvm::make_early_inc_range(*getOperation().getBody())) {
      auto function = dyn_cast<func::FuncOp>(op);
      // A function with calls of private functions is copied, and the calls are
      // inlined in the copy. The function gets the copy's body only if
      // attention was raised in the copy.
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
    // Private functions whose calls were all inlined are erased, and then those
    // whose only callers were erased.
    for (bool changes = true; changes;) {
      changes = false;
      for (func::FuncOp callee : llvm::to_vector(callees))
        if (!isReferredTo(callee, getOperation())) {
          callees.remove(callee);
          callee.erase();
          changes = true;
        }
    }
  }
};
} // namespace
