//===- LowerLaunch.cpp - Launches through the runtime ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMetadata.h"
#include "LaunchChecks.h"
#include "RuntimeCalls.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Runtime/attnrt.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNLOWERLAUNCHPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

class LaunchLowering : RuntimeCalls {
public:
  explicit LaunchLowering(ModuleOp module)
      : RuntimeCalls(module), strings(symbols) {}

  LogicalResult run();

private:
  LogicalResult lowerFunction(func::FuncOp func);
  LogicalResult lowerLaunch(gpu::LaunchFuncOp launch, Value runtime,
                            Value stream);
  void lowerAssert(cf::AssertOp op, Value runtime);
  Value lowerAlloc(memref::AllocOp op, Value runtime, Value stream);
  void freeAtReturns(func::FuncOp func, ArrayRef<Value> slots);

  FailureOr<gpu::ObjectAttr> getObject(gpu::LaunchFuncOp launch);
  LLVM::GlobalOp createProgram(gpu::BinaryOp binary, gpu::ObjectAttr object);
  SmallVector<Value> getParameters(NumberBuilder &b, ValueRange operands);
  Value createRecord(NumberBuilder &b, gpu::LaunchFuncOp launch,
                     gpu::ObjectAttr object);

  StringConstants strings;
  llvm::StringMap<LLVM::GlobalOp> programs;
  /// The address on the stack of each encoded tensor map.
  llvm::DenseMap<attn_nv::EncodeTensorMapOp, Value> mapMemory;
};

/// Creates the constant attnrt_program for a binary. Its fields are the PTX,
/// the number of bytes of the PTX, the name of the binary, and the chip.
LLVM::GlobalOp LaunchLowering::createProgram(gpu::BinaryOp binary,
                                             gpu::ObjectAttr object) {
  auto type = LLVM::LLVMStructType::getLiteral(context, {ptr, i64, ptr, ptr});
  auto atStart = OpBuilder::atBlockBegin(module.getBody());
  std::string name = (binary.getName() + "_program").str();
  auto global = LLVM::GlobalOp::create(
      atStart, binary.getLoc(), type,
      /*isConstant=*/true, LLVM::Linkage::Internal, name, Attribute());
  symbols.insert(global);
  auto b = NumberBuilder::atBlockEnd(
      binary.getLoc(), &global.getInitializerRegion().emplaceBlock());
  StringRef ptx = object.getObject().getValue();
  auto target = cast<NVVM::NVVMTargetAttr>(object.getTarget());
  Value fields[] = {
      strings.get(b, (binary.getName() + "_ptx").str(), ptx),
      // The runtime counts the terminating zero as a byte of the PTX.
      constant(b, i64, ptx.size() + 1),
      strings.get(b, (binary.getName() + "_name").str(), binary.getName()),
      strings.get(b, (binary.getName() + "_chip").str(), target.getChip())};
  Value program = LLVM::UndefOp::create(b, type);
  for (auto [i, field] : llvm::enumerate(fields))
    program = LLVM::InsertValueOp::create(b, program, field,
                                          ArrayRef<int64_t>(int64_t(i)));
  LLVM::ReturnOp::create(b, program);
  return global;
}

/// Returns the object that holds the PTX of a launch's kernel. Also creates the
/// attnrt_program of the kernel's module in `programs`, unless there is one.
/// Fails with an error if the kernel is not in a gpu.binary with exactly one
/// object, which must be PTX.
FailureOr<gpu::ObjectAttr> LaunchLowering::getObject(gpu::LaunchFuncOp launch) {
  StringAttr name = launch.getKernelModuleName();
  auto binary = symbols.lookup<gpu::BinaryOp>(name);
  if (!binary)
    return launch.emitError("expected kernel '")
           << launch.getKernel()
           << "' in a gpu.binary; run attn-serialize-kernels first";
  gpu::ObjectAttr object;
  if (binary.getObjectsAttr().size() == 1)
    object = dyn_cast<gpu::ObjectAttr>(binary.getObjectsAttr()[0]);
  if (!object || object.getFormat() != gpu::CompilationTarget::Assembly ||
      !isa<NVVM::NVVMTargetAttr>(object.getTarget()))
    return binary.emitError("expected one object that is PTX");
  LLVM::GlobalOp &global = programs[name];
  if (!global)
    global = createProgram(binary, object);
  return object;
}

/// Returns the kernel's parameters for the operands of a launch. An array
/// becomes the fields of its memref descriptor, a tensor map its address on the
/// stack, and an index an i64. Other operands remain as they are.
SmallVector<Value> LaunchLowering::getParameters(NumberBuilder &b,
                                                 ValueRange operands) {
  SmallVector<Value> words;
  auto addIndex = [&](Value index) {
    words.push_back(b.indexCast(i64, index));
  };
  for (Value operand : operands) {
    if (auto type = dyn_cast<MemRefType>(operand.getType())) {
      auto metadata = memref::ExtractStridedMetadataOp::create(b, operand);
      Value address =
          memref::ExtractAlignedPointerAsIndexOp::create(b, operand);
      // A memref descriptor has two pointers, of which kernels do not read the
      // one to the allocation. The aligned pointer is passed for both.
      addIndex(address);
      addIndex(address);
      addIndex(metadata.getOffset());
      llvm::for_each(metadata.getSizes(), addIndex);
      llvm::for_each(metadata.getStrides(), addIndex);
    } else if (auto map = operand.getDefiningOp<attn_nv::EncodeTensorMapOp>()) {
      words.push_back(mapMemory.lookup(map));
    } else if (operand.getType().isIndex()) {
      addIndex(operand);
    } else {
      words.push_back(operand);
    }
  }
  return words;
}

/// Emits code that fills an attnrt_launch record on the stack. Returns the
/// address of the record.
Value LaunchLowering::createRecord(NumberBuilder &b, gpu::LaunchFuncOp launch,
                                   gpu::ObjectAttr object) {
  SmallVector<Value> parameters = getParameters(b, launch.getKernelOperands());
  // Each parameter is stored in a slot of 64 bits on the stack, except tensor
  // maps, which are in memory already.
  int64_t count = parameters.size();
  Value words = allocate(launch, i64, count);
  Value addresses = allocate(launch, ptr, count);
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    LLVM::GEPArg position = static_cast<int32_t>(i);
    Value slot = parameter;
    if (!llvm::is_contained(llvm::make_second_range(mapMemory), parameter)) {
      slot = LLVM::GEPOp::create(b, ptr, i64, words, position);
      LLVM::StoreOp::create(b, parameter, slot);
    }
    Value entry = LLVM::GEPOp::create(b, ptr, ptr, addresses, position);
    LLVM::StoreOp::create(b, slot, entry);
  }

  auto grid = LLVM::LLVMArrayType::get(i64, 3);
  auto dims = LLVM::LLVMArrayType::get(i32, 3);
  auto type = LLVM::LLVMStructType::getLiteral(
      context, {ptr, ptr, grid, dims, dims, i32, i32, i32, ptr, ptr});
  Value record = LLVM::ZeroOp::create(b, type);
  auto set = [&](ArrayRef<int64_t> position, Value value) {
    record = LLVM::InsertValueOp::create(b, record, value, position);
  };
  auto asInteger = [&](Value value, Type integer) -> Value {
    return b.indexCast(integer, value);
  };
  set(0, LLVM::AddressOfOp::create(
             b, programs.lookup(launch.getKernelModuleName())));
  StringRef kernel = launch.getKernelName().getValue();
  set(1, strings.get(b, (kernel + "_kernel").str(), kernel));
  auto setSizes = [&](int64_t field, gpu::KernelDim3 sizes, Type integer) {
    set({field, 0}, asInteger(sizes.x, integer));
    set({field, 1}, asInteger(sizes.y, integer));
    set({field, 2}, asInteger(sizes.z, integer));
  };
  setSizes(2, launch.getGridSizeOperandValues(), i64);
  setSizes(3, launch.getBlockSizeOperandValues(), i32);
  if (launch.hasClusterSize())
    setSizes(4, launch.getClusterSizeOperandValues(), i32);
  if (Value bytes = launch.getDynamicSharedMemorySize())
    set(5, bytes);
  if (isAfterPrevious(object, launch.getKernelName()))
    set(6, constant(b, i32, ATTNRT_LAUNCH_DEPENDENT));
  set(7, constant(b, i32, count));
  set(8, addresses);
  Value memory = allocate(launch, type, 1);
  LLVM::StoreOp::create(b, record, memory);
  return memory;
}

LogicalResult LaunchLowering::lowerLaunch(gpu::LaunchFuncOp launch,
                                          Value runtime, Value stream) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitError("expected a launch without async tokens");
  FailureOr<gpu::ObjectAttr> object = getObject(launch);
  if (failed(object))
    return failure();
  NumberBuilder b(launch.getLoc(), launch);
  Value record = createRecord(b, launch, *object);
  auto call = LLVM::CallOp::create(
      b, getFunction("attnrt_launch_kernel", {ptr, ptr, ptr}),
      ValueRange{runtime, stream, record});
  returnOnFailure(call, call.getResult());
  launch.erase();
  return success();
}

void LaunchLowering::lowerAssert(cf::AssertOp op, Value runtime) {
  auto b =
      NumberBuilder::atBlockEnd(op.getLoc(), branchOnFailure(op, op.getArg()));
  Value kind = constant(b, i32, ATTNRT_INVALID_ARGUMENT);
  auto call = LLVM::CallOp::create(
      b, getFunction("attnrt_fail", {ptr, i32, ptr}),
      ValueRange{runtime, kind, strings.get(b, "message", op.getMsg())});
  func::ReturnOp::create(b, call.getResults());
  op.erase();
}

/// Replaces an allocation by a runtime call that allocates stream-ordered
/// memory. Returns the address of a slot on the stack, which holds 0 before
/// that call, and then the memory's address. When the function returns, on any
/// path, freeAtReturns() frees the memory whose address is in the slot.
Value LaunchLowering::lowerAlloc(memref::AllocOp op, Value runtime,
                                 Value stream) {
  Location loc = op.getLoc();
  Value slot = allocate(op, i64, 1);
  NumberBuilder b(loc, op);
  b.setInsertionPointAfterValue(slot);
  LLVM::StoreOp::create(b, constant(b, i64, 0), slot);

  b.setInsertionPoint(op);
  SmallVector<Value> sizes, strides;
  for (OpFoldResult size : op.getMixedSizes())
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  Value count = b.index(1);
  for (Value size : llvm::reverse(sizes)) {
    strides.insert(strides.begin(), count);
    count = b.muliOrFold(count, size);
  }
  Value elementBytes =
      b.index(llvm::divideCeil(op.getType().getElementTypeBitWidth(), 8));
  Value bytes = b.indexCast(i64, b.muliOrFold(count, elementBytes));
  auto call = LLVM::CallOp::create(
      b, getFunction("attnrt_allocate_async", {ptr, ptr, i64, ptr}),
      ValueRange{runtime, stream, bytes, slot});
  returnOnFailure(call, call.getResult());

  b.setInsertionPoint(op);
  Value address = LLVM::LoadOp::create(b, ptr, slot);
  SmallVector<Value> words = {address, address, constant(b, i64, 0)};
  for (Value index : llvm::concat<Value>(sizes, strides))
    words.push_back(b.indexCast(i64, index));
  LLVMTypeConverter converter(context);
  Value descriptor =
      MemRefDescriptor::pack(b, loc, converter, op.getType(), words);
  auto array = UnrealizedConversionCastOp::create(b, op.getType(), descriptor);
  op.replaceAllUsesWith(array.getResult(0));
  op.erase();
  return slot;
}

/// Replaces all returns of a function by branches to one block. This block
/// frees the memory whose addresses are in `slots`, and returns the function's
/// status. If that status is good but a free fails, it returns the status of
/// the first free that fails.
void LaunchLowering::freeAtReturns(func::FuncOp func, ArrayRef<Value> slots) {
  if (slots.empty())
    return;
  SmallVector<func::ReturnOp> returns(func.getOps<func::ReturnOp>());
  Location loc = func.getLoc();
  Block *last = new Block;
  func.getBody().push_back(last);
  Value result = last->addArgument(i32, loc);
  for (func::ReturnOp ret : returns) {
    OpBuilder b(ret);
    cf::BranchOp::create(b, ret.getLoc(), last, ret.getOperands());
    ret.erase();
  }
  auto b = NumberBuilder::atBlockEnd(loc, last);
  Value good = arith::ConstantIntOp::create(b, i32, 0);
  for (Value slot : slots) {
    auto call = LLVM::CallOp::create(
        b, getFunction("attnrt_free_async", {ptr, ptr, i64}),
        ValueRange{func.getArgument(0), func.getArgument(1),
                   LLVM::LoadOp::create(b, i64, slot)});
    // A failed free changes the returned status only if no failure came before
    // it.
    Value isGood = b.eq(result, good);
    result = b.select(isGood, call.getResult(), result);
  }
  func::ReturnOp::create(b, result);
}

LogicalResult LaunchLowering::lowerFunction(func::FuncOp func) {
  if (failed(checkForGpu(func)))
    return failure();
  SmallVector<DictionaryAttr> attributes(2, DictionaryAttr());
  if (failed(func.insertArguments({0, 0}, {ptr, ptr}, attributes,
                                  {func.getLoc(), func.getLoc()})))
    return failure();
  func.setFunctionType(
      FunctionType::get(context, func.getArgumentTypes(), i32));
  Value runtime = func.getArgument(0), stream = func.getArgument(1);

  SmallVector<gpu::LaunchFuncOp> launches;
  SmallVector<attn_nv::EncodeTensorMapOp> tensorMaps;
  SmallVector<attn_nv::SmCountOp> counts;
  SmallVector<attn_nv::WorkCountersOp> counters;
  SmallVector<cf::AssertOp> asserts;
  SmallVector<func::ReturnOp> returns;
  SmallVector<memref::AllocOp> allocs;
  SmallVector<memref::DeallocOp> deallocs;
  func.walk([&](Operation *op) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      launches.push_back(launch);
    else if (auto map = dyn_cast<attn_nv::EncodeTensorMapOp>(op))
      tensorMaps.push_back(map);
    else if (auto count = dyn_cast<attn_nv::SmCountOp>(op))
      counts.push_back(count);
    else if (auto pair = dyn_cast<attn_nv::WorkCountersOp>(op))
      counters.push_back(pair);
    else if (auto assert = dyn_cast<cf::AssertOp>(op))
      asserts.push_back(assert);
    else if (auto ret = dyn_cast<func::ReturnOp>(op))
      returns.push_back(ret);
    else if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocs.push_back(alloc);
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      deallocs.push_back(dealloc);
  });
  for (func::ReturnOp ret : returns) {
    OpBuilder b(ret);
    Value zero = arith::ConstantIntOp::create(b, ret.getLoc(), i32, 0);
    ret->setOperands(zero);
  }
  for (cf::AssertOp op : asserts)
    lowerAssert(op, runtime);
  for (attn_nv::SmCountOp op : counts)
    lowerQuery(op, "attnrt_get_sm_count", runtime, i32);
  for (attn_nv::WorkCountersOp op : counters)
    lowerQuery(op, "attnrt_get_work_counters", {runtime, stream},
               op.getCounters().getType());
  for (attn_nv::EncodeTensorMapOp map : tensorMaps)
    mapMemory[map] = encodeTensorMap(map, runtime);
  for (gpu::LaunchFuncOp launch : launches)
    if (failed(lowerLaunch(launch, runtime, stream)))
      return failure();
  for (attn_nv::EncodeTensorMapOp map : tensorMaps)
    map.erase();
  // Deallocations are erased, since all memory is freed when the function
  // returns.
  for (memref::DeallocOp dealloc : deallocs)
    dealloc.erase();
  SmallVector<Value> slots;
  for (memref::AllocOp alloc : allocs)
    slots.push_back(lowerAlloc(alloc, runtime, stream));
  freeAtReturns(func, slots);
  return success();
}

LogicalResult LaunchLowering::run() {
  for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (func.isDeclaration())
      continue;
    if (func.isPublic()) {
      if (failed(lowerFunction(func)))
        return failure();
      continue;
    }
    WalkResult result = func.walk([&](gpu::LaunchFuncOp launch) {
      launch.emitError("expected attention for a GPU in public functions, or "
                       "in private ones that can be inlined; '")
          << func.getName()
          << "' was not: " << findReasonNotInlined(func, module);
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  for (auto binary : llvm::to_vector(module.getOps<gpu::BinaryOp>()))
    binary.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}

struct AttnLowerLaunchPass
    : public attn::impl::AttnLowerLaunchPassBase<AttnLowerLaunchPass> {
  void runOnOperation() override {
    if (failed(LaunchLowering(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
