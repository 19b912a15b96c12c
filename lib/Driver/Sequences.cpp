//===- Sequences.cpp - Lengths, packed sequences and pages ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sequences.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::attn;
using Array = SequenceArray;

static constexpr int64_t kLargest = INT32_MAX, kSmallest = INT32_MIN;

bool Sequences::areParameters(const AttentionBinding &binding) {
  AttentionInterface op = binding.op;
  unsigned numArrays = (op.getLengthArray(0) ? 1 : 0) +
                       (op.getLengthArray(1) ? 1 : 0) + op.getPacked().size() +
                       (op.getPages() ? 1 : 0);
  unsigned numFound = llvm::count_if(
      binding.sequences, [](int position) { return position >= 0; });
  return numArrays != 0 && numFound == numArrays &&
         binding.getPosition("query") >= 0 && binding.getPosition("key") >= 0;
}

std::optional<Sequences>
Sequences::find(const AttentionBinding &binding,
                llvm::function_ref<const ArrayView &(unsigned)> getArray) {
  if (!areParameters(binding))
    return std::nullopt;
  int query = binding.getPosition("query"), key = binding.getPosition("key");
  Sequences sequences;
  sequences.query.assign(getArray(query).sizes.begin(),
                         getArray(query).sizes.end());
  sequences.key.assign(getArray(key).sizes.begin(), getArray(key).sizes.end());
  for (auto [array, position] : llvm::zip(sequences.arrays, binding.sequences))
    if (position >= 0)
      array = getArray(position);
  if (!sequences.fitTogether())
    return std::nullopt;
  return sequences;
}

bool Sequences::fitTogether() const {
  const auto &rows = get(Array::CumulativeQuery),
             &keys = get(Array::CumulativeKey);
  if (rows)
    return keys && rows->sizes[0] == keys->sizes[0] && query[0] == 1 &&
           key[0] == 1;
  for (Array which : {Array::QueryLengths, Array::KeyLengths, Array::PageTable})
    if (has(which) && get(which)->sizes[0] != query[0])
      return false;
  return isPaged() || key[0] == query[0];
}

int64_t Sequences::getRoom(bool ofKeys) const {
  if (!ofKeys)
    return query[2];
  return isPaged() ? key[2] * get(Array::PageTable)->sizes[1] : key[2];
}

int64_t Sequences::getLength(bool ofKeys, int64_t entry) const {
  const auto &lengths = get(ofKeys ? Array::KeyLengths : Array::QueryLengths);
  int64_t room = getRoom(ofKeys);
  return lengths ? std::clamp<int64_t>(lengths->load({entry}), 0, room) : room;
}

int64_t Sequences::countColumns(int64_t entry) const {
  int64_t length = getLength(/*ofKeys=*/true, entry);
  return length == 0 ? 0 : (length - 1) / key[2] + 1;
}

std::vector<int64_t> Sequences::getStarts(bool ofKeys) const {
  const ArrayView &numbers =
      *get(ofKeys ? Array::CumulativeKey : Array::CumulativeQuery);
  std::vector<int64_t> starts;
  int64_t last = 0;
  for (int64_t i = 0; i < numbers.sizes[0]; ++i) {
    last = std::max(last,
                    std::clamp<int64_t>(numbers.load({i}), 0, getRoom(ofKeys)));
    starts.push_back(last);
  }
  return starts;
}

void Sequences::draw(Array which, const SequenceArgument &argument) {
  Dice dice(argument.seed, static_cast<unsigned>(which));
  switch (which) {
  case Array::QueryLengths:
  case Array::KeyLengths:
    return drawLengths(dice, which == Array::KeyLengths, argument.mayBeWrong);
  case Array::CumulativeQuery:
  case Array::CumulativeKey:
    return drawCumulative(dice, which == Array::CumulativeKey,
                          argument.mayBeWrong);
  case Array::PageTable:
    return drawPages(dice, argument.mayBeWrong);
  }
}

/// Draws a length from 0 to `room` at random. It is often a boundary case (0,
/// 1, near `unit`, or `room`), and otherwise any of these numbers.
static int64_t drawLength(Dice &dice, int64_t unit, int64_t room) {
  int64_t length =
      dice.pick<int64_t>({0, 1, unit - 1, unit, unit + 1, room, room,
                          static_cast<int64_t>(dice.below(room + 1))});
  return std::clamp<int64_t>(length, 0, room);
}

void Sequences::drawLengths(Dice &dice, bool ofKeys, bool mayBeWrong) {
  const ArrayView &lengths =
      *get(ofKeys ? Array::KeyLengths : Array::QueryLengths);
  int64_t room = getRoom(ofKeys);
  // Some lengths are drawn near `unit`. For keys, that is the number of keys of
  // a page or, without pages, 64; for rows, it is the largest possible length.
  int64_t unit = !ofKeys ? room : isPaged() ? key[2] : 64;
  // If the pool of a paged cache has no pages, there are no keys.
  if (ofKeys && isPaged() && key[0] == 0)
    room = 0;
  for (int64_t b = 0; b < lengths.sizes[0]; ++b) {
    int64_t length = drawLength(dice, unit, room);
    if (mayBeWrong && dice.oneIn(3))
      length = dice.pick<int64_t>(
          {-1, -100, room + 1, room + 1000, kSmallest, kLargest});
    lengths.store({b}, length);
  }
}

void Sequences::drawCumulative(Dice &dice, bool ofKeys, bool mayBeWrong) {
  const ArrayView &numbers =
      *get(ofKeys ? Array::CumulativeKey : Array::CumulativeQuery);
  int64_t count = numbers.sizes[0], room = getRoom(ofKeys);
  // If there are as many keys as rows, the cumulative lengths of the keys are
  // those of the query in half of the cases.
  if (ofKeys && room == getRoom(false) && dice.oneIn(2)) {
    for (int64_t i = 0; i < count; ++i)
      numbers.store({i}, get(Array::CumulativeQuery)->load({i}));
    return;
  }
  int64_t last = dice.oneIn(5) ? dice.below(room / 4 + 1) : 0;
  bool isFull = !dice.oneIn(4);
  for (int64_t i = 0; i < count; ++i) {
    if (i != 0) {
      int64_t length = dice.oneIn(2)
                           ? drawLength(dice, 16, (room - last + 1) / 2)
                           : dice.below(room / count + 1);
      last = std::min(last + length, room);
    }
    if (isFull && i != 0 && i + 1 == count)
      last = room;
    int64_t number = last;
    if (mayBeWrong && dice.oneIn(4))
      number =
          dice.pick<int64_t>({-3, last - 1, 0, room + 7, kSmallest, kLargest,
                              static_cast<int64_t>(dice.below(room + 1))});
    numbers.store({i}, number);
  }
}

void Sequences::drawPages(Dice &dice, bool mayBeWrong) {
  const ArrayView &table = *get(Array::PageTable);
  int64_t numPages = key[0];
  std::vector<int64_t> order(numPages);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = numPages; i > 1; --i)
    std::swap(order[i - 1], order[dice.below(i)]);
  bool isWrong = mayBeWrong && dice.oneIn(2);
  int64_t next = 0, numBefore = 0;
  for (int64_t b = 0; b < table.sizes[0]; ++b) {
    int64_t numOwn = countColumns(b);
    // In a third of the cases, a batch entry shares some of its first pages
    // with the entry before it.
    int64_t numShared =
        dice.oneIn(3) ? dice.below(std::min(numOwn, numBefore) + 1) : 0;
    for (int64_t c = 0; c < table.sizes[1]; ++c) {
      int64_t wrong = dice.pick<int64_t>(
          {-1, -1000, numPages, numPages + 5, kSmallest, kLargest});
      int64_t page = numPages == 0 ? 0 : order[next % numPages];
      if (c >= numOwn || (isWrong && dice.oneIn(6)))
        page = wrong;
      else if (c < numShared)
        page = table.load({b - 1, c});
      else
        ++next;
      table.store({b, c}, page);
    }
    numBefore = numOwn;
  }
}

/// Returns an error about a number of the array `which` that is out of range,
/// such as "page_table[3, 2] is 17, expected less than 16".
static llvm::Error getRangeError(Array which, ArrayRef<int64_t> index,
                                 int64_t found, const Twine &expected) {
  std::string place;
  for (int64_t i : index)
    place += (place.empty() ? "" : ", ") + std::to_string(i);
  return llvm::createStringError(getName(which) + "[" + place + "] is " +
                                 Twine(found) + ", expected " + expected);
}

llvm::Error Sequences::checkLengths(bool ofKeys) const {
  Array which = ofKeys ? Array::KeyLengths : Array::QueryLengths;
  if (!has(which))
    return llvm::Error::success();
  int64_t room = getRoom(ofKeys);
  for (int64_t b = 0; b < get(which)->sizes[0]; ++b) {
    int64_t found = get(which)->load({b});
    if (found < 0)
      return getRangeError(which, b, found, "at least 0");
    if (found > room)
      return getRangeError(which, b, found, "at most " + Twine(room));
  }
  return llvm::Error::success();
}

llvm::Error Sequences::checkCumulative(bool ofKeys) const {
  Array which = ofKeys ? Array::CumulativeKey : Array::CumulativeQuery;
  if (!has(which))
    return llvm::Error::success();
  int64_t room = getRoom(ofKeys), last = 0;
  for (int64_t i = 0; i < get(which)->sizes[0]; ++i) {
    int64_t found = get(which)->load({i});
    if (found < last)
      return getRangeError(which, i, found,
                           "at least " + Twine(last) +
                               (i == 0 ? "" : ", the one before"));
    if (found > room)
      return getRangeError(which, i, found, "at most " + Twine(room));
    last = found;
  }
  return llvm::Error::success();
}

llvm::Error Sequences::checkPages() const {
  if (!isPaged())
    return llvm::Error::success();
  const ArrayView &table = *get(Array::PageTable);
  for (int64_t b = 0; b < table.sizes[0]; ++b)
    for (int64_t c = 0, e = countColumns(b); c < e; ++c) {
      int64_t found = table.load({b, c});
      if (found < 0)
        return getRangeError(Array::PageTable, {b, c}, found, "at least 0");
      if (found >= key[0])
        return getRangeError(Array::PageTable, {b, c}, found,
                             "less than " + Twine(key[0]));
    }
  return llvm::Error::success();
}

llvm::Error Sequences::check() const {
  for (bool ofKeys : {false, true})
    if (llvm::Error error = checkLengths(ofKeys))
      return error;
  for (bool ofKeys : {false, true})
    if (llvm::Error error = checkCumulative(ofKeys))
      return error;
  return checkPages();
}

Sequences::UsedRows Sequences::findUsed() const {
  UsedRows used;
  used.row.assign(query[0] * query[2], false);
  used.query = used.row;
  used.key.assign(key[0] * key[2], false);
  auto mark = [](std::vector<bool> &rows, int64_t begin, int64_t count) {
    std::fill_n(rows.begin() + begin, count, true);
  };
  if (has(Array::CumulativeQuery)) {
    std::vector<int64_t> rows = getStarts(false), keys = getStarts(true);
    for (size_t n = 0; n + 1 < rows.size(); ++n) {
      int64_t numRows = rows[n + 1] - rows[n], numKeys = keys[n + 1] - keys[n];
      mark(used.row, rows[n], numRows);
      if (numRows == 0 || numKeys == 0)
        continue;
      mark(used.query, rows[n], numRows);
      mark(used.key, keys[n], numKeys);
    }
    return used;
  }
  for (int64_t b = 0; b < query[0]; ++b) {
    int64_t numRows = getLength(false, b), numKeys = getLength(true, b);
    mark(used.row, b * query[2], numRows);
    if (numRows == 0 || numKeys == 0)
      continue;
    mark(used.query, b * query[2], numRows);
    if (!isPaged()) {
      mark(used.key, b * key[2], numKeys);
      continue;
    }
    for (int64_t c = 0, e = countColumns(b); c < e; ++c) {
      int64_t page = get(Array::PageTable)->load({b, c});
      if (page >= 0 && page < key[0])
        mark(used.key, page * key[2], std::min(key[2], numKeys - c * key[2]));
    }
  }
  return used;
}
