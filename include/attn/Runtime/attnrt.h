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
 * Every call returns a status. The runtime keeps the message of a failure, with
 * the driver's name of the error and the action that failed, for the calling
 * thread until its next failure. There is no global state: all state belongs to
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
  /* This machine has no CUDA driver, or its driver lacks a function. */
  ATTNRT_NO_DRIVER = 1,
  /* There is no device, or the calling thread has no current CUDA context. */
  ATTNRT_NO_DEVICE = 2,
  /* The driver rejected the program: the driver is too old for the PTX, or the
   * device is not the chip for which the program was compiled. */
  ATTNRT_BAD_PROGRAM = 3,
  /* Device or host memory is exhausted. */
  ATTNRT_OUT_OF_MEMORY = 4,
  /* An argument is invalid. */
  ATTNRT_INVALID_ARGUMENT = 5,
  /* A launch or an earlier kernel failed; the CUDA context may be unusable. */
  ATTNRT_LAUNCH_FAILED = 6,
  /* Any other error that the driver reports. */
  ATTNRT_DRIVER_ERROR = 7
} attnrt_status;

typedef struct attnrt_runtime attnrt_runtime;
/* The driver's types, declared here so that no CUDA header is needed. */
typedef struct CUctx_st *attnrt_context;
typedef struct CUstream_st *attnrt_stream;
typedef struct CUevent_st *attnrt_event;
typedef uint64_t attnrt_device_ptr;

/* Creates a runtime. It loads the driver from `library`, or from libcuda.so.1
 * if `library` is null. If that fails, *runtime is nevertheless a runtime,
 * which keeps the message; destroy it like any other. *runtime is null only if
 * host memory is exhausted. */
attnrt_status attnrt_create(const char *library, attnrt_runtime **runtime);
/* Unloads all modules and frees the runtime. The contexts into which it has
 * loaded modules must still exist, or be known to be destroyed; in the latter
 * case their modules are only forgotten. `runtime` may be null. */
void attnrt_destroy(attnrt_runtime *runtime);
/* Unloads all modules and forgets their programs, whose memory may be freed
 * afterwards. No launch may be running, and no other thread may make one at the
 * same time. */
void attnrt_forget_programs(attnrt_runtime *runtime);
/* Returns the message of the calling thread's last failure, or "" if there was
 * none. The text is valid until the thread's next failure. */
const char *attnrt_last_error(attnrt_runtime *runtime);
/* Records `message` as the calling thread's last failure, and returns `status`.
 * Compiled entries call this if a shape check fails. */
attnrt_status attnrt_fail(attnrt_runtime *runtime, attnrt_status status,
                          const char *message);

/*===----------------------------------------------------------------------===*\
|* Programs and launches: functions that compiled code calls
\*===----------------------------------------------------------------------===*/

/* One compiled GPU module, which compiled code holds in constant memory. The
 * runtime's cache of loaded modules is keyed by the address of this struct and
 * by the context. */
typedef struct attnrt_program {
  /* PTX with a terminating zero, which image_size counts as a byte, or a cubin.
   */
  const void *image;
  size_t image_size;
  /* The name of the module, and the chip that it was compiled for. Messages use
   * both. */
  const char *name;
  const char *chip;
} attnrt_program;

enum {
  /* Programmatic dependent launch: the kernel may begin before the previous
   * kernel on the stream has ended, and itself waits for that end. With drivers
   * before 12.3, which cannot capture such launches in graphs, the runtime
   * ignores the flag. */
  ATTNRT_LAUNCH_DEPENDENT = 1
};

typedef struct attnrt_launch {
  const attnrt_program *program;
  const char *kernel;
  /* The number of CTAs along each dimension. If one of them is 0, the launch
   * succeeds and runs nothing. */
  uint64_t grid[3];
  uint32_t block[3];
  /* The number of CTAs of a cluster along each dimension. Without clusters, all
   * are 0 or 1. */
  uint32_t cluster[3];
  /* The dynamic shared memory of a CTA in bytes. If it exceeds the limit that
   * the kernel has, the limit is raised. */
  uint32_t shared_bytes;
  uint32_t flags;
  /* The addresses of the kernel's parameters, and their sizes in bytes. The
   * sizes may be null. If they are given, they are compared once with the sizes
   * that the kernel expects, provided that the driver can tell these. */
  uint32_t num_args;
  const void *const *args;
  const uint32_t *arg_sizes;
} attnrt_launch;

/* Launches a kernel. Before that, loads its program into the current context,
 * unless it is loaded already. */
attnrt_status attnrt_launch_kernel(attnrt_runtime *runtime,
                                   attnrt_stream stream,
                                   const attnrt_launch *launch);

/* attnrt_allocate_async allocates memory for launches on a stream, and
 * attnrt_free_async frees it. Both act in the order of the stream and do not
 * wait for it; launches between the two calls may use the memory. An allocation
 * of 0 bytes has address 0, which may be freed. */
attnrt_status attnrt_allocate_async(attnrt_runtime *runtime,
                                    attnrt_stream stream, uint64_t bytes,
                                    attnrt_device_ptr *memory);
attnrt_status attnrt_free_async(attnrt_runtime *runtime, attnrt_stream stream,
                                attnrt_device_ptr memory);
enum { ATTNRT_WORKSPACE_ALIGNMENT = 256 };
/* Makes attnrt_allocate_async allocate for the calling thread from the `bytes`
 * bytes of device memory at `memory`, until attnrt_end_workspace is called.
 * `memory` must be a multiple of ATTNRT_WORKSPACE_ALIGNMENT. An allocation
 * fails with ATTNRT_OUT_OF_MEMORY if the bytes do not suffice. If `memory` is
 * 0, bytes are only counted: launches, tensor maps and work counters then
 * succeed without effect, except that launches load their programs if `bytes`
 * is not 0. A thread has at most one workspace at a time. */
attnrt_status attnrt_begin_workspace(attnrt_runtime *runtime,
                                     attnrt_device_ptr memory, uint64_t bytes);
/* Ends the calling thread's workspace. If `needed` is not null, sets *needed to
 * the largest number of bytes that were in use at a time before the first
 * failure. The memory must not be freed before the launches that use it are
 * done. */
attnrt_status attnrt_end_workspace(attnrt_runtime *runtime, uint64_t *needed);
/* Returns unused memory of the current context to the system, except `keep`
 * bytes. Without this call, freed memory is kept for later launches in the
 * context, of which up to 64 MiB are reserved for launches on the stream that
 * freed it. The call may wait for all work of the context. */
attnrt_status attnrt_trim_memory(attnrt_runtime *runtime, uint64_t keep);

/* The resources of a kernel, as the driver reports them. `registers` and
 * `local_bytes` (local memory, which spills use) are for each thread.
 * `static_shared_bytes` is for each CTA. `ctas_per_sm` is the number of CTAs
 * that fit on an SM. */
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

/* Sets *count to the number of SMs of the current context's device. */
attnrt_status attnrt_get_sm_count(attnrt_runtime *runtime, int32_t *count);
/* Sets *counters to the address of two 32-bit counters in device memory, for
 * launches with a dynamic tile scheduler. The caller makes these launches on
 * the stream before it returns, none of them with ATTNRT_LAUNCH_DEPENDENT. The
 * counters are zero when a launch begins, and the launch resets them to zero.
 * Launches that may run at the same time get different counters. Captured
 * launches also get counters of their own, however often their graph is
 * replayed, and whatever runs at the same time. The counters of a captured
 * launch belong to its graph, and the runtime's code must stay loaded as long
 * as the graph exists. A graph contains the addresses of counters, as it does
 * those of outputs, and so do all graphs that are instantiated or cloned from
 * it. Therefore two executable graphs of one graph, or of a graph and its
 * clone, must not run at the same time, even with other arguments. */
attnrt_status attnrt_get_work_counters(attnrt_runtime *runtime,
                                       attnrt_stream stream,
                                       attnrt_device_ptr *counters);

/* Encodes a tiled tensor map at `map`, which must have room for 128 bytes and
 * be aligned to 64 bytes. The parameters are those of cuTensorMapEncodeTiled.
 * Strides are in bytes, and the innermost dimension has none. */
attnrt_status attnrt_encode_tensor_map(
    attnrt_runtime *runtime, void *map, uint32_t data_type, uint32_t rank,
    const void *address, const uint64_t *sizes, const uint64_t *strides,
    const uint32_t *box, const uint32_t *element_strides, uint32_t interleave,
    uint32_t swizzle, uint32_t l2_promotion, uint32_t out_of_bounds_fill);

/*===----------------------------------------------------------------------===*\
|* Devices and memory: functions that tools call
\*===----------------------------------------------------------------------===*/

typedef struct attnrt_device_info {
  char name[256];
  int compute_major, compute_minor;
  int sm_count;
  int max_shared_bytes_per_block; /* with opt-in */
  int l2_bytes;
  int clock_khz;
  int driver_version; /* CUDA's format: 13000 is 13.0 */
  uint64_t memory_bytes;
} attnrt_device_info;

attnrt_status attnrt_get_device_count(attnrt_runtime *runtime, int *count);
attnrt_status attnrt_get_device_info(attnrt_runtime *runtime, int device,
                                     attnrt_device_info *info);
/* Sets *major and *minor to the device's compute capability.
 * attnrt_get_device_info also returns these, but its other fields take longer
 * to query. */
attnrt_status attnrt_get_compute_capability(attnrt_runtime *runtime, int device,
                                            int *major, int *minor);
/* Sets *device to the number of the current context's device. */
attnrt_status attnrt_get_current_device(attnrt_runtime *runtime, int *device);
/* Retains the device's primary context and makes it current. */
attnrt_status attnrt_open_device(attnrt_runtime *runtime, int device,
                                 attnrt_context *context);
/* Releases the device's primary context. Call this once for every call of
 * attnrt_open_device, after all work in the context has ended. If the call
 * releases the last reference, the calling thread has no current context
 * afterwards. */
attnrt_status attnrt_close_device(attnrt_runtime *runtime, int device);

/* Allocations, and copies between host and device. An allocation of 0 bytes has
 * address 0, which may be freed. The copies are synchronous. */
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
/* Copies from device memory to device memory in the order of the stream,
 * without waiting for it. */
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
/* Waits for the event `end`, and sets *milliseconds to the time between the
 * recorded events `start` and `end`. */
attnrt_status attnrt_elapsed(attnrt_runtime *runtime, attnrt_event start,
                             attnrt_event end, float *milliseconds);

/* Links PTX into a cubin with the driver's linker. `chip` is a chip such as
 * "sm_90a" or, if it is null, that of the current context's device. Free *cubin
 * with attnrt_free_host. If `log` is not null, the linker writes its report
 * about registers and spills to the `log_size` bytes at `log`. */
attnrt_status attnrt_link_ptx(attnrt_runtime *runtime, const char *ptx,
                              size_t ptx_size, const char *chip, void **cubin,
                              size_t *cubin_size, char *log, size_t log_size);
void attnrt_free_host(void *memory);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_RUNTIME_ATTNRT_H */
