//===- ExpandTiles.cpp - Loops over the tiles of a CTA --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUEXPANDTILESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
class TileLoop {
public:
  TileLoop(ForTilesOp op, KernelOp kernel, IRRewriter &rewriter)
      : op(op), kernel(kernel), rewriter(rewriter), b(op.getLoc(), rewriter) {}

  void expandPersistent();
  void expandDynamic(RolesOp roles);
  void expandDynamicForAll();

private:
  Value word(int32_t value) { return b.word(value); }
  Value asWord(Value index) {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  }
  void inlineBody(Block *block, Value position) {
    rewriter.inlineBlockBefore(&op.getBody().front(), block, block->end(),
                               position);
    b.setInsertionPointToEnd(block);
  }
  scf::WhileOp createLoop(Value count, ValueRange inits);
  Value takeNumber(Value counters, Value blocks);
  void leaveCounters(Value counters, Value blocks);
  Value ifFirstThread(RolesOp roles, llvm::function_ref<Value()> emit,
                      Type type = Type());

  ForTilesOp op;
  KernelOp kernel;
  IRRewriter &rewriter;
  attn::NumberBuilder b;
};
} // namespace

/// Expands for_tiles to a loop in which CTA c of C takes the tiles c, c + C, c
/// + 2 C, and so on.
void TileLoop::expandPersistent() {
  b.setInsertionPoint(op);
  auto loop = scf::ForOp::create(
      b, kernel.getBlockId(b), op.getCount(), kernel.getNumBlocks(b),
      ValueRange(), [](OpBuilder &, Location, Value, ValueRange) {});
  inlineBody(loop.getBody(), loop.getInductionVar());
  scf::YieldOp::create(b);
  rewriter.eraseOp(op);
}

/// Creates a loop whose first carried value is the number of the next tile. The
/// loop ends when this number is not below `count`.
scf::WhileOp TileLoop::createLoop(Value count, ValueRange inits) {
  return scf::WhileOp::create(
      b, inits.getTypes(), inits,
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        Value isTile = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::ult, carried[0], count);
        scf::ConditionOp::create(inner, loc, isTile, carried);
      },
      [](OpBuilder &, Location, ValueRange) {});
}

Value TileLoop::takeNumber(Value counters, Value blocks) {
  return b.addi(
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, counters, word(1),
                                LLVM::AtomicOrdering::monotonic, "device"),
      blocks);
}

/// Expands for_tiles, in one role, to a loop in which each CTA begins with the
/// tile of its own number and takes further numbers from a counter in global
/// memory. The last role takes them, and the other roles receive them through
/// slots in shared memory. The last CTA to finish sets this counter, and the
/// counter of finished CTAs, to zero for the next launch.
void TileLoop::expandDynamic(RolesOp roles) {
  // The first thread of the last role takes the next tile's number from the
  // counter. If the role has more threads, all of them read the number from a
  // slot, as the threads of other roles do. If it has only this thread, it
  // needs no slot.
  unsigned role = roles.getRole(op);
  bool asks = role + 1 == roles.getBodies().size();
  bool isAlone = roles.getElected()[role];
  int64_t broadcast = *op.getBroadcast();
  b.setInsertionPoint(op);
  Type i32 = b.getI32Type();
  Value one = word(1), counters = op.getCounters(), blocks;
  if (asks)
    blocks = asWord(kernel.getNumBlocks(b));
  Value count = asWord(op.getCount()), first = asWord(kernel.getBlockId(b));
  auto loop = createLoop(count, {first, word(0)});
  Block *body = loop.getAfterBody();
  Value tile = body->getArgument(0), turn = body->getArgument(1);
  b.setInsertionPointToStart(body);
  inlineBody(body, b.indexCast(b.getIndexType(), tile));
  // The next tile's number is taken after the copies of this tile have been
  // issued. If it were taken before, the CTA would reserve two tiles, and the
  // last tiles of the grid would be divided less evenly among CTAs. Consumers
  // still compute at that time, which hides the latency.
  Value next;
  auto ask = [&] {
    next = takeNumber(counters, blocks);
    PublishTileOp::create(b, next, turn, broadcast);
    return Value();
  };
  if (asks && isAlone)
    ask();
  else if (asks)
    ifFirstThread(roles, ask);
  if (!asks || !isAlone)
    next = NextTileOp::create(b, i32, turn, broadcast);
  scf::YieldOp::create(b, ValueRange{next, b.addi(turn, one)});
  b.setInsertionPointAfter(loop);
  auto leave = [&] {
    leaveCounters(counters, blocks);
    return Value();
  };
  if (asks && isAlone)
    leave();
  else if (asks)
    ifFirstThread(roles, leave);
  rewriter.eraseOp(op);
}

/// Emits a branch that one thread takes, the first one of the last role or,
/// without roles, of the CTA, and in it the code that `emit` creates. If `type`
/// is given, returns the value that `emit` returns, which is 0 in all other
/// threads.
Value TileLoop::ifFirstThread(RolesOp roles, llvm::function_ref<Value()> emit,
                              Type type) {
  int64_t first = 0;
  if (roles)
    first = roles.getFirstWarpgroup(roles.getBodies().size() - 1) * kWarpgroup;
  Value isFirst = b.eq(asWord(kernel.getThreadId(b)), word(first));
  auto branch = scf::IfOp::create(b, type ? TypeRange(type) : TypeRange(),
                                  isFirst, /*withElseRegion=*/bool(type));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value value = emit();
  if (!type)
    return {};
  scf::YieldOp::create(b, value);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, word(0));
  return branch.getResult(0);
}

/// Expands for_tiles to a loop with a dynamic scheduler, in a kernel without
/// roles. The CTA's first thread takes a number from the counter and stores it
/// to shared memory between two barriers of the CTA. Then all threads read the
/// number. A shuffle tells ptxas that it is the same in all lanes.
void TileLoop::expandDynamicForAll() {
  b.setInsertionPoint(op);
  Type i32 = b.getI32Type();
  Value counters = op.getCounters();
  Value blocks = asWord(kernel.getNumBlocks(b));
  Value count = asWord(op.getCount()), first = asWord(kernel.getBlockId(b));
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = gpu::DynamicSharedMemoryOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                         MemRefLayoutAttrInterface(), space));
  Value place = memref::ViewOp::create(
      b, MemRefType::get({1}, i32, MemRefLayoutAttrInterface(), space), bytes,
      b.index(*op.getBroadcast()), ValueRange());
  Value zero = b.index(0);
  auto loop = createLoop(count, first);
  Block *body = loop.getAfterBody();
  b.setInsertionPointToStart(body);
  // The next tile's number is taken before this tile is computed, so that the
  // computation hides the latency of the atomic addition.
  Value next = ifFirstThread(
      /*roles=*/{}, [&] { return takeNumber(counters, blocks); }, i32);
  inlineBody(body, b.indexCast(b.getIndexType(), body->getArgument(0)));
  gpu::BarrierOp::create(b);
  ifFirstThread(/*roles=*/{}, [&] {
    memref::StoreOp::create(b, next, place, zero);
    return Value();
  });
  gpu::BarrierOp::create(b);
  Value number = memref::LoadOp::create(b, place, zero);
  number = NVVM::ShflOp::create(b, i32, word(-1), number, word(0), word(31),
                                NVVM::ShflKind::idx, UnitAttr());
  scf::YieldOp::create(b, number);
  b.setInsertionPointAfter(loop);
  ifFirstThread(/*roles=*/{}, [&] {
    leaveCounters(counters, blocks);
    return Value();
  });
  rewriter.eraseOp(op);
}

void TileLoop::leaveCounters(Value counters, Value blocks) {
  Type i32 = b.getI32Type();
  Value one = word(1), zero = word(0);
  Value finished = LLVM::GEPOp::create(b, counters.getType(), i32, counters,
                                       ArrayRef<LLVM::GEPArg>{1});
  Value before =
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, finished, one,
                                LLVM::AtomicOrdering::acq_rel, "device");
  Value isLast = b.eq(before, b.subi(blocks, one));
  scf::IfOp::create(b, isLast, [&](OpBuilder &inner, Location loc) {
    for (Value counter : {counters, finished})
      LLVM::StoreOp::create(inner, loc, zero, counter, /*alignment=*/4,
                            /*isVolatile=*/true);
    scf::YieldOp::create(inner, loc);
  });
}

namespace {
struct AttnGPUExpandTilesPass
    : public attn_gpu::impl::AttnGPUExpandTilesPassBase<
          AttnGPUExpandTilesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ForTilesOp> loops;
    KernelOp kernel = getOperation();
    kernel.walk([&](ForTilesOp op) { loops.push_back(op); });
    for (ForTilesOp op : loops) {
      auto roles = op->getParentOfType<RolesOp>();
      TileLoop loop(op, kernel, rewriter);
      if (!op.getCounters() || !op.getBroadcast())
        loop.expandPersistent();
      else if (roles)
        loop.expandDynamic(roles);
      else
        loop.expandDynamicForAll();
    }
  }
};
} // namespace
