//===- Inspect.cpp - Queries of a program ---------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Program.h"

using namespace mlir::attn;

const char *attn_program_chip(const attn_program *program) {
  if (!program)
    return nullptr;
  // The name of a chip is a string literal, so a zero byte follows it.
  return program->isHost() ? "host" : program->request.chip->name.data();
}

const char *attn_program_ptx(const attn_program *program) {
  return program && !program->isHost() ? program->ptx.c_str() : nullptr;
}

const char *attn_program_diagnostics(const attn_program *program) {
  return program ? program->diagnostics.c_str() : nullptr;
}

/// Fails unless program and `info` are not null, `info` has a valid size, and
/// `index` is below `count`.
template <typename Info>
static attn_status checkQuestion(const attn_program *program, uint32_t index,
                                 uint32_t count, const char *what, Info *info,
                                 std::initializer_list<size_t> fields) {
  if (!program || !info)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected a program and a structure to fill, found null");
  if (!isStructSize<Info>(info->struct_size, fields))
    return fail(ATTN_INVALID_ARGUMENT,
                "expected struct_size to be the structure's size, found " +
                    llvm::Twine(info->struct_size));
  if (index >= count)
    return fail(ATTN_INVALID_ARGUMENT, "expected one of " + llvm::Twine(count) +
                                           " " + what + ", found number " +
                                           llvm::Twine(index));
  return ATTN_SUCCESS;
}

uint32_t attn_program_num_arguments(const attn_program *program) {
  return program ? program->arguments.size() : 0;
}

attn_status attn_program_argument(const attn_program *program, uint32_t index,
                                  attn_argument_info *info) {
  using Info = attn_argument_info;
  attn_status status = checkQuestion(
      program, index, attn_program_num_arguments(program), "arguments", info,
      {offsetof(Info, kind), offsetof(Info, dtype), offsetof(Info, rank),
       offsetof(Info, is_contiguous), offsetof(Info, sizes),
       offsetof(Info, strides), offsetof(Info, name), offsetof(Info, type),
       offsetof(Info, is_updated)});
  if (status == ATTN_SUCCESS)
    copyInfo(program->arguments[index].getInfo(), *info);
  return status;
}

uint32_t attn_program_num_kernels(const attn_program *program) {
  return program ? program->kernels.size() : 0;
}

attn_status attn_program_kernel(attn_program *program, uint32_t index,
                                attn_kernel_info *info) {
  using Info = attn_kernel_info;
  attn_status status = checkQuestion(
      program, index, attn_program_num_kernels(program), "kernels", info,
      {offsetof(Info, name), offsetof(Info, schedule), offsetof(Info, threads),
       offsetof(Info, dynamic_shared_bytes), offsetof(Info, registers),
       offsetof(Info, local_bytes), offsetof(Info, static_shared_bytes),
       offsetof(Info, ctas_per_sm), offsetof(Info, reasons)});
  if (status != ATTN_SUCCESS)
    return status;
  const KernelEntry &kernel = program->kernels[index];
  attn_kernel_info found = {};
  found.name = kernel.name.c_str();
  found.schedule = kernel.schedule.c_str();
  found.reasons = kernel.reasons.c_str();
  found.threads = kernel.threads;
  found.dynamic_shared_bytes = kernel.dynamicSharedBytes;
  found.registers = found.local_bytes = found.static_shared_bytes =
      found.ctas_per_sm = -1;

  attnrt_runtime *runtime = program->runtime.get();
  attnrt_kernel_info driver = {};
  status = getStatus(attnrt_get_kernel_info(
      runtime, &program->image, kernel.name.c_str(), kernel.threads,
      kernel.dynamicSharedBytes, &driver));
  if (status == ATTN_SUCCESS) {
    found.registers = driver.registers;
    found.local_bytes = driver.local_bytes;
    found.static_shared_bytes = driver.static_shared_bytes;
    found.ctas_per_sm = driver.ctas_per_sm;
  } else {
    fail(status, attnrt_last_error(runtime));
  }
  copyInfo(found, *info);
  return status;
}
