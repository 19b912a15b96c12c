//===- XLAContext.h - The context of a stream -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_XLACONTEXT_H
#define ATTN_LIB_CAPI_XLACONTEXT_H

#include <dlfcn.h>

namespace mlir::attn::xla {

/// Makes the CUDA context of a given stream the calling thread's current one
/// while the object lives, which XLA does not guarantee for handlers. Uses the
/// driver that the process has already loaded. Does nothing if none is loaded,
/// or for the default stream.
class StreamContext {
public:
  explicit StreamContext(void *stream) {
    void *driver =
        stream ? dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    if (!driver)
      return;
    auto getContext = find<int(void *, void **)>(driver, "cuStreamGetCtx");
    auto getCurrent = find<int(void **)>(driver, "cuCtxGetCurrent");
    auto push = find<int(void *)>(driver, "cuCtxPushCurrent_v2");
    pop = find<int(void **)>(driver, "cuCtxPopCurrent_v2");
    void *context = nullptr, *current = nullptr;
    isPushed = getContext && getCurrent && push && pop &&
               !getContext(stream, &context) && !getCurrent(&current) &&
               context != current && !push(context);
    dlclose(driver);
  }
  ~StreamContext() {
    void *context;
    if (isPushed)
      pop(&context);
  }
  StreamContext(const StreamContext &) = delete;
  StreamContext &operator=(const StreamContext &) = delete;

private:
  template <typename Function>
  static Function *find(void *driver, const char *name) {
    return reinterpret_cast<Function *>(dlsym(driver, name));
  }

  int (*pop)(void **) = nullptr;
  bool isPushed = false;
};

} // namespace mlir::attn::xla

#endif // ATTN_LIB_CAPI_XLACONTEXT_H
