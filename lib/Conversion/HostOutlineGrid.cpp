//===- HostOutlineGrid.cpp - The grid as calls of the runtime -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNHOSTOUTLINEGRIDPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn_tile;

static constexpr StringLiteral kParallelFor = "attnrt_parallel_for";

namespace {

class GridOutliner {
public:
  GridOutliner(ModuleOp module)
      : module(module), symbols(module), typeConverter(module.getContext()),
        ptr(LLVM::LLVMPointerType::get(module.getContext())),
        i64(IntegerType::get(module.getContext(), 64)) {}

  LogicalResult outline(scf::ForallOp grid);

private:
  LLVM::LLVMFuncOp getParallelFor();
  LLVM::LLVMFuncOp createBody(scf::ForallOp grid, ValueRange captures,
                              LLVM::LLVMStructType contextType,
                              const GridShape &shape);

  ModuleOp module;
  SymbolTable symbols;
  LLVMTypeConverter typeConverter;
  Type ptr, i64;
};

Value castTo(attn::NumberBuilder &b, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

/// Returns the declaration of the runtime's function for parallel loops,
/// attnrt_parallel_for, which is created at the first call. It has a weak
/// definition that runs the loop's body sequentially.
LLVM::LLVMFuncOp GridOutliner::getParallelFor() {
  if (auto existing = symbols.lookup<LLVM::LLVMFuncOp>(kParallelFor))
    return existing;
  auto b = attn::NumberBuilder::atBlockEnd(module.getLoc(), module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {ptr, ptr, i64});
  auto func =
      LLVM::LLVMFuncOp::create(b, kParallelFor, type, LLVM::Linkage::Weak);
  symbols.insert(func);

  Block *entry = func.addEntryBlock(b);
  auto addBlock = [&](ArrayRef<Type> types) {
    Block *block = new Block;
    func.getBody().push_back(block);
    for (Type type : types)
      block->addArgument(type, b.getLoc());
    return block;
  };
  Block *head = addBlock({i64}), *body = addBlock({}), *exit = addBlock({});
  b.setInsertionPointToEnd(entry);
  Value zero = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(0));
  Value one = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(1));
  LLVM::BrOp::create(b, ValueRange{zero}, head);
  b.setInsertionPointToEnd(head);
  Value index = head->getArgument(0);
  Value more = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, index,
                                    entry->getArgument(2));
  LLVM::CondBrOp::create(b, more, body, ValueRange(), exit, ValueRange());
  b.setInsertionPointToEnd(body);
  auto bodyType = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {ptr, i64});
  LLVM::CallOp::create(
      b, bodyType,
      ValueRange{entry->getArgument(0), entry->getArgument(1), index});
  Value next = LLVM::AddOp::create(b, index, one);
  LLVM::BrOp::create(b, ValueRange{next}, head);
  b.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(b, ValueRange());
  return func;
}

/// Moves the function's allocations of static size to its entry block, so that
/// all iterations of a loop use the same buffer. Buffers of up to 1 MiB in all
/// are put on the stack, since every thread's stack has room for that. Further
/// ones are put on the heap, and are freed at the end of the function.
void allocateOncePerCall(LLVM::LLVMFuncOp func) {
  constexpr int64_t kStackBytes = 1 << 20;
  int64_t stackBytes = 0;
  Block &entry = func.getBody().front();
  func.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape())
      return;
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil((type.getElementType().isIndex()
                                          ? 64
                                          : type.getElementTypeBitWidth()),
                                     8);
    if (stackBytes + bytes > kStackBytes) {
      alloc->moveBefore(&entry, entry.begin());
      OpBuilder atEnd(func.getBody().back().getTerminator());
      memref::DeallocOp::create(atEnd, alloc.getLoc(), alloc);
      return;
    }
    stackBytes += bytes;
    OpBuilder atEntry(&entry, entry.begin());
    auto stack = memref::AllocaOp::create(atEntry, alloc.getLoc(), type,
                                          atEntry.getI64IntegerAttr(64));
    alloc.replaceAllUsesWith(stack.getResult());
    alloc.erase();
  });
}

LLVM::LLVMFuncOp GridOutliner::createBody(scf::ForallOp grid,
                                          ValueRange captures,
                                          LLVM::LLVMStructType contextType,
                                          const GridShape &shape) {
  auto b = attn::NumberBuilder::atBlockEnd(grid.getLoc(), module.getBody());
  std::string name =
      (grid->getParentOfType<FunctionOpInterface>().getName() + "_grid").str();
  auto func = LLVM::LLVMFuncOp::create(
      b, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {ptr, i64}),
      LLVM::Linkage::Internal);
  symbols.insert(func);

  b.setInsertionPointToStart(func.addEntryBlock(b));
  IRMapping mapping;
  Value context = LLVM::LoadOp::create(b, contextType, func.getArgument(0));
  for (auto [i, capture] : llvm::enumerate(captures)) {
    Value field = LLVM::ExtractValueOp::create(b, context, i);
    mapping.map(capture, castTo(b, capture.getType(), field));
  }
  // Each value of the grid's shape is either captured or a constant. Constants
  // are cloned into the body.
  for (const SmallVector<Value> *values :
       {&shape.counts, &shape.starts, &shape.steps})
    for (Value value : *values)
      if (!mapping.contains(value))
        mapping.map(value, b.clone(*value.getDefiningOp())->getResult(0));

  GridShape inner;
  for (auto [outside, inside] : {std::pair(&shape.counts, &inner.counts),
                                 std::pair(&shape.starts, &inner.starts),
                                 std::pair(&shape.steps, &inner.steps)})
    for (Value value : *outside)
      inside->push_back(mapping.lookup(value));
  mapInductionVars(grid.getInductionVars(), inner,
                   castTo(b, b.getIndexType(), func.getArgument(1)), b,
                   mapping);
  for (Operation &op : grid.getBody()->without_terminator())
    b.clone(op, mapping);
  LLVM::ReturnOp::create(b, ValueRange());

  allocateOncePerCall(func);
  return func;
}

LogicalResult GridOutliner::outline(scf::ForallOp grid) {
  if (grid.getNumResults() != 0)
    return grid.emitOpError("expected a grid on memrefs, found results");
  attn::NumberBuilder b(grid.getLoc(), grid);
  GridShape shape = getGridShape(grid, b);

  // Constants that the grid's body uses are not passed to the outlined
  // function. Their ops are cloned into the body instead, which is cheaper.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(grid.getRegion(), captured);
  for (const SmallVector<Value> *values :
       {&shape.counts, &shape.starts, &shape.steps})
    captured.insert_range(*values);
  SmallVector<Value> captures;
  SmallVector<Operation *> constants;
  for (Value value : captured) {
    if (matchPattern(value, m_Constant()))
      constants.push_back(value.getDefiningOp());
    else
      captures.push_back(value);
  }
  OpBuilder inBody = OpBuilder::atBlockBegin(grid.getBody());
  for (Operation *constant : constants) {
    Value copy = inBody.clone(*constant)->getResult(0);
    constant->getResult(0).replaceUsesWithIf(copy, [&](OpOperand &use) {
      return grid->isProperAncestor(use.getOwner()) &&
             use.getOwner() != copy.getDefiningOp();
    });
  }

  SmallVector<Type> fields;
  for (Value capture : captures) {
    Type field = typeConverter.convertType(capture.getType());
    if (!field)
      return grid.emitOpError("cannot pass a value of type ")
             << capture.getType() << " to the grid's body";
    fields.push_back(field);
  }
  auto contextType =
      LLVM::LLVMStructType::getLiteral(module.getContext(), fields);
  LLVM::LLVMFuncOp body = createBody(grid, captures, contextType, shape);

  Value context = LLVM::UndefOp::create(b, contextType);
  for (auto [i, capture] : llvm::enumerate(captures))
    context = LLVM::InsertValueOp::create(b, context,
                                          castTo(b, fields[i], capture), i);
  // The context, which holds the captured values, is allocated on the stack at
  // the function's entry. Otherwise a grid within a loop would let the stack
  // grow in each iteration.
  auto atEntry = attn::NumberBuilder::atBlockBegin(
      grid.getLoc(),
      &grid->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  Value one = LLVM::ConstantOp::create(atEntry, i64, b.getI64IntegerAttr(1));
  Value memory = LLVM::AllocaOp::create(atEntry, ptr, contextType, one);
  LLVM::StoreOp::create(b, context, memory);
  LLVM::CallOp::create(b, getParallelFor(),
                       ValueRange{LLVM::AddressOfOp::create(b, body), memory,
                                  castTo(b, i64, getGridSize(shape, b))});
  grid.erase();
  return success();
}

struct AttnHostOutlineGridPass
    : public attn::impl::AttnHostOutlineGridPassBase<AttnHostOutlineGridPass> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> grids;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForallOp grid) {
      grids.push_back(grid);
      return WalkResult::skip();
    });
    GridOutliner outliner(getOperation());
    for (scf::ForallOp grid : grids)
      if (failed(outliner.outline(grid)))
        return signalPassFailure();
  }
};

} // namespace
