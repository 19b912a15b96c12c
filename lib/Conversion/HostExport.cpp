//===- HostExport.cpp - A C interface for public functions ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerByteViews.h"
#include "RuntimeCalls.h"

#include "attn/Conversion/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNHOSTEXPORTPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {

class Exporter {
public:
  Exporter(ModuleOp module, bool returnsStatus)
      : module(module), returnsStatus(returnsStatus), symbols(module),
        strings(symbols), typeConverter(module.getContext()),
        ptr(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult exportFunction(func::FuncOp func);

private:
  bool isPassable(Type type) const;
  void returnStatus(func::FuncOp func);
  LogicalResult createWrapper(func::FuncOp func, StringRef name, bool isPacked);

  ModuleOp module;
  /// Whether functions return a status, which attn-lower-launch has added.
  bool returnsStatus;
  SymbolTable symbols;
  attn::StringConstants strings;
  LLVMTypeConverter typeConverter;
  Type ptr;
};

/// Makes a function return a pointer: null, or the message of an assertion
/// (cf.assert) that fails.
void Exporter::returnStatus(func::FuncOp func) {
  func.setFunctionType(FunctionType::get(
      func.getContext(), func.getFunctionType().getInputs(), ptr));
  func.walk([&](func::ReturnOp ret) {
    attn::NumberBuilder b(ret.getLoc(), ret);
    Value null = LLVM::ZeroOp::create(b, ptr);
    ret->setOperands(null);
  });
  SmallVector<cf::AssertOp> asserts;
  func.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  for (cf::AssertOp op : asserts) {
    auto b = attn::NumberBuilder::atBlockEnd(
        op.getLoc(), attn::branchOnFailure(op, op.getArg()));
    Value message = strings.get(b, "message", op.getMsg());
    func::ReturnOp::create(b, message);
    op.erase();
  }
}

/// Whether a C caller can pass a value of the type: a scalar, a pointer, or a
/// strided memref whose elements LLVM has a type for. The memory space of a
/// memref must be the default or kGlobalMemory, since C pointers are of no
/// other: numbers such as 3 are a GPU's shared memory, and 256 is relative to a
/// segment of the CPU.
bool Exporter::isPassable(Type type) const {
  constexpr int64_t kGlobalMemory = 1;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    auto space = dyn_cast_or_null<IntegerAttr>(memref.getMemorySpace());
    return memref.isStrided() &&
           (!memref.getMemorySpace() ||
            (space && space.getValue() == kGlobalMemory)) &&
           typeConverter.convertType(memref.getElementType());
  }
  if (isa<LLVM::LLVMPointerType>(type))
    return true;
  return type.isIntOrIndexOrFloat();
}

LogicalResult Exporter::createWrapper(func::FuncOp func, StringRef name,
                                      bool isPacked) {
  if (Operation *other = symbols.lookup(name)) {
    InFlightDiagnostic diag =
        func.emitError("the C symbol '")
        << name << "' of a public function is taken in its module";
    diag.attachNote(other->getLoc()) << "by this";
    return diag;
  }
  auto b = attn::NumberBuilder::atBlockEnd(func.getLoc(), module.getBody());
  SmallVector<Type> parameters;
  for (Type type : func.getArgumentTypes())
    parameters.push_back(
        isa<MemRefType>(type) ? ptr : typeConverter.convertType(type));
  auto type = LLVM::LLVMFunctionType::get(
      func.getResultTypes().front(),
      isPacked ? ArrayRef<Type>(ptr) : ArrayRef<Type>(parameters));
  auto wrapper = LLVM::LLVMFuncOp::create(b, name, type);
  symbols.insert(wrapper);
  b.setInsertionPointToStart(wrapper.addEntryBlock(b));

  SmallVector<Value> arguments;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    Value argument;
    if (isPacked) {
      Value slot = LLVM::GEPOp::create(b, ptr, ptr, wrapper.getArgument(0),
                                       ArrayRef<LLVM::GEPArg>{int32_t(i)});
      argument = LLVM::LoadOp::create(b, ptr, slot);
    } else {
      argument = wrapper.getArgument(i);
    }
    Type converted = typeConverter.convertType(type);
    if (isPacked || isa<MemRefType>(type))
      argument = LLVM::LoadOp::create(b, converted, argument);
    if (converted != type)
      argument =
          UnrealizedConversionCastOp::create(b, type, argument).getResult(0);
    arguments.push_back(argument);
  }
  auto call = func::CallOp::create(b, func, arguments);
  LLVM::ReturnOp::create(b, call.getResults());
  return success();
}

LogicalResult Exporter::exportFunction(func::FuncOp func) {
  if (!SymbolTable::symbolKnownUseEmpty(func, module))
    return func.emitError("public function '")
           << func.getName()
           << "' is called in its module; expected a private function for the "
              "callers";
  Type status = IntegerType::get(func.getContext(), 32);
  if (returnsStatus && func.getResultTypes() != ArrayRef(status))
    return func.emitError("expected function '")
           << func.getName()
           << "' to return a status, as attn-lower-launch makes it, found "
              "results "
           << func.getResultTypes();
  if (func.getNumResults() != 0 && !returnsStatus)
    return func.emitError("expected function '")
           << func.getName() << "' to return tensors or nothing, found results "
           << func.getResultTypes();
  for (Type type : func.getArgumentTypes())
    if (!isPassable(type))
      return func.emitError("expected arguments of function '")
             << func.getName() << "' to be memrefs and scalars, found " << type;

  std::string name = ("attn_" + func.getName()).str();
  if (!returnsStatus)
    returnStatus(func);
  if (failed(symbols.rename(
          func, StringAttr::get(func.getContext(), name + "_on_views"))))
    return failure();
  func.setPrivate();
  func->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(func.getContext(), LLVM::Linkage::Internal));
  if (failed(createWrapper(func, name, /*isPacked=*/false)))
    return failure();
  return createWrapper(func, name + "_packed", /*isPacked=*/true);
}

struct AttnHostExportPass
    : public attn::impl::AttnHostExportPassBase<AttnHostExportPass> {
  using AttnHostExportPassBase::AttnHostExportPassBase;

  void runOnOperation() override {
    // Functions that are private and have a body become internal to the object
    // file, so that it does not export them.
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPrivate() && !func.isDeclaration())
        func->setAttr(
            "llvm.linkage",
            LLVM::LinkageAttr::get(func.getContext(), LLVM::Linkage::Internal));
    Exporter exporter(getOperation(), returnsStatus);
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (func.isPublic() && !func.isDeclaration() &&
          failed(exporter.exportFunction(func)))
        return signalPassFailure();
    if (failed(attn::lowerByteViews(getOperation())))
      signalPassFailure();
  }
};

} // namespace
