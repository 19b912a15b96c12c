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

/// What to compile, and for which target.
struct CompileRequest {
  std::string source, sourceName, function, access, cpu, lineinfo;
  /// As attn_compile_options says; empty leaves it to the environment.
  std::string cache;
  /// None is the host.
  std::optional<Chip> chip;

  std::string getChipName() const { return chip ? chip->name.str() : "host"; }
};

/// What the compiler decides of a kernel.
struct KernelEntry {
  std::string name, schedule, reasons;
  int threads = 0, dynamicSharedBytes = 0;

  /// Calls `visit` with each field, which it reads or writes.
  template <typename Self, typename Visitor>
  static void visitFields(Self &self, Visitor &visit) {
    visit(self.name);
    visit(self.schedule);
    visit(self.reasons);
    visit(self.threads);
    visit(self.dynamicSharedBytes);
  }
};

/// All that the compiler makes of a module.
struct CompiledProgram {
  std::string diagnostics;
  std::vector<Argument> arguments;
  /// Code for the host, until it is loaded.
  std::unique_ptr<llvm::MemoryBuffer> object;
  // For a chip.
  std::string ptx;
  std::vector<KernelEntry> kernels;
};

} // namespace mlir::attn

struct attn_program : mlir::attn::CompiledProgram {
  mlir::attn::CompileRequest request;
  /// Of all arguments.
  unsigned numWords = 0;

  /// Must outlive the runtime, whose cache points to constants of the code.
  std::unique_ptr<mlir::attn::HostProgram> code;
  /// Why this machine cannot run the host's code, or "".
  std::string hostFault;
  /// One of them, as the target is.
  mlir::attn::HostProgram::Entry hostEntry = nullptr;
  mlir::attn::HostProgram::LaunchEntry launchEntry = nullptr;

  /// For a chip: the PTX, for questions about kernels.
  attnrt_program image = {};
  mlir::attn::LazyRuntime runtime;

  /// Texts of stages and passes, by name.
  std::mutex stagesMutex;
  llvm::StringMap<std::string> stages;

  bool isHost() const { return !request.chip; }
};

#endif // ATTN_LIB_CAPI_PROGRAM_H
