//===- LinalgElements.cpp - Elements of results of linalg -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// The symbolic evaluation of the body of a linalg op: it builds the expression
/// (a Node) of one element of the result. `loops` has the affine expression of
/// each loop's index.
struct Elements::Scope {
  linalg::LinalgOp op;
  SmallVector<AffineExpr> loops;
  /// Whether elements of the op's operands become lazy nodes, so that the ops
  /// that compute them are not read until they are needed.
  bool isLazy = false;
  llvm::DenseMap<Value, Node *> known;

  bool isArgument(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBlock();
  }
};

Node *Elements::expandScalar(Scope &scope, Value value) {
  if (Node *node = scope.known.lookup(value))
    return node;
  Node *node = nullptr;
  Operation *op = value.getDefiningOp();
  // Whether the value is the size of a tensor, or an integer (other than i1 and
  // constants) that is computed outside of the op's body. There is a node for
  // such a value only if it is an affine expression of sizes.
  bool isSize =
      op && (isa<tensor::DimOp>(op) ||
             (op->getBlock() != scope.op.getBlock() &&
              value.getType().isIntOrIndex() && !value.getType().isInteger(1) &&
              !isa<arith::ConstantOp>(op)));
  if (isSize) {
    auto expr =
        getSizes().getAffine(getSizes().get(value), indexing.getContext());
    node = expr ? getPosition(*expr, value.getType()) : nullptr;
  } else if (scope.isArgument(value)) {
    OpOperand *operand =
        scope.op.getMatchingOpOperand(cast<BlockArgument>(value));
    // In a reduction, the argument of an output is a partial result. No element
    // of a tensor has its value.
    if (scope.op.isDpsInit(operand) && scope.op.getNumReductionLoops() > 0)
      return nullptr;
    Value source = operand->get();
    if (!isa<ShapedType>(source.getType())) {
      node = expandScalar(scope, source);
    } else {
      SmallVector<AffineExpr> indices;
      AffineMap map = scope.op.getMatchingIndexingMap(operand);
      for (AffineExpr expr : map.getResults())
        indices.push_back(indexing.simplify(expr.replaceDims(scope.loops)));
      node = scope.isLazy ? getLazy(source, indices) : get(source, indices);
    }
  } else if (!op) {
    // A scalar that is an argument of the function is treated as an element of
    // memory.
    if (!isa<ShapedType>(value.getType())) {
      node = make(NodeKind::Load, value.getType());
      node->access.array = value;
    }
  } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<ShapedType>(value.getType()))
      node = getConstant(constant.getValue());
  } else if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    node = getIndex(scope.loops[index.getDim()]);
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Node *> indices;
    for (Value operand : extract.getIndices()) {
      Node *index = expandScalar(scope, operand);
      if (!index)
        return nullptr;
      indices.push_back(look(index));
    }
    node = getGather(extract.getTensor(), indices);
  } else if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                 op->getDialect()) &&
             op->getNumResults() == 1 &&
             OpTrait::hasElementwiseMappableTraits(op) &&
             !isa<ShapedType>(value.getType())) {
    SmallVector<Node *> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(expandScalar(scope, operand));
      if (!operands.back())
        return nullptr;
    }
    node = getApply(op->getName().getStringRef(), value.getType(), operands,
                    NamedAttrList(op->getAttrDictionary()));
  } else if (isa<arith::IndexCastOp>(op)) {
    Node *operand = expandScalar(scope, op->getOperand(0));
    node = operand ? getCast(operand, value.getType()) : nullptr;
  }
  if (node)
    scope.known[value] = node;
  return node;
}

/// Returns how the body of a reduction combines the partial result `sum` with
/// another value: the name of the op of arith, and the value. Returns an empty
/// name and null if `yielded` is not the sum, maximum, `or` or `and` of the
/// two.
static std::pair<StringRef, Value> findCombiner(Value yielded, Value sum) {
  Operation *op = yielded.getDefiningOp();
  if (!op)
    return {};
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // The body of a reduction may compute a maximum by a comparison and a
    // select.
    auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!compare)
      return {};
    Value value = select.getTrueValue(), other = select.getFalseValue();
    bool isSwapped = value == sum;
    if (isSwapped)
      std::swap(value, other);
    if (other != sum)
      return {};
    bool isSame = compare.getLhs() == value && compare.getRhs() == sum;
    bool isReversed = compare.getRhs() == value && compare.getLhs() == sum;
    auto predicate = compare.getPredicate();
    using Predicate = arith::CmpFPredicate;
    bool isGreater = predicate == Predicate::OGT ||
                     predicate == Predicate::UGT ||
                     predicate == Predicate::OGE || predicate == Predicate::UGE;
    bool isLess = predicate == Predicate::OLT || predicate == Predicate::ULT ||
                  predicate == Predicate::OLE || predicate == Predicate::ULE;
    bool takesLarger = (isSame && isGreater) || (isReversed && isLess);
    bool takesSmaller = (isSame && isLess) || (isReversed && isGreater);
    if (isSwapped ? takesSmaller : takesLarger)
      return {"arith.maximumf", value};
    return {};
  }
  if (op->getNumOperands() != 2 ||
      !isa<arith::AddFOp, arith::MaximumFOp, arith::MaxNumFOp, arith::OrIOp,
           arith::AndIOp>(op))
    return {};
  for (unsigned i : {0u, 1u})
    if (op->getOperand(i) == sum)
      return {op->getName().getStringRef(), op->getOperand(1 - i)};
  return {};
}

SmallVector<std::optional<Extent>> Elements::uniteLoops(linalg::LinalgOp op) {
  SmallVector<std::optional<Extent>> extents(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = getVariable(expr);
      if (!loop)
        continue;
      Extent extent = getSizes().getDim(operand.get(), dim);
      if (extents[*loop])
        getSizes().unite(*extents[*loop], extent);
      else
        extents[*loop] = extent;
    }
  }
  return extents;
}

Node *Elements::expandLinalg(linalg::LinalgOp op, unsigned result,
                             ArrayRef<AffineExpr> indices) {
  if (!op.hasPureTensorSemantics())
    return nullptr;
  OpOperand *init = op.getDpsInitOperand(result);
  AffineMap map = op.getMatchingIndexingMap(init);
  Scope scope;
  scope.op = op;
  scope.loops.resize(op.getNumLoops());
  // The op writes no element at other indices than those of a constant, or than
  // equal ones of dimensions that one loop indexes.
  for (auto [expr, index, size] :
       llvm::zip(map.getResults(), indices, getShape(init->get()))) {
    AffineExpr written = expr;
    if (auto loop = getVariable(expr)) {
      if (!scope.loops[*loop])
        scope.loops[*loop] = index;
      written = scope.loops[*loop];
    } else if (!isa<AffineConstantExpr>(expr)) {
      return nullptr;
    }
    if (size != 1 && !indexing.areEqual(written, index))
      return nullptr;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<std::optional<Extent>> extents = uniteLoops(op);
  SmallVector<unsigned> variables;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (scope.loops[loop])
      continue;
    if (type == utils::IteratorType::parallel)
      return nullptr;
    scope.loops[loop] = indexing.addVariable(ranges[loop], extents[loop]);
    if (auto variable = getVariable(scope.loops[loop]))
      variables.push_back(*variable);
  }
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  if (op.getNumReductionLoops() == 0)
    return expandScalar(scope, yielded);

  scope.isLazy = true;
  auto [combiner, value] =
      findCombiner(yielded, op.getMatchingBlockArgument(init));
  Node *body = value ? expandScalar(scope, value) : nullptr;
  if (!body)
    return nullptr;
  return getReduceFrom(combiner, value.getType(), variables, body,
                       get(init->get(), indices));
}

Node *Elements::expandSoftmax(Operation *op, ArrayRef<AffineExpr> indices) {
  auto softmax = cast<linalg::SoftmaxOp>(op);
  if (op->getNumResults() != 1)
    return nullptr;
  Value input = softmax.getInput();
  uint64_t dim = softmax.getDimension();
  Type type = cast<ShapedType>(input.getType()).getElementType();
  auto reduce = [&](StringRef combiner, auto getBody) -> Node * {
    SmallVector<AffineExpr> at(indices);
    at[dim] = addVariable(input, dim);
    SmallVector<unsigned> variables;
    if (auto variable = getVariable(at[dim]))
      variables.push_back(*variable);
    Node *body = getBody(getLazy(input, at));
    return variables.empty() ? body
                             : getReduce(combiner, type, variables, body);
  };
  Node *largest =
      reduce("arith.maximumf", [](Node *element) { return element; });
  auto getWeight = [&](Node *element) {
    return getApply("math.exp", type,
                    getApply("arith.subf", type, {element, largest}));
  };
  Node *sum = reduce("arith.addf", getWeight);
  return getApply("arith.divf", type, {getWeight(get(input, indices)), sum});
}
