//===- Torch.h - Reads ops of torch-mlir ------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ops of the dialect torch without that dialect being registered: ops are
// recognised by their names, and types are read as text.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_TORCH_H
#define ATTN_LIB_RAISE_TORCH_H

#include "ShadowBuilder.h"

namespace mlir::attn::raise {

/// Returns the builtin tensor type that corresponds to a tensor type of
/// torch-mlir, which is parsed from its text. Integers lose their sign, as by
/// torch_c.to_builtin_tensor. Returns null for another type, or if elements are
/// none of f16, bf16, f32, i1, si32 and si64.
RankedTensorType getBuiltinType(Type type);

/// Returns `type` itself if it is a builtin tensor type, else what
/// getBuiltinType() returns.
RankedTensorType getTensorType(Type type);

/// The names of torch-mlir's ops that cast a tensor of its types to the builtin
/// type, and back.
inline constexpr StringRef kToTensor = "torch_c.to_builtin_tensor",
                           kFromTensor = "torch_c.from_builtin_tensor";

/// Inserts the cast `name`, one of these, of `value` to `type`.
Value convertTensor(OpBuilder &b, StringRef name, Value value, Type type);

/// Returns the value as a tensor of builtin type: itself, or the result of a
/// cast that is inserted. Returns null if it is no tensor.
Value getTensor(OpBuilder &b, Value value);

/// Whether a number is an integer that a double has exactly.
bool isExactInt(double number);

/// The following functions read an operand of a torch op that is a constant or
/// a list of constants.
bool isTorchNone(Value value);
std::optional<double> getTorchNumber(Value value);
std::optional<int64_t> getTorchInt(Value value);
std::optional<bool> getTorchBool(Value value);
std::optional<SmallVector<int64_t>> getTorchInts(Value list);

/// Returns the dimension that an operand of a torch op names, which may count
/// from the end, of a tensor of rank `rank`. Returns nothing if it is out of
/// range or not constant.
std::optional<int64_t> getTorchDim(Value value, int64_t rank);

/// Whether a torch.aten.dropout drops nothing, since it does not train or its
/// probability is 0.
bool isOffDropout(Operation *op);

/// Whether a torch op is one of the kernels by which torch computes attention
/// and its lse, or their gradients (see TorchAttention.cpp).
bool isTorchAttentionCall(Operation *op);

/// Whether the name of a torch op says that it only computes its results, and
/// its builder below may know it.
bool isPureTorch(Operation *op);

/// Returns the tensor with builtin type that an operand of a torch op is.
/// Returns null if the operand is no tensor.
using GetTensor = llvm::function_ref<Value(Value)>;

/// Builds ops on builtin tensors that compute the first result of a torch op.
/// Returns null if the op is not known, or if its operands are not as the op
/// defines them.
Value buildTorchElementwise(ShadowBuilder &s, Operation *op, GetTensor get);
Value buildTorchProduct(ShadowBuilder &s, Operation *op, GetTensor get);
Value buildTorchView(ShadowBuilder &s, Operation *op, GetTensor get);
Value buildTorchConstant(ShadowBuilder &s, Operation *op);
/// As above, for torch.aten.scaled_dot_product_attention, which becomes an
/// onnx.Attention. If it cannot, sets `reason`.
Value buildTorchAttention(ShadowBuilder &s, Operation *op, GetTensor get,
                          std::string &reason);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_TORCH_H
