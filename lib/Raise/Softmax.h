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

/// An unnormalised probability: an exponential where all conditions are true,
/// otherwise 0.
struct Weight {
  Node *exponential = nullptr;
  SmallVector<Node *> conditions;
};

/// Removes from `factors` the conditions of selects between a factor and 0.
/// Adds conditions that depend on keys to `conditions`; sets `isEmpty` to the
/// one that depends on rows only and selects rows without keys, or to null.
/// Returns false, with a reason, if a condition on rows selects something else.
bool takeConditions(Elements &elements, Factors &factors,
                    ArrayRef<unsigned> keys,
                    SmallVectorImpl<Node *> &conditions, Node *&isEmpty,
                    std::string &reason);

/// Whether a divisor is the sum of the weights over all keys, possibly plus one
/// further term for each row (a sink).
struct Divisor {
  bool matches = false;
  /// The further term: an exponential or, if this is null, the number `number`.
  Node *other = nullptr;
  double number = 0;
};
Divisor matchDivisor(Elements &elements, Node *divisor, const Weight &weight,
                     ArrayRef<unsigned> keys);

/// Returns the score without terms that are the same for all keys of a row:
/// these change no probability.
Node *dropRowTerms(Elements &elements, Node *node, ArrayRef<unsigned> keys);

/// Returns the sink whose exponential is the divisor's further term, for scores
/// from which row terms were dropped; none if it is no sink's.
std::optional<Sink> findSink(Elements &elements, const Divisor &divisor,
                             Node *weight, Node *score);

/// Whether the condition says that all scores of a row are -inf, so that the
/// row attends to nothing.
bool isEmptyRow(Elements &elements, Node *condition, Node *score,
                ArrayRef<unsigned> keys);

/// Whether the node contains an exponential that is divided by a sum of
/// exponentials.
bool hasSoftmax(Elements &elements, Node *node);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SOFTMAX_H
