//===- RelaxedCaptures.h - Calls beside captures ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_RELAXEDCAPTURES_H
#define ATTN_LIB_RUNTIME_RELAXEDCAPTURES_H

#include "CudaDriver.h"

namespace attnrt {

/// Sets the calling thread's capture mode to "relaxed" while the object exists.
/// The driver then lets the thread allocate memory, and load and unload
/// modules, although a stream is being captured, perhaps by another thread.
/// That is safe, since these calls do not become a part of a graph. Does
/// nothing if the driver has no capture modes.
class RelaxedCaptures {
public:
  explicit RelaxedCaptures(const CudaDriver &driver) : driver(driver) {
    exchange();
  }
  ~RelaxedCaptures() { exchange(); }
  RelaxedCaptures(const RelaxedCaptures &) = delete;
  RelaxedCaptures &operator=(const RelaxedCaptures &) = delete;

private:
  void exchange() {
    if (driver.cuThreadExchangeStreamCaptureMode)
      driver.cuThreadExchangeStreamCaptureMode(&mode);
  }

  const CudaDriver &driver;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_RELAXEDCAPTURES_H
