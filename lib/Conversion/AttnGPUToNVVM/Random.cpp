//===- Random.cpp - Random bits of dropout in registers -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call of Philox yields random bits for eight keys of a row. A thread holds
// two of these keys, or one if keys run along the rows of the layout, so four
// or eight lanes share each call. Such lanes divide a set of as many calls:
// each lane makes one call and compares its eight 16-bit halves with the
// threshold, which leaves a bit for each key. Then the lanes exchange the bits
// of up to eight sets at once, like a transpose: lane s gets the bits of its
// own keys from every call, by one butterfly exchange for each bit of s.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
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

/// The number of keys for which one call of the random number generator
/// (Philox) yields bits.
constexpr int64_t kGroup = 8;

/// The largest number of sets of Philox calls whose bits lanes exchange in one
/// go. A set is as many calls as there are lanes that share them.
constexpr size_t kMaxSets = 8;

/// A call of Philox, which yields the random bits of eight keys of one row.
/// `row` is the distance of that row from the thread's first row; `group` is
/// the distance of the group of eight keys from the thread's first group.
struct Call {
  int64_t row, group;
  bool operator==(const Call &other) const {
    return row == other.row && group == other.group;
  }
};

/// The position in `kept` of the bits that a thread needs from a Philox call.
/// `word` is the index of an i32 of `kept`; `bit` is the number of the bit for
/// the call's first key. If the thread needs two keys of the call, the second
/// key's bit is `bit` + 16.
struct BitPlace {
  int64_t word, bit;
};

class KeepEmitter {
public:
  KeepEmitter(NumberBuilder &builder, RandomKeepOp op, VectorType registers,
              ValueRange distances)
      : b(builder), op(op), registers(registers), distances(distances),
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
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(b, condition, lhs, rhs);
  }
  Value toWord(Value index) { return getLowWord(b, index, /*isWide=*/false); }
  /// Returns the index of the group of eight keys that contains the thread's
  /// first key.
  Value emitFirstGroup() {
    Value three = arith::ConstantIndexOp::create(b, 3);
    return toWord(arith::ShRUIOp::create(b, firstKey, three));
  }
  /// The plane and the row of a call of Philox.
  struct RowPlace {
    Value plane, row;
  };
  std::array<Value, 4> emitCall(RowPlace place, Value group) {
    return PhiloxEmitter(b, b.getI32Type())
        .emit({group, place.row, place.plane, offset}, {seed[0], seed[1]});
  }
  RowPlace findRow(int64_t row);
  RowPlace selectRow(ArrayRef<Call> calls);
  SmallVector<Call> findCalls() const;
  size_t countLanes() const { return keyAxis == 1 ? 4 : 8; }
  SmallVector<int64_t> getLaneBits() const;
  bool isSet(ArrayRef<Call> calls) const;
  std::array<Value, 4> emitCallOfLane(ArrayRef<Call> calls);
  void emitSets(ArrayRef<Call> calls);
  void emitOwnCall(const Call &call);
  Value compare(Value word);
  std::pair<Value, Value> exchange(Value lower, Value upper, int64_t bit) {
    return exchangeWords(b, hasBit(bit), lower, upper, bit);
  }
  Value hasBit(int64_t bit);
  Value pickOwn(const std::array<Value, 4> &words);

  NumberBuilder &b;
  RandomKeepOp op;
  VectorType registers;
  /// The registers of the tiles of planes and rows that the op may have.
  ValueRange distances;
  RankedTensorType tile;
  int64_t keyAxis;
  /// The offsets, for each register of the thread, of the register's row from
  /// the thread's first row (`rows`) and of its key from the thread's first key
  /// (`keys`).
  SmallVector<int64_t> rows, keys;
  Value plane, offset, firstRow, firstKey;
  Value seed[2];
  /// `kept` has the random bits of all Philox calls, packed in i32. `places`
  /// has, for each call that findCalls() returns, the position of its bits in
  /// `kept`.
  SmallVector<Value> kept;
  SmallVector<BitPlace> places;
  /// The number of Philox calls whose bits emitOwnCall() has put into the last
  /// word of `kept`.
  int64_t numOwn = 0;
};

} // namespace

/// Returns an i1: whether bit `bit` of the calling thread's number is set.
Value KeepEmitter::hasBit(int64_t bit) {
  Value thread =
      toWord(gpu::ThreadIdOp::create(b, gpu::Dimension::x).getResult());
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                               b.andi(thread, b.word(int64_t(1) << bit)),
                               b.word(0));
}

Value KeepEmitter::compare(Value word) {
  return attn_nv::CompareHalvesOp::create(b, b.getI32Type(), word,
                                          op.getThreshold());
}

/// Emits a Philox call for each element of the tile that a thread holds,
/// without an exchange of bits between lanes.
Value KeepEmitter::emitEach() {
  VectorType words = registers.clone(b.getI32Type());
  PhiloxEmitter philox(b, words);
  auto spread = [&](Value first, ArrayRef<int64_t> offsets) -> Value {
    VectorType longs = registers.clone(b.getI64Type());
    Value start = b.indexCast(b.getI64Type(), first);
    auto constants = llvm::map_to_vector(offsets, [&](int64_t offset) {
      return Attribute(b.getI64IntegerAttr(offset));
    });
    return b.addi(
        vector::BroadcastOp::create(b, longs, start),
        arith::ConstantOp::create(b, DenseElementsAttr::get(longs, constants)));
  };
  auto narrow = [&](Value longs) -> Value { return b.trunci(words, longs); };
  Value ofPlanes = plane, row, key = spread(firstKey, keys);
  if (distances.empty()) {
    row = narrow(spread(firstRow, rows));
  } else {
    ofPlanes = b.addi(philox.spread(plane), distances[0]);
    row = b.addi(philox.spread(toWord(op.getRow())), distances[1]);
  }
  Value three = PhiloxEmitter(b, key.getType()).constant(3);
  Value group = narrow(b.shrui(key, three));
  std::array<Value, 4> found =
      philox.emit({group, row, ofPlanes, offset}, {seed[0], seed[1]});
  Value place = narrow(key);
  auto placeHas = [&](int64_t bit) {
    return b.ne(b.andi(place, philox.constant(bit)), philox.constant(0));
  };
  Value isOdd = placeHas(2);
  Value word = select(placeHas(4), select(isOdd, found[3], found[2]),
                      select(isOdd, found[1], found[0]));
  Value upper = select(placeHas(1), word, b.shli(word, philox.constant(16)));
  return b.uge(upper, philox.constant(op.getThreshold() << 16));
}

/// Returns descriptions of the Philox calls that a thread needs for its keys.
/// They are sorted so that the calls of each set, if the calls form sets,
/// follow each other.
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

/// Lanes divide the calls of a set among them: some bits of a lane's number
/// form the index of the call that the lane makes. Returns the numbers of these
/// bits, the lowest first.
SmallVector<int64_t> KeepEmitter::getLaneBits() const {
  return keyAxis == 1 ? SmallVector<int64_t>{0, 1}
                      : SmallVector<int64_t>{2, 3, 4};
}

/// Whether the Philox calls form a set, which the lanes that need them can
/// divide among them. This is so if there are as many calls as lanes, and each
/// bit of a call's index adds a fixed step to its row and its group.
bool KeepEmitter::isSet(ArrayRef<Call> calls) const {
  if (calls.size() != countLanes())
    return false;
  for (size_t i = 0; i < calls.size(); ++i) {
    Call sum = calls[0];
    for (size_t k = 0, e = getLaneBits().size(); k < e; ++k)
      if (i >> k & 1) {
        sum.row += calls[size_t(1) << k].row - calls[0].row;
        sum.group += calls[size_t(1) << k].group - calls[0].group;
      }
    if (!(sum == calls[i]))
      return false;
  }
  return true;
}

/// Returns the plane and row of the calls for the rows at distance `row` from
/// the thread's first row. All lanes that share such a call hold the same row,
/// so each reads it from a register of its own.
KeepEmitter::RowPlace KeepEmitter::findRow(int64_t row) {
  if (distances.empty())
    return {plane, b.addi(toWord(firstRow), b.word(row))};
  int64_t number = llvm::find(rows, row) - rows.begin();
  auto move = [&](Value first, Value registers) -> Value {
    return b.addi(first, vector::ExtractOp::create(b, registers, number));
  };
  return {move(plane, distances[0]), move(toWord(op.getRow()), distances[1])};
}

/// Returns the plane and row of the call, of a set of calls, that the calling
/// lane makes.
KeepEmitter::RowPlace KeepEmitter::selectRow(ArrayRef<Call> calls) {
  auto left = llvm::map_to_vector(
      calls, [&](const Call &call) { return findRow(call.row); });
  // Bit k of a call's index is a bit of the lane's number, so each bit halves
  // the calls that are left.
  for (int64_t bit : getLaneBits()) {
    size_t half = left.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      RowPlace even = left[2 * i], odd = left[2 * i + 1];
      left[i] = {select(hasBit(bit), odd.plane, even.plane),
                 select(hasBit(bit), odd.row, even.row)};
    }
    left.truncate(half);
  }
  return left.front();
}

/// Emits one Philox call of a set in each lane: the one whose index the lane's
/// bits of getLaneBits() form. Returns the four words of the call's result.
std::array<Value, 4> KeepEmitter::emitCallOfLane(ArrayRef<Call> calls) {
  Value row;
  if (distances.empty())
    row = b.addi(toWord(firstRow), b.word(calls[0].row));
  Value group = b.addi(emitFirstGroup(), b.word(calls[0].group));
  for (auto [k, bit] : llvm::enumerate(getLaneBits())) {
    const Call &next = calls[size_t(1) << k];
    for (auto [position, step] : {std::pair(&row, next.row - calls[0].row),
                                  {&group, next.group - calls[0].group}})
      if (step != 0 && *position)
        *position =
            b.addi(*position, select(hasBit(bit), b.word(step), b.word(0)));
  }
  return emitCall(distances.empty() ? RowPlace{plane, row} : selectRow(calls),
                  group);
}

/// Emits the Philox calls of up to kMaxSets sets. Each lane makes one call of
/// each set, and then lanes exchange bits, so that each lane gets the bits of
/// its own keys from all calls. While they are exchanged, bits n and 16 + n of
/// a word belong to set n. Appends the exchanged words to `kept`, and the
/// positions of all calls' bits to `places`.
void KeepEmitter::emitSets(ArrayRef<Call> calls) {
  auto shiftLeft = [&](Value word, int64_t bits) -> Value {
    return b.shli(word, b.word(bits));
  };
  auto join = [&](Value lhs, Value rhs) -> Value { return b.ori(lhs, rhs); };
  int64_t numLanes = countLanes(), numSets = calls.size() / numLanes;
  std::array<Value, 4> bits;
  for (int64_t set = 0; set < numSets; ++set)
    for (auto [sum, word] : llvm::zip(
             bits, emitCallOfLane(calls.slice(set * numLanes, numLanes)))) {
      Value own = compare(word);
      sum = set == 0 ? own : join(sum, shiftLeft(own, set));
    }
  // Lanes exchange whole words in two butterfly steps, one for each bit of a
  // word's index among the four words of a call. The step for the higher bit
  // comes first.
  SmallVector<int64_t> laneBits = getLaneBits();
  int64_t low = laneBits.size() - 2;
  auto [w00, w01] = exchange(bits[0], bits[2], laneBits[low + 1]);
  auto [w10, w11] = exchange(bits[1], bits[3], laneBits[low + 1]);
  auto [w000, w010] = exchange(w00, w10, laneBits[low]);
  auto [w001, w011] = exchange(w01, w11, laneBits[low]);
  // After the two exchanges, a lane holds one word of the results of each of
  // four Philox calls, which four lanes have made. Two bits of a call's index
  // are the lane bits of the exchanges. `own` has the words in the order of
  // these two bits, the higher bit first.
  SmallVector<Value> own = {w000, w010, w001, w011};
  int64_t first = kept.size();
  for (int64_t i : {0, 2}) {
    Value low = own[i], high = own[i + 1];
    if (keyAxis == 0) {
      // With keys along axis 0, a third exchange is needed: it exchanges 16-bit
      // halves, of two words at once.
      Value lower = join(b.andi(low, b.word(0xFFFF)), shiftLeft(high, 16));
      Value upper =
          join(b.shrui(low, b.word(16)), b.andi(high, b.word(0xFFFF0000)));
      auto [even, odd] = exchange(lower, upper, laneBits[0]);
      low = join(b.andi(even, b.word(0xFFFF)), shiftLeft(odd, 16));
      high = join(b.shrui(even, b.word(16)), b.andi(odd, b.word(0xFFFF0000)));
    }
    kept.push_back(join(low, shiftLeft(high, kMaxSets)));
  }
  numOwn = 0;
  for (int64_t set = 0; set < numSets; ++set)
    for (int64_t lane = 0; lane < numLanes; ++lane) {
      // With keys along axis 1, a thread needs two keys of each call, whose
      // bits are one in each half of a word. With keys along axis 0 it needs
      // one key, so two neighboring calls of a set share a word, one in each
      // half.
      int64_t half = keyAxis == 1 ? 0 : lane % 2,
              number = keyAxis == 1 ? lane : lane / 2;
      places.push_back({first + number / 2,
                        set + int64_t(kMaxSets) * (number % 2) + 16 * half});
    }
}

/// Returns, from the four words of a Philox call, the word that has the random
/// bits of the calling thread's keys.
Value KeepEmitter::pickOwn(const std::array<Value, 4> &words) {
  // With keys along axis 1, a thread has two keys of a group of eight, which
  // begin at 2 * (lane % 4). With keys along axis 0 it has one, key lane / 4.
  int64_t low = keyAxis == 1 ? 0 : 3;
  Value isOdd = hasBit(low);
  return select(hasBit(low + 1), select(isOdd, words[3], words[2]),
                select(isOdd, words[1], words[0]));
}

/// Emits a Philox call in each lane for the lane's own keys alone. Adds their
/// bits to the last word of `kept`, or to a new word if that is full, and
/// appends the position to `places`. This is for calls that do not form a set
/// that lanes could divide.
void KeepEmitter::emitOwnCall(const Call &call) {
  RowPlace row = findRow(call.row);
  Value group = b.addi(emitFirstGroup(), b.word(call.group));
  Value own = compare(pickOwn(emitCall(row, group)));
  int64_t bit = numOwn;
  if (keyAxis == 0) {
    Value upper = b.shrui(own, b.word(16));
    own = b.andi(select(hasBit(2), upper, own), b.word(1));
    bit = numOwn / 2 + 16 * (numOwn % 2);
  }
  if (numOwn == 0)
    kept.push_back(b.word(0));
  kept.back() = b.ori(kept.back(), b.shli(own, b.word(bit)));
  places.push_back({static_cast<int64_t>(kept.size()) - 1, bit});
  numOwn = (numOwn + 1) % (keyAxis == 1 ? 16 : 32);
}

Value KeepEmitter::emitShared() {
  SmallVector<Call> calls = findCalls();
  size_t numLanes = countLanes();
  ArrayRef<Call> rest = calls;
  auto isSetAt = [&](size_t first) {
    return isSet(rest.slice(std::min(first, rest.size())).take_front(numLanes));
  };
  while (!rest.empty()) {
    size_t count = 0;
    while (count < kMaxSets && isSetAt(count * numLanes))
      ++count;
    size_t numCalls = std::max<size_t>(count * numLanes, 1);
    if (count != 0)
      emitSets(rest.take_front(numCalls));
    else
      emitOwnCall(rest.front());
    rest = rest.drop_front(numCalls);
  }
  SmallVector<int64_t> positions;
  for (size_t i = 0; i < rows.size(); i += 2) {
    Call call = {rows[i], keys[i] / kGroup};
    BitPlace place = places[llvm::find(calls, call) - calls.begin()];
    positions.push_back(32 * place.word + place.bit);
  }
  Value words = vector::FromElementsOp::create(
      b, VectorType::get({static_cast<int64_t>(kept.size())}, b.getI32Type()),
      kept);
  return attn_nv::UnpackPairsOp::create(b, registers, words, positions);
}

namespace {
LogicalResult convertRandomKeep(ConversionBuilder &b, RandomKeepOp op,
                                RandomKeepOp::Adaptor adaptor) {
  auto registers =
      b.converter.convertType<VectorType>(op.getResult().getType());
  if (!registers)
    return b.rewriter.notifyMatchFailure(op, "expects a tile in registers");
  if (int64_t threshold = op.getThreshold();
      threshold == 0 || threshold == 65536) {
    b.rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(registers, threshold == 0));
    return success();
  }
  KeepEmitter emitter(b, op, registers, adaptor.getDistances());
  // Lanes that share calls hold elements of the same rows only if keys are
  // along axis 1.
  bool isShared = op.getAligned() && getMmaLayout(op.getResult().getType()) &&
                  (op.getDistances().empty() || op.getRowAxis() == 0);
  b.rewriter.replaceOp(op,
                       isShared ? emitter.emitShared() : emitter.emitEach());
  return success();
}
} // namespace

void attn::populateRandomPatterns(const TileTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  addConversions<convertRandomKeep>(converter, patterns);
}
