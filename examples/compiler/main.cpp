//===- main.cpp - A small compiler that has attention ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// compiler FILE host|sm_90a|...
//
// Reads attention.mlir, which has attention as linalg writes it, finds
// attention in it, compiles it for the host or to PTX, and runs it: on the host
// by MLIR's JIT, on a GPU by the C runtime, which loads the CUDA driver. The
// result is compared with a loop in double precision.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "attn/Pipelines/Pipelines.h"
#include "attn/Raise/Passes.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {
constexpr int64_t kHeads = 8, kRows = 24, kDim = 16;
constexpr int64_t kElements = kHeads * kRows * kDim;

/// The descriptor by which compiled code takes a tensor of three dimensions.
struct Descriptor {
  float *allocated, *aligned;
  int64_t offset, sizes[3], strides[3];
};
} // namespace

static Descriptor describe(void *data) {
  auto *elements = static_cast<float *>(data);
  return {
      elements, elements, 0, {kHeads, kRows, kDim}, {kRows * kDim, kDim, 1}};
}

/// Returns the largest difference of `o` from softmax(Q K') V, which is
/// computed for each head in double precision.
static double compare(const std::vector<float> &q, const std::vector<float> &k,
                      const std::vector<float> &v,
                      const std::vector<float> &o) {
  double error = 0;
  for (int64_t h = 0; h < kHeads; ++h)
    for (int64_t i = 0; i < kRows; ++i) {
      double total = 0, sums[kDim] = {};
      for (int64_t j = 0; j < kRows; ++j) {
        double s = 0;
        for (int64_t d = 0; d < kDim; ++d)
          s += double(q[(h * kRows + i) * kDim + d]) *
               k[(h * kRows + j) * kDim + d];
        total += std::exp(s);
        for (int64_t d = 0; d < kDim; ++d)
          sums[d] += std::exp(s) * v[(h * kRows + j) * kDim + d];
      }
      for (int64_t d = 0; d < kDim; ++d) {
        double own = std::fabs(sums[d] / total - o[(h * kRows + i) * kDim + d]);
        // The comparisons keep a difference of NaN as the largest one, while
        // std::max would drop it.
        if (!std::isnan(error) && !(own <= error))
          error = own;
      }
    }
  return error;
}

/// Runs the packed function on device 0, if there is one. Returns whether the
/// function wrote its result.
static bool launchOnDevice(void *entry, const Descriptor (&descriptors)[4]) {
  attnrt_runtime *runtime = nullptr;
  attnrt_context context = nullptr;
  if (fails(runtime, attnrt_create(nullptr, &runtime)) ||
      fails(runtime, attnrt_open_device(runtime, 0, &context))) {
    attnrt_destroy(runtime);
    return false;
  }
  bool isThere = launch(runtime, entry, descriptors, kElements * sizeof(float));
  attnrt_close_device(runtime, 0);
  attnrt_destroy(runtime);
  return isThere;
}

int main(int argc, char **argv) {
  std::string target = argc > 2 ? argv[2] : "host";
  mlir::DialectRegistry registry;
  mlir::attn::registerDialects(registry);
  mlir::MLIRContext context(registry);
  // Around attention, the module may have ops of dialects that only the
  // importing compiler knows.
  context.allowUnregisteredDialects();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      argc > 1 ? argv[1] : "attention.mlir", &context);
  mlir::PassManager pm(&context);
  pm.addPass(mlir::attn::createAttnRaisePass());
  mlir::attn::TilePipelineOptions options;
  options.chip = target;
  if (target == "host")
    mlir::attn::buildAttnToHostPipeline(pm);
  else
    mlir::attn::buildAttnToPTXPipeline(pm, options);
  if (!module || mlir::failed(pm.run(*module)))
    return 1;

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  mlir::ExecutionEngineOptions engineOptions;
  auto engine = mlir::ExecutionEngine::create(*module, engineOptions);
  if (!engine) {
    llvm::errs() << llvm::toString(engine.takeError()) << "\n";
    return 1;
  }
  (*engine)->registerSymbols(findRuntime);
  auto entry = (*engine)->lookup("attn_main_packed");
  if (!entry) {
    llvm::errs() << llvm::toString(entry.takeError()) << "\n";
    return 1;
  }

  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 0.5);
  std::vector<float> q(kElements), k(kElements), v(kElements),
      o(kElements, NAN);
  for (auto *array : {&q, &k, &v})
    for (float &element : *array)
      element = normal(random);
  Descriptor descriptors[4] = {describe(q.data()), describe(k.data()),
                               describe(v.data()), describe(o.data())};
  if (target == "host") {
    // On the host, a packed function takes an array with the addresses of the
    // tensors' descriptors.
    void *args[4] = {&descriptors[0], &descriptors[1], &descriptors[2],
                     &descriptors[3]};
    auto *packed = reinterpret_cast<const char *(*)(void **)>(*entry);
    if (const char *message = packed(args)) {
      std::printf("host: %s\n", message);
      return 1;
    }
  } else if (!launchOnDevice(reinterpret_cast<void *>(*entry), descriptors)) {
    return 0;
  }
  double error = compare(q, k, v, o);
  std::printf("%s: largest error %.1e: %s\n", target.c_str(), error,
              error < 1e-3 ? "pass" : "FAIL");
  return !(error < 1e-3);
}
