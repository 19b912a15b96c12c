//===- CallKey.h - Keys of calls --------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_CALLKEY_H
#define ATTN_LIB_PYTHON_CALLKEY_H

#include "Arrays.h"

#include <vector>

namespace attn::python {

/// Returns the first of the columns of `other` of which the array `array` is a
/// view, or -1 if it is none. The view has fewer columns or, with `takesAll`,
/// possibly all. An array of i4 is no view, since two of its columns share a
/// byte.
int64_t findColumns(const attn_buffer &array, const attn_buffer &other,
                    bool takesAll);

/// The key of a call: all properties of its arguments on which the compiled
/// code depends. These are the dtypes, devices, sizes and strides of arrays,
/// and options, but not contents and addresses.
class CallKey {
public:
  CallKey(ArrayTypes &types, const Library &library)
      : reader(types, library, /*marksGradients=*/true) {}

  /// Reads the arguments of a call. The operands are a tuple of arrays, pairs
  /// of an array and a number, and None. The options are a tuple of None,
  /// numbers, strings, and tuples of these. The arrays for results are None, an
  /// array, or a tuple of arrays. Returns false, perhaps with a Python error,
  /// if no key could distinguish the call from others, or if Python must make
  /// the call.
  ///
  /// The third operand (the values) may be a view of columns of the second one
  /// (the keys of attention). The call's key then says at which of their
  /// columns it begins. The view may have all columns if operand number
  /// `further`, an array with further columns of query or key, is given. If
  /// `further` is -1, such views are not looked for.
  bool read(PyObject *operands, PyObject *options, PyObject *out, int further);

  /// The parts of read(), to be called in this order: readOperands() for
  /// `count` operands, readOption() for each option, and readResults(). Null
  /// stands for an argument that is not given.
  bool readOperands(PyObject *const *operands, unsigned count, int further);
  bool readOption(PyObject *option) { return addOption(option); }
  bool readResults(PyObject *out);

  uint64_t hash() const;

  /// The number of operands that were read, and the buffer of each. An operand
  /// that is None has a null address.
  unsigned getNumOperands() const { return numOperands; }
  const attn_buffer &getOperand(unsigned number) const {
    return arrays[number];
  }
  /// The number of arrays that the caller gave for results, and the buffer of
  /// each.
  unsigned getNumResults() const { return numArrays - numOperands; }
  const attn_buffer &getResult(unsigned number) const {
    return arrays[numOperands + number];
  }
  /// Returns the Python object of array `number`. The operands are counted
  /// first, and then the arrays for results.
  PyObject *getObject(unsigned number) const { return objects[number]; }
  /// Whether another key is of the same operands, which are the same objects,
  /// and none of which requires a gradient for one key only.
  bool hasSameOperands(const CallKey &other) const;
  /// Returns the first operand of the call that is not None, or null.
  const attn_buffer *getFirst() const;
  ArrayReader &getReader() { return reader; }
  const ArrayReader &getReader() const { return reader; }

  /// A copy of a key that is kept after the call, and owns references to its
  /// strings.
  struct Kept {
    std::vector<uint64_t> words;
    std::vector<Ref> strings;
  };
  Kept keep() const;
  bool matches(const Kept &kept) const;

private:
  static constexpr unsigned kMaxWords = 384, kMaxArrays = 40, kMaxStrings = 8;

  bool add(uint64_t word);
  bool addArray(PyObject *array, bool isWritten);
  bool addOption(PyObject *option, unsigned depth = 0);

  ArrayReader reader;
  uint64_t words[kMaxWords];
  attn_buffer arrays[kMaxArrays];
  PyObject *objects[kMaxArrays];
  /// The strings of the options, which the key borrows; `words` has their
  /// hashes.
  PyObject *strings[kMaxStrings];
  unsigned numWords = 0, numArrays = 0, numOperands = 0, numStrings = 0;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_CALLKEY_H
