//===- PassDumps.cpp - The IR after passes --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/PassDumps.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr StringLiteral kAll = "all";

void PassDumps::watch(PassManager &pm) {
  pm.enableIRPrinting(
      /*shouldPrintBeforePass=*/[](Pass *, Operation *) { return false; },
      /*shouldPrintAfterPass=*/
      [this](Pass *pass, Operation *) {
        // The names of passes are literals.
        seen.insert(pass->getArgument());
        return llvm::is_contained(wanted, pass->getArgument()) ||
               llvm::is_contained(wanted, kAll);
      },
      /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
      /*printAfterOnlyOnFailure=*/false, os);
}

llvm::Expected<StringRef> PassDumps::get() const {
  for (StringRef name : wanted)
    if (name != kAll && !seen.contains(name))
      return llvm::createStringError("a pass of the pipeline, one of " +
                                     llvm::join(seen, ", ") + ", found '" +
                                     name + "'");
  return StringRef(text);
}
