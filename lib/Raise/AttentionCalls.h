//===- AttentionCalls.h - Calls of kernels that are attention ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_ATTENTIONCALLS_H
#define ATTN_LIB_RAISE_ATTENTIONCALLS_H

#include "Torch.h"

namespace mlir::attn::raise {

/// Whether the op is a stablehlo.custom_call, without side effects, of cuDNN's
/// attention or its gradients.
bool isCuDNNCall(Operation *op);

/// The operands and the configuration of a call of a kernel that computes
/// attention and its lse, or their gradients.
struct AttentionCall {
  Value query, key, value, bias, queryLengths, keyLengths;
  /// An array of i1 that is true for pairs that are kept. Like the bias, it has
  /// dimensions of batch, heads, rows and keys, of which the first two may
  /// be 1.
  Value kept;
  /// The operand that is the bias or `kept`, as the call has it.
  Value mask;
  /// Only of gradients. The lse and the output are as the call has them.
  Value lse, outputGradient, output;
  double scale = 1;
  /// The number of keys up to the row's position that a row reads, or 0 if
  /// there is no window.
  int64_t window = 0;
  bool isCausal = false;
  /// The last key that the first row of a causal call reads.
  int64_t diagonal = 0;
  /// Whether heads come before rows in arrays.
  bool headsFirst = false;
  int64_t batch = 0, kvHeads = 0, group = 0, rows = 0, keys = 0, headDim = 0,
          valueDim = 0;
};

/// Reads a call of cuDNN. Returns nothing, and sets `reason`, if it is not as
/// JAX writes it or has what attn.attention has not.
std::optional<AttentionCall> readCuDNNCall(Operation *op, bool isBackward,
                                           std::string &reason);

/// Reads an op of isTorchAttentionCall(), of whose operands `get` returns the
/// tensors. Sets `isBackward` to whether it computes gradients. Returns
/// nothing, and sets `reason`, if it is not as torch defines it or has what
/// attn.attention has not.
std::optional<AttentionCall> readTorchCall(ShadowBuilder &s, Operation *op,
                                           GetTensor get, bool &isBackward,
                                           std::string &reason);

/// Returns the type of an array of a call that is a tensor of floats with four
/// static dimensions and with elements, else null. `array` may be null.
RankedTensorType getCallArray(Value array);

/// Builds what calls compute in ops of linalg.
class AttentionCalls {
public:
  using Results = SmallVector<std::pair<Value, Value>>;

  /// Builds the results of a call of cuDNN or torch. Returns each result that
  /// is known, as what was built and the result. If the call is not known,
  /// returns nothing and sets `reason`. The gradients of a call need that the
  /// forward call was built. `get` returns the tensors of torch's operands.
  Results build(ShadowBuilder &s, Operation *op, GetTensor get,
                std::string &reason);

private:
  struct Forward {
    AttentionCall call;
    Value probabilities;
  };
  Results buildForward(ShadowBuilder &s, Operation *op,
                       const AttentionCall &call);
  Results buildBackward(ShadowBuilder &s, Operation *op,
                        const AttentionCall &call, std::string &reason);

  llvm::DenseMap<Operation *, Forward> forwards;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_ATTENTIONCALLS_H
