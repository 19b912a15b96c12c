//===- WgmmaColumns.h - Columns of wgmma instructions -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_SCHEDULE_WGMMACOLUMNS_H
#define ATTN_DIALECT_ATTNGPU_SCHEDULE_WGMMACOLUMNS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// How a warpgroup computes the columns of a product by wgmma, and whether the
/// registers that threads have at the launch hold the results of one
/// instruction.
class WgmmaColumns {
public:
  /// `lhs` and `result` are the types of a product of the kernel. The result
  /// has a layout of type MmaLayoutAttr.
  WgmmaColumns(KernelOp kernel, RankedTensorType lhs, RankedTensorType result);

  /// Returns the number of columns of the result that each warpgroup computes.
  int64_t getOfWarpgroup() const { return ofWarpgroup; }
  /// Whether the columns of a warpgroup are divided between two instructions,
  /// of which the first has attn_nv::kColumnsBeforeRest columns.
  bool areDivided() const;
  /// Returns why ptxas does not compile the product, or "" if it does.
  std::string findMisfit();

private:
  KernelOp kernel;
  int64_t ofWarpgroup, registers, most;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_WGMMACOLUMNS_H
