//===- KernelNeeds.cpp - Resources that a kernel needs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/KernelNeeds.h"
#include "Exchanges.h"
#include "ReducedTiles.h"
#include "StepLoads.h"

#include "attn/Dialect/AttnGPU/Schedule/WgmmaColumns.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

int64_t attn_gpu::countAccumulators(KernelOp kernel) {
  llvm::SetVector<Operation *> reduced;
  if (kernel.getSchedule().hasReducer())
    if (auto found = findReduced(kernel); succeeded(found))
      reduced = std::move(*found);
  return countAccumulators(kernel, reduced);
}

int64_t attn_gpu::planSharedBytes(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  int64_t bytes =
      schedule.hasProducer()
          ? kernel.getSharedBytes()
          : SharedLoads(kernel).plan(schedule, /*isEstimate=*/true).numBytes;
  // No exchange uses slots of a ring here, since attn-gpu-specialize-warps has
  // already replaced the conversions of tiles for other roles by attn_gpu.put.
  return getEndOfExchanges(kernel, schedule, SmallPtrSet<Operation *, 1>(),
                           bytes);
}

std::string attn_gpu::findUnfitProduct(KernelOp kernel) {
  std::string misfit;
  if (kernel.getSchedule().getMma() != MmaKind::Wgmma)
    return misfit;
  kernel.walk([&](DotOp dot) {
    RankedTensorType result = dot.getResult().getType();
    if (misfit.empty() && isa_and_nonnull<MmaLayoutAttr>(result.getEncoding()))
      misfit =
          WgmmaColumns(kernel, dot.getLhs().getType(), result).findMisfit();
  });
  return misfit;
}
