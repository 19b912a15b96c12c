//===- Slots.cpp - Slots in shared memory and their barriers --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include "../Assembly.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

Value attn::getSlotAddress(NumberBuilder &b, Value base, Value slot,
                           int64_t bytes, int64_t first) {
  Value offset = b.muli(slot, b.word(bytes));
  return b.addi(addWord(b, base, first), offset);
}

/// Whether the kernel's chip has the features that sm_90 added to mbarriers:
/// waits that suspend the thread, and memory scopes.
static bool hasScopedBarriers(NumberBuilder &b) {
  Operation *around = b.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<KernelOp>(around);
  if (!kernel)
    kernel = around->getParentOfType<KernelOp>();
  return kernel.getChip().hasTma();
}

/// Emits a loop that polls an mbarrier by waits without a time limit. If the
/// wait had the operand for a time limit, ptxas would add instructions that
/// sleep between attempts.
void attn::waitForPhase(NumberBuilder &b, Value barrier, Value parity) {
  bool hasScopes = hasScopedBarriers(b);
  scf::WhileOp::create(
      b, TypeRange(), ValueRange(),
      [&](OpBuilder &inner, Location loc, ValueRange) {
        NumberBuilder body(loc, inner);
        Value isDone;
        if (hasScopes)
          isDone = NVVM::MBarrierTryWaitOp::create(
              body, body.getI1Type(), barrier, parity, /*ticks=*/Value());
        else
          isDone = body.trunci(
              body.getI1Type(),
              createAssembly(body, body.getI32Type(), {barrier, parity},
                             "{ .reg .pred p; mbarrier.test_wait.parity"
                             ".shared.b64 p, [$1], $2; selp.u32 $0, 1, 0, p; }",
                             "=r,r,r,~{memory}"));
        Value isTrue = arith::ConstantIntOp::create(inner, loc, 1, 1);
        Value again = arith::XOrIOp::create(inner, loc, isDone, isTrue);
        scf::ConditionOp::create(inner, loc, again, ValueRange());
      },
      [&](OpBuilder &inner, Location loc, ValueRange) {
        scf::YieldOp::create(inner, loc);
      });
}

void attn::arrive(NumberBuilder &b, Value barrier) {
  if (!hasScopedBarriers(b)) {
    createAssembly(b, Type(), barrier,
                   "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, "
                   "[$0]; }",
                   "r,~{memory}");
    return;
  }
  NVVM::MBarrierArriveOp::create(b, Type(), barrier, Value(),
                                 NVVM::MemScopeKind::CTA, /*relaxed=*/false);
}

Value attn::getMapPointer(NumberBuilder &b, Value map) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  return UnrealizedConversionCastOp::create(b, TypeRange(pointer),
                                            ValueRange(map))
      .getResult(0);
}

void attn::emitIf(NumberBuilder &b, Value condition,
                  llvm::function_ref<void(NumberBuilder &)> emit) {
  OpBuilder::InsertionGuard guard(b);
  // The branch is inserted into the kernel before its body is built. Functions
  // that `emit` calls look for the kernel around the insertion point, to ask it
  // for the chip.
  b.setInsertionPoint(scf::IfOp::create(b, condition).thenYield());
  emit(b);
}

Value attn::isFirstOfWarpgroup(NumberBuilder &b) {
  return b.eq(getThreadOfWarpgroup(b), b.word(0));
}

void attn::forEachPanel(NumberBuilder &b, RankedTensorType tile,
                        ValueRange outermostFirst,
                        llvm::function_ref<void(int64_t, ValueRange)> emit) {
  SmallVector<Value> coordinates =
      llvm::to_vector(llvm::reverse(outermostFirst));
  if (tile.getRank() == 1)
    return emit(0, coordinates);
  Value first = coordinates.front();
  for (int64_t column = 0; column < tile.getDimSize(1);
       column += getPanelColumns(tile.getElementType())) {
    coordinates.front() = b.addiOrFold(first, b.word(column));
    emit(column, coordinates);
  }
}
