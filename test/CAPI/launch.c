/*===- launch.c - Arrays, numbers and what is wrong with them -------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

enum { ROWS = 5, KEYS = 9, DIM = 8, GAP = 3 };

static float query[ROWS * DIM], key[KEYS * DIM], value[KEYS * DIM],
    output[ROWS * DIM], expected[ROWS * DIM];

static const int64_t query_sizes[] = {1, 1, ROWS, DIM},
                     key_sizes[] = {1, 1, KEYS, DIM};

static void set_arguments(attn_buffer *arguments) {
  arguments[0] = make_buffer(query, ATTN_F32, 4, query_sizes, NULL);
  arguments[1] = make_buffer(key, ATTN_F32, 4, key_sizes, NULL);
  arguments[2] = make_buffer(value, ATTN_F32, 4, key_sizes, NULL);
  arguments[3] = make_buffer(output, ATTN_F32, 4, query_sizes, NULL);
  memset(output, 0xff, sizeof(output));
}

static void check_results(attn_program *program) {
  attn_buffer arguments[4];
  set_arguments(arguments);
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  CHECK(count_wrong(output, expected, ROWS * DIM) == 0);
}

static void check_strides(attn_program *program) {
  /* Rows may have gaps between them, and strides of dimensions of size 1 do not
   * matter. */
  float wide[ROWS * (DIM + GAP)];
  const int64_t strides[] = {-7, 12345, DIM + GAP, 1};
  attn_buffer arguments[4];
  set_arguments(arguments);
  for (int i = 0; i < ROWS * (DIM + GAP); ++i)
    wide[i] = 77;
  arguments[3] = make_buffer(wide, ATTN_F32, 4, query_sizes, strides);
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  for (int i = 0; i < ROWS; ++i) {
    CHECK(count_wrong(wide + i * (DIM + GAP), expected + i * DIM, DIM) == 0);
    for (int d = DIM; d < DIM + GAP; ++d)
      CHECK(wide[i * (DIM + GAP) + d] == 77);
  }

  /* With strides of 0, all keys and values are the same row. */
  const int64_t same[] = {0, 0, 0, 1};
  set_arguments(arguments);
  arguments[1].strides = arguments[2].strides = same;
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  for (int i = 0; i < ROWS; ++i)
    CHECK(count_wrong(output + i * DIM, value, DIM) == 0);

  /* If there are no rows, query and output may be null pointers. */
  const int64_t no_rows[] = {1, 1, 0, DIM};
  arguments[0] = make_buffer(NULL, ATTN_F32, 4, no_rows, NULL);
  arguments[3] = arguments[0];
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
}

/* Checks that a launch with one wrong argument fails with the message `text`,
 * and writes nothing. */
#define CHECK_WRONG(position, member, wrong, text)                             \
  do {                                                                         \
    set_arguments(arguments);                                                  \
    arguments[position].member = wrong;                                        \
    CHECK_FAILS(attn_launch(program, NULL, arguments, 4),                      \
                ATTN_INVALID_ARGUMENT, text);                                  \
    CHECK(isnan(output[0]));                                                   \
  } while (0)

static void check_wrong(attn_program *program) {
  attn_buffer arguments[4];
  const int64_t narrow[] = {1, 1, KEYS, DIM - 1}, negative[] = {1, 1, -1, DIM};
  const int64_t huge[] = {1, 1, INT64_MAX / 4, DIM};
  const int64_t other[] = {1, 1, KEYS - 1, DIM};
  const int64_t smallest[] = {1, 1, INT64_MIN, DIM};
  const int64_t same[] = {0, 0, 0, 1};
  const int64_t meeting[] = {ROWS * DIM, ROWS * DIM, DIM / 2, 1};
  const int64_t far_strides[] = {INT64_MAX / 4 + 1, INT64_MIN / 4, INT64_MIN,
                                 INT64_MAX / 4 / (ROWS - 1) + 2};
  const int64_t sparse[] = {KEYS * DIM * 2, KEYS * DIM * 2, DIM * 2, 2};
  CHECK_WRONG(1, dtype, ATTN_F16,
              "argument 1 (key): expected dtype f32, found f16");
  CHECK_WRONG(1, dtype, 99, "found an unknown dtype");
  CHECK_WRONG(2, rank, 3, "argument 2 (value): expected rank 4, found 3");
  CHECK_WRONG(0, sizes, NULL, "argument 0 (query): expected 4 sizes");
  CHECK_WRONG(1, sizes, narrow,
              "argument 1 (key): expected sizes 1x1x?x8, found 1x1x9x7");
  CHECK_WRONG(1, sizes, negative, "found 1x1x-1x8");
  CHECK_WRONG(1, sizes, huge, "expected fewer than 2^63 elements");
  CHECK_WRONG(1, strides, sparse,
              "argument 1 (key): expected stride 1 in dimension 3, found 2");
  /* The number that stands for a dynamic size in types is not a valid size of
   * an array. */
  CHECK_WRONG(1, sizes, smallest, "found 1x1x-9223372036854775808x8");
  /* A stride of 0 between rows is allowed in an array that is read, but not in
   * one that is written. */
  CHECK_WRONG(3, strides, same,
              "argument 3 (output): expected elements of their own in an array "
              "that is written, found stride 0 in dimension 2");
  CHECK_WRONG(3, strides, meeting,
              "argument 3 (output): expected elements of their own in an array "
              "that is written, found some that are at one address");
  /* With these strides, some elements of an array are 2^63 bytes or more apart.
   * */
  for (int i = 0; i < 4; ++i) {
    const int64_t far[] = {0, 0, far_strides[i], 1};
    CHECK_WRONG(
        1, strides, far,
        "argument 1 (key): expected strides with which all elements are "
        "within 2^63 bytes");
    CHECK_WRONG(3, strides, far, "argument 3 (output): expected strides");
  }
  CHECK_WRONG(3, data, NULL,
              "argument 3 (output): expected the address of an array, found "
              "null");
  CHECK_WRONG(0, data, (char *)query + 2,
              "argument 0 (query): expected an address that is a multiple of "
              "4");
  CHECK_WRONG(0, device_type, ATTN_DEVICE_CUDA,
              "argument 0 (query): expected memory of the host, found a GPU's");
  CHECK_WRONG(0, device_type, 10, "found device type 10");
  /* Lengths that disagree are only found by comparing arguments. */
  CHECK_WRONG(2, sizes, other,
              "expected equal lengths in key and value; argument 0 (query) has "
              "sizes 1x1x5x8; argument 1 (key) has sizes 1x1x9x8; argument 2 "
              "(value) has sizes 1x1x8x8");

  set_arguments(arguments);
  CHECK_FAILS(attn_launch(program, NULL, arguments, 3), ATTN_INVALID_ARGUMENT,
              "expected 4 arguments, found 3");
  CHECK_FAILS(attn_launch(program, NULL, NULL, 4), ATTN_INVALID_ARGUMENT,
              "expected arguments, found null");
  CHECK_FAILS(attn_launch(NULL, NULL, arguments, 4), ATTN_INVALID_ARGUMENT,
              "expected a program, found null");
  CHECK_FAILS(
      attn_launch(program, (struct CUstream_st *)arguments, arguments, 4),
      ATTN_INVALID_ARGUMENT, "expected no stream");
  uint64_t bytes = 1;
  CHECK(attn_program_workspace_size(program, arguments, 4, &bytes) ==
        ATTN_SUCCESS);
  CHECK(bytes == 0);
  CHECK_FAILS(attn_launch_with_workspace(program, NULL, arguments, 4,
                                         (char *)&bytes + 1, 1),
              ATTN_INVALID_ARGUMENT,
              "expected a workspace at a multiple of 256");
  CHECK_FAILS(attn_launch_with_workspace(program, NULL, arguments, 4, NULL, 1),
              ATTN_INVALID_ARGUMENT, "expected the address of a workspace");
  CHECK(attn_launch_with_workspace(program, NULL, arguments, 4, NULL, 0) ==
        ATTN_SUCCESS);
  CHECK(attn_program_workspace_size(program, arguments, 5, &bytes) ==
        ATTN_INVALID_ARGUMENT);
}

/* If the types of arrays have no strides, arrays with gaps are refused. Numbers
 * as arguments reach the score region. */
static void check_numbers(void) {
  attn_program *program = compile_for(
      "!t = memref<1x1x?x8xf32>\n"
      "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t, %last: index,\n"
      "                %on: i1) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !t, !t) \n"
      "      captures(%last, %on : index, i1) outs(%o : !t) score {\n"
      "  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index,\n"
      "       %l: index, %c: i1):\n"
      "    %late = arith.cmpi ugt, %j, %l : index\n"
      "    %cut = arith.andi %late, %c : i1\n"
      "    %inf = arith.constant 0xFF800000 : f32\n"
      "    %r = arith.select %cut, %inf, %s : f32\n"
      "    attn.yield %r : f32\n"
      "  }\n"
      "  return\n"
      "}\n",
      "host");
  attn_buffer arguments[6];
  int64_t last = 3;
  unsigned char on = 0;
  set_arguments(arguments);
  arguments[4] = make_buffer(&last, ATTN_I64, 0, NULL, NULL);
  arguments[5] = make_buffer(&on, ATTN_I1, 0, NULL, NULL);
  CHECK(attn_launch(program, NULL, arguments, 6) == ATTN_SUCCESS);
  CHECK(count_wrong(output, expected, ROWS * DIM) == 0);
  on = 1;
  CHECK(attn_launch(program, NULL, arguments, 6) == ATTN_SUCCESS);
  float cut[ROWS * DIM];
  compute_attention(query, key, value, ROWS, (int)last + 1, DIM, cut);
  CHECK(count_wrong(output, cut, ROWS * DIM) == 0);

  on = 2;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 6), ATTN_INVALID_ARGUMENT,
              "argument 5 (capture1): expected 0 or 1, found 2");
  arguments[4].dtype = ATTN_I32;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 6), ATTN_INVALID_ARGUMENT,
              "argument 4 (capture0): expected dtype i64, found i32");
  arguments[4].dtype = ATTN_I64;
  arguments[4].rank = 1;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 6), ATTN_INVALID_ARGUMENT,
              "argument 4 (capture0): expected a number of type index, found "
              "an array of rank 1");
  arguments[4].rank = 0;
  arguments[4].data = NULL;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 6), ATTN_INVALID_ARGUMENT,
              "argument 4 (capture0): expected the address of a number");
  const int64_t gaps[] = {100, 100, DIM + 1, 1};
  set_arguments(arguments);
  arguments[0].strides = gaps;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 6), ATTN_INVALID_ARGUMENT,
              "argument 0 (query): expected stride 8 in dimension 2, found 9");
  attn_program_destroy(program);
}

/* Tensors are values: one that is read does not change, and two may be the same
 * array. What a matmul adds to is an input. */
static void check_tensors(void) {
  enum { LONG = 700, COUNT = LONG * DIM };
  static float both[COUNT], halves[COUNT], values[COUNT], found[COUNT],
      wanted[COUNT];
  const int64_t sizes[] = {1, 1, LONG, DIM};
  attn_program *program = compile_for(
      "!t = tensor<1x1x700x8xf32>\n"
      "func.func @main(%q: !t, %k: !t, %v: !t) -> !t {\n"
      "  %c = arith.constant dense<0.5> : !t\n"
      "  %h = arith.mulf %q, %c : !t\n"
      "  %e = tensor.empty() : !t\n"
      "  %o = attn.attention ins(%h, %k, %v : !t, !t, !t) outs(%e : !t) -> !t\n"
      "  return %o : !t\n"
      "}\n",
      "host");
  fill(both, COUNT, 1);
  fill(values, COUNT, 2);
  for (int i = 0; i < COUNT; ++i)
    halves[i] = both[i] / 2;
  compute_attention(halves, both, values, LONG, LONG, DIM, wanted);
  attn_buffer arguments[4];
  arguments[0] = make_buffer(both, ATTN_F32, 4, sizes, NULL);
  arguments[1] = arguments[0];
  arguments[2] = make_buffer(values, ATTN_F32, 4, sizes, NULL);
  arguments[3] = make_buffer(found, ATTN_F32, 4, sizes, NULL);
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
    CHECK(count_wrong(found, wanted, COUNT) == 0);
  }
  attn_program_destroy(program);

  program = compile_for(
      "!t = tensor<4x4xf32>\n"
      "func.func @main(%a: !t, %b: !t, %c: !t) -> !t {\n"
      "  %r = linalg.matmul ins(%a, %b : !t, !t) outs(%c : !t) -> !t\n"
      "  return %r : !t\n"
      "}\n",
      "host");
  attn_argument_info info = {sizeof(info)};
  CHECK(attn_program_argument(program, 2, &info) == ATTN_SUCCESS);
  CHECK(info.kind == ATTN_INPUT);
  attn_program_destroy(program);
}

/* An array that one op writes and another one reads. */
static void check_updated(void) {
  attn_program *program = compile_for(
      "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>\n"
      "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t, %r: !t) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
      "  attn.attention ins(%o, %k, %v : !t, !t, !t) outs(%r : !t)\n"
      "  return\n"
      "}\n",
      "host");
  float again[ROWS * DIM], wanted[ROWS * DIM];
  attn_buffer arguments[5];
  set_arguments(arguments);
  arguments[4] = make_buffer(again, ATTN_F32, 4, query_sizes, NULL);
  compute_attention(expected, key, value, ROWS, KEYS, DIM, wanted);
  CHECK(attn_launch(program, NULL, arguments, 5) == ATTN_SUCCESS);
  CHECK(count_wrong(output, expected, ROWS * DIM) == 0);
  CHECK(count_wrong(again, wanted, ROWS * DIM) == 0);

  arguments[3].data = key;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 5), ATTN_INVALID_ARGUMENT,
              "argument 3 (output): expected memory of its own in an array "
              "that is written, found elements that argument 1 (key) has");
  const int64_t same[] = {0, 0, 0, 1};
  arguments[3].data = output;
  arguments[3].strides = same;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 5), ATTN_INVALID_ARGUMENT,
              "argument 3 (output): expected elements of their own in an array "
              "that is written, found stride 0 in dimension 2");
  attn_program_destroy(program);
}

int main(void) {
  fill(query, ROWS * DIM, 1);
  fill(key, KEYS * DIM, 2);
  fill(value, KEYS * DIM, 3);
  compute_attention(query, key, value, ROWS, KEYS, DIM, expected);
  attn_program *program = compile_for(dynamic_module, "host");
  check_results(program);
  check_strides(program);
  check_wrong(program);
  check_results(program);
  attn_program_destroy(program);
  check_numbers();
  check_tensors();
  check_updated();
  return 0;
}
