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
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::attn;

static_assert(sys::IsLittleEndianHost, "elements are copied as they are");

static constexpr StringLiteral magic = "\x93NUMPY";

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {
/// Parses the Python dictionary in a header.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  Error parse(NpyHeader &header);

private:
  Error parseEntry(NpyHeader &header);
  Error parseString(std::string &value, StringRef what);
  Error parseBool(bool &value);
  Error parseShape(SmallVectorImpl<int64_t> &shape);
  Error parseSize(int64_t &size);

  Error makeError(const Twine &expected) const;

  bool consume(StringRef token) {
    rest = rest.ltrim(" \t\r\n\f");
    return rest.consume_front(token);
  }
  Error expect(StringRef token) {
    return consume(token) ? Error::success() : makeError("'" + token + "'");
  }

  StringRef rest;
  SmallVector<std::string, 3> keys;
};
} // namespace

Error HeaderParser::makeError(const Twine &expected) const {
  StringRef found = rest.ltrim(" \t\r\n\f");
  std::string quoted;
  raw_string_ostream os(quoted);
  if (found.empty())
    os << "its end";
  else
    printEscapedString(found.take_front(20), os << '\'');
  if (!found.empty())
    os << '\'';
  return createStringError("expected " + expected + " in the header, found " +
                           quoted);
}

Error HeaderParser::parseString(std::string &value, StringRef what) {
  StringRef start = rest;
  char quote = consume("'") ? '\'' : consume("\"") ? '"' : 0;
  size_t end = quote ? rest.find(quote) : StringRef::npos;
  // No string of a valid header needs an escape.
  if (end == StringRef::npos || rest.take_front(end).contains('\\')) {
    rest = start;
    return makeError(what + " as a string");
  }
  value = rest.take_front(end).str();
  rest = rest.drop_front(end + 1);
  return Error::success();
}

Error HeaderParser::parseBool(bool &value) {
  if (consume("True"))
    value = true;
  else if (consume("False"))
    value = false;
  else
    return makeError("'fortran_order' as True or False");
  return Error::success();
}

Error HeaderParser::parseSize(int64_t &size) {
  rest = rest.ltrim(" \t\r\n\f");
  StringRef digits = rest.take_while(isDigit);
  // Python has no integers with leading zeros other than 0.
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0'))
    return makeError("a size that is a number and not negative");
  if (digits.getAsInteger(10, size))
    return makeError("a size that fits in 63 bits");
  rest = rest.drop_front(digits.size());
  return Error::success();
}

Error HeaderParser::parseShape(SmallVectorImpl<int64_t> &shape) {
  if (!consume("("))
    return makeError("'shape' as a tuple");
  bool hasComma = true;
  while (!consume(")")) {
    if (!hasComma)
      return makeError("',' or ')'");
    if (Error error = parseSize(shape.emplace_back()))
      return error;
    hasComma = consume(",");
  }
  // Without a comma, Python reads a number in parentheses.
  if (shape.size() == 1 && !hasComma)
    return makeError("',' before the ')' of a tuple of one size");
  return Error::success();
}

Error HeaderParser::parseEntry(NpyHeader &header) {
  std::string key;
  if (Error error = parseString(key, "a key"))
    return error;
  if (is_contained(keys, key))
    return createStringError("expected each key once in the header, found '" +
                             key + "' again");
  keys.push_back(key);
  if (Error error = expect(":"))
    return error;
  if (key == "descr")
    return parseString(header.descriptor, "'descr'");
  if (key == "fortran_order")
    return parseBool(header.fortranOrder);
  if (key == "shape")
    return parseShape(header.shape);
  std::string quoted;
  raw_string_ostream os(quoted);
  printEscapedString(StringRef(key).take_front(20), os);
  return createStringError("expected the keys 'descr', 'fortran_order' and "
                           "'shape' in the header, found '" +
                           quoted + "'");
}

Error HeaderParser::parse(NpyHeader &header) {
  if (Error error = expect("{"))
    return error;
  bool hasComma = true;
  while (!consume("}")) {
    if (!hasComma)
      return makeError("',' or '}'");
    if (Error error = parseEntry(header))
      return error;
    hasComma = consume(",");
  }
  for (StringRef key : {"descr", "fortran_order", "shape"})
    if (!is_contained(keys, key))
      return createStringError("expected the key '" + key +
                               "' in the header, found none");
  if (!rest.trim(" \t\r\n\f").empty())
    return makeError("nothing after '}'");
  return Error::success();
}

Expected<NpyHeader> mlir::attn::parseNpyHeader(StringRef contents) {
  if (contents.empty())
    return createStringError("expected a .npy file, found an empty one");
  if (!contents.starts_with(magic)) {
    std::string quoted;
    raw_string_ostream os(quoted);
    printEscapedString(contents.take_front(magic.size()), os);
    return createStringError("expected the magic string '\\93NUMPY' of a .npy "
                             "file, found '" +
                             quoted + "'");
  }
  StringRef rest = contents.drop_front(magic.size());
  if (rest.size() < 2)
    return createStringError("expected a version after the magic string, "
                             "found the end of the file");
  unsigned major = static_cast<uint8_t>(rest[0]);
  unsigned minor = static_cast<uint8_t>(rest[1]);
  if (major < 1 || major > 3 || minor != 0)
    return createStringError("expected version 1.0, 2.0 or 3.0, found " +
                             Twine(major) + "." + Twine(minor));
  rest = rest.drop_front(2);

  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return createStringError("expected the length of the header after the "
                             "version, found the end of the file");
  uint32_t length = major == 1 ? support::endian::read16le(rest.data())
                               : support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return createStringError("expected a header of " + Twine(length) +
                             " bytes, found " + Twine(rest.size()) +
                             " bytes before the end of the file");

  NpyHeader header;
  header.dataOffset = contents.size() - rest.size() + length;
  if (Error error = HeaderParser(rest.take_front(length)).parse(header))
    return std::move(error);
  return std::move(header);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Spellings of an element type; the first is the one to write.
static ArrayRef<StringLiteral> getDescriptors(DType dtype) {
  static constexpr StringLiteral f16[] = {"<f2"};
  static constexpr StringLiteral bf16[] = {"|V2", "<V2", "<u2"};
  static constexpr StringLiteral f32[] = {"<f4"};
  static constexpr StringLiteral i1[] = {"|b1"};
  static constexpr StringLiteral i8[] = {"|i1"};
  static constexpr StringLiteral i16[] = {"<i2"};
  static constexpr StringLiteral i32[] = {"<i4"};
  static constexpr StringLiteral i64[] = {"<i8"};
  switch (dtype) {
  case DType::F16:
    return f16;
  case DType::BF16:
    return bf16;
  case DType::F32:
    return f32;
  case DType::I1:
    return i1;
  case DType::I8:
    return i8;
  case DType::I16:
    return i16;
  case DType::I32:
    return i32;
  case DType::I64:
    return i64;
  }
  llvm_unreachable("all element types have a descriptor");
}

static Error checkDescriptor(StringRef found, DType expected) {
  ArrayRef<StringLiteral> accepted = getDescriptors(expected);
  if (is_contained(accepted, found))
    return Error::success();
  std::string text;
  raw_string_ostream os(text);
  bool isBigEndian = found.starts_with(">");
  os << "expected " << (isBigEndian ? "little-endian " : "") << "elements of "
     << getName(expected) << " (";
  interleave(
      accepted, os, [&](StringRef one) { os << "'" << one << "'"; }, " or ");
  os << "), found " << (isBigEndian ? "big-endian '" : "'");
  printEscapedString(found.take_front(20), os);
  os << "'";
  return createStringError(text);
}

static Expected<NpyArray> readArray(std::unique_ptr<WritableMemoryBuffer> file,
                                    DType expected) {
  Expected<NpyHeader> header =
      parseNpyHeader(StringRef(file->getBufferStart(), file->getBufferSize()));
  if (!header)
    return header.takeError();
  if (Error error = checkDescriptor(header->descriptor, expected))
    return std::move(error);
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
    return NpyArray(std::move(file), std::move(array));

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
  return NpyArray(std::move(copy), std::move(array));
}

Expected<NpyArray> mlir::attn::readNpy(StringRef path, DType expected) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status))
    return createStringError("cannot read '" + path + "': " + code.message());
  if (sys::fs::is_directory(status))
    return createStringError("cannot read '" + path +
                             "': expected a file, found a directory");
  // A device such as /dev/zero might never end.
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

  // Readers that map the file rely on the alignment of the elements.
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
