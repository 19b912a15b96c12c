//===- CallKey.h - What a call depends on ---------------------*- C++ -*-===//
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

/// The key of a call: everything on which the compiled call depends, which are
/// the dtypes, devices, sizes and strides of arrays, and options, but not
/// contents and addresses.
class CallKey {
public:
  CallKey(ArrayTypes &types, const Library &library) : reader(types, library) {}

  /// Reads a tuple of operands: arrays, pairs of an array and a number, and
  /// None; a tuple of options: None, numbers, strings and tuples of these; and
  /// the arrays for results: None, an array or a tuple of them. False for a
  /// call that cannot be told from others by such a key, or that Python must
  /// look at, where an error of Python's may be set.
  ///
  /// If `further` is a number of an operand, the third operand may be a view of
  /// the second one's columns: then it matters where it begins. It may have all
  /// of these columns if there is such an operand, which has further ones.
  bool read(PyObject *operands, PyObject *options, PyObject *out, int further);

  uint64_t hash() const;

  /// The operands, by number; an operand that is None has no address.
  unsigned getNumOperands() const { return numOperands; }
  const attn_buffer &getOperand(unsigned number) const {
    return arrays[number];
  }
  /// The caller's arrays for results.
  unsigned getNumResults() const { return numArrays - numOperands; }
  const attn_buffer &getResult(unsigned number) const {
    return arrays[numOperands + number];
  }
  /// The first operand.
  const attn_buffer *getFirst() const;
  ArrayReader &getReader() { return reader; }

  /// A key that is kept. It owns its strings.
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
  /// Borrowed references to strings; `words` has their hashes.
  PyObject *strings[kMaxStrings];
  unsigned numWords = 0, numArrays = 0, numOperands = 0, numStrings = 0;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_CALLKEY_H
