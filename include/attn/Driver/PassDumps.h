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

/// Collects the module's IR as text after each run of chosen passes, each time
/// below a line that names the pass. After a pass on a kernel, this is the
/// kernel alone.
class PassDumps {
public:
  /// `passes` are the passes' flags, or "all".
  explicit PassDumps(ArrayRef<std::string> passes)
      : wanted(passes.begin(), passes.end()), os(text) {}

  /// Makes a pass manager that has not run yet collect IR. Its context must be
  /// single-threaded.
  void watch(PassManager &pm);

  /// Returns the text so far. Fails with "a pass of the pipeline, one of ...,
  /// found ..." if a pass that was asked for did not run.
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
