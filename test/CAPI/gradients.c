/*===- gradients.c - Programs of attention's gradients --------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

enum { ROWS = 5, KEYS = 9, DIM = 8, WIDE = 3 * DIM };

static float query[ROWS * DIM], key[KEYS * DIM], value[KEYS * DIM],
    output[ROWS * DIM], lse[ROWS], d_output[ROWS * DIM], d_lse[ROWS];
static float d_query[ROWS * DIM], d_key[KEYS * DIM], d_value[KEYS * DIM];
static float want_query[ROWS * DIM], want_key[KEYS * DIM],
    want_value[KEYS * DIM];

static const int64_t query_sizes[] = {1, 1, ROWS, DIM},
                     key_sizes[] = {1, 1, KEYS, DIM},
                     lse_sizes[] = {1, 1, ROWS};

#define TYPES                                                                  \
  "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1]>>\n"                          \
  "!r = memref<1x1x?xf32>\n"
#define INPUTS "%q: !t, %k: !t, %v: !t, %o: !t, %l: !r, %do: !t"
#define INS "ins(%q, %k, %v, %o, %l, %do : !t, !t, !t, !t, !r, !t)"

/* A module with a function for output and lse, and three functions for
 * gradients. */
static const char module[] = TYPES
    "func.func @forward(%q: !t, %k: !t, %v: !t, %o: !t, %l: !r) {\n"
    "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o, %l : !t, !r)\n"
    "  return\n"
    "}\n"
    "func.func @all(" INPUTS ", %dq: !t, %dk: !t, %dv: !t) {\n"
    "  attn.attention_backward " INS " outs(%dq, %dk, %dv : !t, !t, !t)\n"
    "  return\n"
    "}\n"
    "func.func @some(" INPUTS ", %dl: !r, %dq: !t, %dv: !t) {\n"
    "  attn.attention_backward wrt(query, value) deterministic " INS "\n"
    "      d_lse(%dl : !r) outs(%dq, %dv : !t, !t)\n"
    "  return\n"
    "}\n";

static attn_program *compile_function(const char *name) {
  attn_compile_options options = {sizeof(options), "host"};
  attn_program *program = NULL;
  options.function = name;
  CHECK(attn_compile(module, strlen(module), &options, &program) ==
        ATTN_SUCCESS);
  return program;
}

/* Computes gradients by the formulas of attn.attention_backward. d_lse is
 * multiplied by `weight`, which is 0 if there is none. */
static void compute_gradients(double weight) {
  double q[ROWS * DIM] = {0}, k[KEYS * DIM] = {0}, v[KEYS * DIM] = {0};
  double scale = 1 / sqrt(DIM);
  for (int i = 0; i < ROWS; ++i) {
    double delta = -weight * d_lse[i];
    for (int d = 0; d < DIM; ++d)
      delta += (double)output[i * DIM + d] * d_output[i * DIM + d];
    for (int j = 0; j < KEYS; ++j) {
      double score = 0, dp = 0;
      for (int d = 0; d < DIM; ++d) {
        score += scale * query[i * DIM + d] * key[j * DIM + d];
        dp += (double)d_output[i * DIM + d] * value[j * DIM + d];
      }
      double p = exp(score - lse[i]), ds = scale * p * (dp - delta);
      for (int d = 0; d < DIM; ++d) {
        q[i * DIM + d] += ds * key[j * DIM + d];
        k[j * DIM + d] += ds * query[i * DIM + d];
        v[j * DIM + d] += p * d_output[i * DIM + d];
      }
    }
  }
  for (int n = 0; n < ROWS * DIM; ++n)
    want_query[n] = (float)q[n];
  for (int n = 0; n < KEYS * DIM; ++n) {
    want_key[n] = (float)k[n];
    want_value[n] = (float)v[n];
  }
}

static attn_buffer rows_of(float *data) {
  return make_buffer(data, ATTN_F32, 4, query_sizes, NULL);
}
static attn_buffer keys_of(float *data) {
  return make_buffer(data, ATTN_F32, 4, key_sizes, NULL);
}
static attn_buffer lse_of(float *data) {
  return make_buffer(data, ATTN_F32, 3, lse_sizes, NULL);
}

/* Sets the arguments of the function @all. */
static void set_arguments(attn_buffer *arguments) {
  attn_buffer all[] = {rows_of(query),   keys_of(key),   keys_of(value),
                       rows_of(output),  lse_of(lse),    rows_of(d_output),
                       rows_of(d_query), keys_of(d_key), keys_of(d_value)};
  memcpy(arguments, all, sizeof(all));
  memset(d_query, 0xff, sizeof(d_query));
  memset(d_key, 0xff, sizeof(d_key));
  memset(d_value, 0xff, sizeof(d_value));
}

static void check_forward(void) {
  attn_program *program = compile_function("forward");
  attn_buffer arguments[] = {rows_of(query), keys_of(key), keys_of(value),
                             rows_of(output), lse_of(lse)};
  CHECK(attn_launch(program, NULL, arguments, 5) == ATTN_SUCCESS);
  attn_program_destroy(program);
}

static void check_arguments(const attn_program *program, int count,
                            const char *const *names, int num_inputs) {
  CHECK(attn_program_num_arguments(program) == (uint32_t)count);
  for (int i = 0; i < count; ++i) {
    attn_argument_info info = {sizeof(info)};
    CHECK(attn_program_argument(program, i, &info) == ATTN_SUCCESS);
    CHECK(strcmp(info.name, names[i]) == 0);
    CHECK(info.kind == (i < num_inputs ? ATTN_INPUT : ATTN_OUTPUT));
    CHECK(info.rank == (strstr(names[i], "lse") ? 3u : 4u));
  }
}

/* Checks that a launch with one wrong argument fails with the message `text`,
 * and writes nothing. */
#define CHECK_WRONG(position, member, wrong, text)                             \
  do {                                                                         \
    set_arguments(arguments);                                                  \
    arguments[position].member = wrong;                                        \
    CHECK_FAILS(attn_launch(program, NULL, arguments, 9),                      \
                ATTN_INVALID_ARGUMENT, text);                                  \
    CHECK(isnan(d_query[0]) && isnan(d_key[0]) && isnan(d_value[0]));          \
  } while (0)

static void check_wrong(attn_program *program) {
  attn_buffer arguments[9];
  const int64_t fewer[] = {1, 1, ROWS - 1, DIM}, fewer_lse[] = {1, 1, ROWS - 1};
  const int64_t stats[] = {1, 1, ROWS, 1}, other[] = {1, 1, KEYS - 1, DIM};
  CHECK_WRONG(4, sizes, fewer_lse,
              "expected equal lengths in query and lse; argument 0 (query)");
  CHECK_WRONG(3, sizes, fewer, "expected equal lengths in query and output");
  CHECK_WRONG(5, sizes, fewer, "expected equal lengths in query and d_output");
  CHECK_WRONG(6, sizes, fewer, "expected equal lengths in query and d_query");
  CHECK_WRONG(7, sizes, other, "expected equal lengths in key and d_key");
  CHECK_WRONG(3, data, NULL,
              "argument 3 (output): expected the address of an array, found "
              "null");
  CHECK_WRONG(5, dtype, ATTN_F16,
              "argument 5 (d_output): expected dtype f32, found f16");
  CHECK_WRONG(4, dtype, ATTN_F16,
              "argument 4 (lse): expected dtype f32, found f16");
  set_arguments(arguments);
  arguments[4] = make_buffer(lse, ATTN_F32, 4, stats, NULL);
  CHECK_FAILS(attn_launch(program, NULL, arguments, 9), ATTN_INVALID_ARGUMENT,
              "argument 4 (lse): expected rank 3, found 4");
  CHECK_FAILS(attn_launch(program, NULL, arguments, 8), ATTN_INVALID_ARGUMENT,
              "expected 9 arguments, found 8");
  /* Memory of a gradient that another gradient or an input has, too, is an
   * error. */
  CHECK_WRONG(8, data, d_key,
              "argument 7 (d_key): expected memory of its own in an array that "
              "is written, found elements that argument 8 (d_value) has, too");
  CHECK_WRONG(6, data, query,
              "argument 6 (d_query): expected memory of its own in an array "
              "that is written, found elements that argument 0 (query) has");
  CHECK_WRONG(7, data, value + 1, "that argument 2 (value) has, too");
}

/* Gradients may be columns of one packed array: their elements are interleaved,
 * but do not overlap. */
static void check_packed(attn_program *program) {
  float packed[KEYS * WIDE];
  const int64_t strides[] = {0, 0, WIDE, 1}, backwards[] = {0, 0, -WIDE, 1};
  attn_buffer arguments[9];
  set_arguments(arguments);
  for (int i = 0; i < KEYS * WIDE; ++i)
    packed[i] = 77;
  for (int n = 0; n < 3; ++n) {
    arguments[6 + n].data = packed + n * DIM;
    arguments[6 + n].strides = strides;
  }
  /* d_value begins at its last row and has a negative stride of rows. */
  arguments[8].data = packed + (KEYS - 1) * WIDE + 2 * DIM;
  arguments[8].strides = backwards;
  CHECK(attn_launch(program, NULL, arguments, 9) == ATTN_SUCCESS);
  for (int i = 0; i < KEYS; ++i) {
    const float *row = packed + i * WIDE;
    if (i < ROWS)
      CHECK(count_wrong(row, want_query + i * DIM, DIM) == 0);
    else
      CHECK(row[0] == 77);
    CHECK(count_wrong(row + DIM, want_key + i * DIM, DIM) == 0);
    CHECK(count_wrong(row + 2 * DIM, want_value + (KEYS - 1 - i) * DIM, DIM) ==
          0);
  }
  /* If d_key begins one column to the left, its first column is also the last
   * column of d_query. */
  arguments[7].data = packed + DIM - 1;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 9), ATTN_INVALID_ARGUMENT,
              "argument 6 (d_query): expected memory of its own");
}

static void check_all(void) {
  static const char *const names[] = {"query",   "key",   "value",
                                      "output",  "lse",   "d_output",
                                      "d_query", "d_key", "d_value"};
  attn_program *program = compile_function("all");
  check_arguments(program, 9, names, 6);
  attn_buffer arguments[9];
  uint64_t bytes = 1;
  set_arguments(arguments);
  compute_gradients(0);
  CHECK(attn_program_workspace_size(program, arguments, 9, &bytes) ==
        ATTN_SUCCESS);
  CHECK(bytes == 0);
  CHECK(attn_launch(program, NULL, arguments, 9) == ATTN_SUCCESS);
  CHECK(count_wrong(d_query, want_query, ROWS * DIM) == 0);
  CHECK(count_wrong(d_key, want_key, KEYS * DIM) == 0);
  CHECK(count_wrong(d_value, want_value, KEYS * DIM) == 0);
  check_wrong(program);
  check_packed(program);
  attn_program_destroy(program);
}

static void check_some(void) {
  static const char *const names[] = {"query",  "key",     "value",
                                      "output", "lse",     "d_output",
                                      "d_lse",  "d_query", "d_value"};
  attn_program *program = compile_function("some");
  check_arguments(program, 9, names, 7);
  attn_buffer all[9];
  set_arguments(all);
  attn_buffer arguments[] = {all[0], all[1],        all[2], all[3], all[4],
                             all[5], lse_of(d_lse), all[6], all[8]};
  compute_gradients(1);
  CHECK(attn_launch(program, NULL, arguments, 9) == ATTN_SUCCESS);
  CHECK(count_wrong(d_query, want_query, ROWS * DIM) == 0);
  CHECK(count_wrong(d_value, want_value, KEYS * DIM) == 0);
  CHECK(isnan(d_key[0]));
  arguments[6].data = NULL;
  CHECK_FAILS(attn_launch(program, NULL, arguments, 9), ATTN_INVALID_ARGUMENT,
              "argument 6 (d_lse): expected the address of an array");
  attn_program_destroy(program);
}

static void check_modules(void) {
  static const struct {
    const char *text, *message;
  } wrong[] = {
      /* The op lacks the output among its operands. */
      {TYPES "func.func @main(" INPUTS ", %dq: !t) {\n"
             "  attn.attention_backward wrt(query)\n"
             "      ins(%q, %k, %v, %l, %do : !t, !t, !t, !r, !t)\n"
             "      outs(%dq : !t)\n"
             "  return\n"
             "}\n",
       "expected"},
      {TYPES "func.func @main(" INPUTS ", %dq: !t) {\n"
             "  attn.attention_backward " INS " outs(%dq : !t)\n"
             "  return\n"
             "}\n",
       "expected as many outs as gradients in wrt, which are 3, found 1"},
      {TYPES "!h = memref<1x1x?x8xf16, strided<[?, ?, ?, 1]>>\n"
             "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t, %l: !r, %do: !h, "
             "%dq: !t) {\n"
             "  attn.attention_backward wrt(query)\n"
             "      ins(%q, %k, %v, %o, %l, %do : !t, !t, !t, !t, !r, !h)\n"
             "      outs(%dq : !t)\n"
             "  return\n"
             "}\n",
       "expected d_output elements of 'f32', as output, found 'f16'"},
  };
  attn_compile_options options = {sizeof(options), "host"};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i) {
    attn_program *program;
    CHECK_FAILS(
        attn_compile(wrong[i].text, strlen(wrong[i].text), &options, &program),
        ATTN_INVALID_MODULE, wrong[i].message);
    CHECK(!program);
  }
}

int main(void) {
  fill(query, ROWS * DIM, 1);
  fill(key, KEYS * DIM, 2);
  fill(value, KEYS * DIM, 3);
  fill(d_output, ROWS * DIM, 4);
  fill(d_lse, ROWS, 5);
  check_forward();
  check_all();
  check_some();
  check_modules();
  return 0;
}
