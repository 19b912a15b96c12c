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

/// The text of the score and mask regions and of their captures, and of the
/// entry's ops that compute captures.
struct ScoreText {
  std::string prologue;
  /// The captures that are parameters of the entry: name and type of each.
  SmallVector<std::pair<std::string, std::string>> parameters;
  /// The op's captures: name and type.
  SmallVector<std::pair<std::string, std::string>> captures;
  std::string body;
  /// The block of the mask region.
  std::string mask;
};

/// Returns the regions that the options ask for.
llvm::Expected<ScoreText> getRegions(const GenerateOptions &options);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_GENERATEREGIONS_H
