/*===- source.c - Texts that no parser should see -------------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

#include <pthread.h>

static attn_status compile(const char *text, attn_program **program) {
  attn_compile_options host = {sizeof(host), "host"};
  return attn_compile(text, strlen(text), &host, program);
}

static char *repeat(const char *begin, const char *open, int count,
                    const char *middle, const char *close, const char *end) {
  size_t size = strlen(begin) + strlen(middle) + strlen(end) + 1 +
                count * (strlen(open) + strlen(close));
  char *text = (char *)malloc(size), *next = text;
  next += sprintf(next, "%s", begin);
  for (int i = 0; i < count; ++i)
    next += sprintf(next, "%s", open);
  next += sprintf(next, "%s", middle);
  for (int i = 0; i < count; ++i)
    next += sprintf(next, "%s", close);
  sprintf(next, "%s", end);
  return text;
}

/* The body of a thread with little stack. Texts that nest as deeply as allowed
 * must be parsed, and deeper ones refused. */
static void *nest(void *unused) {
  static const struct {
    const char *begin, *open, *middle, *close, *end;
    int most;
  } kinds[] = {
      {"func.func @main(%c: i1) {\n", "scf.if %c {\n", "", "}\n", "return }\n",
       255},
      {"", "module {", "", "}", "", 256},
      {"module attributes {llvm.a = ", "[", "", "]", "} {}", 255},
      {"func.func @main(%a: ", "tuple<", "i1", ">", ") { return }", 255},
      {"module attributes {llvm.a = affine_map<(d0) -> (", "- ", "d0", "",
       ")>} {}", 253},
      {"module {} loc(", "fused[", "\"x\"", "]", ")", 255}};
  const int deep[] = {300, 5000, 100000};
  attn_program *program;
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i) {
    char *text = repeat(kinds[i].begin, kinds[i].open, kinds[i].most,
                        kinds[i].middle, kinds[i].close, kinds[i].end);
    attn_status status = compile(text, &program);
    CHECK(i == 0 ? status == ATTN_SUCCESS
                 : !strstr(attn_last_error(), "nesting"));
    if (program) {
      const char *stage;
      CHECK(attn_program_ir(program, "llvm", &stage) == ATTN_SUCCESS);
    }
    attn_program_destroy(program);
    free(text);
    for (size_t d = 0; d < sizeof(deep) / sizeof(*deep); ++d) {
      text = repeat(kinds[i].begin, kinds[i].open, deep[d], kinds[i].middle,
                    kinds[i].close, kinds[i].end);
      CHECK_FAILS(compile(text, &program), ATTN_INVALID_MODULE,
                  "error: expected at most 256 levels of nesting, found more");
      free(text);
    }
  }
  return unused;
}

static void check_nesting(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstacksize(&attributes, 512 << 10) == 0);
  CHECK(pthread_create(&thread, &attributes, nest, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  pthread_attr_destroy(&attributes);
}

static void check_resources(void) {
  attn_program *program;
  CHECK_FAILS(compile("{-# dialect_resources: { builtin: {\n"
                      "  a: \"0x000000000000\"\n"
                      "} } #-}\n",
                      &program),
              ATTN_INVALID_MODULE,
              "module:2:6: error: expected a resource with an alignment of at "
              "least 1, found 0");
}

/* A message about a very long line of the source quotes only a part of the
 * line. */
static void check_long_line(void) {
  attn_program *program;
  char *text = repeat("module attributes {llvm.a = [", "1, ", 300000, "oops",
                      " 1,", "]} {}");
  CHECK_FAILS(compile(text, &program), ATTN_INVALID_MODULE,
              "module:1:900029: error: ");
  CHECK(strstr(attn_last_error(), ", 1, oops 1, 1,"));
  CHECK(strlen(attn_last_error()) < 1000);
  free(text);
  text = repeat("func.func @main() { return %", "x", 1000000, "", "", " }");
  CHECK(compile(text, &program) == ATTN_INVALID_MODULE);
  CHECK(strlen(attn_last_error()) < 20000);
  free(text);
}

int main(void) {
  check_nesting();
  check_resources();
  check_long_line();
  return 0;
}
