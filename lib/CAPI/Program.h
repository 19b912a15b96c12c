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
  /// None is the host.
  std::optional<Chip> chip;

  std::string getChipName() const { return chip ? chip->name.str() : "host"; }
};

/// What the compiler decides of a kernel.
struct KernelEntry {
  std::string name, schedule, reasons;
  int threads, dynamicSharedBytes;
};

} // namespace mlir::attn

struct attn_program {
  mlir::attn::CompileRequest request;
  std::string diagnostics;
  std::vector<mlir::attn::Argument> arguments;
  unsigned numWords = 0;

  /// Must outlive the runtime, whose cache points to constants of the code.
  std::unique_ptr<mlir::attn::HostProgram> code;
  /// One of them, as the target is.
  mlir::attn::HostProgram::Entry hostEntry = nullptr;
  mlir::attn::HostProgram::LaunchEntry launchEntry = nullptr;

  // For a chip.
  std::string ptx;
  std::vector<mlir::attn::KernelEntry> kernels;
  /// The PTX, for questions about kernels.
  attnrt_program image = {};
  mlir::attn::LazyRuntime runtime;

  /// Texts of stages and passes, by name.
  std::mutex stagesMutex;
  llvm::StringMap<std::string> stages;

  bool isHost() const { return !request.chip; }
};

#endif // ATTN_LIB_CAPI_PROGRAM_H
