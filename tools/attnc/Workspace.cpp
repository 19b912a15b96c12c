//===- Workspace.cpp - Memory that a program allocates --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace attnc;
using namespace mlir;

static std::optional<int64_t> add(std::optional<int64_t> lhs,
                                  std::optional<int64_t> rhs) {
  return lhs && rhs ? std::optional(*lhs + *rhs) : std::nullopt;
}

/// Returns the largest value that a size can have: a constant or, where the
/// program selects one of two sizes at run time, the larger of these. Returns
/// nullopt if a size is not constant.
static std::optional<int64_t> getMost(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  auto choice = value ? value.getDefiningOp<arith::SelectOp>() : nullptr;
  if (!choice)
    return getConstantIntValue(size);
  std::optional<int64_t> lhs = getMost(choice.getTrueValue()),
                         rhs = getMost(choice.getFalseValue());
  return lhs && rhs ? std::optional(std::max(*lhs, *rhs)) : std::nullopt;
}

/// Returns the bytes of memory of `type` whose sizes are `sizes`.
static std::optional<int64_t> measure(MemRefType type,
                                      ArrayRef<OpFoldResult> sizes) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> most = getMost(size);
    if (!most)
      return std::nullopt;
    bytes *= *most;
  }
  return bytes;
}

static std::optional<int64_t> measure(Operation *op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return measure(alloc.getType(), alloc.getMixedSizes());
  if (auto workspace = dyn_cast<attn_tile::WorkspaceOp>(op))
    return measure(workspace.getType(), workspace.getMixedSizes());
  std::optional<int64_t> sum = 0, most = 0;
  for (Region &region : op->getRegions()) {
    std::optional<int64_t> ofRegion = 0;
    for (Operation &inner : region.getOps())
      ofRegion = add(ofRegion, measure(&inner));
    sum = add(sum, ofRegion);
    most = most && ofRegion ? std::optional(std::max(*most, *ofRegion))
                            : std::nullopt;
  }
  // Only one branch of an scf.if runs, so the larger of their workspaces
  // counts, and not the sum.
  return isa<scf::IfOp>(op) ? most : sum;
}

namespace {
struct Instrumentation : PassInstrumentation {
  explicit Instrumentation(std::optional<int64_t> &bytes) : bytes(bytes) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "convert-attn-to-tile")
      bytes = measure(op);
  }

  std::optional<int64_t> &bytes;
};
} // namespace

void WorkspaceMeter::watch(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<Instrumentation>(bytes));
}
