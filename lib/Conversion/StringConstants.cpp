//===- StringConstants.cpp - Texts in a module ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StringConstants.h"

using namespace mlir;
using namespace mlir::attn;

Value StringConstants::get(ImplicitLocOpBuilder &b, StringRef name,
                           StringRef text) {
  LLVM::GlobalOp &global = globals[text];
  if (!global) {
    Operation *module = symbols.getOp();
    auto atStart = OpBuilder::atBlockBegin(&module->getRegion(0).front());
    std::string bytes = (text + StringRef("\0", 1)).str();
    global = LLVM::GlobalOp::create(
        atStart, module->getLoc(),
        LLVM::LLVMArrayType::get(atStart.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        atStart.getStringAttr(bytes));
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(b, global);
}
