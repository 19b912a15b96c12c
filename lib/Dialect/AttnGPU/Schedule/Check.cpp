//===- Check.cpp - Checks of schedules ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "CheckFields.h"
#include "CheckTiles.h"

#include "attn/Dialect/Attn/IR/GradientForm.h"
#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Dialect/Attn/IR/Pages.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Schedule/ProgramPlanner.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// An op with a schedule
//===----------------------------------------------------------------------===//

SmallVector<attn::NamedArray>
mlir::attn_gpu::getCopiedArrays(AttentionInterface op, CopyKind copy) {
  SmallVector<attn::NamedArray> arrays;
  bool isBackward = isa<attn::AttentionBackwardOp>(op.getOperation());
  for (const attn::NamedArray &array : op.getArrays()) {
    // Arrays of the op that are not copied to shared memory are left out: those
    // without a head dim (vectors of rows such as lse, integers such
    // as lengths), and the forward output, which gradients read once. Arrays of
    // results are copied from shared memory by TMA only.
    if (!array.hasHeadDim() || (array.name == "output" && !array.isOut))
      continue;
    // Programs of gradients read and write transposed copies of arrays whose
    // contiguous dimension is keys. The strides of the arrays themselves do not
    // matter then.
    if (isBackward &&
        attn::liesAlongKeys(cast<ShapedType>(array.value.getType())))
      continue;
    if (!array.isOut || copy == CopyKind::Tma)
      arrays.push_back(array);
  }
  if (Value pairs = copy == CopyKind::Tma ? getStreamedPairs(op) : Value())
    arrays.insert(arrays.begin() + (op.getValue() ? 3 : 2),
                  {"captured array", attn::ArrayKind::Capture, pairs});
  return arrays;
}

/// Whether static strides of the type place the beginning of some row at an
/// address that is not a multiple of kCopyBytes (16). If the array's contiguous
/// dimension is keys, its last two dimensions are swapped first. The stride of
/// a dimension of size 1 does not matter, since no second row uses it.
static bool hasUnfitStride(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<int64_t> shape(type.getShape());
  if (attn::liesAlongKeys(type)) {
    std::swap(strides[2], strides[3]);
    std::swap(shape[2], shape[3]);
  }
  int64_t bits = type.getElementTypeBitWidth();
  return llvm::any_of(
      llvm::zip(ArrayRef(shape).drop_back(), ArrayRef(strides).drop_back()),
      [&](auto pair) {
        auto [size, stride] = pair;
        return size != 1 && ShapedType::isStatic(stride) &&
               stride * bits % (8 * kCopyBytes) != 0;
      });
}

bool mlir::attn_gpu::mayStreamPairs(MemRefType type) {
  constexpr int64_t kMaxRank = 5;
  Type element = type.getElementType();
  return (element.isF16() || element.isBF16()) && type.getRank() <= kMaxRank &&
         type.getStridesAndOffset().first.back() == 1 && !hasUnfitStride(type);
}

Value mlir::attn_gpu::getStreamedPairs(AttentionInterface op) {
  if (!isa<attn::AttentionOp>(op.getOperation()) || !op.hasScore())
    return Value();
  for (auto read : op.getScore().front().getOps<attn::ReadOp>()) {
    unsigned number = cast<BlockArgument>(read.getArray()).getArgNumber() -
                      attn::kNumScoreArguments;
    Value array = op.getCaptures()[number];
    auto type = dyn_cast<MemRefType>(array.getType());
    if (type && read.isOfPairs() && mayStreamPairs(type))
      return array;
  }
  return Value();
}

/// Returns why `copy` cannot copy the op's arrays, or "" if it can. Copies of
/// single elements always can. cp.async and TMA cannot if a static stride, or
/// the first column of a value within the key, is not a multiple of 16 bytes.
/// If a value's contiguous dimension is keys, cp.async cannot copy packed
/// sequences; TMA can copy neither these nor sequences with lengths or pages,
/// nor more columns than a box has.
static std::string findUnfitArray(AttentionInterface op, CopyKind copy) {
  if (copy == CopyKind::Element)
    return "";
  for (const attn::NamedArray &array : getCopiedArrays(op, copy))
    if (auto type = dyn_cast<MemRefType>(array.value.getType());
        type && hasUnfitStride(type))
      return formatv("the type of the {0} has strides that are not multiples "
                     "of {1} bytes",
                     array.name, kCopyBytes);
  if (hasValueAlongKeys(op)) {
    constexpr int64_t kMostRows = 256;
    if (copy == CopyKind::CpAsync)
      return op.getPacked().empty()
                 ? ""
                 : "the value lies along keys, and a packed sequence may begin "
                   "at any key, not at a multiple of 16 bytes";
    auto forward = cast<attn::AttentionOp>(op.getOperation());
    if (!op.getPacked().empty() || op.getLengthArray(1) ||
        !forward.getLengths().empty() || forward.getPages())
      return "the value lies along keys, and TMA copies all of a column, past "
             "the length, too";
    if (op.getValueHeadDim() > kMostRows)
      return formatv("the value lies along keys, and a box of TMA has at most "
                     "{0} of its columns, not {1}",
                     kMostRows, op.getValueHeadDim());
  }
  // A value that consists of columns of the key is part of the key's copied
  // tile if it is whole panels of this tile. Otherwise the value is copied
  // separately, and its first column must begin at a multiple of 16 bytes.
  int64_t first = std::max<int64_t>(op.getFirstValueDim(), 0);
  int64_t bits = op.getKeyType().getElementTypeBitWidth();
  if (first * bits / 8 % kCopyBytes != 0)
    return formatv("the value begins at column {0} of the key, not at a "
                   "multiple of {1} bytes",
                   first, kCopyBytes);
  return "";
}

/// Returns why the computing warps cannot divide the columns of the op's tiles,
/// with several warps sharing the same rows; "" if they can.
static std::string findUnsharable(AttentionInterface op,
                                  ScheduleAttr schedule) {
  auto backward = dyn_cast<attn::AttentionBackwardOp>(op.getOperation());
  int64_t rows = schedule.getTileQ(), warps = schedule.getWarps();
  bool isWgmma = schedule.getMma() == MmaKind::Wgmma;
  if (backward && !backward.getCaptureWrt().empty())
    return formatv("gradients of captures are sums of whole rows, of which {0} "
                   "warps have none of {1}",
                   warps, rows);
  // The widths of the program's results: tile_kv for scores, the value's head
  // dim for the output or d_value and, in a backward program, the query's for
  // d_query and d_key. In a forward program, a warp must have the same rows of
  // scores and output.
  int64_t valueColumns = op.getValueHeadDim();
  if (auto forward = dyn_cast<attn::AttentionOp>(op.getOperation()))
    valueColumns = getHeadDimTiles(forward, schedule).value;
  SmallVector<int64_t> widths = {schedule.getTileKv(), valueColumns};
  if (backward)
    widths.push_back(op.getHeadDim());
  std::optional<int64_t> parts;
  for (int64_t columns : widths) {
    int64_t padded = llvm::alignTo<16>(columns);
    FailureOr<MmaLayoutAttr> layout = schedule.getLayoutFor({rows, padded});
    if (failed(layout))
      return formatv("{0} warps do not have a multiple of 16 rows and 8 "
                     "columns each of {1} rows and {2} columns",
                     warps, rows, padded);
    if (!backward && parts.value_or(layout->getWarpsM()) != layout->getWarpsM())
      return formatv("{0} warps do not divide {1} rows alike for tile_kv = {2} "
                     "and {3} columns of values",
                     warps, rows, schedule.getTileKv(), op.getValueHeadDim());
    parts = layout->getWarpsM();
    // With wgmma, the columns that each warpgroup computes must lie within one
    // swizzled panel or be whole panels.
    int64_t part = padded / layout->getWarpsN();
    int64_t panel = getPanelColumns(getComputeType(op));
    if (isWgmma && panel % part != 0 && part % panel != 0)
      return formatv("a warpgroup has a multiple or a divisor of {0} columns, "
                     "not {1} of {2}",
                     panel, part, padded);
  }
  return "";
}

/// Returns why a converter has nothing to do for the op or cannot do it; "" if
/// it can. A converter extends or transposes tiles of keys and values that have
/// 8 bits or fewer.
static std::string findUnconvertible(AttentionInterface op,
                                     ScheduleAttr schedule) {
  constexpr StringLiteral kNothing =
      "a converter extends or transposes keys and values of 8 bits";
  auto forward = dyn_cast<attn::AttentionOp>(op.getOperation());
  if (!forward)
    return kNothing.str();
  int64_t extended =
      llvm::count_if(op.getArrays(), [&](const attn::NamedArray &array) {
        return array.isOfKeys() &&
               !staysNarrow(forward, array.kind, schedule) &&
               attn::isNarrow(getElementTypeOrSelf(array.value.getType()));
      });
  if (extended == 0 && !hasNarrowProbabilities(forward))
    return kNothing.str();
  if (attn::gathersKeys(forward, schedule))
    return formatv("computing threads gather the rows of pages of {0} keys, "
                   "of which a converter has no tile",
                   forward.getKeyType().getDimSize(2));
  if (hasValueAlongKeys(op) && attn::listsKeys(forward, schedule))
    return "threads gather values along keys from pages of one key, of which a "
           "converter has no tile";
  if (hasNarrowProbabilities(forward) && hasValueAlongKeys(op))
    return "values along keys are neither extended nor transposed";
  int64_t converters = schedule.getRoles().findAll(RoleKind::Converter).size();
  if (converters > 1 && converters > extended)
    return formatv("each of several converters extends a tile of keys or "
                   "values, and {0} are for {1}",
                   converters, extended);
  constexpr int64_t kColumns = 64;
  int64_t columns = getHeadDimTiles(forward, schedule).value;
  if (hasNarrowProbabilities(forward) && columns % kColumns != 0)
    return formatv("a converter transposes a multiple of {0} columns of the "
                   "value, not {1}",
                   kColumns, columns);
  return "";
}

/// Returns why a multiplier cannot compute the op's scores and softmax in place
/// of the consumers, or "" if nothing is known. What else the role lacks is
/// found when the op's programs are divided among roles.
static std::string findUnfitScores(AttentionInterface op,
                                   ScheduleAttr schedule) {
  auto forward = dyn_cast<attn::AttentionOp>(op.getOperation());
  if (!forward)
    return "a multiplier computes products that are 'apart', and those of this "
           "op are not";
  if (schedule.getRoles().findAll(RoleKind::Multiplier).size() > 1)
    return "one multiplier computes the scores, and others have no products";
  Type element = getComputeType(op);
  for (const attn::NamedArray &array : op.getArrays())
    if ((array.isOfKeys() || array.kind == attn::ArrayKind::Query) &&
        getElementTypeOrSelf(array.value.getType()) != element)
      return formatv("a multiplier computes scores of loaded tiles of {0}, and "
                     "the {1} has {2}",
                     element, array.name,
                     getElementTypeOrSelf(array.value.getType()));
  if (attn::gathersKeys(forward, schedule))
    return formatv("computing threads gather the rows of pages of {0} keys, of "
                   "which a multiplier has no tile",
                   forward.getKeyType().getDimSize(2));
  return "";
}

static std::string findUnfitProblem(AttentionInterface op,
                                    ScheduleAttr schedule) {
  Type element = getComputeType(op);
  if (schedule.hasSwizzledTiles() && !element.isF16() && !element.isBF16())
    return formatv("{0} takes f16 and bf16, found {1}",
                   schedule.getMma() == MmaKind::Wgmma ? "wgmma"
                                                       : "a swizzled tile",
                   element);
  if (schedule.getSplitKv())
    if (std::string misfit = attn::findUnsplittable(op); !misfit.empty())
      return misfit;
  if (schedule.sharesRows()) {
    if (std::string misfit = findUnsharable(op, schedule); !misfit.empty())
      return misfit;
  } else if (schedule.getMma() == MmaKind::Wgmma) {
    constexpr int64_t kMostColumns = 256;
    auto forward = dyn_cast<attn::AttentionOp>(op.getOperation());
    auto backward = dyn_cast<attn::AttentionBackwardOp>(op.getOperation());
    int64_t columns = forward ? getHeadDimTiles(forward, schedule).value
                              : llvm::alignTo<16>(std::max(
                                    op.getHeadDim(), op.getValueHeadDim()));
    bool isStored = backward && attn::storesScores(backward, schedule);
    if (columns > kMostColumns && !isStored)
      return formatv("a warpgroup computes at most {0} columns of {1}, not {2}",
                     kMostColumns, forward ? "the output" : "a gradient",
                     columns);
  }
  if (std::string misfit = findUndividedTile(op, schedule); !misfit.empty())
    return misfit;
  if (std::string misfit = findUnfitSum(op, schedule); !misfit.empty())
    return misfit;
  if (schedule.hasMultiplier())
    if (std::string misfit = findUnfitScores(op, schedule); !misfit.empty())
      return misfit;
  if (schedule.hasConverter())
    if (std::string misfit = findUnconvertible(op, schedule); !misfit.empty())
      return misfit;
  auto backward = dyn_cast<attn::AttentionBackwardOp>(op.getOperation());
  if (schedule.hasReducer() &&
      !(backward && backward.addsQueryGradient(schedule)))
    return "a reducer adds to d_query, so it needs gradients of query and key "
           "that are not deterministic";
  if (schedule.hasReducer() && schedule.getTileKv() != kWarpgroupRows)
    return formatv("a reducer has {0} rows of d_query, not tile_kv = {1}",
                   kWarpgroupRows, schedule.getTileKv());
  return findUnfitArray(op, schedule.getCopy());
}

/// Returns why the fields of the schedule do not fit the op and the chip, or ""
/// if they fit. Does not check the registers and the shared memory that the
/// op's programs take.
static std::string findUnfitFields(AttentionInterface op, ScheduleAttr schedule,
                                   const Chip &chip) {
  if (std::string misfit = findMisfit(schedule, chip); !misfit.empty())
    return misfit;
  if (schedule.getMma() == MmaKind::None)
    return "products need mma = mma_sync or wgmma";
  return findUnfitProblem(op, schedule);
}

/// Returns why each thread would have far too many accumulators, or "" if the
/// number is acceptable. ptxas spills accumulators for which a thread has no
/// registers; with far too many, the code grows until ptxas does not finish.
static std::string findTooManyAccumulators(const KernelNeeds &kernel) {
  constexpr int64_t kMaxNumbers = 1024;
  ScheduleAttr schedule = kernel.schedule;
  int64_t threads = 32 * schedule.getWarps();
  int64_t numbers = llvm::divideCeil(kernel.accumulators, threads);
  // With a reducer, the schedule divides registers among roles, and ptxas fails
  // on a wgmma whose accumulators exceed the registers that setmaxnreg gives
  // the consumers.
  if (schedule.hasReducer())
    if (int64_t registers = RegisterSplit(schedule).consumer;
        numbers > registers)
      return formatv("each of {0} threads would accumulate {1} numbers of "
                     "scores and outputs in {2} registers",
                     threads, numbers, registers);
  if (numbers <= kMaxNumbers)
    return "";
  return formatv("each of {0} threads would accumulate {1} numbers of scores "
                 "and outputs, at most {2} can be",
                 threads, numbers, kMaxNumbers);
}

std::string mlir::attn_gpu::findMisfit(AttentionInterface op,
                                       ScheduleAttr schedule,
                                       const Chip &chip) {
  if (std::string misfit = findUnfitFields(op, schedule, chip); !misfit.empty())
    return misfit;
  auto *planner = op.getContext()
                      ->getLoadedDialect<AttnGPUDialect>()
                      ->getRegisteredInterface<ProgramPlanner>();
  if (!planner)
    return "the context has no planner of programs";
  SmallVector<KernelNeeds> kernels = planner->plan(op, schedule, chip);
  int64_t bytes = 0;
  for (const KernelNeeds &kernel : kernels)
    bytes = std::max(bytes, kernel.sharedBytes);
  if (bytes > chip.sharedBytes)
    return formatv("it needs {0} bytes of shared memory, {1} has {2}", bytes,
                   chip.name, chip.sharedBytes);
  for (const KernelNeeds &kernel : kernels)
    if (std::string misfit = findTooManyAccumulators(kernel); !misfit.empty())
      return misfit;
  for (const KernelNeeds &kernel : kernels)
    if (!kernel.unfitProduct.empty())
      return kernel.unfitProduct;
  for (const KernelNeeds &kernel : kernels)
    if (!kernel.error.empty())
      return "its kernel fails: " + kernel.error;
  return "";
}

LogicalResult mlir::attn_gpu::checkSchedule(AttentionInterface op,
                                            const Chip &chip, bool plans) {
  for (attn::TileSizesAttrInterface given :
       {op.getScheduleAttr(), op.getFallbackAttr()}) {
    if (!given)
      continue;
    auto schedule = dyn_cast<ScheduleAttr>(given);
    if (!schedule)
      return op->emitOpError("expected an #attn_gpu.schedule for ")
             << chip.name << ", found " << given;
    if (std::string misfit = plans ? findMisfit(op, schedule, chip)
                                   : findUnfitFields(op, schedule, chip);
        !misfit.empty())
      return op->emitOpError("expected a schedule that fits, found ")
             << schedule << ": " << misfit;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static bool holdsTileProgram(KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa_and_nonnull<AttnGPUDialect, attn_tile::AttnTileDialect>(
                   op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult mlir::attn_gpu::extendSharedBytes(KernelOp kernel, int64_t begin,
                                                int64_t end, const Chip &chip) {
  if (int64_t used = kernel.getSharedBytes(); used != begin)
    return kernel.emitOpError("expected ")
           << begin << " bytes of shared memory that are in use so far, found "
           << used;
  kernel.setSharedBytes(end);
  if (end > chip.sharedBytes)
    return kernel.emitOpError("expected tiles that need at most ")
           << chip.sharedBytes << " bytes of shared memory on " << chip.name
           << ", found " << end;
  return success();
}

LogicalResult mlir::attn_gpu::lowerKernel(
    KernelOp kernel,
    llvm::function_ref<LogicalResult(KernelOp, ScheduleAttr, const Chip &)>
        lower) {
  if (!holdsTileProgram(kernel))
    return success();
  const Chip &chip = kernel.getChip();
  ScheduleAttr schedule = kernel.getSchedule();
  if (std::string misfit = findMisfit(schedule, chip); !misfit.empty())
    return kernel.emitOpError("expected a schedule that fits, found ")
           << schedule << ": " << misfit;
  return lower(kernel, schedule, chip);
}
