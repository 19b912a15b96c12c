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
  /// The gradients that were raised in the function.
  RaisedGradients gradients;

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
    // Gradients share the attention with the forward pass, and have neither
    // values that are columns of the key nor gradients of arrays that are put
    // together.
    FailureOr<Layout> layout =
        gradients.count == 0 ? findForwardLayout(elements, *attention, reason)
                             : findLayout(elements, *attention, reason);
    if (failed(layout))
      return false;
    // Each row with a number for each of its keys, as in the sum of P dP of
    // gradients, has no keys or values to share.
    if (!isNamed && layout->rows.empty() && layout->group.empty() &&
        layout->valueDims.empty()) {
      reason = "what probabilities are multiplied with is a number for each "
               "pair of row and key";
      return false;
    }
    attention->score = readFrom(elements, attention->score, attention->product,
                                gradients.captured);
    SmallVector<LseMatch> ofLse = findLse(elements, *attention, *layout, op);
    ImplicitLocOpBuilder b(op->getLoc(), op);
    bool shiftsRows =
        attention->weight &&
        llvm::any_of(attention->weight->sources, [&](const Access &source) {
          return gradients.shifted.contains(source.array);
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
        ++numRaised;
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
    bool isNamed = isNamedAttention(op), isDifference = false;
    auto matches = [&](Value value, std::string &why) {
      if (isDifference)
        return isOfDifference(value);
      Elements elements(&getContext());
      return bool(matchAttention(elements, value, keepRounding, why));
    };
    if (!isNamed && !matches(values.front(), reason)) {
      // Products of a difference of probabilities round each term by itself.
      isDifference =
          !reason.empty() && !keepRounding && isOfDifference(values.front());
      if (!isDifference) {
        if (!reason.empty())
          remark(op, reason);
        return false;
      }
    }
    while (!isNamed) {
      Operation *user = getOnlyUser(values.back());
      std::string ignored;
      if (!user || user->getNumResults() != 1 ||
          user->getBlock() != op->getBlock() ||
          !isa<RankedTensorType>(user->getResult(0).getType()) ||
          !matches(user->getResult(0), ignored))
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
    for (Value value : llvm::reverse(values)) {
      bool isRaised =
          isDifference ? raiseDifference(value) : raise(value, reason);
      if (!isRaised)
        continue;
      ++numRaised;
      return true;
    }
    remark(op, reason);
    return false;
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
    bool hasShadows = addShadows(
        function, [&](Operation *op, StringRef reason) { remark(op, reason); });
    LoopResiduals residuals(function);
    gradients = raiseGradients(
        function, keepRounding,
        [&](Operation *op, StringRef reason) { remark(op, reason); });
    numRaised += gradients.count;
    bool found = gradients.count != 0;
    residuals.finish();
    if (found && hasShadows)
      releaseShadows(function);
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
    if (found) {
      shareForwards(function, unused);
      // Loops carry arrays for attention, such as masks, that it does not read
      // any more.
      llvm::SetVector<Operation *> loops;
      function->walk([&](AttentionOp op) {
        if (Operation *loop = op->getParentOp(); isLoop(loop))
          loops.insert(loop);
      });
      for (Operation *loop : llvm::reverse(loops))
        dropCarried(loop, unused);
      // Ops without a use, which JAX leaves beside gradients, would stay in a
      // dialect that is not compiled.
      function->walk([&](Operation *op) {
        if (op->getNumResults() != 0 && op->use_empty())
          unused.insert(op);
      });
    }
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
