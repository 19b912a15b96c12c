//===- SpecializeWarps.cpp - One warpgroup copies, the others compute
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecializer.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSPECIALIZEWARPSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

void WarpSpecializer::createRoles() {
  Block &body = launch.getBody().front();
  // Rings were put in front of the program.
  Operation *lastRing = rings.back().second->ring.getDefiningOp();
  for (auto &[key, ring] : rings)
    if (lastRing->isBeforeInBlock(ring->ring.getDefiningOp()))
      lastRing = ring->ring.getDefiningOp();
  Block *program = body.splitBlock(lastRing->getNextNode());
  Operation *terminator = program->getTerminator();

  auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), &body);
  auto word = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value thread =
      arith::IndexCastOp::create(b, b.getI32Type(), launch.getThreadIds().x);
  // From a shuffle, the assembler knows that it is the same in each lane.
  Value group = NVVM::ShflOp::create(
      b, b.getI32Type(), word(-1),
      arith::ShRUIOp::create(b, thread, word(llvm::Log2_64(kWarpgroup))),
      word(0), word(31), NVVM::ShflKind::idx, UnitAttr());
  auto isEqual = [&](Value lhs, int32_t rhs) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lhs, word(rhs));
  };

  auto init = scf::IfOp::create(b, isEqual(thread, 0));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(init.thenBlock());
    for (auto &[key, ring] : rings)
      InitRingOp::create(b, ring->ring,
                         ring->isCopied ? consumers * kWarpgroup : consumers);
    if (workCounters)
      InitSchedulerOp::create(b, queueOffset, consumers * kWarpgroup);
    NVVM::FenceMbarrierInitOp::create(b);
  }
  gpu::BarrierOp::create(b);

  Counts counts;
  for (auto &[key, ring] : rings)
    counts[ring.get()] = word(0);
  Value isProducer = isEqual(group, consumers);
  auto roles = scf::IfOp::create(b, isProducer, /*withElseRegion=*/true);
  b.setInsertionPointToStart(roles.thenBlock());
  NVVM::SetMaxRegisterOp::create(b, registers.producer,
                                 NVVM::SetMaxRegisterAction::decrease);
  auto elected = scf::IfOp::create(b, isEqual(thread, consumers * kWarpgroup));
  b.setInsertionPointToStart(elected.thenBlock());
  IRMapping mapping;
  Counts produced = counts;
  produce(b, program, mapping, produced);

  for (const Output &output : outputs)
    storeOutput(output);
  consume(program, counts);
  if (!outputs.empty()) {
    b.setInsertionPoint(terminator);
    FinishStoresOp::create(b);
  }
  b.setInsertionPointToStart(roles.elseBlock());
  NVVM::SetMaxRegisterOp::create(b, registers.consumer,
                                 NVVM::SetMaxRegisterAction::increase);
  if (schedule.getPingPong())
    PingPongArriveOp::create(b, consumers, /*initial=*/true);
  roles.elseBlock()->getOperations().splice(
      std::prev(roles.elseBlock()->end()), program->getOperations(),
      program->begin(), terminator->getIterator());
  terminator->moveBefore(&body, body.end());
  program->erase();

  roles.walk([&](PartOffsetOp op) {
    ImplicitLocOpBuilder at(op.getLoc(), op);
    bool isProducing = roles.thenBlock()->findAncestorOpInBlock(*op);
    Value number = group;
    if (isProducing)
      number = arith::ConstantOp::create(
          at, at.getI32IntegerAttr(static_cast<int32_t>(consumers - 1)));
    Value offset = arith::MulIOp::create(
        at, arith::IndexCastOp::create(at, at.getIndexType(), number),
        arith::ConstantIndexOp::create(at, kWarpgroupRows));
    op.replaceAllUsesWith(offset);
    op.erase();
  });
}

LogicalResult WarpSpecializer::run() {
  if (failed(createRings()))
    return failure();
  if (rings.empty())
    return success();
  createRoles();
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  launch.getBlockSizeXMutable().assign(
      arith::ConstantIndexOp::create(b, (consumers + 1) * kWarpgroup));
  return setSharedBytes(launch, numBytes, chip);
}

namespace {
struct AttnGPUSpecializeWarpsPass
    : public attn_gpu::impl::AttnGPUSpecializeWarpsPassBase<
          AttnGPUSpecializeWarpsPass> {
  void runOnOperation() override {
    auto visit = [](gpu::LaunchOp launch, ScheduleAttr schedule,
                    const attn::Chip &chip) -> LogicalResult {
      if (!schedule.hasProducer())
        return success();
      return WarpSpecializer(launch, schedule, chip).run();
    };
    if (failed(walkLaunches(getOperation(), visit)))
      signalPassFailure();
  }
};

} // namespace
