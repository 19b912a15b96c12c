//===- Softmax.h - Weights that are divided by their sum --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_SOFTMAX_H
#define ATTN_LIB_RAISE_SOFTMAX_H

#include "Factors.h"
#include "Match.h"

namespace mlir::attn::raise {

/// A softmax weight before it is divided by the sum of weights: the exponential
/// of a score where all conditions are true, and 0 elsewhere.
struct Weight {
  Node *exponential = nullptr;
  SmallVector<Node *> conditions;
};

/// Replaces factors that are selects between 0 and another operand by the
/// factors of that operand. A select whose condition depends on keys is
/// replaced if the operand is a number or has an exponential among its factors;
/// its condition is added to `conditions`. A select by a condition on rows
/// alone is replaced if the operand has exactly one exponential among its
/// factors; `isEmpty` is set to its condition, which must select 0 where it
/// holds, as for rows without keys. A select of 0 where the operand is NaN, and
/// of the operand elsewhere, is replaced, too, without a condition, if the
/// operand has an exponential. Returns false and sets `reason` if a select
/// selects 0 where it does not hold, or if there is a second such select. Other
/// selects stay.
bool takeConditions(Elements &elements, Factors &factors,
                    ArrayRef<unsigned> keys,
                    SmallVectorImpl<Node *> &conditions, Node *&isEmpty,
                    std::string &reason);

/// Returns the weight that `node` is, with the conditions on the index
/// variables `keys` under which it is not 0. Returns nothing if it is not one
/// exponential, or has other factors.
std::optional<Weight> readWeight(Elements &elements, Node *node,
                                 ArrayRef<unsigned> keys);

/// Whether two lists have the same conditions in any order, if each index
/// variable of `rhs` that is a key of `variables` is replaced by its expression
/// there.
bool areSameConditions(Elements &elements, ArrayRef<Node *> lhs,
                       ArrayRef<Node *> rhs,
                       const llvm::DenseMap<unsigned, AffineExpr> &variables =
                           llvm::DenseMap<unsigned, AffineExpr>());

/// The result of matching a divisor with the sum of a softmax's weights.
/// `matches` is true if the divisor is the sum of the weights over all keys,
/// perhaps plus one further term for each row (a sink).
struct Divisor {
  bool matches = false;
  /// The further term: the exponential `other` or, if that is null, the number
  /// `number`, which is 0 if there is no further term.
  Node *other = nullptr;
  double number = 0;
};
Divisor matchDivisor(Elements &elements, Node *divisor, const Weight &weight,
                     ArrayRef<unsigned> keys);

/// Returns the score `node` without terms that are subtracted from it and are
/// the same for all keys of a row, since these change no probability. Such
/// terms are also found within a product or quotient of the score and a
/// constant.
Node *dropRowTerms(Elements &elements, Node *node, ArrayRef<unsigned> keys);

/// Returns the score whose exponential by exp is what `weight`, an exponential,
/// computes from `score`: `score` itself or, if `weight` is an exp2, `score`
/// times the logarithm of 2. The logarithm is in f32, even if the score's type
/// is narrower.
Node *getNaturalScore(Elements &elements, Node *weight, Node *score);

/// Returns the sink that explains the further term of the divisor. The term
/// must be exp(x), where x is the sink's logit minus what was subtracted from
/// the row's scores. `score` is the score without these row terms. Returns
/// nothing if the term is no such exponential.
std::optional<Sink> findSink(Elements &elements, const Divisor &divisor,
                             Node *weight, Node *score);

/// Whether `condition` holds exactly if all scores of a row are -inf, so that
/// the row attends to nothing.
bool isEmptyRow(Elements &elements, Node *condition, Node *score,
                ArrayRef<unsigned> keys);

/// Whether the expression `node` contains an exponential that is divided by a
/// sum of exponentials.
bool hasSoftmax(Elements &elements, Node *node);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SOFTMAX_H
