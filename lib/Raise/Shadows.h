//===- Shadows.h - What ops of others compute, in linalg --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shadow of a value is a tensor of builtin type that has the same elements
// and is computed by ops of linalg and tensor. Values of torch-mlir, and of
// calls of cuDNN in StableHLO, get shadows. Attention is raised among the
// shadows, and what was raised then replaces the values.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_SHADOWS_H
#define ATTN_LIB_RAISE_SHADOWS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn::raise {

/// Whether addShadows() has added the op.
bool isShadow(Operation *op);

/// Marks a shadow that is its first operand in another shape, where that
/// operand alone may be raised.
void setFollows(Operation *op);

/// Returns the only op that uses a value, or null if there are several or none.
/// The op that says of which value a shadow is does not count, but if that
/// value has several uses, there is no only user.
Operation *getOnlyUser(Value value);

/// Adds shadows to a function, after the ops whose results they are of. Calls
/// `refuse` with ops that are attention by their name but have no shadow, and
/// with the reason. Returns whether there are shadows.
bool addShadows(Operation *function,
                llvm::function_ref<void(Operation *, StringRef)> refuse);

/// Erases shadows that only computed what was raised: no op needs the values
/// that they are of any more.
void releaseShadows(Operation *function);

/// Replaces values whose shadows were raised, and erases all shadows. Ops that
/// read a shadow read the value that it is of, then. Ops that computed the
/// replaced values are erased if nothing else uses them.
void removeShadows(Operation *function);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SHADOWS_H
