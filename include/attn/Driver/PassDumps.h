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

/// Collects the whole module as text after each run of some passes, each under
/// a line that names the pass.
class PassDumps {
public:
  /// The passes by their flags; "all" is every one.
  explicit PassDumps(ArrayRef<std::string> passes)
      : wanted(passes.begin(), passes.end()), os(text) {}

  /// Watches what a pass manager is going to run. Its context must be without
  /// threads.
  void watch(PassManager &pm);

  /// The text so far. An error "a pass of the pipeline, one of ..., found ..."
  /// lists the passes that ran if one that is wanted did not.
  llvm::Expected<StringRef> get() const;

private:
  SmallVector<std::string> wanted;
  llvm::SetVector<StringRef> seen;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace mlir::attn

#endif // ATTN_DRIVER_PASSDUMPS_H
