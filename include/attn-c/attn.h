/*===- attn.h - The compiler for programs in C --------------------*- C -*-===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Compiles a module with attention ops, for an NVIDIA GPU or for the host's
 * CPU, and runs it on the caller's arrays:
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
 * then returns one message about the error to the thread that called. A failed
 * call changes nothing else. Wrong arguments never crash, except invalid
 * pointers.
 *
 * Threads. All calls may be made from any thread at any time, on the same
 * program too; only attn_program_destroy must be a program's last call.
 *
 * CUDA. The driver is loaded when it is first needed (libcuda.so.1); nothing
 * here links CUDA. Launches act on the calling thread's current CUDA context,
 * such as the primary context that the CUDA runtime and PyTorch use, and one
 * program serves several contexts. A new thread has no context until one is
 * set, as by cudaSetDevice or torch.cuda.set_device.
 *
 * Lifetime. Strings and arrays that a program returns belong to it and live
 * until it is destroyed. A call does not use its arguments after it returns,
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
  /* There is no CUDA driver on this machine, or it lacks a function. */
  ATTN_NO_DRIVER = 1,
  /* There is no device, or the calling thread has no current CUDA context. */
  ATTN_NO_DEVICE = 2,
  /* The driver rejected the program: it is too old for the PTX, or the device
   * is not the chip of the program. Or this machine's CPU lacks features of the
   * `cpu` that a program for the host was compiled for. */
  ATTN_BAD_PROGRAM = 3,
  /* Device or host memory is exhausted. */
  ATTN_OUT_OF_MEMORY = 4,
  /* An argument is invalid; the message names it. */
  ATTN_INVALID_ARGUMENT = 5,
  /* A launch or an earlier kernel failed; the CUDA context may be unusable. */
  ATTN_LAUNCH_FAILED = 6,
  /* Any other error of the driver. */
  ATTN_DRIVER_ERROR = 7,
  /* The source does not parse or verify; the message holds the diagnostics. */
  ATTN_INVALID_MODULE = 8,
  /* The module is valid, but cannot be compiled with these options; the message
   * holds the diagnostics. */
  ATTN_UNSUPPORTED = 9
} attn_status;

/* Returns the message of the calling thread's last failed call, or "". It is
 * valid until the thread's next failed call. */
ATTN_API const char *attn_last_error(void);

/* Returns the project's version, such as "0.1.0". */
ATTN_API const char *attn_version(void);

/*===----------------------------------------------------------------------===*\
|* Compilation
\*===----------------------------------------------------------------------===*/

/* A function that was compiled for one target. */
typedef struct attn_program attn_program;

/* Initialise it by `attn_compile_options o = {sizeof(o)};`, which also sets all
 * other fields to zero. Later versions add fields at the end. */
typedef struct attn_compile_options {
  /* sizeof(attn_compile_options) in the caller's version of this header. Only
   * the fields up to there are read. It must not end within a field. */
  size_t struct_size;
  /* "host", or an NVIDIA chip such as "sm_90a", which needs no GPU. If null,
   * the chip is that of the current CUDA context's device, or of device 0 if
   * the thread has no context. If there is no GPU, that is an error and not a
   * reason to compile for the host. */
  const char *chip;
  /* What a kernel may assume of arrays. "narrow": nothing. "async16": rows
   * begin at multiples of 16 bytes. "tma": rows of outputs do, too, and a
   * tensor map can describe each array; this needs a chip with tensor maps.
   * "auto" or null: the best of these that the types allow; where the types do
   * not determine it, there are several kernels, of which each launch chooses
   * one. Only for a chip. */
  const char *access;
  /* The public function to compile, "main" if null. */
  const char *function;
  /* LLVM's name of the CPU, such as "x86-64-v3"; this machine's if null. Only
   * for the host. A launch needs a machine with all features of this CPU. */
  const char *cpu;
  /* The name of the source in diagnostics, "module" if null. */
  const char *source_name;
  /* The directory of the cache of programs, or "0" for none. If null,
   * the environment decides; see "Cache" below. */
  const char *cache;
  /* A file that attn_compile writes the tile programs to; the PTX then has line
   * tables that refer to it, for profilers. Null for neither. Only for a
   * chip. */
  const char *lineinfo;
} attn_compile_options;

/* Compiles a module of `length` bytes of MLIR text or bytecode. If `options` is
 * null, all options have their defaults. On failure *program is null. Text may
 * nest brackets at most 256 deep. */
ATTN_API attn_status attn_compile(const char *source, size_t length,
                                  const attn_compile_options *options,
                                  attn_program **program);

/* Unloads the program from all contexts. Its launches must have completed. Null
 * is allowed. */
ATTN_API void attn_program_destroy(attn_program *program);

/* Cache. The results of attn_compile are kept in a directory, for all processes
 * of the user, and reused if the same source is compiled again with the same
 * options, for the same CPU and by the same build of this library. If an entry
 * cannot be read or written, the program is compiled; that is no error. Users
 * who can write to the directory can run any code in these processes. The
 * driver compiles PTX to machine code at the first launch, and has its own
 * cache; see CUDA_CACHE_PATH in its documentation.
 *
 *   ATTN_MLIR_CACHE      the directory, or 0 for none; by default attn-mlir in
 *                        $XDG_CACHE_HOME, which is by default ~/.cache
 *   ATTN_MLIR_CACHE_MIB  its largest size, 256 by default; the entries that
 *                        were used longest ago are removed first */

/*===----------------------------------------------------------------------===*\
|* Queries of a program
\*===----------------------------------------------------------------------===*/

/* Returns "host", or the chip. */
ATTN_API const char *attn_program_chip(const attn_program *program);

/* Returns the PTX of all kernels, or null for the host. */
ATTN_API const char *attn_program_ptx(const attn_program *program);

/* Returns the warnings and remarks of the compilation, or "". */
ATTN_API const char *attn_program_diagnostics(const attn_program *program);

/* Sets *text to the module after a stage of the compilation. The first call
 * with a stage compiles the source again. The stages are:
 *
 *   "source"  the parsed module
 *   "tile"    tile programs (the pipeline attn-to-tile)
 *   "nvvm"    kernels in the LLVM and NVVM dialects; for a chip only
 *   "llvm"    host functions in the LLVM dialect, which call the kernels or are
 *             the whole program
 *
 * `stage` may also be the flag of a pass in attn-opt: the text is then the
 * module after each run of the pass, under a line of MLIR's format
 * "// -----// IR Dump After ...". If it is neither, the error lists all names.
 */
ATTN_API attn_status attn_program_ir(attn_program *program, const char *stage,
                                     const char **text);

typedef enum attn_dtype {
  ATTN_F16 = 1,
  ATTN_BF16 = 2,
  ATTN_F32 = 3,
  /* Only for scalars. */
  ATTN_F64 = 4,
  ATTN_I1 = 5, /* one byte, 0 or 1 */
  ATTN_I8 = 6,
  ATTN_I16 = 7,
  ATTN_I32 = 8,
  ATTN_I64 = 9, /* also of type index */
  /* One byte; for queries, keys, values, outputs and arrays of tile programs.
   */
  ATTN_F8E4M3FN = 10,
  ATTN_F8E5M2 = 11,
  /* Two to a byte, the one with the even column in the low half; for keys and
   * values. Sizes and strides count elements: D columns have D / 2 bytes, and D
   * and the strides of other dimensions are even. */
  ATTN_I4 = 12,
  /* No argument has this type: it describes a buffer of bytes for an argument
   * of ATTN_I4, with half as many columns and half the other strides. */
  ATTN_U8 = 13
} attn_dtype;

typedef enum attn_argument_kind {
  /* An array that is read, and perhaps written as well. */
  ATTN_INPUT = 1,
  /* An array that is only written. */
  ATTN_OUTPUT = 2,
  /* An array that the program uses as temporary memory: the caller neither sets
   * nor reads its contents. */
  ATTN_SCRATCH = 3,
  /* A number. */
  ATTN_SCALAR = 4
} attn_argument_kind;

/* A size or stride that the caller chooses at each launch. */
#define ATTN_DYNAMIC INT64_MIN

/* An argument of a launch. These are the function's arguments in order, then
 * its tensor results. Set struct_size before the call; later versions add
 * fields. */
typedef struct attn_argument_info {
  size_t struct_size;
  int32_t kind;  /* attn_argument_kind */
  int32_t dtype; /* attn_dtype */
  uint32_t rank; /* 0 for a scalar */
  /* Whether the array must be row-major and contiguous. */
  uint32_t is_contiguous;
  /* `rank` sizes, and as many strides in elements; ATTN_DYNAMIC where the
   * caller chooses them. The stride of a dimension of size 1 may be any number,
   * and so may all strides of an array without elements. In arrays of an
   * attention op the last dimension has stride 1: elements of a row are
   * contiguous. A value may have stride 1 along its keys instead, where its
   * type says so; strides[2] is then 1. */
  const int64_t *sizes;
  const int64_t *strides;
  /* The role in the first of the function's attention ops that takes the
   * argument: "query", "key", "value", "output", "lse", "sink", "d_output",
   * "d_lse", "d_query", "d_key", "d_value", "d_sink"; "capture0" and so on for
   * the captures of the op's regions, in order; "d_capture0" and so on for
   * their gradients; or "" for none. */
  const char *name;
  /* The type as MLIR prints it. */
  const char *type;
} attn_argument_info;

/* Returns the number of arguments; 0 if `program` is null. */
ATTN_API uint32_t attn_program_num_arguments(const attn_program *program);
ATTN_API attn_status attn_program_argument(const attn_program *program,
                                           uint32_t index,
                                           attn_argument_info *info);

/* The resources of one kernel. Set struct_size before the call. */
typedef struct attn_kernel_info {
  size_t struct_size;
  const char *name;
  /* The schedule (tile sizes and so on), as an MLIR attribute. */
  const char *schedule;
  int32_t threads; /* of a CTA */
  int32_t dynamic_shared_bytes;
  /* The driver's numbers after it has compiled the PTX, else -1. */
  int32_t registers;   /* of a thread */
  int32_t local_bytes; /* of a thread: spills, and indexed arrays */
  int32_t static_shared_bytes;
  int32_t ctas_per_sm;
  /* The reasons for the schedule, one a line. */
  const char *reasons;
} attn_kernel_info;

/* Returns the number of kernels, which is 0 for a program for the host. */
ATTN_API uint32_t attn_program_num_kernels(const attn_program *program);
/* Describes a kernel, after loading the program into the current CUDA context.
 * If loading fails, the fields that the compiler determines are set
 * nevertheless, and the status says why the others are -1. */
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
  /* Memory of these two types is accessible to the host and to a GPU. */
  ATTN_DEVICE_CUDA_HOST = 3,
  ATTN_DEVICE_CUDA_MANAGED = 13
} attn_device_type;

/* An array; or, with rank 0 and the address of host memory in `data`, a
 * number. */
typedef struct attn_buffer {
  /* The address of the first element; may be null if there are no elements. */
  void *data;
  /* `rank` numbers each; strides are in elements. Null strides mean that the
   * array is row-major and contiguous. */
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

/* Sets *bytes to the bytes of device memory that a launch with these arguments
 * needs for data that its kernels pass to each other: partial results, sums,
 * lists of tiles. They depend on sizes and strides, the current CUDA context's
 * device, and on the alignment of addresses, but not on the arrays' contents.
 * More rows or keys never need less; a smaller batch may need more, where few
 * rows divide keys among the SMs. Arrays may have null addresses, which count
 * as multiples of 256. A program for the host needs 0. */
ATTN_API attn_status attn_program_workspace_size(const attn_program *program,
                                                 const attn_buffer *arguments,
                                                 uint32_t num_arguments,
                                                 uint64_t *bytes);

/* The stream of the CUDA driver's header, declared so that no CUDA header is
 * needed. */
struct CUstream_st;

/* Runs the program on the arguments, as many as attn_program_num_arguments
 * returns. On a GPU, this launches kernels in order on `stream`, a CUstream or
 * cudaStream_t of the current context, and returns without waiting; the first
 * launch in a context loads the program. On the host, it runs on all cores and
 * returns when it is done; `stream` must be null. Arrays that are written must
 * not share elements with other arrays, and each of their elements must have
 * its own address. Arrays may be interleaved, as parts of one packed array
 * are. */
ATTN_API attn_status attn_launch(attn_program *program,
                                 struct CUstream_st *stream,
                                 const attn_buffer *arguments,
                                 uint32_t num_arguments);

/* Does the same with the launch's memory at `workspace`, a multiple of 256, of
 * `workspace_bytes` bytes of device memory, and allocates nothing; attn_launch
 * allocates it from a pool, in the stream's order. The memory must not be used
 * otherwise until the launch is done; launches on one stream may share it. If
 * it is too small, nothing is launched, and the message of ATTN_OUT_OF_MEMORY
 * says how much is needed. For a program for the host pass null and 0. */
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
