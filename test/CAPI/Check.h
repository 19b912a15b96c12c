/*===- Check.h - What the tests in C share ------------------------*- C -*-===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef ATTN_TEST_CAPI_CHECK_H
#define ATTN_TEST_CAPI_CHECK_H

#include "attn-c/attn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program, with the place in the source and the last error message,
 * unless `condition` is true. */
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s; last error: %s\n", __FILE__,        \
              __LINE__, #condition, attn_last_error());                        \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/* Checks that a call fails with the expected status and a message that contains
 * the text. */
#define CHECK_FAILS(call, expected_status, text)                               \
  do {                                                                         \
    CHECK((call) == (expected_status));                                        \
    CHECK(strstr(attn_last_error(), text));                                    \
  } while (0)

static attn_program *compile_for(const char *text, const char *chip) {
  attn_compile_options options = {sizeof(options)};
  attn_program *program = NULL;
  options.chip = chip;
  CHECK(attn_compile(text, strlen(text), &options, &program) == ATTN_SUCCESS);
  CHECK(program);
  return program;
}

/* Computes attention in double precision from f32 arrays of one batch entry and
 * head, with the default scale. */
static void compute_attention(const float *query, const float *key,
                              const float *value, int rows, int keys, int dim,
                              float *output) {
  for (int i = 0; i < rows; ++i) {
    double sum = 0, *result = (double *)calloc(dim, sizeof(double));
    for (int j = 0; j < keys; ++j) {
      double score = 0;
      for (int d = 0; d < dim; ++d)
        score += (double)query[i * dim + d] * key[j * dim + d];
      double probability = exp(score / sqrt(dim));
      sum += probability;
      for (int d = 0; d < dim; ++d)
        result[d] += probability * value[j * dim + d];
    }
    for (int d = 0; d < dim; ++d)
      output[i * dim + d] = (float)(result[d] / sum);
    free(result);
  }
}

static void fill(float *data, int count, int seed) {
  for (int i = 0; i < count; ++i)
    data[i] = (float)((i * 37 + seed * 11) % 23 - 11) / 8;
}

static int count_wrong(const float *found, const float *expected, int count) {
  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += !(fabs(found[i] - expected[i]) <= 5e-5);
  return wrong;
}

static attn_buffer make_buffer(void *data, attn_dtype dtype, uint32_t rank,
                               const int64_t *sizes, const int64_t *strides) {
  attn_buffer buffer = {data, sizes, strides, rank, dtype, ATTN_DEVICE_ANY, 0};
  return buffer;
}

/* A module for arrays with any number of rows and any strides. */
static const char *const dynamic_module =
    "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>\n"
    "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {\n"
    "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
    "  return\n"
    "}\n";

#endif /* ATTN_TEST_CAPI_CHECK_H */
