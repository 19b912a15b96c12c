//===- AssemblyKinds.cpp - Attributes for passes on LLVM IR ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/AssemblyKinds.h"

#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
class AssemblyKindTranslation : public LLVMTranslationDialectInterface {
public:
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult
  amendOperation(Operation *op, ArrayRef<llvm::Instruction *> instructions,
                 NamedAttribute attribute,
                 LLVM::ModuleTranslation &translation) const override {
    for (llvm::Instruction *instruction : instructions)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(instruction))
        call->addFnAttr(llvm::Attribute::get(call->getContext(),
                                             attribute.getName().strref()));
    return success();
  }
};
} // namespace

void mlir::attn::registerAssemblyKindTranslation(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, attn_nv::AttnNVDialect *dialect) {
        dialect->addInterfaces<AssemblyKindTranslation>();
      });
}
