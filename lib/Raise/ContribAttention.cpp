//===- ContribAttention.cpp - Read attention of ONNX ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"
#include "Torch.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

static constexpr StringRef kPrefix = "torch.onnx.";

StringRef mlir::attn::raise::getONNXAttention(Operation *op) {
  auto getText = [&](StringRef name) {
    auto text = dyn_cast_or_null<StringAttr>(op->getAttr(name));
    return text ? text.getValue() : StringRef();
  };
  StringRef kind = op->getName().getStringRef();
  if (kind == "onnx.Custom") {
    StringRef name = getText("function_name");
    return getText("domain_name") == "com.microsoft" &&
                   name.contains("Attention")
               ? name
               : StringRef();
  }
  if (kind == "torch.operator")
    kind = getText("name");
  if (!kind.consume_front("onnx."))
    return StringRef();
  // torch-mlir's importer leaves the domain out. Of the two operators whose
  // name is Attention, only that of com.microsoft has the attribute num_heads.
  bool hasDomain = kind.consume_front("com.microsoft.");
  if (kind == "GroupQueryAttention" || kind == "MultiHeadAttention" ||
      (hasDomain && kind.contains("Attention")) ||
      (kind == "Attention" && op->hasAttr((kPrefix + "num_heads").str())))
    return kind;
  return kind == "Attention" ? kStandardAttention : StringRef();
}

std::string ContribReader::describe(Value operand) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (operand)
    stream << operand.getType();
  else
    stream << "none";
  return text;
}

bool ContribReader::isPresent(unsigned i) {
  if (i >= op->getNumOperands())
    return false;
  std::string text = describe(op->getOperand(i));
  return text != "none" && text != "!torch.none";
}

Attribute ContribReader::getAttr(StringRef name) {
  Attribute attr = op->getAttr(name);
  return attr ? attr : op->getAttr((kPrefix + name).str());
}

int64_t ContribReader::getInt(StringRef name, int64_t missing) {
  auto value = dyn_cast_or_null<IntegerAttr>(getAttr(name));
  return value && value.getValue().getSignificantBits() <= 64
             ? value.getValue().getSExtValue()
             : missing;
}

double ContribReader::getFloat(StringRef name, double missing) {
  auto value = dyn_cast_or_null<FloatAttr>(getAttr(name));
  return value ? value.getValueAsDouble() : missing;
}

bool ContribReader::isOfFloats(Value array, size_t rank) {
  return array && getShape(array).size() == rank &&
         isa<Float16Type, BFloat16Type, Float32Type>(
             getElementTypeOrSelf(array.getType()));
}

bool ContribReader::isOfInts(Value array) {
  return array && getElementTypeOrSelf(array.getType()).isSignlessInteger(32);
}

/// Returns an operand as a tensor of builtin type, or null if it is none.
Value ContribReader::take(unsigned i) {
  if (!isPresent(i))
    return nullptr;
  OpBuilder b(op);
  return getTensor(b, op->getOperand(i));
}

/// Whether the operator's attribute `name` is of the kind that the operator
/// has.
static bool isOfKind(StringRef name, Attribute value) {
  if (name.ends_with("_quant_type"))
    return isa<StringAttr>(value);
  if (llvm::is_contained(
          {"scale", "softcap", "mask_filter_value", "qk_norm_epsilon"}, name))
    return isa<FloatAttr>(value);
  if (name == "qkv_hidden_sizes") {
    auto array = dyn_cast<ArrayAttr>(value);
    return isa<DenseI64ArrayAttr>(value) ||
           (array && llvm::all_of(array, llvm::IsaPred<IntegerAttr>));
  }
  return isa<IntegerAttr>(value);
}

/// Whether all attributes are known: another one may change the result.
bool ContribReader::checkKnown(ArrayRef<StringRef> known) {
  static constexpr StringRef kImporters[] = {"name",
                                             "domain_name",
                                             "function_name",
                                             "onnx_node_name",
                                             "shape_infer_pattern",
                                             "inputs_for_infer",
                                             "output_element_type"};
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (name.starts_with("attn_raise."))
      continue;
    bool isOperators = name.consume_front(kPrefix);
    if (!llvm::is_contained(known, name) &&
        (isOperators || !llvm::is_contained(kImporters, name)))
      return refuse("its attribute " + name + " is not known");
    if (llvm::is_contained(known, name) &&
        !isOfKind(name, attribute.getValue()))
      return refuse("its attribute " + name + " is of another kind");
  }
  return true;
}

bool ContribReader::takeHeads(StringRef ofQuery, StringRef ofKeys) {
  call.heads = getInt(ofQuery, 0);
  call.kvHeads = getInt(ofKeys, 0);
  constexpr int64_t kMost = 1 << 20;
  if (call.heads < 1 || call.kvHeads < 1 || call.heads > kMost ||
      call.heads % call.kvHeads != 0)
    return refuse("expected " + ofQuery + " to be a multiple of " + ofKeys +
                  ", found " + Twine(call.heads) + " and " +
                  Twine(call.kvHeads));
  return true;
}

/// Sets the number of columns of each of `heads` heads, which an array of rank
/// 3 has in its last dimension.
bool ContribReader::takeColumns(Value array, int64_t heads, int64_t &columns) {
  if (!isOfFloats(array, 3))
    return refuse("expected query, key and value of f16, bf16 or f32 with 3 "
                  "dimensions");
  int64_t size = getShape(array)[2];
  if (ShapedType::isDynamic(size) || size < heads || size % heads != 0)
    return refuse("expected a last dimension of static size for " +
                  Twine(heads) + " heads");
  columns = size / heads;
  return true;
}

/// Takes the attributes that both operators have.
bool ContribReader::takeOptions() {
  double scale = getFloat("scale", 0), cap = getFloat("softcap", 0);
  if (!std::isfinite(static_cast<float>(scale)) ||
      !std::isfinite(static_cast<float>(cap)))
    return refuse("expected a finite scale and soft cap");
  call.scale =
      scale == 0 ? 1 / std::sqrt(static_cast<double>(call.headDim)) : scale;
  call.softCap = std::max(cap, 0.0);
  return true;
}

/// Takes what is added to the scores. `keysDim` of `keys` is the number of
/// keys.
bool ContribReader::takeBias(unsigned operand, Value keys, int64_t keysDim) {
  if (!isPresent(operand))
    return true;
  Value bias = take(operand);
  ArrayRef<int64_t> query = getShape(call.query);
  auto is = [&](int64_t size, int64_t whole) {
    return size == 1 || fits(size, whole);
  };
  if (!isOfFloats(bias, 4) || !is(getShape(bias)[0], query[0]) ||
      !is(getShape(bias)[1], call.heads) ||
      ShapedType::isDynamic(getShape(bias)[1]) ||
      !fits(getShape(bias)[2], query[1]) ||
      (keys && !fits(getShape(bias)[3], getShape(keys)[keysDim])))
    return refuse("expected an attention_bias of batch entries or 1, static "
                  "heads or 1, rows and keys");
  call.bias = bias;
  return true;
}

/// Takes keys and values from before the first row, from `operand` and the one
/// after it.
bool ContribReader::takePast(unsigned operand, Value &pastKey,
                             Value &pastValue) {
  pastKey = take(operand);
  pastValue = take(operand + 1);
  auto is = [&](Value past, Value rows, int64_t columns) {
    return isOfFloats(past, 4) && fits(getShape(past)[0], getShape(rows)[0]) &&
           getShape(past)[1] == call.kvHeads && getShape(past)[3] == columns &&
           getElementTypeOrSelf(past.getType()) ==
               getElementTypeOrSelf(rows.getType());
  };
  if (!pastKey || !pastValue || !is(pastKey, call.key, call.headDim) ||
      !is(pastValue, call.value, call.valueDim) ||
      !fits(getShape(pastKey)[2], getShape(pastValue)[2]))
    return refuse("expected past_key and past_value of batch entries, static "
                  "heads, rows and columns, in the element type of the key");
  return true;
}

/// Returns the array of all keys, of all values, or of both that a result is,
/// or null if key and value are one result but of other types.
Value ContribReader::getPresent(unsigned result) {
  arrays.putHeadsFirst();
  if (!arePresentTogether)
    return result == 1 ? call.key : call.value;
  return call.headDim == call.valueDim ? arrays.stack() : nullptr;
}

/// Sets the replacements of the results. Returns false if one that has uses
/// cannot be replaced.
bool ContribReader::checkResults() {
  auto getType = [&](unsigned i) {
    return getTensorType(op->getResult(i).getType());
  };
  replacements.assign(op->getNumResults(), nullptr);
  RankedTensorType output = getType(0);
  ArrayRef<int64_t> query = getShape(call.query);
  bool isFour = call.rowsAreHeadsFirst;
  int64_t columns = call.valueDim * (isFour ? 1 : call.heads);
  if (!output || output.getRank() != (isFour ? 4 : 3) ||
      output.getShape().back() != columns ||
      !fits(output.getDimSize(0), query[0]) ||
      !fits(output.getDimSize(1), query[1]) ||
      (isFour && !fits(output.getDimSize(2), query[2])))
    return refuse(isFour
                      ? "expected a result of batch entries, heads, rows and a "
                        "static size for the columns of the value"
                      : "expected a result of batch entries, rows and a static "
                        "size for the columns of all heads");
  for (unsigned i = 1; i < op->getNumResults(); ++i) {
    if (op->getResult(i).use_empty())
      continue;
    RankedTensorType type = getType(i);
    if (i > (arePresentTogether ? 1 : 2)) {
      if (!takeScores())
        return false;
      continue;
    }
    Value present = getPresent(i);
    if (!present || !type ||
        failed(verifyCompatibleShape(type, present.getType())) ||
        type.getElementType() != getElementTypeOrSelf(present.getType()))
      return refuse(arePresentTogether
                        ? "expected a present of key and value, batch entries, "
                          "heads, all keys and columns, of which a head's key "
                          "has as many as its value"
                        : "expected present_key and present_value of batch "
                          "entries, heads, all keys and columns");
    replacements[i] = present;
  }
  return true;
}

bool ContribReader::read(StringRef name) {
  if (op->getNumResults() == 0)
    return refuse("expected a result");
  if (name == kStandardAttention)
    return readStandard() && checkResults();
  bool isRead = false;
  if (name == "GroupQueryAttention") {
    isRead = readGrouped();
  } else if (name == "MultiHeadAttention") {
    isRead = readMultiHead();
  } else if (name == "Attention") {
    arePresentTogether = true;
    isRead = readProjected();
  } else {
    return refuse("expected Attention, GroupQueryAttention or "
                  "MultiHeadAttention of com.microsoft, found " +
                  name);
  }
  return isRead && checkTypes() && checkResults();
}

bool ContribReader::checkTypes() {
  Type element = getElementTypeOrSelf(call.query.getType());
  if (getElementTypeOrSelf(call.key.getType()) != element ||
      getElementTypeOrSelf(call.value.getType()) != element)
    return refuse("expected query, key and value of one element type");
  return true;
}

Operation *ContribReader::make() {
  OpBuilder b(op);
  OperationState state(op->getLoc(), kContribOp);
  for (Value operand :
       {call.query, call.key, call.value, call.lastKeys, call.keyLengths,
        call.keyStarts, call.mask, call.bias, call.scoreMask, call.sink})
    if (operand)
      state.operands.push_back(operand);
  state.addTypes(getTensorType(op->getResult(0).getType()));
  return b.create(state);
}

Operation *
mlir::attn::raise::buildONNXAttention(Operation *op, ContribCall &call,
                                      SmallVectorImpl<Value> &replacements,
                                      std::string &reason) {
  ContribReader reader(op, call, replacements, reason);
  return reader.read(getONNXAttention(op)) ? reader.make() : nullptr;
}
