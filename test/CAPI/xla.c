/*===- xla.c - The handler of XLA's foreign function interface ------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Calls the handler as XLA does, on the host and, with the argument "cuda", on
 * the fake driver, whose kernels do nothing and which counts calls.
 */
#include "Check.h"

#include "attn-c/xla.h"

#include <dlfcn.h>

typedef struct Extension {
  size_t size;
  int type;
  struct Extension *next;
} Extension;

typedef struct {
  size_t size;
  Extension *extensions;
} Header;

typedef struct {
  Header header;
  int major, minor;
} Version;

typedef struct {
  size_t size;
  Version version;
  uint32_t traits;
  int64_t type;
} Metadata;

typedef struct {
  Header header;
  const char *message;
  int code;
} ErrorArguments;

typedef struct {
  Header header;
  void *context;
  int stage;
  int64_t *type;
  void *state;
} StateArguments;

typedef struct {
  Header header;
  void *context;
  void *stream;
} StreamArguments;

typedef struct {
  Header header;
  Version version;
  const void *internal;
  void *(*create_error)(ErrorArguments *);
  void *get_message, *destroy_error, *register_handler;
  void *(*get_stream)(StreamArguments *);
  void *register_type, *get_context;
  void *(*set_state)(StateArguments *);
  void *(*get_state)(StateArguments *);
} Api;

typedef struct {
  Header header;
  int dtype;
  void *data;
  int64_t rank;
  int64_t *sizes;
} Buffer;

typedef struct {
  Header header;
  int64_t count;
  int *types;
  Buffer **buffers;
} Buffers;

typedef struct {
  const char *data;
  size_t size;
} Span;

typedef struct {
  int dtype;
  size_t size;
  void *data;
} Array;

typedef struct {
  Header header;
  const Api *api;
  void *context;
  int stage;
  Buffers operands, results;
  struct {
    Header header;
    int64_t count;
    int *types;
    Span **names;
    void **values;
  } attributes;
} Frame;

enum { INSTANTIATE, PREPARE, INITIALIZE, EXECUTE };
enum { S64 = 5, F32 = 11, U8 = 6 };
typedef void *(*Handler)(Frame *);
typedef struct {
  Header header;
  void (*deleter)(void *);
} TypeInfo;

static char message[4096];
static void *state, *stream;
static int64_t *state_type;

static void *create_error(ErrorArguments *arguments) {
  snprintf(message, sizeof(message), "%d: %s", arguments->code,
           arguments->message);
  return message;
}
static void *set_state(StateArguments *arguments) {
  CHECK(arguments->stage == INSTANTIATE);
  state = arguments->state;
  state_type = arguments->type;
  return NULL;
}
static void *get_state(StateArguments *arguments) {
  CHECK(arguments->stage == INSTANTIATE && arguments->type == state_type);
  arguments->state = state;
  return NULL;
}
static void *get_stream(StreamArguments *arguments) {
  arguments->stream = stream;
  return NULL;
}

static Api api = {{sizeof(Api), NULL},
                  {{sizeof(Version), NULL}, 0, 3},
                  NULL,
                  create_error,
                  NULL,
                  NULL,
                  NULL,
                  get_stream,
                  NULL,
                  NULL,
                  set_state,
                  get_state};

/* A call of attention on arrays (1, S, 1, 8), with a further result that is the
 * program's workspace. */
enum { ROWS = 40, DIM = 8, COUNT = ROWS * DIM };
static float data[4][COUNT];
static char memory[1024];
static int64_t sizes[4] = {1, ROWS, 1, DIM}, bytes[1] = {1024};
static Buffer buffers[5];
static Buffer *pointers[5];
static int types[5] = {1, 1, 1, 1, 1};
static const char module[] =
    "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1]>>\n"
    "func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {\n"
    "  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)\n"
    "  return\n"
    "}\n";
static int64_t words[] = {1, 0, 4, 0, 2, 1, 3, 1, 4, 0, 2, 1, 3,
                          2, 4, 0, 2, 1, 3, 3, 4, 0, 2, 1, 3};
static Span text = {module, sizeof(module) - 1};
static Array array = {S64, sizeof(words) / sizeof(*words), words};
static Span names[] = {{"arguments", 9}, {"module", 6}};
static Span *name_pointers[] = {&names[0], &names[1]};
static int attribute_types[] = {/*array=*/1, /*string=*/4};
static void *attributes[] = {&array, &text};

static Frame make_frame(int stage) {
  Frame frame;
  memset(&frame, 0, sizeof(frame));
  frame.header.size = sizeof(frame);
  frame.api = &api;
  frame.stage = stage;
  for (int i = 0; i < 5; ++i) {
    Buffer its = {{sizeof(Buffer), NULL}, F32, data[i % 4], 4, sizes};
    Buffer of_memory = {{sizeof(Buffer), NULL}, U8, memory, 1, bytes};
    buffers[i] = i < 4 ? its : of_memory;
    pointers[i] = &buffers[i];
  }
  Buffers operands = {{sizeof(Buffers), NULL}, 3, types, pointers};
  Buffers results = {{sizeof(Buffers), NULL}, 2, types, pointers + 3};
  frame.operands = operands;
  frame.results = results;
  frame.attributes.count = 2;
  frame.attributes.types = attribute_types;
  frame.attributes.names = name_pointers;
  frame.attributes.values = attributes;
  return frame;
}

static void expect_error(Handler handler, Frame *frame, const char *what) {
  CHECK(handler(frame) == message);
  if (!strstr(message, what)) {
    fprintf(stderr, "expected %s, found %s\n", what, message);
    exit(1);
  }
}

static attn_xla_target get_target(int kind) {
  attn_xla_target target;
  CHECK(attn_xla_get_target(kind, &target) == ATTN_SUCCESS);
  CHECK(target.handler && target.type_name && target.type_id);
  return target;
}

static void check_metadata(int kind, uint32_t traits) {
  struct {
    Extension base;
    Metadata *metadata;
  } extension;
  Metadata metadata;
  Frame frame = make_frame(EXECUTE);
  attn_xla_target target = get_target(kind);
  memset(&metadata, 0xff, sizeof(metadata));
  extension.base.size = sizeof(extension);
  extension.base.type = 1;
  extension.base.next = NULL;
  extension.metadata = &metadata;
  frame.header.extensions = &extension.base;
  *(int64_t *)target.type_id = 70 + kind;
  CHECK(((Handler)target.handler)(&frame) == NULL);
  CHECK(metadata.version.major == 0 && metadata.version.minor == 3);
  CHECK(metadata.traits == traits && metadata.type == 70 + kind);
}

static void check_faults(Handler handler) {
  Frame frame = make_frame(INSTANTIATE);
  api.version.minor = 1;
  expect_error(handler, &frame,
               "9: expected XLA's foreign function interface "
               "0.3 or later, that of jaxlib 0.10, found 0.1");
  api.version.minor = 3;
  frame.attributes.count = 1;
  expect_error(handler, &frame, "3: expected the attributes `module`");
  frame = make_frame(INSTANTIATE);
  array.size -= 1;
  expect_error(handler, &frame, "3: expected the attributes `module`");
  array.size -= 5;
  expect_error(handler, &frame,
               "arguments: expected 4, as the function has, "
               "found 3");
  array.size += 6;
  text.size -= 3;
  expect_error(handler, &frame, "12: module of XLA:");
  text.size += 3;
  CHECK(!state);
}

static void check_host(void) {
  attn_xla_target target = get_target(ATTN_XLA_HOST);
  Handler handler = (Handler)target.handler;
  float expected[COUNT];
  check_faults(handler);
  words[0] = -1;
  Frame frame = make_frame(INSTANTIATE);
  CHECK(handler(&frame) == NULL && state);
  for (int i = 0; i < 3; ++i)
    fill(data[i], COUNT, i);
  memset(data[3], 0xff, sizeof(data[3]));
  compute_attention(data[0], data[1], data[2], ROWS, ROWS, DIM, expected);
  frame = make_frame(INITIALIZE);
  CHECK(handler(&frame) == NULL);
  frame = make_frame(EXECUTE);
  CHECK(handler(&frame) == NULL);
  CHECK(count_wrong(data[3], expected, COUNT) == 0);
  buffers[1].rank = 3;
  expect_error(handler, &frame, "3: expected buffers of the ranks");
  frame = make_frame(EXECUTE);
  int64_t other[] = {1, ROWS - 1, 1, DIM};
  buffers[1].sizes = other;
  expect_error(handler, &frame,
               "3: attn.attention: expected equal lengths in key");
  frame = make_frame(EXECUTE);
  frame.operands.count = 2;
  expect_error(handler, &frame, "3: expected buffers of the ranks");
  ((TypeInfo *)target.type_info)->deleter(state);
  state = NULL;
  words[0] = 1;
}

/* The host cannot read a number in a GPU's memory. */
static void check_number(Handler handler) {
  static const char with_number[] =
      "!t = memref<1x1x?x8xf32, strided<[?, ?, ?, 1]>>\n"
      "func.func @main(%q: !t, %k: !t, %v: !t, %x: f32, %o: !t) {\n"
      "  attn.attention ins(%q, %k, %v : !t, !t, !t) captures(%x : f32)\n"
      "      outs(%o : !t) score {\n"
      "  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %y: f32):\n"
      "    %r = arith.mulf %s, %y : f32\n"
      "    attn.yield %r : f32\n"
      "  }\n"
      "  return\n"
      "}\n";
  int64_t with_rank_0[] = {-1, 0, 4, 0, 2, 1, 3, 1, 4, 0, 2, 1, 3, 2,
                           4,  0, 2, 1, 3, 3, 0, 4, 4, 0, 2, 1, 3};
  Span its_text = {with_number, sizeof(with_number) - 1};
  Array its_array = {S64, sizeof(with_rank_0) / sizeof(*with_rank_0),
                     with_rank_0};
  void *its_attributes[] = {&its_array, &its_text};
  Frame frame = make_frame(INSTANTIATE);
  frame.attributes.values = its_attributes;
  state = NULL;
  expect_error(handler, &frame,
               "3: argument 3: expected an array, since XLA has all arguments "
               "in the GPU's memory, found a number of type f32");
  CHECK(!state);
}

/* Checks calls on the fake driver. Two calls of the same module share one
 * program, whose kernels are loaded before XLA captures launches into a graph.
 * */
static void check_cuda(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(driver);
  unsigned (*calls)(const char *);
  unsigned (*loaded)(void);
  void *(*create_context)(int);
  *(void **)&calls = dlsym(driver, "fake_calls");
  *(void **)&loaded = dlsym(driver, "fake_loaded_modules");
  *(void **)&create_context = dlsym(driver, "fake_create_context");
  CHECK(calls && loaded && create_context);
  CHECK(((int (*)(unsigned))dlsym(driver, "cuInit"))(0) == 0);
  attn_xla_target target = get_target(ATTN_XLA_CUDA);
  CHECK(target.type_id == get_target(ATTN_XLA_CUDA_POOL).type_id);
  Handler handler = (Handler)target.handler;
  void *states[2];
  /* While XLA builds an executable, no CUDA context is current. */
  for (int i = 0; i < 2; ++i) {
    Frame frame = make_frame(INSTANTIATE);
    state = NULL;
    CHECK(handler(&frame) == NULL && state);
    states[i] = state;
  }
  CHECK(states[0] != states[1]);
  check_number(handler);
  create_context(0);
  for (int i = 0; i < 2; ++i) {
    Frame frame = make_frame(INITIALIZE);
    state = states[i];
    CHECK(handler(&frame) == NULL);
    CHECK(loaded() == 1);
  }
  unsigned before = calls("cuLaunchKernel") + calls("cuLaunchKernelEx");
  unsigned allocations = calls("cuMemAllocAsync");
  for (int i = 0; i < 2; ++i) {
    Frame frame = make_frame(EXECUTE);
    state = states[i];
    CHECK(handler(&frame) == NULL);
  }
  CHECK(calls("cuLaunchKernel") + calls("cuLaunchKernelEx") == before + 2);
  CHECK(loaded() == 1 && calls("cuMemAllocAsync") == allocations);
  TypeInfo *info = (TypeInfo *)target.type_info;
  info->deleter(states[0]);
  CHECK(loaded() == 1);
  /* For a GPU of another chip, the same module is another program. The state of
   * a call begins with the address of its program. */
  create_context(1);
  Frame frame = make_frame(INSTANTIATE);
  state = NULL;
  CHECK(handler(&frame) == NULL && state);
  attn_program *first = *(attn_program **)states[1],
               *other = *(attn_program **)state;
  CHECK(strcmp(attn_program_chip(first), "sm_90a") == 0);
  CHECK(strcmp(attn_program_chip(other), "sm_80") == 0);
  info->deleter(state);
  info->deleter(states[1]);
  CHECK(loaded() == 0);
}

int main(int argc, char **argv) {
  (void)argv;
  CHECK_FAILS(attn_xla_get_target(3, NULL), ATTN_INVALID_ARGUMENT,
              "expected a kind from 0 to 2 and the address of a target to set, "
              "found kind 3 and null");
  if (argc > 1) {
    check_cuda();
    return 0;
  }
  check_metadata(ATTN_XLA_HOST, 0);
  check_metadata(ATTN_XLA_CUDA, /*COMMAND_BUFFER_COMPATIBLE=*/1);
  check_metadata(ATTN_XLA_CUDA_POOL, 0);
  check_host();
  return 0;
}
