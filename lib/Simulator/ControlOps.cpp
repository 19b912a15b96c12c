//===- ControlOps.cpp - Loops, branches and checks ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

SmallVector<RuntimeValue> getAll(Agent &agent, ValueRange values) {
  SmallVector<RuntimeValue> all;
  for (Value value : values)
    all.push_back(agent.get(value));
  return all;
}

/// Copies what one branch of an scf.if has yielded to the lanes that ran this
/// branch. `value`, a scalar or a tile with one element for each lane, is
/// copied to the elements of `merged` whose lanes are in the mask `lanes`.
/// Refuses the op if `value` is anything else.
LogicalResult mergeLanes(Agent &agent, scf::IfOp op, const RuntimeValue &value,
                         uint32_t lanes, Registers &merged) {
  const Tile *tile = std::get_if<Tile>(&value);
  const int64_t *number = std::get_if<int64_t>(&value);
  const float *real = std::get_if<float>(&value);
  if (!number && !real && (!tile || (*tile)->size() != kLanes))
    return agent.refuse(op,
                        "expected a condition that all lanes have in common "
                        "for a branch with other results than numbers");
  merged.ints.resize(kLanes);
  merged.floats.resize(kLanes);
  bool isFloat = real || (tile && !(*tile)->floats.empty());
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    if (isFloat)
      merged.floats[lane] = real ? *real : (*tile)->floats[lane];
    else
      merged.ints[lane] = number ? *number : (*tile)->ints[lane];
  }
  return success();
}

/// Runs an scf.if whose condition differs between the lanes of a warp. The
/// lanes where the condition is true run the first block, and then the others
/// run the second block. Each lane of a result has what that lane's block has
/// yielded, which must be a number. If all lanes run the same block, the
/// results are those of the block, which may be of any kind.
LogicalResult runIfOfLanes(Agent &agent, scf::IfOp op, const Tile &condition) {
  uint32_t lanes = 0;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    if (condition->ints[lane])
      lanes |= uint32_t(1) << lane;
  uint32_t all = agent.lanes;
  std::vector<Registers> merged(op->getNumResults());
  for (auto [block, own] : {std::pair(op.thenBlock(), lanes & all),
                            {op.elseBlock(), ~lanes & all}}) {
    if (!block || !own)
      continue;
    agent.lanes = own;
    SmallVector<RuntimeValue> results;
    LogicalResult result = agent.run(*block, results);
    agent.lanes = all;
    if (failed(result))
      return failure();
    if (own == all) {
      agent.set(op.getResults(), results);
      return success();
    }
    for (auto [value, to] : llvm::zip(results, merged))
      if (failed(mergeLanes(agent, op, value, own, to)))
        return failure();
  }
  for (auto [result, registers] : llvm::zip(op.getResults(), merged)) {
    // mergeLanes() fills both vectors of `registers`, but a tile has either
    // floats or integers, by the type of the result. The vector of the other
    // kind is cleared.
    if (isa<FloatType>(result.getType()))
      registers.ints.clear();
    else
      registers.floats.clear();
    agent.set(result, Tile(std::make_shared<Registers>(std::move(registers))));
  }
  return success();
}

LogicalResult runIf(Agent &agent, scf::IfOp op) {
  const RuntimeValue &condition = agent.get(op.getCondition());
  if (const Tile *lanes = std::get_if<Tile>(&condition);
      lanes && (*lanes)->ints.size() == kLanes)
    return runIfOfLanes(agent, op, *lanes);
  FailureOr<int64_t> isTrue = agent.getInt(op, op.getCondition());
  if (failed(isTrue))
    return failure();
  Block *block = *isTrue ? op.thenBlock() : op.elseBlock();
  if (!block)
    return success();
  SmallVector<RuntimeValue> results;
  if (failed(agent.run(*block, results)))
    return failure();
  agent.set(op.getResults(), results);
  return success();
}

LogicalResult runFor(Agent &agent, scf::ForOp op) {
  SmallVector<int64_t> bounds;
  if (failed(agent.getInts(
          op, {op.getLowerBound(), op.getUpperBound(), op.getStep()}, bounds)))
    return failure();
  if (bounds[2] <= 0)
    return agent.fail(op,
                      "expected a positive step, found " + Twine(bounds[2]));
  SmallVector<RuntimeValue> carried = getAll(agent, op.getInitArgs());
  for (int64_t i = bounds[0]; i < bounds[1]; i += bounds[2]) {
    agent.set(op.getInductionVar(), i);
    agent.set(op.getRegionIterArgs(), carried);
    carried.clear();
    if (failed(agent.run(*op.getBody(), carried)))
      return failure();
  }
  agent.set(op.getResults(), carried);
  return success();
}

LogicalResult runWhile(Agent &agent, scf::WhileOp op) {
  SmallVector<RuntimeValue> carried = getAll(agent, op.getInits());
  while (true) {
    agent.set(op.getBeforeArguments(), carried);
    carried.clear();
    if (failed(agent.run(*op.getBeforeBody(), carried)))
      return failure();
    // In an scf.while, the terminator of the first block has the condition as
    // its first operand. The other operands become arguments of the second
    // block or, if the condition is false, results of the loop.
    auto goesOn = carried.front();
    carried.erase(carried.begin());
    const int64_t *isTrue = std::get_if<int64_t>(&goesOn);
    if (!isTrue)
      return agent.failKind(op, op.getConditionOp().getCondition());
    if (!*isTrue)
      break;
    agent.set(op.getAfterArguments(), carried);
    carried.clear();
    if (failed(agent.run(*op.getAfterBody(), carried)))
      return failure();
  }
  agent.set(op.getResults(), carried);
  return success();
}

/// Runs a cf.assert of the function, a check at run time. If its condition is
/// false, stops all agents and stores the message of the op as the run's
/// `failedCheck`. A failed check is no fault of the program, so no error is
/// reported.
LogicalResult runAssert(Agent &agent, cf::AssertOp op) {
  FailureOr<int64_t> holds = agent.getInt(op, op.getArg());
  if (failed(holds))
    return failure();
  if (*holds)
    return success();
  agent.simulation.failedCheck = op.getMsg().str();
  agent.simulation.scheduler.stop();
  return failure();
}

} // namespace

void sim::addControlOps(Handlers &handlers) {
  handlers.add<scf::IfOp>(runIf);
  handlers.add<scf::ForOp>(runFor);
  handlers.add<scf::WhileOp>(runWhile);
  handlers.add<cf::AssertOp>(runAssert);
}
