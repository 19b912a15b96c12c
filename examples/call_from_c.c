/*===- call_from_c.c - A compiled attention function from C ---------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * In this folder, with the folder build/bin of the project in PATH:
 *
 * attnc gen --dtype f32 --batch '?' --heads '?' --seq '?' --head-dim 4 \
 *     -o attention.mlir
 * attnc compile attention.mlir -o attention.o
 * cc call_from_c.c attention.o -lm -o call_from_c
 * ./call_from_c
 *
 * The last line is an error message on purpose: the last call has sizes that
 * disagree. The exit status is 0 if all is as expected, this message included.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* The descriptor of an array (batch, head, row, head dim); strides are in
 * elements. */
typedef struct {
  void *allocated;
  void *data;
  int64_t offset;
  int64_t sizes[4];
  int64_t strides[4];
} Array;

/* The compiled function @main of the module. Returns null, or a message that
 * says what is wrong with the sizes. */
const char *attn_main(const Array *query, const Array *key, const Array *value,
                      const Array *output);

static Array makeArray(float *data, int64_t rows) {
  Array array = {data, data, 0, {1, 1, rows, 4}, {rows * 4, rows * 4, 4, 1}};
  return array;
}

int main(void) {
  float q[2 * 4] = {0}, k[3 * 4] = {0}, v[3 * 4], o[2 * 4];
  /* In row 0 all scores are equal. In row 1 the last key's score is so large
   * that only its value counts. */
  q[4] = 100.0f;
  k[8] = 1.0f;
  for (int i = 0; i < 12; ++i)
    v[i] = (float)i;
  Array query = makeArray(q, 2), key = makeArray(k, 3), value = makeArray(v, 3),
        output = makeArray(o, 2);

  const char *message = attn_main(&query, &key, &value, &output);
  if (message) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  for (int row = 0; row < 2; ++row)
    printf("%g %g %g %g\n", o[4 * row], o[4 * row + 1], o[4 * row + 2],
           o[4 * row + 3]);
  /* Row 0 of the output is the mean of the rows of value, and row 1 the last
   * row of value. */
  for (int i = 0; i < 4; ++i)
    if (fabsf(o[i] - (4.0f + (float)i)) > 1e-5f ||
        fabsf(o[4 + i] - (8.0f + (float)i)) > 1e-5f)
      return 1;

  /* If sizes of arguments disagree, the function returns a message and reads no
   * array. */
  value.sizes[2] = 2;
  message = attn_main(&query, &key, &value, &output);
  printf("%s\n", message ? message : "no message");
  return message == NULL;
}
