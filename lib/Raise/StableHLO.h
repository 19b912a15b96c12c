//===- StableHLO.h - Attributes of StableHLO's ops --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ops of StableHLO without that dialect being registered: ops are
// recognised by their names, and attributes that belong to the dialect are read
// as text.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_STABLEHLO_H
#define ATTN_LIB_RAISE_STABLEHLO_H

#include "mlir/IR/Operation.h"

namespace mlir::attn::raise {

/// The integers of an array attribute.
SmallVector<int64_t> getNumbers(Attribute attribute);
std::string getText(Attribute attribute);
/// Whether all of `dims` are dimensions of a tensor of this rank, without
/// duplicates.
bool areDims(ArrayRef<int64_t> dims, int64_t rank);

/// The batch dimensions and the contracted dimensions of a product.
struct DotDims {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsSummed, rhsSummed;
};
/// Returns the dimensions of a dot_general or dot, or none if the op is not
/// valid.
std::optional<DotDims> getDotDims(Operation *op);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_STABLEHLO_H
