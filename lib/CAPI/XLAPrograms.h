//===- XLAPrograms.h - Programs of XLA's executables ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_XLAPROGRAMS_H
#define ATTN_LIB_CAPI_XLAPROGRAMS_H

#include "Load.h"
#include "XLAInterface.h"

#include "attn-c/attn.h"

#include "llvm/ADT/StringMap.h"

#include <memory>
#include <mutex>
#include <string>

namespace mlir::attn::xla {

/// A failure of a custom call of XLA: XLA's error code and a message.
struct Failure {
  int32_t code = kInternal;
  std::string message;
};

/// The programs of all live executables. Custom calls with the same module,
/// such as those of a model's layers, share one program. The process has one
/// object of this class, since XLA gives handlers nothing that outlives an
/// executable.
class Programs {
public:
  std::shared_ptr<attn_program> get(llvm::StringRef module, bool isHost,
                                    Failure &failure) {
    // GPUs of different chips need programs of their own.
    std::string chip = isHost ? "host" : getCurrentChipName();
    std::string key = chip + "\n" + module.str();
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (std::shared_ptr<attn_program> known = programs.lookup(key).lock())
        return known;
    }
    attn_compile_options options = {};
    options.struct_size = sizeof(options);
    // If `chip` is empty, there is no GPU that the compiler supports.
    // attn_compile then looks for one itself, and fails with a message that
    // says why there is none.
    options.chip = chip.empty() ? nullptr : chip.c_str();
    options.source_name = "module of XLA";
    attn_program *program = nullptr;
    if (attn_compile(module.data(), module.size(), &options, &program) !=
        ATTN_SUCCESS) {
      failure = {kUnimplemented, attn_last_error()};
      return nullptr;
    }
    std::shared_ptr<attn_program> made(program, attn_program_destroy);
    std::lock_guard<std::mutex> lock(mutex);
    // Removes the entries of programs that have been destroyed.
    for (auto it = programs.begin(); it != programs.end();) {
      auto here = it++;
      if (here->second.expired())
        programs.erase(here);
    }
    std::weak_ptr<attn_program> &entry = programs[key];
    if (std::shared_ptr<attn_program> other = entry.lock())
      return other;
    entry = made;
    return made;
  }

private:
  std::mutex mutex;
  llvm::StringMap<std::weak_ptr<attn_program>> programs;
};

} // namespace mlir::attn::xla

#endif // ATTN_LIB_CAPI_XLAPROGRAMS_H
