//===- CudaDevice.h - An open GPU -------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_CUDADEVICE_H
#define ATTN_DRIVER_CUDADEVICE_H

#include "attn/Runtime/attnrt.h"
#include "attn/Target/Chips.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::attn {

/// The first GPU of the machine. Each object has an instance of the runtime of
/// its own.
class CudaDevice {
public:
  /// Opens the GPU. `driver` is the path of the CUDA driver's library, or empty
  /// for the system's library. If the GPU cannot be opened, the returned error
  /// says what this machine lacks.
  static llvm::Expected<std::unique_ptr<CudaDevice>>
  open(const std::string &driver = "");
  ~CudaDevice();

  attnrt_runtime *getRuntime() const { return runtime; }
  const attnrt_device_info &getInfo() const { return info; }

  /// Returns an error with the runtime's message unless `status` is a success.
  llvm::Error check(attnrt_status status) const;

  /// Returns an error unless the GPU can run code for the chip.
  llvm::Error checkRuns(const Chip &chip) const;

private:
  CudaDevice() = default;

  attnrt_runtime *runtime = nullptr;
  attnrt_device_info info = {};
  bool isOpen = false;
};

} // namespace mlir::attn

#endif // ATTN_DRIVER_CUDADEVICE_H
