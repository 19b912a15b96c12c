//===- DLPack.h - Arrays in other libraries' memory ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts that DLPack's header (version 1.3) gives its structures.
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

/// The table of functions to which a type's `__dlpack_c_exchange_api__` points.
struct DLPackExchange {
  uint32_t major, minor;
  /// The table of an earlier major version, or null.
  const DLPackExchange *previous;
  void *allocate, *fromPython, *toPython;
  /// Fills a tensor that borrows the object's memory, sizes and strides.
  int (*borrow)(void *object, DLTensor *tensor);
  int (*getStream)(int32_t deviceType, int32_t deviceId, void **stream);
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_DLPACK_H
