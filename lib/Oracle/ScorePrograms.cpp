//===- ScorePrograms.cpp - Programs of regions and of scalars -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreProgramBuilder.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::attn;

using ScalarType = ScoreProgram::ScalarType;

FailureOr<ScoreProgram> ScoreProgram::compile(Region &region,
                                              ArrayRef<CapturedValue> captures,
                                              unsigned variable,
                                              unsigned read) {
  return compile(region, /*isMask=*/false, captures, variable, read);
}

/// Returns the attn.read ops of a region that read the array which is the
/// region's argument `argument`, in their order.
static SmallVector<Operation *> findReads(Block &body, unsigned argument) {
  SmallVector<Operation *> reads;
  for (Operation &op : body)
    if (op.getName().getStringRef() == "attn.read" && op.getNumOperands() > 0 &&
        op.getOperand(0) == body.getArgument(argument))
      reads.push_back(&op);
  return reads;
}

unsigned ScoreProgram::countReads(Region &region, unsigned argument) {
  return findReads(region.front(), argument).size();
}

FailureOr<ScoreProgram>
ScoreProgram::compileMask(Region &region, ArrayRef<CapturedValue> captures) {
  return compile(region, /*isMask=*/true, captures, /*variable=*/0, /*read=*/0);
}

FailureOr<ScoreProgram> ScoreProgram::compile(Region &region, bool isMask,
                                              ArrayRef<CapturedValue> captures,
                                              unsigned variable,
                                              unsigned read) {
  Operation *parent = region.getParentOp();
  StringRef kind = isMask ? "mask" : "score";
  if (!region.hasOneBlock())
    return parent->emitError("the oracle cannot evaluate a ")
           << kind << " region of " << region.getBlocks().size() << " blocks";
  Block &body = region.front();
  unsigned first = isMask ? 4 : 5;
  if (body.getNumArguments() != first + captures.size())
    return parent->emitError("expected ")
           << first + captures.size() << " " << kind
           << " region arguments, found " << body.getNumArguments();
  for (auto [number, argument] :
       llvm::enumerate(body.getArguments().take_front(first))) {
    bool isScore = !isMask && number == 0;
    if (isScore ? !argument.getType().isF32() : !argument.getType().isIndex())
      return emitError(argument.getLoc(), "expected ")
             << kind << " region argument #" << number << " of type "
             << (isScore ? "f32" : "index") << ", found " << argument.getType();
  }

  ScoreProgramBuilder builder;
  ScalarType f32{ScalarType::F32, 32}, index{ScalarType::Int, 64};
  if (!isMask)
    builder.bindSlot(body.getArgument(0), 0, f32, /*isVarying=*/true,
                     /*hasTangent=*/variable == 0);
  for (unsigned slot = 0; slot < 4; ++slot)
    builder.bindSlot(body.getArgument(first - 4 + slot), slot, index,
                     /*isVarying=*/slot == 3);
  for (auto [argument, capture] :
       llvm::zip(body.getArguments().drop_front(first), captures)) {
    if (capture.array) {
      builder.bindArray(argument, *capture.array);
      if (!isMask && variable != 0 && argument.getArgNumber() == variable) {
        SmallVector<Operation *> found = findReads(body, variable);
        if (read >= found.size())
          return parent->emitError("expected one of ")
                 << found.size() << " reads of argument " << variable
                 << ", found " << read;
        builder.variableRead = found[read];
      }
    } else if (failed(builder.bindConstant(argument, capture.scalar,
                                           !isMask && variable != 0 &&
                                               argument.getArgNumber() ==
                                                   variable)))
      return failure();
  }

  builder.program.isMask = isMask;
  for (Operation &op : body) {
    if (op.getName().getStringRef() != "attn.yield") {
      if (failed(builder.translate(op)))
        return failure();
      continue;
    }
    const ScoreProgramBuilder::Slot *slot =
        op.getNumOperands() == 1 ? builder.lookup(op.getOperand(0)) : nullptr;
    bool isRight =
        slot && (isMask ? !slot->type.isFloat() && slot->type.width == 1
                        : slot->type.kind == ScalarType::F32);
    if (!isRight)
      return op.emitError("expected one yielded value of type ")
             << (isMask ? "i1" : "f32");
    builder.broadcast(*slot);
    builder.program.result = slot->index;
    builder.program.hasTangent = slot->hasTangent;
    return std::move(builder.program);
  }
  return parent->emitError("expected the ")
         << kind << " region to end in 'attn.yield'";
}

FailureOr<ScalarValue> mlir::attn::evaluateScalar(
    Value value, llvm::function_ref<std::optional<ScalarValue>(Value)> lookup) {
  ScoreProgramBuilder builder;
  // The operands of an op are translated before the op itself. A worklist
  // replaces recursion, since a long chain of ops would exhaust the stack. An
  // op is in `path` while its operands are translated, so that cycles are
  // found.
  SmallVector<Value> worklist = {value};
  DenseSet<Operation *> path;
  while (!worklist.empty()) {
    Value current = worklist.back();
    if (builder.lookup(current)) {
      worklist.pop_back();
      continue;
    }
    Operation *op = current.getDefiningOp();
    bool isVisited = op && path.contains(op);
    if (!isVisited) {
      if (std::optional<ScalarValue> known = lookup(current)) {
        if (failed(builder.bindConstant(current, *known)))
          return failure();
        worklist.pop_back();
        continue;
      }
      if (!op)
        return emitError(current.getLoc(), "the oracle cannot evaluate a value "
                                           "that nothing is bound to");
      path.insert(op);
      // Only operands that are scalars are put into the worklist. If an op has
      // others, its translation below fails with an error at the op.
      bool needsOperands = false;
      for (Value operand : op->getOperands())
        if (getScalarType(operand.getType()) && !builder.lookup(operand)) {
          if (operand.getDefiningOp() && path.contains(operand.getDefiningOp()))
            return emitCannotEvaluate(*op) << ", which depends on itself";
          worklist.push_back(operand);
          needsOperands = true;
        }
      if (needsOperands)
        continue;
    }
    if (failed(builder.translate(*op)))
      return failure();
    path.erase(op);
    worklist.pop_back();
  }

  ScoreProgram &program = builder.program;
  ScoreProgram::Frame frame(program, 1);
  for (const ScoreProgram::Instruction &instruction : program.uniformCode)
    program.execute(instruction, Precision::Single, frame, 1);
  const ScoreProgramBuilder::Slot &slot = *builder.lookup(value);
  return slot.type.isFloat()
             ? ScalarValue::getFloat(*frame.getFloats(slot.index))
             : ScalarValue::getInt(*frame.getInts(slot.index));
}
