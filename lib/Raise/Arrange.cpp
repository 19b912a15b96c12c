//===- Arrange.cpp - Arrays with other dimensions -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn::raise;

void mlir::attn::raise::addSizes(ImplicitLocOpBuilder &b, Indexing &indexing,
                                 const Arrangement &source,
                                 llvm::DenseMap<unsigned, Value> &sizes) {
  for (auto [dim, digits] : llvm::enumerate(source.dims)) {
    if (digits.empty() || sizes.count(digits.front()) ||
        !ShapedType::isDynamic(indexing.getSize(digits.front())))
      continue;
    // If several index variables make up one dimension of an array, only the
    // first may have a dynamic size. That size is the size of the dimension,
    // divided by the sizes of the other variables.
    int64_t inner = 1;
    for (unsigned digit : ArrayRef(digits).drop_front())
      inner *= indexing.getSize(digit);
    Value size = tensor::DimOp::create(b, source.array, dim);
    if (inner != 1)
      size = arith::DivUIOp::create(b, size,
                                    arith::ConstantIndexOp::create(b, inner));
    sizes[digits.front()] = size;
  }
}

static OpFoldResult getSize(ImplicitLocOpBuilder &b, const Indexing &indexing,
                            ArrayRef<unsigned> digits,
                            const llvm::DenseMap<unsigned, Value> &sizes) {
  int64_t known = 1;
  Value open;
  for (unsigned digit : digits) {
    int64_t size = indexing.getSize(digit);
    if (!ShapedType::isDynamic(size)) {
      known *= size;
      continue;
    }
    Value value = sizes.lookup(digit);
    open = open ? arith::MulIOp::create(b, open, value).getResult() : value;
  }
  if (!open)
    return b.getIndexAttr(known);
  if (known != 1)
    open = arith::MulIOp::create(b, open,
                                 arith::ConstantIndexOp::create(b, known));
  return open;
}

static SmallVector<int64_t> getShape(ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return shape;
}

/// Returns an array with the sizes that its index variables have. A size that
/// is static by its type may be dynamic by its variables, or the reverse, if an
/// op of the module requires that two sizes are equal.
static Value castToSizes(ImplicitLocOpBuilder &b, const Indexing &indexing,
                         const Arrangement &source) {
  SmallVector<int64_t> shape;
  for (const Digits &digits : source.dims) {
    int64_t &whole = shape.emplace_back(1);
    for (unsigned digit : digits) {
      int64_t size = indexing.getSize(digit);
      whole = ShapedType::isDynamic(size) || ShapedType::isDynamic(whole)
                  ? ShapedType::kDynamic
                  : whole * size;
    }
  }
  auto type = cast<RankedTensorType>(source.array.getType());
  if (type.getShape() == ArrayRef(shape))
    return source.array;
  return tensor::CastOp::create(b, type.clone(shape), source.array);
}

static Value expand(ImplicitLocOpBuilder &b, Value array,
                    ArrayRef<OpFoldResult> sizes,
                    ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(array.getType());
  if (static_cast<int64_t>(sizes.size()) == type.getRank())
    return array;
  return tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(getShape(sizes), type.getElementType()), array,
      groups, sizes);
}

/// Returns the runs of index variables that follow each other within one
/// dimension both in `lhs` and in `rhs`, each run by its first variable. A
/// variable of `rhs` that follows no other variable in both is the first of a
/// run.
static llvm::DenseMap<unsigned, Digits> findRuns(ArrayRef<Digits> lhs,
                                                 ArrayRef<Digits> rhs) {
  llvm::DenseMap<unsigned, unsigned> follows;
  for (const Digits &digits : lhs)
    for (unsigned i = 1; i < digits.size(); ++i)
      follows[digits[i]] = digits[i - 1];
  llvm::DenseMap<unsigned, Digits> runs;
  for (const Digits &digits : rhs)
    for (unsigned i = 0, first = 0; i < digits.size(); ++i) {
      auto found = follows.find(digits[i]);
      bool isSame =
          i > 0 && found != follows.end() && found->second == digits[i - 1];
      first = isSame ? first : digits[i];
      runs[first].push_back(digits[i]);
    }
  return runs;
}

/// Returns `dims`, the index variables of each dimension, without those that
/// are not the first of a run. The first variable of a run stands for the whole
/// run.
static SmallVector<Digits>
keepFirst(ArrayRef<Digits> dims, const llvm::DenseMap<unsigned, Digits> &runs) {
  SmallVector<Digits> result;
  for (const Digits &digits : dims) {
    result.emplace_back();
    for (unsigned digit : digits)
      if (runs.count(digit))
        result.back().push_back(digit);
  }
  return result;
}

/// Returns the arrangement with an array that has only the elements that are
/// read in steps.
static Arrangement takeSteps(ImplicitLocOpBuilder &b, const Indexing &indexing,
                             const Arrangement &source) {
  if (source.steps.empty())
    return source;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (auto [dim, digits] : llvm::enumerate(source.dims)) {
    int64_t size = 1;
    for (unsigned digit : digits)
      size = ShapedType::isDynamic(size) ||
                     ShapedType::isDynamic(indexing.getSize(digit))
                 ? ShapedType::kDynamic
                 : size * indexing.getSize(digit);
    sizes.push_back(ShapedType::isDynamic(size)
                        ? tensor::getMixedSize(b, b.getLoc(), source.array, dim)
                        : OpFoldResult(b.getIndexAttr(size)));
    offsets.push_back(b.getIndexAttr(source.steps[dim].offset));
    strides.push_back(b.getIndexAttr(source.steps[dim].stride));
  }
  return {
      tensor::ExtractSliceOp::create(b, source.array, offsets, sizes, strides),
      source.dims};
}

Value mlir::attn::raise::arrange(ImplicitLocOpBuilder &b, Indexing &indexing,
                                 const Arrangement &given,
                                 ArrayRef<Digits> targetDims,
                                 llvm::DenseMap<unsigned, Value> &sizes) {
  Arrangement source = takeSteps(b, indexing, given);
  Type element = cast<ShapedType>(source.array.getType()).getElementType();
  addSizes(b, indexing, source, sizes);
  // Index variables that follow each other in one dimension of both the source
  // and the target (a run) are treated as one variable, since they need not be
  // separated.
  llvm::DenseMap<unsigned, Digits> runs = findRuns(source.dims, targetDims);
  SmallVector<Digits> sourceDims = keepFirst(source.dims, runs),
                      target = keepFirst(targetDims, runs);
  auto getSizeOf = [&](ArrayRef<unsigned> firsts) {
    Digits digits;
    for (unsigned first : firsts)
      llvm::append_range(digits, runs.lookup(first));
    return getSize(b, indexing, digits, sizes);
  };
  // As the first step, the array is expanded such that each run of index
  // variables has a dimension of its own. A dimension that has no index
  // variable, and so has size 1, remains as a dimension.
  SmallVector<OpFoldResult> parts;
  SmallVector<ReassociationIndices> groups;
  SmallVector<std::optional<unsigned>> order;
  for (const Digits &digits : sourceDims) {
    ReassociationIndices &group = groups.emplace_back();
    if (digits.empty()) {
      group.push_back(parts.size());
      parts.push_back(b.getIndexAttr(1));
      order.push_back(std::nullopt);
    }
    for (unsigned digit : digits) {
      group.push_back(parts.size());
      parts.push_back(getSizeOf(digit));
      order.push_back(digit);
    }
  }
  Value array = expand(b, castToSizes(b, indexing, source), parts, groups);

  // As the second step, dimensions of size 1 that have no index variable are
  // collapsed into a neighboring dimension.
  SmallVector<ReassociationIndices> joined;
  SmallVector<unsigned> present;
  ReassociationIndices units;
  for (auto [i, digit] : llvm::enumerate(order)) {
    if (!digit) {
      (joined.empty() ? units : joined.back()).push_back(i);
      continue;
    }
    joined.push_back(units);
    units.clear();
    joined.back().push_back(i);
    present.push_back(*digit);
  }
  if (joined.size() != order.size())
    array = tensor::CollapseShapeOp::create(b, array, joined);

  // As the third step, dimensions are transposed to the target's order, and the
  // array is repeated along dimensions that the source lacks.
  SmallVector<unsigned> wanted, kept;
  SmallVector<int64_t> missing;
  for (const Digits &digits : target)
    for (unsigned digit : digits) {
      if (llvm::is_contained(present, digit))
        kept.push_back(digit);
      else
        missing.push_back(wanted.size());
      wanted.push_back(digit);
    }
  auto getEmpty = [&](ArrayRef<unsigned> digits) -> Value {
    SmallVector<OpFoldResult> all;
    for (unsigned digit : digits)
      all.push_back(getSizeOf(digit));
    return tensor::EmptyOp::create(b, all, element);
  };
  SmallVector<int64_t> permutation;
  for (unsigned digit : kept)
    permutation.push_back(llvm::find(present, digit) - present.begin());
  if (!llvm::is_sorted(permutation))
    array = linalg::TransposeOp::create(b, array, getEmpty(kept), permutation)
                ->getResult(0);
  if (!missing.empty())
    array = linalg::BroadcastOp::create(b, array, getEmpty(wanted), missing)
                ->getResult(0);

  // As the last step, the dimensions of index variables are collapsed to those
  // of the target, and dimensions of size 1 are added where the target has no
  // index variable.
  SmallVector<ReassociationIndices> collapsed, expanded;
  SmallVector<OpFoldResult> result;
  unsigned next = 0;
  ReassociationIndices leading;
  for (auto [dim, digits] : llvm::enumerate(target)) {
    result.push_back(getSizeOf(digits));
    if (digits.empty()) {
      (expanded.empty() ? leading : expanded.back()).push_back(dim);
      continue;
    }
    expanded.push_back(leading);
    leading.clear();
    expanded.back().push_back(dim);
    ReassociationIndices &group = collapsed.emplace_back();
    for (unsigned i = 0; i < digits.size(); ++i)
      group.push_back(next++);
  }
  if (collapsed.size() != wanted.size())
    array = tensor::CollapseShapeOp::create(b, array, collapsed);
  return expand(b, array, result, expanded);
}
