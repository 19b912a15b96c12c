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

/// LLVM's name of a CPU, and its features in the form "+avx2,-amx". The list is
/// empty if the user named the CPU, and all features then follow from the name.
/// For the CPU of this machine, it says of each feature whether the CPU has it,
/// since a virtual machine may lack some that the name implies.
struct HostCPU {
  std::string name, features;
};

/// Returns the CPU called `cpu` or, if that is empty, the one on which this
/// process runs.
HostCPU getHostCPU(StringRef cpu);

/// Whether the host's code computes attention itself or only launches kernels,
/// for which long optimisations are not worthwhile.
enum class HostCode { Computes, Launches };

/// Creates a target machine for x86-64 and the CPU that LLVM calls `cpu` or, if
/// that is empty, the CPU on which this process runs. Fails for an unknown or
/// 32-bit CPU.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostTargetMachine(StringRef cpu, HostCode code = HostCode::Computes);

/// Fails unless this machine has all features that LLVM may use in code for
/// `cpu`, a known name. Succeeds if `cpu` is empty. Features of which LLVM does
/// not know whether this machine has them are not checked.
llvm::Error checkHostRuns(StringRef cpu);

/// Translates a module in the LLVM dialect, after attn-to-host, and optimises
/// it for `machine`.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateForHost(ModuleOp module, llvm::LLVMContext &context,
                 llvm::TargetMachine &machine);

/// Writes `module` to `os` as an ELF object.
llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &os);

/// Compiled code that was loaded into this process.
class HostProgram {
public:
  /// The type of an entry that was compiled for the host, in its packed form;
  /// see attn-host-export.
  using Entry = const char *(*)(void **args);

  /// The type of an entry that launches kernels, in its packed form; it returns
  /// an attnrt_status. See attn-lower-launch.
  using LaunchEntry = int32_t (*)(void **args);

  /// Compiles a module, after attn-to-host or attn-to-ptx, to an ELF object
  /// that any process on a CPU of that kind can load.
  static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  compile(ModuleOp module, StringRef cpu, HostCode code);
  static llvm::Expected<std::unique_ptr<HostProgram>>
  load(std::unique_ptr<llvm::MemoryBuffer> object);
  /// Compiles and loads a module.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(ModuleOp module, StringRef cpu, HostCode code = HostCode::Computes);
  ~HostProgram();

  /// Returns the entry of function `name`.
  llvm::Expected<Entry> lookup(StringRef name) const;
  llvm::Expected<LaunchEntry> lookupLaunch(StringRef name) const;

private:
  explicit HostProgram(std::unique_ptr<llvm::orc::LLJIT> jit);
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::attn

#endif // ATTN_TARGET_HOST_H
