//===- Arrays.h - Arrays of Python's libraries -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_ARRAYS_H
#define ATTN_LIB_PYTHON_ARRAYS_H

#include "DLPack.h"
#include "Library.h"
#include "Ref.h"

#include <unordered_map>
#include <vector>

namespace attn::python {

/// A question to which a Python function answers yes or no: a function without
/// arguments, or a method of the array that is asked about. Functions that are
/// implemented in C are called directly.
class Question {
public:
  Question() = default;
  /// Makes a question that is asked by calling `function`, with the array as
  /// its argument if `isMethod` is true.
  Question(PyObject *function, bool isMethod);

  bool isAsked() const { return bool(function); }
  /// Returns the truth of the answer, or -1 with an error.
  int ask(PyObject *array = nullptr);

private:
  Ref function;
  bool isMethod = false;
  /// The function in C, or null; `isLookedUp` says whether it was asked for.
  PyCFunction direct = nullptr;
  Ref self;
  bool isLookedUp = false;

  void lookUp(PyObject *bound);
};

/// The types of arrays that are read here: the tensor types of torch that have
/// the C functions of DLPack, and NumPy's array. Types are compared by
/// identity, so that a subclass, which may be more than memory, is not read
/// here.
struct ArrayTypes {
  /// The types of torch that are plain memory, and functions that say whether a
  /// tensor, or a call with it, is more than that.
  struct Torch {
    std::vector<Ref> types;
    const DLPackExchange *exchange = nullptr;
    /// Functions without arguments. Each returns false if a call may go to a
    /// kernel directly.
    std::vector<Question> observers;
    /// torch.autograd.forward_ad, whose `_current_level` is negative outside of
    /// forward-mode AD.
    Ref forwardAD;
    Question isGradEnabled, isNegative;
    /// The torch dtypes whose elements are bytes. Through DLPack, dtypes of
    /// fewer bits look like these.
    std::vector<Ref> bytes;
    /// A bit for each attn_dtype whose tensors never have the negative bit,
    /// because no complex dtype has parts of this type.
    uint32_t neverNegative = 0;
    /// The function that counts a change in place of each tensor of a tuple, by
    /// which autograd finds saved tensors that were changed; or null.
    Ref incrementVersion;
    /// The names of attributes.
    Ref currentLevel, requiresGrad, dtype;
  };

  Torch torch;
  Ref numpyArray;
  /// The attn_dtype of each of NumPy's dtype objects, by the object's identity;
  /// `numpyKept` keeps these objects alive.
  std::unordered_map<PyObject *, int32_t> numpyTypes;
  std::vector<Ref> numpyKept;

  bool isTensor(PyObject *array) const {
    for (const Ref &type : torch.types)
      if (Py_IS_TYPE(array, reinterpret_cast<PyTypeObject *>(type.get())))
        return true;
    return false;
  }
  /// Tells torch that those of `arrays` that are tensors were written. Returns
  /// false, with a Python error, if that fails.
  bool noteWritten(PyObject *const *arrays, size_t count) const;
  bool isNumpy(PyObject *array) const {
    return numpyArray && Py_IS_TYPE(array, reinterpret_cast<PyTypeObject *>(
                                               numpyArray.get()));
  }
};

/// Bytes of an element.
int64_t getElementSize(int32_t dtype);

/// Reads the arrays of one call. A read that fails may leave a Python
/// exception; the adapters in Python then describe the arrays one by one and
/// report what is wrong.
class ArrayReader {
public:
  ArrayReader(ArrayTypes &types, const Library &library)
      : types(types), library(library) {}

  /// Fills `buffer` with an array's description, whose sizes and strides stay
  /// valid as long as the reader and the array live. Returns false if the array
  /// is not of a known type, may not be passed to a kernel directly, or has no
  /// memory.
  bool read(PyObject *array, bool isWritten, attn_buffer &buffer);

  /// As read(), for a result that this call has created, so that torch need not
  /// be asked about it.
  bool readMade(PyObject *array, attn_buffer &buffer);

  /// As read(), for an array of a call that Python makes and has checked
  /// already.
  bool describe(PyObject *array, attn_buffer &buffer) {
    return askAboutGradients() && read(array, /*isWritten=*/false, buffer);
  }

  /// The kind of the last array that was read, a number below 4 that encodes
  /// its library and whether it is read-only.
  unsigned getKind() const { return kind; }

  /// Whether one of the arrays that were read is a torch tensor.
  bool hasTensors() const { return sawTensor; }

private:
  static constexpr unsigned kMaxNumpyWords = 256;

  bool begin();
  bool askAboutGradients();
  bool readTensor(PyObject *array, attn_buffer &buffer);
  bool borrow(PyObject *array, attn_buffer &buffer);
  bool readNumpy(PyObject *array, bool isWritten, attn_buffer &buffer);

  ArrayTypes &types;
  const Library &library;
  bool sawTensor = false, isGradEnabled = false;
  unsigned kind = 0;
  /// Strides of NumPy's arrays in elements.
  int64_t words[kMaxNumpyWords];
  unsigned numWords = 0;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_ARRAYS_H
