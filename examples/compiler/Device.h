//===- Device.h - Launches of compiled attention by the C runtime ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_COMPILER_DEVICE_H
#define EXAMPLES_COMPILER_DEVICE_H

#include "attn/Runtime/attnrt.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

#include <cstdint>
#include <cstdio>

/// Returns whether a call of the runtime has failed, and prints the runtime's
/// message if so. The runtime is passed by reference, since the call may have
/// created it.
inline bool fails(attnrt_runtime *const &runtime, attnrt_status status) {
  if (status != ATTNRT_SUCCESS)
    std::printf("not run: %s\n", attnrt_last_error(runtime));
  return status != ATTNRT_SUCCESS;
}

template <typename Function>
void addSymbol(llvm::orc::SymbolMap &symbols,
               llvm::orc::MangleAndInterner &intern, const char *name,
               Function *function) {
  symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                           llvm::JITSymbolFlags::Exported};
}

/// Returns the symbols of the runtime's functions, which are linked into this
/// program, so that a JIT finds them.
inline llvm::orc::SymbolMap findRuntime(llvm::orc::MangleAndInterner intern) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, auto *function) {
    addSymbol(symbols, intern, name, function);
  };
  add("attnrt_launch_kernel", attnrt_launch_kernel);
  add("attnrt_encode_tensor_map", attnrt_encode_tensor_map);
  add("attnrt_allocate_async", attnrt_allocate_async);
  add("attnrt_free_async", attnrt_free_async);
  add("attnrt_get_work_counters", attnrt_get_work_counters);
  add("attnrt_get_sm_count", attnrt_get_sm_count);
  add("attnrt_fail", attnrt_fail);
  return symbols;
}

/// Runs a packed function on the first GPU. Copies the arrays, of `bytes` bytes
/// each, to the device, runs the function on the copies, and copies the last
/// array back. Returns whether all of this succeeded.
template <typename Descriptor, size_t count>
bool launch(attnrt_runtime *runtime, void *entry,
            const Descriptor (&arrays)[count], uint64_t bytes) {
  // A packed function takes an array with the addresses of its arguments. The
  // first two arguments are the runtime and the stream.
  attnrt_stream stream = nullptr;
  Descriptor onDevice[count];
  void *args[2 + count] = {&runtime, &stream};
  attnrt_device_ptr memory[count] = {};
  bool failed = false;
  for (size_t i = 0; i < count && !failed; ++i) {
    failed = fails(runtime, attnrt_allocate(runtime, bytes, &memory[i])) ||
             fails(runtime, attnrt_copy_to_device(runtime, memory[i],
                                                  arrays[i].aligned, bytes));
    onDevice[i] = arrays[i];
    onDevice[i].allocated = onDevice[i].aligned =
        reinterpret_cast<float *>(memory[i]);
    args[2 + i] = &onDevice[i];
  }
  auto *packed = reinterpret_cast<attnrt_status (*)(void **)>(entry);
  failed =
      failed || fails(runtime, packed(args)) ||
      fails(runtime, attnrt_synchronize(runtime, stream)) ||
      fails(runtime, attnrt_copy_from_device(runtime, arrays[count - 1].aligned,
                                             memory[count - 1], bytes));
  for (attnrt_device_ptr address : memory)
    attnrt_free(runtime, address);
  return !failed;
}

#endif // EXAMPLES_COMPILER_DEVICE_H
