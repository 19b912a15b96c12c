//===- KernelRegisters.cpp - Registers that a kernel asks for -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells ptxas how many registers threads have at the launch, or how many CTAs
// share an SM. Without either, it spills registers so that one more CTA fits an
// SM, and ignores setmaxnreg. Passes on LLVM IR are told how many registers the
// consumers have. This is decided here, while the kernel's roles, rings and
// MMAs are still ops.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/IR/Registers.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

/// Returns the kernel's roles if they divide registers among warpgroups by
/// setmaxnreg, and null otherwise.
static RolesOp findDividing(KernelOp kernel) {
  RolesOp roles;
  kernel.walk([&](RolesOp op) {
    if (op.getRegisters())
      roles = op;
  });
  return roles;
}

/// Returns the number of CTAs for whose registers an SM must have room: `ctas`
/// of the schedule if it is set, else 1 if the schedule is one with a single
/// CTA for each SM (needsWholeSM()). In other cases returns 2 on sm_100 and
/// later chips, and 0 on earlier ones, which leaves the choice to ptxas.
static int64_t getLeastCTAs(KernelOp kernel) {
  if (int64_t ctas = kernel.getSchedule().getCtas(); ctas > 0)
    return ctas;
  if (kernel.getSchedule().needsWholeSM())
    return 1;
  constexpr int kBlackwell = 100;
  // If the choice is left to ptxas on sm_100, it spills registers so that three
  // CTAs fit an SM.
  return kernel.getChip().getNumber() >= kBlackwell ? 2 : 0;
}

void attn::sayRegisters(KernelOp kernel) {
  auto b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  RolesOp roles = findDividing(kernel);
  int64_t atLaunch = 0, most = 0;
  if (roles) {
    atLaunch =
        getRegistersAtLaunch(roles.getWarpgroups(), *roles.getRegisters());
    most = getRegistersAtLaunch(llvm::sum_of(roles.getWarpgroups()));
  }
  // Threads of a CTA of this size have at most `most` registers anyway, so that
  // number need not be asked for.
  if (atLaunch != most)
    attn_nv::LaunchRegistersOp::create(b, kernel.getLoc(), atLaunch);
  else if (int64_t ctas = getLeastCTAs(kernel); ctas > 0)
    attn_nv::LeastCTAsOp::create(b, kernel.getLoc(), ctas);
  RolesAttr list = kernel.getSchedule().getRoles();
  if (roles && !list.empty())
    attn_nv::ConsumerRegistersOp::create(
        b, kernel.getLoc(),
        (*roles.getRegisters())[list.getNumber(list.find(RoleKind::Consumer))]);
}
