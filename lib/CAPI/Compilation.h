//===- Compilation.h - A module and its lowering to a program ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_COMPILATION_H
#define ATTN_LIB_CAPI_COMPILATION_H

#include "Program.h"

#include "attn/Driver/KernelLowering.h"
#include "attn/Driver/PassDumps.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::attn {

/// Compiles a module in an MLIR context of its own, on the calling thread only.
class Compilation {
public:
  /// If `dumps` is not null, it collects the IR after the passes that it names.
  explicit Compilation(const CompileRequest &request,
                       PassDumps *dumps = nullptr);

  /// parse() reads the module, and one of the functions lowerTo... then lowers
  /// it to the named level, with all steps before it. On failure, these
  /// functions return failure and add diagnostics.
  LogicalResult parse();
  void setOptions(TilePipelineOptions &options);
  LogicalResult lowerToTile();
  LogicalResult lowerToNVVM();
  LogicalResult lowerToLLVM();

  ModuleOp getModule() { return *module; }
  /// The kernels are known after lowerToNVVM() or lowerToLLVM(), and the PTX
  /// after lowerToLLVM(), in a compilation for a chip.
  ArrayRef<KernelResources> getKernels() const { return kernels; }
  StringRef getPTX() const { return ptx; }
  /// Returns all diagnostics of the compilation so far as text.
  StringRef getDiagnostics() const { return StringRef(diagnostics).rtrim(); }

private:
  LogicalResult run(llvm::function_ref<void(OpPassManager &)> buildPipeline,
                    Verify verified = Verify::EachPass);

  const CompileRequest &request;
  PassDumps *dumps;
  MLIRContext context;
  std::string diagnostics;
  llvm::raw_string_ostream diagnosticsStream;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  SmallVector<KernelResources> kernels;
  std::string ptx;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_COMPILATION_H
