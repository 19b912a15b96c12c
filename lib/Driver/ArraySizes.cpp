//===- ArraySizes.cpp - Sizes and strides of a run's arrays ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArraySizes.h"

#include "attn/Support/ElementDType.h"
#include "attn/Support/Sizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using Role = EntryParameter::Role;

llvm::Error ArraySizes::set(unsigned position, ArrayRef<int64_t> found,
                            const Twine &source) {
  ArrayRef<int64_t> expected = getType(position).getShape();
  bool fits = expected.size() == found.size() &&
              llvm::all_of(llvm::zip(expected, found), [](auto pair) {
                auto [e, f] = pair;
                return ShapedType::isDynamic(e) || e == f;
              });
  if (!fits)
    return llvm::createStringError("expected sizes " + formatSizes(expected) +
                                   " for " + entry.parameters[position].name +
                                   ", found " + formatSizes(found) + " " +
                                   source);
  if (sizes[position] && ArrayRef(*sizes[position]) != found)
    return llvm::createStringError(
        "expected sizes " + formatSizes(*sizes[position]) + " for " +
        entry.parameters[position].name + ", found " + formatSizes(found) +
        " " + source);
  sizes[position] = SmallVector<int64_t>(found);
  return llvm::Error::success();
}

/// For each array of an attention op whose sizes are not known yet, derives
/// them from those of other arrays of the op, if these are known. The sizes of
/// output, lse and their gradients follow from query and value, those of a sink
/// from the query, and those of a gradient from its array. deriveSequences()
/// and deriveExtras() derive the others.
void ArraySizes::derive() {
  for (const AttentionBinding &binding : entry.attentions) {
    int query = binding.getPosition("query"),
        value = binding.getPosition("value");
    for (auto [number, capture] : llvm::enumerate(binding.captures)) {
      int gradient = binding.getPosition("d_capture" + std::to_string(number));
      if (gradient >= 0 && capture >= 0 && !sizes[gradient] &&
          isa<ShapedType>(entry.parameters[capture].type))
        sizes[gradient] = sizes[capture];
    }
    if (query >= 0 && sizes[query])
      for (StringRef name : {"sink", "d_sink"})
        if (int position = binding.getPosition(name);
            position >= 0 && !sizes[position])
          sizes[position] = SmallVector<int64_t>{(*sizes[query])[1]};
    deriveSequences(binding);
    deriveExtras(binding);
    for (auto [name, position] : binding.positions)
      if (position >= 0 && name.consume_front("d_"))
        if (int from = binding.getPosition(name);
            from >= 0 && sizes[from] && !sizes[position])
          sizes[position] = sizes[from];
    if (query < 0 || !sizes[query] ||
        (!binding.hasValueDims() && (value < 0 || !sizes[value])))
      continue;
    SmallVector<int64_t> output = *sizes[query];
    output[3] = AttentionInterface(binding.op).getValueHeadDim();
    for (StringRef name : {"output", "d_output", "lse", "d_lse"}) {
      int position = binding.getPosition(name);
      if (position >= 0 && !sizes[position])
        sizes[position] = SmallVector<int64_t>(
            ArrayRef(output).take_front(name.ends_with("lse") ? 3 : 4));
    }
  }
}

/// Derives the sizes of extra operands of an attention op, such as scales, from
/// those of the arrays that they belong to.
void ArraySizes::deriveExtras(const AttentionBinding &binding) {
  for (Extra which : kExtras) {
    const ExtraDeclaration &declaration = getDeclaration(which);
    int position = binding.getPosition(declaration.name);
    int of = binding.getPosition(declaration.of);
    if (position < 0 || of < 0 || sizes[position] || !sizes[of])
      continue;
    SmallVector<int64_t> own(getType(position).getShape());
    for (const EqualSizes &equal : getExtraSizes(binding.op, which))
      own[equal.lhs.dim] =
          llvm::divideCeil((*sizes[of])[equal.rhs.dim], equal.rhs.part);
    if (!llvm::is_contained(own, ShapedType::kDynamic))
      sizes[position] = own;
  }
}

/// Derives the sizes of an attention op's arrays of i32. Arrays of lengths have
/// the query's batch size. A page table has the batch size and the number of
/// columns in its type, if that number is static; otherwise its sizes are not
/// derived. The cumulative lengths of query and key have the same size.
void ArraySizes::deriveSequences(const AttentionBinding &binding) {
  using Array = SequenceArray;
  int query = binding.getPosition("query");
  auto derive = [&](Array array, ArrayRef<int64_t> size) {
    int position = binding.getPosition(array);
    if (position >= 0 && !sizes[position] &&
        !llvm::is_contained(size, ShapedType::kDynamic))
      sizes[position] = SmallVector<int64_t>(size);
  };
  if (query >= 0 && sizes[query]) {
    int64_t batch = (*sizes[query])[0];
    derive(Array::QueryLengths, batch);
    derive(Array::KeyLengths, batch);
    if (int table = binding.getPosition(Array::PageTable); table >= 0)
      derive(Array::PageTable, {batch, getType(table).getDimSize(1)});
  }
  for (auto [from, to] :
       {std::pair(Array::CumulativeQuery, Array::CumulativeKey),
        {Array::CumulativeKey, Array::CumulativeQuery}})
    if (int position = binding.getPosition(from);
        position >= 0 && sizes[position])
      derive(to, *sizes[position]);
}

llvm::Error ArraySizes::resolve() {
  for (const auto &[position, given] : options.shapes)
    if (llvm::Error error = set(position, given, "in --shape"))
      return error;
  for (auto [position, parameter] : llvm::enumerate(entry.parameters))
    if (auto type = dyn_cast<ShapedType>(parameter.type);
        type && type.hasStaticShape())
      sizes[position] = SmallVector<int64_t>(type.getShape());
  derive();
  for (auto [position, parameter] : llvm::enumerate(entry.parameters)) {
    if (parameter.role == Role::Scalar)
      continue;
    if (!sizes[position])
      return llvm::createStringError(
          "expected sizes for " + parameter.name + ", whose type " +
          formatSizes(getType(position).getShape()) +
          " leaves some open; give --shape " + Twine(position) + "=...");
    llvm::Expected<int64_t> count = getCheckedNumElements(
        *getDType(getType(position).getElementType()), *sizes[position]);
    if (!count)
      return count.takeError();
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<int64_t>>
ArraySizes::getStrides(unsigned position) const {
  ArrayRef<int64_t> size = *sizes[position];
  SmallVector<int64_t> fixed(size.size(), ShapedType::kDynamic);
  if (!fixed.empty())
    fixed.back() = 1;
  if (auto memref = dyn_cast<MemRefType>(entry.parameters[position].type)) {
    fixed = memref.getLayout().isIdentity()
                ? getContiguousStrides(size)
                : memref.getStridesAndOffset().first;
  }
  // If a type of rank 4 has a static stride between heads that equals the head
  // dim, the memory layout is BSHD. If the length is 1, the stride says nothing
  // about the layout.
  bool isBSHD = size.size() == 4 && fixed[1] == size[3] && size[2] != 1;
  std::array<int64_t, 4> layout = options.layout;
  // If a type of rank 4 has a static stride of 1 along dimension 2 and a
  // dynamic one along dimension 3, the elements of each column are contiguous,
  // and columns follow each other without gaps.
  bool isAlongRows =
      size.size() == 4 && fixed[2] == 1 && ShapedType::isDynamic(fixed[3]);
  if (isBSHD)
    layout = {0, 2, 1, 3};
  else if (isAlongRows)
    layout = {0, 1, 3, 2};
  SmallVector<int64_t> strides = size.size() == 4 ? getStridesFor(layout, size)
                                                  : getContiguousStrides(size);
  bool isGiven = options.strides.count(position);
  if (isGiven)
    strides = options.strides.at(position);
  for (auto [dim, stride] : llvm::enumerate(fixed)) {
    if (ShapedType::isDynamic(stride))
      continue;
    if (isGiven && strides[dim] != stride)
      return llvm::createStringError(
          "expected stride " + Twine(stride) + " in dimension " + Twine(dim) +
          " of " + entry.parameters[position].name + ", found " +
          Twine(strides[dim]) + " in --strides");
    strides[dim] = stride;
  }
  if (isGiven || size.size() < 2 || !ShapedType::isDynamic(fixed[0]) ||
      size[0] < 2)
    return strides;
  // Static strides may leave gaps, so that an entry takes more memory than its
  // elements do. The next entry begins after that memory.
  int64_t extent = 1;
  for (auto [stride, count] :
       llvm::drop_begin(llvm::zip_equal(ArrayRef(strides), ArrayRef(size))))
    if (int64_t distance = 0; count < 1 ||
                              llvm::MulOverflow(stride, count - 1, distance) ||
                              llvm::AddOverflow(extent, distance, extent))
      return strides;
  strides[0] = std::max(strides[0], extent);
  return strides;
}
