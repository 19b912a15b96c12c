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
/// arguments, or a method of the array that is asked about. If the function is
/// implemented in C, it is called directly.
class Question {
public:
  Question() = default;
  /// Makes a question that is asked by calling `function`, with the array as
  /// its argument if `isMethod` is true.
  Question(PyObject *function, bool isMethod);

  bool isAsked() const { return bool(function); }
  /// Calls the function. Returns 1 for a true result, 0 for a false one, and -1
  /// with a Python error if the call fails.
  int ask(PyObject *array = nullptr);

private:
  Ref function;
  bool isMethod = false;
  /// The C function that implements the question, or null if there is none or
  /// it has not been looked up yet. `isLookedUp` tells these cases apart.
  PyCFunction direct = nullptr;
  Ref self;
  bool isLookedUp = false;

  void lookUp(PyObject *bound);
};

/// The types of arrays that this C++ module reads itself: the tensor types of
/// torch that have the C functions of DLPack, and NumPy's array. Types are
/// compared by identity, so that Python handles subclasses, which may be more
/// than memory.
struct ArrayTypes {
  /// The types of torch whose tensors are plain memory, and functions that say
  /// whether a certain tensor, or a call with it, is more than that.
  struct Torch {
    std::vector<Ref> types;
    const DLPackExchange *exchange = nullptr;
    /// Functions of torch without arguments. A call must be made in Python
    /// unless all of them return false.
    std::vector<Question> observers;
    /// The module torch.autograd.forward_ad, whose attribute `_current_level`
    /// is -1 outside of forward-mode AD.
    Ref forwardAD;
    Question isGradEnabled, isNegative;
    /// The torch dtypes whose elements are bytes. Through DLPack, dtypes of
    /// fewer bits look like these. If the list is empty, each dtype counts as
    /// one of them.
    std::vector<Ref> bytes;
    /// Has bit number d set if tensors of the attn_dtype d never have torch's
    /// negative bit, because no complex dtype has parts of this type.
    uint32_t neverNegative = 0;
    /// A function of torch, or null. For each tensor of a tuple, it counts a
    /// change in place, by which autograd notices that a saved tensor was
    /// changed.
    Ref incrementVersion;
    /// The names of the attributes of torch's objects that are read, as Python
    /// strings.
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
  /// Tells torch that the program has written `arrays`, as far as they are
  /// tensors. Returns false, with a Python error, if that fails.
  bool noteWritten(PyObject *const *arrays, size_t count) const;
  bool isNumpy(PyObject *array) const {
    return numpyArray && Py_IS_TYPE(array, reinterpret_cast<PyTypeObject *>(
                                               numpyArray.get()));
  }
};

/// Returns the size in bytes of an element of an attn_dtype.
int64_t getElementSize(int32_t dtype);

/// Reads the arrays of one call. A read that fails may leave a Python
/// exception; the adapters in Python then describe the arrays one by one and
/// report what is wrong.
class ArrayReader {
public:
  /// `marksGradients` says whether read() takes tensors that require a
  /// gradient, for which Python has a function (Known::function); otherwise
  /// Python has to handle a call with such a tensor.
  ArrayReader(ArrayTypes &types, const Library &library,
              bool marksGradients = false)
      : types(types), library(library), marksGradients(marksGradients) {}

  /// Fills `buffer` with an array's description, whose sizes and strides stay
  /// valid as long as the reader and the array live. Returns false if the array
  /// is not of a known type, may not be passed to a kernel directly, or has no
  /// memory.
  bool read(PyObject *array, bool isWritten, attn_buffer &buffer);

  /// Does as read() for a result that this call has created, for which torch's
  /// state and the tensor's gradient need not be checked.
  bool readMade(PyObject *array, attn_buffer &buffer);

  /// Does as read() for an array of a call that Python makes and whose
  /// arguments it has checked already.
  bool describe(PyObject *array, attn_buffer &buffer) {
    return askAboutGradients() && read(array, /*isWritten=*/false, buffer);
  }

  /// The kind of the last array that was read: a number below 4 that encodes
  /// the array's library, and whether it is read-only or requires a gradient.
  unsigned getKind() const { return kind; }

  /// Whether one of the arrays that were read requires a gradient.
  bool needsGradients() const { return sawGradient; }

  /// Whether a torch tensor is among the arrays that were read.
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
  bool marksGradients;
  bool sawTensor = false, isGradEnabled = false, sawGradient = false;
  unsigned kind = 0;
  /// The strides, in elements, of the NumPy arrays that this object has read.
  /// `strides` of the attn_buffer of such an array points to its strides here,
  /// since NumPy's own strides are in bytes.
  int64_t words[kMaxNumpyWords];
  unsigned numWords = 0;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_ARRAYS_H
