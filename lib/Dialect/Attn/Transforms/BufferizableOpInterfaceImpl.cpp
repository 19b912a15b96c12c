//===- BufferizableOpInterfaceImpl.cpp - Bufferisation of attention -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitStrides.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/Quantize.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::bufferization;

namespace {

/// Creates a copy of the op on buffers and moves the old op's regions to it.
/// Returns the new op and the buffers of its destinations, or a null op if the
/// buffer of a tensor cannot be found.
std::pair<Operation *, SmallVector<Value>>
createOnBuffers(DestinationStyleOpInterface op, RewriterBase &rewriter,
                const BufferizationOptions &options,
                BufferizationState &bufferization) {
  OperationState state(op->getLoc(), op->getName());
  state.attributes = op->getDiscardableAttrDictionary();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  SmallVector<Value> outs;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<TensorType>(value.getType())) {
      FailureOr<Value> buffer =
          getBuffer(rewriter, value, options, bufferization);
      if (failed(buffer))
        return {};
      value = *buffer;
    }
    state.operands.push_back(value);
    if (op.isDpsInit(&operand))
      outs.push_back(value);
  }
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  return {rewriter.create(state), outs};
}

/// Says how ops on whole arrays are bufferised. An op does not read its
/// destinations, since it writes all of their elements before anything reads
/// them. The exception is a destination in which a row-wise op keeps the
/// elements that it does not write.
template <typename OpTy>
struct ArrayModel
    : DstBufferizableOpInterfaceExternalModel<ArrayModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto rowwise = dyn_cast<RowwiseInterface>(op);
    return !cast<OpTy>(op).isDpsInit(&operand) ||
           (rowwise && rowwise.keepsContents(operand));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &bufferization) const {
    if (op->getNumResults() == 0)
      return success();
    auto [onBuffers, outs] =
        createOnBuffers(cast<DestinationStyleOpInterface>(op), rewriter,
                        options, bufferization);
    if (!onBuffers)
      return failure();
    // The arguments of score and mask regions that stand for captures get the
    // types of the captured buffers.
    if (auto created = dyn_cast<AttentionInterface>(onBuffers))
      for (auto [region, first] :
           {std::pair(&created.getScore(), kNumScoreArguments),
            {&created.getMaskRegion(), kNumMaskArguments}})
        if (!region->empty())
          for (auto [argument, capture] :
               llvm::zip(region->getArguments().drop_front(first),
                         created.getCaptures()))
            argument.setType(capture.getType());
    replaceOpWithBufferizedValues(rewriter, op, outs);
    return success();
  }
};

} // namespace

void mlir::attn::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AttnDialect *dialect) {
    registerUnitStrideOp(dialect);
    AttentionOp::attachInterface<ArrayModel<AttentionOp>>(*context);
    AttentionBackwardOp::attachInterface<ArrayModel<AttentionBackwardOp>>(
        *context);
    MergeOp::attachInterface<ArrayModel<MergeOp>>(*context);
    AppendOp::attachInterface<ArrayModel<AppendOp>>(*context);
    SummarizeOp::attachInterface<ArrayModel<SummarizeOp>>(*context);
    QuantizeOp::attachInterface<ArrayModel<QuantizeOp>>(*context);
  });
}
