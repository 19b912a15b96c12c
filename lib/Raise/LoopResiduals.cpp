//===- LoopResiduals.cpp - Softmaxes that a loop keeps for another --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// jax.lax.scan keeps what gradients need in arrays with an element for each
// iteration. Probabilities that the loop of gradients reads there are computed
// once more, from the query and the key, which both loops have.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "StableHLO.h"
#include "Unused.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Loops of more iterations are left as they are.
static constexpr int64_t kMostIterations = 1 << 12;

/// Whether the op only depends on its operands and may be copied.
static bool isCopied(Operation *op) {
  static constexpr StringRef kNames[] = {"abs",
                                         "add",
                                         "and",
                                         "broadcast_in_dim",
                                         "clamp",
                                         "compare",
                                         "concatenate",
                                         "constant",
                                         "convert",
                                         "cosine",
                                         "divide",
                                         "dot_general",
                                         "dynamic_slice",
                                         "exponential",
                                         "iota",
                                         "is_finite",
                                         "log",
                                         "maximum",
                                         "minimum",
                                         "multiply",
                                         "negate",
                                         "not",
                                         "or",
                                         "power",
                                         "reduce",
                                         "reduce_precision",
                                         "reshape",
                                         "rsqrt",
                                         "select",
                                         "sine",
                                         "slice",
                                         "sqrt",
                                         "subtract",
                                         "tanh",
                                         "transpose"};
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured.empty() && llvm::any_of(kNames, [&](StringRef name) {
           return isStableHLO(op, name);
         });
}

/// Whether an array is the part of another with one index in its first
/// dimension, and all indices in others.
static bool isElementOf(Value part, Value whole) {
  auto type = dyn_cast<RankedTensorType>(whole.getType());
  auto its = dyn_cast<RankedTensorType>(part.getType());
  return type && its && type.hasStaticShape() && type.getRank() > 1 &&
         its.getRank() == type.getRank() && its.getDimSize(0) == 1 &&
         its.getElementType() == type.getElementType() &&
         its.getShape().drop_front() == type.getShape().drop_front();
}

static bool areZero(ValueRange all) {
  return llvm::all_of(all, [](Value x) { return evaluate(x, {}, 0) == 0; });
}

namespace {
/// A loop that fills arrays with an element for each of its iterations, and
/// those of its values that another loop reads there.
struct Writer {
  Operation *loop;
  Value counter;
  int64_t count = 0;
  /// Whether an element's index is that of the iteration counted from the end.
  bool isReversed = false, hasIndex = false;
  /// Values of the body, each with the number of the result whose element it
  /// is.
  SmallVector<std::pair<Value, unsigned>> stores;
  /// Slices of the body that are an element, at the same index, of an array
  /// that the loop carries unchanged, each with that array outside of the loop.
  SmallVector<std::pair<Value, Value>> parts;
  /// The array of the other loop's body for each value that it can read.
  llvm::MapVector<Value, Value> kept;
  llvm::DenseMap<Value, bool> recomputed;
  explicit Writer(Operation *loop) : loop(loop) {
    auto number = getCount(loop, counter);
    if (!number || *number > kMostIterations)
      return;
    count = *number;
    Block &body = loop->getRegion(1).front();
    for (auto [i, next] : llvm::enumerate(body.back().getOperands()))
      if (Value value = getStored(body.getArgument(i), next))
        stores.push_back({value, i});
    for (Operation &op : body)
      if (isStableHLO(&op, "dynamic_slice") && op.getNumOperands() > 2 &&
          isElementOf(op.getResult(0), op.getOperand(0)) &&
          areZero(op.getOperands().drop_front(2)) &&
          isOfIteration(op.getOperand(1)))
        if (Value array = getCarriedUnchanged(op.getOperand(0)))
          parts.push_back({op.getResult(0), array});
  }

  /// Whether the index has the value of the iteration in each, or of that
  /// counted from the end, whichever earlier ones have.
  bool isOfIteration(Value index) {
    bool isForward = !hasIndex || !isReversed,
         isBackward = !hasIndex || isReversed;
    for (int64_t i = 0; i < count; ++i) {
      std::optional<int64_t> at = evaluate(index, counter, i);
      isForward &= at == i;
      isBackward &= at == count - 1 - i;
    }
    if (!isForward && !isBackward)
      return false;
    hasIndex = true;
    isReversed = !isForward;
    return true;
  }

  /// If `next` is the array `all` with another element at the counter, returns
  /// the value that the element is.
  Value getStored(Value all, Value next) {
    Operation *update = next.getDefiningOp();
    if (!isStableHLO(update, "dynamic_update_slice") ||
        update->getNumOperands() < 3 || update->getOperand(0) != all ||
        !all.hasOneUse() || !next.hasOneUse() ||
        !isElementOf(update->getOperand(1), all) ||
        cast<RankedTensorType>(all.getType()).getDimSize(0) != count ||
        !areZero(update->getOperands().drop_front(3)) ||
        !isOfIteration(update->getOperand(2)))
      return {};
    Operation *op = update->getOperand(1).getDefiningOp();
    if ((!isStableHLO(op, "broadcast_in_dim") && !isStableHLO(op, "reshape")) ||
        op->getNumOperands() != 1)
      return {};
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    SmallVector<int64_t> dims = getNumbers(op->getAttr("broadcast_dimensions"));
    bool isInOrder = isStableHLO(op, "reshape") || llvm::is_sorted(dims);
    return type && isInOrder && areTypesValid(op) &&
                   type.getShape() == getShape(all).drop_front()
               ? op->getOperand(0)
               : Value();
  }

  /// Sets `kept` to the values that a loop after this one can read.
  void findKept(Operation *reader) {
    kept.clear();
    recomputed.clear();
    auto find = [&](Value whole) -> Value {
      for (Value argument : reader->getRegion(1).getArguments())
        if (getCarriedUnchanged(argument) == whole)
          return argument;
      return {};
    };
    for (auto [value, number] : stores)
      if (Value array = find(loop->getResult(number)))
        kept.insert({value, array});
    for (auto [part, array] : parts) {
      Value own = find(array);
      kept.insert({part, own ? own : array});
    }
  }

  bool isInBody(Operation *op) {
    return op && op->getBlock() == &loop->getRegion(1).front();
  }

  /// Returns an op with the property from which ops other than products compute
  /// the value, or that is such a product itself; null if there is none.
  Operation *findSource(Value value,
                        llvm::function_ref<bool(Operation *)> isWanted) {
    SmallVector<Value> rest = {value};
    llvm::SmallPtrSet<Value, 32> seen;
    while (!rest.empty()) {
      Operation *op = rest.pop_back_val().getDefiningOp();
      if (!isInBody(op) || !isCopied(op) ||
          !seen.insert(op->getResult(0)).second)
        continue;
      if (isWanted(op))
        return op;
      if (!isStableHLO(op, "dot_general"))
        llvm::append_range(rest, op->getOperands());
    }
    return nullptr;
  }

  bool isOfExponential(Value value) {
    return findSource(
        value, [](Operation *op) { return isStableHLO(op, "exponential"); });
  }

  /// Whether the op is a product of exponentials, as of probabilities.
  bool mixes(Operation *op) {
    return isStableHLO(op, "dot_general") &&
           llvm::any_of(op->getOperands(),
                        [&](Value value) { return isOfExponential(value); });
  }

  /// Whether the kept value is to be computed once more. It is a part of a
  /// softmax, its product with a value that is kept, an element-wise function
  /// of a product of two values that are kept, or a mask that no product is
  /// needed for. Such products have batches, which those with weights have not.
  bool isRecomputed(Value value) {
    if (auto found = recomputed.find(value); found != recomputed.end())
      return found->second;
    Operation *product = findSource(value, [](Operation *op) {
      std::optional<DotDims> dims;
      if (isStableHLO(op, "dot_general"))
        dims = getDotDims(op);
      return dims && !dims->lhsBatch.empty();
    });
    bool hasExponential = isOfExponential(value) || (product && mixes(product));
    bool isMask = !hasExponential && !product &&
                  getElementTypeOrSelf(value.getType()).isInteger(1);
    // The value itself does not count as one that is kept.
    recomputed[value] = true;
    llvm::SmallPtrSet<Value, 32> seen[2];
    bool result = (hasExponential || product || isMask) &&
                  canCompute(value, /*hasProduct=*/isMask,
                             /*isSliced=*/hasExponential || isMask, seen) &&
                  !seen[1].empty();
    recomputed[value] = result;
    return result;
  }

  bool isRead(Value value) {
    return kept.contains(value) && !isRecomputed(value);
  }

  /// Whether the value can be computed from others that are kept, from the
  /// counter and from values outside of the loop, where no product reads the
  /// result of another one, or an array that is sliced at another index.
  /// Products of exponentials do not count. Without `isSliced`, only
  /// values that the loop stores are read. `seen` has the values that were
  /// looked at before a product and after one.
  bool canCompute(Value value, bool hasProduct, bool isSliced,
                  llvm::SmallPtrSet<Value, 32> (&seen)[2]) {
    if (isRead(value) &&
        (isSliced || !llvm::is_contained(llvm::make_first_range(parts), value)))
      return true;
    if (value == counter)
      return !isReversed;
    Operation *op = value.getDefiningOp();
    if (!op && value.getParentRegion() == &loop->getRegion(1))
      return isSliced && getCarriedUnchanged(value);
    if (!isInBody(op))
      return true;
    bool multiplies = isStableHLO(op, "dot_general") && !mixes(op);
    if (!isCopied(op) || (multiplies && hasProduct) ||
        (isStableHLO(op, "dynamic_slice") && (hasProduct || !isSliced)))
      return false;
    hasProduct |= multiplies;
    return !seen[hasProduct].insert(value).second ||
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return canCompute(operand, hasProduct, isSliced, seen);
           });
  }
};

/// Copies values of the writer's body to a loop that reads what it keeps.
struct Copier {
  Writer &writer;
  /// The writer's iteration in an iteration of the reader.
  Value index;
  Value zero;
  OpBuilder b;
  IRMapping mapping;

  /// Copies values to where `index` is known, in the reader's block `body`.
  Copier(Writer &writer, Value index, Block &body)
      : writer(writer), index(index), b(&body, body.begin()) {
    if (Operation *op = index.getDefiningOp(); op && op->getBlock() == &body)
      b.setInsertionPointAfter(op);
    Attribute value = b.getZeroAttr(index.getType());
    zero = create("stablehlo.constant", {}, index.getType(),
                  b.getNamedAttr("value", value));
  }

  Value get(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value result = make(value);
    mapping.map(value, result);
    return result;
  }

  Value make(Value value) {
    if (writer.isRead(value))
      return read(value, writer.kept.lookup(value));
    if (value == writer.counter)
      return index;
    if (Value outer = getCarriedUnchanged(value))
      return outer;
    Operation *op = value.getDefiningOp();
    if (!writer.isInBody(op))
      return value;
    for (Value operand : op->getOperands())
      get(operand);
    return b.clone(*op, mapping)->getResult(0);
  }

  /// Reads the element of a kept array that belongs to the value.
  Value read(Value value, Value array) {
    auto type = cast<RankedTensorType>(array.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes[0] = 1;
    SmallVector<Value> operands = {array, index};
    operands.append(type.getRank() - 1, zero);
    Value part =
        create("stablehlo.dynamic_slice", operands, type.clone(sizes),
               b.getNamedAttr("slice_sizes", b.getDenseI64ArrayAttr(sizes)));
    return create("stablehlo.reshape", part, value.getType());
  }

  Value create(StringRef name, ValueRange operands, Type type,
               ArrayRef<NamedAttribute> attributes = {}) {
    OperationState state(index.getLoc(), name, operands, type, attributes);
    return b.create(state)->getResult(0);
  }
};

/// The slices of a loop's body that read kept values at one index, which is an
/// iteration of the writer in each iteration of the reader. Returns none if no
/// value is to be computed once more.
SmallVector<std::pair<Operation *, Value>> findSlices(Operation *reader,
                                                      Writer &writer) {
  SmallVector<std::pair<Operation *, Value>> slices;
  Value counter;
  auto count = getCount(reader, counter);
  if (!count || *count > kMostIterations)
    return slices;
  auto isInRange = [&](Value index, Value same) {
    if (index.getType() != writer.counter.getType())
      return false;
    for (int64_t i = 0; i < *count; ++i) {
      std::optional<int64_t> at = evaluate(index, counter, i);
      if (!at || *at < 0 || *at >= writer.count ||
          at != evaluate(same, counter, i))
        return false;
    }
    return true;
  };
  for (Operation &op : reader->getRegion(1).front()) {
    if (!isStableHLO(&op, "dynamic_slice") || op.getNumOperands() < 3 ||
        !isElementOf(op.getResult(0), op.getOperand(0)) ||
        !areZero(op.getOperands().drop_front(2)))
      continue;
    Operation *first = slices.empty() ? &op : slices.front().first;
    for (auto &[value, array] : writer.kept)
      if (array == op.getOperand(0) &&
          isInRange(op.getOperand(1), first->getOperand(1)))
        slices.push_back({&op, value});
  }
  if (llvm::none_of(slices, [&](auto &slice) {
        return writer.isRecomputed(slice.second);
      }))
    slices.clear();
  return slices;
}
} // namespace

LoopResiduals::LoopResiduals(Operation *function) {
  SmallVector<std::unique_ptr<Writer>> writers;
  SmallVector<Operation *> loops;
  function->walk([&](Operation *op) {
    if (!isLoop(op))
      return;
    loops.push_back(op);
    writers.push_back(std::make_unique<Writer>(op));
  });
  for (Operation *loop : loops) {
    Reader reader{loop, {}, {}, nullptr};
    SmallVector<Value> all;
    for (auto &writer : writers) {
      if (writer->loop->getBlock() != loop->getBlock() ||
          !writer->loop->isBeforeInBlock(loop))
        continue;
      writer->findKept(loop);
      auto slices = findSlices(loop, *writer);
      if (slices.empty())
        continue;
      reader.writers.insert(writer->loop);
      Copier copier(*writer, slices.front().first->getOperand(1),
                    loop->getRegion(1).front());
      for (auto [slice, value] : slices) {
        Value old = slice->getResult(0);
        Value computed = copier.create("stablehlo.reshape", copier.get(value),
                                       old.getType());
        old.replaceAllUsesWith(computed);
        reader.slices.push_back(slice);
        all.push_back(computed);
      }
    }
    if (all.empty())
      continue;
    OpBuilder b(&loop->getRegion(1).front().back());
    OperationState state(loop->getLoc(), "attn_raise.keep", all, TypeRange());
    reader.computed = b.create(state);
    readers.push_back(std::move(reader));
  }
}

void LoopResiduals::finish() {
  llvm::SetVector<Operation *> unused, changed;
  // Loops drop what they carry before the loops that write it.
  for (Reader &reader : llvm::reverse(readers)) {
    bool isRaised =
        !reader.loop->getRegion(1).getOps<AttentionBackwardOp>().empty();
    for (auto [slice, value] :
         llvm::zip(reader.slices, reader.computed->getOperands())) {
      if (!isRaised)
        value.replaceAllUsesExcept(slice->getResult(0), reader.computed);
      unused.insert(value.getDefiningOp());
      unused.insert(slice);
    }
    reader.computed->erase();
    if (!isRaised)
      continue;
    changed.insert(reader.loop);
    changed.insert(reader.writers.begin(), reader.writers.end());
  }
  eraseUnused(unused);
  unused.clear();
  for (Operation *loop : changed)
    dropCarried(loop, unused);
  eraseUnused(unused);
}
