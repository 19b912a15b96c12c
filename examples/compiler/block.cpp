//===- block.cpp - Attention beside code of the host ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// block FILE host|sm_90a|...
//
// Reads block.mlir, which has attention between products of matrices. Outlines
// attention into a module of its own, and compiles that for the host or to PTX.
// The module that calls it is compiled by upstream's passes for MLIR's JIT. It
// calls a function of this program, which copies arrays to a GPU and back. The
// result is compared with loops in double precision.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "attn/Pipelines/Pipelines.h"
#include "attn/Raise/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {
constexpr int64_t kHeads = 2, kRows = 24, kDim = 16, kWidth = kHeads * kDim;

/// The descriptor by which compiled code takes a tensor of two dimensions.
struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};
using Array = std::vector<float>;
} // namespace

/// The packed function of the attention module, and the runtime that launches
/// its kernels (null if attention runs on the host).
static void *attention;
static attnrt_runtime *runtime;
static bool hasFailed;

static Matrix describe(Array &array) {
  int64_t rows = array.size() / kWidth;
  return {array.data(), array.data(), 0, {rows, kWidth}, {kWidth, 1}};
}

/// The function that the compiled host code calls for attention, with query,
/// key and value. Allocates the output `o`.
static void callAttention(Matrix *o, Matrix *q, Matrix *k, Matrix *v) {
  static Array output;
  output.assign(kRows * kWidth, NAN);
  *o = describe(output);
  Matrix arrays[4] = {*q, *k, *v, *o};
  void *args[4] = {&arrays[0], &arrays[1], &arrays[2], &arrays[3]};
  if (!runtime) {
    auto *packed = reinterpret_cast<const char *(*)(void **)>(attention);
    if (const char *message = packed(args)) {
      std::printf("attention: %s\n", message);
      hasFailed = true;
    }
    return;
  }
  hasFailed = hasFailed || !launch(runtime, attention, arrays,
                                   kRows * kWidth * sizeof(float));
}

/// Returns the symbols that the JIT of the host code needs: callAttention(),
/// under the name of the outlined function, and the runtime's functions.
static llvm::orc::SymbolMap findSymbols(llvm::orc::MangleAndInterner intern) {
  llvm::orc::SymbolMap symbols = findRuntime(intern);
  addSymbol(symbols, intern, "_mlir_ciface_block_attention_0", callAttention);
  return symbols;
}

/// Compiles the module by a JIT, which is added to `all`, and returns the
/// address of one of its functions. Returns null on failure.
static void *compile(mlir::ModuleOp module, const char *name,
                     std::vector<std::unique_ptr<mlir::ExecutionEngine>> &all) {
  auto engine = mlir::ExecutionEngine::create(module, {});
  if (!engine) {
    llvm::errs() << llvm::toString(engine.takeError()) << "\n";
    return nullptr;
  }
  (*engine)->registerSymbols(findSymbols);
  auto entry = (*engine)->lookup(name);
  if (!entry) {
    llvm::errs() << llvm::toString(entry.takeError()) << "\n";
    return nullptr;
  }
  all.push_back(std::move(*engine));
  return reinterpret_cast<void *>(*entry);
}

static std::vector<double> multiply(const std::vector<double> &x,
                                    const Array &w) {
  std::vector<double> y(kRows * kWidth, 0);
  for (int64_t i = 0; i < kRows; ++i)
    for (int64_t k = 0; k < kWidth; ++k)
      for (int64_t j = 0; j < kWidth; ++j)
        y[i * kWidth + j] += x[i * kWidth + k] * w[k * kWidth + j];
  return y;
}

/// Computes the block's expected result in double precision: projections by
/// three weights, attention, projection by a fourth weight, and the addition of
/// the input.
static std::vector<double> compute(const Array (&arrays)[6]) {
  std::vector<double> x(arrays[0].begin(), arrays[0].end());
  std::vector<double> q = multiply(x, arrays[1]), k = multiply(x, arrays[2]),
                      v = multiply(x, arrays[3]), o(kRows * kWidth, 0);
  for (int64_t h = 0; h < kWidth; h += kDim)
    for (int64_t i = 0; i < kRows; ++i) {
      double total = 0;
      for (int64_t j = 0; j < kRows; ++j) {
        double score = 0;
        for (int64_t d = h; d < h + kDim; ++d)
          score += q[i * kWidth + d] * k[j * kWidth + d];
        total += std::exp(score);
        for (int64_t d = h; d < h + kDim; ++d)
          o[i * kWidth + d] += std::exp(score) * v[j * kWidth + d];
      }
      for (int64_t d = h; d < h + kDim; ++d)
        o[i * kWidth + d] /= total;
    }
  o = multiply(o, arrays[4]);
  for (size_t i = 0; i < o.size(); ++i)
    o[i] += x[i];
  return o;
}

int main(int argc, char **argv) {
  std::string target = argc > 2 ? argv[2] : "host";
  mlir::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::attn::registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      argc > 1 ? argv[1] : "block.mlir", &context);
  mlir::PassManager outlining(&context);
  outlining.addPass(mlir::attn::createAttnRaisePass());
  outlining.addPass(mlir::attn::createAttnOutlinePass());
  if (!module || mlir::failed(outlining.run(*module)))
    return 1;
  auto nested = module->lookupSymbol<mlir::ModuleOp>("attention");
  if (!nested) {
    std::printf("no attention was found\n");
    return 1;
  }
  mlir::OwningOpRef<mlir::ModuleOp> ofAttention(nested);
  nested->remove();

  mlir::PassManager pm(&context);
  mlir::attn::TilePipelineOptions options;
  options.chip = target;
  if (target == "host")
    mlir::attn::buildAttnToHostPipeline(pm);
  else
    mlir::attn::buildAttnToPTXPipeline(pm, options);
  // The pipeline for the module that calls attention. Arrays are contiguous,
  // and results of functions with a body become arguments at the end.
  mlir::PassManager upstream(&context);
  module->walk([](mlir::func::FuncOp function) {
    mlir::Builder b(function.getContext());
    function->setAttr("llvm.emit_c_interface", b.getUnitAttr());
    // Tells bufferization that functions must not overwrite their arguments.
    unsigned count = function.isExternal() ? 0 : function.getNumArguments();
    for (unsigned i = 0; i < count; ++i)
      function.setArgAttr(i, "bufferization.writable", b.getBoolAttr(false));
  });
  constexpr llvm::StringLiteral kPasses =
      "convert-elementwise-to-linalg,"
      "one-shot-bufferize{bufferize-function-boundaries "
      "function-boundary-type-conversion=identity-layout-map},"
      "drop-equivalent-buffer-results,"
      "buffer-results-to-out-params{hoist-static-allocs "
      "modify-public-functions},"
      "convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,"
      "lower-affine,convert-math-to-llvm,convert-arith-to-llvm,"
      "convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
      "convert-cf-to-llvm,reconcile-unrealized-casts";
  if (mlir::failed(mlir::parsePassPipeline(kPasses, upstream)) ||
      mlir::failed(pm.run(*ofAttention)) || mlir::failed(upstream.run(*module)))
    return 1;

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::vector<std::unique_ptr<mlir::ExecutionEngine>> engines;
  attention = compile(*ofAttention, "attn_block_attention_0_packed", engines);
  void *entry = compile(*module, "_mlir_ciface_block", engines);
  if (!attention || !entry)
    return 1;
  attnrt_context device = nullptr;
  if (target != "host" &&
      (fails(runtime, attnrt_create(nullptr, &runtime)) ||
       fails(runtime, attnrt_open_device(runtime, 0, &device)))) {
    attnrt_destroy(runtime);
    return 0;
  }

  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 0.3);
  // The block's input, its four weights, and its result.
  Array arrays[6];
  Matrix matrices[6];
  for (int i = 0; i < 6; ++i) {
    int64_t rows = i == 0 || i == 5 ? kRows : kWidth;
    arrays[i].assign(rows * kWidth, NAN);
    if (i < 5)
      for (float &element : arrays[i])
        element = normal(random);
    matrices[i] = describe(arrays[i]);
  }
  using Block =
      void (*)(Matrix *, Matrix *, Matrix *, Matrix *, Matrix *, Matrix *);
  reinterpret_cast<Block>(entry)(&matrices[0], &matrices[1], &matrices[2],
                                 &matrices[3], &matrices[4], &matrices[5]);
  if (runtime) {
    attnrt_close_device(runtime, 0);
    attnrt_destroy(runtime);
  }
  double error = 0;
  std::vector<double> expected = compute(arrays);
  for (size_t i = 0; i < expected.size(); ++i)
    // The comparisons keep a difference of NaN as the largest one, while
    // std::max would drop it.
    if (double own = std::fabs(expected[i] - arrays[5][i]);
        !std::isnan(error) && !(own <= error))
      error = own;
  bool passes = !hasFailed && error < 1e-3;
  std::printf("block for %s: largest error %.1e: %s\n", target.c_str(), error,
              passes ? "pass" : "FAIL");
  return !passes;
}
