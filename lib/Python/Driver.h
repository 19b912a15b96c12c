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

/// The current CUDA context, by the driver. As the CUDA runtime does, a thread
/// without a context is given the primary one of the device that it works on.
/// All of it needs the interpreter's lock.
class Driver {
public:
  enum class Result { Success, NoDriver, Failure };

  /// Finds the device of the thread's current context, or -1 without one.
  Result getCurrentDevice(int &device);

  /// Makes the primary context of `device` current. For -1, that is the current
  /// context, or that of device 0 if there is none. `mustLeave` is set if
  /// `leave` must restore the context that was current before.
  Result enter(int device, bool &mustLeave);
  void leave();

  /// Waits for all work in the primary contexts of all devices.
  Result synchronize();

  /// Forgets the parent's state after a fork.
  void forget();

  /// The message of the last call that failed.
  const std::string &getError() const { return error; }

private:
  static constexpr int kMaxDevices = 64;

  Result load();
  Result check(int result, const char *function);
  Result findPrimary(int device, void *&context);

  void *handle = nullptr;
  bool isReady = false;
  /// Retained until the process ends, as by the CUDA runtime.
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
