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

/// A CPU for which LLVM compiles. `name` is LLVM's name of it, and `features` a
/// list such as "+avx2,-amx". If the user named the CPU, the list is empty, and
/// the features follow from the name. For the CPU of this machine, the list
/// says of each feature whether the CPU has it, since a virtual machine may
/// lack features that the name implies.
struct HostCPU {
  std::string name, features;
};

/// Returns the CPU that LLVM calls `cpu` or, if `cpu` is empty, the CPU on
/// which this process runs.
HostCPU getHostCPU(StringRef cpu);

/// The kind of the host's code. The code either computes attention itself, or
/// only launches kernels. For the latter kind, long optimisations are not
/// worthwhile.
enum class HostCode { Computes, Launches };

/// Creates a target machine for x86-64 and the CPU that LLVM calls `cpu`. If
/// `cpu` is empty, it is the CPU on which this process runs. Fails for a CPU
/// that is unknown or has 32 bits.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostTargetMachine(StringRef cpu, HostCode code = HostCode::Computes);

/// Returns an error unless this machine has all features that LLVM may use in
/// code for `cpu`, which must be a known name. Succeeds if `cpu` is empty. A
/// feature is not checked if LLVM does not know whether this machine has it.
llvm::Error checkHostRuns(StringRef cpu);

/// Translates a module that attn-to-host has lowered to the LLVM dialect to
/// LLVM IR, and optimises it for `machine`.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateForHost(ModuleOp module, llvm::LLVMContext &context,
                 llvm::TargetMachine &machine);

/// Writes the machine code of `module` to `os`, as an ELF object.
llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &os);

/// Compiled code that is loaded into this process.
class HostProgram {
public:
  /// The type of the packed form of an entry that was compiled for the host
  /// (see attn-host-export).
  using Entry = const char *(*)(void **args);

  /// The type of the packed form of an entry that launches kernels (see
  /// attn-lower-launch). It returns an attnrt_status.
  using LaunchEntry = int32_t (*)(void **args);

  /// Compiles a module that attn-to-host or attn-to-ptx has lowered. Returns an
  /// ELF object, which any process on a CPU of the kind `cpu` can load.
  static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  compile(ModuleOp module, StringRef cpu, HostCode code);
  static llvm::Expected<std::unique_ptr<HostProgram>>
  load(std::unique_ptr<llvm::MemoryBuffer> object);
  /// Compiles a module and loads the machine code into this process.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(ModuleOp module, StringRef cpu, HostCode code = HostCode::Computes);
  ~HostProgram();

  /// Returns the packed form of the entry for function `name`.
  llvm::Expected<Entry> lookup(StringRef name) const;
  llvm::Expected<LaunchEntry> lookupLaunch(StringRef name) const;

private:
  explicit HostProgram(std::unique_ptr<llvm::orc::LLJIT> jit);
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::attn

#endif // ATTN_TARGET_HOST_H
