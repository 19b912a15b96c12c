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

/// A weight: an exponential where all conditions are true, otherwise 0.
struct Weight {
  Node *exponential = nullptr;
  SmallVector<Node *> conditions;
};

/// Removes conditions from `factors`, each of which is a select of 0 where the
/// condition does not hold. Adds those that depend on keys to `conditions`, and
/// sets `isEmpty` to the condition of rows that selects 0, or null if there is
/// none. Returns false, with a reason, if a select by a condition of rows is of
/// another kind.
bool takeConditions(Elements &elements, Factors &factors,
                    ArrayRef<unsigned> keys,
                    SmallVectorImpl<Node *> &conditions, Node *&isEmpty,
                    std::string &reason);

/// Says whether a divisor is the sum of the weights over the keys, possibly
/// with one further term for each row.
struct Divisor {
  bool matches = false;
  /// The further term, an exponential, or null for a number.
  Node *other = nullptr;
  double number = 0;
};
Divisor matchDivisor(Elements &elements, Node *divisor, const Weight &weight,
                     ArrayRef<unsigned> keys);

/// The score without what is subtracted of a whole row, which changes no
/// probability.
Node *dropRowTerms(Elements &elements, Node *node, ArrayRef<unsigned> keys);

/// The logit of a sink, if the exponential beside the sum is one of it for
/// scores from which row terms were dropped: none if it is not.
std::optional<Sink> findSink(Elements &elements, const Divisor &divisor,
                             Node *weight, Node *score);

/// Whether a row's score is that of nothing to attend to: all of it is -inf.
bool isEmptyRow(Elements &elements, Node *condition, Node *score,
                ArrayRef<unsigned> keys);

/// Whether an exponential is divided by a sum of exponentials in the node.
bool hasSoftmax(Elements &elements, Node *node);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SOFTMAX_H
