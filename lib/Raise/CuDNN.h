//===- CuDNN.h - Calls of cuDNN's attention in StableHLO --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_CUDNN_H
#define ATTN_LIB_RAISE_CUDNN_H

#include "ShadowBuilder.h"

namespace mlir::attn::raise {

/// Whether the op is a stablehlo.custom_call, without side effects, of cuDNN's
/// attention or its gradients.
bool isCuDNNCall(Operation *op);

/// The operands and the configuration of a call.
struct CuDNNCall {
  Value query, key, value, bias, queryLengths, keyLengths;
  /// Only of gradients.
  Value lse, outputGradient, output;
  double scale = 1;
  /// The number of keys up to the row's position that a row reads, or 0 if
  /// there is no window.
  int64_t window = 0;
  bool isCausal = false;
  /// Whether heads come before rows in arrays.
  bool headsFirst = false;
  int64_t batch = 0, kvHeads = 0, group = 0, rows = 0, keys = 0, headDim = 0,
          valueDim = 0;
};

/// Reads a call. Returns nothing, and sets `reason`, if it is not as JAX writes
/// it or has what attn.attention has not.
std::optional<CuDNNCall> readCuDNNCall(Operation *op, bool isBackward,
                                       std::string &reason);

/// Builds what calls of cuDNN compute in ops of linalg.
class CuDNNCalls {
public:
  /// Builds the results of a call. Returns each result that is known, as what
  /// was built and the result. If the call is not known, returns nothing and
  /// sets `reason`. The gradients of a call need that the forward call was
  /// built.
  SmallVector<std::pair<Value, Value>> build(ShadowBuilder &s, Operation *op,
                                             std::string &reason);

private:
  struct Forward {
    CuDNNCall call;
    Value probabilities;
  };
  SmallVector<std::pair<Value, Value>>
  buildForward(ShadowBuilder &s, Operation *op, const CuDNNCall &call);
  SmallVector<std::pair<Value, Value>> buildBackward(ShadowBuilder &s,
                                                     Operation *op,
                                                     const CuDNNCall &call,
                                                     std::string &reason);

  llvm::DenseMap<Operation *, Forward> forwards;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_CUDNN_H
