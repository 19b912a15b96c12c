//===- AttnGPUToNVVM.cpp - Tile programs to code of one thread ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNGPUTONVVMPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static constexpr unsigned kSharedSpace = 3;

LayoutInterface attn::getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutInterface>(tensor.getEncoding())
                : LayoutInterface();
}

MmaLayoutAttr attn::getMmaLayout(RankedTensorType tile) {
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  return layout && layout.isOfMma() ? layout : MmaLayoutAttr();
}

MmaLayoutAttr attn::getOperandLayout(RankedTensorType tile) {
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  return layout && layout == layout.getOfOperand(tile.getElementType())
             ? layout
             : MmaLayoutAttr();
}

TileTypeConverter::TileTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType tile) -> Type {
    if (LayoutInterface layout = getLayout(tile)) {
      int64_t registers = layout.getRegisterOffsets(tile.getShape(), 0).size();
      return VectorType::get({registers}, tile.getElementType());
    }
    if (isSwizzled(tile))
      return IntegerType::get(tile.getContext(), 32);
    if (isa_and_nonnull<SharedLayoutAttr>(tile.getEncoding()))
      return LLVM::LLVMPointerType::get(tile.getContext(), kSharedSpace);
    return tile;
  });
  addConversion([](RingType ring) -> Type {
    return IntegerType::get(ring.getContext(), 32);
  });
}

Value attn::applyAffine(NumberBuilder &b, AffineExpr expr,
                        ValueRange operands) {
  return affine::AffineApplyOp::create(
      b, AffineMap::get(operands.size(), 0, expr), operands);
}

Value attn::readOtherLane(NumberBuilder &b, Value value, int64_t bits) {
  return NVVM::ShflOp::create(b, value.getType(), b.word(-1), value,
                              b.word(bits), b.word(31), NVVM::ShflKind::bfly,
                              UnitAttr());
}

std::pair<Value, Value> attn::exchangeWords(NumberBuilder &b, Value isUpper,
                                            Value lower, Value upper,
                                            int64_t bit) {
  auto select = [&](Value ofUpper, Value ofLower) -> Value {
    return b.select(isUpper, ofUpper, ofLower);
  };
  Value other = readOtherLane(b, select(lower, upper), int64_t(1) << bit);
  return {select(other, lower), select(upper, other)};
}

Value attn::readThread(NumberBuilder &b) {
  Value number =
      createAssembly(b, b.getI32Type(), {}, "mov.u32 $0, %tid.x;", "=r");
  return b.indexCastUI(b.getIndexType(), number);
}

Value attn::getThreadCoordinate(NumberBuilder &b, RankedTensorType tile,
                                int64_t axis, Value thread) {
  AffineExpr id = b.getAffineDimExpr(0);
  AffineExpr expr = getLayout(tile).getThreadOffset(tile.getShape(), axis);
  expr = expr.replaceDims({id % 32, id.floorDiv(32)});
  if (!thread)
    thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  return applyAffine(b, expr, thread);
}

ThreadOffset::ThreadOffset(LayoutInterface layout, int64_t firstWarp,
                           ArrayRef<int64_t> shape, int64_t axis) {
  AffineExpr thread = getAffineDimExpr(0, layout.getContext());
  auto constant = [&](int64_t value) {
    return getAffineConstantExpr(value, layout.getContext());
  };
  AffineExpr offset = layout.getThreadOffset(shape, axis);
  ofWarp = offset.replaceDims({constant(0), thread.floorDiv(32)});
  ofLane = offset.replaceDims({thread % 32, constant(firstWarp)});
}

int64_t attn::getSharedRowBytes(RankedTensorType tile) {
  return tile.getDimSize(1) * tile.getElementTypeBitWidth() / 8 +
         cast<SharedLayoutAttr>(tile.getEncoding()).getPadding();
}

int64_t attn::getPanelOffset(RankedTensorType tile, int64_t column) {
  return column / getPanelColumns(tile.getElementType()) * tile.getDimSize(0) *
         kPanelRowBytes;
}

int64_t attn::getBytesInPanel(RankedTensorType tile, int64_t column) {
  Type element = tile.getElementType();
  return column % getPanelColumns(element) * element.getIntOrFloatBitWidth() /
         8;
}

/// Returns the 32-bit address of dynamic shared memory. Inline assembly makes
/// it from a 64-bit pointer, which hides that pointer from LLVM. LLVM would
/// otherwise compute shared-memory addresses in 64 bits, for which GPUs have
/// too few instructions on uniform registers.
Value attn::getSharedMemory(NumberBuilder &b) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(b, type);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, memory);
  Value word = b.indexCast(b.getI64Type(), address);
  return createAssembly(b, b.getI32Type(), word, "cvt.u32.u64 $0, $1;", "=r,l",
                        /*hasEffects=*/false);
}

Value attn::addWord(NumberBuilder &b, Value word, int64_t constant) {
  return b.addiOrFold(word, b.word(constant));
}

Value attn::getSharedPointer(NumberBuilder &b, Value address) {
  return LLVM::IntToPtrOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), kSharedSpace), address);
}

Value attn::getThreadOfWarpgroup(NumberBuilder &b) {
  Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  return b.andi(b.indexCast(b.getI32Type(), id), b.word(127));
}

/// Returns the number of the calling thread's warpgroup. A shuffle broadcasts
/// lane 0's value, which tells ptxas that all lanes of a warp have the same
/// number. The shuffle is emitted at the beginning of the kernel, since LLVM
/// does not hoist a shuffle out of a loop or branch.
Value attn::getWarpgroup(NumberBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  if (auto kernel =
          b.getInsertionBlock()->getParentOp()->getParentOfType<KernelOp>())
    b.setInsertionPointToStart(&kernel.getBody().front());
  Type i32 = b.getI32Type();
  Value id = b.indexCast(i32, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value own = b.shrui(id, b.word(7));
  return NVVM::ShflOp::create(b, i32, b.word(-1), own, b.word(0), b.word(31),
                              NVVM::ShflKind::idx, UnitAttr());
}

Value attn::addBytes(NumberBuilder &b, Value pointer, OpFoldResult bytes) {
  if (auto attr = dyn_cast<Attribute>(bytes))
    return LLVM::GEPOp::create(
        b, pointer.getType(), b.getI8Type(), pointer,
        ArrayRef<LLVM::GEPArg>{int32_t(cast<IntegerAttr>(attr).getInt())});
  Value offset = b.indexCast(b.getI64Type(), cast<Value>(bytes));
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Value attn::getStorable(NumberBuilder &b, Value value) {
  Type type = value.getType(), bytes = b.getI8Type();
  if (!isFloat8(getElementTypeOrSelf(type)))
    return value;
  if (auto vector = dyn_cast<VectorType>(type))
    bytes = vector.clone(bytes);
  return b.bitcast(bytes, value);
}

int64_t attn::getElementBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

Value attn::getAddress(NumberBuilder &b, Value view, Type pointer,
                       ValueRange indices) {
  auto type = cast<MemRefType>(view.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, view);
  Value offset = b.asValue(metadata.getConstifiedMixedOffset());
  for (auto [index, stride] :
       llvm::zip(indices, metadata.getConstifiedMixedStrides()))
    offset = b.addiOrFold(offset, b.muliOrFold(index, b.asValue(stride)));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, view);
  Value size = b.index(getElementBytes(type.getElementType()));
  Value bytes = b.muli(offset, size);
  Value address = b.addi(base, bytes);
  Value word = b.indexCast(b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, pointer, word);
}

/// Erases the op at which the kernel's program begins. If the chip can start a
/// kernel before earlier launches have ended (programmatic dependent launch),
/// the kernel waits for them there.
static void beginProgram(KernelOp kernel) {
  BeginOp begin = kernel.getBegin();
  OpBuilder b(begin);
  if (kernel.getChip().hasDependentLaunch())
    attn_nv::WaitForLaunchesOp::create(b, kernel.getLoc());
  begin.erase();
}

/// Changes a loop's bounds, step and induction variable to i32, and casts the
/// variable to index where the body uses it: a 64-bit counter and its bound
/// take four registers, and MMAs need these.
static void narrow(scf::ForOp loop) {
  NumberBuilder b(loop.getLoc(), loop);
  for (OpOperand &bound : loop->getOpOperands().take_front(3))
    bound.set(b.createOrFold<arith::IndexCastOp>(b.getI32Type(), bound.get()));
  Value variable = loop.getInductionVar();
  variable.setType(b.getI32Type());
  b.setInsertionPointToStart(loop.getBody());
  auto wide = b.indexCast(b.getIndexType(), variable);
  variable.replaceAllUsesExcept(wide, wide.getDefiningOp());
}

/// Changes the counters of loops that contain a wgmma to 32 bits, if the
/// schedule limits the sizes of arrays. These loops iterate over programs,
/// rows, keys, blocks or heads, of which there are then fewer than 2^31:
/// launches check sizes against the limit. Loops of producers, which have no
/// MMAs, keep 64-bit counters. With 32 bits, ptxas used more registers for them
/// (20 bytes were spilled in gradients at head dim 256).
static void narrowLoops(KernelOp kernel) {
  if (!kernel.getSchedule().getMostRows())
    return;
  kernel.walk([](scf::ForOp loop) {
    auto hasMma = [&] {
      return loop.walk([](MmaOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
    };
    if (loop.getInductionVar().getType().isIndex() && hasMma())
      narrow(loop);
  });
}

/// Keeps LLVM, and by a pragma in PTX ptxas, from unrolling loops of a producer
/// with few registers. LLVM would unroll those whose number of iterations is
/// constant and small. The coordinates and addresses of all copies would then
/// be computed at the beginning, and ptxas would spill them (124 bytes in
/// gradients of head dim 128 whose rows take eight copies). Beside a multiplier
/// 40 registers are few: keys come in several groups of columns, whose copies
/// spilled up to 620 bytes.
static void keepLoopsOfProducer(KernelOp kernel) {
  int64_t most = kernel.getSchedule().hasMultiplier() ? 40 : 32;
  RolesAttr roles = kernel.getSchedule().getRoles();
  if (roles.empty())
    return;
  unsigned producer = roles.getNumber(roles.find(RoleKind::Producer));
  MLIRContext *context = kernel.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  kernel.walk([&](RolesOp op) {
    auto registers = op.getRegisters();
    if (!registers || (*registers)[producer] > most)
      return;
    // The lowering of branches copies the attribute to the loop's last branch.
    op.getBodies()[producer].walk([&](scf::ForOp loop) {
      if (loop.getStaticTripCount())
        loop->setAttr("loop_annotation", annotation);
    });
  });
}

namespace {
struct ConvertAttnGPUToNVVMPass
    : public attn::impl::ConvertAttnGPUToNVVMPassBase<
          ConvertAttnGPUToNVVMPass> {
  void runOnOperation() override {
    WalkResult checked = getOperation()->walk([](KernelOp kernel) {
      return failed(checkWgmma(kernel)) || failed(checkLayouts(kernel))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk([](KernelOp kernel) {
      sayRegisters(kernel);
      beginProgram(kernel);
      narrowLoops(kernel);
      keepLoopsOfProducer(kernel);
    });
    MLIRContext *context = &getContext();
    TileTypeConverter converter;
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    populateRegisterPatterns(converter, patterns);
    populateCoordinatePatterns(converter, patterns);
    populateExtensionPatterns(converter, patterns);
    populateMmaSyncPatterns(converter, patterns);
    populateMmaRegisterPatterns(converter, patterns);
    populateWgmmaPatterns(converter, patterns);
    populateRingPatterns(converter, patterns);
    populateTileNumberPatterns(converter, patterns);
    populateStagedStorePatterns(converter, patterns);
    populateRolePatterns(converter, patterns);
    populateMemoryPatterns(converter, patterns);
    populateGatherPatterns(converter, patterns);
    populateScatterPatterns(converter, patterns);
    populateRandomPatterns(converter, patterns);
    populateStorePatterns(converter, patterns);
    populateExchangePatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      return !isa_and_nonnull<AttnTileDialect, AttnGPUDialect>(
                 op->getDialect()) &&
             converter.isLegal(op->getOperandTypes()) &&
             converter.isLegal(op->getResultTypes());
    });
    target.addDynamicallyLegalDialect<AttnTileDialect, AttnGPUDialect>(
        [](Operation *op) { return !op->getParentOfType<KernelOp>(); });
    target.addLegalOp<ArrayOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
