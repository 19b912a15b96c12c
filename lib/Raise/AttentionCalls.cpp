//===- AttentionCalls.cpp - Calls of kernels that are attention -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds attention and its gradients from products, masks and sums, as jax.grad
// writes them, so that calls of kernels are raised as these are.
//
//===----------------------------------------------------------------------===//

#include "AttentionCalls.h"
#include "Elements.h"
#include "StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// The indices of an attention: batch entry, head of keys, head in its group,
/// row and key, and one that is summed.
enum Loop { Batch, Head, Group, Row, Key, Summed };

/// Builds the parts of one call. Arrays of queries have five dimensions, with
/// two for heads.
struct CallBuilder {
  ShadowBuilder &s;
  const AttentionCall &call;
  Type f32 = s.getBuilder().getF32Type();

  RankedTensorType getType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }

  /// Splits the heads of an array that has those of the query.
  Value split(Value array) {
    auto type = cast<RankedTensorType>(array.getType());
    SmallVector<int64_t> shape(type.getShape());
    int64_t head = call.headsFirst ? 1 : 2;
    shape[head] = call.kvHeads;
    shape.insert(shape.begin() + head + 1, call.group);
    return s.reshape(getType(shape, type.getElementType()), array);
  }

  SmallVector<AffineExpr> get(std::initializer_list<int> loops) {
    SmallVector<AffineExpr> exprs;
    for (int loop : loops)
      exprs.push_back(s.dim(loop));
    return exprs;
  }

  /// The map of an array of the query's kind, with rows and columns by the
  /// given loops.
  AffineMap ofQuery(unsigned count, int row, int column) {
    return s.getMap(count, call.headsFirst
                               ? get({Batch, Head, Group, row, column})
                               : get({Batch, row, Head, Group, column}));
  }
  AffineMap ofKey(unsigned count, int row, int column) {
    return s.getMap(count, call.headsFirst ? get({Batch, Head, row, column})
                                           : get({Batch, row, Head, column}));
  }

  SmallVector<int64_t> getScores() {
    return {call.batch, call.kvHeads, call.group, call.rows, call.keys};
  }
  SmallVector<int64_t> getRows() {
    return {call.batch, call.kvHeads, call.group, call.rows};
  }

  /// Returns a product, summed over the loops that `result` lacks.
  Value multiply(ArrayRef<int64_t> shape, AffineMap result, Value lhs,
                 AffineMap ofLhs, Value rhs, AffineMap ofRhs) {
    return s.reduce(getType(shape, f32), result, {lhs, rhs}, {ofLhs, ofRhs},
                    /*isSum=*/true, [&](ImplicitLocOpBuilder &b, ValueRange x) {
                      return arith::MulFOp::create(b, castScalar(b, x[0], f32),
                                                   castScalar(b, x[1], f32))
                          .getResult();
                    });
  }

  /// Returns whether the call keeps the pair of the row and key that a body of
  /// linalg is at, or null if it keeps all. `lengths` are those of queries and
  /// keys.
  Value isKept(ImplicitLocOpBuilder &b, ValueRange lengths) {
    Value kept;
    auto getIndex = [&](int loop) -> Value {
      return arith::IndexCastOp::create(b, b.getI32Type(),
                                        linalg::IndexOp::create(b, loop));
    };
    auto add = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      Value condition = arith::CmpIOp::create(b, predicate, lhs, rhs);
      kept = kept ? arith::AndIOp::create(b, kept, condition).getResult()
                  : condition;
    };
    if (call.isCausal) {
      Value last = getIndex(Row);
      if (call.diagonal != 0)
        last = arith::AddIOp::create(
            b, last, arith::ConstantIntOp::create(b, call.diagonal, 32));
      add(arith::CmpIPredicate::sle, getIndex(Key), last);
    }
    if (call.window > 0) {
      Value size = arith::ConstantIntOp::create(b, call.window, 32);
      add(arith::CmpIPredicate::slt, getIndex(Row),
          arith::AddIOp::create(b, getIndex(Key), size));
    }
    if (!lengths.empty()) {
      add(arith::CmpIPredicate::slt, getIndex(Row), lengths[0]);
      add(arith::CmpIPredicate::slt, getIndex(Key), lengths[1]);
    }
    return kept;
  }

  bool hasMask() { return call.isCausal || call.keyLengths || call.kept; }

  /// Returns `scores` where pairs are kept, and `other` elsewhere.
  Value mask(Value scores, double other) {
    if (!scores || !hasMask())
      return scores;
    SmallVector<Value> operands = {scores};
    SmallVector<AffineMap> maps = {s.getIdentity(5)};
    if (call.keyLengths) {
      operands.append({call.queryLengths, call.keyLengths});
      maps.append(2, s.getMap(5, get({Batch})));
    }
    if (call.kept) {
      operands.push_back(splitHeads(call.kept));
      maps.push_back(ofBias(operands.back()));
    }
    return s.map(
        getType(getScores(), f32), operands, maps,
        [&](ImplicitLocOpBuilder &b, ValueRange x) {
          Value kept = isKept(b, x.slice(1, call.keyLengths ? 2 : 0));
          if (call.kept)
            kept = kept ? arith::AndIOp::create(b, kept, x.back()).getResult()
                        : x.back();
          Value number =
              arith::ConstantOp::create(b, b.getFloatAttr(f32, other));
          return arith::SelectOp::create(b, kept, x[0], number).getResult();
        });
  }

  /// Returns the map of the bias, which may be the same for all batch entries
  /// or heads, after splitHeads().
  AffineMap ofBias(Value bias) {
    SmallVector<AffineExpr> exprs = get({Batch, Head, Group, Row, Key});
    for (auto [size, expr] : llvm::zip(getShape(bias), exprs))
      if (size == 1)
        expr = s.getBuilder().getAffineConstantExpr(0);
    return s.getMap(5, exprs);
  }
  /// Splits the heads of a bias, or of an array of the same kind, in two
  /// dimensions.
  Value splitHeads(Value array) {
    auto type = cast<RankedTensorType>(array.getType());
    SmallVector<int64_t> shape(type.getShape());
    bool isShared = shape[1] == 1;
    shape[1] = isShared ? 1 : call.kvHeads;
    shape.insert(shape.begin() + 2, isShared ? 1 : call.group);
    return s.reshape(type.clone(shape), array);
  }

  Value buildScores() {
    Value scores =
        multiply(getScores(), s.getMap(6, get({Batch, Head, Group, Row, Key})),
                 split(call.query), ofQuery(6, Row, Summed), call.key,
                 ofKey(6, Key, Summed));
    SmallVector<Value> operands = {scores};
    SmallVector<AffineMap> maps = {s.getIdentity(5)};
    if (call.bias) {
      operands.push_back(splitHeads(call.bias));
      maps.push_back(ofBias(operands.back()));
    }
    Value sums = s.map(
        getType(getScores(), f32), operands, maps,
        [&](ImplicitLocOpBuilder &b, ValueRange x) {
          Value scale =
              arith::ConstantOp::create(b, b.getFloatAttr(f32, call.scale));
          Value score = arith::MulFOp::create(b, x[0], scale);
          if (call.bias)
            score = arith::AddFOp::create(b, score, castScalar(b, x[1], f32));
          return score;
        });
    return mask(sums, -std::numeric_limits<double>::infinity());
  }

  /// Returns an array of rows and columns with one dimension of heads, and in
  /// the element type of the result.
  Value finish(Value array, Type result) {
    auto type = dyn_cast<RankedTensorType>(result);
    if (!type)
      type = getBuiltinType(result);
    Value converted =
        array && type ? s.convert(array, type.getElementType()) : nullptr;
    return converted ? s.reshape(type, converted) : nullptr;
  }

  /// Returns the gradient of the scores before the factor of the scale.
  Value buildScoreGradient(Value probabilities, Value gradient) {
    Value ofProbabilities = multiply(
        getScores(), s.getMap(6, get({Batch, Head, Group, Row, Key})), gradient,
        ofQuery(6, Row, Summed), call.value, ofKey(6, Key, Summed));
    AffineMap all = s.getIdentity(5),
              rows = s.getMap(5, get({Batch, Head, Group, Row}));
    Value sums =
        multiply(getRows(), rows, probabilities, all, ofProbabilities, all);
    Value result =
        s.map(getType(getScores(), f32), {probabilities, ofProbabilities, sums},
              {all, all, rows}, [](ImplicitLocOpBuilder &b, ValueRange x) {
                Value difference = arith::SubFOp::create(b, x[1], x[2]);
                return arith::MulFOp::create(b, x[0], difference).getResult();
              });
    return mask(result, 0);
  }

  Value scale(Value array) {
    auto type = cast<RankedTensorType>(array.getType());
    return s.map(type, array, s.getIdentity(type.getRank()),
                 [&](ImplicitLocOpBuilder &b, ValueRange x) {
                   Value scale = arith::ConstantOp::create(
                       b, b.getFloatAttr(f32, call.scale));
                   return arith::MulFOp::create(b, x[0], scale).getResult();
                 });
  }
};
} // namespace

SmallVector<std::pair<Value, Value>>
AttentionCalls::buildForward(ShadowBuilder &s, Operation *op,
                             const AttentionCall &call) {
  CallBuilder c{s, call};
  Value scores = c.buildScores();
  Value lse;
  Value probabilities = s.softmax(scores, Key, &lse);
  SmallVector<int64_t> shape = c.getRows();
  shape.push_back(call.valueDim);
  // The last loop is over columns here, and the sum is over keys.
  Value output = c.multiply(
      shape, s.getMap(6, c.get({Batch, Head, Group, Row, Summed})),
      probabilities, s.getMap(6, c.get({Batch, Head, Group, Row, Key})),
      call.value, c.ofKey(6, Key, Summed));
  forwards[op] = {call, probabilities};
  SmallVector<std::pair<Value, Value>> results = {
      {c.finish(output, op->getResult(0).getType()), op->getResult(0)}};
  if (!isCuDNNCall(op) || op->getNumResults() == 3)
    results.push_back(
        {c.finish(lse, op->getResult(1).getType()), op->getResult(1)});
  return results;
}

RankedTensorType mlir::attn::raise::getCallArray(Value array) {
  auto type = array ? dyn_cast<RankedTensorType>(array.getType()) : nullptr;
  return type && type.hasStaticShape() && type.getRank() == 4 &&
                 type.getNumElements() > 0 &&
                 isa<FloatType>(type.getElementType())
             ? type
             : nullptr;
}

/// Returns the value without ops of torch around it that do not change it.
static Value stripTorch(Value value) {
  for (;;) {
    Operation *op = value.getDefiningOp();
    StringRef name = op ? op->getName().getStringRef() : StringRef();
    if ((name != "torch.aten.detach" && name != "torch.aten.alias") ||
        op->getNumOperands() != 1)
      return value;
    value = op->getOperand(0);
  }
}

/// Returns the forward call whose output an operand of its gradients is. JAX
/// transposes the output to the layout of the query.
static Operation *findForward(const AttentionCall &call) {
  Value output = stripTorch(call.output);
  Operation *op = output.getDefiningOp();
  if (isStableHLO(op, "transpose") && op->getNumOperands() == 1) {
    SmallVector<int64_t> permutation = getNumbers(op->getAttr("permutation")),
                         same = {0, 1, 2, 3}, swapped = {0, 2, 1, 3};
    if (permutation != (call.headsFirst ? same : swapped))
      return nullptr;
    output = op->getOperand(0);
    op = output.getDefiningOp();
  } else if (!call.headsFirst) {
    return nullptr;
  }
  return op && output == op->getResult(0) ? op : nullptr;
}

SmallVector<std::pair<Value, Value>>
AttentionCalls::buildBackward(ShadowBuilder &s, Operation *op,
                              const AttentionCall &call, std::string &reason) {
  Operation *source = findForward(call);
  auto found = forwards.find(source);
  const AttentionCall *forward =
      found == forwards.end() ? nullptr : &found->second.call;
  if (!forward || source->getNumResults() < 2 ||
      (isCuDNNCall(op) && source->getNumResults() != 3) ||
      stripTorch(call.lse) != source->getResult(1) ||
      forward->query != call.query || forward->key != call.key ||
      forward->value != call.value || forward->mask != call.mask ||
      forward->queryLengths != call.queryLengths ||
      forward->keyLengths != call.keyLengths || forward->scale != call.scale ||
      forward->window != call.window || forward->isCausal != call.isCausal ||
      forward->diagonal != call.diagonal ||
      forward->headsFirst != call.headsFirst) {
    reason = "expected gradients beside the call that computed their output "
             "and lse from the same arrays with the same configuration";
    return {};
  }
  CallBuilder c{s, call};
  Value probabilities = found->second.probabilities;
  Value gradient = c.split(call.outputGradient);
  Value ofScores = c.buildScoreGradient(probabilities, gradient);
  SmallVector<int64_t> ofQuery = c.getRows();
  ofQuery.push_back(call.headDim);
  AffineMap scores = s.getMap(6, c.get({Batch, Head, Group, Row, Key}));
  SmallVector<AffineExpr> keys = c.get({Batch, Head, Key, Summed});
  Value query =
      c.multiply(ofQuery, s.getMap(6, c.get({Batch, Head, Group, Row, Summed})),
                 ofScores, scores, call.key, c.ofKey(6, Key, Summed));
  Value key = c.multiply({call.batch, call.kvHeads, call.keys, call.headDim},
                         s.getMap(6, keys), ofScores, scores,
                         c.split(call.query), c.ofQuery(6, Row, Summed));
  Value value = c.multiply({call.batch, call.kvHeads, call.keys, call.valueDim},
                           s.getMap(6, keys), probabilities, scores, gradient,
                           c.ofQuery(6, Row, Summed));
  SmallVector<std::pair<Value, Value>> results;
  auto add = [&](Value array, unsigned i) {
    Value result = c.finish(array, op->getResult(i).getType());
    if (result)
      results.push_back({result, op->getResult(i)});
  };
  add(c.scale(query), 0);
  add(c.scale(key), 1);
  add(value, 2);
  if (!call.bias || op->getNumResults() < 4)
    return results;
  // The gradient of a bias that is shared is a sum.
  Value bias = c.splitHeads(call.bias);
  SmallVector<AffineExpr> kept, back;
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(getShape(bias)))
    if (size != 1 || c.getScores()[dim] == 1) {
      kept.push_back(s.dim(dim));
      sizes.push_back(size);
    }
  Value sum = ofScores;
  if (kept.size() < 5)
    sum = s.reduce(c.getType(sizes, c.f32), s.getMap(5, kept), ofScores,
                   s.getIdentity(5), /*isSum=*/true,
                   [](ImplicitLocOpBuilder &, ValueRange x) { return x[0]; });
  add(sum, 3);
  return results;
}

AttentionCalls::Results AttentionCalls::build(ShadowBuilder &s, Operation *op,
                                              GetTensor get,
                                              std::string &reason) {
  bool isBackward = false;
  std::optional<AttentionCall> call;
  if (isCuDNNCall(op)) {
    auto target = cast<StringAttr>(op->getAttr("call_target_name")).getValue();
    isBackward = target.contains("Backward");
    call = readCuDNNCall(op, isBackward, reason);
  } else {
    call = readTorchCall(s, op, get, isBackward, reason);
  }
  if (!call)
    return {};
  return isBackward ? buildBackward(s, op, *call, reason)
                    : buildForward(s, op, *call);
}
