//===- BufferTest.cpp - Guarded memory of arrays --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/Buffer.h"

#include "ExpectContains.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace mlir::attn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::errorToBool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::toString;

static constexpr int64_t maxSize = std::numeric_limits<int64_t>::max();
static constexpr int64_t minSize = std::numeric_limits<int64_t>::min();

/// Returns the error of allocating an array with these sizes and strides, or ""
/// if there is none.
static std::string getError(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                            DType dtype = DType::F32) {
  Expected<Buffer> buffer = Buffer::allocate(dtype, sizes, strides);
  if (!buffer)
    return toString(buffer.takeError());
  Error error = buffer->checkMargins();
  return error ? toString(std::move(error)) : "";
}

TEST(StridesTest, contiguous) {
  EXPECT_EQ(ArrayRef(getContiguousStrides({2, 3, 4})),
            ArrayRef<int64_t>({12, 4, 1}));
  EXPECT_EQ(ArrayRef(getContiguousStrides({2, 0, 4})),
            ArrayRef<int64_t>({4, 4, 1}));
  EXPECT_TRUE(getContiguousStrides({}).empty());
}

TEST(StridesTest, order) {
  SmallVector<int64_t> sizes = {2, 3, 5, 7};
  EXPECT_EQ(ArrayRef(getStridesFor({0, 1, 2, 3}, sizes)),
            ArrayRef(getContiguousStrides(sizes)));
  EXPECT_EQ(ArrayRef(getStridesFor({0, 2, 1, 3}, sizes)),
            ArrayRef<int64_t>({105, 7, 21, 1}));
  EXPECT_EQ(ArrayRef(getStridesFor({3, 2, 1, 0}, sizes)),
            ArrayRef<int64_t>({1, 2, 6, 30}));
}

TEST(BufferTest, startsAsNaN) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    Expected<Buffer> buffer = Buffer::allocate(dtype, {2, 3}, {5, 1});
    ASSERT_TRUE(bool(buffer)) << toString(buffer.takeError());
    const ArrayView &view = buffer->view();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(view.data) % 64, 0u);
    EXPECT_EQ(view.dtype, dtype);
    EXPECT_EQ(ArrayRef(view.sizes), ArrayRef<int64_t>({2, 3}));
    EXPECT_EQ(ArrayRef(view.strides), ArrayRef<int64_t>({5, 1}));
    for (int64_t i = -Buffer::marginElements; i < 8 + Buffer::marginElements;
         ++i)
      EXPECT_TRUE(std::isnan(loadElement(view.data, dtype, i)));
  }
}

TEST(BufferTest, poison) {
  Expected<Buffer> buffer = Buffer::allocate(DType::F32, {2, 3}, {5, 1});
  ASSERT_TRUE(bool(buffer));
  storeElement(buffer->view().data, DType::F32, 0, 1.0);
  storeElement(buffer->view().data, DType::F32, 3, 1.0);
  EXPECT_TRUE(errorToBool(buffer->checkMargins()));
  buffer->poison();
  EXPECT_FALSE(errorToBool(buffer->checkMargins()));
  EXPECT_TRUE(std::isnan(buffer->view().load({0, 0})));
}

/// Writes to each position of an array's memory in turn, including gaps and
/// margins. checkMargins() must report the position exactly if no element is
/// there.
static void checkEachPosition(DType dtype, ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> strides) {
  Expected<Buffer> buffer = Buffer::allocate(dtype, sizes, strides);
  ASSERT_TRUE(bool(buffer)) << toString(buffer.takeError());
  const ArrayView &view = buffer->view();
  std::vector<bool> occupied;
  int64_t count = view.getNumElements();
  IndexWalk walk(sizes, strides);
  for (int64_t i = 0; i < count; ++i, walk.advance()) {
    occupied.resize(std::max<size_t>(occupied.size(), walk.getOffset() + 1));
    occupied[walk.getOffset()] = true;
  }
  int64_t extent = occupied.size();
  for (int64_t i = -Buffer::marginElements; i < extent + Buffer::marginElements;
       ++i) {
    bool isElement = i >= 0 && i < extent && occupied[i];
    storeElement(view.data, dtype, i, 1.0);
    Error error = buffer->checkMargins();
    EXPECT_EQ(bool(error), !isElement) << "position " << i;
    if (error) {
      std::string message = toString(std::move(error));
      EXPECT_CONTAINS(message, "found element " + std::to_string(i) + " from");
      EXPECT_CONTAINS(message, i < 0         ? "margin before the start"
                               : i >= extent ? "margin after the end"
                                             : "gaps");
    }
    std::memset(static_cast<char *>(view.data) + i * getByteSize(dtype), 0xff,
                getByteSize(dtype));
  }
}

TEST(BufferTest, eachPositionIsGuarded) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    checkEachPosition(dtype, {3, 5}, {5, 1});
    checkEachPosition(dtype, {3, 5}, {70, 1});
    checkEachPosition(dtype, {3, 5}, {1, 3});
    checkEachPosition(dtype, {3, 5}, {3, 11});
    checkEachPosition(dtype, {64}, {1});
    checkEachPosition(dtype, {63}, {2});
    checkEachPosition(dtype, {2, 3, 2, 5}, {100, 7, 50, 1});
    // The rows of this array are interleaved, but no two elements overlap.
    checkEachPosition(dtype, {2, 3}, {3, 2});
    checkEachPosition(dtype, {}, {});
    checkEachPosition(dtype, {1, 1}, {maxSize, maxSize});
    checkEachPosition(dtype, {4, 0}, {0, 0});
  }
}

TEST(BufferTest, firstOfSeveralIsNamed) {
  Expected<Buffer> buffer = Buffer::allocate(DType::F16, {200, 3}, {4, 1});
  ASSERT_TRUE(bool(buffer));
  storeElement(buffer->view().data, DType::F16, 799, 1.0);
  storeElement(buffer->view().data, DType::F16, 403, 1.0);
  EXPECT_EQ(toString(buffer->checkMargins()),
            "expected the gaps of an array of sizes [200, 3] and strides [4, "
            "1] to be untouched, found element 403 from its start set to "
            "0x3c00");
}

TEST(BufferTest, oneByteIsEnough) {
  Expected<Buffer> buffer = Buffer::allocate(DType::F32, {3}, {2});
  ASSERT_TRUE(bool(buffer));
  char *data = static_cast<char *>(buffer->view().data);
  for (int64_t byte : {-1, -1024, 4, 7, 12, 15, 20, 20 + 1023}) {
    data[byte] = 0x7f;
    EXPECT_TRUE(errorToBool(buffer->checkMargins())) << byte;
    data[byte] = '\xff';
    EXPECT_FALSE(errorToBool(buffer->checkMargins())) << byte;
  }
}

TEST(BufferTest, overlap) {
  StringRef message = "expected strides that keep elements apart, found sizes";
  EXPECT_CONTAINS(getError({2}, {0}), message);
  EXPECT_CONTAINS(getError({2, 3}, {2, 1}), message);
  EXPECT_CONTAINS(getError({2, 3}, {1, 1}), message);
  EXPECT_CONTAINS(getError({3, 2}, {2, 4}), message);
  EXPECT_CONTAINS(getError({3, 4}, {3, 2}), message);
  EXPECT_CONTAINS(getError({2, 2, 2}, {3, 1, 2}), message);
  EXPECT_CONTAINS(getError({100, 64}, {63, 1}), message);
  // The overlap of 10^15 elements must be found without visiting all of them.
  EXPECT_CONTAINS(getError({1000000000000000}, {0}), message);
  EXPECT_EQ(getError({2, 3}, {3, 2}), "");
  EXPECT_EQ(getError({2, 2, 2}, {4, 1, 2}), "");
}

TEST(BufferTest, negative) {
  EXPECT_CONTAINS(getError({2, -3}, {3, 1}),
                  "expected sizes that are not negative, found [2, -3]");
  EXPECT_CONTAINS(getError({0, minSize}, {3, 1}),
                  "sizes that are not negative");
  EXPECT_CONTAINS(getError({2, 3}, {3, -1}),
                  "expected strides that are not negative, found sizes [2, 3] "
                  "and strides [3, -1]");
  EXPECT_CONTAINS(getError({1, 3}, {minSize, 1}), "strides that are not");
}

TEST(BufferTest, rankMismatch) {
  EXPECT_CONTAINS(getError({2, 3}, {1}), "expected as many strides as sizes");
}

TEST(BufferTest, overflow) {
  EXPECT_CONTAINS(getError({maxSize}, {1}),
                  "expected sizes whose product fits in 63 bits of bytes, "
                  "found [9223372036854775807] of f32");
  EXPECT_CONTAINS(getError({1ll << 32, 1ll << 32}, {1ll << 32, 1}),
                  "sizes whose product");
  EXPECT_CONTAINS(getError({0, 1ll << 32, 1ll << 32}, {1, 1, 1}),
                  "sizes whose product");
  EXPECT_CONTAINS(getError({2, 2}, {maxSize, 1}), "expected an extent");
  EXPECT_CONTAINS(getError({3, 2}, {maxSize / 2, 1}), "expected an extent");
  EXPECT_CONTAINS(getError({2}, {maxSize / 4}), "expected an extent");
  EXPECT_CONTAINS(getError({2}, {maxSize - 1}, DType::F16),
                  "expected an extent");
}

TEST(BufferTest, tooLarge) {
  EXPECT_CONTAINS(getError({1ll << 50}, {1}), "cannot allocate ");
  EXPECT_CONTAINS(getError({1ll << 59}, {1}), "cannot allocate ");
  EXPECT_CONTAINS(getError({2}, {1ll << 50}), "cannot allocate ");
}

TEST(BufferTest, strideOfOneOrNoElementIsIgnored) {
  EXPECT_EQ(getError({1, 4, 1}, {maxSize, 1, 0}), "");
  EXPECT_EQ(getError({0, 4}, {0, 0}), "");
  EXPECT_EQ(getError({0, 4}, {maxSize, maxSize}), "");
  Expected<Buffer> buffer =
      Buffer::allocate(DType::F32, {1, 4, 1}, {maxSize, 1, 0});
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ(buffer->view().strides[0], maxSize);
  buffer->view().store({0, 3, 0}, 1.0);
  EXPECT_FALSE(errorToBool(buffer->checkMargins()));
}

TEST(BufferTest, moves) {
  Expected<Buffer> buffer = Buffer::allocate(DType::F32, {2}, {1});
  ASSERT_TRUE(bool(buffer));
  void *data = buffer->view().data;
  Buffer moved = std::move(*buffer);
  EXPECT_EQ(moved.view().data, data);
  EXPECT_FALSE(errorToBool(moved.checkMargins()));
}

TEST(CopyElementsTest, anyLayout) {
  SmallVector<int64_t> sizes = {2, 3, 4};
  for (DType dtype : {DType::BF16, DType::F32, DType::I64}) {
    Expected<Buffer> source =
        Buffer::allocate(dtype, sizes, getContiguousStrides(sizes));
    Expected<Buffer> target =
        Buffer::allocate(dtype, sizes, getStridesFor({2, 0, 1}, sizes));
    Expected<Buffer> back = Buffer::allocate(dtype, sizes, {40, 10, 2});
    ASSERT_TRUE(source && target && back);
    for (int64_t i = 0; i < 24; ++i)
      storeElement(source->view().data, dtype, i, i);
    EXPECT_FALSE(errorToBool(copyElements(source->view(), target->view())));
    EXPECT_EQ(target->view().load({1, 2, 3}), 23.0);
    EXPECT_EQ(target->view().load({1, 0, 2}), 14.0);
    EXPECT_FALSE(errorToBool(copyElements(target->view(), back->view())));
    for (int64_t i = 0; i < 24; ++i)
      EXPECT_EQ(back->view().load({i / 12, i / 4 % 3, i % 4}), i);
    EXPECT_FALSE(errorToBool(target->checkMargins()));
    EXPECT_FALSE(errorToBool(back->checkMargins()));
  }
}

TEST(CopyElementsTest, mismatch) {
  Expected<Buffer> source = Buffer::allocate(DType::F32, {2, 3}, {3, 1});
  Expected<Buffer> target = Buffer::allocate(DType::F16, {2, 3}, {3, 1});
  Expected<Buffer> other = Buffer::allocate(DType::F32, {3, 2}, {2, 1});
  ASSERT_TRUE(source && target && other);
  EXPECT_EQ(toString(copyElements(source->view(), target->view())),
            "expected an array of f16 of sizes [2, 3], found f32 of sizes [2, "
            "3]");
  EXPECT_EQ(toString(copyElements(source->view(), other->view())),
            "expected an array of f32 of sizes [3, 2], found f32 of sizes [2, "
            "3]");
}

TEST(IndexWalkTest, startsAnywhereAndWraps) {
  SmallVector<int64_t> sizes = {2, 1, 3, 2}, strides = {50, maxSize, 7, 1};
  SmallVector<int64_t> offsets = {0, 1, 7, 8, 14, 15, 50, 51, 57, 58, 64, 65};
  for (int64_t start = 0; start < 12; ++start) {
    IndexWalk walk(sizes, strides, start);
    for (int64_t i = 0; i < 24; ++i, walk.advance())
      ASSERT_EQ(walk.getOffset(), offsets[(start + i) % 12]);
  }
}
