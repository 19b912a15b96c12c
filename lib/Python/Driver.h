//===- Driver.h - The current CUDA context ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_DRIVER_H
#define ATTN_LIB_PYTHON_DRIVER_H

#include <string>

namespace attn::python {

/// Finds and sets the current CUDA context by functions of the driver. If a
/// thread has no context, it makes the primary context of the device current,
/// as the CUDA runtime does. All functions need the interpreter's lock.
class Driver {
public:
  enum class Result { Success, NoDriver, Failure };

  /// Sets `device` to the device of the thread's current context, or to -1 if
  /// there is none.
  Result getCurrentDevice(int &device);

  /// Makes the primary context of `device` current, unless a context of that
  /// device is current. If `device` is -1, leaves the current context as it is,
  /// or takes that of device 0 if there is none. Sets `mustLeave` to whether
  /// leave() must restore the previous context.
  Result enter(int device, bool &mustLeave);
  void leave();

  /// Waits for all work in the primary contexts of all devices. Does not change
  /// which context is current.
  Result synchronize();

  /// Clears this object's state, which a forked process has copied from its
  /// parent.
  void forget();

  /// Returns the error message of the last call of this object that failed.
  const std::string &getError() const { return error; }

private:
  static constexpr int kMaxDevices = 64;

  Result load();
  Result check(int result, const char *function);
  Result findPrimary(int device, void *&context);

  void *handle = nullptr;
  bool isReady = false;
  /// The primary contexts that were retained, by device. They are never
  /// released before the process ends, as by the CUDA runtime.
  void *primaries[kMaxDevices] = {};
  std::string error;

  int (*cuInit)(unsigned) = nullptr;
  int (*cuCtxGetDevice)(int *) = nullptr;
  int (*cuCtxSetCurrent)(void *) = nullptr;
  int (*cuCtxPushCurrent_v2)(void *) = nullptr;
  int (*cuCtxPopCurrent_v2)(void **) = nullptr;
  int (*cuCtxSynchronize)() = nullptr;
  int (*cuDeviceGet)(int *, int) = nullptr;
  int (*cuDeviceGetCount)(int *) = nullptr;
  int (*cuDevicePrimaryCtxRetain)(void **, int) = nullptr;
  int (*cuDevicePrimaryCtxGetState)(int, unsigned *, int *) = nullptr;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_DRIVER_H
