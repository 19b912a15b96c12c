//===- Constants.cpp - Constants and choices ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

template <typename T>
LogicalResult select(Agent &agent, arith::SelectOp op,
                     Elements<int64_t> condition) {
  auto yes = getElements<T>(agent, op, op.getTrueValue());
  auto no = getElements<T>(agent, op, op.getFalseValue());
  if (failed(yes) || failed(no))
    return failure();
  size_t count = std::max({condition.count, yes->count, no->count});
  return fillResult<T>(agent, op.getResult(), count, [&](size_t i) {
    return condition[i] ? (*yes)[i] : (*no)[i];
  });
}

LogicalResult runSelect(Agent &agent, arith::SelectOp op) {
  auto condition = getElements<int64_t>(agent, op, op.getCondition());
  if (failed(condition))
    return failure();
  Type type = getElement(op.getResult());
  bool isArray = isa<BaseMemRefType>(op.getType());
  if (!isArray && isa<FloatType>(type))
    return select<float>(agent, op, *condition);
  if (!isArray && type.isIntOrIndex())
    return select<int64_t>(agent, op, *condition);
  if (condition->count != 1)
    return agent.failKind(op, op.getCondition());
  agent.set(op.getResult(), agent.get((*condition)[0] ? op.getTrueValue()
                                                      : op.getFalseValue()));
  return success();
}

/// A constant of a tile is the same in all registers.
LogicalResult runConstant(Agent &agent, arith::ConstantOp op) {
  Attribute value = op.getValue();
  Type type = op.getType();
  size_t count = 1;
  if (auto elements = dyn_cast<SplatElementsAttr>(value)) {
    const TileLayout *layout = agent.simulation.getLayout(type);
    if (!layout)
      return agent.refuse(op, "expected a tile with a layout in registers");
    count = layout->getNumRegisters() * kLanes;
    value = elements.getSplatValue<Attribute>();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    auto element = static_cast<float>(number.getValueAsDouble());
    return fillResult<float>(agent, op.getResult(), count,
                             [&](size_t) { return element; });
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    int64_t element = number.getValue().getSExtValue();
    return fillResult<int64_t>(agent, op.getResult(), count,
                               [&](size_t) { return element; });
  }
  return agent.refuse(op, "expected a number or a tile of one number");
}

LogicalResult runSplat(Agent &agent, tensor::SplatOp op) {
  const TileLayout *layout = agent.simulation.getLayout(op.getType());
  if (!layout)
    return agent.refuse(op, "expected a tile with a layout in registers");
  size_t count = layout->getNumRegisters() * kLanes;
  if (isa<FloatType>(getElement(op.getResult()))) {
    auto element = getElements<float>(agent, op, op.getInput());
    if (failed(element))
      return failure();
    return fillResult<float>(agent, op.getResult(), count,
                             [&](size_t) { return (*element)[0]; });
  }
  auto element = getElements<int64_t>(agent, op, op.getInput());
  if (failed(element))
    return failure();
  return fillResult<int64_t>(agent, op.getResult(), count,
                             [&](size_t) { return (*element)[0]; });
}

} // namespace

void sim::addConstantOps(Handlers &handlers) {
  handlers.add<arith::SelectOp>(runSelect);
  handlers.add<arith::ConstantOp>(runConstant);
  handlers.add<tensor::SplatOp>(runSplat);
}
