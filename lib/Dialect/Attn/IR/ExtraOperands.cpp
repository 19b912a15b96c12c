//===- ExtraOperands.cpp - Operands that are declared once ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/ExtraOperands.h"

#include "AttentionVerify.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define ATTN_EXTRA(ID, NAME, OF, TRAITS, ...)                                  \
  static constexpr StringLiteral kFormsOf##ID[] = {__VA_ARGS__};
ATTN_EXTRA_OPERANDS(ATTN_EXTRA)
#undef ATTN_EXTRA

const ExtraDeclaration &mlir::attn::getDeclaration(Extra which) {
#define ATTN_EXTRA(ID, NAME, OF, TRAITS, ...) {NAME, OF, TRAITS, kFormsOf##ID},
  static constexpr ExtraDeclaration kTable[] = {
      ATTN_EXTRA_OPERANDS(ATTN_EXTRA)};
#undef ATTN_EXTRA
  return kTable[static_cast<unsigned>(which)];
}

std::optional<Extra> mlir::attn::findExtra(StringRef name) {
  for (Extra which : kExtras)
    if (getDeclaration(which).name == name)
      return which;
  return std::nullopt;
}

std::optional<StringRef> mlir::attn::findForm(Extra which, int64_t rank) {
  for (StringRef form : getDeclaration(which).forms)
    if (static_cast<int64_t>(form.size()) == rank)
      return form;
  return std::nullopt;
}

std::optional<int64_t> ExtraOperand::findDim(char letter) const {
  size_t dim = form.find(letter);
  if (dim == StringRef::npos ||
      cast<ShapedType>(value.getType()).getDimSize(dim) == 1)
    return std::nullopt;
  return dim;
}

//===----------------------------------------------------------------------===//
// Operands of an op
//===----------------------------------------------------------------------===//

ExtraOperand
mlir::attn::findExtraOperand(Extra which, ValueRange extras,
                             std::optional<ArrayAttr> names,
                             std::optional<ArrayRef<int64_t>> blocks) {
  ExtraOperand operand;
  // Before the op is verified, it may have fewer names or blocks than operands.
  // The op then counts as having no extra operand.
  if (!names || names->size() != extras.size() || !blocks ||
      blocks->size() != extras.size())
    return operand;
  StringRef name = getDeclaration(which).name;
  for (auto [i, value] : llvm::enumerate(extras)) {
    if (cast<StringAttr>((*names)[i]).getValue() != name)
      continue;
    operand.value = value;
    operand.block = (*blocks)[i];
    int64_t rank = cast<ShapedType>(value.getType()).getRank();
    operand.form = findForm(which, rank).value_or("");
  }
  return operand;
}

ExtraOperand AttentionOp::getExtra(Extra which) {
  return findExtraOperand(which, getExtras(), getExtraNames(),
                          getExtraBlocks());
}

ExtraOperand AttentionBackwardOp::getExtra(Extra which) {
  return findExtraOperand(which, getExtras(), getExtraNames(),
                          getExtraBlocks());
}

/// Returns the op's array called `name`, which an extra operand scales or
/// extends. Returns the key if the op has no such array: an op without a value
/// has its values in columns of the key.
static Value getScaled(AttentionInterface op, StringRef name) {
  for (const NamedArray &array : op.getArrays())
    if (array.name == name)
      return array.value;
  return op.getKey();
}

SmallVector<EqualSizes> mlir::attn::getExtraSizes(AttentionInterface op,
                                                  Extra which) {
  SmallVector<EqualSizes> all;
  ExtraOperand operand = op.getExtra(which);
  if (!operand)
    return all;
  const ExtraDeclaration &declaration = getDeclaration(which);
  Value scaled = getScaled(op, declaration.of);
  bool hasColumns = declaration.hasColumns();
  for (auto [letter, what] : {std::pair('b', "batch sizes"),
                              {'h', "head counts"},
                              {'s', "lengths"},
                              {'d', "head dims"}}) {
    std::optional<int64_t> own = operand.findDim(letter);
    // A query_rope or key_rope must have the sizes of the array that it extends
    // in all dimensions except the head dim. The exception is a key_rope that
    // all heads share, whose number of heads is not compared.
    if (hasColumns && (which != Extra::KeyRope || letter != 'h'))
      own = operand.form.find(letter);
    if (!own || *own < 0 || (hasColumns && letter == 'd'))
      continue;
    EqualSizes &sizes = all.emplace_back();
    sizes.what = what;
    if (letter == 'b' && op.getPages() && declaration.isOfKeys())
      sizes.what = "numbers of pages";
    int64_t part = letter == 's' ? operand.block : 1;
    if (part != 1)
      sizes.what = "numbers of blocks of rows";
    sizes.lhs = {declaration.name.str(), operand.value, *own};
    sizes.rhs = {declaration.of.str(), scaled, *findArrayDim(letter), part};
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

std::string mlir::attn::describeForms(const ExtraDeclaration &declaration,
                                      bool isPaged) {
  SmallVector<std::string> forms;
  for (StringRef form : declaration.forms) {
    SmallVector<StringRef> dims;
    for (char letter : form)
      dims.push_back(letter == 'b'   ? (isPaged ? "Pages" : "B")
                     : letter == 'h' ? "H"
                     : letter == 's' ? (isPaged ? "P" : "S")
                     : letter == 'd' ? "D"
                                     : "1");
    forms.push_back(form.empty() ? "of rank 0" : llvm::join(dims, " x "));
  }
  std::string last = forms.pop_back_val();
  return forms.empty() ? last : llvm::join(forms, ", ") + " or " + last;
}

/// Verifies the extra operand `which`, query_rope or key_rope, whose rank is
/// already verified. The op must have both of them or neither, with equal
/// numbers of columns and without `per`. Both must have the query's element
/// type, which must have 16 or 32 bits. In the backward op, the key must have
/// that type, too.
static LogicalResult verifyColumns(AttentionInterface op, Extra which) {
  const ExtraDeclaration &declaration = getDeclaration(which);
  bool isOfKey = which == Extra::KeyRope;
  Extra partner = isOfKey ? Extra::QueryRope : Extra::KeyRope;
  ExtraOperand own = op.getExtra(which), other = op.getExtra(partner);
  if (!other)
    return op->emitOpError("expected query_rope and key_rope or neither, "
                           "found ")
           << declaration.name << " alone";
  if (own.block != 1)
    return op->emitOpError("expected no 'per' beside ")
           << declaration.name << ", found " << own.block;
  Type element = op.getQueryType().getElementType();
  Type found = getElementTypeOrSelf(own.value);
  if (isNarrow(element))
    return op->emitOpError(
               "expected query elements of f16, bf16 or f32 beside ")
           << declaration.name << ", found " << element;
  Type key = op.getKeyType().getElementType();
  if (isOfKey && isa<AttentionBackwardOp>(op.getOperation()) && key != element)
    return op->emitOpError("expected key elements of ")
           << element << ", as query, beside key_rope for gradients, found "
           << key;
  // query_rope and key_rope must have the query's element type, even beside a
  // key with fewer bits.
  if (found != element)
    return op->emitOpError("expected ")
           << declaration.name << " elements of " << element
           << ", as query, found " << found;
  if (isOfKey &&
      failed(verifySameSize(op, "head dims", "query_rope",
                            attn::detail::getColumns(other), "key_rope",
                            attn::detail::getColumns(own))))
    return failure();
  return verifyEqualSizes(op, getExtraSizes(op, which));
}

static LogicalResult verifyExtra(AttentionInterface op, Extra which) {
  ExtraOperand operand = op.getExtra(which);
  const ExtraDeclaration &declaration = getDeclaration(which);
  if (declaration.hasColumns())
    return verifyColumns(op, which);
  if (declaration.isForwardOnly() &&
      isa<AttentionBackwardOp>(op.getOperation()))
    return op->emitOpError("expected no ")
           << declaration.name << " for gradients, found one";
  if (FloatAttr dropout = op.getDropoutAttr();
      dropout && declaration.excludesDropout())
    return op->emitOpError("expected no dropout beside ")
           << declaration.name << ", found one of probability "
           << dropout.getValueAsDouble() << "; give a " << declaration.of
           << " to which " << declaration.name << " is already applied";
  auto type = cast<ShapedType>(operand.value.getType());
  if (failed(verifyKind(op, declaration.name, type)))
    return failure();
  if (!type.getElementType().isF32())
    return op->emitOpError("expected ")
           << declaration.name << " elements of f32, found "
           << type.getElementType();
  std::optional<StringRef> form = findForm(which, type.getRank());
  size_t one = form ? form->find('1') : StringRef::npos;
  if (!form || (one != StringRef::npos && type.getDimSize(one) != 1))
    return op->emitOpError("expected ")
           << declaration.name << " of " << declaration.of << " to be "
           << describeForms(declaration,
                            op.getPages() && declaration.isOfKeys())
           << ", found " << type;
  if (operand.block != 1 &&
      (!declaration.takesBlocks() || !form->contains('s') ||
       operand.block < 16 || !llvm::isPowerOf2_64(operand.block)))
    return op->emitOpError("expected 'per' with a power of two from 16 on, "
                           "beside an element for each block of rows, found ")
           << operand.block << " of " << declaration.name << " of type "
           << type;
  bool isOfChannels = form->contains('d');
  if (isOfChannels && op.getValueDimsAttr())
    return op->emitOpError("expected no element for each channel of ")
           << declaration.name << " beside value_dims, found " << type;
  if (isOfChannels && op.getPages() && type.getDimSize(0) != 1)
    return op->emitOpError("expected ")
           << declaration.name
           << " to have the same channels for all pages, 1 x H x 1 x D, found "
           << type;
  return verifyEqualSizes(op, getExtraSizes(op, which));
}

LogicalResult mlir::attn::verifyScaleOfOutput(Operation *op, Type element,
                                              bool hasScale) {
  if (hasScale == isFloat8(element))
    return success();
  return op->emitOpError("expected ")
         << (hasScale ? "no output_scale" : "an output_scale in 'with'")
         << " beside an output of " << element << ", found "
         << (hasScale ? "one; it is of outputs of 8 bits" : "none");
}

LogicalResult
mlir::attn::verifyExtras(AttentionInterface op, ValueRange extras,
                         std::optional<ArrayAttr> names,
                         std::optional<ArrayRef<int64_t>> blocks) {
  size_t count = extras.size();
  if ((names ? names->size() : 0) != count ||
      (blocks ? blocks->size() : 0) != count)
    return op->emitOpError("expected a name and a number of rows for each of ")
           << count << " operands in 'with'";
  std::optional<Extra> last;
  for (size_t i = 0; i < count; ++i) {
    StringRef name = cast<StringAttr>((*names)[i]).getValue();
    std::optional<Extra> which = findExtra(name);
    if (!which || (last && *which <= *last)) {
      auto all = llvm::map_range(
          kExtras, [](Extra extra) { return getDeclaration(extra).name; });
      return op->emitOpError("expected in 'with' some of ")
             << llvm::join(all, ", ") << ", in this order, found '" << name
             << "'";
    }
    last = which;
    if (failed(verifyExtra(op, *which)))
      return failure();
  }
  if (isa<AttentionBackwardOp>(op.getOperation()))
    return success();
  return verifyScaleOfOutput(op, op.getOutputType().getElementType(),
                             bool(op.getExtra(Extra::OutputScale)));
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult mlir::attn::parseExtras(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    SmallVectorImpl<Type> &types, ArrayAttr &names, DenseI64ArrayAttr &blocks) {
  SmallVector<StringRef> keywords;
  SmallVector<int64_t> numbers;
  auto parseOne = [&]() -> ParseResult {
    StringRef &name = keywords.emplace_back();
    int64_t &block = numbers.emplace_back(1);
    if (parser.parseKeyword(&name) ||
        parser.parseOperand(operands.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("per")) &&
        parser.parseInteger(block))
      return failure();
    return parser.parseColonType(types.emplace_back());
  };
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  names = parser.getBuilder().getStrArrayAttr(keywords);
  blocks = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

void mlir::attn::printExtras(OpAsmPrinter &printer, Operation *,
                             OperandRange operands, TypeRange types,
                             ArrayAttr names, DenseI64ArrayAttr blocks) {
  llvm::interleaveComma(
      llvm::seq<size_t>(0, operands.size()), printer, [&](size_t i) {
        printer << cast<StringAttr>(names[i]).getValue() << " " << operands[i];
        if (blocks && blocks[i] != 1)
          printer << " per " << blocks[i];
        printer << " : " << types[i];
      });
}
