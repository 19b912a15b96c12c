//===- MmaOps.cpp - MMAs --------------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedTiles.h"

#include "attn/Support/ElementDType.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Whether the sums of mma.sync for the op, whose operands have 8 bits, lose
/// low bits. They do outside of kernels, where no chip is known.
bool cutsSums(DotOp op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return !kernel || kernel.getChip().multipliesFloat8();
}

/// The operand types and transpositions of a matrix product, attn_tile.dot or
/// attn_gpu.mma, and how its sums are rounded.
struct MmaShape {
  explicit MmaShape(DotOp op)
      : lhs(op.getLhs().getType()), rhs(op.getRhs().getType()),
        result(op.getResult().getType()), transposesLhs(op.getTransposeLhs()),
        transposesRhs(op.getTransposeRhs()),
        isCut(isFloat8(lhs.getElementType()) && cutsSums(op)),
        isExact(op.getExact()) {}
  explicit MmaShape(MmaOp op)
      : lhs(op.getLhs().getType()), rhs(op.getRhs().getType()),
        result(op.getResult().getType()), transposesLhs(op.getTransposeLhs()),
        transposesRhs(op.getTransposeRhs()),
        isCut(isFloat8(lhs.getElementType())) {}

  int64_t getDepth() const { return lhs.getDimSize(transposesLhs ? 0 : 1); }
  /// Returns the part of the left operand that an MMA reads to compute the part
  /// `part` of its result.
  Part getLhsPart(const Part &part) const {
    if (transposesLhs)
      return {0, getDepth(), part.firstRow, part.rows};
    return {part.firstRow, part.rows, 0, getDepth()};
  }
  Part getRhsPart(const Part &part) const {
    if (transposesRhs)
      return {part.firstColumn, part.columns, 0, getDepth()};
    return {0, getDepth(), part.firstColumn, part.columns};
  }

  RankedTensorType lhs, rhs, result;
  bool transposesLhs = false, transposesRhs = false;
  /// Whether the operands have 8 bits and the MMA's sums lose low bits, which
  /// addCut() models.
  bool isCut = false;
  /// Whether addCut() adds the products of this MMA to zeros, so that the
  /// accumulator loses no bits: the sum of the products is then added to the
  /// accumulator in f32.
  bool isExact = false;
};

/// Returns the part `part` of the operand `tile`, in row-major order: from
/// registers or, if `registers` is null, from shared memory.
std::vector<float> getOperand(Agent &agent, int64_t warp, RankedTensorType tile,
                              const Part &part, const Tile &registers,
                              const SharedTile &shared) {
  if (!registers)
    return readPart(*agent.cta, agent.simulation.getSharedLayout(tile), shared,
                    part);
  const TileLayout &layout = *agent.simulation.getLayout(tile);
  std::vector<float> elements(part.rows * part.columns);
  for (int64_t i = 0; i < layout.getSize(); ++i)
    elements[(layout.get(0, warp, i) - part.firstRow) * part.columns +
             layout.get(1, warp, i) - part.firstColumn] = registers->floats[i];
  return elements;
}

/// Adds to `sums` the products of row `a` with each column of `b`, rounded as
/// wgmma on 8 bits rounds them (measured on an H100). For each 32 products,
/// wgmma truncates them and the sum so far to multiples of 2^(e - 13), where e
/// is the exponent of the largest of them, and adds them exactly. If one of
/// them is infinite or NaN, they are added in f32. The mma.sync of other chips
/// is assumed to round in the same way.
void addCut(llvm::ArrayRef<float> a, llvm::ArrayRef<float> b,
            llvm::MutableArrayRef<float> sums) {
  constexpr int64_t kStep = 32;
  constexpr int kKept = 13;
  int64_t columns = sums.size(), depth = a.size();
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t first = 0; first < depth; first += kStep) {
      float terms[kStep + 1] = {sums[column]};
      float largest = std::fabs(sums[column]);
      int64_t count = std::min(kStep, depth - first);
      for (int64_t k = 0; k < count; ++k) {
        terms[k + 1] = a[first + k] * b[(first + k) * columns + column];
        largest = std::max(largest, std::fabs(terms[k + 1]));
      }
      if (largest == 0)
        continue;
      if (std::isfinite(largest)) {
        // The unit 2^(e - 13), to multiples of which terms are truncated, is a
        // double, since it can be below the smallest number of f32.
        double unit = std::ldexp(1.0, std::ilogb(largest) - kKept), sum = 0;
        for (int64_t k = 0; k <= count; ++k)
          sum += std::trunc(terms[k] / unit);
        sums[column] = sum * unit;
        continue;
      }
      float sum = 0;
      for (int64_t k = 0; k <= count; ++k)
        sum += terms[k];
      sums[column] = sum;
    }
}

/// Computes the part of an MMA, accumulator + lhs * rhs, that warp `warp` holds
/// in the layout of the result. Returns the warp's elements of the result.
Tile multiply(Agent &agent, int64_t warp, const MmaShape &shape,
              const Tile &lhs, const SharedTile &sharedLhs, const Tile &rhs,
              const SharedTile &sharedRhs, const Tile &accumulator) {
  const TileLayout &layout = *agent.simulation.getLayout(shape.result);
  Part part = getPart(layout, warp);
  int64_t depth = shape.getDepth();
  std::vector<float> a = getOperand(agent, warp, shape.lhs,
                                    shape.getLhsPart(part), lhs, sharedLhs);
  if (shape.transposesLhs)
    a = transpose(a, depth, part.rows);
  std::vector<float> b = getOperand(agent, warp, shape.rhs,
                                    shape.getRhsPart(part), rhs, sharedRhs);
  if (shape.transposesRhs)
    b = transpose(b, part.columns, depth);
  auto index = [&](int64_t i) {
    return (layout.get(0, warp, i) - part.firstRow) * part.columns +
           layout.get(1, warp, i) - part.firstColumn;
  };
  std::vector<float> c(part.rows * part.columns);
  for (int64_t i = 0; i < layout.getSize(); ++i)
    c[index(i)] = accumulator->floats[i];
  for (int64_t row = 0; row < part.rows; ++row) {
    llvm::MutableArrayRef<float> sums =
        llvm::MutableArrayRef(c).slice(row * part.columns, part.columns);
    if (shape.isCut) {
      auto factors = llvm::ArrayRef(a).slice(row * depth, depth);
      if (!shape.isExact) {
        addCut(factors, b, sums);
        continue;
      }
      std::vector<float> products(part.columns);
      addCut(factors, b, products);
      for (auto [sum, product] : llvm::zip(sums, products))
        sum += product;
      continue;
    }
    for (int64_t k = 0; k < depth; ++k) {
      float factor = a[row * depth + k];
      const float *terms = b.data() + k * part.columns;
      for (int64_t column = 0; column < part.columns; ++column)
        sums[column] += factor * terms[column];
    }
  }
  auto registers = std::make_shared<Registers>();
  for (int64_t i = 0; i < layout.getSize(); ++i)
    registers->floats.push_back(c[index(i)]);
  return registers;
}

/// The operands of an MMA as one warp has them, each in registers or in shared
/// memory. `unfinished` is the MMA that computes the accumulator, if the warp
/// has not waited for it.
struct Operands {
  Tile lhs, rhs, accumulator;
  std::shared_ptr<Mma> unfinished;
  SharedTile sharedLhs, sharedRhs;
};

/// Whether mma.sync can read the right operand from registers beside a result
/// of the layout `result`.
bool isRightInRegisters(const MmaShape &shape, MmaLayoutAttr result) {
  Attribute encoding = shape.rhs.getEncoding();
  if (auto right = dyn_cast_or_null<RightLayoutAttr>(encoding))
    return !shape.transposesRhs && right.getParent() == result;
  auto alongK = dyn_cast_or_null<MmaLayoutAttr>(encoding);
  return alongK && shape.transposesRhs && result.getWarpsM() == 1 &&
         alongK == result.getOfRight(alongK.getColumns());
}

template <typename Op> FailureOr<Operands> getOperands(Agent &agent, Op op) {
  MmaShape shape(op);
  Operands operands;
  const TileLayout *layout = agent.simulation.getLayout(shape.result);
  auto encoding = dyn_cast_or_null<MmaLayoutAttr>(shape.result.getEncoding());
  bool readsRegisters = isa<DotOp>(op.getOperation()) && encoding &&
                        isRightInRegisters(shape, encoding);
  if (!layout || !layout->hasWarp(agent.warp) ||
      (!isShared(shape.rhs) && !readsRegisters))
    return agent.misfit(op,
                        "expected a result in registers of the calling warps "
                        "and a right operand in shared memory, or in registers "
                        "for mma.sync");
  if (!isShared(shape.lhs) &&
      (!encoding ||
       shape.lhs.getEncoding() !=
           Attribute(encoding.getOfLeft(shape.lhs, shape.rhs)) ||
       shape.transposesLhs))
    return agent.misfit(op, "expected a left operand in shared memory, or rows "
                            "of the result");
  // Sets `target` to the run-time content of an operand.
  auto take = [&](Value operand, auto &target) {
    auto *found = agent.get<std::decay_t<decltype(target)>>(op, operand);
    if (found)
      target = *found;
    return found != nullptr;
  };
  auto *mma =
      std::get_if<std::shared_ptr<Mma>>(&agent.get(op.getAccumulator()));
  if (mma && isa<MmaOp>(op.getOperation()))
    operands.unfinished = *mma;
  else if (!take(op.getAccumulator(), operands.accumulator))
    return failure();
  if (failed(agent.checkWholeWarp(op)) ||
      !(isShared(shape.rhs) ? take(op.getRhs(), operands.sharedRhs)
                            : take(op.getRhs(), operands.rhs)) ||
      !(isShared(shape.lhs) ? take(op.getLhs(), operands.sharedLhs)
                            : take(op.getLhs(), operands.lhs)))
    return failure();
  if (failed(agent.checkHeld(op, operands.sharedLhs)) ||
      failed(agent.checkHeld(op, operands.sharedRhs)))
    return failure();
  return operands;
}

/// Records that `by` reads operands of an MMA in shared memory: those parts
/// from which warp `warp`'s part of the result is computed. If no pass has
/// chosen an operand's offset yet, its reads are not recorded.
LogicalResult noteReads(Agent &agent, Operation *op, const MmaShape &shape,
                        int64_t warp, const SharedTile &sharedLhs,
                        const SharedTile &rhs, const Accessor &by) {
  Simulation &simulation = agent.simulation;
  Part part = getPart(*simulation.getLayout(shape.result), warp);
  if (isShared(shape.lhs) && !sharedLhs.contents &&
      failed(notePart(agent, op, simulation.getSharedLayout(shape.lhs),
                      sharedLhs.offset, shape.getLhsPart(part), by,
                      /*isWrite=*/false)))
    return failure();
  if (!isShared(shape.rhs) || rhs.contents)
    return success();
  return notePart(agent, op, simulation.getSharedLayout(shape.rhs), rhs.offset,
                  shape.getRhsPart(part), by, /*isWrite=*/false);
}

/// Issues a warp's part of the next wgmma of its warpgroup, and returns that
/// wgmma. The wgmma begins when all four warps of the warpgroup have issued it,
/// and ends at a random later time, after the warpgroup's earlier ones. Reports
/// an error and returns null if the four warps issue different MMAs.
template <typename Op> std::shared_ptr<Mma> issue(Agent &agent, Op op) {
  // Each of the four warps of a warpgroup computes 16 of the 64 rows of a
  // wgmma.
  auto layout =
      dyn_cast_or_null<MmaLayoutAttr>(op.getResult().getType().getEncoding());
  if (!layout || !layout.isOfMma() ||
      layout.getWarpsM() % kWarpsPerGroup != 0 ||
      layout.getFirstWarp() % kWarpsPerGroup != 0 ||
      op.getResult().getType().getDimSize(0) !=
          kWarpgroupRows * layout.getWarpsM() / kWarpsPerGroup) {
    (void)agent.misfit(op, "expected a result of 64 rows for each warpgroup");
    return nullptr;
  }
  FailureOr<Operands> operands = getOperands(agent, op);
  if (failed(operands))
    return nullptr;
  MmaShape shape(op);
  std::shared_ptr<Cta> cta = agent.cta;
  int64_t group = agent.getWarpgroup(), own = agent.warp % kWarpsPerGroup;
  auto &mmas = cta->mmas[group];
  uint64_t number = agent.numMmas++;
  if (number == mmas.size()) {
    mmas.push_back(std::make_shared<Mma>());
    mmas.back()->op = op;
    mmas.back()->number = number;
    mmas.back()->sharedLhs = operands->sharedLhs;
    mmas.back()->rhs = operands->sharedRhs;
    mmas.back()->accumulator = operands->unfinished;
  }
  std::shared_ptr<Mma> mma = mmas[number];
  if (mma->op != op.getOperation() ||
      mma->rhs.offset != operands->sharedRhs.offset ||
      mma->sharedLhs.offset != operands->sharedLhs.offset) {
    (void)agent.fail(op,
                     agent.getName() + " issues another MMA than the other "
                                       "warps of its warpgroup",
                     mma->op, "they issued this one");
    return nullptr;
  }
  Mma::Part &part = mma->parts[own];
  part.isIssued = true;
  part.lhs = operands->lhs;
  part.accumulator = operands->accumulator;
  mma->clock.join(agent.release());
  if (++mma->numIssued < kWarpsPerGroup)
    return mma;

  // MMAs of a warpgroup end in the order in which they began. The new MMA is
  // therefore ordered after the warpgroup's previous MMA, and ends only when
  // that one has ended.
  std::shared_ptr<Mma> before =
      number ? mmas[number - 1] : std::shared_ptr<Mma>();
  if (before)
    mma->clock.join(before->clock);
  Accessor engine{cta->takeEngine(mma->clock), mma->clock, /*isAsync=*/true};
  for (int64_t i = 0; i < kWarpsPerGroup; ++i)
    if (failed(noteReads(agent, op, shape, group * kWarpsPerGroup + i,
                         mma->sharedLhs, mma->rhs, engine)))
      return nullptr;
  agent.simulation.scheduler.post(
      [before] { return !before || before->isDone; },
      [cta, mma, shape, group] {
        Agent engine(cta, /*warp=*/group * kWarpsPerGroup, /*outer=*/nullptr);
        for (int64_t i = 0; i < kWarpsPerGroup; ++i) {
          Mma::Part &part = mma->parts[i];
          // If another MMA computes the accumulator, that MMA has ended, too,
          // since the warpgroup issued it earlier.
          if (mma->accumulator)
            part.accumulator = mma->accumulator->parts[i].result;
          part.result = multiply(engine, group * kWarpsPerGroup + i, shape,
                                 part.lhs, mma->sharedLhs, /*rhs=*/nullptr,
                                 mma->rhs, part.accumulator);
          part.lhs = part.accumulator = nullptr;
        }
        mma->accumulator = nullptr;
        mma->isDone = true;
      });
  return mma;
}

/// Waits until all MMAs that the warpgroup has issued have ended, except the
/// `pending` newest ones. Sets `result` to the calling warp's part of the
/// result of `mma`. Fails with an error if `mma` is one of the `pending` newest
/// MMAs, since its result may not be complete.
LogicalResult finish(Agent &agent, Operation *op, uint64_t pending,
                     const std::shared_ptr<Mma> &mma, Value result) {
  uint64_t ended = agent.numMmas - std::min(pending, agent.numMmas);
  if (mma->number >= ended)
    return agent.fail(
        op,
        "waits until " + Twine(pending) +
            " MMAs are unfinished, of which its own may be one: " +
            Twine(agent.numMmas - mma->number - 1) + " began after it",
        mma->op, "it began here");
  auto &mmas = agent.cta->mmas[agent.getWarpgroup()];
  std::shared_ptr<Mma> last = mmas[ended - 1];
  if (failed(agent.wait(
          op, [last] { return last->isDone; },
          [last] {
            return last->numIssued < kWarpsPerGroup
                       ? "waits for an MMA that " +
                             std::to_string(last->numIssued) +
                             " of 4 warps have issued"
                       : std::string("waits for an MMA");
          })))
    return failure();
  agent.clock.join(last->clock);
  agent.numEndedMmas = std::max(agent.numEndedMmas, ended);
  agent.set(result, mma->parts[agent.warp % kWarpsPerGroup].result);
  return success();
}

LogicalResult runMma(Agent &agent, MmaOp op) {
  std::shared_ptr<Mma> mma = issue(agent, op);
  if (!mma)
    return failure();
  agent.set(op.getResult(), mma);
  return success();
}

LogicalResult runMmaWait(Agent &agent, MmaWaitOp op) {
  auto *mma = std::get_if<std::shared_ptr<Mma>>(&agent.get(op.getMma()));
  if (!mma)
    return agent.fail(op, "expected the result of an attn_gpu.mma");
  return finish(agent, op, op.getPending(), *mma, op.getResult());
}

/// Runs an attn_tile.dot of tiles without layouts, which one agent holds whole.
LogicalResult runWholeDot(Agent &agent, DotOp op) {
  MmaShape shape(op);
  const Tile *lhs = agent.get<Tile>(op, op.getLhs()),
             *rhs = agent.get<Tile>(op, op.getRhs()),
             *accumulator = agent.get<Tile>(op, op.getAccumulator());
  if (!lhs || !rhs || !accumulator)
    return failure();
  int64_t depth = shape.getDepth(), rows = shape.result.getDimSize(0),
          columns = shape.result.getDimSize(1);
  std::vector<float> a = (*lhs)->floats, b = (*rhs)->floats;
  if (shape.transposesLhs)
    a = transpose(a, depth, rows);
  if (shape.transposesRhs)
    b = transpose(b, columns, depth);
  auto registers = std::make_shared<Registers>();
  registers->floats = (*accumulator)->floats;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t column = 0; column < columns; ++column)
        registers->floats[row * columns + column] +=
            a[row * depth + k] * b[k * columns + column];
  agent.set(op.getResult(), Tile(std::move(registers)));
  return success();
}

/// Runs an attn_tile.dot: computes the calling warp's part of the product, as
/// mma.sync does, or the whole product if no operand and result has a layout.
LogicalResult runDot(Agent &agent, DotOp op) {
  MmaShape shape(op);
  if (!shape.result.getEncoding() && !shape.lhs.getEncoding() &&
      !shape.rhs.getEncoding())
    return runWholeDot(agent, op);
  FailureOr<Operands> operands = getOperands(agent, op);
  if (failed(operands) ||
      failed(noteReads(agent, op, shape, agent.warp, operands->sharedLhs,
                       operands->sharedRhs, agent.getAccessor())))
    return failure();
  agent.set(op.getResult(),
            multiply(agent, agent.warp, shape, operands->lhs,
                     operands->sharedLhs, operands->rhs, operands->sharedRhs,
                     operands->accumulator));
  return success();
}

} // namespace

void sim::addMmaOps(Handlers &handlers) {
  handlers.add<MmaOp>(runMma);
  handlers.add<MmaWaitOp>(runMmaWait);
  handlers.add<DotOp>(runDot);
}
