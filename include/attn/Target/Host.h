//===- Host.h - Code for the host CPU ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_HOST_H
#define ATTN_TARGET_HOST_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class MemoryBuffer;
class Module;
class TargetMachine;
class raw_pwrite_stream;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir::attn {

/// A CPU as LLVM names it, and what it has beyond or short of its name.
struct HostCPU {
  std::string name, features;
};

/// Empty is the CPU that the program runs on.
HostCPU getHostCPU(StringRef cpu);

/// What code for the host does: attention itself, or launches, which are not
/// worth long optimisations.
enum class HostCode { Computes, Launches };

/// A target machine for x86-64, for `cpu` as LLVM names it. Empty is the CPU
/// that the program runs on. An unknown name, or that of a CPU of 32 bits, is
/// an error.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostTargetMachine(StringRef cpu, HostCode code = HostCode::Computes);

/// An error unless this machine has all that code for `cpu`, a known name, may
/// use.
llvm::Error checkHostRuns(StringRef cpu);

/// Translates a module in the LLVM dialect, as attn-to-host leaves it, and
/// optimises it for `machine`.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateForHost(ModuleOp module, llvm::LLVMContext &context,
                 llvm::TargetMachine &machine);

/// Writes `module` as an ELF object.
llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &os);

/// Compiled code in this process.
class HostProgram {
public:
  /// The packed form of an entry; see attn-host-export.
  using Entry = const char *(*)(void **args);

  /// The packed form of an entry of attn-lower-launch; returns an
  /// attnrt_status.
  using LaunchEntry = int32_t (*)(void **args);

  /// Compiles a module that attn-to-host or attn-to-ptx has lowered, to an
  /// ELF object that any process on such a CPU can load.
  static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  compile(ModuleOp module, StringRef cpu, HostCode code);
  static llvm::Expected<std::unique_ptr<HostProgram>>
  load(std::unique_ptr<llvm::MemoryBuffer> object);
  /// Both.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(ModuleOp module, StringRef cpu, HostCode code = HostCode::Computes);
  ~HostProgram();

  /// The entry point of function `name`.
  llvm::Expected<Entry> lookup(StringRef name) const;
  llvm::Expected<LaunchEntry> lookupLaunch(StringRef name) const;

private:
  explicit HostProgram(std::unique_ptr<llvm::orc::LLJIT> jit);
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::attn

#endif // ATTN_TARGET_HOST_H
