//===- Npy.cpp - NumPy array files ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/Npy.h"
#include "attn/Support/WholeFile.h"

#include "attn/Support/Buffer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::attn;

static_assert(sys::IsLittleEndianHost, "elements are copied as they are");

static constexpr StringLiteral magic = "\x93NUMPY";

static std::string quote(StringRef text) {
  std::string quoted;
  raw_string_ostream os(quoted);
  os << "'";
  printEscapedString(text.take_front(100), os);
  os << "'";
  return quoted;
}

Expected<NpyHeader> mlir::attn::parseNpyHeader(StringRef contents) {
  if (!contents.starts_with(magic))
    return createStringError("expected the magic string '\\93NUMPY' of a .npy "
                             "file, found " +
                             quote(contents.take_front(magic.size())));
  StringRef rest = contents.drop_front(magic.size());
  if (rest.size() < 4)
    return createStringError("expected a version and the length of the header "
                             "after the magic string, found the end of the "
                             "file");
  unsigned major = static_cast<uint8_t>(rest[0]);
  unsigned minor = static_cast<uint8_t>(rest[1]);
  if (major != 1 || minor != 0)
    return createStringError("expected version 1.0, found " + Twine(major) +
                             "." + Twine(minor));
  size_t length = support::endian::read16le(rest.data() + 2);
  rest = rest.drop_front(4);
  if (rest.size() < length)
    return createStringError("expected a header of " + Twine(length) +
                             " bytes, found " + Twine(rest.size()) +
                             " bytes before the end of the file");

  NpyHeader header;
  header.dataOffset = contents.size() - rest.size() + length;
  // The header is a Python dictionary in the form in which NumPy prints it.
  StringRef dict = rest.take_front(length);
  static constexpr StringLiteral kForm =
      "^\\{'descr': '([^']*)', 'fortran_order': (True|False), "
      "'shape': \\(([0-9, ]*)\\), \\} *\n$";
  SmallVector<StringRef, 4> parts;
  if (dict.contains('\0') || !Regex(kForm).match(dict, &parts))
    return createStringError(
        "expected a header such as {'descr': '<f4', 'fortran_order': False, "
        "'shape': (2, 3), } and a line break, found " +
        quote(dict));
  header.descriptor = parts[1].str();
  header.fortranOrder = parts[2] == "True";
  SmallVector<StringRef> sizes;
  parts[3].split(sizes, ',');
  // In Python, a tuple with one size ends in a comma, and a tuple without sizes
  // is empty.
  if (sizes.back().empty() && sizes.size() <= 2)
    sizes.pop_back();
  for (StringRef size : sizes)
    if (size.trim(' ').getAsInteger(10, header.shape.emplace_back()))
      return createStringError("expected sizes that fit in 63 bits, found " +
                               quote(parts[3]));
  return std::move(header);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns how files may spell an element type; the first spelling is the one
/// that is written.
static ArrayRef<StringLiteral> getDescriptors(DType dtype) {
  // NumPy lacks bf16 and 8-bit floats, so their bits are stored as voids or
  // unsigned integers.
  static constexpr StringLiteral kBf16[] = {"|V2", "<V2", "<u2"};
  static constexpr StringLiteral kFloat8[] = {"|u1", "|V1"};
  static constexpr std::pair<DType, StringLiteral> kOthers[] = {
      {DType::F16, "<f2"}, {DType::F32, "<f4"}, {DType::I1, "|b1"},
      {DType::I8, "|i1"},  {DType::I16, "<i2"}, {DType::I32, "<i4"},
      {DType::I64, "<i8"}};
  static constexpr StringLiteral kInt4[] = {"|u1", "|i1"};
  if (dtype == DType::BF16)
    return kBf16;
  if (dtype == DType::I4)
    return kInt4;
  if (dtype == DType::F8E4M3FN || dtype == DType::F8E5M2)
    return kFloat8;
  return find_if(kOthers, [&](auto &one) { return one.first == dtype; })
      ->second;
}

static Error checkDescriptor(StringRef found, DType expected) {
  ArrayRef<StringLiteral> accepted = getDescriptors(expected);
  if (is_contained(accepted, found))
    return Error::success();
  bool isBigEndian = found.starts_with(">");
  return createStringError(
      Twine("expected ") + (isBigEndian ? "little-endian " : "") +
      "elements of " + getName(expected) + " ('" + join(accepted, "' or '") +
      "'), found " + (isBigEndian ? "big-endian " : "") + quote(found));
}

static Expected<NpyArray> readArray(std::unique_ptr<WritableMemoryBuffer> file,
                                    DType expected) {
  Expected<NpyHeader> header =
      parseNpyHeader(StringRef(file->getBufferStart(), file->getBufferSize()));
  if (!header)
    return header.takeError();
  if (Error error = checkDescriptor(header->descriptor, expected))
    return std::move(error);
  // A file of i4 is read as an array of i8, since each byte has two elements.
  // `finish` then returns the array as one of i4 with twice as many columns.
  bool isOfHalves = expected == DType::I4;
  if (isOfHalves)
    expected = DType::I8;
  auto finish = [&](ArrayView array) {
    if (!isOfHalves || array.sizes.empty())
      return array;
    array.dtype = DType::I4;
    array.sizes.back() *= 2;
    array.strides.assign(getContiguousStrides(array.sizes));
    return array;
  };
  if (isOfHalves && header->shape.empty())
    return createStringError("expected an array of i4, two to a byte, found "
                             "one number");
  if (isOfHalves && header->shape.back() > INT64_MAX / 2)
    return createStringError(
        "expected sizes that fit in 63 bits, found twice " +
        Twine(header->shape.back()) + " elements of i4");
  Expected<int64_t> count = getCheckedNumElements(expected, header->shape);
  if (!count)
    return count.takeError();
  uint64_t expectedBytes = *count * getByteSize(expected);
  uint64_t foundBytes = file->getBufferSize() - header->dataOffset;
  if (foundBytes != expectedBytes)
    return createStringError(
        "expected " + Twine(expectedBytes) + " bytes after the header, found " +
        Twine(foundBytes) +
        (foundBytes < expectedBytes ? " (the file is truncated)"
                                    : " (something follows the array)"));

  ArrayView array;
  array.data = file->getBufferStart() + header->dataOffset;
  array.dtype = expected;
  array.sizes.assign(header->shape.begin(), header->shape.end());
  array.strides.assign(getContiguousStrides(array.sizes));
  bool isAligned = isAddrAligned(Align(getByteSize(expected)), array.data);
  if (!header->fortranOrder && isAligned)
    return NpyArray(std::move(file), finish(std::move(array)));

  ArrayView source = array;
  if (header->fortranOrder) {
    auto order = llvm::reverse(seq<int64_t>(0, array.getRank()));
    source.strides.assign(getStridesFor(to_vector(order), array.sizes));
  }
  std::unique_ptr<WritableMemoryBuffer> copy =
      WritableMemoryBuffer::getNewUninitMemBuffer(expectedBytes, "", Align(64));
  if (!copy)
    return createStringError("cannot allocate " + Twine(expectedBytes) +
                             " bytes for the array");
  array.data = copy->getBufferStart();
  if (Error error = copyElements(source, array))
    return std::move(error);
  return NpyArray(std::move(copy), finish(std::move(array)));
}

Expected<NpyArray> mlir::attn::readNpy(StringRef path, DType expected) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status))
    return createStringError("cannot read '" + path + "': " + code.message());
  if (sys::fs::is_directory(status))
    return createStringError("cannot read '" + path +
                             "': expected a file, found a directory");
  // Devices are rejected as .npy files: reading one such as /dev/zero might
  // never end.
  if (!sys::fs::is_regular_file(status) &&
      status.type() != sys::fs::file_type::fifo_file)
    return createStringError("cannot read '" + path +
                             "': expected a regular file or a pipe");
  ErrorOr<std::unique_ptr<WritableMemoryBuffer>> file =
      WritableMemoryBuffer::getFile(path);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + file.getError().message());
  Expected<NpyArray> array = readArray(std::move(*file), expected);
  if (!array)
    return createStringError("cannot read '" + path +
                             "': " + llvm::toString(array.takeError()));
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string makeHeader(const ArrayView &array) {
  std::string dict;
  raw_string_ostream os(dict);
  os << "{'descr': '" << getDescriptors(array.dtype).front()
     << "', 'fortran_order': False, 'shape': (";
  interleaveComma(array.sizes, os);
  os << (array.sizes.size() == 1 ? ",), }" : "), }");

  // The header is padded so that elements begin at a multiple of 64 bytes, as
  // programs that map the file expect.
  size_t prefix = magic.size() + 4;
  size_t length = alignTo(prefix + dict.size() + 1, 64) - prefix;
  dict.resize(length - 1, ' ');
  std::string header = magic.str();
  header +=
      {1, 0, static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + dict + "\n";
}

static void writeElements(raw_ostream &os, const ArrayView &array) {
  int64_t bytes = getByteSize(array.dtype);
  int64_t count = array.getNumElements();
  if (count == 0)
    return;
  RowWalk row(array);
  int64_t size = row.getRowSize(), stride = row.getRowStride();
  for (int64_t rows = count / size; rows > 0; --rows, row.advance()) {
    const char *data =
        static_cast<const char *>(array.data) + row.getOffset() * bytes;
    if (stride == 1)
      os.write(data, size * bytes);
    else
      for (int64_t i = 0; i < size; ++i)
        os.write(data + i * stride * bytes, bytes);
  }
}

Error mlir::attn::writeNpy(StringRef path, const ArrayView &array) {
  auto makeError = [&](const Twine &reason) {
    return createStringError("cannot write '" + path + "': " + reason);
  };
  if (array.sizes.size() != array.strides.size())
    return makeError("expected as many strides as sizes");
  if (array.dtype == DType::I4)
    return writeNpy(path, array.getBytes());
  Expected<int64_t> count = getCheckedNumElements(array.dtype, array.sizes);
  if (!count)
    return makeError(llvm::toString(count.takeError()));
  std::string header = makeHeader(array);
  if (header.size() > UINT16_MAX)
    return makeError("expected a shape that fits in a header of version 1.0, "
                     "found " +
                     Twine(array.getRank()) + " dimensions");

  return writeWholeFile(path, [&](raw_ostream &os) {
    os << header;
    writeElements(os, array);
  });
}
