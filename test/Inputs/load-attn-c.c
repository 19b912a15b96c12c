/* load-attn-c LIBRARY FILE: compiles a module for the host with a library that
 * is loaded at run time. The symbols of the libraries on which it depends are
 * not visible to other libraries (RTLD_LOCAL). */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  size_t size;
  const char *chip, *access, *function, *cpu, *source_name;
} Options;

int main(int argc, char **argv) {
  static char module[1 << 16];
  void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  FILE *file = library ? fopen(argv[2], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "expected a library and a module: %s\n", dlerror());
    return 1;
  }
  size_t length = fread(module, 1, sizeof(module), file);
  int (*compile)(const char *, size_t, const Options *, void **);
  const char *(*last_error)(void);
  *(void **)&compile = dlsym(library, "attn_compile");
  *(void **)&last_error = dlsym(library, "attn_last_error");
  Options options = {sizeof(options), "host"};
  void *program;
  int status = compile(module, length, &options, &program);
  if (status)
    fprintf(stderr, "status %d: %s\n", status, last_error());
  return status != 0;
}
