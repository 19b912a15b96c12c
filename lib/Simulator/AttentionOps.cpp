//===- AttentionOps.cpp - Attention by its formula ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include "attn/Oracle/ProblemBuilder.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

/// Returns the run-time value of a function's argument in the form that the
/// oracle takes: as an array, an integer or a float. Returns an empty binding
/// for a value of another kind.
Binding bind(const RuntimeValue &value) {
  Binding binding;
  if (auto *view = std::get_if<ViewRef>(&value)) {
    ArrayView array;
    SmallVector<int64_t> origin((*view)->sizes.size());
    array.data = reinterpret_cast<void *>((*view)->getAddress(origin));
    array.dtype = (*view)->dtype;
    array.sizes = (*view)->sizes;
    array.strides = (*view)->strides;
    binding.array = std::move(array);
  } else if (auto *number = std::get_if<int64_t>(&value)) {
    binding.scalar = ScalarValue::getInt(*number);
  } else if (auto *real = std::get_if<float>(&value)) {
    binding.scalar = ScalarValue::getFloat(*real);
  }
  return binding;
}

/// Stores `elements`, the result of the attention op, to the view. They are in
/// row-major order of the view's indices, and as many as the view has elements.
LogicalResult store(Agent &agent, AttentionOp op, const View &view,
                    ArrayRef<double> elements) {
  SmallVector<int64_t> index(view.sizes.size());
  for (auto [i, element] : llvm::enumerate(elements)) {
    int64_t rest = i;
    for (size_t dim = index.size(); dim-- > 0;) {
      index[dim] = rest % view.sizes[dim];
      rest /= view.sizes[dim];
    }
    if (failed(storeGlobal(agent, op, view, index, element)))
      return failure();
  }
  return success();
}

LogicalResult runAttention(Agent &agent, AttentionOp op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function || op->getNumResults() || agent.cta)
    return agent.refuse(op, "expected arrays of a function on buffers");
  SmallVector<Binding> bindings;
  for (Value argument : function.getArguments())
    bindings.push_back(bind(agent.get(argument)));
  // The oracle accepts only arguments of the function as operands of the
  // attention op. A program with another operand is not wrong, so the simulator
  // catches the oracle's diagnostic and refuses the op with that message.
  std::string message;
  FailureOr<std::unique_ptr<BuiltProblem>> built = failure();
  {
    ScopedDiagnosticHandler handler(op.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      message = diagnostic.str();
                                      return success();
                                    });
    built = buildProblem(op, bindings);
  }
  if (failed(built))
    return agent.refuse(op, message);
  AttentionResult result = evaluate((*built)->problem, Precision::Double);
  const std::vector<double> *elements[] = {&result.output, &result.lse};
  for (auto [i, out] : llvm::enumerate(op.getOuts())) {
    const ViewRef *view = agent.get<ViewRef>(op, out);
    if (!view || failed(store(agent, op, **view, *elements[i])))
      return failure();
  }
  return success();
}

} // namespace

void sim::addAttentionOps(Handlers &handlers) {
  handlers.add<AttentionOp>(runAttention);
}
