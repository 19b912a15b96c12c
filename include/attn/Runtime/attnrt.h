/*===- attnrt.h - The runtime that compiled GPU programs call -----*- C -*-===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * A thin layer over the CUDA driver, which it loads at run time: nothing links
 * CUDA, and one binary runs with and without a GPU.
 *
 * Every call returns a status. A failure's message, with the driver's name of
 * the error and what was being done, is kept in the runtime for the calling
 * thread until its next failure. There is no global state: all of it hangs off
 * an attnrt_runtime, which may be used from several threads and with several
 * CUDA contexts. Compiled entries take (runtime, stream, descriptors...) and
 * act on the calling thread's current CUDA context.
 */
#ifndef ATTN_RUNTIME_ATTNRT_H
#define ATTN_RUNTIME_ATTNRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum attnrt_status {
  ATTNRT_SUCCESS = 0,
  /* No driver on this machine, or one that lacks a function. */
  ATTNRT_NO_DRIVER = 1,
  /* No device, or no current context on the calling thread. */
  ATTNRT_NO_DEVICE = 2,
  /* The driver refused the program: too old for the PTX, another chip. */
  ATTNRT_BAD_PROGRAM = 3,
  /* Device or host memory is exhausted. */
  ATTNRT_OUT_OF_MEMORY = 4,
  /* An argument that the callee cannot accept. */
  ATTNRT_INVALID_ARGUMENT = 5,
  /* A launch or an earlier kernel failed; the context may be lost. */
  ATTNRT_LAUNCH_FAILED = 6,
  /* Any other error of the driver. */
  ATTNRT_DRIVER_ERROR = 7
} attnrt_status;

typedef struct attnrt_runtime attnrt_runtime;
/* The driver's own types, named here so that no CUDA header is needed. */
typedef struct CUctx_st *attnrt_context;
typedef struct CUstream_st *attnrt_stream;
typedef struct CUevent_st *attnrt_event;
typedef uint64_t attnrt_device_ptr;

/* Loads the driver: `library`, or libcuda.so.1 if null. On failure *runtime is
 * still a runtime, whose message says why; destroy it as any other. It is null
 * only if host memory is exhausted. */
attnrt_status attnrt_create(const char *library, attnrt_runtime **runtime);
/* Unloads all modules. Contexts must still exist or be known to be destroyed;
 * modules of destroyed contexts are forgotten. Null is allowed. */
void attnrt_destroy(attnrt_runtime *runtime);
/* Unloads all modules and forgets their programs, whose memory may then be
 * freed. No launch may be in flight or made meanwhile by another thread. */
void attnrt_forget_programs(attnrt_runtime *runtime);
/* The calling thread's last failure, or "". Valid until its next failure. */
const char *attnrt_last_error(attnrt_runtime *runtime);
/* Records a failure of the caller's own, as compiled entries do for shape
 * checks, and returns `status`. */
attnrt_status attnrt_fail(attnrt_runtime *runtime, attnrt_status status,
                          const char *message);

/*===----------------------------------------------------------------------===*\
|* Programs and launches: what compiled code calls
\*===----------------------------------------------------------------------===*/

/* One compiled GPU module; compiled code holds it in constant memory. Its
 * address identifies it in the runtime's cache, per context. */
typedef struct attnrt_program {
  /* PTX with a terminating zero, which image_size counts, or a cubin. */
  const void *image;
  size_t image_size;
  /* For messages: the name of the module and the chip it was compiled for. */
  const char *name;
  const char *chip;
} attnrt_program;

enum {
  /* Programmatic dependent launch: may begin before the previous kernel on the
   * stream has ended, as it waits for that itself. Drivers before 12.3, which
   * do not capture such launches, order the kernels as others. */
  ATTNRT_LAUNCH_DEPENDENT = 1
};

typedef struct attnrt_launch {
  const attnrt_program *program;
  const char *kernel;
  /* CTAs; a launch with a zero in it is no launch and succeeds. */
  uint64_t grid[3];
  uint32_t block[3];
  /* CTAs of a cluster; zeros or ones mean none. */
  uint32_t cluster[3];
  /* Dynamic shared memory of a CTA. The function's limit is raised once. */
  uint32_t shared_bytes;
  uint32_t flags;
  /* Addresses and byte sizes of the kernel's parameters. The sizes, if given,
   * are compared once with the kernel's, where the driver can tell those. */
  uint32_t num_args;
  const void *const *args;
  const uint32_t *arg_sizes;
} attnrt_launch;

/* Loads the program into the current context on first use and launches. */
attnrt_status attnrt_launch_kernel(attnrt_runtime *runtime,
                                   attnrt_stream stream,
                                   const attnrt_launch *launch);

/* Memory for the launches on a stream that are made between the two calls: in
 * the stream's order, without waiting for it. No bytes are at address 0, which
 * may be freed. */
attnrt_status attnrt_allocate_async(attnrt_runtime *runtime,
                                    attnrt_stream stream, uint64_t bytes,
                                    attnrt_device_ptr *memory);
attnrt_status attnrt_free_async(attnrt_runtime *runtime, attnrt_stream stream,
                                attnrt_device_ptr memory);
enum { ATTNRT_WORKSPACE_ALIGNMENT = 256 };
/* Until attnrt_end_workspace, attnrt_allocate_async takes what the calling
 * thread asks for from `bytes` of device memory at `memory`, a multiple of
 * ATTNRT_WORKSPACE_ALIGNMENT, and fails with ATTNRT_OUT_OF_MEMORY if that is
 * too small. With memory 0 it only counts: launches, tensor maps and work
 * counters succeed without effect, but that with `bytes` other than 0 launches
 * load their programs. A thread has at most one. */
attnrt_status attnrt_begin_workspace(attnrt_runtime *runtime,
                                     attnrt_device_ptr memory, uint64_t bytes);
/* Sets *needed, if it is not null, to the most bytes that were in use at a
 * time, counted until the first failure. The memory must stay until the
 * launches are done. */
attnrt_status attnrt_end_workspace(attnrt_runtime *runtime, uint64_t *needed);
/* Freed memory of streams is kept for later launches of the current context,
 * up to 64 MiB of it for those of the same stream. This gives it back to the
 * system, but for `keep` bytes. It may wait for all work of the context. */
attnrt_status attnrt_trim_memory(attnrt_runtime *runtime, uint64_t keep);

/* Registers a thread, spills (local memory bytes), static shared memory and the
 * CTAs that fit an SM, as the driver reports them. */
typedef struct attnrt_kernel_info {
  int registers;
  int local_bytes;
  int static_shared_bytes;
  int max_threads_per_block;
  int ptx_version;
  int binary_version;
  int ctas_per_sm;
} attnrt_kernel_info;
attnrt_status attnrt_get_kernel_info(attnrt_runtime *runtime,
                                     const attnrt_program *program,
                                     const char *kernel, uint32_t block_threads,
                                     uint32_t shared_bytes,
                                     attnrt_kernel_info *info);

/* SMs of the current context's device. */
attnrt_status attnrt_get_sm_count(attnrt_runtime *runtime, int32_t *count);
/* Two words of device memory for launches with a dynamic tile scheduler that
 * the caller makes on the stream before it returns, none of them
 * ATTNRT_LAUNCH_DEPENDENT: zero when a launch begins, and left so by it.
 * Launches that may run at the same time have others, captured ones too,
 * however often and beside whatever their graph is replayed. A captured pair
 * belongs to its graph, in whose life the code of the runtime must stay loaded.
 *
 * What CUDA bakes into a graph, outputs' addresses like counters, is the same
 * in all that is made of it: two executable graphs of one graph, or of a graph
 * and its clone, must not run at the same time, not even with other arguments.
 */
attnrt_status attnrt_get_work_counters(attnrt_runtime *runtime,
                                       attnrt_stream stream,
                                       attnrt_device_ptr *counters);

/* Encodes a tiled tensor map (128 bytes, 64-byte aligned). Parameters are those
 * of cuTensorMapEncodeTiled; strides are in bytes, without the innermost. */
attnrt_status attnrt_encode_tensor_map(
    attnrt_runtime *runtime, void *map, uint32_t data_type, uint32_t rank,
    const void *address, const uint64_t *sizes, const uint64_t *strides,
    const uint32_t *box, const uint32_t *element_strides, uint32_t interleave,
    uint32_t swizzle, uint32_t l2_promotion, uint32_t out_of_bounds_fill);

/*===----------------------------------------------------------------------===*\
|* Devices and memory: what a driver tool calls
\*===----------------------------------------------------------------------===*/

typedef struct attnrt_device_info {
  char name[256];
  int compute_major, compute_minor;
  int sm_count;
  int max_shared_bytes_per_block; /* with opt-in */
  int l2_bytes;
  int clock_khz;
  int driver_version; /* as CUDA counts: 13000 is 13.0 */
  uint64_t memory_bytes;
} attnrt_device_info;

attnrt_status attnrt_get_device_count(attnrt_runtime *runtime, int *count);
attnrt_status attnrt_get_device_info(attnrt_runtime *runtime, int device,
                                     attnrt_device_info *info);
/* What the above says of the compute capability; the rest takes longer. */
attnrt_status attnrt_get_compute_capability(attnrt_runtime *runtime, int device,
                                            int *major, int *minor);
/* The number of the device that the current context is on. */
attnrt_status attnrt_get_current_device(attnrt_runtime *runtime, int *device);
/* Retains the device's primary context and makes it current. */
attnrt_status attnrt_open_device(attnrt_runtime *runtime, int device,
                                 attnrt_context *context);
/* Releases it; call this after all work in the context, once for every open.
 * The last reference gone, no context is current on the calling thread. */
attnrt_status attnrt_close_device(attnrt_runtime *runtime, int device);

/* No bytes are at address 0, which may be freed; copies are synchronous. */
attnrt_status attnrt_allocate(attnrt_runtime *runtime, uint64_t bytes,
                              attnrt_device_ptr *memory);
attnrt_status attnrt_free(attnrt_runtime *runtime, attnrt_device_ptr memory);
attnrt_status attnrt_copy_to_device(attnrt_runtime *runtime,
                                    attnrt_device_ptr to, const void *from,
                                    uint64_t bytes);
attnrt_status attnrt_copy_from_device(attnrt_runtime *runtime, void *to,
                                      attnrt_device_ptr from, uint64_t bytes);
attnrt_status attnrt_fill_u32(attnrt_runtime *runtime, attnrt_device_ptr memory,
                              uint32_t value, uint64_t count,
                              attnrt_stream stream);
/* In the stream's order, without waiting for it. */
attnrt_status attnrt_copy_on_device(attnrt_runtime *runtime,
                                    attnrt_device_ptr to,
                                    attnrt_device_ptr from, uint64_t bytes,
                                    attnrt_stream stream);

attnrt_status attnrt_create_stream(attnrt_runtime *runtime,
                                   attnrt_stream *stream);
attnrt_status attnrt_destroy_stream(attnrt_runtime *runtime,
                                    attnrt_stream stream);
attnrt_status attnrt_synchronize(attnrt_runtime *runtime, attnrt_stream stream);
attnrt_status attnrt_create_event(attnrt_runtime *runtime, attnrt_event *event);
attnrt_status attnrt_destroy_event(attnrt_runtime *runtime, attnrt_event event);
attnrt_status attnrt_record_event(attnrt_runtime *runtime, attnrt_event event,
                                  attnrt_stream stream);
/* Milliseconds between two recorded events, after waiting for the second. */
attnrt_status attnrt_elapsed(attnrt_runtime *runtime, attnrt_event start,
                             attnrt_event end, float *milliseconds);

/* Links PTX into a cubin with the driver's own linker, for a chip such as
 * "sm_90a" or, if it is null, the current context's. *cubin is to be freed by
 * attnrt_free_host. `log` of `log_size` bytes, if not null, takes what the
 * linker says of registers and spills. */
attnrt_status attnrt_link_ptx(attnrt_runtime *runtime, const char *ptx,
                              size_t ptx_size, const char *chip, void **cubin,
                              size_t *cubin_size, char *log, size_t log_size);
void attnrt_free_host(void *memory);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_RUNTIME_ATTNRT_H */
