//===- KernelRegisters.cpp - Registers that a kernel asks for -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas spills registers so that one more CTA fits an SM, and ignores
// setmaxnreg, unless it knows how many registers threads begin with or how many
// CTAs share an SM. A kernel states one of the two here, while its roles, rings
// and MMAs are still ops.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/IR/Registers.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

/// Returns the registers that each thread needs at the launch if roles divide
/// them among warpgroups, or none if one CTA on an SM gets exactly that many
/// anyway.
static std::optional<int64_t> findLaunchRegisters(KernelOp kernel) {
  std::optional<int64_t> count;
  kernel.walk([&](RolesOp op) {
    auto registers = op.getRegisters();
    if (!registers)
      return;
    int64_t most = getRegistersAtLaunch(llvm::sum_of(op.getWarpgroups()));
    int64_t needed = getRegistersAtLaunch(op.getWarpgroups(), *registers);
    if (needed != most)
      count = needed;
  });
  return count;
}

/// Whether a CTA should have an SM for itself. This holds with roles, rings or
/// a tile scheduler, and for dots (mma.sync at this point) of at least 256
/// threads: with two such CTAs, a thread would have at most half of the
/// registers that it can use.
static bool needsWholeSM(KernelOp kernel) {
  constexpr int64_t kManyThreads = 256;
  bool hasManyThreads = kernel.getThreads() >= kManyThreads;
  return kernel
      .walk([&](Operation *op) {
        return isa<RolesOp, InitRingOp, InitSchedulerOp>(op) ||
                       (hasManyThreads && isa<attn_tile::DotOp>(op))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The number of CTAs for which an SM must have registers, or 0 if ptxas may
/// choose.
static int64_t getLeastCTAs(KernelOp kernel) {
  if (int64_t ctas = kernel.getSchedule().getCtas(); ctas > 0)
    return ctas;
  if (needsWholeSM(kernel))
    return 1;
  constexpr int kBlackwell = 100;
  // If it may choose for sm_100, ptxas spills registers so that three CTAs fit.
  return kernel.getChip().getNumber() >= kBlackwell ? 2 : 0;
}

void attn::sayRegisters(KernelOp kernel) {
  auto b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  if (std::optional<int64_t> registers = findLaunchRegisters(kernel))
    attn_nv::LaunchRegistersOp::create(b, kernel.getLoc(), *registers);
  else if (int64_t ctas = getLeastCTAs(kernel); ctas > 0)
    attn_nv::LeastCTAsOp::create(b, kernel.getLoc(), ctas);
}
