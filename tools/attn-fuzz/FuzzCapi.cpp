//===- FuzzCapi.cpp - attn-fuzz-capi --------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   attn-fuzz-capi SEED FIRST COUNT SECONDS
//
// Calls the C interface with wrong arguments: null pointers, sizes of
// structures, codes, ranks, sizes and strides. A call must fail with a message
// or succeed, and must not write past a structure's size. Invalid pointers and
// missing arrays are faults of the caller and are not tested.
//
//===----------------------------------------------------------------------===//

#include "attn-c/attn.h"
#include "attn/Support/Dice.h"
#include "attn/Support/GuardedRun.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace mlir::attn;

namespace {
enum Outcome : unsigned { Accepted, Refused, Wrong };

constexpr int64_t kEdges[] = {0,
                              1,
                              -1,
                              2,
                              3,
                              7,
                              8,
                              16,
                              63,
                              64,
                              65,
                              256,
                              INT32_MAX,
                              INT32_MIN,
                              UINT32_MAX,
                              int64_t(1) << 32,
                              int64_t(1) << 40,
                              int64_t(1) << 62,
                              INT64_MAX,
                              INT64_MIN,
                              INT64_MIN + 1};

constexpr const char *kSources[] = {
    R"(
func.func @main(%q: memref<1x2x?x16xf32, strided<[?, ?, ?, 1]>>,
                %k: memref<1x2x?x16xf32, strided<[?, ?, ?, 1]>>,
                %v: memref<1x2x?x16xf32>, %x: f32,
                %o: memref<1x2x?x16xf32, strided<[?, ?, ?, 1]>>) {
  attn.attention ins(%q, %k, %v : memref<1x2x?x16xf32, strided<[?, ?, ?, 1]>>,
      memref<1x2x?x16xf32, strided<[?, ?, ?, 1]>>, memref<1x2x?x16xf32>)
      captures(%x : f32)
      outs(%o : memref<1x2x?x16xf32, strided<[?, ?, ?, 1]>>) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %y: f32):
      %0 = arith.addf %s, %y : f32
      attn.yield %0 : f32
  }
  return
})",
    R"(
func.func @main(%q: tensor<1x1x4x8xf16>, %k: tensor<1x1x4x8xf16>,
                %v: tensor<1x1x4x8xf16>, %n: index) -> tensor<1x1x4x8xf16> {
  %e = tensor.empty() : tensor<1x1x4x8xf16>
  %r = attn.attention mask <top_left, causal> ins(%q, %k, %v :
      tensor<1x1x4x8xf16>, tensor<1x1x4x8xf16>, tensor<1x1x4x8xf16>)
      outs(%e : tensor<1x1x4x8xf16>) -> tensor<1x1x4x8xf16>
  return %r : tensor<1x1x4x8xf16>
})"};

constexpr size_t kBytesOfArray = 1 << 18, kMaxArguments = 8;
alignas(64) char arrays[kMaxArguments][kBytesOfArray];

/// The programs that the cases call: each of `kSources`, compiled for the host
/// and for sm_90a. They must be compiled in the process that calls them, since
/// programs for the host start threads.
struct Programs {
  std::vector<attn_program *> all;
  Programs() {
    for (const char *source : kSources)
      for (const char *chip : {"host", "sm_90a"}) {
        attn_compile_options options = {};
        options.struct_size = sizeof options;
        options.chip = chip;
        attn_program *program = nullptr;
        if (attn_compile(source, strlen(source), &options, &program) !=
            ATTN_SUCCESS) {
          fprintf(stderr, "attn-fuzz-capi: %s\n", attn_last_error());
          _Exit(4);
        }
        all.push_back(program);
      }
  }
};

attn_program *pickProgram(Dice &dice) {
  static Programs programs;
  return dice.oneIn(25) ? nullptr : dice.pickOf(programs.all);
}

/// Returns the outcome of a call of the C API: Accepted for success, Refused
/// for a failure with a known status and a message, and Wrong for any other
/// failure.
Outcome judge(attn_status status) {
  if (status == ATTN_SUCCESS)
    return Accepted;
  const char *message = attn_last_error();
  bool isKnown = status > ATTN_SUCCESS && status <= ATTN_UNSUPPORTED;
  return isKnown && message && *message ? Refused : Wrong;
}

const char *pickString(Dice &dice, std::initializer_list<const char *> good) {
  if (dice.oneIn(2))
    return dice.pick(good);
  return dice.pick<const char *>({nullptr, "", "0", "x", "sm_", "host ", "\xff",
                                  "main\n", "%s%n", "auto,tma"});
}

size_t pickSize(Dice &dice, size_t right) {
  return dice.oneIn(2) ? right
         : dice.oneIn(2)
             ? dice.below(2 * right)
             : dice.pick<size_t>({0, 1, 7, SIZE_MAX, SIZE_MAX - 7, right + 8});
}

Outcome fuzzCompile(Dice &dice) {
  std::string source = kSources[dice.below(std::size(kSources))];
  for (uint64_t i = 0, e = 1 + dice.below(4); i < e; ++i) {
    size_t place = dice.below(source.size());
    if (dice.oneIn(3))
      source.erase(place, 1 + dice.below(4));
    else if (dice.oneIn(2))
      source.insert(place, source.substr(dice.below(source.size()), 5));
    else
      source[place] = char(dice.below(256));
  }
  attn_compile_options options = {};
  // `struct_size`, the size that the caller states, is limited to the
  // structure's real size, since no memory follows that the call could read as
  // further fields.
  options.struct_size = pickSize(dice, sizeof options);
  if (options.struct_size > sizeof options)
    options.struct_size = sizeof options;
  options.chip = pickString(dice, {"host", "sm_80", "sm_90a", "sm_120"});
  options.access = pickString(dice, {nullptr, "auto", "tma", "narrow"});
  options.function = pickString(dice, {nullptr, "main"});
  options.cpu = pickString(dice, {nullptr, "x86-64-v3"});
  options.source_name = pickString(dice, {nullptr, "source"});
  options.cache = pickString(dice, {"0", "/nonexistent/cache"});
  options.lineinfo =
      dice.oneIn(8) ? dice.pick({"", "/nonexistent/x", "/dev/null"}) : nullptr;
  attn_program *program = nullptr;
  size_t length = dice.oneIn(20) ? dice.below(source.size()) : source.size();
  const char *text = dice.oneIn(40) ? nullptr : source.c_str();
  if (!text && dice.oneIn(2))
    length = 0;
  Outcome outcome =
      judge(attn_compile(text, length, dice.oneIn(20) ? nullptr : &options,
                         dice.oneIn(40) ? nullptr : &program));
  if (outcome != Accepted && program)
    return Wrong;
  attn_program_destroy(program);
  return outcome;
}

Outcome fuzzInspection(Dice &dice) {
  attn_program *program = pickProgram(dice);
  const char *text = nullptr;
  uint32_t index =
      dice.oneIn(3) ? uint32_t(dice.pickOf(kEdges)) : uint32_t(dice.below(6));
  // The structure is at the beginning of memory filled with 0xAB. The call must
  // not change bytes after the structure's stated size.
  alignas(16) char memory[1024];
  memset(memory, 0xAB, sizeof memory);
  auto checkRest = [&](size_t size, Outcome outcome) {
    for (size_t i = std::max(size, sizeof(size_t)); i < sizeof memory; ++i)
      if (memory[i] != char(0xAB))
        return Wrong;
    return outcome;
  };
  auto askFor = [&](auto *info, auto ask) {
    size_t size = pickSize(dice, sizeof *info);
    memcpy(memory, &size, sizeof size);
    return checkRest(
        std::min(size, sizeof *info),
        judge(ask(program, index, dice.oneIn(20) ? nullptr : info)));
  };
  switch (dice.below(5)) {
  case 0:
    return judge(attn_program_ir(
        program,
        pickString(dice, {"source", "tile", "nvvm", "llvm", "canonicalize",
                          "attn-gpu-pipeline", "attn-define-operands"}),
        dice.oneIn(20) ? nullptr : &text));
  case 1:
    return askFor(reinterpret_cast<attn_argument_info *>(memory),
                  attn_program_argument);
  case 2:
    return askFor(reinterpret_cast<attn_kernel_info *>(memory),
                  attn_program_kernel);
  case 3: {
    struct {
      void *data;
      int32_t device, id, rank;
      uint8_t code, bits;
      uint16_t lanes;
      int64_t *shape, *strides;
      uint64_t offset;
    } tensor;
    int64_t numbers[2][8];
    for (auto &list : numbers)
      for (int64_t &number : list)
        number = dice.pickOf(kEdges);
    tensor.data = dice.oneIn(4) ? nullptr : arrays[0];
    tensor.device =
        dice.oneIn(3) ? int32_t(dice.pickOf(kEdges)) : int32_t(dice.below(20));
    tensor.id = int32_t(dice.pickOf(kEdges));
    tensor.rank =
        dice.oneIn(4) ? int32_t(dice.pickOf(kEdges)) : int32_t(dice.below(6));
    // There are only 8 sizes, so a rank from 9 on would be the caller's fault.
    // Such a rank is replaced by INT32_MAX, which the call must reject.
    if (tensor.rank > 8)
      tensor.rank = INT32_MAX;
    tensor.code = dice.below(8);
    tensor.bits = dice.pick<uint8_t>({16, 32, 8, 64, 1, 0, 255, 4});
    tensor.lanes = dice.pick<uint16_t>({1, 1, 1, 0, 2, 65535});
    tensor.shape = dice.oneIn(6) ? nullptr : numbers[0];
    tensor.strides = dice.oneIn(3) ? nullptr : numbers[1];
    tensor.offset = dice.oneIn(2) ? 0 : uint64_t(dice.pickOf(kEdges));
    if (tensor.rank == INT32_MAX)
      tensor.shape = nullptr;
    attn_buffer buffer;
    return judge(attn_buffer_from_dlpack(dice.oneIn(20) ? nullptr : &tensor,
                                         dice.oneIn(20) ? nullptr : &buffer));
  }
  default:
    attn_program_num_arguments(program);
    attn_program_num_kernels(program);
    attn_program_chip(program);
    attn_program_ptx(program);
    attn_program_diagnostics(program);
    return Accepted;
  }
}

struct Argument {
  std::vector<int64_t> sizes, strides;
};

/// Whether a launch with this array would be the caller's fault, so that it
/// cannot be tested. That is so if elements lie outside of `arrays`. It is not
/// so if sizes or strides are so large, or negative, that the call must reject
/// them.
bool isMissing(const attn_buffer &buffer) {
  if (!buffer.sizes || buffer.rank > 8)
    return false;
  __int128 low = 0, high = 0, count = 1, contiguous = 1;
  std::vector<__int128> strides(buffer.rank);
  for (uint32_t i = buffer.rank; i-- > 0;) {
    if (buffer.sizes[i] < 0)
      return false;
    strides[i] = buffer.strides ? __int128(buffer.strides[i]) : contiguous;
    contiguous *= std::max<int64_t>(buffer.sizes[i], 1);
    count *= buffer.sizes[i];
    if (contiguous > (__int128(1) << 64))
      return false;
  }
  if (count == 0)
    return false;
  for (uint32_t i = 0; i < buffer.rank; ++i) {
    __int128 reach = strides[i] * (buffer.sizes[i] - 1);
    (reach < 0 ? low : high) += reach;
  }
  if (high - low > (__int128(1) << 62))
    return false;
  // Arrays with more than 65536 elements are excluded, too, since a launch
  // could take hours.
  return low < 0 || (high + 1) * 8 > __int128(kBytesOfArray) || count > 65536;
}

Outcome fuzzLaunch(Dice &dice) {
  attn_program *program = pickProgram(dice);
  uint32_t count = attn_program_num_arguments(program);
  std::vector<attn_buffer> buffers(kMaxArguments);
  std::vector<Argument> arguments(kMaxArguments);
  int64_t length = dice.below(70), keys = dice.below(70);
  for (uint32_t i = 0; i < count; ++i) {
    attn_argument_info info = {};
    info.struct_size = sizeof info;
    if (attn_program_argument(program, i, &info) != ATTN_SUCCESS)
      return Wrong;
    Argument &argument = arguments[i];
    argument.sizes.assign(info.sizes, info.sizes + info.rank);
    bool isKey = !strcmp(info.name, "key") || !strcmp(info.name, "value");
    for (int64_t &size : argument.sizes)
      if (size == ATTN_DYNAMIC)
        size = isKey ? keys : length;
    argument.strides.resize(info.rank);
    int64_t stride = 1;
    for (uint32_t j = info.rank; j-- > 0; stride *= argument.sizes[j])
      argument.strides[j] = stride;
    // All 8 sizes and strides get a value, since the rank may be raised below.
    argument.sizes.resize(8, 1);
    argument.strides.resize(8, 1);
    attn_buffer &buffer = buffers[i];
    buffer.data = arrays[i];
    buffer.sizes = argument.sizes.data();
    buffer.strides = dice.oneIn(3) ? nullptr : argument.strides.data();
    buffer.rank = info.rank;
    buffer.dtype = info.dtype;
    buffer.device_type = dice.oneIn(2) ? ATTN_DEVICE_ANY : ATTN_DEVICE_CPU;
  }
  for (uint64_t i = dice.below(4); i > 0 && count > 0; --i) {
    uint32_t j = dice.below(count);
    attn_buffer &buffer = buffers[j];
    uint64_t dim = dice.below(5);
    switch (dice.below(9)) {
    case 0:
      buffer.data = dice.oneIn(2) ? nullptr : arrays[j] + dice.below(9);
      break;
    case 1:
      buffer.sizes = nullptr;
      break;
    case 2:
      buffer.rank = dice.oneIn(4) ? UINT32_MAX : dice.below(9);
      // Any rank other than the argument's may be tested, even above 8, since
      // the call rejects it before it reads sizes.
      break;
    case 3:
      buffer.dtype = dice.oneIn(3) ? int32_t(dice.pickOf(kEdges))
                                   : int32_t(dice.below(12));
      break;
    case 4:
      buffer.device_type = dice.oneIn(3) ? int32_t(dice.pickOf(kEdges))
                                         : int32_t(dice.below(16));
      buffer.device_id = int32_t(dice.pickOf(kEdges));
      break;
    case 5:
      buffer.data = arrays[dice.below(count)];
      break;
    case 6:
      arguments[j].strides[dim] = dice.pickOf(kEdges);
      break;
    default:
      arguments[j].sizes[dim] = dice.pickOf(kEdges);
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    if (isMissing(buffers[i]))
      return Refused;
  uint32_t given = dice.oneIn(12) ? dice.below(kMaxArguments) : count;
  const attn_buffer *pointer = dice.oneIn(40) ? nullptr : buffers.data();
  uint64_t bytes = 1;
  if (dice.oneIn(8))
    return judge(attn_program_workspace_size(program, pointer, given,
                                             dice.oneIn(9) ? nullptr : &bytes));
  CUstream_st *stream =
      dice.oneIn(20) ? reinterpret_cast<CUstream_st *>(arrays) : nullptr;
  return judge(attn_launch(program, stream, pointer, given));
}

Outcome runCase(uint64_t seed, uint64_t number) {
  Dice dice(seed ^ 0xc0ffee, number);
  if (dice.oneIn(20))
    return fuzzCompile(dice);
  return dice.oneIn(3) ? fuzzInspection(dice) : fuzzLaunch(dice);
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: attn-fuzz-capi SEED FIRST COUNT SECONDS\n");
    return 2;
  }
  setenv("ATTN_MLIR_CACHE", "0", 1);
  uint64_t seed = strtoull(argv[1], nullptr, 10);
  auto report = [&](uint64_t number, const std::string &how) {
    printf("FAIL %llu: %s\nrepeat with: attn-fuzz capi --seed %llu --first "
           "%llu --count 1\n",
           (unsigned long long)number, how.c_str(), (unsigned long long)seed,
           (unsigned long long)number);
    fflush(stdout);
  };
  GuardedCases cases;
  cases.first = strtoull(argv[2], nullptr, 10);
  cases.count = strtoull(argv[3], nullptr, 10);
  cases.seconds = strtod(argv[4], nullptr);
  cases.batch = 2000;
  cases.bytesOfMemory = uint64_t(16) << 30;
  cases.run = [&](uint64_t number) -> unsigned {
    Outcome outcome = runCase(seed, number);
    if (outcome == Wrong)
      report(number, std::string("a status without a message, or a structure "
                                 "that was written too far: ") +
                         attn_last_error());
    return outcome;
  };
  cases.onDeath = report;
  GuardedTotals totals = runGuarded(cases);
  printf("%llu cases: %llu accepted, %llu refused, %llu wrong, %llu crashed or "
         "hung; %.0f a second\n",
         (unsigned long long)totals.numRun,
         (unsigned long long)totals.outcomes[Accepted],
         (unsigned long long)totals.outcomes[Refused],
         (unsigned long long)totals.outcomes[Wrong],
         (unsigned long long)totals.numDied,
         totals.numRun / std::max(totals.seconds, 1e-3));
  return totals.numDied || totals.outcomes[Wrong] ||
         (totals.numRun >= 1000 && totals.outcomes[Accepted] == 0);
}
