//===- Elementwise.h - The same op on all elements --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_ELEMENTWISE_H
#define ATTN_LIB_SIMULATOR_ELEMENTWISE_H

#include "Agent.h"

namespace mlir::attn::sim {

/// The elements of an operand of an op on numbers: one for a scalar, or one for
/// each lane and register of a tile. A scalar gives the same element at all
/// indices.
template <typename T> struct Elements {
  const T *data = nullptr;
  size_t count = 1;

  T operator[](size_t i) const { return count == 1 ? data[0] : data[i]; }
};

template <typename T>
FailureOr<Elements<T>> getElements(Agent &agent, Operation *op, Value value) {
  const RuntimeValue &found = agent.get(value);
  if (const T *scalar = std::get_if<T>(&found))
    return Elements<T>{scalar, 1};
  if (const Tile *tile = std::get_if<Tile>(&found)) {
    if constexpr (std::is_same_v<T, float>) {
      if (!(*tile)->floats.empty())
        return Elements<T>{(*tile)->floats.data(), (*tile)->floats.size()};
    } else if (!(*tile)->ints.empty()) {
      return Elements<T>{(*tile)->ints.data(), (*tile)->ints.size()};
    }
  }
  return agent.failKind(op, value);
}

inline Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

inline int64_t finishElement(Type type, int64_t value) {
  return wrapInteger(type, value);
}
inline float finishElement(Type type, float value) {
  return roundFloat(type, value);
}

/// Sets `result` to `count` elements, the i-th of which is `element(i)`,
/// rounded or wrapped to the result's element type. If `count` is 1, the result
/// is a scalar; otherwise it is a tile.
template <typename T, typename Fn>
LogicalResult fillResult(Agent &agent, Value result, size_t count, Fn element) {
  Type type = getElement(result);
  if (count == 1) {
    agent.set(result, RuntimeValue(finishElement(type, T(element(0)))));
    return success();
  }
  auto registers = std::make_shared<Registers>();
  std::vector<T> *data;
  if constexpr (std::is_same_v<T, float>)
    data = &registers->floats;
  else
    data = &registers->ints;
  data->resize(count);
  bool isExact = std::is_same_v<T, float> ? type.isF32() : type.isIndex();
  if (isExact)
    for (size_t i = 0; i < count; ++i)
      (*data)[i] = element(i);
  else
    for (size_t i = 0; i < count; ++i)
      (*data)[i] = finishElement(type, T(element(i)));
  agent.set(result, Tile(std::move(registers)));
  return success();
}

/// Sets `result` to `numbers`: a tile to those that the agent's warp holds, or
/// a scalar to one number. They become integers if the element type is one, and
/// floats otherwise.
template <typename T>
void setNumbers(Agent &agent, Value result, const std::vector<T> &numbers) {
  bool isFloat = isa<FloatType>(getElement(result));
  if (!isa<RankedTensorType>(result.getType())) {
    T number = numbers.front();
    return agent.set(result, isFloat ? RuntimeValue(float(number))
                                     : RuntimeValue(int64_t(number)));
  }
  auto registers = std::make_shared<Registers>();
  if (isFloat)
    registers->floats.assign(numbers.begin(), numbers.end());
  else
    registers->ints.assign(numbers.begin(), numbers.end());
  agent.set(result, Tile(std::move(registers)));
}

/// Runs an element-wise op of one to three operands: element i of the result is
/// `fn` of the operands' elements i. These have the C++ type In, and `fn`
/// returns type Out. A scalar operand has the same value at all indices.
template <typename Out, typename In, typename Fn>
LogicalResult applyElementwise(Agent &agent, Operation *op, Fn fn) {
  SmallVector<Elements<In>, 3> operands;
  size_t count = 1;
  for (Value operand : op->getOperands()) {
    auto elements = getElements<In>(agent, op, operand);
    if (failed(elements))
      return failure();
    count = std::max(count, elements->count);
    operands.push_back(*elements);
  }
  Value result = op->getResult(0);
  if constexpr (std::is_invocable_v<Fn, In>)
    return fillResult<Out>(agent, result, count,
                           [&](size_t i) { return fn(operands[0][i]); });
  else if constexpr (std::is_invocable_v<Fn, In, In>)
    return fillResult<Out>(agent, result, count, [&](size_t i) {
      return fn(operands[0][i], operands[1][i]);
    });
  else
    return fillResult<Out>(agent, result, count, [&](size_t i) {
      return fn(operands[0][i], operands[1][i], operands[2][i]);
    });
}

inline int64_t getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_ELEMENTWISE_H
