//===- Gen.h - Options of attnc gen -----------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_GEN_H
#define ATTN_TOOLS_ATTNC_GEN_H

#include "attn/Driver/Generate.h"

namespace attnc::gen_command {

/// Returns the error for an option whose text, `found`, does not have the
/// expected form.
llvm::Error parseError(llvm::StringRef option, llvm::StringRef form,
                       llvm::StringRef found);
llvm::Expected<double> parseFinite(llvm::StringRef option,
                                   llvm::StringRef text);

/// Parses the options of element types, of scales, and of further columns of
/// query and key (query_rope, key_rope).
llvm::Error parseTypes(mlir::attn::GenerateOptions &options);

/// Parses the options of the score and mask regions, the sink and dropout.
llvm::Error parseScores(mlir::attn::GenerateOptions &options);

} // namespace attnc::gen_command

#endif // ATTN_TOOLS_ATTNC_GEN_H
