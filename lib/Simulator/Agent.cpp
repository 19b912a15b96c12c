//===- Agent.cpp - Agents that run ops ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

LogicalResult Agent::run(Block &block, SmallVectorImpl<RuntimeValue> &results) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (Value operand : op.getOperands())
        results.push_back(get(operand));
      return success();
    }
    const Handlers::Handler *handler = simulation.handlers.find(&op);
    if (!handler)
      return refuse(&op, "is not an op that the simulator runs");
    if (failed((*handler)(*this, &op)) || simulation.fault)
      return failure();
  }
  return success();
}

const RuntimeValue &Agent::get(Value value) const {
  static const RuntimeValue none;
  for (const Agent *agent = this; agent; agent = agent->outer) {
    auto found = agent->values.find(value);
    if (found != agent->values.end())
      return found->second;
  }
  return none;
}

void Agent::set(ValueRange range, ArrayRef<RuntimeValue> runtime) {
  for (auto [value, own] : llvm::zip(range, runtime))
    set(value, own);
}

FailureOr<int64_t> Agent::getInt(Operation *op, Value value) {
  const RuntimeValue &found = get(value);
  const Tile *tile = std::get_if<Tile>(&found);
  if (tile && getNumThreads() == 1 && (*tile)->ints.size() == kLanes &&
      !isa<RankedTensorType>(value.getType()))
    return (*tile)->ints[llvm::countr_zero(lanes)];
  if (const int64_t *number = get<int64_t>(op, value))
    return *number;
  return failure();
}

LogicalResult Agent::getInts(Operation *op, ValueRange range,
                             SmallVectorImpl<int64_t> &result) {
  for (Value value : range) {
    FailureOr<int64_t> number = getInt(op, value);
    if (failed(number))
      return failure();
    result.push_back(*number);
  }
  return success();
}

LogicalResult Agent::failKind(Operation *op, Value value) {
  const RuntimeValue &found = get(value);
  if (auto *mma = std::get_if<std::shared_ptr<Mma>>(&found))
    return fail(op,
                "expected an MMA that was waited for, found one that may "
                "not have ended",
                (*mma)->op, "it began here");
  if (std::holds_alternative<Tile>(found))
    return misfit(op,
                  "expected an operand that all lanes have in common, found "
                  "one that may differ between them");
  std::string message;
  llvm::raw_string_ostream(message)
      << "expected another kind of operand than one of type "
      << value.getType();
  return misfit(op, message);
}

LogicalResult Agent::misfit(Operation *op, const Twine &message) {
  return cta && cta->isComplete ? fail(op, message) : refuse(op, message);
}

LogicalResult Agent::wait(Operation *op, std::function<bool()> ready,
                          std::function<std::string()> what) {
  return success(
      simulation.scheduler.wait(op, std::move(ready), std::move(what)));
}

LogicalResult Agent::checkWholeWarp(Operation *op) {
  if (~lanes == 0)
    return success();
  return fail(op, "expected all threads of a warp, found " +
                      Twine(getNumThreads()) + " of them");
}

std::string Agent::getName() const {
  return "warp " + std::to_string(warp) + " of CTA " +
         std::to_string(cta ? cta->number : 0);
}

LogicalResult Agent::checkRange(Operation *op, StringRef verb, int64_t offset,
                                int64_t size) {
  int64_t end = cta->memory.getSize();
  if (offset >= 0 && offset + size <= end)
    return success();
  return fail(op, "expected to " + verb.str() + " below byte " + Twine(end) +
                      " of shared memory, found bytes " + Twine(offset) +
                      " to " + Twine(offset + size));
}

/// Reports an error for an access of the agent to shared memory that breaks a
/// rule. `conflict` says which: the bytes were never written, or a proxy fence
/// is missing after a write, or the access is not ordered after an earlier
/// write or read. `verb` names the access in the message.
LogicalResult Agent::failOrder(Operation *op, StringRef verb,
                               const SharedMemory::Conflict &conflict) {
  std::string message = getName() + " " + verb.str() +
                        " shared memory at byte " +
                        std::to_string(conflict.offset);
  if (!conflict.before)
    return fail(op, message + ", which nobody has written");
  if (conflict.lacksFence)
    return fail(op,
                message + " by the async proxy, without a fence of proxies "
                          "after a write by threads",
                conflict.before, "it is written here");
  std::string access = conflict.isBeforeWrite ? "write" : "read";
  return fail(op, message + " without order after a " + access, conflict.before,
              conflict.isBeforeWrite ? "it is written here"
                                     : "it is read here");
}

LogicalResult Agent::noteRead(Operation *op, int64_t offset, int64_t size,
                              const Accessor &by) {
  if (failed(checkRange(op, "read", offset, size)))
    return failure();
  auto conflict = cta->memory.read(offset, size, by, op);
  return conflict ? failOrder(op, "reads", *conflict) : success();
}

LogicalResult Agent::noteWrite(Operation *op, int64_t offset, int64_t size,
                               const Accessor &by) {
  if (failed(checkRange(op, "write", offset, size)))
    return failure();
  auto conflict = cta->memory.write(offset, size, by, op);
  return conflict ? failOrder(op, "writes", *conflict) : success();
}

std::pair<unsigned, Clock> Agent::beginEngine() {
  Clock begin = release();
  unsigned engine = cta->takeEngine(begin);
  return {engine, std::move(begin)};
}

void Agent::fenceBarriers() {
  for (auto &[offset, barrier] : cta->barriers)
    barrier.fence(warp, clock.at(warp));
}
