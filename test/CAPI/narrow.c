/*===- narrow.c - Keys and values of 8 bits, and values within keys -------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

enum { BATCH = 2, HEADS = 4, KV_HEADS = 2, ROWS = 3, KEYS = 9, DIM = 24 };
enum { FIRST = 8, VALUE_DIM = DIM - FIRST };
enum { NUM_ROWS = BATCH * HEADS * ROWS, NUM_KEYS = BATCH * KV_HEADS * KEYS };

#define TYPES                                                                  \
  "!q = memref<2x4x3x24xf32>\n"                                                \
  "!k = memref<2x2x?x24xf8E4M3FN>\n"                                           \
  "!v = memref<2x2x?x16xf8E4M3FN>\n"                                           \
  "!s = memref<2x2xf32>\n"                                                     \
  "!o = memref<2x4x3x16xf32>\n"

static const char *const scaled = TYPES
    "func.func @main(%q: !q, %k: !k, %v: !v, %ks: !s, %vs: !s, %o: !o) {\n"
    "  attn.attention ins(%q, %k, %v : !q, !k, !v)\n"
    "      with(key_scale %ks : !s, value_scale %vs : !s) outs(%o : !o)\n"
    "  return\n"
    "}\n";

/* A module in which values are columns of the key. They are used as they are
 * stored, since `key_scale` only multiplies scores. */
static const char *const within =
    TYPES "func.func @main(%q: !q, %k: !k, %ks: !s, %o: !o) {\n"
          "  attn.attention ins(%q, %k : !q, !k) value_dims [8, 24]\n"
          "      with(key_scale %ks : !s) outs(%o : !o)\n"
          "  return\n"
          "}\n";

static const int64_t query_sizes[] = {BATCH, HEADS, ROWS, DIM};
static const int64_t key_sizes[] = {BATCH, KV_HEADS, KEYS, DIM};
static const int64_t value_sizes[] = {BATCH, KV_HEADS, KEYS, VALUE_DIM};
static const int64_t scale_sizes[] = {BATCH, KV_HEADS};
static const int64_t output_sizes[] = {BATCH, HEADS, ROWS, VALUE_DIM};

static float query[NUM_ROWS * DIM], output[NUM_ROWS * VALUE_DIM];
static float expected[NUM_ROWS * VALUE_DIM];
static uint8_t key[NUM_KEYS * DIM], value[NUM_KEYS * VALUE_DIM];
static float key_scale[] = {0.5f, 3.0f, 1.75f, 0.125f};
static float value_scale[] = {2.0f, 0.375f, 40.0f, 1.0f};

/* Returns the number that the bits of an e4m3 float stand for: a sign, four
 * bits of exponent with a bias of 7, and three bits of fraction. */
static double read_e4m3(uint8_t bits) {
  int exponent = bits >> 3 & 15, fraction = bits & 7;
  double magnitude =
      exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
  return bits & 0x80 ? -magnitude : magnitude;
}

/* Fills an array with e4m3 numbers of both signs below 2, some of them
 * subnormal. */
static void fill_bytes(uint8_t *data, int count, unsigned state) {
  for (int i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = state >> 24 & 0xbf;
  }
}

/* Computes attention in f64. The values of two neighbouring keys are `stride`
 * bytes apart, and `of_value` has the values' scales. */
static void compute(const uint8_t *values, int stride, const float *of_value) {
  for (int r = 0; r < NUM_ROWS; ++r) {
    int head = r / ROWS;
    int of_keys = head / HEADS * KV_HEADS + head % HEADS / (HEADS / KV_HEADS);
    double sum = 0, result[VALUE_DIM] = {0};
    for (int j = of_keys * KEYS; j < (of_keys + 1) * KEYS; ++j) {
      double score = 0;
      for (int d = 0; d < DIM; ++d)
        score += query[r * DIM + d] * read_e4m3(key[j * DIM + d]);
      double weight = exp(score * key_scale[of_keys] / sqrt(DIM));
      sum += weight;
      for (int d = 0; d < VALUE_DIM; ++d)
        result[d] += weight * read_e4m3(values[j * stride + d]);
    }
    for (int d = 0; d < VALUE_DIM; ++d)
      expected[r * VALUE_DIM + d] =
          (float)(result[d] / sum * (of_value ? of_value[of_keys] : 1));
  }
}

/* Checks the output. Errors may be 2^-20 of the largest number of the expected
 * array. */
static void check_output(void) {
  double largest = 0;
  for (int i = 0; i < NUM_ROWS * VALUE_DIM; ++i)
    largest = fmax(largest, fabs(expected[i]));
  for (int i = 0; i < NUM_ROWS * VALUE_DIM; ++i)
    CHECK(fabs(output[i] - expected[i]) <= ldexp(largest, -20));
}

static void clear_output(void) {
  for (int i = 0; i < NUM_ROWS * VALUE_DIM; ++i)
    output[i] = NAN;
}

static void check_scaled(void) {
  attn_program *program = compile_for(scaled, "host");
  attn_argument_info info = {sizeof(info)};
  CHECK(attn_program_argument(program, 1, &info) == ATTN_SUCCESS);
  CHECK(!strcmp(info.name, "key") && info.dtype == ATTN_F8E4M3FN);
  CHECK(attn_program_argument(program, 4, &info) == ATTN_SUCCESS);
  CHECK(!strcmp(info.name, "value_scale") && info.dtype == ATTN_F32);

  attn_buffer arguments[] = {
      make_buffer(query, ATTN_F32, 4, query_sizes, NULL),
      make_buffer(key, ATTN_F8E4M3FN, 4, key_sizes, NULL),
      make_buffer(value, ATTN_F8E4M3FN, 4, value_sizes, NULL),
      make_buffer(key_scale, ATTN_F32, 2, scale_sizes, NULL),
      make_buffer(value_scale, ATTN_F32, 2, scale_sizes, NULL),
      make_buffer(output, ATTN_F32, 4, output_sizes, NULL)};
  clear_output();
  compute(value, VALUE_DIM, value_scale);
  CHECK(attn_launch(program, NULL, arguments, 6) == ATTN_SUCCESS);
  check_output();

  /* A program for e4m3 keys refuses keys of the other 8-bit type. */
  arguments[1].dtype = ATTN_F8E5M2;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 6), ATTN_INVALID_ARGUMENT,
              "argument 1 (key): expected");
  attn_program_destroy(program);
}

static void check_within(void) {
  attn_program *program = compile_for(within, "host");
  attn_buffer arguments[] = {
      make_buffer(query, ATTN_F32, 4, query_sizes, NULL),
      make_buffer(key, ATTN_F8E4M3FN, 4, key_sizes, NULL),
      make_buffer(key_scale, ATTN_F32, 2, scale_sizes, NULL),
      make_buffer(output, ATTN_F32, 4, output_sizes, NULL)};
  clear_output();
  compute(key + FIRST, DIM, NULL);
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  check_output();
  attn_program_destroy(program);
}

int main(void) {
  fill(query, NUM_ROWS * DIM, 1);
  fill_bytes(key, NUM_KEYS * DIM, 2);
  fill_bytes(value, NUM_KEYS * VALUE_DIM, 3);
  check_scaled();
  check_within();
  return 0;
}
