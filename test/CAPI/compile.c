/*===- compile.c - Compilation, and what is wrong with it -----------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * compile FILE, where FILE has a module in bytecode
 */
#include "Check.h"

static attn_status compile(const char *text, const attn_compile_options *given,
                           attn_program **program) {
  return attn_compile(text, strlen(text), given, program);
}

static void check_bytecode(const char *path) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  static char bytes[1 << 16];
  size_t length = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);
  attn_compile_options options = {sizeof(options), "host"};
  attn_program *program;
  CHECK(attn_compile(bytes, length, &options, &program) == ATTN_SUCCESS);
  CHECK(attn_program_num_arguments(program) == 4);
  attn_program_destroy(program);
  /* Bytecode that is cut off must be rejected. */
  CHECK(attn_compile(bytes, length / 2, &options, &program) ==
        ATTN_INVALID_MODULE);
  CHECK(!program && *attn_last_error());
}

/* If the file for lines cannot be written, the call must fail and not end the
 * process. */
static void check_lineinfo(void) {
  attn_compile_options chip = {sizeof(chip), "sm_80"};
  attn_program *program;
  chip.lineinfo = "/dev/full";
  CHECK_FAILS(compile(dynamic_module, &chip, &program), ATTN_UNSUPPORTED,
              "cannot write '/dev/full': No space left on device");
  chip.lineinfo = "/none/lines.mlir";
  CHECK_FAILS(compile(dynamic_module, &chip, &program), ATTN_UNSUPPORTED,
              "cannot write '/none/lines.mlir': No such file or directory");
}

/* Code for another CPU can be compiled, but a launch of it must be refused. No
 * CPU has the features of both of these: XOP was dropped before AVX-512 was
 * introduced. */
static void check_cpu(void) {
  static float data[4][8];
  const char *const cpus[] = {"bdver4", "sapphirerapids"};
  const int64_t sizes[] = {1, 1, 1, 8};
  attn_buffer arguments[4];
  for (int i = 0; i < 4; ++i)
    arguments[i] = make_buffer(data[i], ATTN_F32, 4, sizes, NULL);
  int refused = 0;
  for (int i = 0; i < 2; ++i) {
    attn_compile_options host = {sizeof(host), "host"};
    attn_program *program;
    host.cpu = cpus[i];
    CHECK(compile(dynamic_module, &host, &program) == ATTN_SUCCESS);
    attn_status status = attn_launch(program, NULL, arguments, 4);
    if (status == ATTN_BAD_PROGRAM) {
      CHECK(strstr(attn_last_error(), "this machine lacks "));
      ++refused;
    } else {
      CHECK(status == ATTN_SUCCESS);
    }
    attn_program_destroy(program);
  }
  CHECK(refused);
}

int main(int argc, char **argv) {
  attn_compile_options host = {sizeof(host), "host"};
  attn_program *program;

  CHECK(strlen(attn_version()) >= 5);
  CHECK(strcmp(attn_last_error(), "") == 0);
  CHECK(compile(dynamic_module, &host, &program) == ATTN_SUCCESS);
  CHECK(strcmp(attn_program_diagnostics(program), "") == 0);
  attn_program_destroy(program);
  attn_program_destroy(NULL);
  CHECK(argc == 2);
  check_bytecode(argv[1]);

  /* Calls without a place for the program, or without a source. */
  CHECK_FAILS(compile(dynamic_module, &host, NULL), ATTN_INVALID_ARGUMENT,
              "found null");
  CHECK_FAILS(attn_compile(NULL, 0, &host, &program), ATTN_INVALID_ARGUMENT,
              "expected a source");
  CHECK(!program);

  /* Modules that are wrong. */
  attn_compile_options named = host;
  named.source_name = "my.mlir";
  CHECK_FAILS(compile("func.func @main(", &named, &program),
              ATTN_INVALID_MODULE, "my.mlir:1:");
  CHECK_FAILS(compile("\n  nonsense", &host, &program), ATTN_INVALID_MODULE,
              "module:2:3: error: ");
  CHECK_FAILS(compile("", &host, &program), ATTN_UNSUPPORTED,
              "expected a function '@main' with a body, found no function");
  named.function = "other";
  CHECK_FAILS(compile(dynamic_module, &named, &program), ATTN_UNSUPPORTED,
              "expected a function '@other' with a body, found '@main'");
  CHECK_FAILS(compile("func.func @main(%a: i7) { return }", &host, &program),
              ATTN_UNSUPPORTED,
              "argument 0: expected an integer of 1, 8, 16, 32 or 64 bits, "
              "found i7");
  CHECK_FAILS(
      compile("func.func @main(%a: memref<i4>) { return }", &host, &program),
      ATTN_UNSUPPORTED,
      "argument 0: expected an array of rank 1 or more, since two "
      "numbers of i4 share a byte, found memref<i4>");
  const char *const sum =
      "func.func @main(%a: memref<4xf32>, %b: memref<4xf32>) {\n"
      "  memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n"
      "  return\n"
      "}\n";
  attn_compile_options chip = {sizeof(chip), "sm_90"};
  CHECK_FAILS(compile(sum, &chip, &program), ATTN_UNSUPPORTED,
              "expected attention ops alone in a function for a GPU");
  CHECK(!program);

  /* Options that are wrong. */
  attn_compile_options wrong = host;
  wrong.struct_size = 0;
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "expected struct_size");
  wrong = host;
  wrong.chip = "sm_12";
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "chip 'sm_12' is older than sm_80");
  wrong = host;
  wrong.access = "narrow";
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "expected access for a chip alone");
  wrong = host;
  wrong.access = "wide";
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "expected access auto, narrow, async16 or tma, found 'wide'");
  attn_compile_options access = {sizeof(access), "sm_90a", "tma"};
  const char *const half =
      "!t = memref<?x?x?x64xf16, strided<[?, ?, ?, 1]>>\n"
      "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
      "  return\n"
      "}\n";
  CHECK_FAILS(compile(dynamic_module, &access, &program), ATTN_UNSUPPORTED,
              "wgmma takes f16 and bf16, found f32");
  CHECK(compile(half, &access, &program) == ATTN_SUCCESS);
  CHECK(strstr(attn_program_ptx(program), "cp.async.bulk.tensor"));
  CHECK(!strstr(attn_program_ptx(program), "mma.sync"));
  attn_program_destroy(program);
  access.chip = "sm_90";
  CHECK_FAILS(compile(half, &access, &program), ATTN_UNSUPPORTED,
              "expected a schedule for access tma, found ");
  access.access = "narrow";
  CHECK(compile(half, &access, &program) == ATTN_SUCCESS);
  CHECK(!strstr(attn_program_ptx(program), "cp.async.cg"));
  attn_program_destroy(program);
  wrong = host;
  wrong.cpu = "abacus";
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "unknown CPU 'abacus'");
  wrong.cpu = "pentium4";
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "expected a CPU of 64 bits, such as x86-64-v3, found 'pentium4'");
  wrong = chip;
  wrong.cpu = "x86-64-v3";
  CHECK_FAILS(compile(dynamic_module, &wrong, &program), ATTN_INVALID_ARGUMENT,
              "expected cpu for chip 'host' alone");

  /* A caller of a later version has a larger structure, and one of the first
   * version a structure with no fields after `chip`. Both must be accepted. */
  struct {
    attn_compile_options known;
    const char *unknown;
  } later = {{sizeof(later), "host"}, "?"};
  CHECK(compile(dynamic_module, &later.known, &program) == ATTN_SUCCESS);
  attn_program_destroy(program);
  attn_compile_options earlier = {offsetof(attn_compile_options, access),
                                  "host", "wide"};
  CHECK(compile(dynamic_module, &earlier, &program) == ATTN_SUCCESS);
  attn_program_destroy(program);
  /* A size of the structure that ends within a pointer is an error. */
  for (size_t size = 0; size < sizeof(earlier); ++size) {
    earlier = host;
    earlier.struct_size = size;
    if (size % sizeof(void *) || size == 0)
      CHECK_FAILS(compile(dynamic_module, &earlier, &program),
                  ATTN_INVALID_ARGUMENT, "expected struct_size");
  }

  check_lineinfo();
  check_cpu();
  return 0;
}
