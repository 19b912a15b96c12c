//===- Random.cpp - Dropout's bits in registers ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of Philox has the bits of eight keys of a row, of which a thread has
// two, or one where keys are along rows of the layout: four or eight lanes
// share each call. So each lane makes one call of as many, and they exchange
// words: lane s gets its part of every call, as one transposes a matrix, in a
// step for each bit of s.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Dialect/AttnTile/Transforms/Philox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Keys that share a call.
constexpr int64_t kGroup = 8;

/// Of a call: its row, and its group of keys, from the thread's first.
struct Call {
  int64_t row, group;
  bool operator==(const Call &other) const {
    return row == other.row && group == other.group;
  }
};

class KeepEmitter {
public:
  KeepEmitter(ImplicitLocOpBuilder &builder, RandomKeepOp op,
              VectorType registers)
      : b(builder), op(op), registers(registers),
        tile(op.getResult().getType()), keyAxis(1 - op.getRowAxis()),
        rows(getLayout(tile).getRegisterOffsets(tile.getShape(),
                                                op.getRowAxis())),
        keys(getLayout(tile).getRegisterOffsets(tile.getShape(), keyAxis)) {
    for (auto [word, number] :
         {std::pair<Value *, Value>(&plane, op.getPlane()),
          {&offset, op.getOffset()},
          {&seed[0], op.getSeed()}})
      *word = getLowWord(b, number, /*isWide=*/false);
    seed[1] = getHighWord(b, op.getSeed(), /*isWide=*/false);
    firstRow = arith::AddIOp::create(
        b, op.getRow(), getThreadCoordinate(b, tile, op.getRowAxis()));
    firstKey = arith::AddIOp::create(b, op.getKey(),
                                     getThreadCoordinate(b, tile, keyAxis));
  }

  Value emitEach();
  Value emitShared();

private:
  Value number(int64_t value) {
    return arith::ConstantOp::create(
        b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(b, condition, lhs, rhs);
  }
  Value toWord(Value index) { return getLowWord(b, index, /*isWide=*/false); }
  /// The thread's first group.
  Value emitFirstGroup() {
    Value three = arith::ConstantIndexOp::create(b, 3);
    return toWord(arith::ShRUIOp::create(b, firstKey, three));
  }
  std::array<Value, 4> emitCall(Value row, Value group) {
    return PhiloxEmitter(b, b.getI32Type())
        .emit({group, row, plane, offset}, {seed[0], seed[1]});
  }
  SmallVector<Call> findCalls() const;
  SmallVector<Value> emitSharedCalls(ArrayRef<Call> calls);
  SmallVector<Value> emitOwnCalls(ArrayRef<Call> calls);
  std::pair<Value, Value> exchange(Value lower, Value upper, int64_t bit);
  Value isSet(int64_t bit);
  Value pickOwn(const std::array<Value, 4> &words);
  Value isKept(Value word, bool isUpper);

  ImplicitLocOpBuilder &b;
  RandomKeepOp op;
  VectorType registers;
  RankedTensorType tile;
  int64_t keyAxis;
  /// Of registers, from the thread's first.
  SmallVector<int64_t> rows, keys;
  Value plane, offset, firstRow, firstKey;
  Value seed[2];
};

} // namespace

/// Whether a bit of the thread's number is set.
Value KeepEmitter::isSet(int64_t bit) {
  Value thread =
      toWord(gpu::ThreadIdOp::create(b, gpu::Dimension::x).getResult());
  return arith::CmpIOp::create(
      b, arith::CmpIPredicate::ne,
      arith::AndIOp::create(b, thread, number(int64_t(1) << bit)), number(0));
}

/// Of two words that each lane has, the lower stays with lanes whose bit is 0
/// and the upper with others. What it gets is the same of the lane that differs
/// in that bit. The result is that of the lane with bit 0, and of that with 1.
std::pair<Value, Value> KeepEmitter::exchange(Value lower, Value upper,
                                              int64_t bit) {
  Value isUpper = isSet(bit);
  Value other = NVVM::ShflOp::create(
      b, b.getI32Type(), number(-1), select(isUpper, lower, upper),
      number(int64_t(1) << bit), number(31), NVVM::ShflKind::bfly, UnitAttr());
  return {select(isUpper, other, lower), select(isUpper, upper, other)};
}

Value KeepEmitter::isKept(Value word, bool isUpper) {
  if (!isUpper)
    word = arith::ShLIOp::create(b, word, number(16));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, word,
                               number(op.getThreshold() << 16));
}

/// A call for each element.
Value KeepEmitter::emitEach() {
  VectorType words = registers.clone(b.getI32Type());
  PhiloxEmitter philox(b, words);
  auto spread = [&](Value first, ArrayRef<int64_t> offsets) -> Value {
    VectorType longs = registers.clone(b.getI64Type());
    Value start = arith::IndexCastOp::create(b, b.getI64Type(), first);
    auto constants = llvm::map_to_vector(offsets, [&](int64_t offset) {
      return Attribute(b.getI64IntegerAttr(offset));
    });
    return arith::AddIOp::create(
        b, vector::BroadcastOp::create(b, longs, start),
        arith::ConstantOp::create(b, DenseElementsAttr::get(longs, constants)));
  };
  auto narrow = [&](Value longs) -> Value {
    return arith::TruncIOp::create(b, words, longs);
  };
  Value row = narrow(spread(firstRow, rows)), key = spread(firstKey, keys);
  Value three = PhiloxEmitter(b, key.getType()).constant(3);
  Value group = narrow(arith::ShRUIOp::create(b, key, three));
  std::array<Value, 4> found =
      philox.emit({group, row, plane, offset}, {seed[0], seed[1]});
  Value place = narrow(key);
  auto hasBit = [&](int64_t bit) {
    return arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, place, philox.constant(bit)),
        philox.constant(0));
  };
  Value isOdd = hasBit(2);
  Value word = select(hasBit(4), select(isOdd, found[3], found[2]),
                      select(isOdd, found[1], found[0]));
  Value upper = select(hasBit(1), word,
                       arith::ShLIOp::create(b, word, philox.constant(16)));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, upper,
                               philox.constant(op.getThreshold() << 16));
}

/// In an order in which those of neighbouring lanes differ by bits.
SmallVector<Call> KeepEmitter::findCalls() const {
  SmallVector<Call> calls;
  for (auto [row, key] : llvm::zip(rows, keys))
    if (Call call = {row, key / kGroup}; !llvm::is_contained(calls, call))
      calls.push_back(call);
  llvm::sort(calls, [&](const Call &lhs, const Call &rhs) {
    return keyAxis == 1
               ? std::pair(lhs.row, lhs.group) < std::pair(rhs.row, rhs.group)
               : std::pair(lhs.group, lhs.row) < std::pair(rhs.group, rhs.row);
  });
  return calls;
}

/// The word that holds the thread's own keys.
Value KeepEmitter::pickOwn(const std::array<Value, 4> &words) {
  // Of lanes: two keys from twice lane % 4 on, or key lane / 4.
  int64_t low = keyAxis == 1 ? 0 : 3;
  Value isOdd = isSet(low);
  return select(isSet(low + 1), select(isOdd, words[3], words[2]),
                select(isOdd, words[1], words[0]));
}

/// Each lane makes all calls. The result has a word for each, whose lower half
/// is of the thread's key, or of the first of two.
SmallVector<Value> KeepEmitter::emitOwnCalls(ArrayRef<Call> calls) {
  Value row = toWord(firstRow), group = emitFirstGroup();
  return llvm::map_to_vector(calls, [&](const Call &call) -> Value {
    Value word =
        pickOwn(emitCall(arith::AddIOp::create(b, row, number(call.row)),
                         arith::AddIOp::create(b, group, number(call.group))));
    if (keyAxis == 1)
      return word;
    return select(isSet(2), arith::ShRUIOp::create(b, word, number(16)), word);
  });
}

/// The same where each lane makes one of as many calls as there are lanes, or
/// none if calls are not apart by bits of lanes.
SmallVector<Value> KeepEmitter::emitSharedCalls(ArrayRef<Call> calls) {
  // Bits of the lane's number, the lowest first.
  SmallVector<int64_t> bits =
      keyAxis == 1 ? SmallVector<int64_t>{0, 1} : SmallVector<int64_t>{2, 3, 4};
  for (size_t i = 0; i < calls.size(); ++i) {
    Call sum = calls[0];
    for (size_t k = 0; k < bits.size(); ++k)
      if (i >> k & 1) {
        sum.row += calls[size_t(1) << k].row - calls[0].row;
        sum.group += calls[size_t(1) << k].group - calls[0].group;
      }
    if (!(sum == calls[i]))
      return {};
  }
  Value row = arith::AddIOp::create(b, toWord(firstRow), number(calls[0].row));
  Value group =
      arith::AddIOp::create(b, emitFirstGroup(), number(calls[0].group));
  for (auto [k, bit] : llvm::enumerate(bits)) {
    const Call &next = calls[size_t(1) << k];
    for (auto [position, step] : {std::pair(&row, next.row - calls[0].row),
                                  {&group, next.group - calls[0].group}})
      if (step != 0)
        *position = arith::AddIOp::create(
            b, *position, select(isSet(bit), number(step), number(0)));
  }
  std::array<Value, 4> words = emitCall(row, group);
  // A step for each bit of a word's number, the higher first.
  int64_t low = bits.size() - 2;
  auto [w00, w01] = exchange(words[0], words[2], bits[low + 1]);
  auto [w10, w11] = exchange(words[1], words[3], bits[low + 1]);
  auto [w000, w010] = exchange(w00, w10, bits[low]);
  auto [w001, w011] = exchange(w01, w11, bits[low]);
  // By the two bits of the call's number, the higher first.
  SmallVector<Value> own = {w000, w010, w001, w011};
  if (keyAxis == 1)
    return own;
  // Halves, of two words at a time.
  SmallVector<Value> result(calls.size());
  for (int64_t i : {0, 2}) {
    Value lower = arith::OrIOp::create(
        b, arith::AndIOp::create(b, own[i], number(0xFFFF)),
        arith::ShLIOp::create(b, own[i + 1], number(16)));
    Value upper = arith::OrIOp::create(
        b, arith::ShRUIOp::create(b, own[i], number(16)),
        arith::AndIOp::create(b, own[i + 1], number(0xFFFF0000)));
    auto [even, odd] = exchange(lower, upper, bits[0]);
    for (auto [k, pair] : {std::pair(0, even), {1, odd}}) {
      result[2 * i + k] = pair;
      result[2 * (i + 1) + k] = arith::ShRUIOp::create(b, pair, number(16));
    }
  }
  return result;
}

Value KeepEmitter::emitShared() {
  SmallVector<Call> calls = findCalls();
  size_t numLanes = keyAxis == 1 ? 4 : 8;
  SmallVector<Value> words;
  for (ArrayRef<Call> rest = calls; !rest.empty();) {
    ArrayRef<Call> part = rest.take_front(numLanes);
    rest = rest.drop_front(part.size());
    SmallVector<Value> found;
    if (part.size() == numLanes)
      found = emitSharedCalls(part);
    if (found.empty())
      found = emitOwnCalls(part);
    llvm::append_range(words, found);
  }
  SmallVector<Value> kept;
  for (auto [row, key] : llvm::zip(rows, keys)) {
    Call call = {row, key / kGroup};
    kept.push_back(
        isKept(words[llvm::find(calls, call) - calls.begin()], key % 2 == 1));
  }
  return vector::FromElementsOp::create(b, registers, kept);
}

namespace {
struct ConvertRandomKeep : OpConversionPattern<RandomKeepOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(RandomKeepOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto registers =
        getTypeConverter()->convertType<VectorType>(op.getResult().getType());
    if (!registers)
      return rewriter.notifyMatchFailure(op, "expects a tile in registers");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    if (op.getThreshold() == 65536) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, DenseElementsAttr::get(registers, false));
      return success();
    }
    KeepEmitter emitter(b, op, registers);
    bool isShared = op.getAligned() && getMmaLayout(op.getResult().getType());
    rewriter.replaceOp(op,
                       isShared ? emitter.emitShared() : emitter.emitEach());
    return success();
  }
};
} // namespace

void attn::populateRandomPatterns(const TileTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertRandomKeep>(converter, patterns.getContext());
}
