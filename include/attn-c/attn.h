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
  /* The driver rejected the program: the driver is too old for the PTX, or the
   * device is not the chip for which the program was compiled. For a program
   * for the host: this machine's CPU lacks features of the `cpu` for which the
   * program was compiled. */
  ATTN_BAD_PROGRAM = 3,
  /* Device or host memory is exhausted. */
  ATTN_OUT_OF_MEMORY = 4,
  /* An argument is invalid; the message names it. */
  ATTN_INVALID_ARGUMENT = 5,
  /* A launch or an earlier kernel failed; the CUDA context may be unusable. */
  ATTN_LAUNCH_FAILED = 6,
  /* Any other error that the driver reports. */
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

/* The options of a compilation. Initialise them by `attn_compile_options o =
 * {sizeof(o)};`, which also sets all other fields to zero. Later versions of
 * this header add fields at the end. */
typedef struct attn_compile_options {
  /* sizeof(attn_compile_options) in the caller's version of this header. Only
   * fields before that offset are read. It must not be inside a field. */
  size_t struct_size;
  /* The target of the compilation: "host", or an NVIDIA chip such as "sm_90a",
   * for which no GPU needs to be present. If null, it is the chip of the
   * current CUDA context's device, or of device 0 if the thread has no context.
   * If there is then no GPU, that is an error and not a reason to compile for
   * the host. */
  const char *chip;
  /* What a kernel may assume of the arrays that launches pass. "narrow":
   * nothing. "async16": rows begin at multiples of 16 bytes. "tma": rows of
   * outputs do, too, and a tensor map can describe each array; this needs a
   * chip with tensor maps. "auto" or null: the best of these that the types
   * allow. Where the types do not determine it, there are several kernels, of
   * which each launch chooses one. The option is only for a chip. */
  const char *access;
  /* The name of the public function to compile. If null, it is "main". */
  const char *function;
  /* LLVM's name of the CPU for which code is compiled, such as "x86-64-v3". If
   * null, it is this machine's CPU. The option is only for the host. A launch
   * needs a machine with all features of this CPU. */
  const char *cpu;
  /* The name of the source in diagnostics. If null, it is "module". */
  const char *source_name;
  /* The directory of the cache of programs, or "0" for none. If null,
   * the environment decides; see "Cache" below. */
  const char *cache;
  /* The path of a file to which attn_compile writes the tile programs. The PTX
   * then has line tables that refer to the file, for profilers. If null,
   * neither is written. The option is only for a chip. */
  const char *lineinfo;
} attn_compile_options;

/* Compiles a module of `length` bytes, which is MLIR text or bytecode. If
 * `options` is null, all options have their defaults. If the call fails,
 * *program is null. Text may nest brackets at most 256 deep. */
ATTN_API attn_status attn_compile(const char *source, size_t length,
                                  const attn_compile_options *options,
                                  attn_program **program);

/* Unloads the program from all contexts and frees it. Its launches must have
 * completed. `program` may be null. */
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

/* Returns the target of the program: "host", or the name of the chip. */
ATTN_API const char *attn_program_chip(const attn_program *program);

/* Returns the PTX of all kernels, or null for a program for the host. */
ATTN_API const char *attn_program_ptx(const attn_program *program);

/* Returns the warnings and remarks of the compilation, or "" if there were
 * none. */
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
  /* A float of 64 bits. Only scalars have this type, not arrays. */
  ATTN_F64 = 4,
  ATTN_I1 = 5, /* one byte, 0 or 1 */
  ATTN_I8 = 6,
  ATTN_I16 = 7,
  ATTN_I32 = 8,
  ATTN_I64 = 9, /* also of type index */
  /* A float of 8 bits. Queries, keys, values, outputs and arrays of tile
   * programs may have this type, and ATTN_F8E5M2. */
  ATTN_F8E4M3FN = 10,
  ATTN_F8E5M2 = 11,
  /* An integer of 4 bits, for keys and values. Two share a byte, of which the
   * one with the even column is in the low half. Sizes and strides count
   * elements: D columns have D / 2 bytes. D and the strides of other dimensions
   * are even. */
  ATTN_I4 = 12,
  /* A byte. No argument has this type: it describes a buffer of bytes for an
   * argument of ATTN_I4, with half as many columns and half the other strides.
   */
  ATTN_U8 = 13
} attn_dtype;

typedef enum attn_argument_kind {
  /* An array that the program reads, and perhaps also writes. */
  ATTN_INPUT = 1,
  /* An array that the program only writes. */
  ATTN_OUTPUT = 2,
  /* An array that the program uses as temporary memory: the caller neither sets
   * nor reads its contents. */
  ATTN_SCRATCH = 3,
  /* A number. */
  ATTN_SCALAR = 4
} attn_argument_kind;

/* Stands for a size or a stride that the caller chooses at each launch. */
#define ATTN_DYNAMIC INT64_MIN

/* Describes an argument of a launch. The arguments are those of the function,
 * in its order, followed by its tensor results. Set struct_size before the
 * call, since later versions add fields. */
typedef struct attn_argument_info {
  size_t struct_size;
  int32_t kind;  /* attn_argument_kind */
  int32_t dtype; /* attn_dtype */
  uint32_t rank; /* 0 for a scalar */
  /* Whether the array must be row-major and contiguous. */
  uint32_t is_contiguous;
  /* The `rank` sizes, and as many strides in elements. A number that the caller
   * chooses is ATTN_DYNAMIC. The stride of a dimension of size 1 may be any
   * number, and so may all strides of an array without elements. In arrays of
   * an attention op the last dimension has stride 1, so that the elements of a
   * row are contiguous. If the type of a value says so, it has stride 1 along
   * its keys instead; strides[2] is then 1. */
  const int64_t *sizes;
  const int64_t *strides;
  /* The role that the argument has in the first attention op of the function
   * that takes it: "query", "key", "value", "output", "lse", "sink",
   * "d_output", "d_lse", "d_query", "d_key", "d_value", "d_sink"; "capture0"
   * and so on for the captures of the op's regions, in order; "d_capture0" and
   * so on for their gradients; or "" for none. */
  const char *name;
  /* The argument's type, as MLIR prints it. */
  const char *type;
  /* Whether the argument is an input that the program also writes. */
  uint32_t is_updated;
} attn_argument_info;

/* Returns the number of arguments of a launch, or 0 if `program` is null. */
ATTN_API uint32_t attn_program_num_arguments(const attn_program *program);
ATTN_API attn_status attn_program_argument(const attn_program *program,
                                           uint32_t index,
                                           attn_argument_info *info);

/* Describes the resources of one kernel. Set struct_size before the call, since
 * later versions add fields. */
typedef struct attn_kernel_info {
  size_t struct_size;
  const char *name;
  /* The kernel's schedule (tile sizes and so on), as the text of an MLIR
   * attribute. */
  const char *schedule;
  int32_t threads; /* of a CTA */
  int32_t dynamic_shared_bytes;
  /* Numbers that the driver reports after it has compiled the PTX, or -1 if
   * they are unknown. */
  int32_t registers;   /* of a thread */
  int32_t local_bytes; /* of a thread: spills, and indexed arrays */
  int32_t static_shared_bytes;
  int32_t ctas_per_sm;
  /* The reasons why the schedule was chosen, one on each line. */
  const char *reasons;
} attn_kernel_info;

/* Returns the number of kernels of the program, which is 0 for the host. */
ATTN_API uint32_t attn_program_num_kernels(const attn_program *program);
/* Describes a kernel, after loading the program into the current CUDA context.
 * If loading fails, the fields that the compiler determines are set
 * nevertheless, and the status says why the others are -1. */
ATTN_API attn_status attn_program_kernel(attn_program *program, uint32_t index,
                                         attn_kernel_info *info);

/*===----------------------------------------------------------------------===*\
|* Launches
\*===----------------------------------------------------------------------===*/

/* Kinds of memory. The numbers are those of DLPack (kDLCPU and so on). */
typedef enum attn_device_type {
  /* The kind of memory is not stated, and not checked. */
  ATTN_DEVICE_ANY = 0,
  ATTN_DEVICE_CPU = 1,
  ATTN_DEVICE_CUDA = 2,
  /* Memory of the type ATTN_DEVICE_CUDA_HOST or ATTN_DEVICE_CUDA_MANAGED is
   * accessible to the host and to a GPU. */
  ATTN_DEVICE_CUDA_HOST = 3,
  ATTN_DEVICE_CUDA_MANAGED = 13
} attn_device_type;

/* The value of an argument of a launch: an array, or a number. For a number,
 * `rank` is 0, and `data` is the address of the number in host memory. */
typedef struct attn_buffer {
  /* The address of the first element. It may be null if the array has no
   * elements. */
  void *data;
  /* The sizes and the strides, `rank` numbers each. Strides are in elements. If
   * `strides` is null, the array is row-major and contiguous. */
  const int64_t *sizes;
  const int64_t *strides;
  uint32_t rank;
  int32_t dtype;       /* attn_dtype */
  int32_t device_type; /* attn_device_type */
  int32_t device_id;   /* the CUDA ordinal, for ATTN_DEVICE_CUDA */
} attn_buffer;

/* Sets *buffer to the description of a `DLTensor` of DLPack, such as the member
 * dl_tensor of a DLManagedTensor or of a DLManagedTensorVersioned. All versions
 * of dlpack.h from 0.2 to 1.x are allowed, since they lay it out alike. The
 * buffer borrows the tensor's shape and strides. Element types and devices that
 * no program takes are errors. */
ATTN_API attn_status attn_buffer_from_dlpack(const void *dl_tensor,
                                             attn_buffer *buffer);

/* Sets *bytes to the number of bytes of device memory that a launch with these
 * arguments needs for data that its kernels pass to each other: partial
 * results, sums, lists of tiles. The number depends on the arguments' sizes and
 * strides, on the current CUDA context's device, and on the alignment of
 * addresses, but not on the arrays' contents. More rows or keys never need
 * fewer bytes, except in gradients of more than 256 columns without causal or a
 * window. A smaller batch may need more, if its few rows let the kernels divide
 * keys among the SMs. Arrays may have null addresses, which count as
 * multiples of 256. A program for the host needs 0 bytes. */
ATTN_API attn_status attn_program_workspace_size(const attn_program *program,
                                                 const attn_buffer *arguments,
                                                 uint32_t num_arguments,
                                                 uint64_t *bytes);

/* The type of a stream in the CUDA driver's header, which is declared here so
 * that no CUDA header is needed. */
struct CUstream_st;

/* Runs the program on the arguments, of which there must be as many as
 * attn_program_num_arguments returns. On a GPU, this launches kernels in order
 * on `stream`, a CUstream or cudaStream_t of the current context, and returns
 * without waiting for them. The first launch in a context loads the program. On
 * the host, the program runs on all cores, and the call returns when it is
 * done; `stream` must be null. Arrays that are written must not share elements
 * with other arrays, and each of their elements must have its own address.
 * Arrays may be interleaved, as parts of one packed array are. */
ATTN_API attn_status attn_launch(attn_program *program,
                                 struct CUstream_st *stream,
                                 const attn_buffer *arguments,
                                 uint32_t num_arguments);

/* Does the same as attn_launch, but takes the memory that the launch needs from
 * a workspace, and allocates nothing. attn_launch allocates that memory from a
 * pool, in the stream's order. `workspace` is the address of `workspace_bytes`
 * bytes of device memory, and a multiple of 256. The workspace must not be used
 * otherwise until the launch is done, but launches on one stream may share it.
 * If it is too small, nothing is launched, and the message of
 * ATTN_OUT_OF_MEMORY says how many bytes are needed. For a program for the
 * host, pass null and 0. */
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
