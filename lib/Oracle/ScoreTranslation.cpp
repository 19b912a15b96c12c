//===- ScoreTranslation.cpp - Score regions to instructions ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreInstructions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::attn;

using ScalarType = ScoreProgram::ScalarType;

namespace mlir::attn {

/// Builds a program of instructions from ops and constants, one after the
/// other.
class ScoreProgramBuilder {
public:
  using Opcode = ScoreProgram::Opcode;
  using Instruction = ScoreProgram::Instruction;

  struct Slot {
    unsigned index;
    ScalarType type;
    bool isVarying;
    /// Whether the slot's value has a derivative with respect to the variable
    /// that is not always zero.
    bool hasTangent;
  };

  /// Binds `value` to the slot of an argument.
  void bindSlot(Value value, unsigned index, ScalarType type, bool isVarying,
                bool hasTangent = false) {
    slots[value] = {index, type, isVarying, hasTangent};
  }
  /// Binds `value` to a constant, which is rounded to its type.
  LogicalResult bindConstant(Value value, ScalarValue scalar,
                             bool isVariable = false);
  /// Binds `value` to an array that the region reads.
  void bindArray(Value value, const ArrayView &array) {
    arrays[value] = &array;
  }
  /// Translates an op to instructions. All of its operands must be bound.
  LogicalResult translate(Operation &op);
  /// Makes a value that is the same for all keys available to instructions that
  /// run for each key.
  void broadcast(const Slot &slot);

  const Slot *lookup(Value value) const {
    auto it = slots.find(value);
    return it == slots.end() ? nullptr : &it->second;
  }

  ScoreProgram program;
  /// The attn.read op with respect to whose result derivatives are taken, if
  /// the variable is a read.
  Operation *variableRead = nullptr;

private:
  LogicalResult translateRead(Operation &op);
  /// Appends `instruction`, whose result is `value`.
  void append(Instruction instruction, Value value, bool isVarying);

  DenseMap<Value, Slot> slots;
  DenseMap<Value, const ArrayView *> arrays;
  DenseSet<std::pair<unsigned, unsigned>> broadcasts;
};

} // namespace mlir::attn

static std::optional<ScalarType> getScalarType(Type type) {
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

static InFlightDiagnostic emitCannotEvaluate(Operation &op) {
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

/// Translates array[indices...].
LogicalResult ScoreProgramBuilder::translateRead(Operation &op) {
  const ArrayView *array =
      op.getNumOperands() == 0 ? nullptr : arrays.lookup(op.getOperand(0));
  std::optional<ScalarType> type =
      op.getNumResults() == 1 ? getScalarType(op.getResult(0).getType())
                              : std::nullopt;
  // A read's indices may be followed by a summary of the array, which does not
  // change the result.
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
  // The op is identified by its name, since the evaluator does not depend on
  // the compiler's dialects.
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
  // A bitcast between two float types, or two integer types, stays in a slot of
  // the same kind.
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
  // Integers and step functions have derivative 0.
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

  // Appends an instruction for the second result of an op that has two.
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

FailureOr<ScoreProgram> ScoreProgram::compile(Region &region,
                                              ArrayRef<CapturedValue> captures,
                                              unsigned variable,
                                              unsigned read) {
  return compile(region, /*isMask=*/false, captures, variable, read);
}

/// Returns the reads of an array in their order.
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
  // Translates operands first. It does so without recursion, since a long chain
  // of ops would exhaust the stack. An op is in `path` while its operands are
  // translated.
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
      // If an op has operands that are no scalars, translating it fails with an
      // error at the op.
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
