//===- NamedAttention.cpp - Ops that are attention by their name ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches ops that are attention by name: tm_tensor.attention of torch-mlir,
// iree_linalg_ext.attention of IREE and onnx.Attention. They are read in
// generic form, so their dialects need not be registered.
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

bool mlir::attn::raise::isNamedAttention(Operation *op) {
  if (op->getNumResults() == 0)
    return false;
  StringRef name = op->getName().getStringRef();
  if (name == "torch.operator") {
    auto of = dyn_cast_or_null<StringAttr>(op->getAttr("name"));
    return of && of == "onnx.Attention";
  }
  return name == "tm_tensor.attention" || name == "iree_linalg_ext.attention" ||
         name == "onnx.Attention";
}

namespace {
/// Fills in the match (Attention) of an attention op of another dialect, such
/// as tm_tensor.attention. Adds index variables for keys and head dims, over
/// which the op sums.
struct Parts {
  Elements &elements;
  Attention &attention;

  AffineExpr addSum(Value array, int64_t dim,
                    SmallVectorImpl<unsigned> &variables) {
    return add(elements.addVariable(array, dim), variables);
  }

  AffineExpr add(AffineExpr expr, SmallVectorImpl<unsigned> &variables) {
    if (auto variable = getVariable(expr))
      variables.push_back(*variable);
    return expr;
  }

  /// Returns the element of an operand at `indices`. Records that the sizes of
  /// the operand's dimensions equal those of the index variables in `indices`.
  Node *get(Value array, ArrayRef<AffineExpr> indices) {
    Indexing &indexing = elements.getIndexing();
    for (auto [dim, index] : llvm::enumerate(indices)) {
      auto variable = getVariable(index);
      std::optional<Extent> extent =
          variable ? indexing.getExtent(*variable) : std::nullopt;
      if (extent)
        elements.getSizes().unite(*extent,
                                  elements.getSizes().getDim(array, dim));
    }
    return elements.get(array, indices);
  }

  /// Sets the match's product to the sum of query * key over head dims, its
  /// score to that product, and its scale to `scale`.
  void setProduct(double scale) {
    Type f32 = elements.getBuilder().getF32Type();
    Node *body = elements.getApply("arith.mulf", f32,
                                   {elements.getCast(attention.query, f32),
                                    elements.getCast(attention.key, f32)});
    attention.product =
        elements.getReduce("arith.addf", f32, attention.headDims, body);
    attention.score = attention.product;
    attention.scale = scale;
  }

  /// Adds a mask operand to the match. A mask of i1, which is true for pairs
  /// that are kept, is added to the masks. A mask of numbers becomes a further
  /// term of the score.
  void addMask(Node *mask) {
    if (mask->type.isInteger(1)) {
      attention.masks.push_back(mask);
      return;
    }
    Type f32 = elements.getBuilder().getF32Type();
    attention.score = elements.getApply(
        "arith.addf", f32, {attention.score, elements.getCast(mask, f32)});
  }

  void addConstraint(AffineExpr lhs, AffineExpr rhs) {
    NamedAttrList attributes;
    attributes.set("predicate",
                   elements.getBuilder().getI64IntegerAttr(
                       static_cast<int64_t>(arith::CmpIPredicate::sle)));
    attention.masks.push_back(elements.getApply(
        "arith.cmpi", elements.getBuilder().getI1Type(),
        {elements.getIndex(lhs), elements.getIndex(rhs)}, attributes));
  }
};
} // namespace

static bool areTensors(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
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
      !isTensor(1) || !isTensor(2) || (count == 6 && !isTensor(4))) {
    reason =
        "expected query, key, value, scale, perhaps a mask, and an output, "
        "with a map each";
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
      region.front().empty() || region.front().back().getNumOperands() != 1) {
    reason = "expected a region on one score";
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
    if (inner.getName().getStringRef() == "iree_linalg_ext.index") {
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
  if (count == 6)
    b.addMask(get(4));
  return true;
}

static std::optional<int64_t> getInt(Operation *op, StringRef name) {
  auto value = dyn_cast_or_null<IntegerAttr>(op->getAttr(name));
  return value ? std::optional(value.getValue().getSExtValue()) : std::nullopt;
}

/// Matches onnx.Attention on tensors of rank 4, or of rank 3 with heads in the
/// last dimension. Ops with a cache or lengths, or of which further outputs are
/// used, are not matched.
static bool matchONNX(Elements &elements, Operation *op, Attention &attention,
                      std::string &reason) {
  Indexing &indexing = elements.getIndexing();
  auto isPresent = [&](unsigned i) {
    if (i >= op->getNumOperands())
      return false;
    std::string text;
    llvm::raw_string_ostream(text) << op->getOperand(i).getType();
    return text != "none" && text != "!torch.none";
  };
  for (unsigned i = 4, e = op->getNumOperands(); i < e; ++i)
    if (isPresent(i)) {
      reason = "it has a cache or lengths";
      return false;
    }
  for (Value result : op->getResults().drop_front())
    if (!result.use_empty()) {
      reason = "more than its first output is used";
      return false;
    }
  if (op->getNumOperands() < 3 ||
      !areTensors(op->getOperands().take_front(3))) {
    reason = "expected tensors of query, key and value";
    return false;
  }
  Value query = op->getOperand(0), key = op->getOperand(1),
        value = op->getOperand(2);
  unsigned rank = getShape(query).size();
  if ((rank != 3 && rank != 4) || getShape(key).size() != rank ||
      getShape(value).size() != rank || attention.outputs.size() != rank) {
    reason = "expected query, key and value of 3 or 4 dimensions";
    return false;
  }
  int64_t numHeads, numKvHeads, headDim, valueDim;
  if (rank == 4) {
    numHeads = getShape(query)[1];
    numKvHeads = getShape(key)[1];
    headDim = getShape(query)[3];
    valueDim = getShape(value)[3];
  } else {
    numHeads = getInt(op, "q_num_heads").value_or(0);
    numKvHeads = getInt(op, "kv_num_heads").value_or(0);
    if (numHeads < 1 || numKvHeads < 1) {
      reason = "expected q_num_heads and kv_num_heads with 3 dimensions";
      return false;
    }
    headDim = getShape(query)[2] / numHeads;
    valueDim = getShape(value)[2] / numKvHeads;
  }
  if (ShapedType::isDynamic(numHeads) || ShapedType::isDynamic(numKvHeads) ||
      headDim < 1 || valueDim < 1 || numKvHeads < 1 ||
      numHeads % numKvHeads != 0) {
    reason = "expected static heads, of which those of the query are a "
             "multiple, and static head dims";
    return false;
  }
  Parts b{elements, attention};
  AffineExpr batch = attention.outputs[0], i, h, dv;
  if (rank == 4) {
    h = attention.outputs[1];
    i = attention.outputs[2];
    dv = attention.outputs[3];
  } else {
    i = attention.outputs[1];
    h = indexing.floorDiv(attention.outputs[2], valueDim);
    dv = indexing.mod(attention.outputs[2], valueDim);
  }
  AffineExpr j = b.addSum(key, rank - 2, attention.keys),
             d = b.add(indexing.addVariable(headDim), attention.headDims),
             shared = indexing.floorDiv(h, numHeads / numKvHeads);
  auto get = [&](Value array, AffineExpr head, AffineExpr row, AffineExpr dim,
                 int64_t size) {
    if (rank == 4)
      return b.get(array, {batch, head, row, dim});
    return b.get(array, {batch, row, head * size + dim});
  };
  attention.query = get(query, h, i, d, headDim);
  attention.key = get(key, shared, j, d, headDim);
  attention.value = get(value, shared, j, dv, valueDim);
  double scale = 1 / std::sqrt(static_cast<double>(headDim));
  if (auto attr = dyn_cast_or_null<FloatAttr>(op->getAttr("scale")))
    scale = attr.getValueAsDouble();
  b.setProduct(scale);
  if (auto cap = dyn_cast_or_null<FloatAttr>(op->getAttr("softcap"));
      cap && cap.getValueAsDouble() > 0) {
    Type f32 = elements.getBuilder().getF32Type();
    Node *most = elements.getFloat(f32, cap.getValueAsDouble());
    Node *part = elements.getApply("arith.divf", f32, {attention.score, most});
    attention.score = elements.getApply(
        "arith.mulf", f32, {elements.getApply("math.tanh", f32, part), most});
  }
  if (isPresent(3)) {
    Value mask = op->getOperand(3);
    auto type = dyn_cast<RankedTensorType>(mask.getType());
    if (!type || type.getRank() > 4 || type.getRank() < 2) {
      reason = "expected a mask of 2 to 4 dimensions";
      return false;
    }
    SmallVector<AffineExpr> all = {batch, h, i, j}, indices;
    for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim)
      indices.push_back(type.getDimSize(dim) == 1 ? indexing.getConstant(0)
                                                  : all[4 - e + dim]);
    if (type.getDimSize(type.getRank() - 1) != getShape(key)[rank - 2]) {
      reason = "the mask is of fewer keys";
      return false;
    }
    b.addMask(b.get(mask, indices));
  }
  if (getInt(op, "is_causal").value_or(0))
    b.addConstraint(j, i);
  if (int64_t left = getInt(op, "left_window_size").value_or(-1); left >= 0)
    b.addConstraint(i, j + left);
  if (int64_t right = getInt(op, "right_window_size").value_or(-1); right >= 0)
    b.addConstraint(j, i + right);
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
                 : name == "onnx.Attention"
                     ? matchONNX(elements, op, *attention, reason)
                     : matchIREE(elements, op, *attention, reason);
  if (!matches)
    return nullptr;
  return attention;
}
