/*===- fork.c - Calls in forked processes ---------------------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 300, DIM = 8, THREADS = 3 };

static attn_program *shared;
static volatile int is_ending;

static void launch(attn_program *program) {
  static __thread float data[ROWS * DIM], output[ROWS * DIM],
      expected[ROWS * DIM];
  int64_t sizes[] = {1, 1, ROWS, DIM};
  fill(data, ROWS * DIM, 1);
  compute_attention(data, data, data, ROWS, ROWS, DIM, expected);
  memset(output, 0xff, sizeof(output));
  attn_buffer input = make_buffer(data, ATTN_F32, 4, sizes, NULL);
  attn_buffer arguments[] = {input, input, input,
                             make_buffer(output, ATTN_F32, 4, sizes, NULL)};
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  CHECK(count_wrong(output, expected, ROWS * DIM) == 0);
}

static void compile_and_launch(void) {
  attn_program *program = compile_for(dynamic_module, "host");
  const char *text;
  launch(program);
  CHECK(attn_program_ir(shared, "tile", &text) == ATTN_SUCCESS);
  attn_program_destroy(program);
}

/* The body of a thread that launches and compiles all the time, so that it
 * holds locks of all kinds when the process is forked. */
static void *work(void *argument) {
  int number = *(int *)argument;
  while (!is_ending) {
    launch(shared);
    if (number == 0)
      compile_and_launch();
  }
  return NULL;
}

/* Forks the process. The child must be able to launch and compile, and must end
 * in time. */
static void run_in_child(int depth) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(100);
    launch(shared);
    compile_and_launch();
    if (depth)
      run_in_child(depth - 1);
    launch(shared);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  shared = compile_for(dynamic_module, "host");
  run_in_child(0);
  launch(shared);
  run_in_child(2);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < 20; ++i)
    run_in_child(i % 2);
  is_ending = 1;
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  launch(shared);
  attn_program_destroy(shared);
  return 0;
}
