//===- AttnDifferentiate.cpp - Functions that compute gradients -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentArrays.h"
#include "GradientTypes.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/CaptureReads.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/ScoreDerivative.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDIFFERENTIATEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Adds to the module a forward and a backward function for a function that has
/// one attention op.
class Differentiator {
public:
  Differentiator(func::FuncOp func, AttentionOp op)
      : func(func), op(op), isTensor(op.getNumResults() != 0) {
    if (!op.hasScore())
      return;
    for (auto [i, capture] : llvm::enumerate(op.getCaptures()))
      if (isa<BlockArgument>(capture) && isParameter(i, capture.getType()))
        parameters.push_back(i);
  }

  LogicalResult check();
  LogicalResult checkParts();
  void addForward();
  void addBackward();

private:
  Block *declare(StringRef suffix, TypeRange inputs, TypeRange results);
  SmallVector<Value> lookUp(ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookup(value); });
  }
  /// Whether the gradient for a capture that is an argument of the function is
  /// computed: it must be a float, or an array of floats which the score region
  /// uses. An array that only the mask region uses has no gradient.
  bool isParameter(int64_t number, Type type) {
    if (isa<FloatType>(type))
      return true;
    return isa<FloatType>(getElementTypeOrSelf(type)) &&
           !op.getScore()
                .front()
                .getArgument(kNumScoreArguments + number)
                .use_empty();
  }
  ShapedType getLseType();
  /// Whether the backward function returns a gradient of the sink: the
  /// attention op must have a sink that is an argument of the function.
  bool hasSinkGradient() {
    return isa_and_nonnull<BlockArgument>(op.getSink());
  }
  Value createEmpty(NumberBuilder &b, ShapedType type, Value like,
                    int64_t rank);

  func::FuncOp func;
  AttentionOp op;
  bool isTensor;
  /// The indices of the captures with gradients. These are arguments of the
  /// function that are floats, or arrays of floats that the score region uses.
  /// There are none if the op has no score region.
  SmallVector<int64_t> parameters;
  /// The values of the function that was declared last.
  IRMapping mapping;
};

} // namespace

/// Reports an error if the sink, or an array of floats that the score region
/// reads, is not an argument of the function but may be an argument in another
/// form, such as a view of one or the result of a select. Its gradient would be
/// missing, while that of the argument itself is computed.
LogicalResult Differentiator::checkParts() {
  auto check = [&](Value array, const Twine &name) -> LogicalResult {
    if (isa<BlockArgument>(array) || !isa<ShapedType>(array.getType()) ||
        !isa<FloatType>(getElementTypeOrSelf(array)) || !mayBeArgument(array))
      return success();
    return op.emitOpError("expected the function's argument as ")
           << name << " to differentiate '" << func.getName()
           << "', found the result of '" << array.getDefiningOp()->getName()
           << "', which may be a part of an argument";
  };
  if (op.getSink() && failed(check(op.getSink(), "sink")))
    return failure();
  if (!op.hasScore())
    return success();
  for (auto [i, capture] : llvm::enumerate(op.getCaptures()))
    if (isParameter(i, capture.getType()) &&
        failed(check(capture, "captured array " + Twine(i))))
      return failure();
  return success();
}

/// Reports an error unless the gradients of the attention op are those of the
/// function. Query, key, value and extra operands must be arguments of the
/// function, so that there is no `value_dims`. There must be no pages, and no
/// packed sequences if captures have gradients. The output must not have 8
/// bits, results must only be returned, no other op may write to an argument
/// (see mayWriteToArgument()), and the score region must have derivatives.
LogicalResult Differentiator::check() {
  if (op.getValueDimsAttr())
    return op.emitOpError("expected a value to differentiate '")
           << func.getName() << "', found value_dims";
  if (op.getPages())
    return op.emitOpError("expected keys and values without pages to "
                          "differentiate '")
           << func.getName() << "', found pages";
  if (!op.getPacked().empty() && !parameters.empty())
    return op.emitOpError("expected no gradients of captures where sequences "
                          "are packed to differentiate '")
           << func.getName() << "', found one of capture "
           << parameters.front();
  for (auto [name, array] : {std::pair("query", op.getQuery()),
                             {"key", op.getKey()},
                             {"value", op.getValue()}})
    if (!isa<BlockArgument>(array))
      return op.emitOpError("expected the function's argument as ")
             << name << " to differentiate '" << func.getName()
             << "', found the result of '" << array.getDefiningOp()->getName()
             << "'";
  if (Type element = getElementTypeOrSelf(op.getOutput()); isFloat8(element))
    return op.emitOpError("expected an output of f16, bf16 or f32 to "
                          "differentiate '")
           << func.getName() << "', found elements of " << element;
  for (Value extra : op.getExtras())
    if (!isa<BlockArgument>(extra))
      return op.emitOpError("expected the function's arguments in 'with' to "
                            "differentiate '")
             << func.getName() << "', found the result of '"
             << extra.getDefiningOp()->getName() << "'";
  for (Value result : op.getResults())
    for (Operation *user : result.getUsers())
      if (!isa<func::ReturnOp>(user))
        return op.emitOpError("expected results that are returned to "
                              "differentiate '")
               << func.getName() << "', found a use by '" << user->getName()
               << "'";
  for (Operation &inner : func.getBody().front().without_terminator())
    if (&inner != op && mayWriteToArgument(&inner))
      return inner.emitOpError("expected no write to an argument beside "
                               "attention's to differentiate '")
             << func.getName() << "', found "
             << (getEffectsRecursively(&inner)
                     ? "one"
                     : "an op whose effects on one are not known");
  if (failed(checkParts()))
    return failure();
  if (!op.hasScore())
    return success();
  // A copy of the score region is differentiated, only to report an error at
  // its first op that has no derivative.
  Operation *copy = op->clone();
  Block &region = cast<AttentionOp>(copy).getScore().front();
  SmallVector<SmallVector<Value>> variables = {{region.getArgument(0)}};
  auto derive = [&]() -> LogicalResult {
    for (int64_t i : parameters) {
      SmallVector<Value> &variable = variables.emplace_back();
      if (isa<FloatType>(op.getCaptures()[i].getType())) {
        variable.push_back(region.getArgument(kNumScoreArguments + i));
        continue;
      }
      FailureOr<CaptureReads> found =
          findCaptureReads(cast<AttentionInterface>(copy), i);
      if (failed(found))
        return failure();
      for (ReadOp read : found->reads)
        variable.push_back(read.getResult());
    }
    return success(succeeded(deriveScoreOf(region, variables)));
  };
  LogicalResult found = derive();
  copy->destroy();
  return found;
}

/// Adds a function to the module, whose first arguments are those of the given
/// function. Returns its entry block.
Block *Differentiator::declare(StringRef suffix, TypeRange inputs,
                               TypeRange results) {
  OpBuilder b(func.getContext());
  b.setInsertionPointAfter(func);
  auto type = FunctionType::get(func.getContext(), inputs, results);
  auto declared = func::FuncOp::create(b, func.getLoc(),
                                       (func.getName() + suffix).str(), type);
  Block *entry = declared.addEntryBlock();
  mapping.clear();
  mapping.map(func.getArguments(),
              entry->getArguments().take_front(func.getNumArguments()));
  return entry;
}

ShapedType Differentiator::getLseType() {
  ArrayRef<int64_t> shape = op.getQueryType().getShape().drop_back();
  Type f32 = Float32Type::get(func.getContext());
  if (isTensor)
    return RankedTensorType::get(shape, f32);
  return MemRefType::get(shape, f32);
}

/// Creates a tensor with the sizes of the first `rank` dimensions of `like` and
/// the element type of `type`.
Value Differentiator::createEmpty(NumberBuilder &b, ShapedType type, Value like,
                                  int64_t rank) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(tensor::getMixedSize(b, b.getLoc(), like, dim));
  return tensor::EmptyOp::create(b, sizes, type.getElementType());
}

/// Adds to the module a copy of the function whose name has the suffix
/// `_forward`. The attention op in the copy always has an lse. If the original
/// op has none, the copy returns the lse as its last result or, for memrefs,
/// writes it to a new last argument.
void Differentiator::addForward() {
  SmallVector<Type> inputs(func.getArgumentTypes());
  SmallVector<Type> results(func.getResultTypes());
  bool isAdded = !op.getLse();
  if (isAdded)
    (isTensor ? results : inputs).push_back(getLseType());
  Block *entry = declare("_forward", inputs, results);
  NumberBuilder b = NumberBuilder::atBlockEnd(func.getLoc(), entry);
  Value lse = isTensor || !isAdded ? Value() : entry->getArguments().back();
  for (Operation &inner : func.getBody().front()) {
    if (&inner == op && isAdded) {
      SmallVector<Value> outs = {mapping.lookup(op.getOutput())};
      outs.push_back(isTensor ? createEmpty(b, getLseType(),
                                            mapping.lookup(op.getQuery()), 3)
                              : lse);
      auto own = AttentionOp::create(
          b, isTensor ? TypeRange(ValueRange(outs)) : TypeRange(),
          mapping.lookup(op.getQuery()), mapping.lookup(op.getKey()),
          mapping.lookup(op.getValue()), mapping.lookupOrNull(op.getSink()),
          mapping.lookupOrNull(op.getSeed()),
          mapping.lookupOrNull(op.getOffset()), lookUp(op.getCaptures()),
          lookUp(op.getOrigin()), lookUp(op.getLengths()),
          lookUp(op.getPacked()), mapping.lookupOrNull(op.getPages()),
          lookUp(op.getExtras()), outs, op.getValueDimsAttr(),
          op.getScaleAttr(), op.getMaskAttr(), op.getDropoutAttr(),
          op.getScheduleAttr(), op.getFallbackAttr(), op.getExtraNamesAttr(),
          op.getExtraBlocksAttr(), op.getFastAccumulateAttr(),
          op.getFewRowsAttr());
      IRMapping inRegion;
      op.getScore().cloneInto(&own.getScore(), inRegion);
      op.getMaskRegion().cloneInto(&own.getMaskRegion(), inRegion);
      own->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      if (isTensor) {
        mapping.map(op.getResult(0), own.getResult(0));
        lse = own.getResult(1);
      }
      continue;
    }
    Operation *clone = b.clone(inner, mapping);
    if (isTensor && isAdded && isa<func::ReturnOp>(clone))
      clone->insertOperands(clone->getNumOperands(), lse);
  }
}

/// Adds to the module the function `_backward`. It takes all arguments of the
/// function, then output and lse (unless they are memrefs among these
/// arguments), then d_output. It returns the gradients or, for memrefs, writes
/// them to further arguments. The gradients are those of query, key and value,
/// of a sink that is an argument, of query_rope and key_rope, and of each
/// capture in `parameters`.
void Differentiator::addBackward() {
  SmallVector<Value> gradientsOf = {op.getQuery(), op.getKey(), op.getValue()};
  SmallVector<Type> gradients;
  Gradients wrt = kAllGradients;
  if (hasSinkGradient()) {
    gradientsOf.push_back(op.getSink());
    wrt = wrt | Gradients::Sink;
  }
  for (auto [which, of] : {std::pair(Extra::QueryRope, Gradients::QueryRope),
                           {Extra::KeyRope, Gradients::KeyRope}})
    if (ExtraOperand columns = op.getExtra(which)) {
      gradientsOf.push_back(columns.value);
      wrt = wrt | of;
    }
  // The gradient of an array with 8 or fewer bits has the query's element type
  // or, if the query has 8 bits, the output's.
  Type compute = isFloat8(op.getQueryType().getElementType())
                     ? getElementTypeOrSelf(op.getOutput())
                     : op.getQueryType().getElementType();
  for (Value array : gradientsOf) {
    auto type = cast<ShapedType>(array.getType());
    Type element = type.getElementType();
    gradients.push_back(
        getGradientType(type, isNarrow(element) ? compute : element,
                        /*mayLieAlongKeys=*/array == op.getValue()));
  }
  for (int64_t i : parameters) {
    Value capture = op.getCaptures()[i];
    Type type = capture.getType();
    if (isa<FloatType>(type)) {
      // Launches take numbers of f64, but no arrays of f64.
      if (type.isF64())
        type = Float32Type::get(type.getContext());
      type = isTensor ? Type(RankedTensorType::get({}, type))
                      : MemRefType::get({}, type);
    }
    auto array = cast<ShapedType>(type);
    gradients.push_back(getGradientType(array, array.getElementType(),
                                        /*mayLieAlongKeys=*/false));
    gradientsOf.push_back(capture);
  }
  SmallVector<Type> inputs(func.getArgumentTypes());
  auto addInput = [&](Type type) {
    inputs.push_back(type);
    return inputs.size() - 1;
  };
  Type outputType = op.getOutput().getType();
  // Returns the index of the backward function's argument for `array`, the
  // forward output or lse. If `array` is a memref argument of the forward
  // function, this is its index there. Otherwise the backward function gets a
  // new argument of type `type`.
  auto getPosition = [&](Value array, Type type) -> size_t {
    auto argument = dyn_cast_or_null<BlockArgument>(array);
    return argument && !isTensor ? argument.getArgNumber() : addInput(type);
  };
  size_t output = getPosition(op.getOutput(), outputType);
  size_t lse = getPosition(op.getLse(), op.getLse() ? op.getLse().getType()
                                                    : Type(getLseType()));
  size_t dOutput = addInput(outputType);
  size_t firstOut = inputs.size();
  if (!isTensor)
    llvm::append_range(inputs, gradients);
  Block *entry = declare("_backward", inputs,
                         isTensor ? TypeRange(gradients) : TypeRange());
  NumberBuilder b = NumberBuilder::atBlockEnd(op.getLoc(), entry);
  // Copies all ops of the function except the attention op and the return: they
  // compute operands of the attention op, such as captured scalars.
  for (Operation &inner : func.getBody().front().without_terminator())
    if (&inner != op)
      b.clone(inner, mapping);
  SmallVector<Value> outs(entry->getArguments().drop_front(firstOut));
  if (isTensor)
    for (auto [type, of] : llvm::zip_equal(gradients, gradientsOf)) {
      auto shaped = cast<ShapedType>(type);
      outs.push_back(
          createEmpty(b, shaped, mapping.lookup(of), shaped.getRank()));
    }
  auto own = AttentionBackwardOp::create(
      b, isTensor ? TypeRange(ValueRange(outs)) : TypeRange(),
      mapping.lookup(op.getQuery()), mapping.lookup(op.getKey()),
      mapping.lookup(op.getValue()), entry->getArgument(output),
      entry->getArgument(lse), entry->getArgument(dOutput), /*d_lse=*/Value(),
      mapping.lookupOrNull(op.getSink()), mapping.lookupOrNull(op.getSeed()),
      mapping.lookupOrNull(op.getOffset()), lookUp(op.getCaptures()),
      lookUp(op.getOrigin()), lookUp(op.getLengths()), lookUp(op.getPacked()),
      lookUp(op.getExtras()), outs, op.getScaleAttr(), op.getMaskAttr(),
      op.getDropoutAttr(), wrt, parameters,
      /*deterministic=*/false, /*schedule=*/nullptr,
      /*fallback=*/nullptr, op.getExtraNamesAttr(), op.getExtraBlocksAttr(),
      /*narrow_products=*/NarrowProductsAttr(), op.getFewRows());
  IRMapping inRegion;
  op.getScore().cloneInto(&own.getScore(), inRegion);
  op.getMaskRegion().cloneInto(&own.getMaskRegion(), inRegion);
  func::ReturnOp::create(b, own.getResults());
}

namespace {
struct AttnDifferentiatePass
    : public attn::impl::AttnDifferentiatePassBase<AttnDifferentiatePass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isDeclaration())
        functions.push_back(func);
    for (func::FuncOp func : functions) {
      SmallVector<AttentionOp> ops;
      func.walk([&](AttentionOp op) { ops.push_back(op); });
      if (ops.empty())
        continue;
      if (ops.size() != 1 || ops.front()->getParentOp() != func ||
          !func.getBody().hasOneBlock()) {
        ops.back().emitOpError("expected one attention op, in a function of "
                               "one block, to differentiate '")
            << func.getName() << "'";
        return signalPassFailure();
      }
      for (StringRef suffix : {"_forward", "_backward"})
        if (getOperation().lookupSymbol((func.getName() + suffix).str())) {
          func.emitError("expected '")
              << func.getName() << suffix << "' to be free for its gradients";
          return signalPassFailure();
        }
      Differentiator differentiator(func, ops.front());
      if (failed(differentiator.check()))
        return signalPassFailure();
      differentiator.addBackward();
      differentiator.addForward();
    }
  }
};
} // namespace
