//===- Unraised.h - Remarks on attention that is not raised -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_UNRAISED_H
#define ATTN_LIB_RAISE_UNRAISED_H

#include "mlir/IR/Operation.h"

namespace mlir::attn::raise {

/// Whether the op sums products of its operands, as a matrix product does.
bool isProduct(Operation *op);

/// Emits a remark on the first product in the function that looks like
/// attention that was not raised: its operands are computed from an earlier
/// product, and either exponentials are between the two, or both have batch
/// dimensions. Skips private functions, which were inlined. The caller makes
/// sure that nothing was raised in the function, and that no other remark was
/// emitted on it.
void remarkUnraised(Operation *function);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_UNRAISED_H
