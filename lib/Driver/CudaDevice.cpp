//===- CudaDevice.cpp - An open GPU ---------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/CudaDevice.h"

using namespace mlir::attn;

llvm::Expected<std::unique_ptr<CudaDevice>>
CudaDevice::open(const std::string &driver) {
  std::unique_ptr<CudaDevice> device(new CudaDevice);
  attnrt_runtime *&runtime = device->runtime;
  if (llvm::Error error = device->check(
          attnrt_create(driver.empty() ? nullptr : driver.c_str(), &runtime)))
    return std::move(error);
  attnrt_context context;
  if (llvm::Error error =
          device->check(attnrt_open_device(runtime, 0, &context)))
    return std::move(error);
  device->isOpen = true;
  if (llvm::Error error =
          device->check(attnrt_get_device_info(runtime, 0, &device->info)))
    return std::move(error);
  return device;
}

CudaDevice::~CudaDevice() {
  if (!runtime)
    return;
  attnrt_forget_programs(runtime);
  if (isOpen)
    attnrt_close_device(runtime, 0);
  attnrt_destroy(runtime);
}

llvm::Error CudaDevice::check(attnrt_status status) const {
  if (status == ATTNRT_SUCCESS)
    return llvm::Error::success();
  return llvm::createStringError(attnrt_last_error(runtime));
}

llvm::Error CudaDevice::checkRuns(const Chip &chip) const {
  if (chip.runsOn(info.compute_major, info.compute_minor))
    return llvm::Error::success();
  return llvm::createStringError("code for " + chip.name + " does not run on " +
                                 info.name + ", whose compute capability is " +
                                 llvm::Twine(info.compute_major) + "." +
                                 llvm::Twine(info.compute_minor));
}
