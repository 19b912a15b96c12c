//===- RaiseGradients.cpp - Finds the gradients in a function -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFinder.h"
#include "Shadows.h"
#include "Unraised.h"
#include "Unused.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

using GradientMatches = SmallVector<std::unique_ptr<GradientMatch>, 1>;

/// Returns the match of a gradient of attention that `op` computes, and
/// before it those of later values, if a chain of ops computes them from the
/// result of `op` by moving, converting, scaling or summing elements, and
/// each value of the chain has a single user.
static GradientMatches findGradient(Operation *op, bool keepRounding) {
  // The largest number of values, along the chain of ops that begins at `op`,
  // that are compared with gradients before one matches.
  constexpr unsigned kMostOps = 8;
  GradientMatches found;
  Value value = op->getResult(0);
  for (unsigned count = 0; !found.empty() || count < kMostOps; ++count) {
    std::unique_ptr<GradientMatch> match = matchGradient(value, keepRounding);
    if (!found.empty() && !match)
      break;
    if (match)
      found.insert(found.begin(), std::move(match));
    Operation *user = getOnlyUser(value);
    if (!user || isProduct(user) || user->getNumResults() != 1 ||
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
static SmallVector<std::unique_ptr<GradientMatch>>
findCaptureGradients(GradientMatch &leader, ArrayRef<GradientMatch *> group,
                     bool keepRounding) {
  // A gradient of scores that only the other gradients read is not needed.
  auto isNeeded = [&](Value gradient) {
    return llvm::any_of(gradient.getUsers(), [&](Operation *user) {
      return llvm::none_of(group, [&](GradientMatch *match) {
        return match->elements->getExpanded().contains(user) ||
               match->attention->result.getDefiningOp() == user;
      });
    });
  };
  SmallVector<std::unique_ptr<GradientMatch>> found;
  Block *block = leader.attention->result.getDefiningOp()->getBlock();
  SmallVector<Node *> matched;
  for (const Captured &candidate : getCapturedFloats(leader)) {
    Node *node = candidate.node;
    Value array = candidate.array;
    // The gradient of one of several nodes from which each other is computed
    // is that of the others, too.
    auto contains = [&](Node *whole, Node *part) {
      return leader.elements->contains(
          whole, [&](Node *inner) { return inner == part; });
    };
    if (llvm::any_of(matched, [&](Node *other) {
          return contains(node, other) || contains(other, node);
        }))
      continue;
    ArrayRef<int64_t> shape = getShape(array);
    for (Operation &op : llvm::reverse(*block)) {
      if (op.getNumResults() != 1)
        continue;
      auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
      if (!type || type.getShape() != shape ||
          !isa<FloatType>(type.getElementType()) || !isNeeded(op.getResult(0)))
        continue;
      std::unique_ptr<GradientMatch> match =
          matchCaptureGradient(op.getResult(0), array, keepRounding);
      if (!match || !isOfSame(*match, leader) || !isSummed(*match))
        continue;
      found.push_back(std::move(match));
      matched.push_back(node);
      break;
    }
  }
  return found;
}

/// Returns the match of the gradient of the sink of `leader`'s attention, or
/// null if there is none. Takes the last op of the block whose result is the
/// gradient.
static std::unique_ptr<GradientMatch> findSinkGradient(GradientMatch &leader,
                                                       bool keepRounding) {
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

RaisedGradients mlir::attn::raise::raiseGradients(
    Operation *function, bool keepRounding,
    llvm::function_ref<void(Operation *, StringRef)> remark) {
  RaisedGradients raised;
  SmallVector<GradientMatches> matches;
  function->walk([&](Operation *op) {
    if (isProduct(op) && op->getNumResults() == 1 &&
        isa<RankedTensorType>(op->getResult(0).getType()))
      if (GradientMatches found = findGradient(op, keepRounding);
          !found.empty())
        matches.push_back(std::move(found));
  });
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
        group.push_back((same == others.end() ? others.front() : *same).get());
        taken.push_back(&others);
      }
      return std::pair(group, fits);
    };
    auto *chosen = llvm::find_if(
        leaders, [&](auto &match) { return findGroup(match.get()).second; });
    GradientMatch *leader =
        (chosen == leaders.end() ? leaders.front() : *chosen).get();
    SmallVector<GradientMatch *> group = findGroup(leader).first;
    auto ofCaptures = findCaptureGradients(*leader, group, keepRounding);
    for (auto &match : ofCaptures)
      group.push_back(match.get());
    std::unique_ptr<GradientMatch> ofSink =
        findSinkGradient(*leader, keepRounding);
    if (ofSink)
      group.push_back(ofSink.get());
    std::string reason;
    if (failed(emitGradients(group, keepRounding, replaced, raised.shifted,
                             raised.captured, reason))) {
      remark(leader->attention->result.getDefiningOp(), reason);
      continue;
    }
    ++raised.count;
    for (GradientMatch *match : group) {
      unused.insert(match->elements->getExpanded().begin(),
                    match->elements->getExpanded().end());
      unused.insert(match->attention->result.getDefiningOp());
    }
    for (GradientMatches *match : taken)
      match->clear();
  }
  eraseUnused(unused);
  return raised;
}
