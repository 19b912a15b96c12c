//===- Program.cpp - Programs given to the driver -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Jit.h"
#include "Runtime.h"

#include <cstring>

using namespace attnrt;

const char *attnrt::getName(const attnrt_program &program) {
  return program.name ? program.name : "";
}

/// Whether the driver can tell where the image ends: an ELF file says so
/// itself, PTX by its terminating zero.
static bool isCubin(const attnrt_program &program) {
  return std::memcmp(program.image, "\177ELF", 4) == 0;
}

static bool isBounded(const attnrt_program &program) {
  auto *image = static_cast<const char *>(program.image);
  if (!image || program.image_size < 4)
    return false;
  return isCubin(program) || image[program.image_size - 1] == '\0';
}

attnrt_status attnrt::loadProgram(attnrt_runtime &runtime,
                                  const attnrt_program &program,
                                  CUmodule &module) {
  const char *chip = program.chip ? program.chip : "an unknown chip";
  if (!isBounded(program))
    return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                "loading program '%s' for %s: the image is neither a cubin nor "
                "PTX that ends in a zero",
                getName(program), chip);
  JitOptions options;
  if (!isCubin(program))
    options.keepLines(static_cast<const char *>(program.image));
  // Written only on success: the driver is not bound to leave it alone.
  CUmodule loaded = nullptr;
  CUresult result = runtime.driver.cuModuleLoadDataEx(
      &loaded, program.image, options.getCount(), options.getKeys(),
      options.getValues());
  if (result == CUDA_SUCCESS) {
    module = loaded;
    return ATTNRT_SUCCESS;
  }
  Message message;
  message.append("loading program '%s' for %s", getName(program), chip);
  appendError(message, runtime.driver, result);
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    message.append(": the driver is too old for this PTX");
  options.appendDetails(message, runtime.driver);
  runtime.errors.set(message);
  return getStatus(result);
}
