//===- WgmmaColumns.cpp - Columns of wgmma instructions -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/WgmmaColumns.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using llvm::formatv;

/// Returns the number of registers of each thread at the launch, for which
/// ptxas compiles: `ctas` of the schedule, if it is set, are to fit an SM.
static int64_t getLaunchRegisters(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  int64_t warpgroups = llvm::divideCeil(kernel.getThreads(), kWarpgroup) *
                       std::max<int64_t>(schedule.getCtas(), 1);
  return std::min(getRegistersAtLaunch(schedule, kernel.getChip()),
                  getRegistersAtLaunch(warpgroups));
}

WgmmaColumns::WgmmaColumns(KernelOp kernel, RankedTensorType lhs,
                           RankedTensorType result)
    : kernel(kernel),
      ofWarpgroup(result.getDimSize(1) /
                  cast<MmaLayoutAttr>(result.getEncoding()).getWarpsN()),
      registers(getLaunchRegisters(kernel)) {
  // The registers that threads have at the launch must hold the results of an
  // instruction, the left operand if it is in registers, and 26 other values
  // (ptxas 13.0 otherwise fails with C7602, which says the number that it
  // needs).
  constexpr int64_t kOthers = 26, kOfLeft = 4;
  most = 2 * (registers - kOthers - (isSwizzled(lhs) ? 0 : kOfLeft)) / 8 * 8;
}

bool WgmmaColumns::areDivided() const {
  return ofWarpgroup > most && ofWarpgroup > attn_nv::kColumnsBeforeRest;
}

std::string WgmmaColumns::findMisfit() {
  int64_t columns = areDivided() ? attn_nv::kColumnsBeforeRest : ofWarpgroup;
  if (columns <= most)
    return "";
  std::string ofCTAs;
  if (int64_t ctas = kernel.getSchedule().getCtas(); ctas > 1)
    ofCTAs = formatv(" of each of {0} CTAs of an SM", ctas);
  return formatv("a wgmma has at most {0} columns, as each of {1} threads{2} "
                 "is launched with {3} registers, not {4}: expected fewer "
                 "warps or tiles of fewer columns",
                 most, kernel.getThreads(), ofCTAs, registers, columns);
}
