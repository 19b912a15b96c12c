//===- NpyTest.cpp - NumPy array files ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/Npy.h"

#include "ExpectContains.h"

#include "attn/Support/Buffer.h"
#include "attn/Support/Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <unistd.h>

using namespace mlir::attn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::errorToBool;
using llvm::Expected;
using llvm::MemoryBuffer;
using llvm::raw_fd_ostream;
using llvm::SmallString;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::toString;

namespace {
/// A fixture that gives each test a temporary directory.
class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("attn-npy", directory));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string getPath(StringRef name) {
    SmallString<128> path = directory;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  std::string write(StringRef contents) {
    std::string path = getPath("array.npy");
    std::error_code code;
    raw_fd_ostream os(path, code);
    EXPECT_FALSE(code);
    os << contents;
    return path;
  }

  static std::string read(StringRef path) {
    auto file = MemoryBuffer::getFile(path);
    EXPECT_TRUE(bool(file));
    return file ? (*file)->getBuffer().str() : "";
  }

  size_t countFiles() {
    std::error_code code;
    size_t count = 0;
    for (llvm::sys::fs::directory_iterator it(directory, code), end;
         it != end && !code; it.increment(code))
      ++count;
    return count;
  }

  /// Returns the error of reading a file with these contents, or "" if reading
  /// succeeds.
  std::string getReadError(StringRef contents, DType dtype = DType::F32) {
    return getError(readNpy(write(contents), dtype));
  }

  template <class T> static std::string getError(Expected<T> value) {
    return value ? "" : toString(value.takeError());
  }

  SmallString<128> directory;
};
} // namespace

/// Returns the bytes of a .npy file of version 1.0 with this dictionary and
/// data.
static std::string makeFile(StringRef dict, StringRef data = "") {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dict.size() & 0xff);
  file += static_cast<char>(dict.size() >> 8);
  return file + dict.str() + data.str();
}

/// Returns the dictionary of a .npy file as NumPy writes it.
static std::string makeDict(StringRef shape, StringRef descriptor = "<f4",
                            StringRef order = "False") {
  return ("{'descr': '" + descriptor + "', 'fortran_order': " + order +
          ", 'shape': " + shape + ", }\n")
      .str();
}

static std::string makeFloats(ArrayRef<float> values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(float));
}

TEST_F(NpyTest, roundTripOfEachTypeAndOrder) {
  SmallVector<int64_t> sizes = {2, 3, 5, 4};
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    SmallVector<int64_t> order = {0, 1, 2, 3};
    std::string first;
    do {
      for (int64_t gap : {1, 3}) {
        SmallVector<int64_t> strides = getStridesFor(order, sizes);
        for (int64_t &stride : strides)
          stride *= gap;
        Expected<Buffer> buffer = Buffer::allocate(dtype, sizes, strides);
        ASSERT_TRUE(bool(buffer)) << toString(buffer.takeError());
        fillRandom(buffer->view(), /*seed=*/3, /*scale=*/1.0);
        std::string path = getPath("array.npy");
        ASSERT_FALSE(errorToBool(writeNpy(path, buffer->view())));

        // The file's contents depend only on the logical array, not on its
        // layout in memory.
        std::string contents = read(path);
        EXPECT_EQ(contents.size(), 128 + 120u * getByteSize(dtype));
        if (first.empty())
          first = contents;
        EXPECT_EQ(contents, first);

        Expected<NpyArray> array = readNpy(path, dtype);
        ASSERT_TRUE(bool(array)) << toString(array.takeError());
        EXPECT_EQ(array->view().dtype, dtype);
        EXPECT_EQ(ArrayRef(array->view().sizes), ArrayRef(sizes));
        EXPECT_EQ(ArrayRef(array->view().strides),
                  ArrayRef(getContiguousStrides(sizes)));
        for (int64_t i = 0; i < 2; ++i)
          for (int64_t j = 0; j < 3; ++j)
            for (int64_t k = 0; k < 5; ++k)
              for (int64_t l = 0; l < 4; ++l)
                ASSERT_EQ(array->view().load({i, j, k, l}),
                          buffer->view().load({i, j, k, l}));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST_F(NpyTest, writtenHeader) {
  Expected<Buffer> buffer = Buffer::allocate(DType::BF16, {3}, {1});
  ASSERT_TRUE(bool(buffer));
  std::string path = getPath("array.npy");
  ASSERT_FALSE(errorToBool(writeNpy(path, buffer->view())));
  std::string dict =
      "{'descr': '|V2', 'fortran_order': False, 'shape': (3,), }";
  dict.resize(117, ' ');
  EXPECT_EQ(read(path), makeFile(dict + "\n", std::string(6, '\xff')));
}

TEST_F(NpyTest, roundTripOfSpecialShapes) {
  SmallVector<SmallVector<int64_t>> shapes = {
      {}, {1}, {0}, {7}, {3, 0, 2}, {1, 1, 1, 1}, {1, 5, 1, 2, 1}};
  for (const SmallVector<int64_t> &sizes : shapes) {
    Expected<Buffer> buffer =
        Buffer::allocate(DType::F32, sizes, getContiguousStrides(sizes));
    ASSERT_TRUE(bool(buffer)) << toString(buffer.takeError());
    fillRandom(buffer->view(), /*seed=*/0, /*scale=*/1.0);
    std::string path = getPath("array.npy");
    ASSERT_FALSE(errorToBool(writeNpy(path, buffer->view())));
    Expected<NpyArray> array = readNpy(path, DType::F32);
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(ArrayRef(array->view().sizes), ArrayRef(sizes));
    for (int64_t i = 0, end = array->view().getNumElements(); i < end; ++i)
      EXPECT_EQ(loadElement(array->view().data, DType::F32, i),
                loadElement(buffer->view().data, DType::F32, i));
  }
}

TEST_F(NpyTest, largeArrayRoundTrip) {
  // The array is larger than a page of memory, so that readNpy() maps the file.
  Expected<Buffer> buffer = Buffer::allocate(DType::F16, {300, 700}, {700, 1});
  ASSERT_TRUE(bool(buffer));
  fillRandom(buffer->view(), /*seed=*/1, /*scale=*/1.0);
  std::string path = getPath("array.npy");
  ASSERT_FALSE(errorToBool(writeNpy(path, buffer->view())));
  std::string before = read(path);
  Expected<NpyArray> array = readNpy(path, DType::F16);
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(std::memcmp(array->view().data, buffer->view().data, 420000), 0);

  // Writing to the view does not change the file, and replacing the file does
  // not change the view.
  array->view().store({0, 0}, 8.0);
  EXPECT_EQ(read(path), before);
  buffer->view().store({299, 699}, 9.0);
  ASSERT_FALSE(errorToBool(writeNpy(path, buffer->view())));
  EXPECT_NE(array->view().load({299, 699}), 9.0);
}

TEST_F(NpyTest, versions) {
  std::string file = makeFile(makeDict("(1,)"), makeFloats({7}));
  EXPECT_EQ(getReadError(file), "");
  for (auto [major, minor] : {std::pair(0, 0), {1, 1}, {2, 0}, {255, 255}}) {
    file[6] = major;
    file[7] = minor;
    EXPECT_CONTAINS(getReadError(file), "expected version 1.0, found ");
  }
  EXPECT_CONTAINS(getReadError(file), "found 255.255");
}

TEST_F(NpyTest, fortranOrder) {
  std::string dict = makeDict("(2, 3)", "<f4", "True");
  // The elements begin at an aligned offset in the file, or not, depending on
  // the length of the dictionary.
  for (size_t size : {62, 63}) {
    dict.insert(dict.size() - 1, size - dict.size(), ' ');
    Expected<NpyArray> array = readNpy(
        write(makeFile(dict, makeFloats({1, 2, 3, 4, 5, 6}))), DType::F32);
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(ArrayRef(array->view().strides), ArrayRef<int64_t>({3, 1}));
    SmallVector<double> values;
    for (int64_t i = 0; i < 6; ++i)
      values.push_back(loadElement(array->view().data, DType::F32, i));
    EXPECT_EQ(ArrayRef(values), ArrayRef<double>({1, 3, 5, 2, 4, 6}));
  }
}

TEST_F(NpyTest, elementsAreAligned) {
  std::string dict = makeDict("(2,)");
  for (int i = 0; i < 4; ++i, dict.insert(dict.size() - 1, " ")) {
    Expected<NpyArray> array =
        readNpy(write(makeFile(dict, makeFloats({1, 2}))), DType::F32);
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array->view().data) % 4, 0u);
    EXPECT_EQ(array->view().load({1}), 2.0);
  }
}

TEST_F(NpyTest, elementTypes) {
  auto makeHalf = [](StringRef descriptor) {
    return makeFile(makeDict("(1,)", descriptor), StringRef("\x80\x3f", 2));
  };
  for (StringRef descriptor : {"|V2", "<V2", "<u2"}) {
    Expected<NpyArray> array =
        readNpy(write(makeHalf(descriptor)), DType::BF16);
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(array->view().load({0}), 1.0);
    EXPECT_CONTAINS(getReadError(makeHalf(descriptor), DType::F16),
                    "expected elements of f16 ('<f2'), found '" +
                        descriptor.str() + "'");
  }
  auto makeBytes = [](StringRef descriptor) {
    return makeFile(makeDict("(2,)", descriptor), StringRef("\x38\xc0", 2));
  };
  for (StringRef descriptor : {"|u1", "|V1"}) {
    Expected<NpyArray> array =
        readNpy(write(makeBytes(descriptor)), DType::F8E4M3FN);
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(array->view().load({0}), 1.0);
    EXPECT_EQ(array->view().load({1}), -2.0);
  }
  EXPECT_CONTAINS(getReadError(makeBytes("|i1"), DType::F8E5M2),
                  "expected elements of f8E5M2 ('|u1' or '|V1'), found '|i1'");
  for (StringRef descriptor : {"|u1", "|i1"}) {
    Expected<NpyArray> halves =
        readNpy(write(makeBytes(descriptor)), DType::I4);
    ASSERT_TRUE(bool(halves)) << toString(halves.takeError());
    EXPECT_EQ(halves->view().sizes.front(), 4);
    EXPECT_EQ(halves->view().load({0}), -8);
    EXPECT_EQ(halves->view().load({1}), 3);
    EXPECT_EQ(halves->view().load({3}), -4);
  }
  EXPECT_CONTAINS(getReadError(makeBytes("|V1"), DType::I4),
                  "expected elements of i4 ('|u1' or '|i1'), found '|V1'");
  EXPECT_CONTAINS(
      getReadError(makeFile(makeDict("(0, 9223372036854775807)", "|u1"), ""),
                   DType::I4),
      "expected sizes that fit in 63 bits, found twice 9223372036854775807");
  EXPECT_EQ(getReadError(makeHalf("<f2"), DType::F16), "");
  EXPECT_CONTAINS(
      getReadError(makeHalf("<f2"), DType::BF16),
      "expected elements of bf16 ('|V2' or '<V2' or '<u2'), found '<f2'");
  for (StringRef descriptor :
       {"<f8", "<f2", "f4", "=f4", "|V4", "<i4", "|O", "", "<f4 ", "float32"})
    EXPECT_CONTAINS(getReadError(makeHalf(descriptor)),
                    "expected elements of f32 ('<f4'), found '" +
                        descriptor.str() + "'");
  EXPECT_CONTAINS(getReadError(makeHalf(">f4")),
                  "expected little-endian elements of f32 ('<f4'), found "
                  "big-endian '>f4'");
}

TEST_F(NpyTest, malformedDictionaries) {
  std::string data(24, 0);
  ASSERT_EQ(getReadError(makeFile(makeDict("(2, 3)"), data)), "");
  for (StringRef dict :
       {StringRef(""), StringRef("garbage"), StringRef("{}\n"),
        StringRef("{'descr': '<f4', 'shape': (6,), }\n"),
        StringRef("{'descr': 4, 'fortran_order': False, 'shape': (6,), }\n"),
        StringRef("{'descr': '<f4', 'fortran_order': 0, 'shape': (6,), }\n"),
        StringRef("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }")})
    EXPECT_CONTAINS(getReadError(makeFile(dict, data)),
                    "expected a header such as {'descr': '<f4', "
                    "'fortran_order': False, 'shape': (2, 3), } and a line "
                    "break, found '" +
                        (dict.ends_with("\n") ? dict.drop_back().str() + "\\0A"
                                              : dict.str()) +
                        "'");
  for (StringRef shape :
       {"6", "[6]", "(-2, 3)", "(+2, 3)", "(2.0, 3)", "(2L, 3L)", "('2', 3)",
        "(2, 3), } x", "(2, 3", "(2, 3), } {"})
    EXPECT_CONTAINS(getReadError(makeFile(makeDict(shape), data)),
                    "expected a header such as");
  EXPECT_CONTAINS(
      getReadError(makeFile(makeDict("(2, 3)") + std::string(1, 0), data)),
      "expected a header such as");
  for (StringRef shape : {"(,)", "(2,,3)", "(2 3)", "(9223372036854775808,)",
                          "(99999999999999999999999999,)"})
    EXPECT_CONTAINS(getReadError(makeFile(makeDict(shape), data)),
                    "expected sizes that fit in 63 bits, found '");
  for (StringRef shape : {"(9223372036854775807,)", "(4294967296, 4294967296)",
                          "(0, 4294967296, 4294967296)"})
    EXPECT_CONTAINS(getReadError(makeFile(makeDict(shape), data)),
                    "whose product fits in 63 bits");
}

TEST_F(NpyTest, truncatedAnywhere) {
  std::string file = makeFile(makeDict("(2,)"), makeFloats({1, 2}));
  for (size_t size = 0; size < file.size(); ++size) {
    std::string error = getReadError(StringRef(file).take_front(size));
    EXPECT_CONTAINS(error, "cannot read '");
    EXPECT_CONTAINS(error, "found");
  }
  EXPECT_EQ(getReadError(file), "");

  EXPECT_CONTAINS(getReadError(""), "expected the magic");
  EXPECT_CONTAINS(getReadError("PK\3\4 an archive"), "expected the magic");
  EXPECT_CONTAINS(getReadError(StringRef(file).take_front(6)),
                  "expected a version");
  EXPECT_CONTAINS(getReadError(StringRef(file).take_front(9)),
                  "expected a version and the length of the header");
  EXPECT_CONTAINS(getReadError(StringRef(file).take_front(20)),
                  "expected a header of 58 bytes, found 10 bytes");
  EXPECT_CONTAINS(
      getReadError(StringRef(file).drop_back()),
      "expected 8 bytes after the header, found 7 (the file is truncated)");
  EXPECT_CONTAINS(getReadError(file + "x"),
                  "expected 8 bytes after the header, found 9 (something "
                  "follows the array)");
}

TEST_F(NpyTest, lengthOfHeaderIsNotTrusted) {
  std::string file("\x93NUMPY\x01\x00\xff\xff{}", 12);
  EXPECT_CONTAINS(getReadError(file),
                  "expected a header of 65535 bytes, found 2 bytes");
}

TEST_F(NpyTest, absurdSizeIsNotAllocated) {
  EXPECT_CONTAINS(
      getReadError(makeFile(makeDict("(1000000000000, 1000)", "<f4", "True"))),
      "expected 4000000000000000 bytes after the header, found 0");
}

TEST_F(NpyTest, filesThatCannotBeRead) {
  EXPECT_CONTAINS(getError(readNpy(getPath("none.npy"), DType::F32)),
                  "none.npy': No such file");
  EXPECT_CONTAINS(getError(readNpy("", DType::F32)), "No such file");
  EXPECT_CONTAINS(getError(readNpy(directory, DType::F32)),
                  "expected a file, found a directory");
  EXPECT_CONTAINS(getError(readNpy("/dev/zero", DType::F32)),
                  "expected a regular file or a pipe");
}

TEST_F(NpyTest, fileWithoutPermission) {
  if (geteuid() == 0)
    GTEST_SKIP() << "no file is unreadable to root";
  std::string path = write("x");
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::no_perms));
  EXPECT_CONTAINS(getError(readNpy(path, DType::F32)), "Permission denied");
}

TEST_F(NpyTest, filesThatCannotBeWritten) {
  Expected<Buffer> buffer = Buffer::allocate(DType::F32, {2}, {1});
  ASSERT_TRUE(bool(buffer));
  auto getWriteError = [&](StringRef path) {
    Error error = writeNpy(path, buffer->view());
    return error ? toString(std::move(error)) : std::string();
  };
  EXPECT_CONTAINS(getWriteError(getPath("none/array.npy")), "No such file");
  EXPECT_CONTAINS(getWriteError(""), "cannot write ''");
  EXPECT_CONTAINS(getWriteError(directory),
                  "expected a file, found a directory");
  std::string file = write("x");
  EXPECT_CONTAINS(getWriteError(file + "/array.npy"), "Not a directory");
  EXPECT_EQ(countFiles(), 1u);
  if (llvm::sys::fs::exists("/dev/full"))
    EXPECT_CONTAINS(getWriteError("/dev/full"), "No space left");
  EXPECT_EQ(getWriteError("/dev/null"), "");
  EXPECT_FALSE(llvm::sys::fs::is_regular_file("/dev/null"));
}

TEST_F(NpyTest, nothingIsLeftBeside) {
  Expected<Buffer> buffer = Buffer::allocate(DType::F32, {2}, {1});
  ASSERT_TRUE(bool(buffer));
  // A '%' in a path is an ordinary character, and writing through a symbolic
  // link keeps the link.
  std::string path = getPath("100%25.npy"), link = getPath("link.npy");
  ASSERT_FALSE(errorToBool(writeNpy(path, buffer->view())));
  EXPECT_EQ(countFiles(), 1u);
  ASSERT_FALSE(llvm::sys::fs::create_link(path, link));
  buffer->view().store({0}, 3.0);
  ASSERT_FALSE(errorToBool(writeNpy(link, buffer->view())));
  EXPECT_EQ(countFiles(), 2u);
  bool isLink = false;
  EXPECT_FALSE(llvm::sys::fs::is_symlink_file(link, isLink));
  EXPECT_TRUE(isLink);
  Expected<NpyArray> array = readNpy(path, DType::F32);
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(array->view().load({0}), 3.0);
}
