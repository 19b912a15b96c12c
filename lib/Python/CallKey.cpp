//===- CallKey.cpp - Keys of calls ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallKey.h"

#include <algorithm>
#include <cstring>

using namespace attn::python;

namespace {
/// The kind of an option or operand. A key has the kind before the 64-bit
/// numbers that encode the option or operand.
enum class Tag : uint64_t {
  None,
  False,
  True,
  Integer,
  Float,
  String,
  Tuple,
  Array,
  Missing
};
} // namespace

bool CallKey::add(uint64_t word) {
  if (numWords == kMaxWords)
    return false;
  words[numWords++] = word;
  return true;
}

bool CallKey::addArray(PyObject *object, bool isWritten) {
  if (numArrays == kMaxArrays)
    return false;
  objects[numArrays] = object;
  attn_buffer &array = arrays[numArrays++];
  array = {};
  if (object == Py_None)
    return add(uint64_t(Tag::None));
  if (!reader.read(object, isWritten, array) ||
      numWords + 3 + 2 * array.rank > kMaxWords)
    return false;
  words[numWords++] = uint64_t(Tag::Array) | uint64_t(reader.getKind()) << 6 |
                      uint64_t(array.dtype) << 8 | uint64_t(array.rank) << 16 |
                      uint64_t(array.device_type) << 32;
  words[numWords++] = array.device_id;
  for (const int64_t *numbers : {array.sizes, array.strides}) {
    std::copy_n(numbers, array.rank, words + numWords);
    numWords += array.rank;
  }
  return true;
}

bool CallKey::addOption(PyObject *option, unsigned depth) {
  if (!option)
    return add(uint64_t(Tag::Missing));
  if (option == Py_None)
    return add(uint64_t(Tag::None));
  if (option == Py_False || option == Py_True)
    return add(uint64_t(option == Py_True ? Tag::True : Tag::False));
  if (PyLong_CheckExact(option)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(option, &overflow);
    return !overflow && add(uint64_t(Tag::Integer)) && add(number);
  }
  if (PyFloat_CheckExact(option)) {
    // The key has the bits of a float, since 0.0 and -0.0 compare equal but are
    // not the same option.
    double number = PyFloat_AsDouble(option);
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return add(uint64_t(Tag::Float)) && add(bits);
  }
  if (PyUnicode_CheckExact(option)) {
    if (numStrings == kMaxStrings)
      return false;
    strings[numStrings++] = option;
    return add(uint64_t(Tag::String)) && add(PyObject_Hash(option));
  }
  if (!PyTuple_CheckExact(option) || depth == 4)
    return false;
  Py_ssize_t count = PyTuple_Size(option);
  if (!add(uint64_t(Tag::Tuple)) || !add(count))
    return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!addOption(PyTuple_GetItem(option, i), depth + 1))
      return false;
  return true;
}

int64_t attn::python::findColumns(const attn_buffer &array,
                                  const attn_buffer &other, bool takesAll) {
  int last = array.rank - 1;
  if (!array.data || !other.data || last < 0 || array.rank != other.rank ||
      array.dtype != other.dtype || array.dtype == ATTN_I4 ||
      array.sizes[last] >= other.sizes[last] + int64_t(takesAll))
    return -1;
  // The stride of a dimension of one element says nothing: NumPy gives a new
  // dimension the stride 0.
  for (int dim = 0; dim < last; ++dim)
    if (!array.sizes[dim] || array.sizes[dim] != other.sizes[dim] ||
        (array.sizes[dim] > 1 && array.strides[dim] != other.strides[dim]))
      return -1;
  if (other.strides[last] != 1 || !array.sizes[last] ||
      (array.sizes[last] > 1 && array.strides[last] != 1))
    return -1;
  int64_t offset = reinterpret_cast<int64_t>(array.data) -
                   reinterpret_cast<int64_t>(other.data);
  int64_t size = getElementSize(other.dtype), first = offset / size;
  return offset >= 0 && offset % size == 0 &&
                 first + array.sizes[last] <= other.sizes[last]
             ? first
             : -1;
}

bool CallKey::read(PyObject *operands, PyObject *options, PyObject *out,
                   int further) {
  if (!PyTuple_CheckExact(operands) || !PyTuple_CheckExact(options))
    return false;
  PyObject *objects[kMaxArrays];
  Py_ssize_t count = PyTuple_Size(operands);
  if (count > kMaxArrays)
    return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    objects[i] = PyTuple_GetItem(operands, i);
  return readOperands(objects, count, further) && addOption(options) &&
         readResults(out);
}

bool CallKey::readOperands(PyObject *const *operands, unsigned count,
                           int further) {
  for (unsigned i = 0; i < count; ++i) {
    PyObject *operand = operands[i] ? operands[i] : Py_None;
    if (PyTuple_CheckExact(operand)) {
      // An operand may be a pair that the user has given: an array of scales,
      // and the number of tokens that share one of them.
      if (PyTuple_Size(operand) != 2 ||
          !addOption(PyTuple_GetItem(operand, 1), /*depth=*/4))
        return false;
      operand = PyTuple_GetItem(operand, 0);
    }
    if (!addArray(operand, /*isWritten=*/false))
      return false;
  }
  numOperands = numArrays;
  bool takesAll =
      further >= 0 && unsigned(further) < count && arrays[further].data;
  return further < 0 || count <= 2 ||
         add(findColumns(arrays[2], arrays[1], takesAll));
}

bool CallKey::readResults(PyObject *out) {
  if (!out || out == Py_None)
    return true;
  if (!PyTuple_CheckExact(out))
    return addArray(out, /*isWritten=*/true);
  Py_ssize_t count = PyTuple_Size(out);
  if (!add(count))
    return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (PyTuple_GetItem(out, i) == Py_None ||
        !addArray(PyTuple_GetItem(out, i), /*isWritten=*/true))
      return false;
  return true;
}

const attn_buffer *CallKey::getFirst() const {
  for (unsigned i = 0; i < numOperands; ++i)
    if (arrays[i].data)
      return &arrays[i];
  return nullptr;
}

bool CallKey::hasSameOperands(const CallKey &other) const {
  return numOperands == other.numOperands &&
         reader.needsGradients() == other.reader.needsGradients() &&
         std::equal(objects, objects + numOperands, other.objects);
}

uint64_t CallKey::hash() const {
  uint64_t hash = numWords;
  for (unsigned i = 0; i < numWords; ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

CallKey::Kept CallKey::keep() const {
  Kept kept;
  kept.words.assign(words, words + numWords);
  for (unsigned i = 0; i < numStrings; ++i)
    kept.strings.push_back(Ref::borrow(strings[i]));
  return kept;
}

bool CallKey::matches(const Kept &kept) const {
  if (kept.words.size() != numWords || kept.strings.size() != numStrings ||
      !std::equal(words, words + numWords, kept.words.begin()))
    return false;
  for (unsigned i = 0; i < numStrings; ++i)
    if (strings[i] != kept.strings[i].get() &&
        PyUnicode_Compare(strings[i], kept.strings[i].get()) != 0)
      return false;
  return true;
}
