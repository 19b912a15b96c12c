/*===- cache.c - Compiles the same from and for the cache -----------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 *   cache DIRECTORY [CHIP [FUNCTION [ACCESS [CPU [SOURCE-NAME [LINE]]]]]]
 *
 * compiles a module, with DIRECTORY as the cache, and checks the program. "-"
 * leaves an option out. Without CHIP, it is compiled for the host. LINE is
 * added to the end of the module's text.
 */
#include "Check.h"

static void run(attn_program *program) {
  enum { ROWS = 5, DIM = 8, COUNT = ROWS * DIM };
  const int64_t sizes[] = {1, 1, ROWS, DIM};
  float data[4][COUNT], expected[COUNT];
  attn_buffer arguments[4];
  for (int i = 0; i < 4; ++i) {
    fill(data[i], COUNT, i);
    arguments[i] = make_buffer(data[i], ATTN_F32, 4, sizes, NULL);
  }
  compute_attention(data[0], data[1], data[2], ROWS, ROWS, DIM, expected);
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  CHECK(count_wrong(data[3], expected, COUNT) == 0);
}

static const char *get_option(int argc, char **argv, int index) {
  return index < argc && strcmp(argv[index], "-") ? argv[index] : NULL;
}

int main(int argc, char **argv) {
  static const char two_functions[] =
      "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>\n"
      "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
      "  return\n"
      "}\n"
      "func.func @other(%q: !t, %k: !t, %v: !t, %o: !t) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
      "  return\n"
      "}\n";
  char text[sizeof(two_functions) + 100];
  attn_compile_options options = {sizeof(options)};
  attn_program *program;
  options.cache = get_option(argc, argv, 1);
  options.chip = get_option(argc, argv, 2);
  options.function = get_option(argc, argv, 3);
  options.access = get_option(argc, argv, 4);
  options.cpu = get_option(argc, argv, 5);
  options.source_name = get_option(argc, argv, 6);
  if (!options.chip)
    options.chip = "host";
  snprintf(text, sizeof(text), "%s%s\n", two_functions,
           argc > 7 ? argv[7] : "");
  CHECK(attn_compile(text, strlen(text), &options, &program) == ATTN_SUCCESS);
  if (strcmp(options.chip, "host") == 0)
    run(program);
  else
    CHECK(attn_program_ptx(program) && attn_program_num_kernels(program) > 0);
  /* A program from the cache must also have what only its compilation knows,
   * such as the IR after a stage. */
  const char *tile;
  CHECK(attn_program_ir(program, "tile", &tile) == ATTN_SUCCESS);
  CHECK(strstr(tile, "attn_tile."));
  attn_program_destroy(program);
  return 0;
}
