//===- BufferizableOpInterfaceImpl.cpp - Bufferisation of attn.attention
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::bufferization;

namespace {

struct AttentionOpInterface
    : DstBufferizableOpInterfaceExternalModel<AttentionOpInterface,
                                              AttentionOp> {
  /// Every element of the outs is written before anything could read it.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<AttentionOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto attention = cast<AttentionOp>(op);
    if (attention.getNumResults() == 0)
      return success();
    auto buffer = [&](Value v) {
      return getBuffer(rewriter, v, options, state);
    };
    FailureOr<Value> query = buffer(attention.getQuery());
    FailureOr<Value> key = buffer(attention.getKey());
    FailureOr<Value> value = buffer(attention.getValue());
    if (failed(query) || failed(key) || failed(value))
      return failure();
    SmallVector<Value> outs;
    for (Value out : attention.getOuts()) {
      FailureOr<Value> outBuffer = buffer(out);
      if (failed(outBuffer))
        return failure();
      outs.push_back(*outBuffer);
    }
    auto onBuffers = AttentionOp::create(
        rewriter, op->getLoc(), TypeRange(), *query, *key, *value,
        attention.getCaptures(), attention.getOrigin(), attention.getLengths(),
        outs, attention.getScaleAttr(), attention.getMaskAttr(),
        attention.getScheduleAttr(), attention.getFallbackAttr());
    onBuffers.getScore().takeBody(attention.getScore());
    replaceOpWithBufferizedValues(rewriter, op, outs);
    return success();
  }
};

} // namespace

void mlir::attn::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AttnDialect *) {
    AttentionOp::attachInterface<AttentionOpInterface>(*context);
  });
}
