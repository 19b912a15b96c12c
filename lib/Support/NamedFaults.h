//===- NamedFaults.h - What upstream's parsers take for granted -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SUPPORT_NAMEDFAULTS_H
#define ATTN_LIB_SUPPORT_NAMEDFAULTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::attn {

/// What is wrong behind the name of a type or an op for which upstream's parser
/// would end the process; empty if nothing is.
std::string findNamedFault(llvm::StringRef name, llvm::StringRef behind);

} // namespace mlir::attn

#endif // ATTN_LIB_SUPPORT_NAMEDFAULTS_H
