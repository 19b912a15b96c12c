//===- EntryPoint.cpp - The signature of an entry function ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/EntryPoint.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Oracle/ProblemBuilder.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

StringRef mlir::attn::getName(SequenceArray array) {
  static constexpr StringLiteral kNames[kNumSequenceArrays] = {
      "query_lengths", "key_lengths", "cumulative_query", "cumulative_key",
      "page_table"};
  return kNames[static_cast<unsigned>(array)];
}

static int getArgumentPosition(Value value, func::FuncOp func) {
  auto argument = dyn_cast<BlockArgument>(stripCasts(value));
  if (!argument || argument.getOwner()->getParentOp() != func)
    return -1;
  return argument.getArgNumber();
}

/// Follows an array through one use. If the op that uses the array returns a
/// view or cast of it, returns that result. If the op passes the array to a
/// kernel, or to a function with a body, returns the argument of the kernel or
/// function. Returns null for other uses.
static Value getPassedOn(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto view = dyn_cast<ViewLikeOpInterface>(user))
    return view.getViewSource() == use.get() ? user->getResult(0) : Value();
  if (isa<tensor::CastOp>(user))
    return user->getResult(0);
  if (auto launch = dyn_cast<attn_gpu::LaunchOp>(user))
    return launch.lookUpKernel().getBody().getArgument(
        use.getOperandNumber() - launch.getArgs().getBeginOperandIndex());
  if (auto call = dyn_cast<func::CallOp>(user))
    if (auto callee = dyn_cast_or_null<func::FuncOp>(call.resolveCallable());
        callee && !callee.isDeclaration())
      return callee.getArgument(use.getOperandNumber());
  return {};
}

/// Returns all uses of an array and of its views, also in functions and kernels
/// to which it is passed.
static SmallVector<OpOperand *> findUses(Value array) {
  SmallVector<OpOperand *> uses;
  llvm::SetVector<Value> values;
  values.insert(array);
  for (unsigned i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      if (Value other = getPassedOn(use))
        values.insert(other);
      else
        uses.push_back(&use);
    }
  return uses;
}

/// Whether an array argument is an output: it has uses, and none of them reads
/// its elements. A use may read the array's sizes, or make it the destination
/// of an op or of a store. A store that adds, or an attn.append that keeps a
/// part of the array, reads elements.
static bool isOnlyDestination(Value value) {
  SmallVector<OpOperand *> uses = findUses(value);
  return !uses.empty() && llvm::all_of(uses, [](OpOperand *use) {
    Operation *user = use->getOwner();
    if (auto append = dyn_cast<AppendOp>(user); append && append.isDpsInit(use))
      return !append.keepsContents(*use);
    // A linalg op may add to its destination, as linalg.matmul does.
    if (auto op = dyn_cast<linalg::LinalgOp>(user))
      return op.isDpsInit(use) && !op.payloadUsesValueFromOperand(use);
    // An insertion keeps the rest of its destination.
    if (isa<tensor::InsertOp, tensor::InsertSliceOp>(user))
      return false;
    if (auto op = dyn_cast<DestinationStyleOpInterface>(user))
      return op.isDpsInit(use);
    if (auto store = dyn_cast<attn_tile::StoreOp>(user))
      return !store.getAdd();
    if (auto copy = dyn_cast<memref::CopyOp>(user))
      return copy.getTarget() == use->get();
    return isa<memref::DimOp, tensor::DimOp, attn_gpu::ArrayOp>(user);
  });
}

/// Whether an op writes to the array or to a view of it.
static bool isWritten(Value value) {
  return llvm::any_of(findUses(value), [](OpOperand *use) {
    Operation *user = use->getOwner();
    if (auto op = dyn_cast<DestinationStyleOpInterface>(user))
      return op.isDpsInit(use);
    return hasEffect<MemoryEffects::Write>(user, use->get());
  });
}

static LogicalResult checkArrayType(func::FuncOp func, StringRef name,
                                    Type type) {
  auto shaped = cast<ShapedType>(type);
  if (!getDType(shaped.getElementType()))
    return func.emitError("expected ")
           << name << " of '" << func.getName()
           << "' to have elements of f16, bf16, f32, f8E4M3FN, f8E5M2, i1, i4, "
              "i8, i16, i32 or i64, found "
           << type;
  if (auto memref = dyn_cast<MemRefType>(type); memref && !memref.isStrided())
    return func.emitError("expected ")
           << name << " of '" << func.getName()
           << "' to be a strided memref, found " << type;
  return success();
}

static FailureOr<EntryParameter> analyzeArgument(func::FuncOp func,
                                                 unsigned i) {
  BlockArgument argument = func.getArgument(i);
  Type type = argument.getType();
  std::string name = ("argument " + Twine(i)).str();
  if (isa<MemRefType, RankedTensorType>(type)) {
    if (failed(checkArrayType(func, name, type)))
      return failure();
    using Role = EntryParameter::Role;
    Role role = Role::Input;
    if (isOnlyDestination(argument))
      role = isa<MemRefType>(type) ? Role::Output : Role::Scratch;
    bool isUpdated =
        role == Role::Input && isa<MemRefType>(type) && isWritten(argument);
    return EntryParameter{role, type, name, isUpdated};
  }
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, IndexType>(
          type) ||
      (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64))
    return EntryParameter{EntryParameter::Role::Scalar, type, name};
  func.emitError("expected ")
      << name << " of '" << func.getName()
      << "' to be a tensor, a memref or a scalar, found " << type;
  return failure();
}

FailureOr<EntryPoint> mlir::attn::analyzeEntryPoint(ModuleOp module,
                                                    StringRef name) {
  auto func = module.lookupSymbol<func::FuncOp>(name);
  if (!func || func.isDeclaration()) {
    InFlightDiagnostic diag = module.emitError("expected a function '@")
                              << name << "' with a body, found ";
    SmallVector<StringRef> names;
    for (auto other : module.getOps<func::FuncOp>())
      if (!other.isDeclaration())
        names.push_back(other.getName());
    if (names.empty())
      diag << "no function";
    else
      diag << "'@" << llvm::join(names, "', '@") << "'";
    return diag;
  }
  if (!func.isPublic())
    return func.emitError("expected the entry '@")
           << name << "' to be public, found a private function";

  EntryPoint entry;
  entry.func = func;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    FailureOr<EntryParameter> parameter = analyzeArgument(func, i);
    if (failed(parameter))
      return failure();
    entry.parameters.push_back(std::move(*parameter));
  }
  SmallVector<int> resultPositions;
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    std::string resultName = ("result " + Twine(i)).str();
    if (!isa<RankedTensorType>(type))
      return func.emitError("expected ") << resultName << " of '" << name
                                         << "' to be a tensor, found " << type;
    if (failed(checkArrayType(func, resultName, type)))
      return failure();
    resultPositions.push_back(entry.parameters.size());
    entry.parameters.push_back(
        {EntryParameter::Role::Output, type, resultName});
  }

  // Returns the index of the entry's parameter for `result`, if the function
  // returns `result`, directly or after a tensor.cast. Returns -1 if it does
  // not.
  auto getResultPosition = [&](Value result) {
    for (OpOperand &use : result.getUses()) {
      if (isa<func::ReturnOp>(use.getOwner()))
        return resultPositions[use.getOperandNumber()];
      if (isa<tensor::CastOp>(use.getOwner()))
        for (OpOperand &castUse : use.getOwner()->getResult(0).getUses())
          if (isa<func::ReturnOp>(castUse.getOwner()))
            return resultPositions[castUse.getOperandNumber()];
    }
    return -1;
  };
  func.walk([&](AttentionInterface op) {
    AttentionBinding binding;
    binding.op = op;
    unsigned numOuts = 0;
    for (const NamedArray &array : op.getArrays()) {
      unsigned out = numOuts;
      numOuts += array.isOut;
      int position = array.isOut && op->getNumResults() != 0
                         ? getResultPosition(op->getResult(out))
                         : getArgumentPosition(array.value, func);
      binding.positions.emplace_back(array.name, position);
    }
    for (Value capture : op.getCaptures())
      binding.captures.push_back(getArgumentPosition(capture, func));
    bool isPacked = !op.getPacked().empty();
    Value sequences[kNumSequenceArrays] = {
        op.getLengthArray(0), op.getLengthArray(1),
        isPacked ? op.getPacked()[0] : Value(),
        isPacked ? op.getPacked()[1] : Value(), op.getPages()};
    for (auto [array, position] : llvm::zip(sequences, binding.sequences))
      if (array)
        position = getArgumentPosition(array, func);
    entry.attentions.push_back(std::move(binding));
  });
  return entry;
}
