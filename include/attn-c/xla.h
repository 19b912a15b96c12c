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
 * on the host, or on the stream of XLA's. attn_mlir.jax registers it; other
 * front ends of XLA register it themselves, as jaxlib's xla/ffi/api/c_api.h
 * describes.
 *
 * Attributes of the custom call:
 *
 *   module     a string: MLIR, of which the function `main` is compiled
 *   arguments  an array of i64: the number of the result that is the launch's
 *              memory, or -1; then for each argument of the function the number
 *              of its buffer, which counts operands and then results, its rank,
 *              and for each of its dimensions that of the buffer
 *
 * Buffers are row-major. An argument that is read and written, as a cache is,
 * is a result that aliases an operand. A launch's memory is bytes, 256 more
 * than attn_program_workspace_size says; without it a launch that needs some
 * takes it from a pool.
 */
#ifndef ATTN_C_XLA_H
#define ATTN_C_XLA_H

#include "attn-c/attn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum attn_xla_kind {
  /* For XLA's platform "cpu". */
  ATTN_XLA_HOST = 0,
  /* For "CUDA"; XLA may make CUDA graphs of it. Launches that need memory must
   * be given it. */
  ATTN_XLA_CUDA = 1,
  /* For "CUDA", never in a graph: launches that take memory from a pool. */
  ATTN_XLA_CUDA_POOL = 2
} attn_xla_kind;

typedef struct attn_xla_target {
  /* The XLA_FFI_Handler of the stages instantiate, initialize and execute. */
  void *handler;
  /* The name, XLA_FFI_TypeId and XLA_FFI_TypeInfo of the handler's state, to be
   * registered before the handler is. Both kinds for CUDA have one. */
  const char *type_name;
  void *type_id;
  void *type_info;
} attn_xla_target;

/* What to register with XLA. It is the library's own and never freed. */
ATTN_API attn_status attn_xla_get_target(int32_t kind, attn_xla_target *target);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_XLA_H */
