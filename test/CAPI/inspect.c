/*===- inspect.c - What a program says of itself --------------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

static const char *const module =
    "!q = memref<?x4x?x64xf16, strided<[?, 64, 256, 1]>>\n"
    "!k = memref<?x2x?x64xf16>\n"
    "func.func @attend(%q: !q, %k: !k, %v: !k, %o: !q,\n"
    "                  %l: memref<?x4x?xf32>, %n: index, %x: f64) {\n"
    "  attn.attention ins(%q, %k, %v : !q, !k, !k)\n"
    "      outs(%o, %l : !q, memref<?x4x?xf32>)\n"
    "  return\n"
    "}\n";

static attn_program *compile(const char *chip) {
  attn_compile_options options = {sizeof(options), chip, NULL, "attend"};
  attn_program *program;
  CHECK(attn_compile(module, strlen(module), &options, &program) ==
        ATTN_SUCCESS);
  return program;
}

static attn_argument_info get_argument(attn_program *program, uint32_t index) {
  attn_argument_info info = {sizeof(info)};
  CHECK(attn_program_argument(program, index, &info) == ATTN_SUCCESS);
  CHECK(info.struct_size == sizeof(info));
  return info;
}

static void check_arguments(attn_program *program) {
  CHECK(attn_program_num_arguments(program) == 7);
  attn_argument_info query = get_argument(program, 0);
  CHECK(query.kind == ATTN_INPUT && query.dtype == ATTN_F16);
  CHECK(query.rank == 4 && !query.is_contiguous && !query.is_updated);
  CHECK(query.sizes[0] == ATTN_DYNAMIC && query.sizes[1] == 4);
  CHECK(query.sizes[2] == ATTN_DYNAMIC && query.sizes[3] == 64);
  CHECK(query.strides[0] == ATTN_DYNAMIC && query.strides[1] == 64);
  CHECK(query.strides[2] == 256 && query.strides[3] == 1);
  CHECK(strcmp(query.name, "query") == 0);
  CHECK(strstr(query.type, "memref<?x4x?x64xf16, strided<"));
  attn_argument_info key = get_argument(program, 1);
  CHECK(key.is_contiguous && strcmp(key.name, "key") == 0);
  CHECK(strcmp(get_argument(program, 2).name, "value") == 0);
  attn_argument_info output = get_argument(program, 3);
  CHECK(output.kind == ATTN_OUTPUT && strcmp(output.name, "output") == 0);
  attn_argument_info lse = get_argument(program, 4);
  CHECK(lse.kind == ATTN_OUTPUT && lse.dtype == ATTN_F32 && lse.rank == 3);
  CHECK(strcmp(lse.name, "lse") == 0);
  attn_argument_info number = get_argument(program, 5);
  CHECK(number.kind == ATTN_SCALAR && number.dtype == ATTN_I64);
  CHECK(number.rank == 0 && strcmp(number.name, "") == 0);
  CHECK(get_argument(program, 6).dtype == ATTN_F64);

  attn_argument_info info = {sizeof(info)};
  CHECK_FAILS(attn_program_argument(program, 7, &info), ATTN_INVALID_ARGUMENT,
              "expected one of 7 arguments, found number 7");
  CHECK_FAILS(attn_program_argument(program, 0, NULL), ATTN_INVALID_ARGUMENT,
              "found null");
  const size_t cut[] = {0, 7, 9, offsetof(attn_argument_info, strides) + 4};
  for (int i = 0; i < 4; ++i) {
    info.struct_size = cut[i];
    CHECK_FAILS(attn_program_argument(program, 0, &info), ATTN_INVALID_ARGUMENT,
                "expected struct_size");
  }
  /* If the caller's version of the structure is smaller, nothing is written
   * after its end. */
  info.struct_size = offsetof(attn_argument_info, dtype);
  info.dtype = -7;
  CHECK(attn_program_argument(program, 0, &info) == ATTN_SUCCESS);
  CHECK(info.kind == ATTN_INPUT && info.dtype == -7);
}

static void check_stage(attn_program *program, const char *stage,
                        const char *present, const char *absent) {
  const char *text, *again;
  CHECK(attn_program_ir(program, stage, &text) == ATTN_SUCCESS);
  CHECK(strstr(text, present) && !strstr(text, absent));
  CHECK(attn_program_ir(program, stage, &again) == ATTN_SUCCESS);
  CHECK(text == again);
}

int main(void) {
  attn_program *host = compile("host"), *chip = compile("sm_90");
  const char *text;

  check_arguments(host);
  check_arguments(chip);
  CHECK(strcmp(attn_program_chip(host), "host") == 0);
  CHECK(strcmp(attn_program_chip(chip), "sm_90") == 0);
  CHECK(!attn_program_ptx(host));
  CHECK(strstr(attn_program_ptx(chip), ".target sm_90"));
  CHECK(strstr(attn_program_ptx(chip), ".entry attend_async16"));

  check_stage(host, "source", "attn.attention", "scf.for");
  check_stage(host, "tile", "attn_tile.dot", "attn.attention ");
  check_stage(host, "llvm", "llvm.func @attn_attend_packed", "attn_tile.dot");
  CHECK_FAILS(attn_program_ir(host, "nvvm", &text), ATTN_INVALID_ARGUMENT,
              "expected stage source, tile or llvm, or a pass of the "
              "pipeline, one of attn-define-operands, ");
  /* A stage can be the name of a pass. The text has the IR after each run of
   * the pass. */
  check_stage(host, "attn-host-export", "(attn-host-export)", "attn_tile.dot");
  check_stage(chip, "source", "attn.attention", "scf.for");
  check_stage(chip, "tile", "attn_tile.grid", "attn_gpu.launch");
  check_stage(chip, "nvvm", "nvvm.mma.sync", "attn_tile.dot");
  check_stage(chip, "llvm", "@attnrt_launch_kernel", "nvvm.mma.sync");
  CHECK_FAILS(attn_program_ir(chip, "ptx", &text), ATTN_INVALID_ARGUMENT,
              "attn-lower-launch, ");
  CHECK_FAILS(attn_program_ir(chip, "ptx", &text), ATTN_INVALID_ARGUMENT,
              "expected stage source, tile, nvvm or llvm, or a pass of the "
              "pipeline, one of ");
  check_stage(chip, "attn-gpu-map-grid", "attn_gpu.launch", "attn_tile.grid");
  check_stage(chip, "attn-serialize-kernels", "gpu.binary", "gpu.module");
  CHECK(attn_program_ir(chip, "canonicalize", &text) == ATTN_SUCCESS);
  CHECK(strstr(strstr(text, "// -----// IR Dump After") + 1,
               "// -----// IR Dump After"));
  CHECK_FAILS(attn_program_ir(chip, NULL, &text), ATTN_INVALID_ARGUMENT,
              "found null");

  CHECK(attn_program_num_kernels(host) == 0);
  /* What the driver says about the kernels is checked by another test. */
  CHECK(attn_program_num_kernels(chip) == 2);
  attn_kernel_info kernel = {sizeof(kernel)};
  attn_program_kernel(chip, 0, &kernel);
  CHECK(strstr(kernel.reasons, "mma.sync: sm_90 has no wgmma, sm_90a has\n"));
  CHECK(strstr(kernel.reasons, "\naccess async16: "));
  kernel.struct_size = offsetof(attn_kernel_info, reasons) + 4;
  CHECK_FAILS(attn_program_kernel(chip, 0, &kernel), ATTN_INVALID_ARGUMENT,
              "expected struct_size");
  kernel.struct_size = sizeof(kernel);
  CHECK_FAILS(attn_program_kernel(chip, 2, &kernel), ATTN_INVALID_ARGUMENT,
              "expected one of 2 kernels, found number 2");

  CHECK(attn_program_num_arguments(NULL) == 0);
  CHECK(attn_program_num_kernels(NULL) == 0);
  CHECK(!attn_program_chip(NULL) && !attn_program_ptx(NULL));
  CHECK(!attn_program_diagnostics(NULL));
  CHECK(attn_program_argument(NULL, 0, NULL) == ATTN_INVALID_ARGUMENT);
  CHECK(attn_program_ir(NULL, "tile", &text) == ATTN_INVALID_ARGUMENT);
  attn_program_destroy(host);
  attn_program_destroy(chip);
  return 0;
}
