//===- Enum.h - Options with a few values -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_ENUM_H
#define ATTN_TOOLS_ATTNC_ENUM_H

#include "llvm/Support/CommandLine.h"

#include <algorithm>

namespace attnc {

/// Parses the name of an enumerator, in which "_" may replace "-", as in IR.
/// The error for any other name lists all names.
template <typename T> class EnumParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, T &value) {
    std::string known, given = text.str();
    std::replace(given.begin(), given.end(), '_', '-');
    for (unsigned i = 0; i < this->getNumOptions(); ++i) {
      llvm::StringRef its = this->getOption(i);
      if (its == given)
        return llvm::cl::parser<T>::parse(option, name, given, value);
      if (!its.empty())
        known += (known.empty() ? "" : ", ") + its.str();
    }
    return option.error("expected one of " + known + ", found '" + text + "'");
  }
};

/// An option whose value is an enumerator.
template <typename T>
using EnumOption = llvm::cl::opt<T, /*ExternalStorage=*/false, EnumParser<T>>;

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_ENUM_H
