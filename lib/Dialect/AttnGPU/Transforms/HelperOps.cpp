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

LogicalResult HelperOps::separate(KernelOp kernel) {
  if (failed(separateApart(kernel)))
    return failure();
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
