//===- GenerateRegions.h - Score and mask regions as text -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_GENERATEREGIONS_H
#define ATTN_LIB_DRIVER_GENERATEREGIONS_H

#include "attn/Driver/Generate.h"

namespace mlir::attn {

/// Returns a decimal number that MLIR reads as exactly this double.
std::string formatFloat(double value);

/// The score and mask regions as text, with their captures, and with the ops of
/// the entry function that compute captures (`prologue`).
struct ScoreText {
  std::string prologue;
  /// The name and type of each capture that is a parameter of the entry
  /// function.
  SmallVector<std::pair<std::string, std::string>> parameters;
  /// The name and type of each capture of the op.
  SmallVector<std::pair<std::string, std::string>> captures;
  std::string body;
  /// The text of the mask region's block; empty if there is no mask region.
  std::string mask;
};

/// Returns the text of the score and mask regions that the options ask for.
llvm::Expected<ScoreText> getRegions(const GenerateOptions &options);

/// Renames each value of the text of a region that has the name of a value of
/// the text `before`, in which the region is used. MLIR would take the two for
/// one value.
std::string renameValues(StringRef region, StringRef before);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_GENERATEREGIONS_H
