/*===- threads.c - Calls from several threads -----------------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

#include <pthread.h>

enum { THREADS = 16, ROUNDS = 20, DIM = 8 };

static attn_program *shared;

/* The body of a thread that launches a shared program, and also makes launches
 * that fail. Each thread uses other lengths. The first threads compile as well.
 * */
static void *work(void *argument) {
  int number = *(int *)argument, rows = 3 + number;
  float data[(3 + THREADS) * DIM], output[(3 + THREADS) * DIM],
      expected[(3 + THREADS) * DIM];
  int64_t sizes[] = {1, 1, rows, DIM}, wrong[] = {1, 1, rows, DIM + number + 1};
  char message[64];
  fill(data, rows * DIM, number);
  compute_attention(data, data, data, rows, rows, DIM, expected);
  attn_buffer input = make_buffer(data, ATTN_F32, 4, sizes, NULL);
  attn_buffer arguments[] = {input, input, input,
                             make_buffer(output, ATTN_F32, 4, sizes, NULL)};
  CHECK(strcmp(attn_last_error(), "") == 0);
  attn_program *own = number < 4 ? compile_for(dynamic_module, "host") : NULL;
  for (int round = 0; round < ROUNDS; ++round) {
    memset(output, 0xff, sizeof(output));
    CHECK(attn_launch(own && round % 2 ? own : shared, NULL, arguments, 4) ==
          ATTN_SUCCESS);
    CHECK(count_wrong(output, expected, rows * DIM) == 0);
    arguments[0].sizes = wrong;
    CHECK(attn_launch(shared, NULL, arguments, 4) == ATTN_INVALID_ARGUMENT);
    arguments[0].sizes = sizes;
    snprintf(message, sizeof(message), "found 1x1x%dx%d", rows,
             DIM + number + 1);
    CHECK(strstr(attn_last_error(), message));
    const char *text;
    CHECK(attn_program_ir(shared, "tile", &text) == ATTN_SUCCESS);
  }
  attn_program_destroy(own);
  return NULL;
}

/* The body of the threads that compile first in the process, at the same time
 * for the host and for a GPU. */
static void *compile_both(void *argument) {
  int number = *(int *)argument;
  attn_program_destroy(
      compile_for(dynamic_module, number % 2 ? "host" : "sm_80"));
  return NULL;
}

static void run(void *(*body)(void *), int count) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < count; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, body, &numbers[i]) == 0);
  }
  for (int i = 0; i < count; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
  run(compile_both, 4);
  shared = compile_for(dynamic_module, "host");
  run(work, THREADS);
  attn_program_destroy(shared);
  return 0;
}
