//===- HelperOps.cpp - Ops that helpers run -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HelperOps.h"
#include "ConvertedTiles.h"
#include "ReducedTiles.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Finds the ops that multipliers run. Fails with an error if a multiplier
/// cannot run an op that the program gives it. In a schedule with multipliers,
/// also fails at a product whose `apart` names none of them.
LogicalResult HelperOps::separateApart(KernelOp kernel) {
  SmallVector<StringRef> names;
  for (RoleAttr role : kernel.getSchedule().getHelpers()) {
    if (role.getKind() != RoleKind::Multiplier)
      continue;
    names.push_back(role.getName());
    FailureOr<llvm::SetVector<Operation *>> found =
        attn_gpu::separateApart(kernel, role);
    if (failed(found))
      return failure();
    for (Operation *op : *found)
      owners[op] = role;
  }
  if (names.empty())
    return success();
  WalkResult result = kernel.walk([&](DotOp dot) -> WalkResult {
    if (!dot.getApart() || llvm::is_contained(names, *dot.getApart()))
      return WalkResult::advance();
    return dot.emitOpError("expected 'apart' to name a multiplier of the "
                           "schedule, '")
           << llvm::join(names, "' or '") << "', found '" << *dot.getApart()
           << "'";
  });
  return failure(result.wasInterrupted());
}

/// Lets ops of other roles read vectors that a multiplier computes through
/// shared memory.
void HelperOps::passVectors(KernelOp kernel) {
  SmallVector<std::pair<Value, RoleAttr>> vectors;
  kernel.walk([&](Operation *op) {
    RoleAttr role = owners.lookup(op);
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType());
          role && type && type.getRank() == 1)
        vectors.emplace_back(result, role);
  });
  for (auto [vector, role] : vectors) {
    auto isOfOther = [&, role = role](OpOperand &use) {
      return owners.lookup(use.getOwner()) != role;
    };
    if (llvm::none_of(vector.getUses(), isOfOther))
      continue;
    auto type = cast<RankedTensorType>(vector.getType());
    OpBuilder b(kernel.getContext());
    b.setInsertionPointAfterValue(vector);
    auto put = ConvertLayoutOp::create(
        b, vector.getLoc(),
        RankedTensorType::get(
            type.getShape(), type.getElementType(),
            SharedLayoutAttr::get(b.getContext(), /*padding=*/0)),
        vector);
    owners[put] = role;
    auto read =
        ConvertLayoutOp::create(b, vector.getLoc(), type, put.getResult());
    vector.replaceUsesWithIf(read.getResult(), isOfOther);
  }
}

LogicalResult HelperOps::separate(KernelOp kernel) {
  kernel.walk([&](ReuseOp reuse) {
    reused[reuse.getTile()] = reuse.getDead();
    reuse.replaceAllUsesWith(reuse.getTile());
    reuse.erase();
  });
  if (failed(separateApart(kernel)))
    return failure();
  passVectors(kernel);
  if (!kernel.getSchedule().hasReducer())
    return success();
  FailureOr<llvm::SetVector<Operation *>> found = findReduced(kernel);
  if (failed(found))
    return failure();
  reduced = std::move(*found);
  ownConstants(reduced);
  return success();
}

RoleAttr HelperOps::find(Operation *op, ScheduleAttr schedule) const {
  if (RoleAttr role = owners.lookup(op))
    return role;
  return reduced.contains(op) ? schedule.getRoles().find(RoleKind::Reducer)
                              : RoleAttr();
}
