//===- ONNXAttention.cpp - ONNX's attention -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedAttention.h"
#include "Shadows.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

static std::optional<int64_t> getInt(Operation *op, StringRef name) {
  auto value = dyn_cast_or_null<IntegerAttr>(op->getAttr(name));
  return value ? std::optional(value.getValue().getSExtValue()) : std::nullopt;
}

namespace {
/// The indices of a score, which are batch entry, head, row and key, with their
/// sizes.
struct MaskShape {
  SmallVector<AffineExpr, 4> positions;
  SmallVector<int64_t, 4> sizes;
  SmallVector<Extent, 4> extents;
};
} // namespace

/// Returns the version of ONNX's operators that an importer wrote to the
/// function (or another op) around `op`, or nothing if there is none.
static std::optional<int64_t> getOpset(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto version = getInt(parent, "torch.onnx_meta.opset_version"))
      return version;
  return std::nullopt;
}

/// Adds the mask of an onnx.Attention to the match. Its dimensions are the last
/// ones of `shape`, and one of size 1 is repeated. A dynamic size may turn out
/// to be 1, so the mask is then read from memory, where a region clamps indices
/// to the array: that repeats the only element. A mask of fewer keys is
/// repeated along keys by opset 23, if it has one, and masks the other keys
/// from opset 24 on. Returns false and sets `reason` if the mask does not fit.
static bool addONNXMask(Parts &b, Operation *op, const MaskShape &shape,
                        std::string &reason) {
  Value mask = op->getOperand(3);
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type || type.getRank() > 4 || type.getRank() < 2) {
    reason = "expected a mask of 2 to 4 dimensions";
    return false;
  }
  Indexing &indexing = b.elements.getIndexing();
  Sizes &sizes = b.elements.getSizes();
  SmallVector<AffineExpr> indices;
  bool isExact = true;
  for (int64_t dim = 0, rank = type.getRank(); dim < rank; ++dim) {
    unsigned position = 4 - rank + dim;
    int64_t size = type.getDimSize(dim), whole = shape.sizes[position];
    bool isOfKeys = position == 3, areStatic = !ShapedType::isDynamic(size) &&
                                               !ShapedType::isDynamic(whole);
    Extent its = sizes.getDim(mask, dim);
    AffineExpr index = shape.positions[position];
    // Sizes of torch that may be equal are (see buildTorchAttention()).
    bool isEqual = sizes.areEqual(its, shape.extents[position]) ||
                   (isShadow(op) && !areStatic && size != 1);
    if (!isEqual && isOfKeys) {
      std::optional<int64_t> opset = getOpset(op);
      if (!opset) {
        reason = "the mask may be of fewer keys, which opset 23 repeats and "
                 "opset 24 masks, and no torch.onnx_meta.opset_version of the "
                 "function says which";
        return false;
      }
      if (*opset >= 24) {
        auto end = sizes.getAffine(its, indexing.getContext());
        if (!end || (areStatic && size > whole)) {
          reason = "expected a mask of no more keys than the key has";
          return false;
        }
        b.addConstraint(index, *end - 1);
        indices.push_back(index);
        continue;
      }
    }
    if (!isEqual && size == 1) {
      indices.push_back(indexing.getConstant(0));
      continue;
    }
    if (!isEqual && areStatic) {
      reason = ("expected a mask whose size of dimension " + Twine(dim) +
                " is 1" + (whole == 1 ? Twine() : " or " + Twine(whole)) +
                ", found " + Twine(size))
                   .str();
      return false;
    }
    if (isEqual || !ShapedType::isDynamic(size))
      sizes.unite(shape.extents[position], its);
    else
      isExact = false;
    indices.push_back(index);
  }
  b.addMask(isExact ? b.elements.get(mask, indices)
                    : b.elements.getLoad({mask, indices}));
  return true;
}

bool mlir::attn::raise::matchONNX(Elements &elements, Operation *op,
                                  Attention &attention, std::string &reason) {
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
    MaskShape shape;
    int64_t rows = rank - 2;
    shape.positions = {batch, h, i, j};
    shape.sizes = {getShape(query)[0], numHeads, getShape(query)[rows],
                   getShape(key)[rows]};
    Sizes &sizes = elements.getSizes();
    shape.extents = {sizes.getDim(query, 0), Sizes::getConstant(numHeads),
                     sizes.getDim(query, rows), sizes.getDim(key, rows)};
    if (!addONNXMask(b, op, shape, reason))
      return false;
  }
  if (getInt(op, "is_causal").value_or(0))
    b.addConstraint(j, i);
  if (int64_t left = getInt(op, "left_window_size").value_or(-1); left >= 0)
    b.addConstraint(i, j + left);
  if (int64_t right = getInt(op, "right_window_size").value_or(-1); right >= 0)
    b.addConstraint(j, i + right);
  return true;
}
