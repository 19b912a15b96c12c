//===- Known.h - Calls that were launched ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_KNOWN_H
#define ATTN_LIB_PYTHON_KNOWN_H

#include "CallKey.h"
#include "Launch.h"
#include "State.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace attn::python {

/// A result that a remembered call creates itself.
struct Result {
  /// `make` and `makeHere` are Python functions that create the result from
  /// `arguments`. `makeHere`, which may be null, takes less time than `make`,
  /// and is used if the array's device is the current one.
  Ref make, makeHere, arguments;
  /// The layout of the result in the remembered call. If a created result has
  /// another layout, Python makes the call.
  attn_buffer layout = {};
  /// The sizes and strides of the result in the remembered call.
  std::vector<int64_t> words;

  void setLayout(const attn_buffer &array) {
    layout = array;
    words.reserve(2 * array.rank);
    words.insert(words.end(), array.sizes, array.sizes + array.rank);
    words.insert(words.end(), array.strides, array.strides + array.rank);
  }
  bool matches(const attn_buffer &array) const {
    return array.rank == layout.rank && array.dtype == layout.dtype &&
           array.device_type == layout.device_type &&
           array.device_id == layout.device_id &&
           std::equal(array.sizes, array.sizes + array.rank, words.begin()) &&
           std::equal(array.strides, array.strides + array.rank,
                      words.begin() + array.rank);
  }
};

/// A remembered call: one that was launched and can be repeated without Python,
/// or one that has a function.
struct Known {
  CallKey::Kept key;
  /// A function in Python that makes the call, whose arguments are the call's
  /// operands, or null. Calls of which autograd has to know have one. Of the
  /// other fields, such a call has `key` alone.
  Ref function;
  Target target;
  /// A reference to the Python object of the kernel, which keeps the program
  /// alive.
  Ref kernel;
  /// The kernel's arguments without their addresses, which each call has to
  /// set. Their sizes and strides point into `words`.
  std::vector<attn_buffer> buffers;
  std::vector<int64_t> words;
  /// Says for each buffer where its address comes from: a number i from 0 on
  /// means operand i, and -1 - i means result i.
  std::vector<int> sources;
  /// The numbers of the operands that the remembered call writes.
  std::vector<int> written;
  std::vector<Result> results;
  std::vector<std::string> names;
  /// Whether the remembered call returns its results as a tuple.
  bool isTuple = false;
};

/// The largest number of calls that are remembered. It keeps calls whose
/// lengths always differ from filling the memory.
constexpr size_t kMaxKnown = 1024;
constexpr unsigned kMaxResults = 4, kMaxBuffers = 48;

/// Makes a known call on the arrays that `key` has read, on `stream` or, if
/// that is None, on the current one. Returns the results or, if the caller gave
/// arrays for them, `out`. Returns NotImplemented if Python must make the call.
PyObject *launchKnown(State &state, CallKey &key, const Known &known,
                      PyObject *out, PyObject *stream);

/// Clears the Python error and returns NotImplemented, which tells the Python
/// code to make the call itself.
PyObject *giveUp();

/// A call of a `Function` (Function.cpp) that Python is making. `calls` will
/// find or remember the known call for it.
struct Pending {
  PyObject *calls;
  /// The key of the call by its arguments; null if it cannot be remembered by
  /// these.
  const CallKey *key;
  /// Is set to the known call if that call has the same operands as `key`.
  std::shared_ptr<const Known> &known;

  /// Sets `known` of the thread's pending call, if that call uses `calls` and
  /// has the same operands as `key`.
  static void tell(PyObject *calls, const CallKey &key,
                   const std::shared_ptr<const Known> &known);
  /// Makes `next` the thread's pending call and returns the previous one.
  static Pending *swap(Pending *next);
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_KNOWN_H
