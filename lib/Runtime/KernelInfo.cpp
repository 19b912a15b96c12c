//===- KernelInfo.cpp - What a kernel takes of a device -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Runtime.h"

using namespace attnrt;

attnrt_status attnrt_get_kernel_info(attnrt_runtime *runtime,
                                     const attnrt_program *program,
                                     const char *kernel, uint32_t block_threads,
                                     uint32_t shared_bytes,
                                     attnrt_kernel_info *info) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  if (!program || !kernel || !info)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "asking for a kernel's needs: no program, kernel or place for "
                "the answer is given");
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuOccupancyMaxActiveBlocksPerMultiprocessor)
    return failMissing(*runtime, "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                       "asking for a kernel's occupancy");
  Function *function = nullptr;
  if (attnrt_status status =
          runtime->modules.get(*runtime, *program, kernel, function))
    return status;
  // The driver counts no CTAs at all beyond the function's limit.
  if (attnrt_status status =
          raiseSharedBytes(*runtime, *function, shared_bytes))
    return status;

  attnrt_kernel_info found = {};
  const struct {
    int &value;
    CUfunction_attribute attribute;
  } attributes[] = {
      {found.registers, CU_FUNC_ATTRIBUTE_NUM_REGS},
      {found.local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
      {found.static_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
      {found.max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {found.ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION},
      {found.binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION},
  };
  CUresult result = CUDA_SUCCESS;
  for (const auto &entry : attributes)
    if (result == CUDA_SUCCESS)
      result = driver.cuFuncGetAttribute(&entry.value, entry.attribute,
                                         function->handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &found.ctas_per_sm, function->handle, block_threads, shared_bytes);
  if (attnrt_status status =
          check(*runtime, result,
                "asking what kernel '%s' of program '%s' takes with %u "
                "threads and %u bytes of dynamic shared memory a CTA",
                kernel, getName(*program), block_threads, shared_bytes))
    return status;
  *info = found;
  return ATTNRT_SUCCESS;
}
