//===- Kernel.cpp - Kernels and launches ----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  Builder &b = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> arguments;
  StringAttr name;
  TargetAttr target;
  ScheduleAttr schedule;
  int64_t threads;
  if (parser.parseSymbolName(name) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseKeyword("target") ||
      parser.parseCustomAttributeWithFallback(target) ||
      parser.parseKeyword("schedule") ||
      parser.parseCustomAttributeWithFallback(schedule) ||
      parser.parseKeyword("threads") || parser.parseInteger(threads))
    return failure();
  properties.setSymName(name);
  properties.setTarget(target);
  properties.setSchedule(schedule);
  properties.setThreads(b.getI64IntegerAttr(threads));
  if (succeeded(parser.parseOptionalKeyword("shared"))) {
    int64_t bytes;
    if (parser.parseInteger(bytes))
      return failure();
    properties.setSharedBytes(b.getI64IntegerAttr(bytes));
  }
  if (succeeded(parser.parseOptionalKeyword("reasons"))) {
    ArrayAttr reasons;
    if (parser.parseAttribute(reasons))
      return failure();
    properties.setReasons(reasons);
  }
  Region &body = *result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(body, arguments))
    return failure();
  // For empty braces, the parser creates a region without a block. The body of
  // attn_gpu.kernel has exactly one block, so an empty block is added.
  if (body.empty()) {
    Block &block = body.emplaceBlock();
    for (const OpAsmParser::Argument &argument : arguments)
      block.addArgument(argument.type,
                        parser.getEncodedSourceLoc(argument.ssaName.location));
  }
  return success();
}

void KernelOp::print(OpAsmPrinter &p) {
  p << ' ';
  p.printSymbolName(getSymName());
  p << '(';
  llvm::interleaveComma(getBody().getArguments(), p,
                        [&](BlockArgument a) { p.printRegionArgument(a); });
  p << ") target ";
  p.printStrippedAttrOrType(getTarget());
  p << " schedule ";
  p.printStrippedAttrOrType(getSchedule());
  p << " threads " << getThreads();
  if (getSharedBytes() != 0)
    p << " shared " << getSharedBytes();
  if (getReasonsAttr())
    p << " reasons " << getReasonsAttr();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(), getAttributeNames());
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  constexpr int64_t kMaxThreads = 1024;
  if (getThreads() < 1 || getThreads() > kMaxThreads)
    return emitOpError("expected 1 to ")
           << kMaxThreads << " threads of a CTA, found " << getThreads();
  if (int64_t(getSharedBytes()) < 0)
    return emitOpError("expected a number of bytes of shared memory, found ")
           << int64_t(getSharedBytes());
  if (llvm::range_size(getBody().front().getOps<BeginOp>()) > 1)
    return emitOpError("expected one attn_gpu.begin, found more");
  return success();
}

/// Whether the op itself, not an op of its regions, reads or writes an array.
/// The effects of a fill do not name arrays that it reads through tensor maps.
static bool accessesArray(Operation *op) {
  if (isa<FillOp>(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
           effect.getValue();
  });
}

LogicalResult KernelOp::verifyRegions() {
  Block &body = getBody().front();
  auto begins = body.getOps<BeginOp>();
  if (begins.empty())
    return success();
  for (Operation &setup :
       llvm::make_range(body.begin(), (*begins.begin())->getIterator())) {
    WalkResult result = setup.walk([](Operation *op) {
      if (!accessesArray(op))
        return WalkResult::advance();
      op->emitOpError("expected attn_gpu.begin before accesses of arrays, "
                      "found it after this op");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

BeginOp KernelOp::getBegin() {
  Block &body = getBody().front();
  auto found = body.getOps<BeginOp>();
  if (!found.empty())
    return *found.begin();
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  return BeginOp::create(b, getLoc());
}

/// Returns the result of the op of type `Op`, which reads dimension x of a
/// special register such as the CTA's number. Searches the setup ops at the
/// beginning of the kernel and, if none of them is such an op, creates one as
/// the kernel's first op.
template <typename Op> static Value getNumber(KernelOp kernel, OpBuilder &b) {
  Block &body = kernel.getBody().front();
  auto begin = kernel.getBegin()->getIterator();
  for (Operation &op : llvm::make_range(body.begin(), begin))
    if (auto number = dyn_cast<Op>(op);
        number && number.getDimension() == gpu::Dimension::x)
      return number;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  return Op::create(b, kernel.getLoc(), gpu::Dimension::x);
}

Value KernelOp::getBlockId(OpBuilder &b) {
  return getNumber<gpu::BlockIdOp>(*this, b);
}

Value KernelOp::getNumBlocks(OpBuilder &b) {
  return getNumber<gpu::GridDimOp>(*this, b);
}

Value KernelOp::getThreadId(OpBuilder &b) {
  return getNumber<gpu::ThreadIdOp>(*this, b);
}

bool KernelOp::isWorkspace(Value array) {
  return llvm::any_of(getBody().getOps<ArrayOp>(), [&](ArrayOp op) {
    return op.getWorkspace() && op.getArray() == array;
  });
}

//===----------------------------------------------------------------------===//
// ArrayOp
//===----------------------------------------------------------------------===//

LogicalResult ArrayOp::verify() {
  auto type = cast<MemRefType>(getArray().getType());
  if (getWorkspace() && !type.getLayout().isIdentity())
    return emitOpError("expected workspace to be dense, found ") << type;
  int64_t open = type.getNumDynamicDims();
  if (open != int64_t(getSizes().size()))
    return emitOpError("expected a size for each of ")
           << open << " open dimensions, found " << getSizes().size();
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

KernelOp LaunchOp::lookUpKernel() {
  return SymbolTable::lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("expected an attn_gpu.kernel named ")
           << getKernelAttr() << ", found none";
  if (TypeRange(kernel.getBody().getArgumentTypes()) == getArgs().getTypes())
    return success();
  InFlightDiagnostic error =
      emitOpError("expected arguments of the kernel's types (")
      << kernel.getBody().getArgumentTypes() << "), found ("
      << getArgs().getTypes() << ")";
  error.attachNote(kernel.getLoc()) << "the kernel is here";
  return error;
}
