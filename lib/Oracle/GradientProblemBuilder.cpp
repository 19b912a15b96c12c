//===- GradientProblemBuilder.cpp - Gradient problems of ops --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandBinding.h"

#include "attn/Support/ElementDType.h"

using namespace mlir;
using namespace mlir::attn;

FailureOr<std::unique_ptr<BuiltGradientProblem>>
mlir::attn::buildGradientProblem(AttentionBackwardOp op,
                                 ArrayRef<Binding> arguments) {
  Environment env(op, arguments);
  auto built = std::make_unique<BuiltGradientProblem>();
  GradientProblem &problem = built->problem;
  if (failed(bindProblem(op, env, problem.forward, *built)))
    return failure();
  if (failed(bindOperand(op, "output", op.getOutput(), env, problem.output)) ||
      failed(bindOperand(op, "lse", op.getLse(), env, problem.lse)) ||
      failed(
          bindOperand(op, "d_output", op.getDOutput(), env, problem.dOutput)) ||
      failed(bindOperand(op, "d_lse", op.getDLse(), env, problem.dLse)))
    return failure();
  static constexpr Gradients kOrder[kNumGradients] = {
      Gradients::Query, Gradients::Key, Gradients::Value, Gradients::QueryRope,
      Gradients::KeyRope};
  problem.roundsDOutput = op.getNarrowProducts().has_value();
  problem.roundsOperands = op.getNarrowProducts() == NarrowProducts::All;
  problem.ropeColumns = op.getRopeColumns();
  ExtraOperand keyRope = op.getExtra(Extra::KeyRope);
  problem.sharesRope =
      keyRope && !keyRope.findDim('h') && problem.forward.key.sizes[1] != 1;
  for (auto [type, gradient] : llvm::zip(problem.types, kOrder))
    if (Value out = op.getGradient(gradient))
      type = getDType(cast<ShapedType>(out.getType()).getElementType());
  if (Value out = op.getGradient(Gradients::Sink))
    problem.sinkType =
        getDType(cast<ShapedType>(out.getType()).getElementType());
  auto captures = evaluateCaptures(op, env);
  if (failed(captures))
    return failure();
  for (auto [number, out] :
       llvm::zip(op.getCaptureWrt(), op.getCaptureGradients())) {
    Type element = cast<ShapedType>(out.getType()).getElementType();
    std::optional<DType> type = getDType(element);
    if (!type)
      return op.emitOpError("expected d_capture")
             << number << " elements of f16, bf16 or f32, found " << element;
    CaptureVariable variable = {number, nullptr, *type};
    bool isArray = (*captures)[number].array.has_value();
    unsigned argument = 5 + number;
    unsigned numPrograms =
        isArray ? ScoreProgram::countReads(op.getScore(), argument) : 1;
    for (unsigned read = 0; read < numPrograms; ++read) {
      FailureOr<ScoreProgram> program =
          ScoreProgram::compile(op.getScore(), *captures, argument, read);
      if (failed(program))
        return failure();
      built->captureScores.push_back(std::move(*program));
      variable.score = &built->captureScores.back();
      variable.reads.push_back(variable.score);
    }
    if (isArray) {
      variable.score = nullptr;
      ArrayRef<int64_t> sizes = (*captures)[number].array->sizes;
      variable.sizes.assign(sizes.begin(), sizes.end());
    }
    problem.captures.push_back(std::move(variable));
  }
  return built;
}
