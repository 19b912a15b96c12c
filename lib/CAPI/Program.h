//===- Program.h - A compiled function --------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_PROGRAM_H
#define ATTN_LIB_CAPI_PROGRAM_H

#include "Arguments.h"
#include "Runtime.h"

#include "attn/Driver/KernelResources.h"
#include "attn/Target/Host.h"

#include <mutex>
#include <optional>

namespace mlir::attn {

/// The source and the options of a compilation.
struct CompileRequest {
  std::string source, sourceName, function, access, cpu, lineinfo;
  /// The directory of the cache, the option `cache` of attn_compile_options; if
  /// it is empty, the environment decides.
  std::string cache;
  /// The chip, or none for the host.
  std::optional<Chip> chip;

  std::string getChipName() const { return chip ? chip->name.str() : "host"; }
};

/// The compiler's results about one kernel.
struct KernelEntry {
  std::string name, schedule, reasons;
  int threads = 0, dynamicSharedBytes = 0;

  /// Calls `visit` with each field; `visit` reads or writes it.
  template <typename Self, typename Visitor>
  static void visitFields(Self &self, Visitor &visit) {
    visit(self.name);
    visit(self.schedule);
    visit(self.reasons);
    visit(self.threads);
    visit(self.dynamicSharedBytes);
  }
};

/// The results of compiling a module.
struct CompiledProgram {
  std::string diagnostics;
  std::vector<Argument> arguments;
  /// Host code; null after it was loaded.
  std::unique_ptr<llvm::MemoryBuffer> object;
  // These are only set for a chip.
  std::string ptx;
  std::vector<KernelEntry> kernels;
};

} // namespace mlir::attn

struct attn_program : mlir::attn::CompiledProgram {
  mlir::attn::CompileRequest request;
  /// The number of words of all arguments.
  unsigned numWords = 0;

  /// The loaded host code. It must outlive the runtime, whose cache refers to
  /// constants of the host code.
  std::unique_ptr<mlir::attn::HostProgram> code;
  /// The reason why this machine cannot run the host code, or "".
  std::string hostFault;
  /// The function of the host code to call. One of the two is set: the first
  /// for a program for the host, the second for a chip.
  mlir::attn::HostProgram::Entry hostEntry = nullptr;
  mlir::attn::HostProgram::LaunchEntry launchEntry = nullptr;

  /// The PTX in the form that the runtime takes, for queries about kernels;
  /// only for a chip.
  attnrt_program image = {};
  mlir::attn::LazyRuntime runtime;

  /// The IR that was printed so far, by the name of the stage or pass.
  std::mutex stagesMutex;
  llvm::StringMap<std::string> stages;

  bool isHost() const { return !request.chip; }
};

#endif // ATTN_LIB_CAPI_PROGRAM_H
