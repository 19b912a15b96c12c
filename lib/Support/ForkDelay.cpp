//===- ForkDelay.cpp - What forks wait for --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/ForkDelay.h"

#include <pthread.h>

using namespace mlir::attn;

// Prefers readers, so that a thread may have several.
static pthread_rwlock_t delays = PTHREAD_RWLOCK_INITIALIZER;

namespace {
struct Registration {
  Registration() {
    pthread_atfork([] { pthread_rwlock_wrlock(&delays); },
                   [] { pthread_rwlock_unlock(&delays); },
                   // The thread that locked has another number here.
                   [] { delays = PTHREAD_RWLOCK_INITIALIZER; });
  }
};
} // namespace

// Before any thread can be there: nothing is left to do at a first use.
static Registration registration;

ForkDelay::ForkDelay() { pthread_rwlock_rdlock(&delays); }
ForkDelay::~ForkDelay() { pthread_rwlock_unlock(&delays); }
