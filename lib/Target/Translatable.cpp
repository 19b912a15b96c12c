//===- Translatable.cpp - Checks before translation to LLVM IR ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

/// Checks what the translation of nvvm.mma.sync requires and MLIR's verifier
/// does not check. PTX types must be given for both multiplicands, and an
/// intrinsic must exist for the shape, layouts and types.
static LogicalResult checkMma(NVVM::MmaOp op) {
  if (!op.getMultiplicandAPtxType() || !op.getMultiplicandBPtxType())
    return op.emitOpError(
               "expected the PTX types of both multiplicands, found ")
           << (op.getMultiplicandAPtxType()   ? "that of A"
               : op.getMultiplicandBPtxType() ? "that of B"
                                              : "none");
  auto shape = op.getShape();
  llvm::Intrinsic::ID id = NVVM::MmaOp::getIntrinsicID(
      shape.getM(), shape.getN(), shape.getK(), op.getB1Op(),
      op.getIntOverflowBehavior(), op.getLayoutA(), op.getLayoutB(),
      *op.getMultiplicandAPtxType(), *op.getMultiplicandBPtxType(),
      op.accumPtxType(), op.resultPtxType());
  if (id == llvm::Intrinsic::not_intrinsic)
    return op.emitOpError("expected a shape, layouts and types that have an "
                          "instruction, found none");
  return success();
}

namespace {
/// A group of ops: the beginning of their names, whether a chip has their
/// instructions, and a name of these instructions for errors.
struct Instructions {
  StringLiteral ops;
  bool (*areOf)(const attn::Chip &);
  StringLiteral what;
};
} // namespace

static constexpr Instructions kInstructions[] = {
    {"nvvm.cp.async.bulk", [](const attn::Chip &c) { return c.hasTma(); },
     "TMA"},
    {"nvvm.stmatrix", [](const attn::Chip &c) { return c.hasTma(); },
     "stmatrix"},
    {"nvvm.setmaxregister",
     [](const attn::Chip &c) { return c.hasRegisterSplit(); }, "setmaxnreg"},
};

static LogicalResult checkChip(Operation *op, const attn::Chip &chip) {
  for (const Instructions &entry : kInstructions)
    if (op->getName().getStringRef().starts_with(entry.ops) &&
        !entry.areOf(chip))
      return op->emitOpError("expected a chip with ")
             << entry.what << ", found " << chip.name;
  return success();
}

/// Fails if a number in an attribute of a kernel whose name begins with "nvvm."
/// is negative, since LLVM would read it as unsigned. Such attributes are the
/// numbers of threads or CTAs.
static LogicalResult checkBounds(LLVM::LLVMFuncOp func) {
  for (NamedAttribute attribute : func->getDiscardableAttrs()) {
    if (!attribute.getName().strref().starts_with("nvvm."))
      continue;
    auto sizes = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    if ((sizes && llvm::any_of(sizes.asArrayRef(),
                               [](int32_t size) { return size < 0; })) ||
        (number && number.getValue().isNegative()))
      return func.emitOpError("expected '")
             << attribute.getName().strref() << "' to be at least 0, found "
             << attribute.getValue();
  }
  return success();
}

static LogicalResult checkElementType(Operation *op, Type type) {
  if (LLVM::isCompatibleType(type))
    return success();
  return op->emitOpError("expected elements of a type that LLVM has, found ")
         << type;
}

/// Fails unless the constraints of inline assembly fit a function type of its
/// operand and result types: the translation calls the assembly as such a
/// function.
static LogicalResult checkAssembly(LLVM::InlineAsmOp op,
                                   LLVM::TypeToLLVMIRTranslator &types,
                                   llvm::LLVMContext &context) {
  SmallVector<llvm::Type *> operands;
  for (Type type : op.getOperandTypes())
    operands.push_back(types.translateType(type));
  llvm::Type *result = op.getRes() ? types.translateType(op.getRes().getType())
                                   : llvm::Type::getVoidTy(context);
  llvm::Error error = llvm::InlineAsm::verify(
      llvm::FunctionType::get(result, operands, /*isVarArg=*/false),
      op.getConstraints());
  if (!error)
    return success();
  return op.emitOpError("expected constraints of its operands and result, "
                        "found \"")
         << op.getConstraints() << "\": " << llvm::toString(std::move(error));
}

LogicalResult mlir::attn::checkLLVMOps(Operation *root) {
  llvm::LLVMContext context;
  LLVM::TypeToLLVMIRTranslator types(context);
  auto check = [&](Operation *op) {
    return WalkResult(TypeSwitch<Operation *, LogicalResult>(op)
                          .Case<LLVM::GEPOp, LLVM::AllocaOp>([](auto op) {
                            return checkElementType(op, op.getElemType());
                          })
                          .Case([&](LLVM::InlineAsmOp op) {
                            return checkAssembly(op, types, context);
                          })
                          .Default(success()));
  };
  return failure(root->walk(check).wasInterrupted());
}

LogicalResult mlir::attn::checkTranslatable(gpu::GPUModuleOp module,
                                            const Chip &chip) {
  auto check = [&](Operation *op) {
    if (auto mma = dyn_cast<NVVM::MmaOp>(op); mma && failed(checkMma(mma)))
      return WalkResult::interrupt();
    if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op);
        func && failed(checkBounds(func)))
      return WalkResult::interrupt();
    return failed(checkChip(op, chip)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  };
  return failure(failed(checkLLVMOps(module)) ||
                 module->walk(check).wasInterrupted());
}
