//===- SinkGradient.cpp - Gradients of sinks ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFinder.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

namespace {
struct SinkFinder : GradientFinder {
  explicit SinkFinder(GradientFinder finder) : GradientFinder(finder) {}

  /// Whether `gradient` is, for each row, the gradient of the sink. `sums` are
  /// the sums in that expression. One of them must be over keys, of products of
  /// probabilities and dP.
  bool match(Node *gradient, ArrayRef<Node *> sums) {
    const Attention start = attention;
    const Variables startOutputs = outputs, startSummed = summed;
    for (Node *ofRow : sums) {
      if (!isSum(ofRow))
        continue;
      for (auto &[term, keys] : getTerms(ofRow)) {
        Product product = getProduct(term);
        SmallVector<Node *> unders(product.factors.under);
        llvm::append_range(unders, sums);
        for (Node *exponential : product.factors.over)
          for (Node *under : unders)
            for (Node *ofOutput : product.factors.over) {
              if (!isExponential(exponential) || !isSum(ofOutput))
                continue;
              attention = start;
              outputs = startOutputs;
              summed = startSummed;
              llvm::append_range(summed, keys);
              if (matchParts(gradient, exponential, under, ofOutput))
                return true;
            }
      }
    }
    return false;
  }

  /// Returns the summand of a sum at new index variables, the keys, and these
  /// variables. If the sum may have one more term, for a sink that is a column
  /// of scores, also returns the summand without the first or the last term.
  SmallVector<std::pair<Node *, Variables>> getTerms(Node *sum) {
    Indexing &indexing = getIndexing();
    SmallVector<std::pair<Node *, Variables>> terms;
    llvm::DenseMap<unsigned, AffineExpr> all;
    Variables keys;
    for (unsigned variable : sum->variables) {
      all[variable] = indexing.addVariable(indexing.getSize(variable),
                                           indexing.getExtent(variable));
      keys.push_back(*getVariable(all[variable]));
    }
    terms.push_back({elements.substitute(sum->operands[0], all), keys});
    unsigned variable = sum->variables.front();
    int64_t size = indexing.getSize(variable);
    if (sum->variables.size() != 1 || ShapedType::isDynamic(size) || size < 3)
      return terms;
    Variables key = {*getVariable(indexing.addVariable(size - 1))};
    for (auto &[summand, column] : splitSum(elements, sum, key))
      terms.push_back({summand, key});
    return terms;
  }

  bool matchParts(Node *gradient, Node *exponential, Node *under,
                  Node *ofOutput) {
    if (!takeSoftmax(exponential, under) || !attention.sink ||
        !attention.sink->node || !ofSink || !takeOutput(ofOutput))
      return false;
    auto [dot, score] = takeScore();
    if (!dot || elements.areEqual(dot, ofOutput))
      return false;
    // The sum must be over index variables of rows.
    llvm::erase_if(summed, [&](unsigned variable) {
      return llvm::is_contained(attention.keys, variable);
    });
    ScoreGradient parts = {
        weight, sum, ofOutput, score, dot, attention.keys, attention.masks};
    parts.divided = divided;
    parts.hasSink = true;
    parts.ofSink = ofSink;
    if (!dependsOnAll(elements, weight, summed) ||
        !isSinkGradient(elements, parts, gradient))
      return false;
    addOutputs(ofOutput->variables);
    return true;
  }
};
} // namespace

std::unique_ptr<GradientMatch>
mlir::attn::raise::matchSinkGradient(Value result, bool keepsRounding) {
  auto [match, root] = beginGradient(result);
  Elements &elements = *match->elements;
  SinkFinder finder(GradientFinder{elements, *match->attention, keepsRounding,
                                   getVariables(match->attention->gradient)});
  Node *body = takeSums(elements, elements.strip(root), finder.summed);
  SmallVector<Node *> exponentials, sums;
  collectParts(elements, body, exponentials, sums);
  if (exponentials.empty() || !finder.match(body, sums) ||
      !finishGradient(*match, finder.weight))
    return nullptr;
  match->of = Gradients::Sink;
  return hasDimsOfGradient(*match) ? std::move(match) : nullptr;
}
