//===- MaskRegion.h - What derivations of blocks share ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_MASKREGION_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_MASKREGION_H

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// The operand of a negation of an i1, or null.
Value getNegated(Value condition);

/// Emits the ops of the op's mask region whose results are uniform, that is
/// hang on no position, for a batch entry and head; maps their values.
void emitUniformOps(AttentionInterface op, ImplicitLocOpBuilder &builder,
                    Value batch, Value head,
                    function_ref<bool(Value)> isUniform, IRMapping &mapping);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_MASKREGION_H
