//===- PassDumps.h - The IR after passes ------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_PASSDUMPS_H
#define ATTN_DRIVER_PASSDUMPS_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::attn {

/// Collects the IR of the module as text after each run of chosen passes, below
/// a line that names the pass. For a pass that runs on a kernel, the text has
/// only that kernel.
class PassDumps {
public:
  /// `passes` are the command-line flags of the passes, or "all" for all
  /// passes.
  explicit PassDumps(ArrayRef<std::string> passes)
      : wanted(passes.begin(), passes.end()), os(text) {}

  /// Makes a pass manager collect IR. It must not have run yet, and its context
  /// must be single-threaded.
  void watch(PassManager &pm);

  /// Returns the text that was collected so far. Fails with "a pass of the
  /// pipeline, one of ..., found ..." if one of the chosen passes did not run.
  llvm::Expected<StringRef> get() const;

private:
  class Printer;

  SmallVector<std::string> wanted;
  llvm::SetVector<StringRef> seen;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace mlir::attn

#endif // ATTN_DRIVER_PASSDUMPS_H
