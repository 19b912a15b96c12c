/*===- xla.h - Programs as custom calls of XLA --------------------*- C -*-===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * A handler of XLA's foreign function interface (FFI), version 0.3, that
 * compiles a module when an executable is built and launches it when that runs:
 * on the host, or on XLA's stream. attn_mlir.jax registers it; other
 * front ends of XLA register it themselves, as jaxlib's xla/ffi/api/c_api.h
 * describes.
 *
 * Attributes of the custom call:
 *
 *   module     a string: MLIR, of which the function `main` is compiled
 *   arguments  an array of i64: the index of the result that is the launch's
 *              workspace, or -1; then for each argument of the function the
 *              index of its buffer among operands and then results, its rank,
 *              and for each of its dimensions the buffer's dimension. Numbers
 *              have rank 0; on CUDA, all arguments must be arrays
 *
 * Buffers are row-major. An argument that is read and written, such as a cache,
 * is a result that aliases an operand. The workspace is an array of bytes, 256
 * more than attn_program_workspace_size; without one, a launch that needs
 * memory allocates it from a pool.
 */
#ifndef ATTN_C_XLA_H
#define ATTN_C_XLA_H

#include "attn-c/attn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum attn_xla_kind {
  /* The handler for XLA's platform "cpu". */
  ATTN_XLA_HOST = 0,
  /* A handler for XLA's platform "CUDA", whose launches XLA may capture in CUDA
   * graphs. A launch that needs memory must be given it as a workspace. */
  ATTN_XLA_CUDA = 1,
  /* A handler for XLA's platform "CUDA", whose launches are never captured in a
   * graph. They allocate the memory that they need from a pool. */
  ATTN_XLA_CUDA_POOL = 2
} attn_xla_kind;

typedef struct attn_xla_target {
  /* The XLA_FFI_Handler for the stages instantiate, initialize and execute. */
  void *handler;
  /* The name, the XLA_FFI_TypeId and the XLA_FFI_TypeInfo of the handler's
   * state. The caller registers this type before the handler. The two kinds for
   * CUDA share one type. */
  const char *type_name;
  void *type_id;
  void *type_info;
} attn_xla_target;

/* Sets *target to the handler and the type that the caller registers with XLA
 * for `kind`, an attn_xla_kind. They belong to the library and are never freed.
 */
ATTN_API attn_status attn_xla_get_target(int32_t kind, attn_xla_target *target);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_XLA_H */
