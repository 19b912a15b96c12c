/*===- cuda.c - Launches on a GPU, or on the fake driver ------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Launches programs by the driver that the loader finds as libcuda.so.1. If it
 * is the fake one, whose kernels do nothing, the test checks the number of
 * calls. On a GPU, it compares results. Prints how long the host takes for a
 * launch.
 */
#include "Check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

typedef struct CUctx_st *Context;
typedef unsigned long long Address;

static int (*cuInit)(unsigned);
static int (*cuDeviceGetCount)(int *);
static int (*cuDevicePrimaryCtxRetain)(Context *, int);
static int (*cuDevicePrimaryCtxRelease)(int);
static int (*cuCtxCreate)(Context *, unsigned, int);
static int (*cuCtxDestroy)(Context);
static int (*cuCtxSetCurrent)(Context);
static int (*cuMemAlloc)(Address *, size_t);
static int (*cuMemFree)(Address);
static int (*cuMemcpyHtoD)(Address, const void *, size_t);
static int (*cuMemcpyDtoH)(void *, Address, size_t);
static int (*cuStreamCreate)(struct CUstream_st **, unsigned);
static int (*cuStreamDestroy)(struct CUstream_st *);
static int (*cuStreamSynchronize)(struct CUstream_st *);
/* Functions that only the fake driver has. */
static unsigned (*fake_calls)(const char *);
static void (*fake_set_error)(const char *, int);
static unsigned (*fake_loaded_modules)(void);
static Context (*fake_create_context)(int);
static void (*fake_destroy_context)(Context);

static void find(void *library, void *function, const char *name) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof(address));
}

static bool is_real(void) { return !fake_calls; }

static void load_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(library);
  find(library, &cuInit, "cuInit");
  find(library, &cuDeviceGetCount, "cuDeviceGetCount");
  find(library, &cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(library, &cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  find(library, &cuCtxCreate, "cuCtxCreate_v2");
  find(library, &cuCtxDestroy, "cuCtxDestroy_v2");
  find(library, &cuCtxSetCurrent, "cuCtxSetCurrent");
  find(library, &cuMemAlloc, "cuMemAlloc_v2");
  find(library, &cuMemFree, "cuMemFree_v2");
  find(library, &cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  find(library, &cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  find(library, &cuStreamCreate, "cuStreamCreate");
  find(library, &cuStreamDestroy, "cuStreamDestroy_v2");
  find(library, &cuStreamSynchronize, "cuStreamSynchronize");
  find(library, &fake_calls, "fake_calls");
  find(library, &fake_set_error, "fake_set_error");
  find(library, &fake_loaded_modules, "fake_loaded_modules");
  find(library, &fake_create_context, "fake_create_context");
  find(library, &fake_destroy_context, "fake_destroy_context");
  CHECK(cuInit(0) == 0);
}

/* Creates a context of device 0 and makes it current. */
static Context create_context(void) {
  Context context = NULL;
  if (!is_real())
    return fake_create_context(0);
  CHECK(cuCtxCreate(&context, 0, 0) == 0);
  return context;
}
static void destroy_context(Context context) {
  if (is_real())
    CHECK(cuCtxDestroy(context) == 0);
  else
    fake_destroy_context(context);
}

enum { ROWS = 100, DIM = 8, COUNT = ROWS * DIM };
static const int64_t sizes[] = {1, 1, ROWS, DIM};

/* Device memory for three inputs and an output in the current context, with a
 * stream and the expected output. */
typedef struct {
  struct CUstream_st *stream;
  Address memory[4];
  attn_buffer arguments[4];
  float expected[COUNT];
} Problem;

static void set_up(Problem *problem, int seed) {
  float data[3][COUNT];
  CHECK(cuStreamCreate(&problem->stream, /*CU_STREAM_NON_BLOCKING=*/1) == 0);
  for (int i = 0; i < 4; ++i) {
    Address *memory = &problem->memory[i];
    CHECK(cuMemAlloc(memory, sizeof(data[0])) == 0);
    problem->arguments[i] =
        make_buffer((void *)*memory, ATTN_F32, 4, sizes, NULL);
    problem->arguments[i].device_type = ATTN_DEVICE_CUDA;
    if (i == 3)
      continue;
    fill(data[i], COUNT, seed + i);
    CHECK(cuMemcpyHtoD(*memory, data[i], sizeof(data[i])) == 0);
  }
  compute_attention(data[0], data[1], data[2], ROWS, ROWS, DIM,
                    problem->expected);
}

static void tear_down(Problem *problem) {
  for (int i = 0; i < 4; ++i)
    CHECK(cuMemFree(problem->memory[i]) == 0);
  CHECK(cuStreamDestroy(problem->stream) == 0);
}

static void launch(attn_program *program, Problem *problem) {
  float output[COUNT];
  memset(output, 0xff, sizeof(output));
  CHECK(cuMemcpyHtoD(problem->memory[3], output, sizeof(output)) == 0);
  CHECK(attn_launch(program, problem->stream, problem->arguments, 4) ==
        ATTN_SUCCESS);
  CHECK(cuStreamSynchronize(problem->stream) == 0);
  CHECK(cuMemcpyDtoH(output, problem->memory[3], sizeof(output)) == 0);
  if (is_real())
    CHECK(count_wrong(output, problem->expected, COUNT) == 0);
}

static void check_kernels(attn_program *program) {
  CHECK(attn_program_num_kernels(program) == 2);
  for (uint32_t i = 0; i < 2; ++i) {
    attn_kernel_info info = {sizeof(info)};
    CHECK(attn_program_kernel(program, i, &info) == ATTN_SUCCESS);
    CHECK(strncmp(info.name, "main_", 5) == 0);
    CHECK(strstr(info.schedule, "#attn_gpu.schedule"));
    CHECK(info.threads > 0 && info.dynamic_shared_bytes > 0);
    CHECK(info.registers > 0 && info.local_bytes >= 0);
    CHECK(info.static_shared_bytes >= 0 && info.ctas_per_sm > 0);
  }
}

static void check_wrong(attn_program *program, Problem *problem) {
  attn_buffer *key = &problem->arguments[1], right = *key;
  key->device_id = 1;
  CHECK_FAILS(attn_launch(program, NULL, problem->arguments, 4),
              ATTN_INVALID_ARGUMENT,
              "argument 1 (key): expected memory of GPU 0, whose context is "
              "current, found GPU 1's");
  *key = right;
  key->device_type = ATTN_DEVICE_CPU;
  CHECK_FAILS(attn_launch(program, NULL, problem->arguments, 4),
              ATTN_INVALID_ARGUMENT,
              "argument 1 (key): expected memory of a GPU, found the host's");
  *key = right;
  const int64_t other[] = {1, 1, ROWS - 1, DIM};
  key->sizes = other;
  CHECK_FAILS(attn_launch(program, NULL, problem->arguments, 4),
              ATTN_INVALID_ARGUMENT,
              "expected equal lengths in key and value; argument 0 (query) has "
              "sizes 1x1x100x8; argument 1 (key) has sizes 1x1x99x8");
  *key = right;
  if (is_real())
    return;
  fake_set_error("cuLaunchKernel", 719);
  fake_set_error("cuLaunchKernelEx", 719);
  CHECK_FAILS(attn_launch(program, NULL, problem->arguments, 4),
              ATTN_LAUNCH_FAILED, "launching kernel 'main_async16'");
  fake_set_error("cuLaunchKernel", 0);
  fake_set_error("cuLaunchKernelEx", 0);
}

static void measure(attn_program *program, Problem *problem) {
  enum { RUNS = 2000 };
  struct timespec start, end;
  double best = 1e9;
  for (int i = 0; i < RUNS; ++i) {
    clock_gettime(CLOCK_MONOTONIC, &start);
    CHECK(attn_launch(program, problem->stream, problem->arguments, 4) ==
          ATTN_SUCCESS);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double time = (end.tv_sec - start.tv_sec) * 1e6 +
                  (end.tv_nsec - start.tv_nsec) * 1e-3;
    best = time < best ? time : best;
    if (i % 100 == 99)
      CHECK(cuStreamSynchronize(problem->stream) == 0);
  }
  printf("a launch takes %.2f us of the host\n", best);
}

static attn_program *shared;

/* The body of a thread. Threads with odd numbers create a context, and the
 * others use the primary context. */
static void *work(void *argument) {
  int number = *(int *)argument;
  Context context = NULL;
  Problem problem;
  if (number % 2)
    context = create_context();
  else
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0 &&
          cuCtxSetCurrent(context) == 0);
  set_up(&problem, number);
  for (int round = 0; round < 50; ++round)
    launch(shared, &problem);
  tear_down(&problem);
  if (number % 2)
    destroy_context(context);
  else
    CHECK(cuDevicePrimaryCtxRelease(0) == 0);
  return NULL;
}

static void check_threads(void) {
  /* The fake driver has room for 8 contexts, and half of the threads create
   * one. */
  enum { THREADS = 12 };
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
  load_driver();
  /* If no context is current, a program can be compiled for the chip of device
   * 0, but not launched. */
  shared = compile_for(dynamic_module, NULL);
  printf("chip %s\n", attn_program_chip(shared));
  attn_buffer nothing[4];
  for (int i = 0; i < 4; ++i)
    nothing[i] =
        make_buffer((void *)((i + 1) * (size_t)4096), ATTN_F32, 4, sizes, NULL);
  CHECK_FAILS(attn_launch(shared, NULL, nothing, 4), ATTN_NO_DEVICE,
              "no CUDA context is current on the calling thread");
  attn_kernel_info info = {sizeof(info)};
  CHECK(attn_program_kernel(shared, 0, &info) == ATTN_NO_DEVICE);
  CHECK(info.threads > 0 && info.registers == -1);

  Context primary;
  Problem problem;
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0) == 0);
  CHECK(cuCtxSetCurrent(primary) == 0);
  set_up(&problem, 1);
  launch(shared, &problem);
  check_kernels(shared);
  check_wrong(shared, &problem);
  launch(shared, &problem);
  measure(shared, &problem);
  check_threads();
  /* Destroying a program unloads its modules. Those of other programs stay. */
  attn_program *other = compile_for(dynamic_module, NULL);
  launch(other, &problem);
  attn_program_destroy(shared);
  launch(other, &problem);
  attn_program_destroy(other);
  if (!is_real())
    CHECK(fake_loaded_modules() == 0);
  tear_down(&problem);
  CHECK(cuDevicePrimaryCtxRelease(0) == 0);
  return 0;
}
