//===- ProblemBuilder.cpp - Attention problems of ops ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandBinding.h"

#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/Sizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

static LogicalResult checkSameSize(AttentionInterface op, StringRef what,
                                   StringRef lhsName, int64_t lhs,
                                   StringRef rhsName, int64_t rhs) {
  if (lhs == rhs)
    return success();
  return op->emitOpError("expected ")
         << what << " of " << lhs << " in " << rhsName << ", as in " << lhsName
         << ", found " << rhs;
}

/// Returns the sizes that an array of the given kind, an operand or a gradient,
/// must have if query, key and value have the sizes that they have in
/// `problem`.
static SmallVector<int64_t> getSizes(ArrayKind kind,
                                     const AttentionProblem &problem) {
  SmallVector<int64_t> sizes(ArrayRef<int64_t>(problem.query.sizes));
  if (kind == ArrayKind::Key)
    sizes.assign(problem.key.sizes.begin(), problem.key.sizes.end());
  if (kind == ArrayKind::Value)
    sizes.assign(problem.value.sizes.begin(), problem.value.sizes.end());
  if (kind == ArrayKind::Output)
    sizes[3] = problem.value.sizes[3];
  if (kind == ArrayKind::Row)
    sizes.pop_back();
  if (kind == ArrayKind::Sink)
    sizes = {problem.query.sizes[1]};
  return sizes;
}

static LogicalResult checkSizes(AttentionInterface op,
                                const AttentionProblem &problem,
                                const Environment &env) {
  ArrayRef<int64_t> q = problem.query.sizes, k = problem.key.sizes,
                    v = problem.value.sizes;
  // The first dimension of query, key and value is the batch. With a paged
  // cache, the first dimension of key and value is the number of pages instead,
  // so that only these two must agree.
  StringRef first = op.getPages() ? "key" : "query";
  int64_t batch = op.getPages() ? k[0] : q[0];
  StringRef what = op.getPages() ? "a number of pages" : "a batch size";
  if (failed(checkSameSize(op, what, first, batch, "key", k[0])) ||
      failed(checkSameSize(op, what, first, batch, "value", v[0])) ||
      failed(checkSameSize(op, "a head count", "key", k[1], "value", v[1])) ||
      failed(checkSameSize(op, "a length", "key", k[2], "value", v[2])) ||
      failed(checkSameSize(op, "a head dim", "query", q[3], "key", k[3])))
    return failure();
  if (k[1] == 0 ? q[1] != 0 : q[1] % k[1] != 0)
    return op->emitOpError(
               "expected the number of query heads to be a multiple "
               "of the number of key and value heads, found ")
           << q[1] << " and " << k[1];

  // Arrays other than query, key and value need not be bound to arguments, but
  // if they are, their sizes must fit those three.
  for (const NamedArray &named : op.getArrays()) {
    const ArrayView *array = env.getArray(named.value);
    if (!array || named.kind == ArrayKind::Capture ||
        named.kind == ArrayKind::Extra || named.hasFurtherColumns())
      continue;
    SmallVector<int64_t> expected = getSizes(named.kind, problem);
    if (ArrayRef<int64_t>(array->sizes) == ArrayRef(expected))
      continue;
    return op->emitOpError("expected ")
           << named.name << " of sizes " << formatSizes(expected) << ", found "
           << formatSizes(array->sizes);
  }
  return success();
}

/// Binds the op's optional arrays of i32: the lengths of batch entries, the
/// cumulative lengths of packed sequences, and the table of pages.
static LogicalResult bindSequences(AttentionInterface op,
                                   AttentionProblem &problem,
                                   const Environment &env) {
  int64_t batch = problem.query.sizes[0];
  auto bind = [&](StringRef name, Value operand, ArrayRef<int64_t> sizes,
                  std::optional<ArrayView> &array) -> LogicalResult {
    if (!operand)
      return success();
    FailureOr<ArrayView> bound = bindNumbers(op, name, operand, sizes, env);
    if (succeeded(bound))
      array = *bound;
    return bound;
  };
  if (!op.getLengths().empty() &&
      (failed(bind("the lengths of the query", op.getLengthArray(0), {batch},
                   problem.lengthsQuery)) ||
       failed(bind("the lengths of the key", op.getLengthArray(1), {batch},
                   problem.lengthsKv))))
    return failure();
  if (failed(bind("the table of pages", op.getPages(), {batch, -1},
                  problem.pages)))
    return failure();
  if (problem.pages)
    problem.lengthKv *= problem.pages->sizes[1];
  if (op.getPacked().empty())
    return success();
  if (failed(bind("the cumulative lengths of the query", op.getPacked()[0],
                  {-1}, problem.cumulativeQuery)))
    return failure();
  return bind("the cumulative lengths of the key", op.getPacked()[1],
              {problem.cumulativeQuery->sizes[0]}, problem.cumulativeKv);
}

static LogicalResult bindPlace(AttentionInterface op, AttentionProblem &problem,
                               const Environment &env) {
  problem.lengthQuery = problem.query.sizes[2];
  problem.lengthKv = problem.key.sizes[2];
  for (auto [value, coordinate] : llvm::zip(op.getOrigin(), problem.origin)) {
    FailureOr<int64_t> index = evaluateIndex(op, "an origin", value, env);
    if (failed(index))
      return failure();
    coordinate = *index;
  }
  if (failed(bindSequences(op, problem, env)))
    return failure();
  if (op.getLengths().empty())
    return success();
  for (auto [i, what, length] :
       {std::tuple(0u, "a query length", &problem.lengthQuery),
        {1u, "a key length", &problem.lengthKv}}) {
    if (op.getLengthArray(i))
      continue;
    FailureOr<int64_t> number =
        evaluateIndex(op, what, op.getLengths()[i], env);
    if (failed(number))
      return failure();
    *length = *number;
  }
  return success();
}

static void bindMask(AttentionInterface op, AttentionProblem &problem) {
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return;
  problem.hasMask = true;
  problem.alignment = mask.getAlignment() == Alignment::BottomRight
                          ? DiagonalAlignment::BottomRight
                          : DiagonalAlignment::TopLeft;
  problem.causal = mask.getCausal();
  problem.left = mask.getLeft();
  problem.right = mask.getRight();
}

static LogicalResult bindDropout(AttentionInterface op,
                                 AttentionProblem &problem,
                                 const Environment &env) {
  if (!op.getDropoutAttr())
    return success();
  problem.dropoutThreshold = op.getDropoutThreshold();
  problem.dropoutHeads = problem.query.sizes[1];
  for (auto [name, operand, number] :
       {std::tuple("seed", op.getSeed(), &problem.seed),
        {"offset", op.getOffset(), &problem.offset}}) {
    if (isa<ShapedType>(operand.getType()))
      return op->emitOpError("--check needs a ")
             << name << " of i64, found " << operand.getType();
    FailureOr<ScalarValue> scalar = env.evaluate(operand);
    if (failed(scalar))
      return failure();
    *number = scalar->i;
  }
  return success();
}

/// Whether a captured array is a summary, with the minimum and maximum of each
/// cell of another array. The oracle ignores summaries: they only show which
/// blocks a kernel may skip, and no result depends on them.
static bool isSummary(Value capture) {
  return capture.getDefiningOp<SummarizeOp>() ||
         llvm::any_of(capture.getUsers(), [&](Operation *user) {
           auto summarize = dyn_cast<SummarizeOp>(user);
           return summarize && summarize.getSummary() == capture;
         });
}

FailureOr<SmallVector<CapturedValue>>
mlir::attn::evaluateCaptures(AttentionInterface op, const Environment &env) {
  SmallVector<CapturedValue> captures;
  for (auto [i, capture] : llvm::enumerate(op.getCaptures())) {
    if (isa<ShapedType>(capture.getType())) {
      const ArrayView *array = env.getArray(capture);
      if (!array && isSummary(capture)) {
        captures.push_back(ArrayView());
        continue;
      }
      if (!array)
        return op->emitOpError("--check needs captured arrays to be arguments "
                               "of the entry function, found another capture ")
               << i;
      captures.push_back(*array);
      continue;
    }
    FailureOr<ScalarValue> scalar = env.evaluate(capture);
    if (failed(scalar))
      return failure();
    captures.push_back(*scalar);
  }
  return captures;
}

/// Binds the op's extra operands, except further columns, as arrays of rank 4,
/// whose dimensions are batch entries, heads, blocks of rows, and columns. A
/// dimension that a scale lacks has size 1 and stride 0.
static LogicalResult bindScales(AttentionInterface op,
                                AttentionProblem &problem,
                                const Environment &env) {
  for (Extra which : kExtras) {
    const ExtraDeclaration &declaration = getDeclaration(which);
    ExtraOperand operand = op.getExtra(which);
    if (!operand || declaration.hasColumns())
      continue;
    StringRef name = declaration.name;
    // The output has the query's batch entries, heads and rows.
    const ArrayView &of = declaration.of == "key"     ? problem.key
                          : declaration.of == "value" ? problem.value
                                                      : problem.query;
    FailureOr<ArrayView> bound = bindOperand(op, name, operand.value, env);
    if (failed(bound))
      return failure();
    ArrayView array = {bound->data, bound->dtype, {1, 1, 1, 1}, {0, 0, 0, 0}};
    for (auto [i, letter] : llvm::enumerate(StringRef("bhsd"))) {
      std::optional<int64_t> dim = operand.findDim(letter);
      if (!dim)
        continue;
      array.sizes[i] = bound->sizes[*dim];
      array.strides[i] = bound->strides[*dim];
      int64_t expected =
          llvm::divideCeil(of.sizes[i], letter == 's' ? operand.block : 1);
      if (array.sizes[i] != expected)
        return op->emitOpError("expected ")
               << name << " to have size " << expected << " in dimension "
               << *dim << ", found " << array.sizes[i];
    }
    problem.getExtra(which) =
        OperandScale{array, operand.block, /*first=*/0, declaration.isOfKeys()};
  }
  return success();
}

/// If the op has the extra operand `which` (query_rope or key_rope), replaces
/// `array` with a copy in `memory` that has the columns of `array` followed by
/// those of the operand. If the two have different element types, the copy is
/// of f32, its first columns are multiplied by `scale`, and `scale` is removed.
static LogicalResult joinColumns(AttentionInterface op, Extra which,
                                 const Environment &env, ArrayView &array,
                                 std::vector<char> &memory,
                                 std::optional<OperandScale> &scale) {
  ExtraOperand operand = op.getExtra(which);
  if (!operand)
    return success();
  StringRef name = getDeclaration(which).name;
  FailureOr<ArrayView> further = bindOperand(op, name, operand.value, env);
  if (failed(further))
    return failure();
  SmallVector<int64_t> sizes(ArrayRef<int64_t>(array.sizes));
  bool isShared = which == Extra::KeyRope && further->sizes[1] == 1;
  for (int64_t dim : {0, 1, 2})
    if (further->sizes[dim] != sizes[dim] && !(dim == 1 && isShared))
      return op->emitOpError("expected ")
             << name << " to have size " << sizes[dim] << " in dimension "
             << dim << ", as " << getDeclaration(which).of << ", found "
             << further->sizes[dim];
  int64_t first = sizes[3];
  sizes[3] += further->sizes[3];
  bool isMixed = further->dtype != array.dtype;
  ArrayView joined = {
      nullptr, isMixed ? DType::F32 : array.dtype, {}, {0, 0, 0, 1}};
  joined.sizes.assign(sizes.begin(), sizes.end());
  for (int64_t dim : {2, 1, 0})
    joined.strides[dim] = joined.strides[dim + 1] * sizes[dim + 1];
  memory.resize(joined.getNumElements() * getByteSize(joined.dtype));
  joined.data = memory.data();
  for (int64_t b = 0; b < sizes[0]; ++b)
    for (int64_t h = 0; h < sizes[1]; ++h)
      for (int64_t i = 0; i < sizes[2]; ++i)
        for (int64_t d = 0; d < sizes[3]; ++d)
          joined.store(
              {b, h, i, d},
              d < first ? array.load({b, h, i, d}) *
                              (isMixed && scale ? scale->load(b, h, i, d) : 1)
                        : further->load({b, isShared ? 0 : h, i, d - first}));
  array = joined;
  if (isMixed)
    scale.reset();
  return success();
}

LogicalResult mlir::attn::bindProblem(AttentionInterface op,
                                      const Environment &env,
                                      AttentionProblem &problem,
                                      BuiltRegions &built) {
  if (failed(bindOperand(op, "query", op.getQuery(), env, problem.query)) ||
      failed(bindOperand(op, "key", op.getKey(), env, problem.key)) ||
      failed(bindOperand(op, "value", op.getValue(), env, problem.value)) ||
      failed(bindOperand(op, "sink", op.getSink(), env, problem.sink)))
    return failure();
  if (!op.getValue()) { // The value is columns of the key.
    problem.value = problem.key;
    problem.value.advance(op.getFirstValueDim());
    problem.value.sizes.back() = op.getValueHeadDim();
  }
  problem.scale = op.getScaleValue();
  problem.inputType = *getDType(getComputeType(op));
  if (auto forward = dyn_cast<AttentionOp>(op.getOperation()))
    problem.hasNarrowProbabilities = hasNarrowProbabilities(forward);
  std::optional<DType> outputType =
      getDType(op.getOutputType().getElementType());
  if (!outputType)
    return op->emitOpError(
               "expected output elements of f16, bf16 or f32, found ")
           << op.getOutputType().getElementType();
  problem.outputType = *outputType;

  if (failed(bindDropout(op, problem, env)))
    return failure();
  bindMask(op, problem);
  if (failed(checkSizes(op, problem, env)) ||
      failed(bindScales(op, problem, env)) ||
      failed(bindPlace(op, problem, env)) ||
      failed(joinColumns(op, Extra::QueryRope, env, problem.query, built.query,
                         problem.getExtra(Extra::QueryScale))) ||
      failed(joinColumns(op, Extra::KeyRope, env, problem.key, built.key,
                         problem.getExtra(Extra::KeyScale))))
    return failure();

  auto captures = evaluateCaptures(op, env);
  if (failed(captures))
    return failure();
  auto keep = [](FailureOr<ScoreProgram> program, auto &own,
                 const ScoreProgram *&use) {
    if (failed(program))
      return failure();
    own = std::move(*program);
    use = &*own;
    return success();
  };
  if (op.hasScore() &&
      failed(keep(ScoreProgram::compile(op.getScore(), *captures), built.score,
                  problem.score)))
    return failure();
  if (!op.hasMaskRegion())
    return success();
  return keep(ScoreProgram::compileMask(op.getMaskRegion(), *captures),
              built.mask, problem.mask);
}

FailureOr<std::unique_ptr<BuiltProblem>>
mlir::attn::buildProblem(AttentionInterface op, ArrayRef<Binding> arguments) {
  auto built = std::make_unique<BuiltProblem>();
  if (failed(
          bindProblem(op, Environment(op, arguments), built->problem, *built)))
    return failure();
  return built;
}
