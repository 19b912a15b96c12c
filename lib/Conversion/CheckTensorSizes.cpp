//===- CheckTensorSizes.cpp - Check sizes of ops around attention ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCHECKTENSORSIZESPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
/// A size: that of a dimension of a tensor or memref, or a number.
struct Size {
  /// Null for a number.
  Value tensor;
  int64_t dim = 0;
  OpFoldResult number;

  bool operator==(const Size &other) const {
    return tensor == other.tensor && dim == other.dim && number == other.number;
  }
  bool isOfArgument() const { return tensor && isa<BlockArgument>(tensor); }
  std::optional<int64_t> getStatic() const {
    return tensor ? std::nullopt : getConstantIntValue(number);
  }
};

class SizeChecker {
public:
  explicit SizeChecker(func::FuncOp func)
      : entry(NumberBuilder::atBlockBegin(func.getLoc(), &func.front())) {}

  void check(Operation *op);

private:
  /// Requires a result of the function, which is an argument, to have the size
  /// of the tensor that is stored to it. Results come in their order.
  void checkResult(bufferization::MaterializeInDestinationOp op);
  void checkLoops(linalg::LinalgOp op);
  void checkExpansion(tensor::ExpandShapeOp op);
  void checkSlice(Operation *op, Value whole, OffsetSizeAndStrideOpInterface);
  void checkInserted(tensor::InsertSliceOp op);
  void checkEqual(Operation *op, Value lhs, int64_t lhsDim, Value rhs,
                  int64_t rhsDim);
  Value getValue(NumberBuilder &b, const Size &size);

  /// Inserts ops at the begin of the function.
  NumberBuilder entry;
  /// The dimensions of arguments that were compared.
  using Dim = std::pair<unsigned, int64_t>;
  llvm::DenseSet<std::pair<Dim, Dim>> known;
  unsigned numResults = 0;
};
} // namespace

static Size findSize(Value tensor, int64_t dim);

/// Returns a number as the size of a tensor's dimension, if it is one.
static Size findSize(OpFoldResult number) {
  auto value = dyn_cast<Value>(number);
  auto its = value ? value.getDefiningOp<tensor::DimOp>() : nullptr;
  std::optional<int64_t> dim = its ? its.getConstantIndex() : std::nullopt;
  return dim && isa<RankedTensorType>(its.getSource().getType())
             ? findSize(its.getSource(), *dim)
             : Size{{}, 0, number};
}

/// Returns the size that a dimension of a result of a loop or branch has
/// whatever the op's regions do, or nothing if none is known.
static std::optional<Size> findSizeOfAny(OpResult result, int64_t dim) {
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    Size first = findSize(loop.getInitArgs()[number], dim),
         next = findSize(loop.getYieldedValues()[number], dim);
    bool isKept = next == Size{loop.getRegionIterArg(number), dim, {}};
    if (isKept || next == first)
      return first;
  } else if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
    // An initial value that both regions pass on with its size.
    Size before = findSize(loop.getConditionOp().getArgs()[number], dim);
    auto its = dyn_cast_or_null<BlockArgument>(before.tensor);
    if (!its || its.getOwner() != loop.getBeforeBody() || before.dim != dim)
      return std::nullopt;
    unsigned ofInit = its.getArgNumber();
    Size next = findSize(loop.getYieldOp().getOperand(ofInit), dim);
    if (next == Size{loop.getAfterArguments()[number], dim, {}})
      return findSize(loop.getInits()[ofInit], dim);
  } else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    Size of = findSize(branch.thenYield().getOperand(number), dim);
    if (of == findSize(branch.elseYield().getOperand(number), dim))
      return of;
  }
  return std::nullopt;
}

/// Returns the size of a dimension as one of the tensors from which the op that
/// defines its own tensor takes it, as far as that is known.
static Size findSize(Value tensor, int64_t dim) {
  Size size{tensor, dim, {}};
  while (size.tensor) {
    auto type = cast<ShapedType>(size.tensor.getType());
    if (!type.isDynamicDim(size.dim)) {
      size = findSize(
          Builder(type.getContext()).getIndexAttr(type.getDimSize(size.dim)));
      break;
    }
    Operation *op = size.tensor.getDefiningOp();
    if (!op)
      break;
    if (auto to = dyn_cast<DestinationStyleOpInterface>(op)) {
      size.tensor = to.getTiedOpOperand(cast<OpResult>(size.tensor))->get();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      size = findSize(empty.getMixedSizes()[size.dim]);
    } else if (auto cast = dyn_cast<tensor::CastOp>(op);
               cast && isa<RankedTensorType>(cast.getSource().getType())) {
      size.tensor = cast.getSource();
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      size = findSize(expand.getMixedOutputShape()[size.dim]);
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      size.tensor = insert.getDest();
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
               slice && slice.getDroppedDims().none()) {
      size = findSize(slice.getMixedSizes()[size.dim]);
    } else if (auto concat = dyn_cast<tensor::ConcatOp>(op);
               concat && static_cast<int64_t>(concat.getDim()) != size.dim) {
      size.tensor = concat.getInputs().front();
    } else if (std::optional<Size> ofAny =
                   findSizeOfAny(llvm::cast<OpResult>(size.tensor), size.dim)) {
      size = *ofAny;
    } else {
      break;
    }
  }
  return size;
}

Value SizeChecker::getValue(NumberBuilder &b, const Size &size) {
  if (!size.tensor)
    return b.asValue(size.number);
  if (isa<MemRefType>(size.tensor.getType()))
    return b.createOrFold<memref::DimOp>(size.tensor, size.dim);
  return b.createOrFold<tensor::DimOp>(size.tensor, size.dim);
}

/// Returns the text of a message for the size of a dimension of `tensor`, which
/// is an operand of `op`.
static std::string describe(Operation *op, const Size &size, Value tensor,
                            int64_t dim) {
  if (std::optional<int64_t> number = size.getStatic())
    return std::to_string(*number);
  if (size.isOfArgument())
    return ("dimension " + Twine(size.dim) + " of argument " +
            Twine(cast<BlockArgument>(size.tensor).getArgNumber()))
        .str();
  auto isIt = [&](Value operand) { return operand == tensor; };
  auto number = llvm::find_if(op->getOperands(), isIt) - op->operand_begin();
  return ("dimension " + Twine(dim) + " of operand " + Twine(number)).str();
}

/// Requires a size of an operand to be that of another one, or of itself.
void SizeChecker::checkEqual(Operation *op, Value lhs, int64_t lhsDim,
                             Value rhs, int64_t rhsDim) {
  Size left = findSize(lhs, lhsDim), right = findSize(rhs, rhsDim);
  if (left.getStatic())
    std::swap(left, right), std::swap(lhs, rhs), std::swap(lhsDim, rhsDim);
  // The verifier compares what is static on both sides; the one that an op
  // takes its sizes from has them.
  if (left.getStatic() || left == right)
    return;
  bool isEarly =
      left.isOfArgument() && (right.isOfArgument() || right.getStatic());
  if (left.isOfArgument() && right.isOfArgument()) {
    auto get = [](const Size &size) -> Dim {
      return {cast<BlockArgument>(size.tensor).getArgNumber(), size.dim};
    };
    if (!known.insert(std::minmax(get(left), get(right))).second)
      return;
  }
  NumberBuilder before(op->getLoc(), op);
  NumberBuilder &b = isEarly ? entry : before;
  std::string text = (op->getName().getStringRef() + ": expected ").str();
  if (right.getStatic())
    text += describe(op, left, lhs, lhsDim) + " to be of size " +
            describe(op, right, rhs, rhsDim);
  else
    text += "equal sizes in " + describe(op, left, lhs, lhsDim) + " and " +
            describe(op, right, rhs, rhsDim);
  cf::AssertOp::create(b, b.eq(getValue(b, left), getValue(b, right)), text);
}

/// Requires all dimensions that a loop indexes by its own index to have the
/// same size.
void SizeChecker::checkLoops(linalg::LinalgOp op) {
  SmallVector<std::optional<std::pair<Value, int64_t>>> first(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      auto &its = first[loop.getPosition()];
      if (its)
        checkEqual(op, its->first, its->second, operand.get(), dim);
      else
        its = {operand.get(), static_cast<int64_t>(dim)};
    }
  }
}

void SizeChecker::checkExpansion(tensor::ExpandShapeOp op) {
  NumberBuilder b(op.getLoc(), op);
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    Size whole = findSize(op.getSrc(), dim);
    if (!op.getSrcType().isDynamicDim(dim) ||
        (group.size() == 1 && findSize(sizes[group.front()]) == whole))
      continue;
    Value product = b.index(1);
    for (int64_t part : group)
      product = b.muliOrFold(product, b.asValue(sizes[part]));
    cf::AssertOp::create(b, b.eq(product, getValue(b, whole)),
                         (op->getName().getStringRef() + ": expected " +
                          describe(op, whole, op.getSrc(), dim) +
                          " to be the product of the " + Twine(group.size()) +
                          " sizes into which it is divided")
                             .str());
  }
}

/// Requires a part of a tensor to be within it.
void SizeChecker::checkSlice(Operation *op, Value whole,
                             OffsetSizeAndStrideOpInterface slice) {
  NumberBuilder b(op->getLoc(), op);
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    Size its = findSize(whole, dim);
    bool isWhole = isConstantIntValue(offset, 0) && its == findSize(size);
    bool areStatic = its.getStatic() && getConstantIntValue(offset) &&
                     getConstantIntValue(size);
    if (isWhole || areStatic || !isConstantIntValue(stride, 1))
      continue;
    Value first = b.asValue(offset), count = b.asValue(size);
    Value isWithin =
        b.andi(b.sge(first, b.index(0)),
               b.sle(b.addiOrFold(first, count), getValue(b, its)));
    // Only a size that was computed can be negative.
    if (Size computed = findSize(size);
        !computed.tensor && !computed.getStatic())
      isWithin = b.andi(isWithin, b.sge(count, b.index(0)));
    cf::AssertOp::create(b, isWithin,
                         (op->getName().getStringRef() + ": expected " +
                          (its.getStatic() ? "a dimension of size " : "") +
                          describe(op, its, whole, dim) +
                          " to have the elements of a slice")
                             .str());
  }
}

/// Requires the tensor that is inserted to have the sizes of the slice.
void SizeChecker::checkInserted(tensor::InsertSliceOp op) {
  NumberBuilder b(op.getLoc(), op);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t dim = 0;
  for (auto [number, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped[number])
      continue;
    Size its = findSize(op.getSource(), dim);
    if (op.getSourceType().isDynamicDim(dim) && !(its == findSize(size)))
      cf::AssertOp::create(b, b.eq(getValue(b, its), b.asValue(size)),
                           (op->getName().getStringRef() + ": expected " +
                            describe(op, its, op.getSource(), dim) +
                            " to be the size of the slice")
                               .str());
    ++dim;
  }
}

void SizeChecker::checkResult(bufferization::MaterializeInDestinationOp op) {
  unsigned result = numResults++;
  auto dest = cast<MemRefType>(op.getDest().getType());
  for (int64_t dim = 0; dim < dest.getRank(); ++dim) {
    Size size = findSize(op.getSource(), dim);
    if (!dest.isDynamicDim(dim) || (size.tensor && size.tensor == op.getDest()))
      continue;
    // Ops may compute their results in the memory of the function's result, so
    // the check comes before the op that determines the size.
    NumberBuilder b(op.getLoc(), op);
    std::string whose = "that which is computed for it";
    Value expected;
    if (size.isOfArgument() || size.getStatic()) {
      b = entry;
      whose = describe(op, size, op.getSource(), dim);
    } else if (auto concat = size.tensor
                                 ? size.tensor.getDefiningOp<tensor::ConcatOp>()
                                 : nullptr) {
      b.setInsertionPoint(concat);
      expected = b.index(0);
      for (Value input : concat.getInputs())
        expected =
            b.addiOrFold(expected, getValue(b, findSize(input, size.dim)));
    } else if (!size.tensor) {
      b.setInsertionPointAfterValue(cast<Value>(size.number));
    }
    if (!expected)
      expected = getValue(b, size);
    Value found = b.createOrFold<memref::DimOp>(op.getDest(), dim);
    cf::AssertOp::create(b, b.eq(found, expected),
                         ("expected the size of dimension " + Twine(dim) +
                          " of result " + Twine(result) + " to be " + whose)
                             .str());
  }
}

void SizeChecker::check(Operation *op) {
  if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return checkResult(store);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return checkLoops(linalgOp);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
    for (int64_t dim = 0, rank = softmax.getInputOperandRank(); dim < rank;
         ++dim)
      checkEqual(op, softmax.getInput(), dim, softmax.getOutput(), dim);
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    for (Value input : concat.getInputs().drop_front())
      for (int64_t dim = 0, rank = concat.getRank(); dim < rank; ++dim)
        if (dim != static_cast<int64_t>(concat.getDim()))
          checkEqual(op, concat.getInputs().front(), dim, input, dim);
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    checkExpansion(expand);
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    checkSlice(op, slice.getSource(), slice);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    checkSlice(op, insert.getDest(), insert);
    checkInserted(insert);
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(cast.getType());
    if (!type || !isa<RankedTensorType>(cast.getSource().getType()))
      return;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!type.isDynamicDim(dim))
        checkEqual(op, cast.getSource(), dim, cast.getResult(), dim);
  }
}

namespace {
struct AttnCheckTensorSizesPass
    : public attn::impl::AttnCheckTensorSizesPassBase<
          AttnCheckTensorSizesPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    // Only public functions return messages. Ops in loops and branches may not
    // run, and cannot return from the function.
    if (!func.isPublic() || func.isExternal() || !func.getBody().hasOneBlock())
      return;
    SmallVector<Operation *> ops;
    for (Operation &op : func.front())
      ops.push_back(&op);
    SizeChecker checker(func);
    for (Operation *op : ops)
      checker.check(op);
  }
};
} // namespace
