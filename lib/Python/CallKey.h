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

/// The key of a call: all properties of its arguments on which the compiled
/// code depends. These are the dtypes, devices, sizes and strides of arrays,
/// and options, but not contents and addresses.
class CallKey {
public:
  CallKey(ArrayTypes &types, const Library &library) : reader(types, library) {}

  /// Reads the arguments of a call: a tuple of operands (arrays, pairs of an
  /// array and a number, None); a tuple of options (None, numbers, strings, and
  /// tuples of these); and the arrays for results (None, an array, or a tuple
  /// of arrays). Returns false, perhaps with a Python error, if no key could
  /// distinguish the call from others, or if Python must make the call.
  ///
  /// The third operand, the value, may be a view of columns of the second one,
  /// the key; the column where it begins is then a part of the key. It may have
  /// all of these columns if operand number `further`, which has further
  /// columns of query or key, is given. If `further` is -1, there is no such
  /// operand.
  bool read(PyObject *operands, PyObject *options, PyObject *out, int further);

  /// The parts of read(), to be called in this order: for `count` operands, for
  /// each option, and for the results. Null stands for an argument that is not
  /// given.
  bool readOperands(PyObject *const *operands, unsigned count, int further);
  bool readOption(PyObject *option) { return addOption(option); }
  bool readResults(PyObject *out);

  uint64_t hash() const;

  /// The number of operands, and each of them. An operand that is None has a
  /// null address.
  unsigned getNumOperands() const { return numOperands; }
  const attn_buffer &getOperand(unsigned number) const {
    return arrays[number];
  }
  /// The caller's arrays for results.
  unsigned getNumResults() const { return numArrays - numOperands; }
  const attn_buffer &getResult(unsigned number) const {
    return arrays[numOperands + number];
  }
  /// Returns the Python object of array `number`. The operands have the first
  /// numbers, and the arrays for results those that follow.
  PyObject *getObject(unsigned number) const { return objects[number]; }
  /// The first operand.
  const attn_buffer *getFirst() const;
  ArrayReader &getReader() { return reader; }

  /// A copy of a key that is kept after the call. It owns its strings.
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
  /// References to strings that the key borrows; `words` has their hashes.
  PyObject *strings[kMaxStrings];
  unsigned numWords = 0, numArrays = 0, numOperands = 0, numStrings = 0;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_CALLKEY_H
