//===- HostFreeBuffers.cpp - Frees what bufferisation allocated -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNHOSTFREEBUFFERSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Whether a buffer can be freed at the end of `block`. All uses of the buffer,
/// and of views of it and selects of it, must be in the block or in regions of
/// its ops. None of the uses may be a terminator, a call or a deallocation, or
/// have a memref result that might be the buffer.
static bool staysWithin(Value buffer, Block *block) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (!block->findAncestorOpInBlock(*user) ||
        user->hasTrait<OpTrait::IsTerminator>() ||
        isa<CallOpInterface, memref::DeallocOp>(user))
      return false;
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      return staysWithin(view->getResult(0), block);
    if (isa<arith::SelectOp>(user))
      return staysWithin(user->getResult(0), block);
    // An op with a memref result may return the buffer itself. A loop, for
    // example, may carry the buffer, and nothing is known of an unknown op.
    return llvm::none_of(user->getResultTypes(),
                         [](Type type) { return isa<BaseMemRefType>(type); });
  });
}

namespace {
struct AttnHostFreeBuffersPass
    : public attn::impl::AttnHostFreeBuffersPassBase<AttnHostFreeBuffersPass> {
  void runOnOperation() override {
    getOperation().walk([](memref::AllocOp alloc) {
      Block *block = alloc->getBlock();
      if (!staysWithin(alloc, block))
        return;
      OpBuilder atEnd(block->getTerminator());
      memref::DeallocOp::create(atEnd, alloc.getLoc(), alloc);
    });
  }
};
} // namespace
