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

/// The source of a module and the options with which it is compiled.
struct CompileRequest {
  std::string source, sourceName, function, access, cpu, lineinfo;
  /// The directory of the cache on disk, which is the option `cache` of
  /// attn_compile_options. If it is empty, environment variables choose the
  /// directory.
  std::string cache;
  /// The GPU chip to compile for, or none to compile for the host.
  std::optional<Chip> chip;

  std::string getChipName() const { return chip ? chip->name.str() : "host"; }
};

/// The compiler's results about one kernel: its name, its schedule with
/// reasons, its number of threads, and its bytes of dynamic shared memory.
struct KernelEntry {
  std::string name, schedule, reasons;
  int threads = 0, dynamicSharedBytes = 0;

  /// Calls `visit` with a reference to each field of `self`; `visit` reads or
  /// writes the field.
  template <typename Self, typename Visitor>
  static void visitFields(Self &self, Visitor &visit) {
    visit(self.name);
    visit(self.schedule);
    visit(self.reasons);
    visit(self.threads);
    visit(self.dynamicSharedBytes);
  }
};

/// The results of compiling a module: diagnostics, descriptions of arguments,
/// host code, PTX and kernels.
struct CompiledProgram {
  std::string diagnostics;
  std::vector<Argument> arguments;
  /// The object file of the host code; null once the code has been loaded.
  std::unique_ptr<llvm::MemoryBuffer> object;
  // `ptx` and `kernels` are empty in a program for the host.
  std::string ptx;
  std::vector<KernelEntry> kernels;
};

} // namespace mlir::attn

struct attn_program : mlir::attn::CompiledProgram {
  mlir::attn::CompileRequest request;
  /// The number of 64-bit words that describe all arguments of a launch.
  unsigned numWords = 0;

  /// The loaded host code. It must outlive the runtime, whose cache refers to
  /// constants of the host code.
  std::unique_ptr<mlir::attn::HostProgram> code;
  /// The reason why this machine cannot run the host code, or "".
  std::string hostFault;
  /// The function of the host code that a launch calls: `hostEntry` of a
  /// program for the host, `launchEntry` of one for a chip. The other one is
  /// null.
  mlir::attn::HostProgram::Entry hostEntry = nullptr;
  mlir::attn::HostProgram::LaunchEntry launchEntry = nullptr;

  /// The PTX of a program for a chip, as the runtime takes it for queries about
  /// kernels.
  attnrt_program image = {};
  mlir::attn::LazyRuntime runtime;

  /// `stages` has the IR that attn_program_ir has printed so far, by the name
  /// of its stage or pass, and `stagesMutex` protects it.
  std::mutex stagesMutex;
  llvm::StringMap<std::string> stages;

  bool isHost() const { return !request.chip; }
};

#endif // ATTN_LIB_CAPI_PROGRAM_H
