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
  /* No driver on this machine, or one that lacks a function. */
  ATTNRT_NO_DRIVER = 1,
  /* No device, or no current context on the calling thread. */
  ATTNRT_NO_DEVICE = 2,
  /* The driver rejected the program: it is too old for the PTX, or the device
   * is not the chip of the program. */
  ATTNRT_BAD_PROGRAM = 3,
  /* Device or host memory is exhausted. */
  ATTNRT_OUT_OF_MEMORY = 4,
  /* An argument is invalid. */
  ATTNRT_INVALID_ARGUMENT = 5,
  /* A launch or an earlier kernel failed; the CUDA context may be unusable. */
  ATTNRT_LAUNCH_FAILED = 6,
  /* Any other error of the driver. */
  ATTNRT_DRIVER_ERROR = 7
} attnrt_status;

typedef struct attnrt_runtime attnrt_runtime;
/* The driver's types, declared here so that no CUDA header is needed. */
typedef struct CUctx_st *attnrt_context;
typedef struct CUstream_st *attnrt_stream;
typedef struct CUevent_st *attnrt_event;
typedef uint64_t attnrt_device_ptr;

/* Loads the driver from `library`, or from libcuda.so.1 if that is null. On
 * failure *runtime is nevertheless a runtime, which keeps the message; destroy
 * it like any other. It is null only if host memory is exhausted. */
attnrt_status attnrt_create(const char *library, attnrt_runtime **runtime);
/* Unloads all modules and frees the runtime. The contexts of its modules must
 * still exist, or be known to be destroyed, in which case their modules are
 * only forgotten. Null is allowed. */
void attnrt_destroy(attnrt_runtime *runtime);
/* Unloads all modules and forgets their programs, whose memory may then be
 * freed. No launch may be running, or be made by another thread meanwhile. */
void attnrt_forget_programs(attnrt_runtime *runtime);
/* Returns the message of the calling thread's last failure, or "". It is valid
 * until the thread's next failure. */
const char *attnrt_last_error(attnrt_runtime *runtime);
/* Records a failure of the caller, as compiled entries do if a shape check
 * fails, and returns `status`. */
attnrt_status attnrt_fail(attnrt_runtime *runtime, attnrt_status status,
                          const char *message);

/*===----------------------------------------------------------------------===*\
|* Programs and launches: functions that compiled code calls
\*===----------------------------------------------------------------------===*/

/* One compiled GPU module; compiled code holds it in constant memory. Its
 * address identifies it in the runtime's cache, per context. */
typedef struct attnrt_program {
  /* PTX with a terminating zero, which image_size counts, or a cubin. */
  const void *image;
  size_t image_size;
  /* The name of the module and the chip that it was compiled for, for
   * messages. */
  const char *name;
  const char *chip;
} attnrt_program;

enum {
  /* Programmatic dependent launch: the kernel may begin before the previous one
   * on the stream has ended, and waits for that one itself. Drivers before 12.3
   * cannot capture such launches; there the flag is ignored. */
  ATTNRT_LAUNCH_DEPENDENT = 1
};

typedef struct attnrt_launch {
  const attnrt_program *program;
  const char *kernel;
  /* CTAs. A launch with a 0 among these succeeds and runs nothing. */
  uint64_t grid[3];
  uint32_t block[3];
  /* CTAs of a cluster; all 0 or 1 for no clusters. */
  uint32_t cluster[3];
  /* Dynamic shared memory of a CTA in bytes. If it exceeds the function's
   * limit, the limit is raised. */
  uint32_t shared_bytes;
  uint32_t flags;
  /* Addresses and byte sizes of the kernel's parameters. The sizes may be null.
   * Otherwise they are compared once with the kernel's, if the driver can tell
   * those. */
  uint32_t num_args;
  const void *const *args;
  const uint32_t *arg_sizes;
} attnrt_launch;

/* Loads the program into the current context if that was not done before, and
 * launches the kernel. */
attnrt_status attnrt_launch_kernel(attnrt_runtime *runtime,
                                   attnrt_stream stream,
                                   const attnrt_launch *launch);

/* Allocates and frees memory for the launches on a stream between the two
 * calls, in the order of the stream and without waiting for it. An allocation
 * of 0 bytes has address 0, which may be freed. */
attnrt_status attnrt_allocate_async(attnrt_runtime *runtime,
                                    attnrt_stream stream, uint64_t bytes,
                                    attnrt_device_ptr *memory);
attnrt_status attnrt_free_async(attnrt_runtime *runtime, attnrt_stream stream,
                                attnrt_device_ptr memory);
enum { ATTNRT_WORKSPACE_ALIGNMENT = 256 };
/* Until attnrt_end_workspace, attnrt_allocate_async allocates for the calling
 * thread from the `bytes` of device memory at `memory`, a multiple of
 * ATTNRT_WORKSPACE_ALIGNMENT, and fails with ATTNRT_OUT_OF_MEMORY if these do
 * not suffice. If `memory` is 0, bytes are only counted: launches, tensor maps
 * and work counters succeed without effect, except that launches load their
 * programs if `bytes` is not 0. A thread has at most one workspace. */
attnrt_status attnrt_begin_workspace(attnrt_runtime *runtime,
                                     attnrt_device_ptr memory, uint64_t bytes);
/* Ends the workspace. Sets *needed, if `needed` is not null, to the largest
 * number of bytes that were in use at a time, up to the first failure. The
 * memory must not be freed before the launches are done. */
attnrt_status attnrt_end_workspace(attnrt_runtime *runtime, uint64_t *needed);
/* Returns unused memory of the current context to the system, except `keep`
 * bytes. Freed memory is otherwise kept for later launches in the context; up
 * to 64 MiB of it are reserved for launches of the stream that freed it. The
 * call may wait for all work of the context. */
attnrt_status attnrt_trim_memory(attnrt_runtime *runtime, uint64_t keep);

/* The registers of a thread, its local memory in bytes (spills), static shared
 * memory, and the CTAs that fit on an SM, as the driver reports them. */
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
/* Sets *counters to two 32-bit counters in device memory for launches with a
 * dynamic tile scheduler. The caller makes these launches on the stream before
 * it returns, none of them with ATTNRT_LAUNCH_DEPENDENT. The counters are zero
 * when a launch begins, and the launch resets them to zero. Launches that may
 * run at the same time get different counters. So do captured launches, however
 * often their graph is replayed, and whatever runs at the same time. The
 * counters of a captured launch belong to its graph, and the runtime's code
 * must stay loaded as long as the graph exists. A graph contains the addresses
 * of counters, as of outputs, and so do all graphs that are instantiated or
 * cloned from it: two executable graphs of one graph, or of a graph and its
 * clone, must not run at the same time, even with other arguments. */
attnrt_status attnrt_get_work_counters(attnrt_runtime *runtime,
                                       attnrt_stream stream,
                                       attnrt_device_ptr *counters);

/* Encodes a tiled tensor map, which has 128 bytes and 64-byte alignment. The
 * parameters are those of cuTensorMapEncodeTiled; strides are in bytes, without
 * the innermost one. */
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
/* Sets only the compute capability of attnrt_get_device_info, whose other
 * fields take longer to query. */
attnrt_status attnrt_get_compute_capability(attnrt_runtime *runtime, int device,
                                            int *major, int *minor);
/* Sets *device to the number of the current context's device. */
attnrt_status attnrt_get_current_device(attnrt_runtime *runtime, int *device);
/* Retains the device's primary context and makes it current. */
attnrt_status attnrt_open_device(attnrt_runtime *runtime, int device,
                                 attnrt_context *context);
/* Releases the device's primary context. Call this once for every open, after
 * all work in the context. If it was the last reference, the calling thread has
 * no current context afterwards. */
attnrt_status attnrt_close_device(attnrt_runtime *runtime, int device);

/* An allocation of 0 bytes has address 0, which may be freed. Copies are
 * synchronous. */
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
/* Copies in the stream's order, without waiting for it. */
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
/* Sets *milliseconds to the time between two recorded events, after waiting for
 * the second one. */
attnrt_status attnrt_elapsed(attnrt_runtime *runtime, attnrt_event start,
                             attnrt_event end, float *milliseconds);

/* Links PTX into a cubin with the driver's linker, for a chip such as "sm_90a"
 * or, if `chip` is null, for the current context's device. Free *cubin with
 * attnrt_free_host. If `log` is not null, the linker's report about registers
 * and spills is written to its `log_size` bytes. */
attnrt_status attnrt_link_ptx(attnrt_runtime *runtime, const char *ptx,
                              size_t ptx_size, const char *chip, void **cubin,
                              size_t *cubin_size, char *log, size_t log_size);
void attnrt_free_host(void *memory);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_RUNTIME_ATTNRT_H */
