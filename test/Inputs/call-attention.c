// Calls the functions of an object file that attnc made from
//
//   attnc gen --dtype f32 --batch '?' --heads '2:1' --seq '?' --head-dim 4
//             --dynamic-strides --causal top-left --lse
//
// on arrays in BSHD order with gaps, compares the results with attention
// computed here, and prints the message for lengths that disagree.

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[4], strides[4];
} Array4;

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[3], strides[3];
} Array3;

const char *attn_main(Array4 *query, Array4 *key, Array4 *value, Array4 *output,
                      Array3 *lse);
const char *attn_main_packed(void **args);

#ifdef __cplusplus
}
#endif

enum { B = 2, HQ = 2, HKV = 1, S = 5, D = 4, ROW = D + 3 };

static float query_data[B * S * HQ * ROW], key_data[B * S * HKV * ROW],
    value_data[B * S * HKV * ROW], output_data[B * S * HQ * ROW],
    lse_data[B * HQ * S];

/// Returns the descriptor of an array (batch, head, row, column). The rows of
/// one head are `heads * ROW` elements apart.
static Array4 make(float *data, int64_t heads) {
  Array4 array = {data, data, 0, {B, heads, S, D}, {0, ROW, 0, 1}};
  array.strides[0] = S * heads * ROW;
  array.strides[2] = heads * ROW;
  return array;
}

static float *at(const Array4 *a, int b, int h, int i, int d) {
  return a->aligned + a->offset + b * a->strides[0] + h * a->strides[1] +
         i * a->strides[2] + d * a->strides[3];
}

static void fill(float *data, int count, int seed) {
  for (int i = 0; i < count; ++i)
    data[i] = (float)((i * 37 + seed * 11) % 23 - 11) / 8;
}

/// Returns the number of results that are wrong, plus the number of gaps
/// between rows that were written to.
static int compare(const Array4 *q, const Array4 *k, const Array4 *v,
                   const Array4 *o, const Array3 *lse) {
  int wrong = 0;
  for (int b = 0; b < B; ++b)
    for (int h = 0; h < HQ; ++h)
      for (int i = 0; i < S; ++i) {
        double sum = 0, result[D] = {0, 0, 0, 0};
        for (int j = 0; j <= i; ++j) {
          double score = 0;
          for (int d = 0; d < D; ++d)
            score += (double)*at(q, b, h, i, d) * *at(k, b, 0, j, d);
          double probability = exp(score / sqrt((double)D));
          sum += probability;
          for (int d = 0; d < D; ++d)
            result[d] += probability * *at(v, b, 0, j, d);
        }
        for (int d = 0; d < D; ++d)
          wrong += !(fabs(result[d] / sum - *at(o, b, h, i, d)) <= 5e-5);
        for (int d = D; d < ROW; ++d)
          wrong += *at(o, b, h, i, d) != 77;
        wrong += !(fabs(log(sum) - lse->aligned[(b * HQ + h) * S + i]) <= 5e-5);
      }
  return wrong;
}

static void clear(void) {
  for (int i = 0; i < B * S * HQ * ROW; ++i)
    output_data[i] = 77;
  for (int i = 0; i < B * HQ * S; ++i)
    lse_data[i] = 77;
}

int main(void) {
  fill(query_data, B * S * HQ * ROW, 1);
  fill(key_data, B * S * HKV * ROW, 2);
  fill(value_data, B * S * HKV * ROW, 3);
  Array4 query = make(query_data, HQ), key = make(key_data, HKV),
         value = make(value_data, HKV), output = make(output_data, HQ);
  Array3 lse = {lse_data, lse_data, 0, {B, HQ, S}, {HQ * S, S, 1}};

  clear();
  const char *message = attn_main(&query, &key, &value, &output, &lse);
  printf("attn_main: %s, %d wrong\n", message ? message : "success",
         compare(&query, &key, &value, &output, &lse));

  clear();
  void *args[] = {&query, &key, &value, &output, &lse};
  message = attn_main_packed(args);
  printf("attn_main_packed: %s, %d wrong\n", message ? message : "success",
         compare(&query, &key, &value, &output, &lse));

  value.sizes[2] = S - 1;
  message = attn_main(&query, &key, &value, &output, &lse);
  printf("short value: %s\n", message ? message : "success");
  value.sizes[2] = S;
  lse.sizes[0] = B + 1;
  message = attn_main_packed(args);
  printf("long lse: %s\n", message ? message : "success");
  return 0;
}
