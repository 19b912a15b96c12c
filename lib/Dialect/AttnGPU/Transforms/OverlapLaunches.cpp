//===- OverlapLaunches.cpp - Kernels that begin before others have ended --===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programmatic dependent launch (PTX ISA, "griddepcontrol"). Every kernel waits
// for the one before it, whatever it does itself: the next one may read what
// that has written, and knows of this one alone.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUOVERLAPLAUNCHESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

static void waitForOthers(KernelOp kernel) {
  // Before roles begin, barriers alone are made ready.
  Block &body = kernel.getBody().front();
  auto roles = body.getOps<RolesOp>();
  OpBuilder b = roles.empty() ? OpBuilder(&body, kernel.getProgramBegin())
                              : OpBuilder(*roles.begin());
  attn_nv::WaitForLaunchesOp::create(b, kernel.getLoc());
}

namespace {
struct AttnGPUOverlapLaunchesPass
    : public attn_gpu::impl::AttnGPUOverlapLaunchesPassBase<
          AttnGPUOverlapLaunchesPass> {
  void runOnOperation() override {
    auto visit = [](KernelOp kernel, ScheduleAttr, const attn::Chip &chip) {
      if (chip.hasDependentLaunch())
        waitForOthers(kernel);
      return success();
    };
    if (failed(walkKernels(getOperation(), visit)))
      signalPassFailure();
  }
};
} // namespace
