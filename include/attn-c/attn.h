/*===- attn.h - The compiler for programs in C --------------------*- C -*-===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Compiles a module with attention ops, for an NVIDIA GPU or for the host's
 * CPU, and runs it on arrays of the caller's:
 *
 *   attn_program *program;
 *   if (attn_compile(text, strlen(text), NULL, &program) != ATTN_SUCCESS)
 *     fail(attn_last_error());
 *   attn_buffer arguments[] = {query, key, value, output};
 *   if (attn_launch(program, stream, arguments, 4) != ATTN_SUCCESS)
 *     fail(attn_last_error());
 *   attn_program_destroy(program);
 *
 * Errors. A call that can fail returns an attn_status, and attn_last_error()
 * then says what was wrong, in one message, to the thread that called. A failed
 * call changes nothing else. Wrong arguments never crash, pointers that lead
 * nowhere excepted.
 *
 * Threads. All calls may be made from any thread at any time, on the same
 * program too; only attn_program_destroy must be a program's last call.
 *
 * CUDA. The driver is loaded when it is first needed (libcuda.so.1); nothing
 * here links CUDA. Launches act on the calling thread's current CUDA context,
 * such as the primary context that the CUDA runtime and PyTorch use, and one
 * program serves several contexts. A new thread has no context until somebody
 * gives it one: cudaSetDevice or torch.cuda.set_device do.
 *
 * Lifetime. Strings and arrays that a program hands out are its own and live
 * until it is destroyed. What is passed to a call is not used after it returns,
 * except that a launch on a GPU reads and writes arrays in the stream's order.
 */
#ifndef ATTN_C_ATTN_H
#define ATTN_C_ATTN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ATTN_API __attribute__((visibility("default")))
#else
#define ATTN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum attn_status {
  ATTN_SUCCESS = 0,
  /* No CUDA driver on this machine, or one that lacks a function. */
  ATTN_NO_DRIVER = 1,
  /* No device, or no current CUDA context on the calling thread. */
  ATTN_NO_DEVICE = 2,
  /* The driver refused the program: too old for the PTX, another chip. Or this
   * machine's CPU lacks what a program for the host's `cpu` needs. */
  ATTN_BAD_PROGRAM = 3,
  /* Device or host memory is exhausted. */
  ATTN_OUT_OF_MEMORY = 4,
  /* An argument that the call cannot accept; the message names it. */
  ATTN_INVALID_ARGUMENT = 5,
  /* A launch or an earlier kernel failed; the CUDA context may be lost. */
  ATTN_LAUNCH_FAILED = 6,
  /* Any other error of the driver. */
  ATTN_DRIVER_ERROR = 7,
  /* The source does not parse or verify; the message holds the diagnostics. */
  ATTN_INVALID_MODULE = 8,
  /* The module is valid but cannot be compiled for what was asked for; the
   * message holds the diagnostics. */
  ATTN_UNSUPPORTED = 9
} attn_status;

/* The message of the calling thread's last failed call, or "". Valid until the
 * thread's next failed call. */
ATTN_API const char *attn_last_error(void);

/* The project's version, such as "0.1.0". */
ATTN_API const char *attn_version(void);

/*===----------------------------------------------------------------------===*\
|* Compilation
\*===----------------------------------------------------------------------===*/

/* A compiled function, for one target. */
typedef struct attn_program attn_program;

/* Zero all of it and set struct_size: `attn_compile_options o = {sizeof(o)};`.
 * Later versions add fields at the end. */
typedef struct attn_compile_options {
  /* sizeof(attn_compile_options), as the caller was compiled: the fields up to
   * there are read. It must not end within one. */
  size_t struct_size;
  /* "host", or an NVIDIA chip such as "sm_90a", for which no GPU is needed.
   * Null is the chip of the current CUDA context's device, or of device 0 if
   * the thread has no context. There is no silent fallback to the host. */
  const char *chip;
  /* What a kernel may assume of addresses: "narrow", nothing; "async16", rows
   * begin at multiples of 16 bytes; "tma", the output's too, and a tensor map
   * can describe each array, on a chip that has tensor maps; "auto", as null,
   * the best that fits and narrow where the types do not tell, chosen at each
   * launch. For a chip alone. */
  const char *access;
  /* The public function to compile, "main" if null. */
  const char *function;
  /* The CPU as LLVM names it, such as "x86-64-v3"; this machine's if null. For
   * the host alone. Launches need a machine that has all of this CPU's
   * features. */
  const char *cpu;
  /* What diagnostics call the source, "module" if null. */
  const char *source_name;
  /* The directory of the cache of programs, or "0" for none. If null,
   * the environment decides; see "Cache" below. */
  const char *cache;
  /* A file that attn_compile writes the tile programs to, with line tables in
   * the PTX that point there for a profiler; null for neither. For a chip
   * alone. */
  const char *lineinfo;
} attn_compile_options;

/* Compiles a module given as MLIR text or bytecode, of `length` bytes. Null
 * options are the defaults. On failure *program is null. Text may nest brackets
 * 256 deep. */
ATTN_API attn_status attn_compile(const char *source, size_t length,
                                  const attn_compile_options *options,
                                  attn_program **program);

/* Unloads the program from all contexts. Its launches must have completed. Null
 * is allowed. */
ATTN_API void attn_program_destroy(attn_program *program);

/* Cache. What attn_compile makes is kept in a directory, for all processes of
 * the user: another compilation of the same source, with the same options, for
 * the same CPU and by the same build of this library takes it from there. What
 * cannot be read or written there is compiled; it is no error. Who can write to
 * the directory decides what runs. Machine code for a GPU, which the driver
 * makes of the PTX at the first launch, the driver keeps itself; see
 * CUDA_CACHE_PATH in its documentation.
 *
 *   ATTN_MLIR_CACHE      the directory, or 0 for none; by default attn-mlir in
 *                        $XDG_CACHE_HOME, which is by default ~/.cache
 *   ATTN_MLIR_CACHE_MIB  what it may hold, 256 by default; the entries that
 *                        were used longest ago go first */

/*===----------------------------------------------------------------------===*\
|* What was compiled
\*===----------------------------------------------------------------------===*/

/* "host", or the chip. */
ATTN_API const char *attn_program_chip(const attn_program *program);

/* PTX of all kernels, or null for the host. */
ATTN_API const char *attn_program_ptx(const attn_program *program);

/* Warnings and remarks of the compilation, or "". */
ATTN_API const char *attn_program_diagnostics(const attn_program *program);

/* The module as text after a stage of the compilation, which is repeated on the
 * first call:
 *
 *   "source"  as it was parsed
 *   "tile"    tile programs (the pipeline attn-to-tile)
 *   "nvvm"    kernels in the LLVM and NVVM dialects; for a chip alone
 *   "llvm"    host functions in the LLVM dialect, which call the kernels or are
 *             the whole program
 *
 * Another name is that of a pass, as attn-opt calls it: the text is the module
 * after each of its runs, under a line that begins with "// -----//". The error
 * for a name that is neither lists all. */
ATTN_API attn_status attn_program_ir(attn_program *program, const char *stage,
                                     const char **text);

typedef enum attn_dtype {
  ATTN_F16 = 1,
  ATTN_BF16 = 2,
  ATTN_F32 = 3,
  /* For scalars alone. */
  ATTN_F64 = 4,
  ATTN_I1 = 5, /* one byte, 0 or 1 */
  ATTN_I8 = 6,
  ATTN_I16 = 7,
  ATTN_I32 = 8,
  ATTN_I64 = 9, /* also of type index */
  /* One byte; of keys, values, and arrays of tile programs. */
  ATTN_F8E4M3FN = 10,
  ATTN_F8E5M2 = 11
} attn_dtype;

typedef enum attn_argument_kind {
  /* An array that is read, and perhaps written as well. */
  ATTN_INPUT = 1,
  /* An array that is written alone. */
  ATTN_OUTPUT = 2,
  /* An array whose contents nobody reads before or after. */
  ATTN_SCRATCH = 3,
  /* A number. */
  ATTN_SCALAR = 4
} attn_argument_kind;

/* A size or stride that the caller chooses at each launch. */
#define ATTN_DYNAMIC INT64_MIN

/* One argument of a launch: the function's arguments in order, then its tensor
 * results. Set struct_size before the call; later versions add fields. */
typedef struct attn_argument_info {
  size_t struct_size;
  int32_t kind;  /* attn_argument_kind */
  int32_t dtype; /* attn_dtype */
  uint32_t rank; /* 0 for a scalar */
  /* Whether the array must be row-major without gaps. */
  uint32_t is_contiguous;
  /* `rank` sizes, and strides in elements; ATTN_DYNAMIC where open. A dimension
   * of size 1 has any stride, and so do all of an array without elements. That
   * of the last dimension of an attention's array is 1: rows have no gaps. */
  const int64_t *sizes;
  const int64_t *strides;
  /* The role in the function's first attention op that it has one in: "query",
   * "key", "value", "output", "lse", "sink", "d_output", "d_lse", "d_query",
   * "d_key", "d_value", "d_sink", "capture0" and so on for what its regions
   * capture, in order, or "d_capture0" for the gradient of it, else "". */
  const char *name;
  /* The type as MLIR prints it. */
  const char *type;
} attn_argument_info;

/* Null has no arguments. */
ATTN_API uint32_t attn_program_num_arguments(const attn_program *program);
ATTN_API attn_status attn_program_argument(const attn_program *program,
                                           uint32_t index,
                                           attn_argument_info *info);

/* What one kernel takes. Set struct_size before the call. */
typedef struct attn_kernel_info {
  size_t struct_size;
  const char *name;
  /* Tile sizes and the like, as an MLIR attribute. */
  const char *schedule;
  int32_t threads; /* of a CTA */
  int32_t dynamic_shared_bytes;
  /* What the driver says once it has compiled the PTX, else -1. */
  int32_t registers;   /* of a thread */
  int32_t local_bytes; /* of a thread: spills, and what is indexed */
  int32_t static_shared_bytes;
  int32_t ctas_per_sm;
  /* Why the kernel has this schedule, a line for each reason. */
  const char *reasons;
} attn_kernel_info;

/* A program for the host has no kernels. */
ATTN_API uint32_t attn_program_num_kernels(const attn_program *program);
/* Loads the program into the current CUDA context. Where that fails, what the
 * compiler alone decides is filled in all the same, and the status says why the
 * rest is -1. */
ATTN_API attn_status attn_program_kernel(attn_program *program, uint32_t index,
                                         attn_kernel_info *info);

/*===----------------------------------------------------------------------===*\
|* Launches
\*===----------------------------------------------------------------------===*/

/* Kinds of memory; DLPack has the same numbers (kDLCPU and so on). */
typedef enum attn_device_type {
  /* Not stated, and not checked. */
  ATTN_DEVICE_ANY = 0,
  ATTN_DEVICE_CPU = 1,
  ATTN_DEVICE_CUDA = 2,
  /* Both of these serve the host and a GPU. */
  ATTN_DEVICE_CUDA_HOST = 3,
  ATTN_DEVICE_CUDA_MANAGED = 13
} attn_device_type;

/* An array, or with rank 0 and `data` an address on the host, a number. */
typedef struct attn_buffer {
  /* The first element; may be null if there are no elements. */
  void *data;
  /* `rank` numbers each, in elements. Null strides: row-major without gaps. */
  const int64_t *sizes;
  const int64_t *strides;
  uint32_t rank;
  int32_t dtype;       /* attn_dtype */
  int32_t device_type; /* attn_device_type */
  int32_t device_id;   /* the CUDA ordinal, for ATTN_DEVICE_CUDA */
} attn_buffer;

/* Describes a `DLTensor` of DLPack (dlpack.h, any version from 0.2 to 1.x, all
 * of which lay it out alike): the member dl_tensor of a DLManagedTensor or of a
 * DLManagedTensorVersioned. The buffer borrows the tensor's shape and strides.
 * Element types and devices that no program takes are errors. */
ATTN_API attn_status attn_buffer_from_dlpack(const void *dl_tensor,
                                             attn_buffer *buffer);

/* Bytes of device memory that a launch with these arguments takes for what its
 * kernels hand to each other: partial results, sums, lists of tiles. Sizes and
 * strides decide, not what arrays hold. More rows or keys never need less; a
 * smaller batch may where few rows divide keys among the SMs. Arrays may have
 * null addresses, which then count as multiples of 256. The current CUDA
 * context's device counts, too. 0 for a program for the host. */
ATTN_API attn_status attn_program_workspace_size(const attn_program *program,
                                                 const attn_buffer *arguments,
                                                 uint32_t num_arguments,
                                                 uint64_t *bytes);

/* What the CUDA driver's header calls a stream, named so that none is needed.
 */
struct CUstream_st;

/* Runs the program on the arguments, of which there must be as many as
 * attn_program_num_arguments says. On a GPU: launches in order on `stream`, a
 * CUstream or cudaStream_t of the current context, and returns without waiting;
 * the first launch in a context loads the program. On the host: runs on all
 * cores and returns when it is done; `stream` must be null. Arrays that are
 * written must have no element in common with others, nor their own elements
 * with each other; they may lie between each other's elements, as the parts of
 * one packed array do. */
ATTN_API attn_status attn_launch(attn_program *program,
                                 struct CUstream_st *stream,
                                 const attn_buffer *arguments,
                                 uint32_t num_arguments);

/* As attn_launch, with the launch's memory at `workspace`, a multiple of 256,
 * of `workspace_bytes` of the device's: nothing is allocated. attn_launch takes
 * it from a pool, in the stream's order. The memory must be nobody else's until
 * the launch is done; launches on one stream may share it. Too little is
 * ATTN_OUT_OF_MEMORY, whose message says what is needed, before anything is
 * launched. A program for the host takes null and 0. */
ATTN_API attn_status attn_launch_with_workspace(attn_program *program,
                                                struct CUstream_st *stream,
                                                const attn_buffer *arguments,
                                                uint32_t num_arguments,
                                                void *workspace,
                                                uint64_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_C_ATTN_H */
