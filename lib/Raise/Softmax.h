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

/// An unnormalised probability: the exponential of a score where all conditions
/// are true, otherwise 0.
struct Weight {
  Node *exponential = nullptr;
  SmallVector<Node *> conditions;
};

/// Replaces each factor that is a select between 0 and another operand by that
/// operand's factors, if these are a weight or, for conditions on keys, empty.
/// Adds conditions that depend on keys to `conditions`; sets `isEmpty` to a
/// condition on rows alone that selects 0 where it holds, as for rows without
/// keys, and leaves it as it is if there is none. Returns false, with a reason,
/// for another condition on rows, or a second one.
bool takeConditions(Elements &elements, Factors &factors,
                    ArrayRef<unsigned> keys,
                    SmallVectorImpl<Node *> &conditions, Node *&isEmpty,
                    std::string &reason);

/// `matches` is whether a divisor is the sum of the weights over all keys,
/// possibly plus one further term for each row (a sink).
struct Divisor {
  bool matches = false;
  /// The further term: an exponential or, if this is null, the number `number`.
  Node *other = nullptr;
  double number = 0;
};
Divisor matchDivisor(Elements &elements, Node *divisor, const Weight &weight,
                     ArrayRef<unsigned> keys);

/// Returns the score without terms that are subtracted and are the same for all
/// keys of a row, which change no probability; also within a product or
/// quotient by a constant.
Node *dropRowTerms(Elements &elements, Node *node, ArrayRef<unsigned> keys);

/// Returns the sink whose exponential, less what was subtracted from the row's
/// scores, is the divisor's further term; `score` is the score from which row
/// terms were dropped. None if the term is no such exponential.
std::optional<Sink> findSink(Elements &elements, const Divisor &divisor,
                             Node *weight, Node *score);

/// Whether the condition holds exactly if all scores of a row are -inf, so that
/// the row attends to nothing.
bool isEmptyRow(Elements &elements, Node *condition, Node *score,
                ArrayRef<unsigned> keys);

/// Whether the node contains an exponential that is divided by a sum of
/// exponentials.
bool hasSoftmax(Elements &elements, Node *node);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SOFTMAX_H
