//===- ScoreTranslation.cpp - Scalar ops to instructions ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreProgramBuilder.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::attn;

using ScalarType = ScoreProgram::ScalarType;

std::optional<ScalarType> mlir::attn::getScalarType(Type type) {
  if (type.isF16())
    return ScalarType{ScalarType::F16, 16};
  if (type.isBF16())
    return ScalarType{ScalarType::BF16, 16};
  if (type.isF32())
    return ScalarType{ScalarType::F32, 32};
  if (type.isF64())
    return ScalarType{ScalarType::F64, 64};
  if (type.isIndex())
    return ScalarType{ScalarType::Int, 64};
  if (auto intType = dyn_cast<IntegerType>(type))
    if (intType.getWidth() >= 1 && intType.getWidth() <= 64)
      return ScalarType{ScalarType::Int,
                        static_cast<uint8_t>(intType.getWidth())};
  return std::nullopt;
}

InFlightDiagnostic mlir::attn::emitCannotEvaluate(Operation &op) {
  return op.emitError("the oracle cannot evaluate '") << op.getName() << "'";
}

void ScoreProgramBuilder::broadcast(const Slot &slot) {
  if (slot.isVarying ||
      !broadcasts.insert({slot.type.isFloat(), slot.index}).second)
    return;
  (slot.type.isFloat() ? program.broadcastFloats : program.broadcastInts)
      .push_back(slot.index);
}

void ScoreProgramBuilder::append(Instruction instruction, Value value,
                                 bool isVarying) {
  instruction.result = instruction.resultType.isFloat() ? program.numFloats++
                                                        : program.numInts++;
  bindSlot(value, instruction.result, instruction.resultType, isVarying,
           instruction.tangentOperands != 0);
  (isVarying ? program.varyingCode : program.uniformCode)
      .push_back(instruction);
}

LogicalResult ScoreProgramBuilder::bindConstant(Value value, ScalarValue scalar,
                                                bool isVariable) {
  std::optional<ScalarType> type = getScalarType(value.getType());
  if (!type)
    return emitError(value.getLoc(), "the oracle cannot evaluate a value of "
                                     "type ")
           << value.getType();
  if (type->isFloat() != scalar.isFloat)
    return emitError(value.getLoc(), "expected a scalar of type ")
           << value.getType() << ", found "
           << (scalar.isFloat ? "a float" : "an integer");
  if (scalar.isFloat)
    scalar.f = roundToType(*type, scalar.f);
  else
    scalar.i = signExtend(scalar.i, type->width);
  Instruction instruction{};
  instruction.opcode = scalar.isFloat ? Opcode::ConstF : Opcode::ConstI;
  instruction.operandType = instruction.resultType = *type;
  instruction.constant = scalar;
  append(instruction, value, /*isVarying=*/isVariable);
  if (isVariable) {
    slots[value].hasTangent = true;
    program.variable = slots[value].index;
  }
  return success();
}

/// Translates an attn.read op, which reads an element of a captured array.
LogicalResult ScoreProgramBuilder::translateRead(Operation &op) {
  const ArrayView *array =
      op.getNumOperands() == 0 ? nullptr : arrays.lookup(op.getOperand(0));
  std::optional<ScalarType> type =
      op.getNumResults() == 1 ? getScalarType(op.getResult(0).getType())
                              : std::nullopt;
  // The indices of an attn.read are its operands of type index. A summary of
  // the array may follow them, and is ignored, since it does not change the
  // result.
  auto operands = llvm::make_filter_range(op.getOperands(), [](Value operand) {
    return operand.getType().isIndex();
  });
  if (!array || !type ||
      array->getRank() != int64_t(llvm::range_size(operands)))
    return emitCannotEvaluate(op);
  ScoreProgram::Read read = {*array, {}};
  SmallVector<const Slot *> indices;
  bool isVarying = variableRead == &op;
  for (Value operand : operands) {
    const Slot *slot = lookup(operand);
    if (!slot)
      return emitCannotEvaluate(op);
    read.indices.push_back(slot->index);
    indices.push_back(slot);
    isVarying |= slot->isVarying;
  }
  if (isVarying)
    for (const Slot *slot : indices)
      broadcast(*slot);
  Instruction instruction{};
  instruction.opcode = type->isFloat() ? Opcode::ReadF : Opcode::ReadI;
  instruction.operandType = instruction.resultType = *type;
  instruction.operands[0] = program.reads.size();
  program.reads.push_back(std::move(read));
  append(instruction, op.getResult(0), isVarying);
  if (variableRead == &op) {
    slots[op.getResult(0)].hasTangent = true;
    program.variable = slots[op.getResult(0)].index;
    program.variableRead = instruction.operands[0];
  }
  return success();
}

LogicalResult ScoreProgramBuilder::translate(Operation &op) {
  if (op.getNumRegions() != 0 || op.getNumSuccessors() != 0 ||
      op.getNumResults() == 0)
    return emitCannotEvaluate(op);
  // The op attn.read is identified by its name, since the oracle does not
  // depend on the compiler's dialects.
  if (op.getName().getStringRef() == "attn.read")
    return translateRead(op);

  Instruction instruction{};
  bool isVarying = false;
  uint8_t tangentOperands = 0;
  SmallVector<const Slot *, 3> operands;
  for (Value operand : op.getOperands()) {
    const Slot *slot = lookup(operand);
    if (!slot || operands.size() == std::size(instruction.operands))
      return emitCannotEvaluate(op);
    instruction.operands[operands.size()] = slot->index;
    if (slot->hasTangent)
      tangentOperands |= 1 << operands.size();
    operands.push_back(slot);
    isVarying |= slot->isVarying;
  }
  SmallVector<ScalarType, 2> resultTypes;
  for (Type type : op.getResultTypes()) {
    std::optional<ScalarType> scalarType = getScalarType(type);
    if (!scalarType)
      return emitCannotEvaluate(op) << " of type " << type;
    resultTypes.push_back(*scalarType);
  }
  instruction.resultType = resultTypes[0];
  if (!operands.empty())
    instruction.operandType = operands[0]->type;

  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
      return bindConstant(
          constant, ScalarValue::getFloat(value.getValue().convertToDouble()));
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      return bindConstant(constant,
                          ScalarValue::getInt(value.getValue().getSExtValue()));
    return emitCannotEvaluate(op);
  }
  if (auto truncation = dyn_cast<arith::TruncFOp>(op))
    if (std::optional<arith::RoundingMode> mode = truncation.getRoundingmode();
        mode && *mode != arith::RoundingMode::to_nearest_even)
      return emitCannotEvaluate(op)
             << " with rounding mode '" << arith::stringifyRoundingMode(*mode)
             << "'";

  bool isFloat = instruction.resultType.isFloat();
#define ATTN_CASE(dialect, op, ...)                                            \
  .Case(dialect::op##Op::getOperationName(), Opcode::op)
  Opcode opcode =
      llvm::StringSwitch<Opcode>(op.getName().getStringRef()) ATTN_SCALAR_OPS(
          ATTN_CASE)
          .Case("arith.addui_extended", Opcode::AddI)
          .Case("arith.bitcast", isFloat ? Opcode::BitsToF : Opcode::FToBits)
          .Case("arith.cmpf", Opcode::CmpF)
          .Case("arith.cmpi", Opcode::CmpSI)
          .Case("arith.extf", Opcode::ConvertF)
          .Case("arith.extsi", Opcode::ConvertSI)
          .Case("arith.extui", Opcode::ConvertUI)
          .Case("arith.fptosi", Opcode::FPToSI)
          .Case("arith.fptoui", Opcode::FPToUI)
          .Case("arith.index_cast", Opcode::ConvertSI)
          .Case("arith.index_castui", Opcode::ConvertUI)
          .Case("arith.mulsi_extended", Opcode::MulI)
          .Case("arith.mului_extended", Opcode::MulI)
          .Case("arith.select", isFloat ? Opcode::SelectF : Opcode::SelectI)
          .Case("arith.sitofp", Opcode::SIToFP)
          .Case("arith.truncf", Opcode::ConvertF)
          .Case("arith.trunci", Opcode::ConvertSI)
          .Case("arith.uitofp", Opcode::UIToFP)
          .Case("math.fpowi", Opcode::FPowI)
          .Case("math.sincos", Opcode::Sin)
          .Default(Opcode::Unknown);
#undef ATTN_CASE
  // An arith.bitcast between two integer types, or from a float type to itself,
  // becomes a conversion that changes nothing. A bitcast between different
  // float types is not supported.
  if (opcode == Opcode::BitsToF && instruction.operandType.isFloat()) {
    if (instruction.operandType.kind != instruction.resultType.kind)
      return emitCannotEvaluate(op) << " between types of floats";
    opcode = Opcode::ConvertF;
  }
  if (opcode == Opcode::FToBits && !instruction.operandType.isFloat())
    opcode = Opcode::ConvertSI;
  if (opcode == Opcode::Unknown)
    return emitCannotEvaluate(op);
  instruction.opcode = opcode;
  // Only instructions with a float result that are no step functions have
  // tangents; others have derivative 0.
#define ATTN_IS(dialect, op, ...) || opcode == Opcode::op
  bool isStep = false ATTN_STEP_OPS(ATTN_IS);
#undef ATTN_IS
  if (isFloat && !isStep)
    instruction.tangentOperands = tangentOperands;

  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    instruction.outcomes = getOutcomes(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    instruction.outcomes = getOutcomes(compare.getPredicate());
    if (isUnsigned(compare.getPredicate()))
      instruction.opcode = Opcode::CmpUI;
  }

  if (isVarying)
    for (const Slot *operand : operands)
      broadcast(*operand);
  append(instruction, op.getResult(0), isVarying);
  if (op.getNumResults() == 1)
    return success();

  // An op with two results gets a second instruction, which computes the second
  // result. Other ops with several results cannot be evaluated.
  instruction.opcode = llvm::StringSwitch<Opcode>(op.getName().getStringRef())
                           .Case("arith.addui_extended", Opcode::AddCarry)
                           .Case("arith.mulsi_extended", Opcode::MulSIHigh)
                           .Case("arith.mului_extended", Opcode::MulUIHigh)
                           .Case("math.sincos", Opcode::Cos)
                           .Default(Opcode::Unknown);
  if (instruction.opcode == Opcode::Unknown || op.getNumResults() != 2)
    return emitCannotEvaluate(op);
  instruction.resultType = resultTypes[1];
  append(instruction, op.getResult(1), isVarying);
  return success();
}
