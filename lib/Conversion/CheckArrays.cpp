//===- CheckArrays.cpp - Checks of arrays beyond their types --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOuts.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/CaptureReads.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCHECKARRAYSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Emits an assertion that two sizes are equal. Nothing is emitted if both are
/// static or both are the same dimension of the same value. If `part` of a size
/// is more than 1, the size is first divided by `part` and rounded up.
static void checkSame(NumberBuilder &b, Operation *op,
                      const EqualSizes &sizes) {
  auto getSize = [&](const EqualSizes::Dim &own) -> Value {
    Value size;
    if (isa<MemRefType>(own.value.getType()))
      size = b.createOrFold<memref::DimOp>(own.value, own.dim);
    else
      size = b.createOrFold<tensor::DimOp>(own.value, own.dim);
    if (own.part == 1)
      return size;
    return b.ceildivuiOrFold(size, b.index(own.part));
  };
  auto isStatic = [](const EqualSizes::Dim &own) {
    return !ShapedType::isDynamic(own.getStatic());
  };
  bool isOne =
      sizes.lhs.value == sizes.rhs.value && sizes.lhs.dim == sizes.rhs.dim;
  if (isOne || (isStatic(sizes.lhs) && isStatic(sizes.rhs)))
    return;
  Value isSame = b.eq(getSize(sizes.lhs), getSize(sizes.rhs));
  cf::AssertOp::create(b, isSame,
                       (op->getName().getStringRef() + ": expected equal " +
                        sizes.what + " in " + sizes.lhs.name + " and " +
                        sizes.rhs.name)
                           .str());
}

/// Emits an assertion that each row of an array of i4 begins at a whole byte.
/// It checks that the offset is even, and the stride of each outer dimension
/// with more than one element. Static offsets and strides are not checked, and
/// nothing is emitted for arrays of other types.
static void checkHalves(NumberBuilder &b, Operation *op, StringRef name,
                        Value array) {
  auto type = dyn_cast<MemRefType>(array.getType());
  if (!type || !isInt4(type.getElementType()))
    return;
  auto [strides, offset] = type.getStridesAndOffset();
  auto isOpen = [](auto pair) {
    auto [size, stride] = pair;
    return size != 1 && ShapedType::isDynamic(stride);
  };
  auto outer =
      llvm::zip(type.getShape().drop_back(), ArrayRef(strides).drop_back());
  bool isOffsetOpen = ShapedType::isDynamic(offset);
  if (!isOffsetOpen && llvm::none_of(outer, isOpen))
    return;
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  Value one = b.index(1), odd = b.index(0);
  if (isOffsetOpen)
    odd = b.andi(metadata.getOffset(), one);
  for (auto [dim, pair] : llvm::enumerate(outer)) {
    if (!isOpen(pair))
      continue;
    Value isOne = b.eq(b.createOrFold<memref::DimOp>(array, dim), one);
    Value own = b.andi(metadata.getStrides()[dim], one);
    odd = b.ori(odd, b.select(isOne, b.index(0), own));
  }
  cf::AssertOp::create(
      b, b.eq(odd, b.index(0)),
      (op->getName().getStringRef() +
       ": expected even strides of rows and an even offset in " + name +
       " of i4, which has two elements in a byte")
          .str());
}

namespace {

class ShapeChecker {
public:
  /// Checks the shapes of `op`. The assertions are emitted before the op
  /// `place`.
  ShapeChecker(AttentionInterface op, Operation *place)
      : op(op), b(op.getLoc(), place) {}

  LogicalResult checkAll() {
    std::pair<StringRef, Value> query = {"query", op.getQuery()};
    std::pair<StringRef, Value> key = {"key", op.getKey()};
    SmallVector<Operand> ofRows, ofKeys;
    for (const NamedArray &array : op.getArrays())
      if (array.hasLength())
        (array.isOfKeys() ? ofKeys : ofRows)
            .emplace_back(array.name, array.value);
    for (int64_t dim = 0; dim < 3; ++dim)
      for (Operand array : ofKeys)
        checkEqual(dim == 0 && op.getPages() ? "numbers of pages" : kNames[dim],
                   dim == 0 && !op.getPages() ? query : key, array, dim);
    checkSequences(query);
    checkHeadGroups();
    for (int64_t dim = 0; dim < 3; ++dim)
      for (Operand array : ofRows)
        checkEqual(kNames[dim], query, array, dim);
    for (const NamedArray &array : op.getArrays())
      if (array.kind == ArrayKind::Sink)
        checkEqual(kNames[1], query, {array.name, array.value}, 1, 0);
    for (const NamedArray &array : op.getArrays())
      checkHalves(b, op, array.name, array.value);
    for (Extra which : kExtras)
      for (const EqualSizes &sizes : getExtraSizes(op, which))
        checkSame(b, op, sizes);
    checkColumnGradients();
    for (Region *region : {&op.getScore(), &op.getMaskRegion()})
      region->walk([&](ReadOp read) { checkBounds(read); });
    return checkCaptures(query, key);
  }

private:
  using Operand = std::pair<StringRef, Value>;
  static constexpr StringLiteral kNames[] = {"batch sizes", "head counts",
                                             "lengths"};

  /// Checks the sizes of the arrays of lengths, of the arrays of cumulative
  /// lengths and of the page table.
  void checkSequences(Operand query) {
    static constexpr StringLiteral kLengths[] = {"the lengths of the query",
                                                 "the lengths of the key"};
    for (unsigned i : {0, 1})
      if (Value lengths = op.getLengthArray(i))
        checkEqual(kNames[0], query, {kLengths[i], lengths}, 0);
    if (Value pages = op.getPages())
      checkEqual(kNames[0], query, {"the table of pages", pages}, 0);
    if (op.getPacked().empty())
      return;
    checkEqual("sizes",
               {"the cumulative lengths of the query", op.getPacked()[0]},
               {"those of the key", op.getPacked()[1]}, 0);
    auto isAtLeastOne = [&](Value size) { return b.sge(size, b.index(1)); };
    if (!isStatic(op.getPacked()[0], 0))
      require(isAtLeastOne(getSize(op.getPacked()[0], 0)),
              "expected a cumulative length of the query at least");
    if (!isStatic(op.getQuery(), 0))
      require(b.eq(getSize(op.getQuery(), 0), b.index(1)),
              "expected a batch size of 1 where sequences are packed");
  }
  /// Returns the number of different values that a region of the op may see for
  /// a position. `position` is 0 for batch entries (sequences, if they are
  /// packed), 1 for heads, 2 for rows and 3 for keys.
  Value getExtent(unsigned position) {
    if (position == 0 && !op.getPacked().empty())
      return b.subi(getSize(op.getPacked()[0], 0), b.index(1));
    if (position == 3)
      return b.asValue(op.getKvLength(b));
    return getSize(op.getQuery(), position);
  }

  /// Checks that the gradients of query_rope and key_rope have the batch size,
  /// head count and length of query_rope and key_rope.
  void checkColumnGradients() {
    for (const NamedArray &array : op.getArrays()) {
      if (!array.isOut || !array.hasFurtherColumns())
        continue;
      Extra which = array.isOfKeys() ? Extra::KeyRope : Extra::QueryRope;
      for (int64_t dim = 0; dim < 3; ++dim)
        checkEqual(kNames[dim],
                   {getDeclaration(which).name, op.getExtra(which).value},
                   {array.name, array.value}, dim);
    }
  }

  /// Checks the sizes of captured arrays that have gradients. If the score
  /// region indexes a dimension by the batch entry, head, row or key, the
  /// dimension must have as many elements as the problem has of these. Fails if
  /// findCaptureReads() fails.
  LogicalResult checkCaptures(std::pair<StringRef, Value> query,
                              std::pair<StringRef, Value> key) {
    auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
    if (!backward || !op.hasScore())
      return success();
    for (int64_t number : backward.getCaptureWrt()) {
      Value array = op.getCaptures()[number];
      if (!isa<ShapedType>(array.getType()))
        continue;
      FailureOr<CaptureReads> reads = findCaptureReads(backward, number);
      if (failed(reads))
        return failure();
      auto name = StringAttr::get(op.getContext(), "capture " + Twine(number));
      for (auto [dim, position] : llvm::enumerate(reads->dims))
        if (position == CaptureReads::Key)
          checkEqual(kNames[2], key, {name.getValue(), array}, 2, dim);
        else if (position >= CaptureReads::Batch)
          checkEqual(kNames[position], query, {name.getValue(), array},
                     position, dim);
    }
    return success();
  }

  /// Checks what a read in a region promises. If the read is `inbounds`, the
  /// array must have enough elements in each dimension that a position or a
  /// constant indexes. If it has the operand `bounds`, that array must have the
  /// sizes of the array's summary.
  void checkBounds(ReadOp read) {
    unsigned first = read->getParentRegion() == &op.getScore()
                         ? kNumScoreArguments
                         : kNumMaskArguments;
    auto getNumber = [&](Value argument) {
      return cast<BlockArgument>(argument).getArgNumber() - first;
    };
    unsigned number = getNumber(read.getArray());
    Value array = op.getCaptures()[number];
    if (read.getBounds()) {
      unsigned other = getNumber(read.getBounds());
      SmallVector<EqualSizes> sizes;
      addSummarySizes(array, ("capture " + Twine(number)).str(),
                      op.getCaptures()[other],
                      ("its bounds, capture " + Twine(other)).str(), sizes);
      for (const EqualSizes &own : sizes)
        checkSame(b, op, own);
    }
    if (!read.getInbounds())
      return;
    for (int64_t dim = 0, rank = read.getIndices().size(); dim < rank; ++dim) {
      std::optional<unsigned> position = read.getPosition(dim);
      APInt constant;
      Value needed;
      std::string what;
      auto predicate = arith::CmpIPredicate::sge;
      if (position) {
        static constexpr StringLiteral kPlaces[] = {
            "batch entries", "query heads", "rows", "keys"};
        needed = getExtent(*position);
        OpFoldResult origin = op.getOriginOrZero(*position);
        if (!isZeroInteger(origin))
          needed = b.addi(needed, b.asValue(origin));
        what = ("as many elements as there are " + kPlaces[*position]).str();
      } else if (matchPattern(read.getIndices()[dim],
                              m_ConstantInt(&constant))) {
        // The size is compared with the index, not with the index plus 1, which
        // would overflow for the largest index.
        predicate = arith::CmpIPredicate::sgt;
        needed = b.index(constant.getSExtValue());
        what = "more than " + llvm::toString(constant, 10, /*Signed=*/true) +
               " elements";
      } else {
        continue;
      }
      Value isEnough =
          b.createOrFold<arith::CmpIOp>(predicate, getSize(array, dim), needed);
      if (!matchPattern(isEnough, m_One()))
        require(isEnough, "expected dimension " + Twine(dim) + " of capture " +
                              Twine(number) + " to have " + what);
    }
  }

  static bool isStatic(Value shaped, int64_t dim) {
    return !cast<ShapedType>(shaped.getType()).isDynamicDim(dim);
  }
  Value getSize(Value shaped, int64_t dim) {
    if (isa<MemRefType>(shaped.getType()))
      return b.createOrFold<memref::DimOp>(shaped, dim);
    return b.createOrFold<tensor::DimOp>(shaped, dim);
  }
  void require(Value condition, const Twine &message) {
    cf::AssertOp::create(b, condition,
                         (op->getName().getStringRef() + ": " + message).str());
  }
  void checkEqual(StringRef what, Operand lhs, Operand rhs, int64_t dim) {
    checkEqual(what, lhs, rhs, dim, dim);
  }
  void checkEqual(StringRef what, Operand lhs, Operand rhs, int64_t lhsDim,
                  int64_t rhsDim) {
    // No check is emitted for sizes that are static in both types, since the
    // verifier has checked them.
    if (lhs.second == rhs.second ||
        (isStatic(lhs.second, lhsDim) && isStatic(rhs.second, rhsDim)))
      return;
    require(b.eq(getSize(lhs.second, lhsDim), getSize(rhs.second, rhsDim)),
            "expected equal " + what + " in " + lhs.first + " and " +
                rhs.first);
  }
  /// Checks that the number of query heads is a multiple of the number of key
  /// heads, and that there are no query heads if there are no key heads.
  void checkHeadGroups() {
    if (isStatic(op.getQuery(), 1) && isStatic(op.getKey(), 1))
      return;
    Value queryHeads = getSize(op.getQuery(), 1);
    Value kvHeads = getSize(op.getKey(), 1);
    Value one = b.index(1);
    Value divisor = b.maxui(kvHeads, one);
    Value rest = b.remui(queryHeads, divisor);
    Value zero = b.index(0);
    Value divides = b.eq(rest, zero);
    Value hasKeys = b.ne(kvHeads, zero);
    Value hasNoQuery = b.eq(queryHeads, zero);
    Value isServed = b.ori(hasKeys, hasNoQuery);
    require(b.andi(divides, isServed),
            "expected the number of query heads to be a multiple of the number "
            "of key and value heads");
  }

  AttentionInterface op;
  NumberBuilder b;
};

/// Emits checks of the sizes of a row-wise op before `place`. Sizes that are
/// static were checked by the verifier.
void checkSizes(RowwiseInterface op, Operation *place) {
  NumberBuilder b(op.getLoc(), place);
  for (const EqualSizes &sizes : op.getEqualSizes())
    checkSame(b, op, sizes);
  for (const ArrayOperand &array : op.getArrays())
    checkHalves(b, op, array.name, array.value);
}

/// Returns the op before which checks of `op` are emitted: the outermost grid
/// (scf.forall) around it, or `op` itself if there is no grid. Returns null if
/// an operand of `op` is defined within that grid.
Operation *findPlace(Operation *op) {
  Operation *place = op;
  while (auto grid = place->getParentOfType<scf::ForallOp>())
    place = grid;
  bool isKnownThere = llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *owner = operand.getParentBlock()->getParentOp();
    return place == op || !place->isAncestor(owner);
  });
  return isKnownThere ? place : nullptr;
}

struct AttnCheckArraysPass
    : public attn::impl::AttnCheckArraysPassBase<AttnCheckArraysPass> {
  void runOnOperation() override {
    if (failed(checkOuts(getOperation())))
      return signalPassFailure();
    // A failed check makes the function return a message. Only public functions
    // return messages, so private functions get no checks. A function cannot
    // return from inside a grid, so checks are emitted before grids.
    if (!getOperation().isPublic())
      return;
    getOperation().walk([](RowwiseInterface op) {
      if (Operation *place = findPlace(op))
        checkSizes(op, place);
    });
    WalkResult result = getOperation().walk([](AttentionInterface op) {
      Operation *place = findPlace(op);
      if (place && failed(ShapeChecker(op, place).checkAll()))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
