// Calls `attn_main` of a module that takes an f32 tensor<4096> and returns 2^x,
// on values from all of f32, and prints the largest error in units in the last
// place and the number of wrong special values.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 4096 };

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} Array1;

const char *attn_main(Array1 *x, Array1 *result);

static float x[N], argument[N], result[N];
static double largest = 0;
static long wrong = 0;

static void check(void) {
  // The function may overwrite its argument, so it gets a copy.
  memcpy(argument, x, sizeof(x));
  Array1 in = {argument, argument, 0, {N}, {1}};
  Array1 out = {result, result, 0, {N}, {1}};
  const char *message = attn_main(&in, &out);
  if (message)
    printf("%s\n", message);
  for (int i = 0; i < N; ++i) {
    if (isnan(x[i])) {
      wrong += !isnan(result[i]);
    } else if (x[i] >= 128) {
      wrong += result[i] != INFINITY;
    } else if (x[i] < -126) {
      wrong += result[i] != 0;
    } else {
      double exact = exp2(x[i]);
      int exponent;
      frexp(exact, &exponent);
      double error = fabs(result[i] - exact) / ldexp(1, exponent - 24);
      wrong += isnan(result[i]);
      largest = error > largest ? error : largest;
    }
  }
}

int main(void) {
  // Tests bit patterns of floats at a constant distance. It is odd, so the
  // patterns are all different, and all exponents occur.
  uint32_t bits = 0;
  for (int k = 0; k < 512; ++k) {
    for (int i = 0; i < N; ++i, bits += 2047 * 1025)
      memcpy(&x[i], &bits, sizeof(float));
    check();
  }
  // Tests numbers from -126 to 128 at equal distances: 2^x is a normal float
  // for them.
  for (int k = 0; k < 512; ++k) {
    for (int i = 0; i < N; ++i)
      x[i] = -126 + 254 * (float)(k * N + i) / (512 * N);
    check();
  }
  // Tests special values and limits, repeated to fill the array.
  static const float edges[] = {
      0.0f,    -0.0f,       NAN,     -NAN,    INFINITY,      -INFINITY,
      128.0f,  127.99999f,  127.5f,  1.0f,    -1.0f,         -125.5f,
      -126.0f, -126.00001f, -149.0f, -150.5f, 3.4028235e38f, -3.4028235e38f,
      1e-45f,  0.5f,        -0.5f};
  enum { E = sizeof edges / sizeof edges[0] };
  for (int i = 0; i < N; ++i)
    x[i] = edges[i % E];
  check();
  for (int i = 0; i < N; ++i)
    if (x[i] == rintf(x[i]) && x[i] >= -126 && x[i] < 128)
      wrong += result[i] != exp2f(x[i]);
  printf("%s, %ld special values wrong\n",
         largest < 1 ? "below 1 ulp" : "too large an error", wrong);
  return 0;
}
