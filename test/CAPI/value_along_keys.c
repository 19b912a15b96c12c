/*===- value_along_keys.c - Values whose stride is 1 along keys -----------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

enum { ROWS = 7, KEYS = 11, DIM = 8, COLUMN = 13, BEFORE = 5 };

static const char *const module =
    "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>\n"
    "!v = memref<1x1x?x8xf32, strided<[?, ?, 1, ?], offset: ?>>\n"
    "func.func @main(%q: !t, %k: !t, %v: !v, %o: !t) {\n"
    "  attn.attention ins(%q, %k, %v : !t, !t, !v) outs(%o : !t)\n"
    "  return\n"
    "}\n";

static const int64_t row_sizes[] = {1, 1, ROWS, DIM};
static const int64_t key_sizes[] = {1, 1, KEYS, DIM};

static float query[ROWS * DIM], key[KEYS * DIM], value[KEYS * DIM];
static float output[ROWS * DIM], expected[ROWS * DIM];
/* The value in memory: its columns, with gaps between them that must not be
 * read. */
static float columns[BEFORE + DIM * COLUMN];

static void check_type(const attn_program *program) {
  attn_argument_info info = {sizeof(info)};
  CHECK(attn_program_argument(program, 2, &info) == ATTN_SUCCESS);
  CHECK(!strcmp(info.name, "value") && info.rank == 4);
  CHECK(info.strides[2] == 1 && info.strides[3] == ATTN_DYNAMIC);
  CHECK(!info.is_contiguous);
}

static void check_launches(attn_program *program) {
  const int64_t strides[] = {DIM * COLUMN, DIM * COLUMN, 1, COLUMN};
  const int64_t one_key[] = {1, 1, 1, DIM}, no_keys[] = {1, 1, 0, DIM};
  attn_buffer arguments[4];
  fill(query, ROWS * DIM, 1);
  fill(key, KEYS * DIM, 2);
  fill(value, KEYS * DIM, 3);
  for (int i = 0; i < BEFORE + DIM * COLUMN; ++i)
    columns[i] = NAN;
  for (int j = 0; j < KEYS; ++j)
    for (int d = 0; d < DIM; ++d)
      columns[BEFORE + d * COLUMN + j] = value[j * DIM + d];
  arguments[0] = make_buffer(query, ATTN_F32, 4, row_sizes, NULL);
  arguments[1] = make_buffer(key, ATTN_F32, 4, key_sizes, NULL);
  arguments[2] = make_buffer(columns + BEFORE, ATTN_F32, 4, key_sizes, strides);
  arguments[3] = make_buffer(output, ATTN_F32, 4, row_sizes, NULL);

  for (int i = 0; i < ROWS * DIM; ++i)
    output[i] = NAN;
  compute_attention(query, key, value, ROWS, KEYS, DIM, expected);
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  CHECK(count_wrong(output, expected, ROWS * DIM) == 0);

  /* A launch with a single key, whose stride does not matter, and one without
   * keys. */
  const int64_t any[] = {3, 3, 99, COLUMN};
  arguments[1].sizes = arguments[2].sizes = one_key;
  arguments[2].strides = any;
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  for (int i = 0; i < ROWS; ++i)
    CHECK(count_wrong(output + i * DIM, value, DIM) == 0);
  arguments[1] = make_buffer(NULL, ATTN_F32, 4, no_keys, NULL);
  arguments[2] = arguments[1];
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  for (int i = 0; i < ROWS * DIM; ++i)
    CHECK(output[i] == 0);

  /* Row-major values are refused, since the program is compiled for a stride of
   * 1 along keys. */
  arguments[1] = make_buffer(key, ATTN_F32, 4, key_sizes, NULL);
  arguments[2] = make_buffer(value, ATTN_F32, 4, key_sizes, NULL);
  CHECK_FAILS(attn_launch(program, NULL, arguments, 4), ATTN_INVALID_ARGUMENT,
              "argument 2 (value): expected stride 1 in dimension 2, found 8");
}

static void check_refused(void) {
  static const char *const halves =
      "!t = memref<1x1x16x8xf32>\n"
      "!k = memref<1x1x16x8xi4>\n"
      "!v = memref<1x1x16x8xi4, strided<[128, 128, 1, 16]>>\n"
      "func.func @main(%q: !t, %k: !k, %v: !v, %o: !t) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !k, !v) outs(%o : !t)\n"
      "  return\n"
      "}\n";
  attn_compile_options host = {sizeof(host), "host"};
  attn_program *program;
  CHECK_FAILS(attn_compile(halves, strlen(halves), &host, &program),
              ATTN_INVALID_MODULE,
              "expected value with an innermost stride of 1 where it is of i4");
}

int main(void) {
  attn_program *program = compile_for(module, "host");
  check_type(program);
  check_launches(program);
  attn_program_destroy(program);
  check_refused();
  return 0;
}
