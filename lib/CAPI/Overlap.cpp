//===- Overlap.cpp - Arrays that share memory -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How haveCommonBytes() decides. Write a byte of `a` as firstA + sum stride *
// index, with strides made positive by counting from the other end, and a byte
// of `b` as lastB - sum stride * index. The arrays share a byte if and only if
//
//   sum over the strides of both  stride * index = lastB - firstA
//
// has a solution in which each index is within its bound. Strides of an array
// usually nest: all elements along one dimension lie within one step of the
// next larger stride. So if indices are chosen from the largest stride down,
// few values of each index leave a remainder that the smaller strides can
// reach.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir::attn;

namespace {
struct Term {
  int64_t stride, bound;
};
} // namespace

/// A limit that no address and no extent of an array in memory exceeds. The sum
/// of a few numbers below the limit does not overflow.
static constexpr int64_t kLargest = int64_t(1) << 57;

/// Returns the range of bytes of an array, which is empty if the array has no
/// elements or no memory could hold it. Unless `terms` is null, adds to it a
/// term for each dimension with several elements, and one for the bytes of an
/// element. A term has the distance of neighbours in bytes and the largest
/// index.
static ByteRange getRange(const StridedBytes &array,
                          llvm::SmallVectorImpl<Term> *terms) {
  if (array.address < -kLargest || array.address > kLargest)
    return {};
  ByteRange range = {array.address, array.address + array.size - 1};
  for (auto [size, elements] : llvm::zip_equal(array.sizes, array.strides)) {
    if (size == 0)
      return {};
    if (elements < -kLargest / 8 || elements > kLargest / 8)
      return {};
    int64_t stride = elements * array.size,
            length = stride < 0 ? -stride : stride;
    if (length == 0 || size == 1)
      continue;
    if (size - 1 > kLargest / length)
      return {};
    (stride < 0 ? range.first : range.last) += stride * (size - 1);
    if (terms)
      terms->push_back({length, size - 1});
    if (range.last - range.first > kLargest)
      return {};
  }
  if (terms && array.size > 1)
    terms->push_back({1, array.size - 1});
  return range;
}

/// Whether a sum of multiples of the terms' strides can equal `sum`, where each
/// multiple is from 0 to the term's bound. `terms` are sorted by stride, the
/// largest first, and `reach[i]` is the largest sum that terms from number i on
/// can have. Returns false when `numTries` are used up.
static bool canMake(llvm::ArrayRef<Term> terms, llvm::ArrayRef<int64_t> reach,
                    int64_t sum, int &numTries) {
  if (sum == 0)
    return true;
  if (terms.empty() || sum < 0 || sum > reach.front() || --numTries < 0)
    return false;
  Term term = terms.front();
  int64_t rest = reach[1];
  int64_t most = std::min(term.bound, sum / term.stride);
  int64_t least =
      sum <= rest ? 0 : (sum - rest + term.stride - 1) / term.stride;
  for (int64_t i = most; i >= least && numTries > 0; --i)
    if (canMake(terms.drop_front(), reach.drop_front(), sum - i * term.stride,
                numTries))
      return true;
  return false;
}

ByteRange mlir::attn::getRange(const StridedBytes &array) {
  return ::getRange(array, /*terms=*/nullptr);
}

bool mlir::attn::haveCommonBytes(const StridedBytes &a, const StridedBytes &b) {
  llvm::SmallVector<Term, 12> terms;
  ByteRange rangeA = ::getRange(a, &terms), rangeB = ::getRange(b, &terms);
  if (!rangeA.meets(rangeB))
    return false;

  llvm::sort(terms, [](Term x, Term y) { return x.stride > y.stride; });
  // Terms with equal strides are merged, since only the sum of their indices
  // matters.
  llvm::SmallVector<Term, 12> merged;
  for (Term term : terms) {
    if (!merged.empty() && merged.back().stride == term.stride)
      merged.back().bound += term.bound;
    else
      merged.push_back(term);
  }
  llvm::SmallVector<int64_t, 12> reach(merged.size() + 1, 0);
  for (size_t i = merged.size(); i-- > 0;)
    reach[i] = reach[i + 1] + merged[i].stride * merged[i].bound;
  int numTries = 10000;
  return canMake(merged, reach, rangeB.last - rangeA.first, numTries);
}

/// Whether each stride of the array is larger than the distance that all
/// dimensions of smaller strides cover together. No two elements then share a
/// byte. This holds for all arrays but unusual ones.
static bool isNested(const StridedBytes &array) {
  llvm::SmallVector<Term, 6> terms;
  for (auto [size, elements] : llvm::zip_equal(array.sizes, array.strides))
    if (size > 1)
      terms.push_back(
          {(elements < 0 ? -elements : elements) * array.size, size - 1});
  llvm::sort(terms, [](Term x, Term y) { return x.stride < y.stride; });
  int64_t reach = array.size - 1;
  for (Term term : terms) {
    if (term.stride <= reach)
      return false;
    reach += term.stride * term.bound;
  }
  return true;
}

bool mlir::attn::haveCommonElements(const StridedBytes &array) {
  // If the range of bytes is empty, the array has no elements, or its addresses
  // are too large for any memory. If not, the sums of addresses below do not
  // overflow.
  if (getRange(array).isEmpty() || isNested(array))
    return false;
  // Two different elements have equal indices up to some dimension, and
  // different ones in it, `dim`. Strides are constant, so it suffices that the
  // smaller of these two indices is 0. So elements whose index in `dim` is at
  // least 1 are compared with those whose index in `dim` is 0.
  StridedBytes rest = array;
  for (size_t dim = 0; dim < array.sizes.size(); ++dim) {
    StridedBytes others = rest;
    rest.sizes[dim] = 1;
    if (array.sizes[dim] == 1)
      continue;
    --others.sizes[dim];
    others.address += array.strides[dim] * array.size;
    if (haveCommonBytes(others, rest))
      return true;
  }
  return false;
}
