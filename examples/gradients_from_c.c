/*===- gradients_from_c.c - Attention and its gradients, from C -----------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * In the project's folder, where <prefix> is an absolute path:
 *
 * cmake --install build --prefix <prefix>
 * export PKG_CONFIG_PATH=<prefix>/lib/pkgconfig
 * cc examples/gradients_from_c.c $(pkg-config --cflags --libs attn-c) \
 *   -Wl,-rpath,$(pkg-config --variable=libdir attn-c) -o gradients_from_c
 * ./gradients_from_c
 */
#include <attn-c/attn.h>

#include <stdio.h>
#include <string.h>

/* @forward stores the log-sum-exp of each row, which @backward reads. */
static const char module[] =
    "!t = memref<1x1x?x4xf32>\n"
    "!r = memref<1x1x?xf32>\n"
    "func.func @forward(%q: !t, %k: !t, %v: !t, %o: !t, %lse: !r) {\n"
    "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o, %lse : !t, !r)\n"
    "  return\n"
    "}\n"
    "func.func @backward(%q: !t, %k: !t, %v: !t, %o: !t, %lse: !r, %do: !t,\n"
    "                    %dq: !t, %dk: !t, %dv: !t) {\n"
    "  attn.attention_backward\n"
    "      ins(%q, %k, %v, %o, %lse, %do : !t, !t, !t, !t, !r, !t)\n"
    "      outs(%dq, %dk, %dv : !t, !t, !t)\n"
    "  return\n"
    "}\n";

static attn_status run(const char *function, const attn_buffer *arguments,
                       uint32_t count) {
  /* The chip "host" compiles for the CPU, "sm_90a" for that GPU, and null for
   * the machine's GPU. */
  attn_compile_options options = {sizeof(options), "host"};
  attn_program *program;
  options.function = function;
  attn_status status = attn_compile(module, strlen(module), &options, &program);
  if (status == ATTN_SUCCESS)
    status = attn_launch(program, NULL, arguments, count);
  if (status != ATTN_SUCCESS)
    fprintf(stderr, "%s\n", attn_last_error());
  attn_program_destroy(program);
  return status;
}

static void print(const char *name, const float *data, int rows) {
  for (int row = 0; row < rows; ++row, data += 4)
    printf("%s %.3f %.3f %.3f %.3f\n", name, data[0], data[1], data[2],
           data[3]);
}

int main(void) {
  /* In row 0 all scores are equal. In row 1 the last key's score is so large
   * that only its value counts. */
  float q[2 * 4] = {0, 0, 0, 0, 100}, k[3 * 4] = {0, 0, 0, 0, 0, 0, 0, 0, 1};
  float v[3 * 4] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, o[2 * 4], lse[2];
  /* The gradient d_output for a loss that is the sum of the output's first
   * column. */
  float d_o[2 * 4] = {1, 0, 0, 0, 1}, d_q[2 * 4], d_k[3 * 4], d_v[3 * 4];
  const int64_t rows[] = {1, 1, 2, 4}, keys[] = {1, 1, 3, 4},
                lses[] = {1, 1, 2};
  const attn_buffer arguments[] = {
      {q, rows, NULL, 4, ATTN_F32},   {k, keys, NULL, 4, ATTN_F32},
      {v, keys, NULL, 4, ATTN_F32},   {o, rows, NULL, 4, ATTN_F32},
      {lse, lses, NULL, 3, ATTN_F32}, {d_o, rows, NULL, 4, ATTN_F32},
      {d_q, rows, NULL, 4, ATTN_F32}, {d_k, keys, NULL, 4, ATTN_F32},
      {d_v, keys, NULL, 4, ATTN_F32},
  };
  if (run("forward", arguments, 5) || run("backward", arguments, 9))
    return 1;
  print("d_query", d_q, 2);
  print("d_value", d_v, 3);
  return 0;
}
