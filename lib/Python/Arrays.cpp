//===- Arrays.cpp - Arrays of Python's libraries -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include <algorithm>

using namespace attn::python;

namespace {
/// The C structure of numpy.ndarray. Its layout is part of the binary interface
/// of NumPy 1 and 2.
struct NumpyArray {
  PyObject_HEAD char *data;
  int rank;
  Py_ssize_t *sizes, *strides;
  PyObject *base, *dtype;
  int flags;
};
} // namespace

static constexpr int kNumpyWriteable = 0x400;

/// See `getKind`.
enum : unsigned { kTensor, kNumpy, kReadOnlyNumpy, kNeedsGradient };

int64_t attn::python::getElementSize(int32_t dtype) {
  switch (dtype) {
  case ATTN_F64:
  case ATTN_I64:
    return 8;
  case ATTN_F32:
  case ATTN_I32:
    return 4;
  case ATTN_F16:
  case ATTN_BF16:
  case ATTN_I16:
    return 2;
  default:
    return 1;
  }
}

Question::Question(PyObject *function, bool isMethod)
    : function(Ref::borrow(function)), isMethod(isMethod) {
  if (!isMethod)
    lookUp(function);
}

bool ArrayTypes::noteWritten(PyObject *const *arrays, size_t count) const {
  auto isOne = [&](PyObject *array) { return isTensor(array); };
  size_t numTensors = std::count_if(arrays, arrays + count, isOne);
  if (!numTensors || !torch.incrementVersion)
    return true;
  Ref tensors = Ref::take(PyTuple_New(numTensors));
  for (size_t i = count; tensors && i-- > 0;)
    if (isOne(arrays[i]))
      PyTuple_SetItem(tensors.get(), --numTensors, Py_NewRef(arrays[i]));
  return tensors && Ref::take(PyObject_CallFunctionObjArgs(
                        torch.incrementVersion.get(), tensors.get(), nullptr));
}

void Question::lookUp(PyObject *bound) {
  isLookedUp = true;
  if (!PyCFunction_Check(bound) || PyCFunction_GetFlags(bound) != METH_NOARGS)
    return;
  direct = PyCFunction_GetFunction(bound);
  self = Ref::borrow(PyCFunction_GetSelf(bound));
}

int Question::ask(PyObject *array) {
  if (!isLookedUp) {
    // The method is bound to the array, since Python reveals the C function of
    // a method only through a bound one.
    Ref bound =
        Ref::take(PyObject_CallMethod(function.get(), "__get__", "O", array));
    if (!bound)
      return -1;
    lookUp(bound.get());
    self = Ref();
  }
  Ref answer = Ref::take(
      direct ? direct(isMethod ? array : self.get(), nullptr)
             : PyObject_CallFunctionObjArgs(function.get(), array, nullptr));
  if (answer.get() == Py_False || answer.get() == Py_True)
    return answer.get() == Py_True;
  return answer ? PyObject_IsTrue(answer.get()) : -1;
}

/// Asks torch for the parts of its state that decide whether tensors may be
/// treated as plain memory, and returns whether they may. It must be called
/// before the first tensor is read.
bool ArrayReader::begin() {
  for (Question &observer : types.torch.observers)
    if (observer.ask() != 0)
      return false;
  Ref level = Ref::take(PyObject_GetAttr(types.torch.forwardAD.get(),
                                         types.torch.currentLevel.get()));
  if (!level || PyLong_AsLong(level.get()) != -1)
    return false;
  return askAboutGradients();
}

bool ArrayReader::askAboutGradients() {
  sawTensor = true;
  int enabled =
      types.torch.isGradEnabled.isAsked() ? types.torch.isGradEnabled.ask() : 0;
  isGradEnabled = enabled == 1;
  return enabled >= 0;
}

bool ArrayReader::readTensor(PyObject *array, attn_buffer &buffer) {
  if (!sawTensor && !begin())
    return false;
  if (isGradEnabled) {
    Ref needsGradient =
        Ref::take(PyObject_GetAttr(array, types.torch.requiresGrad.get()));
    if (needsGradient.get() != Py_False) {
      if (!marksGradients || needsGradient.get() != Py_True)
        return false;
      kind = kNeedsGradient;
      sawGradient = true;
    }
  }
  if (!borrow(array, buffer))
    return false;
  return (types.torch.neverNegative >> buffer.dtype & 1) ||
         types.torch.isNegative.ask(array) == 0;
}

bool ArrayReader::borrow(PyObject *array, attn_buffer &buffer) {
  DLTensor tensor;
  if (types.torch.exchange->borrow(array, &tensor) != 0 || !tensor.data ||
      library.attn_buffer_from_dlpack(&tensor, &buffer) != ATTN_SUCCESS)
    return false;
  if ((buffer.dtype != ATTN_I8 && buffer.dtype != ATTN_U8) ||
      types.torch.bytes.empty())
    return true;
  // Through DLPack, elements of fewer bits (torch.int4 and the like) look like
  // bytes, so the tensor's own dtype decides.
  Ref dtype = Ref::take(PyObject_GetAttr(array, types.torch.dtype.get()));
  for (const Ref &its : types.torch.bytes)
    if (its.get() == dtype.get())
      return true;
  return false;
}

bool ArrayReader::readNumpy(PyObject *object, bool isWritten,
                            attn_buffer &buffer) {
  const auto &array = *reinterpret_cast<const NumpyArray *>(object);
  auto found = types.numpyTypes.find(array.dtype);
  bool isReadOnly = !(array.flags & kNumpyWriteable);
  kind = isReadOnly ? kReadOnlyNumpy : kNumpy;
  if (found == types.numpyTypes.end() || (isWritten && isReadOnly) ||
      numWords + array.rank > kMaxNumpyWords)
    return false;
  int64_t size = getElementSize(found->second);
  int64_t *strides = words + numWords;
  numWords += array.rank;
  for (int dim = 0; dim < array.rank; ++dim) {
    if (array.strides[dim] % size != 0 || array.sizes[dim] == 0)
      return false;
    strides[dim] = array.strides[dim] / size;
  }
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  buffer = {};
  buffer.data = array.data;
  buffer.sizes = reinterpret_cast<const int64_t *>(array.sizes);
  buffer.strides = strides;
  buffer.rank = array.rank;
  buffer.dtype = found->second;
  buffer.device_type = ATTN_DEVICE_CPU;
  return array.data;
}

bool ArrayReader::readMade(PyObject *array, attn_buffer &buffer) {
  return types.isTensor(array) ? borrow(array, buffer)
                               : read(array, /*isWritten=*/true, buffer);
}

bool ArrayReader::read(PyObject *array, bool isWritten, attn_buffer &buffer) {
  kind = kTensor;
  if (types.isTensor(array))
    return readTensor(array, buffer);
  if (types.isNumpy(array))
    return readNumpy(array, isWritten, buffer);
  return false;
}
