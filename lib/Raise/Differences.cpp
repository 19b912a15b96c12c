//===- Differences.cpp - Values by sums of probabilities ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differential attention multiplies values with the difference of two
// probabilities, which may be every second head of one softmax. The product is
// distributed over the terms, each of which is then matched by itself.
//
//===----------------------------------------------------------------------===//

#include "Differences.h"
#include "Emit.h"
#include "Factors.h"
#include "Unused.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

namespace {
/// The terms of an expression, each of which depends on `keys`.
struct TermFinder {
  Elements &elements;
  ArrayRef<unsigned> keys;
  SmallVector<ProbabilityTerm> terms = {};

  /// Adds the terms of `factor` * `by` * `node`. Returns false if there are too
  /// many.
  bool add(Node *node, double factor, Node *by) {
    constexpr size_t kMost = 4;
    node = elements.strip(node);
    if (node->isApply("arith.addf") || node->isApply("arith.subf"))
      return add(node->operands[0], factor, by) &&
             add(node->operands[1],
                 node->isApply("arith.subf") ? -factor : factor, by);
    if (node->isApply("arith.negf"))
      return add(node->operands[0], -factor, by);
    for (unsigned i : {0u, 1u}) {
      if (!node->isApply("arith.mulf") ||
          dependsOnAny(elements, node->operands[i], keys))
        continue;
      Node *other = node->operands[1 - i];
      if (std::optional<double> number =
              elements.getConstantFloat(node->operands[i]))
        return add(other, factor * *number, by);
      // A reciprocal of the sum of exponentials stays with these.
      Node *its = elements.strip(node->operands[i]);
      if (by || its->isApply("arith.divf"))
        break;
      return add(other, factor, its);
    }
    terms.push_back({node, by, factor});
    return terms.size() <= kMost;
  }
};

/// A term that was matched.
struct MatchedTerm {
  std::unique_ptr<Elements> elements;
  std::unique_ptr<Attention> attention;
  Layout layout;
  std::optional<Arrangement> by;
  double factor = 1;
};
} // namespace

SmallVector<ProbabilityTerm>
mlir::attn::raise::splitProbabilities(Elements &elements, Node *root) {
  Node *sum = elements.strip(root);
  Node *body = isSum(sum) ? elements.strip(sum->operands[0]) : nullptr;
  if (!body || !body->isApply("arith.mulf"))
    return {};
  for (unsigned i : {0u, 1u}) {
    TermFinder finder{elements, sum->variables};
    if (!finder.add(body->operands[i], 1, nullptr) || finder.terms.size() < 2)
      continue;
    for (ProbabilityTerm &term : finder.terms)
      term.root = elements.getReduce(
          sum->name, sum->type, sum->variables,
          elements.getApply("arith.mulf", body->type,
                            {elements.getCast(term.root, body->type),
                             body->operands[1 - i]}));
    return finder.terms;
  }
  return {};
}

/// Matches term `number` of the sum that `result` is. `count` becomes the
/// number of terms.
static std::optional<MatchedTerm> matchTerm(Value result, unsigned number,
                                            size_t &count) {
  MatchedTerm matched;
  matched.elements = std::make_unique<Elements>(result.getContext());
  Elements &elements = *matched.elements;
  ProbabilityTerm term;
  std::string ignored;
  matched.attention = matchAttention(
      elements, result, /*keepsRounding=*/false, ignored, [&](Node *root) {
        SmallVector<ProbabilityTerm> terms = splitProbabilities(elements, root);
        count = terms.size();
        if (number < count)
          term = terms[number];
        return term.root;
      });
  if (!matched.attention)
    return std::nullopt;
  takeMasks(elements, *matched.attention, /*keepsRounding=*/false);
  FailureOr<Layout> layout = findLayout(elements, *matched.attention, ignored);
  if (failed(layout))
    return std::nullopt;
  matched.layout = *layout;
  matched.factor = term.factor;
  if (!term.by)
    return matched;
  // The factor of a term must be the same for all rows, as a number for each
  // head is.
  unsigned before = elements.getIndexing().getNumVariables();
  matched.by = findArray(elements, term.by);
  llvm::SmallDenseSet<unsigned> ofOutputs = getAllDigits(layout->outputs);
  if (!matched.by || before != elements.getIndexing().getNumVariables())
    return std::nullopt;
  for (unsigned digit : getAllDigits(matched.by->dims))
    if (!ofOutputs.contains(digit) || llvm::is_contained(layout->rows, digit))
      return std::nullopt;
  return matched;
}

/// Returns the matches of all terms of the sum that `result` is, or none if one
/// of them does not match.
static std::vector<MatchedTerm> matchTerms(Value result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape())
    return {};
  std::vector<MatchedTerm> terms;
  size_t count = 1;
  for (unsigned number = 0; number < count; ++number) {
    auto matched = matchTerm(result, number, count);
    if (!matched)
      return {};
    terms.push_back(std::move(*matched));
  }
  return terms;
}

bool mlir::attn::raise::isOfDifference(Value result) {
  return !matchTerms(result).empty();
}

bool mlir::attn::raise::raiseDifference(Value result) {
  std::vector<MatchedTerm> terms = matchTerms(result);
  if (terms.empty())
    return false;
  auto type = cast<RankedTensorType>(result.getType());
  Operation *op = result.getDefiningOp();
  ImplicitLocOpBuilder b(op->getLoc(), op);
  llvm::SetVector<Operation *> unused;
  auto track = [&](Value value) {
    if (Operation *source = value.getDefiningOp())
      unused.insert(source);
    return value;
  };
  Value sum;
  for (MatchedTerm &term : terms) {
    std::string ignored;
    SmallVector<Value> values =
        emitAttention(b, *term.elements, *term.attention, term.layout, {},
                      /*keepsRounding=*/false, /*shiftsRows=*/false, ignored);
    if (values.empty()) {
      eraseUnused(unused);
      return false;
    }
    Value value = track(values.front());
    llvm::DenseMap<unsigned, Value> sizes;
    if (term.by)
      value = track(arith::MulFOp::create(
          b, value,
          arrangeResult(b, term.elements->getIndexing(), *term.by,
                        term.layout.outputs, type, sizes)));
    if (std::abs(term.factor) != 1) {
      Value empty =
          tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
      Value number = arith::ConstantOp::create(
          b, b.getFloatAttr(type.getElementType(), std::abs(term.factor)));
      value = track(arith::MulFOp::create(
          b, value, linalg::FillOp::create(b, number, empty).getResult(0)));
    }
    if (!sum && term.factor < 0)
      sum = track(arith::NegFOp::create(b, value));
    else if (!sum)
      sum = value;
    else if (term.factor < 0)
      sum = track(arith::SubFOp::create(b, sum, value));
    else
      sum = track(arith::AddFOp::create(b, sum, value));
  }
  result.replaceAllUsesWith(sum);
  unused.clear();
  for (MatchedTerm &term : terms)
    unused.insert(term.elements->getExpanded().begin(),
                  term.elements->getExpanded().end());
  unused.insert(op);
  eraseUnused(unused);
  return true;
}
