//===- XLA.cpp - Programs as custom calls of XLA --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA's custom calls of programs. A program is compiled when XLA builds an
// executable, and is kept in the state of the custom call. Sizes and strides
// come with the buffers of each execution.
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Load.h"
#include "XLAContext.h"
#include "XLAInterface.h"
#include "XLAPrograms.h"

#include "attn-c/xla.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace mlir::attn;

// The names of XLA's interface are in a namespace of their own, since some of
// them also exist in LLVM.
namespace mlir::attn::xla {
namespace {
/// Says which buffer of XLA an argument of the function is, by its number:
/// operands are counted first, and then results. Also says for each dimension
/// of the argument which dimension of the buffer it is.
struct ArgumentMap {
  unsigned buffer = 0;
  SmallVector<unsigned, 4> dims;
};

/// One custom call of an executable: its program and how XLA's buffers become
/// the program's arguments.
struct Call {
  std::shared_ptr<attn_program> program;
  SmallVector<ArgumentMap, 16> arguments;
  /// The index of the result of the custom call that serves as workspace of the
  /// launch, or -1.
  int64_t workspace = -1;
};
} // namespace

static void deleteCall(void *call) { delete static_cast<Call *>(call); }

namespace {
/// The type of a custom call's state for one platform. XLA sets the type's
/// number when the type is registered.
struct Platform {
  const char *typeName;
  TypeId type = {0};
  TypeInfo info = [] {
    auto its = make<TypeInfo>();
    its.deleter = deleteCall;
    return its;
  }();

  explicit Platform(const char *typeName) : typeName(typeName) {}
};
} // namespace

static Platform &getPlatform(bool isHost) {
  static Platform host("attn_mlir.call.cpu"), cuda("attn_mlir.call.cuda");
  return isHost ? host : cuda;
}

static Programs &getPrograms() {
  // The object that lists the programs of all executables is never destroyed,
  // since executables may live until the process ends.
  static auto *programs = new Programs();
  return *programs;
}

static Error *report(const CallFrame &frame, const Failure &failure) {
  auto arguments = make<ErrorArguments>();
  arguments.message = failure.message.c_str();
  arguments.code = failure.code;
  return frame.api->createError(&arguments);
}

static const void *findAttribute(const CallFrame &frame, StringRef name,
                                 int32_t type) {
  for (int64_t i = 0; i < frame.attributes.count; ++i) {
    const Span &its = *frame.attributes.names[i];
    if (StringRef(its.data, its.size) == name)
      return frame.attributes.types[i] == type ? frame.attributes.values[i]
                                               : nullptr;
  }
  return nullptr;
}

/// Returns the attn_dtype of the element type that has the number `type` in
/// XLA, or 0 if there is none.
static int32_t getDType(int32_t type) {
  static constexpr std::pair<int32_t, attn_dtype> kDTypes[] = {
      {1, ATTN_I1},   {2, ATTN_I8},    {3, ATTN_I16},     {4, ATTN_I32},
      {5, ATTN_I64},  {6, ATTN_U8},    {10, ATTN_F16},    {11, ATTN_F32},
      {12, ATTN_F64}, {16, ATTN_BF16}, {19, ATTN_F8E5M2}, {20, ATTN_F8E4M3FN}};
  for (auto [own, dtype] : kDTypes)
    if (own == type)
      return dtype;
  return 0;
}

static bool parseArguments(ArrayRef<int64_t> words, Call &call) {
  if (words.empty() || words.front() < -1)
    return false;
  call.workspace = words.front();
  words = words.drop_front();
  while (!words.empty()) {
    if (words.size() < 2 || words[0] < 0 || words[1] < 0 ||
        words[1] > int64_t(words.size()) - 2)
      return false;
    ArgumentMap map;
    map.buffer = words[0];
    for (int64_t dim : words.slice(2, words[1])) {
      if (dim < 0 || dim >= words[1])
        return false;
      map.dims.push_back(dim);
    }
    words = words.drop_front(2 + words[1]);
    call.arguments.push_back(std::move(map));
  }
  return true;
}

/// Returns an error message about the first scalar argument of a program for a
/// GPU, or "" if all arguments are arrays. XLA has each argument in the GPU's
/// memory, where the host cannot read a scalar.
static std::string findNumber(const attn_program *program) {
  uint32_t count = attn_program_num_arguments(program);
  for (uint32_t i = 0; i < count; ++i) {
    attn_argument_info info = {};
    info.struct_size = sizeof(info);
    if (attn_program_argument(program, i, &info) == ATTN_SUCCESS &&
        info.kind == ATTN_SCALAR)
      return ("argument " + Twine(i) +
              ": expected an array, since XLA has all arguments in the GPU's "
              "memory, found a number of type " +
              info.type)
          .str();
  }
  return "";
}

static StateArguments makeStateArguments(const CallFrame &frame, bool isHost) {
  auto arguments = make<StateArguments>();
  arguments.context = frame.context;
  arguments.stage = kInstantiate;
  arguments.type = &getPlatform(isHost).type;
  return arguments;
}

/// Compiles the module of a custom call, or takes the program of another call
/// with the same module, and hands XLA a Call as the custom call's state.
/// Returns an error if the attributes do not describe the arguments of the
/// module's function.
static Error *instantiate(const CallFrame &frame, bool isHost) {
  const Version &version = frame.api->version;
  if (version.major != kMajor || version.minor < kMinor)
    return report(frame,
                  {kFailedPrecondition,
                   ("expected XLA's foreign function interface 0.3 or later, "
                    "that of jaxlib 0.10, found " +
                    Twine(version.major) + "." + Twine(version.minor))
                       .str()});
  auto *module =
      static_cast<const Span *>(findAttribute(frame, "module", kString));
  auto *words =
      static_cast<const Array *>(findAttribute(frame, "arguments", kArray));
  auto call = std::make_unique<Call>();
  if (!module || !words || getDType(words->dtype) != ATTN_I64 ||
      !parseArguments(
          ArrayRef(static_cast<const int64_t *>(words->data), words->size),
          *call))
    return report(frame, {kInvalidArgument,
                          "expected the attributes `module`, a string, and "
                          "`arguments`, numbers of i64, as attn-c/xla.h "
                          "describes them"});
  Failure failure;
  call->program =
      getPrograms().get(StringRef(module->data, module->size), isHost, failure);
  if (!call->program)
    return report(frame, failure);
  uint32_t count = attn_program_num_arguments(call->program.get());
  if (count != call->arguments.size())
    return report(frame,
                  {kInvalidArgument, ("arguments: expected " + Twine(count) +
                                      ", as the function has, found " +
                                      Twine(call->arguments.size()))
                                         .str()});
  if (!isHost)
    if (std::string message = findNumber(call->program.get()); !message.empty())
      return report(frame, {kInvalidArgument, message});
  StateArguments arguments = makeStateArguments(frame, isHost);
  arguments.state = call.get();
  if (Error *error = frame.api->setState(&arguments))
    return error;
  call.release();
  return nullptr;
}

static Error *getCall(const CallFrame &frame, bool isHost, const Call *&call) {
  StateArguments arguments = makeStateArguments(frame, isHost);
  Error *error = frame.api->getState(&arguments);
  call = static_cast<const Call *>(arguments.state);
  return error;
}

/// Converts the buffers of one execution of a custom call to the arguments of
/// its program.
namespace {
class Launch {
public:
  Launch(const CallFrame &frame, bool isHost) : frame(frame), isHost(isHost) {}

  /// Converts the buffers to arguments. Returns false if an argument of the
  /// program has no buffer in this execution, or if its buffer has another
  /// rank, or a dtype that kernels do not take.
  bool bind(const Call &call) {
    size_t rank = 0;
    for (const ArgumentMap &map : call.arguments)
      rank += map.dims.size();
    words.resize(2 * rank);
    int64_t *next = words.data();
    for (const ArgumentMap &map : call.arguments) {
      const Buffer *buffer = get(map.buffer);
      if (!buffer || buffer->rank != int64_t(map.dims.size()) ||
          !getDType(buffer->dtype))
        return false;
      add(*buffer, map.dims, next);
      next += 2 * map.dims.size();
    }
    return true;
  }

  const Buffer *get(int64_t number) const {
    int64_t operands = frame.operands.count;
    if (number < operands)
      return frame.operands.buffers[number];
    number -= operands;
    return number < frame.results.count ? frame.results.buffers[number]
                                        : nullptr;
  }

  ArrayRef<attn_buffer> getBuffers() const { return buffers; }

private:
  void add(const Buffer &buffer, ArrayRef<unsigned> dims, int64_t *words) {
    SmallVector<int64_t, 8> strides(buffer.rank, 1);
    for (int64_t dim = buffer.rank - 2; dim >= 0; --dim)
      strides[dim] =
          strides[dim + 1] * std::max<int64_t>(buffer.sizes[dim + 1], 1);
    attn_buffer its = {};
    its.data = buffer.data;
    its.sizes = words;
    its.strides = words + dims.size();
    its.rank = dims.size();
    its.dtype = getDType(buffer.dtype);
    its.device_type = isHost ? ATTN_DEVICE_CPU : ATTN_DEVICE_ANY;
    for (auto [i, dim] : enumerate(dims)) {
      words[i] = buffer.sizes[dim];
      words[dims.size() + i] = strides[dim];
    }
    buffers.push_back(its);
  }

  const CallFrame &frame;
  bool isHost;
  SmallVector<int64_t, 128> words;
  SmallVector<attn_buffer, 16> buffers;
};
} // namespace

static Error *reportBuffers(const CallFrame &frame) {
  return report(frame, {kInvalidArgument,
                        "expected buffers of the ranks that the attribute "
                        "`arguments` lists, of dtypes that kernels take"});
}

static Error *getStream(const CallFrame &frame, void *&stream) {
  auto arguments = make<StreamArguments>();
  arguments.context = frame.context;
  Error *error = frame.api->getStream(&arguments);
  stream = arguments.stream;
  return error;
}

/// Loads the kernels of a call's program onto a GPU, so that a launch that is
/// captured into a graph need not load them. Does nothing for the host. A
/// failure to load is ignored: it occurs again at the launch, which reports it.
static Error *initialize(const CallFrame &frame, bool isHost) {
  if (isHost)
    return nullptr;
  const Call *call = nullptr;
  if (Error *error = getCall(frame, isHost, call))
    return error;
  void *stream = nullptr;
  if (Error *error = getStream(frame, stream)) {
    auto arguments = make<DestroyArguments>();
    arguments.error = error;
    frame.api->destroyError(&arguments);
  }
  Launch launch(frame, isHost);
  if (!launch.bind(*call))
    return nullptr;
  StreamContext context(stream);
  ArrayRef<attn_buffer> buffers = launch.getBuffers();
  loadKernels(call->program.get(), buffers.data(), buffers.size());
  return nullptr;
}

static int32_t getCode(attn_status status) {
  switch (status) {
  case ATTN_INVALID_ARGUMENT:
    return kInvalidArgument;
  case ATTN_OUT_OF_MEMORY:
    return kResourceExhausted;
  case ATTN_NO_DRIVER:
  case ATTN_NO_DEVICE:
  case ATTN_BAD_PROGRAM:
    return kFailedPrecondition;
  default:
    return kInternal;
  }
}

static Error *execute(const CallFrame &frame, bool isHost) {
  const Call *call = nullptr;
  if (Error *error = getCall(frame, isHost, call))
    return error;
  Launch launch(frame, isHost);
  const Buffer *memory = nullptr;
  if (call->workspace >= 0)
    memory = launch.get(frame.operands.count + call->workspace);
  if (!launch.bind(*call) ||
      (call->workspace >= 0 && (!memory || memory->rank != 1)))
    return reportBuffers(frame);
  void *stream = nullptr;
  if (!isHost)
    if (Error *error = getStream(frame, stream))
      return error;
  StreamContext context(stream);
  auto *handle = static_cast<CUstream_st *>(stream);
  ArrayRef<attn_buffer> buffers = launch.getBuffers();
  attn_status status;
  if (memory) {
    constexpr uintptr_t kAlignment = 256;
    auto begin = reinterpret_cast<uintptr_t>(memory->data);
    uintptr_t end = begin + memory->sizes[0];
    begin = std::min((begin + kAlignment - 1) & -kAlignment, end & -kAlignment);
    status = attn_launch_with_workspace(
        call->program.get(), handle, buffers.data(), buffers.size(),
        reinterpret_cast<void *>(begin), end - begin);
  } else {
    status = attn_launch(call->program.get(), handle, buffers.data(),
                         buffers.size());
  }
  if (status != ATTN_SUCCESS)
    return report(frame, {getCode(status), attn_last_error()});
  return nullptr;
}

/// Answers XLA's query of the handler's traits, and returns true, if the call
/// frame has an extension for that query. Otherwise returns false.
static bool answer(const CallFrame &frame, attn_xla_kind kind) {
  if (!frame.extensions || frame.extensions->type != kMetadata)
    return false;
  auto *extension = reinterpret_cast<MetadataExtension *>(frame.extensions);
  Metadata &metadata = *extension->metadata;
  metadata.version.major = kMajor;
  metadata.version.minor = kMinor;
  metadata.traits = kind == ATTN_XLA_CUDA ? kCommandBufferCompatible : 0;
  metadata.state = getPlatform(kind == ATTN_XLA_HOST).type;
  return true;
}

template <attn_xla_kind kind> static Error *handle(CallFrame *frame) {
  if (answer(*frame, kind))
    return nullptr;
  constexpr bool isHost = kind == ATTN_XLA_HOST;
  switch (frame->stage) {
  case kInstantiate:
    return instantiate(*frame, isHost);
  case kInitialize:
    return initialize(*frame, isHost);
  case kExecute:
    return execute(*frame, isHost);
  default:
    return nullptr;
  }
}

} // namespace mlir::attn::xla

attn_status attn_xla_get_target(int32_t kind, attn_xla_target *target) {
  static constexpr decltype(&xla::handle<ATTN_XLA_HOST>) kHandlers[] = {
      xla::handle<ATTN_XLA_HOST>, xla::handle<ATTN_XLA_CUDA>,
      xla::handle<ATTN_XLA_CUDA_POOL>};
  if (!target || kind < 0 || kind >= int32_t(std::size(kHandlers)))
    return fail(ATTN_INVALID_ARGUMENT,
                "expected a kind from 0 to 2 and the address of a target to "
                "set, found kind " +
                    Twine(kind) + (target ? "" : " and null"));
  xla::Platform &platform = xla::getPlatform(kind == ATTN_XLA_HOST);
  *target = {reinterpret_cast<void *>(kHandlers[kind]), platform.typeName,
             &platform.type, &platform.info};
  return ATTN_SUCCESS;
}
