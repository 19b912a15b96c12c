//===- StringConstants.h - Texts in a module --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_STRINGCONSTANTS_H
#define ATTN_CONVERSION_STRINGCONSTANTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {

/// The constants with a terminating zero that a module has for texts, one for
/// each text.
class StringConstants {
public:
  explicit StringConstants(SymbolTable &symbols) : symbols(symbols) {}

  /// The address of a text; its constant is named `name` or alike.
  Value get(ImplicitLocOpBuilder &builder, StringRef name, StringRef text);

private:
  SymbolTable &symbols;
  llvm::StringMap<LLVM::GlobalOp> globals;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_STRINGCONSTANTS_H
