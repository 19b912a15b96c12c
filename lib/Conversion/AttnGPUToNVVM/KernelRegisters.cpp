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

/// Returns the number of registers that each thread must have at the launch, if
/// the kernel's roles then divide registers among warpgroups by setmaxnreg.
/// Returns none if they do not, or if the number is the largest that threads of
/// a CTA of this size can have anyway.
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

/// Returns the number of registers of each thread of the consumers, or none if
/// roles do not differ in registers.
static std::optional<int64_t> findConsumerRegisters(KernelOp kernel) {
  RolesAttr roles = kernel.getSchedule().getRoles();
  std::optional<int64_t> count;
  kernel.walk([&](RolesOp op) {
    if (auto registers = op.getRegisters(); registers && !roles.empty())
      count = (*registers)[roles.getNumber(roles.find(RoleKind::Consumer))];
  });
  return count;
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
  if (std::optional<int64_t> registers = findLaunchRegisters(kernel))
    attn_nv::LaunchRegistersOp::create(b, kernel.getLoc(), *registers);
  else if (int64_t ctas = getLeastCTAs(kernel); ctas > 0)
    attn_nv::LeastCTAsOp::create(b, kernel.getLoc(), ctas);
  if (std::optional<int64_t> registers = findConsumerRegisters(kernel))
    attn_nv::ConsumerRegistersOp::create(b, kernel.getLoc(), *registers);
}
