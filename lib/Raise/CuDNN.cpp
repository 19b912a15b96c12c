//===- CuDNN.cpp - Calls of cuDNN's attention in StableHLO ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionCalls.h"
#include "Elements.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

static StringRef getTarget(Operation *op) {
  auto target = dyn_cast_or_null<StringAttr>(op->getAttr("call_target_name"));
  return target ? target.getValue() : StringRef();
}

bool mlir::attn::raise::isCuDNNCall(Operation *op) {
  auto effect = dyn_cast_or_null<BoolAttr>(op->getAttr("has_side_effect"));
  return op->getName().getStringRef() == "stablehlo.custom_call" &&
         getTarget(op).starts_with("__cudnn$fmha") &&
         !(effect && effect.getValue());
}

/// Returns a number of the configuration, which JSON may have as a text.
static std::optional<double> getNumber(const llvm::json::Object &config,
                                       StringRef name, double missing) {
  const llvm::json::Value *value = config.get(name);
  if (!value)
    return missing;
  if (std::optional<double> number = value->getAsNumber())
    return number;
  double number;
  if (std::optional<StringRef> text = value->getAsString();
      text && !text->getAsDouble(number))
    return number;
  return std::nullopt;
}

/// Whether a product of the configuration has these dimensions: those that are
/// summed, and the batch dimensions, of both operands.
static bool hasDims(const llvm::json::Object &config, StringRef name, int lhs,
                    int rhs, StringRef lhsBatch, StringRef rhsBatch) {
  const llvm::json::Object *dims = config.getObject(name);
  auto is = [&](StringRef field, StringRef expected) {
    const llvm::json::Array *list = dims->getArray(field);
    std::string text;
    for (const llvm::json::Value &value : list ? *list : llvm::json::Array()) {
      if (std::optional<StringRef> number = value.getAsString())
        text += number->str() + ",";
      else if (std::optional<int64_t> number = value.getAsInteger())
        text += llvm::itostr(*number) + ",";
    }
    return list && text == expected;
  };
  return dims && is("lhs_contracting_dimensions", llvm::itostr(lhs) + ",") &&
         is("rhs_contracting_dimensions", llvm::itostr(rhs) + ",") &&
         is("lhs_batch_dimensions", lhsBatch) &&
         is("rhs_batch_dimensions", rhsBatch);
}

/// Returns whether heads come before rows in the arrays, according to the
/// dimensions of all products. Returns nothing if these fit neither order.
static std::optional<bool> findOrder(const llvm::json::Object &config,
                                     bool isBackward) {
  for (bool headsFirst : {true, false}) {
    StringRef ofArrays = headsFirst ? "0,1," : "0,2,", ofScores = "0,1,";
    int rows = headsFirst ? 2 : 1;
    bool fits =
        isBackward
            ? hasDims(config, "bmm1_grad_gemm1_dot_dimension_numbers", 2, rows,
                      ofScores, ofArrays) &&
                  hasDims(config, "bmm1_grad_gemm2_dot_dimension_numbers", 3,
                          rows, ofScores, ofArrays) &&
                  hasDims(config, "bmm2_grad_gemm1_dot_dimension_numbers", 2,
                          rows, ofScores, ofArrays) &&
                  hasDims(config, "bmm2_grad_gemm2_dot_dimension_numbers", 3, 3,
                          ofArrays, ofArrays)
            : hasDims(config, "bmm1_dot_dimension_numbers", 3, 3, ofArrays,
                      ofArrays) &&
                  hasDims(config, "bmm2_dot_dimension_numbers", 3, rows,
                          ofScores, ofArrays);
    if (fits)
      return headsFirst;
  }
  return std::nullopt;
}

/// Sets the sizes of a call from its arrays. Returns whether the arrays' types
/// fit each other.
static bool takeSizes(Operation *op, AttentionCall &call, bool isBackward) {
  RankedTensorType query = getCallArray(call.query),
                   key = getCallArray(call.key),
                   value = getCallArray(call.value);
  // Key and value must have the query's element type, which is checked below.
  if (!query || !key || !value ||
      !isa<Float16Type, BFloat16Type, Float32Type>(query.getElementType()))
    return false;
  int64_t head = call.headsFirst ? 1 : 2, row = call.headsFirst ? 2 : 1;
  call.batch = query.getDimSize(0);
  call.rows = query.getDimSize(row);
  call.headDim = query.getDimSize(3);
  call.kvHeads = key.getDimSize(head);
  call.keys = key.getDimSize(row);
  call.valueDim = value.getDimSize(3);
  int64_t heads = query.getDimSize(head);
  if (heads % call.kvHeads != 0)
    return false;
  call.group = heads / call.kvHeads;
  auto is = [&](Type type, ArrayRef<int64_t> shape, Type element) {
    return type == RankedTensorType::get(shape, element);
  };
  auto getShape = [&](int64_t heads, int64_t rows, int64_t columns) {
    return call.headsFirst
               ? SmallVector<int64_t>{call.batch, heads, rows, columns}
               : SmallVector<int64_t>{call.batch, rows, heads, columns};
  };
  Type element = query.getElementType(),
       f32 = Float32Type::get(op->getContext()),
       i32 = IntegerType::get(op->getContext(), 32);
  if (!is(key, getShape(call.kvHeads, call.keys, call.headDim), element) ||
      !is(value, getShape(call.kvHeads, call.keys, call.valueDim), element))
    return false;
  if (call.bias) {
    auto bias = dyn_cast<RankedTensorType>(call.bias.getType());
    int64_t sizes[] = {call.batch, heads, call.rows, call.keys};
    if (!bias || bias.getRank() != 4 || !isa<FloatType>(bias.getElementType()))
      return false;
    for (int64_t dim = 0; dim < 4; ++dim)
      if (bias.getDimSize(dim) != sizes[dim] &&
          (dim > 1 || bias.getDimSize(dim) != 1))
        return false;
  }
  for (Value lengths : {call.queryLengths, call.keyLengths})
    if (lengths && !is(lengths.getType(), call.batch, i32))
      return false;
  TypeRange results = op->getResultTypes();
  auto isResult = [&](unsigned i, int64_t heads, int64_t rows,
                      int64_t columns) {
    return is(results[i], {call.batch, heads, rows, columns}, element);
  };
  SmallVector<int64_t> ofLse = {call.batch, heads, call.rows};
  if (!isBackward) {
    bool hasLse = results.size() == 3;
    return (results.size() == 2 || hasLse) &&
           isResult(0, heads, call.rows, call.valueDim) &&
           (!hasLse || is(results[1], ofLse, f32));
  }
  SmallVector<int64_t> ofOutput = getShape(heads, call.rows, call.valueDim);
  return results.size() == (call.bias ? 5 : 4) &&
         is(call.lse.getType(), ofLse, f32) &&
         is(call.outputGradient.getType(), ofOutput, element) &&
         is(call.output.getType(), ofOutput, element) &&
         isResult(0, heads, call.rows, call.headDim) &&
         isResult(1, call.kvHeads, call.keys, call.headDim) &&
         isResult(2, call.kvHeads, call.keys, call.valueDim) &&
         (!call.bias || results[3] == call.bias.getType());
}

std::optional<AttentionCall>
mlir::attn::raise::readCuDNNCall(Operation *op, bool isBackward,
                                 std::string &reason) {
  auto refuse = [&](const Twine &text) {
    reason = text.str();
    return std::nullopt;
  };
  StringRef target = getTarget(op);
  if (target.contains("F8"))
    return refuse("calls of cuDNN with 8-bit arrays are not read");
  if (target.contains("Dropout"))
    return refuse("it has a dropout");
  StringRef kind = target;
  kind.consume_front("__cudnn$fmha");
  kind.consume_back("Backward");
  bool hasBias = kind == "ScaleBiasSoftmax";
  if (!hasBias && kind != "Softmax")
    return refuse("expected a call of __cudnn$fmhaSoftmax or "
                  "__cudnn$fmhaScaleBiasSoftmax, or their gradients, found " +
                  target);
  auto text = dyn_cast_or_null<StringAttr>(op->getAttr("backend_config"));
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse(text ? text.getValue() : StringRef());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return refuse("expected JSON in backend_config");
  }
  const llvm::json::Object *whole = parsed->getAsObject();
  const llvm::json::Object *config =
      whole ? whole->getObject("cudnn_fmha_backend_config") : nullptr;
  if (!config)
    return refuse("expected cudnn_fmha_backend_config in backend_config");
  // A field that is not known may change what the call computes.
  static constexpr StringRef kFields[] = {
      "algorithm",
      "fmha_scale",
      "intermediate_tensor_shape",
      "dropout_rate",
      "is_flash_attention",
      "mask_type",
      "seed",
      "sliding_window_length",
      "max_seg_per_batch",
      "is_paged_attention",
      "is_causal_mask",
      "bmm1_dot_dimension_numbers",
      "bmm2_dot_dimension_numbers",
      "bmm1_grad_gemm1_dot_dimension_numbers",
      "bmm1_grad_gemm2_dot_dimension_numbers",
      "bmm2_grad_gemm1_dot_dimension_numbers",
      "bmm2_grad_gemm2_dot_dimension_numbers",
      "force_deterministic"};
  for (const auto &field : *config)
    if (!llvm::is_contained(kFields, StringRef(field.first)))
      return refuse("its configuration has the field " +
                    StringRef(field.first) + ", which is not known");
  AttentionCall call;
  std::optional<double> scale = getNumber(*config, "fmha_scale", 1),
                        dropout = getNumber(*config, "dropout_rate", 0),
                        window = getNumber(*config, "sliding_window_length", 0),
                        segments = getNumber(*config, "max_seg_per_batch", 1);
  constexpr double kMostRows = 1 << 30;
  if (!scale || !std::isfinite(static_cast<float>(*scale)) || !dropout ||
      !window || !(*window >= 0 && *window <= kMostRows) ||
      *window != std::floor(*window) || !segments)
    return refuse("expected numbers in backend_config for fmha_scale, "
                  "dropout_rate, sliding_window_length and max_seg_per_batch");
  if (*dropout != 0)
    return refuse("it has a dropout");
  if (*segments != 1)
    return refuse("it has packed sequences");
  const llvm::json::Value *paged = config->get("is_paged_attention"),
                          *causal = config->get("is_causal_mask");
  if (paged && paged->getAsBoolean() != false)
    return refuse("it has pages");
  if (causal && causal->getAsBoolean() != false)
    return refuse("expected a mask in mask_type, found is_causal_mask");
  StringRef mask = config->getString("mask_type").value_or("");
  bool hasLengths = mask == "PADDING" || mask == "PADDING_CAUSAL";
  call.isCausal = mask == "CAUSAL" || mask == "PADDING_CAUSAL";
  if (!hasLengths && !call.isCausal && mask != "NO_MASK")
    return refuse("expected a mask_type of NO_MASK, CAUSAL, PADDING or "
                  "PADDING_CAUSAL, found '" +
                  mask + "'");
  call.scale = *scale;
  call.window = static_cast<int64_t>(*window);
  if (call.window > 0 && !call.isCausal)
    return refuse("it has a sliding window without a causal mask");
  std::optional<bool> order = findOrder(*config, isBackward);
  if (!order)
    return refuse("its products have other dimensions than those of the "
                  "layouts BTNH and BNTH");
  call.headsFirst = *order;
  // Gradients have the lse, the output's gradient and the output, too.
  unsigned count = 3 + hasBias + 2 * hasLengths + 3 * isBackward;
  if (op->getNumOperands() != count || op->getNumResults() < 2)
    return refuse("expected " + Twine(count) + " operands, found " +
                  Twine(op->getNumOperands()));
  unsigned next = 0;
  auto take = [&] { return op->getOperand(next++); };
  call.query = take();
  call.key = take();
  call.value = take();
  if (isBackward) {
    call.lse = take();
    call.outputGradient = take();
  }
  if (hasBias)
    call.bias = call.mask = take();
  if (isBackward)
    call.output = take();
  if (hasLengths) {
    call.queryLengths = take();
    call.keyLengths = take();
  }
  if (!takeSizes(op, call, isBackward))
    return refuse("expected arrays of f16, bf16 or f32 with static sizes that "
                  "fit each other");
  return call;
}
