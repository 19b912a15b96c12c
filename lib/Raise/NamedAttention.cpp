//===- NamedAttention.cpp - Ops that are attention by their name ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches ops that are attention by name: tm_tensor.attention of torch-mlir
// and iree_linalg_ext.attention of IREE. They are read in generic form, so
// their dialects need not be registered.
//
//===----------------------------------------------------------------------===//

#include "NamedAttention.h"
#include "ContribAttention.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

bool mlir::attn::raise::isNamedAttention(Operation *op) {
  if (op->getNumResults() == 0)
    return false;
  StringRef name = op->getName().getStringRef();
  return name == "tm_tensor.attention" || name == "iree_linalg_ext.attention" ||
         name == kContribOp || !getONNXAttention(op).empty();
}

/// Matches tm_tensor.attention, whose operands are query, key, value, perhaps a
/// mask, and the output. All of these must have the same rank; dimensions
/// before the last two are batches. The scale is 1 / sqrt(head dim), so the
/// head dim must be static.
static bool matchTMTensor(Elements &elements, Operation *op,
                          Attention &attention, std::string &reason) {
  unsigned count = op->getNumOperands() - 1;
  if ((count != 3 && count != 4) || !areTensors(op->getOperands())) {
    reason = "expected tensors of query, key, value and perhaps a mask";
    return false;
  }
  Value query = op->getOperand(0), key = op->getOperand(1),
        value = op->getOperand(2);
  unsigned rank = getShape(query).size();
  if (rank < 2 || getShape(key).size() != rank ||
      getShape(value).size() != rank || attention.outputs.size() != rank ||
      ShapedType::isDynamic(getShape(query).back())) {
    reason = "expected query, key and value of one rank and a static head dim";
    return false;
  }
  Parts b{elements, attention};
  AffineExpr j = b.addSum(key, rank - 2, attention.keys),
             d = b.addSum(query, rank - 1, attention.headDims);
  SmallVector<AffineExpr> ofQuery(attention.outputs), ofKey(attention.outputs),
      ofValue(attention.outputs), ofMask(attention.outputs);
  ofQuery[rank - 1] = ofKey[rank - 1] = d;
  ofKey[rank - 2] = ofValue[rank - 2] = ofMask[rank - 1] = j;
  attention.query = b.get(query, ofQuery);
  attention.key = b.get(key, ofKey);
  attention.value = b.get(value, ofValue);
  b.setProduct(1 / std::sqrt(static_cast<double>(getShape(query).back())));
  if (count == 4) {
    SmallVector<int64_t> shape(getShape(query));
    shape[rank - 1] = getShape(key)[rank - 2];
    ArrayRef<int64_t> ofOperand = getShape(op->getOperand(3));
    if (failed(verifyCompatibleShape(shape, ofOperand))) {
      reason = "expected a mask of the scores' shape";
      return false;
    }
    b.addMask(b.get(op->getOperand(3), ofMask));
  }
  return true;
}

/// Whether each index of the mask of an iree_linalg_ext.attention is 0 or a
/// loop that also is an index of query, key or value, and no static size of the
/// mask differs from that loop's. `maps` has a map for each operand.
static bool isMaskOfLoops(Operation *op, ArrayAttr maps) {
  auto getMap = [&](unsigned i) {
    return cast<AffineMapAttr>(maps[i]).getValue();
  };
  constexpr unsigned kMask = 4;
  llvm::DenseMap<unsigned, int64_t> sizes;
  for (unsigned i : {0u, 1u, 2u})
    for (auto [expr, size] :
         llvm::zip(getMap(i).getResults(), getShape(op->getOperand(i))))
      if (auto loop = getVariable(expr); loop && !ShapedType::isDynamic(size))
        sizes[*loop] = size;
      else if (loop)
        sizes.try_emplace(*loop, size);
  ArrayRef<int64_t> shape = getShape(op->getOperand(kMask));
  return getMap(kMask).getNumResults() == shape.size() &&
         llvm::all_of(llvm::zip(getMap(kMask).getResults(), shape),
                      [&](auto pair) {
                        auto [expr, size] = pair;
                        if (auto constant = dyn_cast<AffineConstantExpr>(expr))
                          return constant.getValue() == 0 && size != 0;
                        auto loop = getVariable(expr);
                        auto found = loop ? sizes.find(*loop) : sizes.end();
                        return found != sizes.end() &&
                               (found->second == size ||
                                ShapedType::isDynamic(found->second) ||
                                ShapedType::isDynamic(size));
                      });
}

/// Matches iree_linalg_ext.attention, whose operands are query, key, value,
/// scale, perhaps a mask, and the output. Affine maps give the indices of each
/// operand. A region is applied to the scaled score.
static bool matchIREE(Elements &elements, Operation *op, Attention &attention,
                      std::string &reason) {
  auto maps = dyn_cast_or_null<ArrayAttr>(op->getAttr("indexing_maps"));
  unsigned count = op->getNumOperands();
  auto isTensor = [&](unsigned i) {
    return isa<RankedTensorType>(op->getOperand(i).getType());
  };
  FloatAttr scale;
  if (!maps || maps.size() != count || (count != 5 && count != 6) ||
      !llvm::all_of(maps, llvm::IsaPred<AffineMapAttr>) || !isTensor(0) ||
      !isTensor(1) || !isTensor(2) || (count == 6 && !isTensor(4)) ||
      op->getNumRegions() != 1) {
    reason =
        "expected query, key, value, scale, perhaps a mask, and an output, "
        "with a map each, and one region";
    return false;
  }
  if (!matchPattern(op->getOperand(3), m_Constant(&scale)) || !scale) {
    reason = "the scale is not constant";
    return false;
  }
  auto getMap = [&](unsigned i) {
    return cast<AffineMapAttr>(maps[i]).getValue();
  };
  // Each loop of the op that is an index of the output gets that index. Other
  // loops get new index variables: a loop that indexes the value is a key, and
  // a loop that only indexes query or key is a head dim.
  AffineMap output = getMap(count - 1);
  if (output.getNumResults() != attention.outputs.size() ||
      !output.isProjectedPermutation()) {
    reason = "the map of the output is no permutation";
    return false;
  }
  if (count == 6 && !isMaskOfLoops(op, maps)) {
    reason = "expected a mask whose indices are loops, and that has an element "
             "for each of their iterations";
    return false;
  }
  Parts b{elements, attention};
  SmallVector<AffineExpr> loops(output.getNumDims());
  for (auto [i, expr] : llvm::enumerate(output.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = attention.outputs[i];
  for (unsigned i : {1u, 0u, 2u})
    for (auto [dim, expr] : llvm::enumerate(getMap(i).getResults())) {
      auto loop = getVariable(expr);
      if (!loop || *loop >= loops.size() ||
          getShape(op->getOperand(i)).size() != getMap(i).getNumResults()) {
        reason = "a map has other expressions than loops";
        return false;
      }
      if (loops[*loop])
        continue;
      bool isOfValue = getMap(2).isFunctionOfDim(*loop);
      loops[*loop] = b.addSum(op->getOperand(i), dim,
                              isOfValue ? attention.keys : attention.headDims);
    }
  auto get = [&](unsigned i) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr expr : getMap(i).getResults())
      indices.push_back(expr.replaceDims(loops));
    return b.get(op->getOperand(i), indices);
  };
  for (AffineExpr &loop : loops)
    if (!loop)
      loop = elements.getIndexing().getConstant(0);
  attention.query = get(0);
  attention.key = get(1);
  attention.value = get(2);
  b.setProduct(scale.getValueAsDouble());

  Region &region = op->getRegion(0);
  if (!region.hasOneBlock() || region.getNumArguments() != 1 ||
      !isa<FloatType>(region.getArgument(0).getType()) ||
      region.front().empty() || region.front().back().getNumOperands() != 1) {
    reason = "expected a region on one score, which is a float";
    return false;
  }
  llvm::DenseMap<Value, Node *> known = {
      {region.getArgument(0), attention.score}};
  auto find = [&](Value value) -> Node * {
    if (Node *node = known.lookup(value))
      return node;
    TypedAttr constant;
    return matchPattern(value, m_Constant(&constant))
               ? elements.getConstant(constant)
               : nullptr;
  };
  for (Operation &inner : region.front()) {
    // The last op of the region is skipped. It is the terminator, which an op
    // of an unregistered dialect is not known to be.
    if (&inner == &region.front().back())
      break;
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    bool isScalar = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                        inner.getDialect()) &&
                    inner.getNumResults() == 1;
    SmallVector<Node *> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(find(operand));
    Node *index = nullptr;
    if (inner.getName().getStringRef() == "iree_linalg_ext.index" &&
        inner.getNumResults() == 1 && inner.getResult(0).getType().isIndex()) {
      auto dim = dyn_cast_or_null<IntegerAttr>(inner.getAttr("dim"));
      if (dim && dim.getInt() >= 0 &&
          dim.getInt() < static_cast<int64_t>(loops.size()))
        index = elements.getIndex(loops[dim.getInt()]);
    }
    if (!index && (!isScalar || llvm::is_contained(operands, nullptr))) {
      reason = "its region has other ops than those of arith and math";
      return false;
    }
    known[inner.getResult(0)] =
        index ? index
              : elements.getApply(inner.getName().getStringRef(),
                                  inner.getResult(0).getType(), operands,
                                  NamedAttrList(inner.getAttrDictionary()));
  }
  Node *score = find(region.front().back().getOperand(0));
  if (!score) {
    reason = "its region yields what is none of its scores";
    return false;
  }
  attention.score = elements.strip(score);
  if (attention.score->kind == NodeKind::Constant) {
    reason = "its region does not depend on the score";
    return false;
  }
  if (count == 6) {
    Node *mask = get(4);
    // IREE keeps pairs by the lowest bit of a mask of integers.
    Type i1 = elements.getBuilder().getI1Type();
    if (isa<IntegerType>(mask->type) && mask->type != i1)
      mask = elements.getApply("arith.trunci", i1, mask);
    b.addMask(mask);
  }
  return true;
}

std::unique_ptr<Attention>
mlir::attn::raise::matchNamedAttention(Elements &elements, Operation *op,
                                       std::string &reason) {
  auto attention = std::make_unique<Attention>();
  if (op->getNumResults() < 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType())) {
    reason = "it does not give a tensor";
    return nullptr;
  }
  attention->result = op->getResult(0);
  for (int64_t dim = 0, e = getShape(attention->result).size(); dim < e; ++dim)
    attention->outputs.push_back(elements.addVariable(attention->result, dim));
  StringRef name = op->getName().getStringRef();
  bool matches = name == "tm_tensor.attention"
                     ? matchTMTensor(elements, op, *attention, reason)
                     : matchIREE(elements, op, *attention, reason);
  if (!matches)
    return nullptr;
  return attention;
}
