//===- Problems.cpp - Attention ops of an entry in words and flops --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::attn;

double attnc::countFlops(AttentionInterface op, ArrayRef<int64_t> querySizes,
                         ArrayRef<int64_t> keySizes) {
  int64_t d = op.getHeadDim(), dv = op.getValueHeadDim(), width = d + dv;
  if (auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation())) {
    bool ofQuery(backward.getGradient(Gradients::Query));
    bool ofKey(backward.getGradient(Gradients::Key));
    bool ofValue(backward.getGradient(Gradients::Value));
    bool ofCapture = !backward.getCaptureWrt().empty();
    width = d + (ofQuery || ofKey || ofCapture ? dv : 0) + ofQuery * d +
            ofKey * d + ofValue * dv;
  }
  double flops =
      2.0 * querySizes[0] * querySizes[1] * querySizes[2] * keySizes[2] * width;
  MaskAttr mask = op.getMaskAttr();
  return mask && mask.getCausal() ? flops / 2 : flops;
}

void attnc::printProblems(llvm::StringRef entryName, const EntryPoint &entry,
                          const Execution &execution) {
  llvm::outs() << "entry      @" << entryName << "\n";
  for (const AttentionBinding &binding : entry.attentions) {
    AttentionInterface op = binding.op;
    auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
    llvm::outs() << (backward ? "backward   " : "attention  ")
                 << op.getQueryType().getElementType();
    Type query = op.getQueryType().getElementType();
    for (const NamedArray &array : op.getArrays())
      if (Type element = getElementTypeOrSelf(array.value);
          (array.isOfKeys() && !array.isOut && element != query) ||
          (array.kind == ArrayKind::Output && isFloat8(element)))
        llvm::outs() << " " << array.name << "=" << element;
    if (binding.hasInputs()) {
      auto getSizes = [&](StringRef name) -> ArrayRef<int64_t> {
        return execution.getArray(binding.getPosition(name)).sizes;
      };
      ArrayRef<int64_t> q = getSizes("query"), k = getSizes("key");
      llvm::outs() << " B=" << q[0] << " H=" << q[1] << ":" << k[1]
                   << " S=" << q[2] << ":" << k[2] << " D=" << op.getHeadDim()
                   << ":" << op.getValueHeadDim();
    }
    if (DenseI64ArrayAttr dims = op.getValueDimsAttr())
      llvm::outs() << " value_dims " << dims[0] << ":" << dims[1];
    if (MaskAttr mask = op.getMaskAttr())
      llvm::outs() << " mask " << mask;
    if (!op.getPacked().empty())
      llvm::outs() << " packed";
    for (unsigned i : {0, 1})
      if (op.getLengthArray(i))
        llvm::outs() << (i ? " key_lengths" : " query_lengths");
    llvm::outs() << (op.getPages() ? " pages" : "")
                 << (op.getSink() ? " sink" : "");
    for (Extra which : kExtras)
      if (op.getExtra(which))
        llvm::outs() << " " << getDeclaration(which).name;
    if (FloatAttr dropout = op.getDropoutAttr())
      llvm::outs() << llvm::format(" dropout %g", dropout.getValueAsDouble());
    llvm::outs() << (op.hasScore() ? " score region" : "")
                 << (op.hasMaskRegion() ? " mask region" : "");
    if (!backward) {
      llvm::outs() << (op.getLse() ? " lse" : "") << "\n";
      continue;
    }
    llvm::outs() << (backward.getDLse() ? " d_lse" : "")
                 << (backward.getDeterministic() ? " deterministic" : "");
    for (const NamedArray &array : op.getArrays())
      if (array.isOut)
        llvm::outs() << " " << array.name;
    llvm::outs() << "\n";
  }
}
