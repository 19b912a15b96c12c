//===- LargeStack.cpp - Room for what recurses ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This is not `llvm::thread` because that one ends the process where no thread
// can be had.
//
//===----------------------------------------------------------------------===//

#include "attn/Support/LargeStack.h"

#include <pthread.h>

using namespace llvm;

static constexpr size_t kStackBytes = 16 << 20;

static void *call(void *body) {
  (*static_cast<function_ref<void()> *>(body))();
  return nullptr;
}

Error mlir::attn::runOnLargeStack(function_ref<void()> body) {
  pthread_attr_t attributes;
  pthread_t thread;
  int status = pthread_attr_init(&attributes);
  if (status == 0) {
    status = pthread_attr_setstacksize(&attributes, kStackBytes);
    if (status == 0)
      status = pthread_create(&thread, &attributes, call, &body);
    pthread_attr_destroy(&attributes);
  }
  if (status != 0)
    return createStringError(
        "cannot start a thread with a stack of " + Twine(kStackBytes >> 20) +
        " MiB: " + std::generic_category().message(status));
  pthread_join(thread, nullptr);
  return Error::success();
}
