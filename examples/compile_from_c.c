/*===- compile_from_c.c - Compile attention and run it, from C ------------===*\
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
 * cc examples/compile_from_c.c $(pkg-config --cflags --libs attn-c) \
 *   -Wl,-rpath,$(pkg-config --variable=libdir attn-c) -o compile_from_c
 * ./compile_from_c
 */
#include <attn-c/attn.h>

#include <stdio.h>
#include <string.h>

static const char module[] =
    "!t = memref<1x1x?x4xf32>\n"
    "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {\n"
    "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
    "  return\n"
    "}\n";

static int fail(void) {
  fprintf(stderr, "%s\n", attn_last_error());
  return 1;
}

int main(void) {
  /* The chip "host" compiles for the CPU, "sm_90a" for that GPU, and null for
   * the machine's GPU. */
  attn_compile_options options = {sizeof(options), "host"};
  attn_program *program;
  if (attn_compile(module, strlen(module), &options, &program) != ATTN_SUCCESS)
    return fail();

  /* In row 0 all scores are equal. In row 1 the last key's score is so large
   * that only its value counts. */
  float q[2 * 4] = {0, 0, 0, 0, 100}, k[3 * 4] = {0, 0, 0, 0, 0, 0, 0, 0, 1};
  float v[3 * 4] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, o[2 * 4];
  const int64_t rows[] = {1, 1, 2, 4}, keys[] = {1, 1, 3, 4};
  const attn_buffer arguments[] = {
      {q, rows, NULL, 4, ATTN_F32},
      {k, keys, NULL, 4, ATTN_F32},
      {v, keys, NULL, 4, ATTN_F32},
      {o, rows, NULL, 4, ATTN_F32},
  };
  if (attn_launch(program, NULL, arguments, 4) != ATTN_SUCCESS)
    return fail();
  for (int row = 0; row < 2; ++row)
    printf("%g %g %g %g\n", o[4 * row], o[4 * row + 1], o[4 * row + 2],
           o[4 * row + 3]);
  attn_program_destroy(program);
  return 0;
}
