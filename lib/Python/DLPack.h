//===- DLPack.h - Arrays in other libraries' memory ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C structures of DLPack, as its header (version 1.3) lays them out.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_DLPACK_H
#define ATTN_LIB_PYTHON_DLPACK_H

#include <cstdint>

namespace attn::python {

struct DLTensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *sizes, *strides;
  uint64_t byteOffset;
};

/// The table of C functions to which the attribute `__dlpack_c_exchange_api__`
/// of a type points.
struct DLPackExchange {
  uint32_t major, minor;
  /// The table of functions for an earlier major version of DLPack, or null.
  const DLPackExchange *previous;
  void *allocate, *fromPython, *toPython;
  /// Fills `tensor` with the object's address, sizes and strides. Its pointers
  /// to sizes and strides refer to the object's own memory.
  int (*borrow)(void *object, DLTensor *tensor);
  int (*getStream)(int32_t deviceType, int32_t deviceId, void **stream);
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_DLPACK_H
