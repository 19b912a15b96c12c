//===- Launch.cpp - Launches of a program ---------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Load.h"
#include "Program.h"

using namespace mlir;
using namespace mlir::attn;

/// Sets `place` to the place where a program's arrays must be: on the host or,
/// for a program for a chip, on a CUDA device. Asks the driver for the current
/// device only if some buffer says that it is on a CUDA device.
static attn_status findPlace(attn_program &program,
                             ArrayRef<attn_buffer> buffers, Place &place) {
  place.isHost = program.isHost();
  bool isStated = llvm::any_of(buffers, [](const attn_buffer &buffer) {
    return buffer.device_type == ATTN_DEVICE_CUDA;
  });
  if (place.isHost || !isStated)
    return ATTN_SUCCESS;
  attnrt_runtime *runtime = program.runtime.get();
  attnrt_status status = attnrt_get_current_device(runtime, &place.device);
  if (status == ATTNRT_SUCCESS)
    return ATTN_SUCCESS;
  return fail(getStatus(status), attnrt_last_error(runtime));
}

static std::string describeSizes(const attn_program &program,
                                 const attn_buffer *buffers) {
  std::string text;
  for (auto [i, argument] : llvm::enumerate(program.arguments))
    text += argument.describeSizes(buffers[i]);
  return text;
}

static attn_status launchOnHost(attn_program &program, void **args,
                                const attn_buffer *buffers) {
  const char *message = program.hostEntry(args);
  if (!message)
    return ATTN_SUCCESS;
  return fail(ATTN_INVALID_ARGUMENT, message + describeSizes(program, buffers));
}

static attn_status launchOnGPU(attn_program &program, void **args,
                               attnrt_runtime *runtime,
                               const attn_buffer *buffers) {
  auto status = static_cast<attnrt_status>(program.launchEntry(args));
  if (status == ATTNRT_SUCCESS)
    return ATTN_SUCCESS;
  std::string message = attnrt_last_error(runtime);
  if (status == ATTNRT_INVALID_ARGUMENT)
    message += describeSizes(program, buffers);
  return fail(getStatus(status), message);
}

/// The memory that a caller gives for data which kernels of a launch pass to
/// each other. If `memory` is null, a launch only counts the bytes that it
/// would need.
namespace {
struct Workspace {
  void *memory = nullptr;
  uint64_t bytes = 0;
  uint64_t needed = 0;
  /// Whether a launch that only counts bytes also loads the kernels.
  bool loads = false;

  bool counts() const { return !memory; }
};
} // namespace

/// Launches a program with a workspace, or only counts the bytes of workspace
/// that the launch needs. In both cases, sets `workspace.needed` to that
/// number.
static attn_status launchWithin(attn_program &program, void **args,
                                attnrt_runtime *runtime,
                                const attn_buffer *buffers,
                                Workspace &workspace) {
  attnrt_status status = attnrt_begin_workspace(
      runtime, reinterpret_cast<attnrt_device_ptr>(workspace.memory),
      workspace.loads ? 1 : workspace.bytes);
  if (status != ATTNRT_SUCCESS)
    return fail(getStatus(status), attnrt_last_error(runtime));
  attn_status result = launchOnGPU(program, args, runtime, buffers);
  attnrt_end_workspace(runtime, &workspace.needed);
  return result;
}

/// Checks the arguments and launches the program. If `workspace` is null,
/// memory for data that kernels pass to each other comes from a pool. If the
/// workspace only counts bytes, nothing is launched, and the arrays' addresses
/// may be null.
static attn_status launch(attn_program *program, CUstream_st *stream,
                          const attn_buffer *arguments, uint32_t num_arguments,
                          Workspace *workspace) {
  if (!program)
    return fail(ATTN_INVALID_ARGUMENT, "expected a program, found null");
  if (llvm::Error error =
          checkCount(program->arguments, num_arguments, arguments))
    return fail(ATTN_INVALID_ARGUMENT, std::move(error));
  if (program->isHost() && stream)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected no stream for a program for the host");
  if (!program->hostFault.empty())
    return fail(ATTN_BAD_PROGRAM, program->hostFault);
  Place place;
  attn_status status =
      findPlace(*program, ArrayRef(arguments, num_arguments), place);
  if (status != ATTN_SUCCESS)
    return status;

  // Descriptors and addresses of arguments are on the stack, except for
  // functions with very many arguments.
  SmallVector<int64_t, 128> words(program->numWords);
  SmallVector<void *, 16> args;
  attnrt_runtime *runtime = nullptr;
  if (!program->isHost()) {
    runtime = program->runtime.get();
    args = {&runtime, &stream};
  }
  int64_t *next = words.data();
  bool counts = workspace && workspace->counts();
  for (uint32_t i = 0; i < num_arguments; ++i) {
    const Argument &argument = program->arguments[i];
    attn_buffer buffer = arguments[i];
    if (counts && !buffer.data && !argument.isScalar())
      buffer.data =
          reinterpret_cast<void *>(uintptr_t(ATTNRT_WORKSPACE_ALIGNMENT));
    if (llvm::Error error = argument.bind(buffer, place, next))
      return fail(ATTN_INVALID_ARGUMENT, std::move(error));
    args.push_back(next);
    next += argument.getNumWords();
  }
  if (!counts)
    if (llvm::Error error = checkOverlaps(program->arguments, words.data()))
      return fail(ATTN_INVALID_ARGUMENT, std::move(error));
  if (program->isHost())
    return counts ? ATTN_SUCCESS
                  : launchOnHost(*program, args.data(), arguments);
  if (!workspace)
    return launchOnGPU(*program, args.data(), runtime, arguments);
  if (!counts) {
    // Counts the bytes that the launch needs first, so that nothing is launched
    // if they exceed the workspace.
    Workspace counted;
    status = launchWithin(*program, args.data(), runtime, arguments, counted);
    if (status != ATTN_SUCCESS)
      return status;
    if (counted.needed > workspace->bytes)
      return fail(ATTN_OUT_OF_MEMORY, "expected a workspace of at least " +
                                          llvm::Twine(counted.needed) +
                                          " bytes, found " +
                                          llvm::Twine(workspace->bytes));
  }
  return launchWithin(*program, args.data(), runtime, arguments, *workspace);
}

attn_status attn_launch(attn_program *program, CUstream_st *stream,
                        const attn_buffer *arguments, uint32_t num_arguments) {
  return launch(program, stream, arguments, num_arguments,
                /*workspace=*/nullptr);
}

attn_status attn_launch_with_workspace(attn_program *program,
                                       CUstream_st *stream,
                                       const attn_buffer *arguments,
                                       uint32_t num_arguments, void *memory,
                                       uint64_t bytes) {
  if (reinterpret_cast<uintptr_t>(memory) % ATTNRT_WORKSPACE_ALIGNMENT)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected a workspace at a multiple of " +
                    llvm::Twine(ATTNRT_WORKSPACE_ALIGNMENT) +
                    ", found it at 0x" +
                    llvm::Twine::utohexstr(uintptr_t(memory)));
  if (!memory && bytes)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected the address of a workspace of " + llvm::Twine(bytes) +
                    " bytes, found null");
  // An empty workspace gets an address that is not null, since a null address
  // means that a launch only counts bytes.
  Workspace workspace;
  workspace.memory =
      memory ? memory
             : reinterpret_cast<void *>(uintptr_t(ATTNRT_WORKSPACE_ALIGNMENT));
  workspace.bytes = bytes;
  return launch(program, stream, arguments, num_arguments, &workspace);
}

attn_status attn_program_workspace_size(const attn_program *program,
                                        const attn_buffer *arguments,
                                        uint32_t num_arguments,
                                        uint64_t *bytes) {
  if (!program || !bytes)
    return fail(ATTN_INVALID_ARGUMENT,
                "expected a program and the address of a number of bytes to "
                "set, found null");
  Workspace workspace;
  attn_status status =
      launch(const_cast<attn_program *>(program), /*stream=*/nullptr, arguments,
             num_arguments, &workspace);
  if (status == ATTN_SUCCESS)
    *bytes = workspace.needed;
  return status;
}

attn_status mlir::attn::loadKernels(attn_program *program,
                                    const attn_buffer *arguments,
                                    uint32_t numArguments) {
  Workspace workspace;
  workspace.loads = true;
  return launch(program, /*stream=*/nullptr, arguments, numArguments,
                &workspace);
}
