//===- OutlineKernels.cpp - Kernels as GPU functions ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUOUTLINEKERNELSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

static constexpr StringLiteral kModuleName = "attn_kernels";

namespace {

/// The gpu.func that a kernel becomes. `onHost` are the ops of the kernel that
/// run on the host, at each launch. `parameters` are the values that the
/// function's code uses, each an argument of the kernel or a result of
/// `onHost`.
struct OutlinedKernel {
  gpu::GPUFuncOp function;
  llvm::SetVector<Operation *> onHost;
  SmallVector<Value> parameters;
};

class KernelOutliner {
public:
  void outline(KernelOp kernel);
  void lower(LaunchOp launch);

private:
  gpu::GPUModuleOp getModule(KernelOp kernel);

  /// For each builtin module, the gpu.module that holds its kernels.
  llvm::DenseMap<Operation *, gpu::GPUModuleOp> modules;
  llvm::DenseMap<Operation *, OutlinedKernel> outlined;
};

} // namespace

/// Returns the target attribute for the gpu.module that holds the kernel, with
/// MLIR's own check of the chip switched off. This project itself checks, when
/// it makes PTX, whether the chip can execute the code.
static Attribute getAssemblerTarget(KernelOp kernel) {
  const attn::Chip &chip = kernel.getChip();
  return NVVM::NVVMTargetAttr::get(
      kernel.getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip.name,
      "+ptx" + std::to_string(chip.ptxVersion), /*targetFlags=*/nullptr,
      /*linkFiles=*/nullptr, /*verifyTarget=*/false);
}

gpu::GPUModuleOp KernelOutliner::getModule(KernelOp kernel) {
  auto module = cast<ModuleOp>(kernel->getParentOp());
  gpu::GPUModuleOp &kernels = modules[module];
  if (!kernels) {
    auto b = OpBuilder::atBlockEnd(module.getBody());
    kernels = gpu::GPUModuleOp::create(b, kernel.getLoc(), kModuleName);
    kernels.setTargetsAttr(b.getArrayAttr(getAssemblerTarget(kernel)));
    SymbolTable(module).insert(kernels);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    b.getUnitAttr());
  }
  return kernels;
}

/// Moves the ops that read the CTA's number and the number of CTAs to the
/// beginning of the kernel, before the wait for earlier kernels.
static void moveNumbersForward(Block &body) {
  SmallVector<Operation *> numbers;
  auto add = [&](auto ops) { llvm::append_range(numbers, ops); };
  add(body.getOps<gpu::BlockIdOp>());
  add(body.getOps<gpu::GridDimOp>());
  for (Operation *op : llvm::reverse(numbers))
    op->moveBefore(&body, body.begin());
}

/// Replaces each memref.dim of a dynamic size of an array by the operand of
/// attn_gpu.array that holds this size, and erases the attn_gpu.array ops.
/// Arrays that are known to be equal in a size have the same operand for it.
static void replaceSizes(KernelOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  for (ArrayOp op :
       llvm::make_early_inc_range(kernel.getBody().getOps<ArrayOp>())) {
    auto type = cast<MemRefType>(op.getArray().getType());
    for (Operation *user : llvm::make_early_inc_range(op.getArray().getUsers()))
      if (auto dim = dyn_cast<memref::DimOp>(user))
        if (std::optional<int64_t> i = dim.getConstantIndex();
            i && type.isDynamicDim(*i))
          rewriter.replaceOp(dim, op.getSizes()[type.getDynamicDimIndex(*i)]);
    rewriter.eraseOp(op);
  }
}

/// Returns the ops that run on the host: all that encode tensor maps and, for
/// arrays of which the kernel uses nothing but maps and sizes, those that read
/// the sizes.
static llvm::SetVector<Operation *> findHostOps(Block &body) {
  llvm::SetVector<Operation *> found;
  for (Value array : body.getArguments()) {
    auto isForHost = [](Operation *user) {
      auto dim = dyn_cast<memref::DimOp>(user);
      return (dim && dim.getConstantIndex()) ||
             isa<attn_nv::EncodeTensorMapOp>(user);
    };
    if (llvm::all_of(array.getUsers(), isForHost))
      found.insert_range(array.getUsers());
  }
  for (auto map : body.getOps<attn_nv::EncodeTensorMapOp>())
    found.insert(map);
  return found;
}

void KernelOutliner::outline(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  replaceSizes(kernel);
  moveNumbersForward(body);
  OutlinedKernel result;
  result.onHost = findHostOps(body);
  // The parameters of the gpu.func are in the order in which its code first
  // uses them.
  llvm::SetVector<Value> parameters;
  kernel.getBody().walk([&](Operation *op) {
    if (result.onHost.contains(op))
      return;
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument ? argument.getOwner() == &body
                   : result.onHost.contains(operand.getDefiningOp()))
        parameters.insert(operand);
    }
  });
  result.parameters = parameters.takeVector();
  OpBuilder b = OpBuilder::atBlockEnd(getModule(kernel).getBody());
  auto type = b.getFunctionType(TypeRange(ValueRange(result.parameters)), {});
  auto function =
      gpu::GPUFuncOp::create(b, kernel.getLoc(), kernel.getSymName(), type);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({int32_t(kernel.getThreads()), 1, 1}));
  Block &entry = function.getBody().front();
  for (auto [parameter, argument] :
       llvm::zip(result.parameters, entry.getArguments()))
    parameter.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return !result.onHost.contains(use.getOwner());
    });
  for (Operation *op : result.onHost)
    op->moveBefore(&body, body.begin());
  for (Operation &op : llvm::make_early_inc_range(body))
    if (!result.onHost.contains(&op))
      op.moveBefore(&entry, entry.end());
  b.setInsertionPointToEnd(&entry);
  gpu::ReturnOp::create(b, kernel.getLoc());
  result.function = function;
  outlined[kernel] = std::move(result);
}

void KernelOutliner::lower(LaunchOp launch) {
  KernelOp kernel = launch.lookUpKernel();
  const OutlinedKernel &result = outlined[kernel];
  attn::NumberBuilder b(launch.getLoc(), launch);
  IRMapping mapping;
  mapping.map(kernel.getBody().getArguments(), launch.getArgs());
  for (Operation *op : result.onHost) {
    if (auto dim = dyn_cast<memref::DimOp>(op))
      mapping.map(dim.getResult(),
                  memref::DimOp::create(b, mapping.lookup(dim.getSource()),
                                        *dim.getConstantIndex())
                      .getResult());
    else
      b.clone(*op, mapping);
  }
  Value one = b.index(1);
  Value threads = b.index(kernel.getThreads());
  Value bytes;
  if (kernel.getSharedBytes() != 0)
    bytes = b.word(kernel.getSharedBytes());
  gpu::LaunchFuncOp::create(
      b, result.function, {launch.getBlocks(), one, one}, {threads, one, one},
      bytes, llvm::map_to_vector(result.parameters, [&](Value parameter) {
        return mapping.lookup(parameter);
      }));
  launch.erase();
}

namespace {
struct AttnGPUOutlineKernelsPass
    : public attn_gpu::impl::AttnGPUOutlineKernelsPassBase<
          AttnGPUOutlineKernelsPass> {
  void runOnOperation() override {
    KernelOutliner outliner;
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      outliner.outline(kernel);
    getOperation()->walk([&](LaunchOp launch) { outliner.lower(launch); });
    for (KernelOp kernel : kernels) {
      kernel.walk([](Operation *op) { op->dropAllReferences(); });
      kernel.erase();
    }
  }
};
} // namespace
