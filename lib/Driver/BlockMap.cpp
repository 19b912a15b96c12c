//===- BlockMap.cpp - Blocks that an attention op visits ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/BlockMap.h"

#include "attn/Conversion/MaskBlocks.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Driver/SilentFailures.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Host.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Evaluates scalars of a tile program at one point of the program's grid, from
/// the values that are bound to the function's arguments.
class Program {
public:
  Program(attn_tile::DomainOp domain, ArrayRef<Binding> bindings)
      : domain(domain), grid(domain->getParentOfType<attn_tile::GridOp>()),
        bindings(bindings) {}

  void setPoint(ArrayRef<int64_t> values) {
    point.assign(values.begin(), values.end());
    rows.clear();
  }
  /// Sets the range of rows for which the region of the attn_tile.domain is
  /// evaluated.
  void setRows(int64_t first, int64_t last) { rows = {first, last}; }

  FailureOr<int64_t> evaluate(Value value) const {
    auto found =
        evaluateScalar(value, [this](Value known) { return lookup(known); });
    if (failed(found))
      return failure();
    return found->i;
  }

private:
  std::optional<ScalarValue> lookup(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return lookupArgument(argument);
    Operation *op = value.getDefiningOp();
    if (auto gather = dyn_cast<attn_tile::GatherOp>(op))
      return read(gather);
    if (!isa<memref::DimOp>(op))
      return std::nullopt;
    const ArrayView *array = getArray(op->getOperand(0));
    FailureOr<int64_t> dim = evaluate(op->getOperand(1));
    if (!array || failed(dim) || *dim < 0 || *dim >= array->getRank())
      return std::nullopt;
    return ScalarValue::getInt(array->sizes[*dim]);
  }

  std::optional<ScalarValue> lookupArgument(BlockArgument argument) const {
    Operation *owner = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (owner == domain && number < rows.size())
      return ScalarValue::getInt(rows[number]);
    if (owner == grid && number < point.size())
      return ScalarValue::getInt(point[number]);
    if (isa<FunctionOpInterface>(owner) && number < bindings.size())
      return bindings[number].scalar;
    return std::nullopt;
  }

  const ArrayView *getArray(Value value) const {
    while (auto cast = value.getDefiningOp<memref::CastOp>())
      value = cast.getSource();
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument ||
        !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) ||
        argument.getArgNumber() >= bindings.size())
      return nullptr;
    const Binding &binding = bindings[argument.getArgNumber()];
    return binding.array ? &*binding.array : nullptr;
  }

  std::optional<ScalarValue> read(attn_tile::GatherOp gather) const {
    const ArrayView *array = getArray(gather.getSource());
    if (!array)
      return std::nullopt;
    SmallVector<int64_t> place;
    for (auto [index, size] :
         llvm::zip_equal(gather.getIndices(), array->sizes)) {
      FailureOr<int64_t> found = evaluate(index);
      if (failed(found))
        return std::nullopt;
      place.push_back(std::max<int64_t>(0, std::min(*found, size - 1)));
    }
    double element = array->getNumElements() ? array->load(place) : 0;
    return isInteger(array->dtype)
               ? ScalarValue::getInt(static_cast<int64_t>(element))
               : ScalarValue::getFloat(element);
  }

  Operation *domain, *grid;
  ArrayRef<Binding> bindings;
  SmallVector<int64_t> point, rows;
};
} // namespace

/// Lowers the module to tile programs with tiles of `tileQ` rows and `tileKv`
/// keys. Returns the op that says which blocks of keys the only program over
/// scores visits, attn_tile.domain or attn_tile.domain_list. Fails if there is
/// not exactly one such program.
static FailureOr<Operation *> lowerToDomain(ModuleOp module, int64_t tileQ,
                                            int64_t tileKv) {
  MLIRContext *context = module.getContext();
  auto tiles =
      TilesAttr::getChecked([&] { return emitError(module.getLoc()); }, context,
                            tileQ, tileKv, /*split_kv=*/false);
  if (!tiles)
    return failure();
  module.walk([&](AttentionInterface op) { op.setScheduleAttr(tiles); });
  PassManager pm(context);
  reportSilentFailures(pm);
  buildAttnToTilePipeline(pm, TilePipelineOptions());
  pm.addPass(createLowerAffinePass());
  if (failed(pm.run(module)))
    return failure();
  SmallVector<Operation *> domains, lists;
  module.walk([&](attn_tile::DomainOp op) { domains.push_back(op); });
  module.walk([&](attn_tile::DomainListOp op) { lists.push_back(op); });
  // If the program visits blocks from lists in memory, it has an
  // attn_tile.domain_list. Each attn_tile.domain is then in another program,
  // which makes the lists. The domain_list is taken in that case, and the
  // domain otherwise.
  ArrayRef<Operation *> found = lists.empty() ? domains : lists;
  if (found.size() != 1 || !found[0]->getParentOfType<attn_tile::GridOp>())
    return module.emitError("expected an op with one program over blocks, "
                            "found ")
           << found.size();
  return found[0];
}

/// Returns the workspace of which the memref `list` is a view, or null if there
/// is none.
static attn_tile::WorkspaceOp getMemory(Value list) {
  while (Operation *op = list.getDefiningOp()) {
    if (auto workspace = dyn_cast<attn_tile::WorkspaceOp>(op))
      return workspace;
    if (!isa<memref::SubViewOp, memref::CastOp>(op))
      return {};
    list = op->getOperand(0);
  }
  return {};
}

namespace {
/// Runs the tile programs that make lists of blocks, and reads the lists.
class BlockListRun {
public:
  explicit BlockListRun(attn_tile::DomainListOp domain) : domain(domain) {}

  /// Removes the tile program that reads the lists of blocks from `module`, and
  /// runs the rest of the entry function on the host, with the arguments that
  /// `execution` holds. The tile programs that make the lists then write them
  /// to this object's memory.
  LogicalResult run(ModuleOp module, const EntryPoint &entry,
                    Execution &execution, const BlockMap &map);
  /// Sets the kinds (full or partial) of the blocks in one list: that of the
  /// row of blocks number `row` of head `h` in batch entry `b`. The kinds of
  /// other blocks stay as they are.
  void get(int64_t b, int64_t h, int64_t row,
           MutableArrayRef<BlockMap::Kind> kinds) const;

private:
  struct Memory {
    std::vector<int64_t> sizes, words;
    std::vector<int32_t> elements;

    int32_t at(ArrayRef<int64_t> place) const {
      int64_t number = 0;
      for (auto [index, size] : llvm::zip(place, sizes))
        number = number * size + std::min(index, size - 1);
      return elements[number];
    }
  };
  void prepare(Memory &memory, MemRefType type, ArrayRef<int64_t> sizes);

  attn_tile::DomainListOp domain;
  Memory blocks, partial, counts;
};
} // namespace

void BlockListRun::prepare(Memory &memory, MemRefType type,
                           ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (auto [known, size] : llvm::zip_equal(type.getShape(), sizes))
    memory.sizes.push_back(ShapedType::isDynamic(known) ? size : known);
  std::vector<int64_t> strides;
  for (int64_t size : llvm::reverse(memory.sizes)) {
    strides.insert(strides.begin(), count);
    count *= size;
  }
  memory.elements.assign(std::max<int64_t>(count, 1), -1);
  auto address = reinterpret_cast<intptr_t>(memory.elements.data());
  memory.words = {address, address, 0};
  llvm::append_range(memory.words, memory.sizes);
  llvm::append_range(memory.words, strides);
}

LogicalResult BlockListRun::run(ModuleOp module, const EntryPoint &entry,
                                Execution &execution, const BlockMap &map) {
  std::string name = func::FuncOp(entry.func).getName().str();
  auto function = module.lookupSymbol<func::FuncOp>(name);
  auto count = domain.getCount().getDefiningOp<arith::IndexCastOp>();
  auto load = count ? count.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
  attn_tile::WorkspaceOp memories[] = {
      getMemory(domain.getBlocks()), getMemory(domain.getPartial()),
      load ? getMemory(load.getMemRef()) : attn_tile::WorkspaceOp()};
  if (!function || !llvm::all_of(memories, [](auto m) { return bool(m); }))
    return domain.emitOpError("the lists are not made by the same function");
  SmallVector<void *> args = execution.getHostArguments();
  // The tile program that reads the lists of blocks is removed, since only the
  // lists are wanted.
  domain->getParentOfType<attn_tile::GridOp>().erase();
  Memory *own[] = {&blocks, &partial, &counts};
  for (auto [workspace, memory] : llvm::zip(memories, own)) {
    bool isCount = memory == &counts;
    prepare(*memory, workspace.getType(),
            {map.batch, map.heads, map.numRows, isCount ? 1 : map.numKeys});
    args.push_back(memory->words.data());
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, workspace.getType(), {},
                                       workspace.getLoc())))
      return failure();
    workspace.replaceAllUsesWith(Value(function.getArgument(number)));
    workspace.erase();
  }
  PassManager pm(module.getContext());
  reportSilentFailures(pm);
  buildTileToHostPipeline(pm);
  if (failed(pm.run(module)))
    return failure();
  auto program = HostProgram::create(module, /*cpu=*/"");
  if (!program)
    return module.emitError(llvm::toString(program.takeError()));
  auto call = (*program)->lookup(name);
  if (!call)
    return module.emitError(llvm::toString(call.takeError()));
  if (const char *message = (*call)(args.data()))
    return module.emitError(message);
  return success();
}

void BlockListRun::get(int64_t b, int64_t h, int64_t row,
                       MutableArrayRef<BlockMap::Kind> kinds) const {
  int64_t count = counts.at({b, h, row, 0});
  for (int64_t i = 0; i < count; ++i)
    kinds[blocks.at({b, h, row, i})] = partial.at({b, h, row, i})
                                           ? BlockMap::Kind::Partial
                                           : BlockMap::Kind::Full;
}

/// Returns, for each pair of row and key of one batch entry and head, whether
/// the masks keep the pair. Pairs are in row-major order.
static std::vector<bool> evaluateMask(const AttentionProblem &p, int64_t b,
                                      int64_t h) {
  int64_t rows = p.query.sizes[2], keys = p.key.sizes[2];
  std::vector<bool> kept(rows * keys);
  std::vector<double> scores(keys);
  int64_t shift = p.alignment == DiagonalAlignment::BottomRight
                      ? p.lengthKv - p.lengthQuery
                      : 0;
  for (int64_t i = 0; i < rows; ++i) {
    llvm::fill(scores, 0.0);
    int64_t row = i + p.origin[2];
    if (p.mask)
      p.mask->maskRow(b + p.origin[0], h + p.origin[1], row, p.origin[3],
                      scores);
    for (int64_t j = 0; j < keys; ++j) {
      int64_t key = j + p.origin[3], distance = key - row - shift;
      bool isKept = scores[j] == 0 && row < p.lengthQuery && key < p.lengthKv;
      if (p.hasMask)
        isKept &= (!p.causal || distance <= 0) &&
                  (!p.left || distance >= -*p.left) &&
                  (!p.right || distance <= *p.right);
      kept[i * keys + j] = isKept;
    }
  }
  return kept;
}

/// Evaluates the masks at each pair of row and key of one head. Counts the
/// blocks whose derived kind (skipped, partial or full) is wrong, and those
/// whose kind is correct but not the best possible.
static void compareWithMask(BlockMap &map, const AttentionProblem &problem,
                            int64_t b, int64_t h) {
  int64_t rows = problem.query.sizes[2], keys = problem.key.sizes[2];
  std::vector<bool> kept = evaluateMask(problem, b, h);
  for (int64_t row = 0; row < map.numRows; ++row)
    for (int64_t key = 0; key < map.numKeys; ++key) {
      bool some = false, all = true;
      for (int64_t i = row * map.tileQ;
           i < std::min(rows, (row + 1) * map.tileQ); ++i)
        for (int64_t j = key * map.tileKv;
             j < std::min(keys, (key + 1) * map.tileKv); ++j) {
          some |= kept[i * keys + j];
          all &= kept[i * keys + j];
        }
      BlockMap::Kind kind = map.get(b, h, row, key);
      map.wronglySkipped += kind == BlockMap::Kind::Skipped && some;
      map.wronglyFull += kind == BlockMap::Kind::Full && !all;
      // A last block with fewer keys than the others is always partial, so
      // partial is also its best possible kind.
      all &= (key + 1) * map.tileKv <= keys;
      map.emptyPartial += kind != BlockMap::Kind::Skipped && !some;
      map.fullPartial += kind == BlockMap::Kind::Partial && all;
    }
}

/// Evaluates the domain at a point of the grid, which gives the kinds of one
/// row of blocks. Blocks that the domain skips keep their kinds. Blocks within
/// the range that is full become Full if `mayFill`, and the other visited
/// blocks Partial. Fails if the domain cannot be evaluated.
static LogicalResult evaluateRow(attn_tile::DomainOp domain,
                                 ArrayRef<Binding> bindings,
                                 ArrayRef<int64_t> point, int64_t tileKv,
                                 bool mayFill,
                                 MutableArrayRef<BlockMap::Kind> kinds) {
  auto yield = cast<attn_tile::DomainYieldOp>(
      domain.getColumns().front().getTerminator());
  Program program(domain, bindings);
  program.setPoint(point);
  auto get = [&](Value value) {
    return program.evaluate(value).value_or(INT64_MIN);
  };
  int64_t first = get(domain.getFirst()), last = get(domain.getLast());
  program.setRows(first, last);
  int64_t lo = get(yield.getLo()), hi = get(yield.getHi()),
          fullLo = get(yield.getFullLo()), fullHi = get(yield.getFullHi());
  if (llvm::is_contained({first, last, lo, hi, fullLo, fullHi}, INT64_MIN))
    return failure();
  for (auto [key, kind] : llvm::enumerate(kinds)) {
    int64_t from = key * tileKv, to = from + tileKv;
    bool isVisited = lo < hi && from < hi && to > lo;
    bool isFull = mayFill && from >= fullLo && to <= fullHi;
    if (isVisited)
      kind = isFull ? BlockMap::Kind::Full : BlockMap::Kind::Partial;
  }
  return success();
}

FailureOr<BlockMap> mlir::attn::deriveBlockMap(ModuleOp module,
                                               const EntryPoint &entry,
                                               Execution &execution,
                                               int64_t tileQ, int64_t tileKv) {
  if (entry.attentions.size() != 1 || !isa<AttentionOp>(entry.attentions[0].op))
    return module.emitError("expected an entry with one attn.attention and no "
                            "other attention op");
  SmallVector<Binding> bindings = execution.getBindings();
  AttentionInterface op = entry.attentions[0].op;
  auto built = buildProblem(op, bindings);
  if (failed(built))
    return failure();
  const AttentionProblem &problem = (*built)->problem;
  bool mayFill = mayMaskFillBlocks(op);

  OwningOpRef<ModuleOp> copy = module.clone();
  FailureOr<Operation *> domain = lowerToDomain(*copy, tileQ, tileKv);
  if (failed(domain))
    return failure();

  ArrayRef<int64_t> q = problem.query.sizes;
  BlockMap map;
  map.tileQ = tileQ;
  map.tileKv = tileKv;
  map.batch = q[0];
  map.heads = q[1];
  map.numRows = llvm::divideCeil(q[2], tileQ);
  map.numKeys = llvm::divideCeil(problem.key.sizes[2], tileKv);
  map.kinds.assign(map.batch * map.heads * map.numRows * map.numKeys,
                   BlockMap::Kind::Skipped);
  std::optional<BlockListRun> lists;
  if (auto list = dyn_cast<attn_tile::DomainListOp>(*domain)) {
    lists.emplace(list);
    if (failed(lists->run(*copy, entry, execution, map)))
      return failure();
  }
  MutableArrayRef<BlockMap::Kind> rest(map.kinds);
  for (int64_t b = 0; b < map.batch; ++b)
    for (int64_t h = 0; h < map.heads; ++h) {
      for (int64_t row = 0; row < map.numRows; ++row) {
        MutableArrayRef<BlockMap::Kind> kinds = rest.take_front(map.numKeys);
        rest = rest.drop_front(map.numKeys);
        if (lists)
          lists->get(b, h, row, kinds);
        else if (failed(evaluateRow(cast<attn_tile::DomainOp>(*domain),
                                    bindings, {b, h, row * tileQ}, tileKv,
                                    mayFill, kinds)))
          return op->emitError("the domain of its program cannot be evaluated");
      }
      compareWithMask(map, problem, b, h);
    }
  return map;
}

void BlockMap::print(raw_ostream &os, int64_t b, int64_t h) const {
  double total = std::max<size_t>(kinds.size(), 1);
  auto share = [&](Kind kind) {
    return 100.0 * llvm::count(kinds, kind) / total;
  };
  os << "blocks     " << kinds.size() << " of " << tileQ << "x" << tileKv
     << llvm::format(": %.1f %% skipped, %.1f %% full, %.1f %% partial\n",
                     share(Kind::Skipped), share(Kind::Full),
                     share(Kind::Partial))
     << "undecided  " << emptyPartial << " partial of which no pair counts, "
     << fullPartial << " partial of which all count\n";
  for (int64_t row = 0; row < numRows; ++row) {
    os << "  ";
    for (int64_t key = 0; key < numKeys; ++key)
      os << static_cast<char>(get(b, h, row, key));
    os << "\n";
  }
}
