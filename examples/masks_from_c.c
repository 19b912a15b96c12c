/*===- masks_from_c.c - A mask over an array of the caller's, from C ------===*\
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
 * cc examples/masks_from_c.c $(pkg-config --cflags --libs attn-c) \
 *   -Wl,-rpath,$(pkg-config --variable=libdir attn-c) -o masks_from_c
 * ./masks_from_c
 *
 * The last line is an error message on purpose: the last call gives an array of
 * i64 for one of i32. The exit status is 0 if all is as expected, this message
 * included.
 *
 * Documents that are packed one after the other in a sequence: a row attends to
 * the keys of its own document, up to itself. The arrays that a region captures
 * are arguments of the program like any other.
 */
#include <attn-c/attn.h>

#include <stdio.h>
#include <string.h>

static const char module[] =
    "!t = memref<1x1x?x4xf32>\n"
    "!d = memref<?x?xi32, strided<[?, 1]>>\n"
    "func.func @main(%q: !t, %k: !t, %v: !t, %documents: !d, %o: !t) {\n"
    "  attn.attention mask <top_left, causal>\n"
    "      ins(%q, %k, %v : !t, !t, !t) captures(%documents : !d)\n"
    "      outs(%o : !t)\n"
    "      mask {\n"
    "      ^bb0(%b: index, %h: index, %i: index, %j: index, %d: !d):\n"
    "        %of_row = attn.read %d[%b, %i] : !d\n"
    "        %of_key = attn.read %d[%b, %j] : !d\n"
    "        %is_same = arith.cmpi eq, %of_row, %of_key : i32\n"
    "        attn.yield %is_same : i1\n"
    "      }\n"
    "  return\n"
    "}\n";

enum { ROWS = 4 };

/* Runs the program on a query and a key of zeros. All scores are equal, so a
 * row of the output is the mean of the values that the row attends to. */
static attn_status run(attn_program *program, attn_dtype dtype,
                       const int32_t *documents) {
  static float q[ROWS * 4], k[ROWS * 4], o[ROWS * 4];
  static float v[ROWS * 4] = {1, 0, 0, 0, 3, 0, 0, 0, 10, 0, 0, 0, 20};
  const int64_t rows[] = {1, 1, ROWS, 4}, positions[] = {1, ROWS};
  const attn_buffer arguments[] = {
      {q, rows, NULL, 4, ATTN_F32},
      {k, rows, NULL, 4, ATTN_F32},
      {v, rows, NULL, 4, ATTN_F32},
      {(void *)documents, positions, NULL, 2, dtype},
      {o, rows, NULL, 4, ATTN_F32},
  };
  attn_status status = attn_launch(program, NULL, arguments, 5);
  if (status != ATTN_SUCCESS)
    printf("%s\n", attn_last_error());
  else
    printf("%g %g %g %g\n", o[0], o[4], o[8], o[12]);
  return status;
}

int main(void) {
  const int32_t one[ROWS] = {7, 7, 7, 7}, two[ROWS] = {0, 0, 1, 1};
  attn_compile_options options = {sizeof(options), "host"};
  attn_program *program;
  if (attn_compile(module, strlen(module), &options, &program) !=
      ATTN_SUCCESS) {
    fprintf(stderr, "%s\n", attn_last_error());
    return 1;
  }
  /* The same program serves any documents, of any length. */
  int failed = run(program, ATTN_I32, one) != ATTN_SUCCESS ||
               run(program, ATTN_I32, two) != ATTN_SUCCESS ||
               run(program, ATTN_I64, two) != ATTN_INVALID_ARGUMENT;
  attn_program_destroy(program);
  return failed;
}
