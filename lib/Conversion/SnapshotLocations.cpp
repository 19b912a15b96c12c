//===- SnapshotLocations.cpp - The module as its own source ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Support/WholeFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/LocationSnapshot.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSNAPSHOTLOCATIONSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct AttnSnapshotLocationsPass
    : public attn::impl::AttnSnapshotLocationsPassBase<
          AttnSnapshotLocationsPass> {
  using AttnSnapshotLocationsPassBase::AttnSnapshotLocationsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Errors about the file are reported at the location of the module, which
    // is in the user's source.
    Location source = module.getLoc();
    std::string text;
    llvm::raw_string_ostream os(text);
    generateLocationsFromIR(os, file, module, OpPrintingFlags());
    llvm::Error error =
        writeWholeFile(file, [&](raw_ostream &os) { os << text; });
    if (!error)
      return;
    emitError(source) << llvm::toString(std::move(error));
    signalPassFailure();
  }
};
} // namespace
