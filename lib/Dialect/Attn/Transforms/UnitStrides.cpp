//===- UnitStrides.cpp - Buffers where control flow meets -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitStrides.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::bufferization;

namespace {

/// The op attn.unit_stride: its result is its operand, a ranked tensor, and is
/// bufferised to memory with an innermost stride of 1.
class UnitStrideOp
    : public Op<UnitStrideOp, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                OpTrait::OneResult, OpTrait::OneOperand,
                OpTrait::SameOperandsAndResultType> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "attn.unit_stride"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  LogicalResult verify() {
    if (isa<RankedTensorType>(getOperation()->getOperand(0).getType()))
      return success();
    return emitOpError("expected a ranked tensor, found ")
           << getOperation()->getOperand(0).getType();
  }
};

/// Copies a buffer to a new allocation of the identity layout, without gaps
/// between rows or elements. Fails if the allocation or the copy cannot be
/// created.
FailureOr<Value> copyToRows(OpBuilder &b, Location loc, Value buffer,
                            const BufferizationOptions &options) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, dim));
  FailureOr<Value> copy = options.createAlloc(
      b, loc,
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace()),
      sizes);
  if (failed(copy) || failed(options.createMemCpy(b, loc, buffer, *copy)))
    return failure();
  return copy;
}

struct UnitStrideModel
    : BufferizableOpInterface::ExternalModel<UnitStrideModel, UnitStrideOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *op, Value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<Attribute> space = options.defaultMemorySpaceFn(type);
    return cast<BufferLikeType>(
        getTypeWithUnitInnerStride(type, space.value_or(Attribute())));
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> buffer =
        getBuffer(rewriter, op->getOperand(0), options, state);
    FailureOr<BufferLikeType> type =
        bufferization::getBufferType(op->getResult(0), options, state);
    if (failed(buffer) || failed(type))
      return failure();
    Value cast = *buffer;
    if (!memref::CastOp::areCastCompatible(cast.getType(), *type)) {
      FailureOr<Value> copy = copyToRows(rewriter, op->getLoc(), cast, options);
      if (failed(copy))
        return failure();
      cast = *copy;
    }
    cast = memref::CastOp::create(rewriter, op->getLoc(), *type, cast);
    replaceOpWithBufferizedValues(rewriter, op, cast);
    return success();
  }
};

/// A value whose tensor may come from several operands, such as the argument of
/// a loop, with these operands (`sources`).
struct Meeting {
  Value value;
  SmallVector<OpOperand *> sources;
};

} // namespace

/// Notes in `meetings` that the operand `source` may flow to `value`.
static void add(SmallVectorImpl<Meeting> &meetings, OpOperand &source,
                Value value) {
  if (!isa<RankedTensorType>(source.get().getType()))
    return;
  for (Meeting &meeting : meetings)
    if (meeting.value == value)
      return meeting.sources.push_back(&source);
  meetings.push_back({value, {&source}});
}

static void findMeetings(Operation *op, SmallVectorImpl<Meeting> &meetings) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    // In an scf.forall no value's tensor comes from several operands, so there
    // is nothing to note: only the shared outputs flow to the body, and each
    // of them to an argument of its own.
    if (isa<scf::ForallOp>(op))
      return;
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    // The operands are visited in the order of the IR, since the map from
    // operands to values is not ordered.
    auto addAll = [&](Operation *owner) {
      for (OpOperand &source : owner->getOpOperands())
        for (Value value : mapping.lookup(&source))
          add(meetings, source, value);
    };
    addAll(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        addAll(block.getTerminator());
  } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (auto [i, block] : llvm::enumerate(op->getSuccessors())) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      for (unsigned j = operands.getProducedOperandCount(); j < operands.size();
           ++j)
        add(meetings, op->getOpOperand(operands.getOperandIndex(j)),
            block->getArgument(j));
    }
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    add(meetings, select.getTrueValueMutable(), select.getResult());
    add(meetings, select.getFalseValueMutable(), select.getResult());
  } else if (isa<AttentionInterface, RowwiseInterface, func::ReturnOp>(op)) {
    // Attention, row-wise ops and returns accept only buffers with an innermost
    // stride of 1. So each of their operands is noted as a value with itself as
    // its only source. Destinations are left out: with an attn.unit_stride, the
    // op might write to a copy.
    auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!destinations || !destinations.isDpsInit(&operand))
        add(meetings, operand, operand.get());
  }
}

static bool hasUnitStride(BufferLikeType type) {
  auto memref = dyn_cast<MemRefType>(type);
  return !memref || memref.getRank() == 0 ||
         (memref.isStrided() && memref.getStridesAndOffset().first.back() == 1);
}

void mlir::attn::keepUnitStrides(ModuleOp module,
                                 const OneShotBufferizationOptions &options,
                                 const BufferizationState &state) {
  SmallVector<Meeting> meetings;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<attn_tile::GridOp>(op))
      return WalkResult::skip();
    findMeetings(op, meetings);
    return WalkResult::advance();
  });
  // Values whose buffers have an innermost stride of 1 in any case, or no known
  // type, are dropped from `meetings`. All types are asked for before any op is
  // inserted, since inserted ops change them.
  llvm::erase_if(meetings, [&](const Meeting &meeting) {
    FailureOr<BufferLikeType> type =
        getBufferType(meeting.value, options, state);
    return failed(type) || hasUnitStride(*type);
  });
  llvm::SetVector<OpOperand *> sources;
  for (const Meeting &meeting : meetings)
    sources.insert_range(meeting.sources);
  for (OpOperand *source : sources) {
    OpBuilder b(source->getOwner());
    Operation *op = b.create(source->getOwner()->getLoc(),
                             b.getStringAttr(UnitStrideOp::getOperationName()),
                             source->get(), source->get().getType());
    source->set(op->getResult(0));
  }
}

void mlir::attn::registerUnitStrideOp(AttnDialect *dialect) {
  RegisteredOperationName::insert<UnitStrideOp>(*dialect);
  UnitStrideOp::attachInterface<UnitStrideModel>(*dialect->getContext());
}
