/*===- dlpack.c - Tensors of DLPack ---------------------------------------===*\
|*
|* Part of the attn-mlir project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "Check.h"

/* These structures are those of dlpack.h. */
typedef struct {
  int32_t device_type;
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DLTensor;

int main(void) {
  enum { ROWS = 6, DIM = 8 };
  float memory[1 + ROWS * DIM], output[ROWS * DIM], expected[ROWS * DIM];
  int64_t shape[] = {1, 1, ROWS, DIM};
  int64_t strides[] = {ROWS * DIM, ROWS * DIM, DIM, 1};
  DLTensor tensor = {memory, {1, 0}, 4, {2, 32, 1}, shape, strides, 4};
  attn_buffer input, result;
  fill(memory, 1 + ROWS * DIM, 1);
  CHECK(attn_buffer_from_dlpack(&tensor, &input) == ATTN_SUCCESS);
  CHECK(input.data == memory + 1 && input.rank == 4);
  CHECK(input.sizes == shape && input.strides == strides);
  CHECK(input.dtype == ATTN_F32 && input.device_type == ATTN_DEVICE_CPU);
  DLTensor target = {output, {1, 0}, 4, {2, 32, 1}, shape, NULL, 0};
  CHECK(attn_buffer_from_dlpack(&target, &result) == ATTN_SUCCESS);

  attn_program *program = compile_for(dynamic_module, "host");
  const attn_buffer arguments[] = {input, input, input, result};
  CHECK(attn_launch(program, NULL, arguments, 4) == ATTN_SUCCESS);
  compute_attention(memory + 1, memory + 1, memory + 1, ROWS, ROWS, DIM,
                    expected);
  CHECK(count_wrong(output, expected, ROWS * DIM) == 0);
  attn_program_destroy(program);

  static const struct {
    DLDataType type;
    attn_dtype dtype;
  } known[] = {{{2, 16, 1}, ATTN_F16}, {{4, 16, 1}, ATTN_BF16},
               {{2, 64, 1}, ATTN_F64}, {{6, 8, 1}, ATTN_I1},
               {{0, 8, 1}, ATTN_I8},   {{0, 16, 1}, ATTN_I16},
               {{0, 32, 1}, ATTN_I32}, {{0, 64, 1}, ATTN_I64}};
  for (size_t i = 0; i < sizeof(known) / sizeof(*known); ++i) {
    target.dtype = known[i].type;
    CHECK(attn_buffer_from_dlpack(&target, &result) == ATTN_SUCCESS);
    CHECK(result.dtype == (int32_t)known[i].dtype);
  }
  target.device.device_type = 2;
  target.device.device_id = 3;
  CHECK(attn_buffer_from_dlpack(&target, &result) == ATTN_SUCCESS);
  CHECK(result.device_type == ATTN_DEVICE_CUDA && result.device_id == 3);

  /* A null pointer with an offset is still a null pointer. */
  DLTensor none = {NULL, {1, 0}, 4, {2, 32, 1}, shape, NULL, 64};
  CHECK(attn_buffer_from_dlpack(&none, &result) == ATTN_SUCCESS);
  CHECK(result.data == NULL);

  /* If a call fails, it writes nothing to the result. */
  result.rank = 99;
  target.dtype.lanes = 4;
  CHECK_FAILS(attn_buffer_from_dlpack(&target, &result), ATTN_INVALID_ARGUMENT,
              "found code 0 of 64 bits in 4 lanes");
  target.dtype.lanes = 1;
  target.dtype.code = 5;
  CHECK_FAILS(attn_buffer_from_dlpack(&target, &result), ATTN_INVALID_ARGUMENT,
              "found code 5 of 64 bits");
  target.dtype.code = 0;
  target.device.device_type = 7;
  CHECK_FAILS(attn_buffer_from_dlpack(&target, &result), ATTN_INVALID_ARGUMENT,
              "found device type 7");
  target.device.device_type = 1;
  target.ndim = -1;
  CHECK_FAILS(attn_buffer_from_dlpack(&target, &result), ATTN_INVALID_ARGUMENT,
              "expected a rank of at least 0, found -1");
  CHECK_FAILS(attn_buffer_from_dlpack(NULL, &result), ATTN_INVALID_ARGUMENT,
              "found null");
  CHECK(result.rank == 99);
  return 0;
}
