//===- Buffer.cpp - Guarded memory of arrays ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/Buffer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace mlir::attn;

/// The byte that fills margins and gaps. All ones is a NaN in each float type,
/// and one that arithmetic does not produce.
static constexpr uint8_t poisonByte = 0xff;
static constexpr int64_t dataAlignment = 64;

static std::string toString(ArrayRef<int64_t> values) {
  std::string text;
  raw_string_ostream os(text);
  os << '[';
  interleaveComma(values, os);
  os << ']';
  return text;
}

SmallVector<int64_t> mlir::attn::getContiguousStrides(ArrayRef<int64_t> sizes) {
  return getStridesFor(to_vector(seq<int64_t>(0, sizes.size())), sizes);
}

SmallVector<int64_t> mlir::attn::getStridesFor(ArrayRef<int64_t> order,
                                               ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  // The product of sizes is unsigned, since the sizes may be unchecked and the
  // product may overflow. Allocating an array of such sizes fails later.
  uint64_t stride = 1;
  for (int64_t dim : reverse(order)) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

Expected<int64_t> mlir::attn::getCheckedNumElements(DType dtype,
                                                    ArrayRef<int64_t> sizes) {
  int64_t byteSize = getByteSize(dtype);
  bool isEmpty = false;
  for (int64_t size : sizes) {
    if (size < 0)
      return createStringError("expected sizes that are not negative, found " +
                               toString(sizes));
    isEmpty |= size == 0;
    if (size != 0 && MulOverflow(byteSize, size, byteSize))
      return createStringError("expected sizes whose product fits in 63 bits "
                               "of bytes, found " +
                               toString(sizes) + " of " + getName(dtype));
  }
  return isEmpty ? 0 : byteSize / getByteSize(dtype);
}

IndexWalk::IndexWalk(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                     int64_t start)
    : sizes(sizes), strides(strides), index(sizes.size(), 0) {
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (sizes[dim] <= 1) {
      this->strides[dim] = 0;
      continue;
    }
    index[dim] = start % sizes[dim];
    start /= sizes[dim];
    offset += index[dim] * strides[dim];
  }
}

std::vector<double> mlir::attn::getElements(const ArrayView &array) {
  std::vector<double> elements(array.getNumElements());
  IndexWalk walk(array.sizes, array.strides);
  for (double &element : elements) {
    element = loadElement(array.data, array.dtype, walk.getOffset());
    walk.advance();
  }
  return elements;
}

void mlir::attn::setElements(const ArrayView &array,
                             ArrayRef<double> elements) {
  IndexWalk walk(array.sizes, array.strides);
  for (double element : elements) {
    storeElement(array.data, array.dtype, walk.getOffset(), element);
    walk.advance();
  }
}

RowWalk::RowWalk(const ArrayView &array, int64_t firstRow)
    : IndexWalk(ArrayRef(array.sizes).drop_back(!array.sizes.empty()),
                ArrayRef(array.strides).drop_back(!array.sizes.empty()),
                firstRow),
      rowSize(array.sizes.empty() ? 1 : array.sizes.back()),
      rowStride(rowSize == 1 ? 1 : array.strides.back()) {}

/// Copies the elements of one row. Since the element size is a constant, the
/// compiler turns each memcpy into a move.
template <size_t bytes>
static void copyRow(const char *source, int64_t sourceStride, char *target,
                    int64_t targetStride, int64_t size) {
  if (sourceStride == 1 && targetStride == 1) {
    std::memcpy(target, source, size * bytes);
    return;
  }
  for (int64_t i = 0; i < size; ++i)
    std::memcpy(target + i * targetStride * int64_t(bytes),
                source + i * sourceStride * int64_t(bytes), bytes);
}

Error mlir::attn::copyElements(const ArrayView &source,
                               const ArrayView &target) {
  if (source.dtype != target.dtype || source.sizes != target.sizes)
    return createStringError("expected an array of " + getName(target.dtype) +
                             " of sizes " + toString(target.sizes) +
                             ", found " + getName(source.dtype) + " of sizes " +
                             toString(source.sizes));
  Expected<int64_t> count = getCheckedNumElements(source.dtype, source.sizes);
  if (!count)
    return count.takeError();
  if (*count == 0)
    return Error::success();
  if (source.dtype == DType::I4)
    return copyElements(source.getBytes(), target.getBytes());

  int64_t bytes = getByteSize(source.dtype);
  RowWalk from(source), to(target);
  int64_t size = from.getRowSize();
  int64_t sourceStride = from.getRowStride(), targetStride = to.getRowStride();
  for (int64_t rows = *count / size; rows > 0; --rows) {
    const char *sourceRow =
        static_cast<const char *>(source.data) + from.getOffset() * bytes;
    char *targetRow = static_cast<char *>(target.data) + to.getOffset() * bytes;
    if (bytes == 1)
      copyRow<1>(sourceRow, sourceStride, targetRow, targetStride, size);
    else if (bytes == 2)
      copyRow<2>(sourceRow, sourceStride, targetRow, targetStride, size);
    else if (bytes == 4)
      copyRow<4>(sourceRow, sourceStride, targetRow, targetStride, size);
    else
      copyRow<8>(sourceRow, sourceStride, targetRow, targetStride, size);
    from.advance();
    to.advance();
  }
  return Error::success();
}

Expected<Buffer> Buffer::allocate(DType dtype, ArrayRef<int64_t> sizes,
                                  ArrayRef<int64_t> strides) {
  auto describe = [&] {
    return "sizes " + toString(sizes) + " and strides " + toString(strides);
  };
  if (sizes.size() != strides.size())
    return createStringError("expected as many strides as sizes, found " +
                             describe());
  Expected<int64_t> count = getCheckedNumElements(dtype, sizes);
  if (!count)
    return count.takeError();
  if (any_of(strides, [](int64_t stride) { return stride < 0; }))
    return createStringError("expected strides that are not negative, found " +
                             describe());

  int64_t extent = *count == 0 ? 0 : 1;
  bool overflows = false;
  if (*count != 0)
    for (auto [size, stride] : zip(sizes, strides)) {
      int64_t span;
      if (size > 1)
        overflows |= MulOverflow<int64_t>(size - 1, stride, span) != 0 ||
                     AddOverflow(extent, span, extent) != 0;
    }
  int64_t elements, byteSize;
  overflows |= AddOverflow(extent, 2 * marginElements, elements) != 0 ||
               MulOverflow(elements, getByteSize(dtype), byteSize) != 0 ||
               AddOverflow(byteSize, dataAlignment - 1, byteSize) != 0;
  if (overflows)
    return createStringError("expected an extent that fits in 63 bits of "
                             "bytes, found " +
                             describe() + " of " + getName(dtype));
  byteSize -= byteSize % dataAlignment;

  // Fails if the array needs more memory than the machine has: Linux may grant
  // it nevertheless, and kill the process when it touches the memory.
  int64_t pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  bool exceeds = pages > 0 && pageSize > 0 && byteSize / pageSize >= pages;
  Buffer buffer;
  if (!exceeds) {
    buffer.memory.reset(std::aligned_alloc(dataAlignment, byteSize));
    buffer.occupied.reset(static_cast<uint64_t *>(
        std::calloc(divideCeil(extent, 64) + 1, sizeof(uint64_t))));
  }
  if (!buffer.memory || !buffer.occupied)
    return createStringError("cannot allocate " + Twine(byteSize) +
                             " bytes for an array of " + describe());

  buffer.byteSize = byteSize;
  buffer.extent = extent;
  buffer.array.data = static_cast<char *>(buffer.memory.get()) +
                      getNumBytes(dtype, marginElements);
  buffer.array.dtype = dtype;
  buffer.array.sizes.assign(sizes.begin(), sizes.end());
  buffer.array.strides.assign(strides.begin(), strides.end());
  // Two elements must not have the same address. They certainly do if the array
  // has more elements than its extent has offsets. Comparing these numbers
  // first also limits the time that markElements() takes.
  if (*count > extent || !buffer.markElements())
    return createStringError("expected strides that keep elements apart, "
                             "found " +
                             describe());
  buffer.poison();
  return buffer;
}

/// Sets `count` bits from bit `begin` on. Returns false if one of them was
/// already set.
static bool setBits(uint64_t *words, int64_t begin, int64_t count) {
  while (count > 0) {
    int64_t shift = begin % 64;
    int64_t taken = std::min(count, 64 - shift);
    uint64_t mask = maskTrailingOnes<uint64_t>(taken) << shift;
    if (words[begin / 64] & mask)
      return false;
    words[begin / 64] |= mask;
    begin += taken;
    count -= taken;
  }
  return true;
}

bool Buffer::markElements() {
  int64_t tail = alignTo(extent, 64) - extent;
  setBits(occupied.get(), extent, tail);
  if (array.getNumElements() == 0)
    return true;

  // Dimensions are sorted by stride, since the set of offsets does not depend
  // on their order. Contiguous innermost dimensions are then merged into long
  // runs.
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : zip(array.sizes, array.strides))
    if (size > 1)
      dims.push_back({stride, size});
  llvm::sort(dims, std::greater<>());
  int64_t run = 1;
  while (!dims.empty() && dims.back().first == run)
    run *= dims.pop_back_val().second;

  SmallVector<int64_t> sizes, strides;
  int64_t runs = 1;
  for (auto [stride, size] : dims) {
    sizes.push_back(size);
    strides.push_back(stride);
    runs *= size;
  }
  for (IndexWalk walk(sizes, strides); runs > 0; --runs, walk.advance())
    if (!setBits(occupied.get(), walk.getOffset(), run))
      return false;
  return true;
}

void Buffer::poison() { std::memset(memory.get(), poisonByte, byteSize); }

Error Buffer::checkMargins() const {
  int64_t elementSize = getByteSize(array.dtype);
  bool isOfHalves = array.dtype == DType::I4;
  const char *data = static_cast<const char *>(array.data);
  uint64_t poison =
      maskTrailingOnes<uint64_t>(isOfHalves ? 4 : 8 * elementSize);
  auto read = [&](int64_t position) {
    uint64_t bits = 0;
    int64_t odd = isOfHalves ? position & 1 : 0;
    std::memcpy(&bits, data + getNumBytes(array.dtype, position - odd),
                elementSize);
    return bits >> odd * 4 & poison;
  };
  auto makeError = [&](int64_t position, StringRef place) {
    return createStringError("expected the " + place +
                             " of an array of sizes " + toString(array.sizes) +
                             " and strides " + toString(array.strides) +
                             " to be untouched, found element " +
                             Twine(position) + " from its start set to 0x" +
                             utohexstr(read(position), /*LowerCase=*/true));
  };

  for (int64_t position = -marginElements; position < 0; ++position)
    if (read(position) != poison)
      return makeError(position, "margin before the start");
  // Where 64 adjacent offsets have no element, they are compared with the fill
  // byte in one step, since a large array may consist mostly of gaps.
  char untouched[64 * sizeof(int64_t)];
  std::memset(untouched, poisonByte, sizeof(untouched));
  for (int64_t word = 0, end = divideCeil(extent, 64); word < end; ++word) {
    if (occupied[word] == 0 &&
        std::memcmp(data + getNumBytes(array.dtype, word * 64), untouched,
                    getNumBytes(array.dtype, 64)) == 0)
      continue;
    for (uint64_t gaps = ~occupied[word]; gaps != 0; gaps &= gaps - 1) {
      int64_t position = word * 64 + countr_zero(gaps);
      if (read(position) != poison)
        return makeError(position, "gaps");
    }
  }
  int64_t elements = byteSize / elementSize * (isOfHalves ? 2 : 1);
  for (int64_t position = extent, end = elements - marginElements;
       position < end; ++position)
    if (read(position) != poison)
      return makeError(position, "margin after the end");
  return Error::success();
}
