//===- AppendOp.cpp - The op that writes to caches ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// RowwiseInterface
//===----------------------------------------------------------------------===//

/// Returns 16, the rows of a tile in attn.append's host program. These rows are
/// heads of the cache, of which there are seldom more than 16.
int64_t AppendOp::getHostRows() { return 16; }

/// Returns the rank that a quantization scale must have: 0 if its type has rank
/// 0 (one number for the whole cache), otherwise 2 (one number for each batch
/// entry and head).
static int64_t getScaleRank(Value scale) {
  return cast<ShapedType>(scale.getType()).getRank() == 0 ? 0 : 2;
}

/// Returns the element types of 8 and 4 bits (f8E4M3FN, f8E5M2, i8 and i4) that
/// caches may have instead of the type of the appended keys and values.
static SmallVector<Type, 4> getNarrowTypes(MLIRContext *context) {
  return {Float8E4M3FNType::get(context), Float8E5M2Type::get(context),
          IntegerType::get(context, 8), IntegerType::get(context, 4)};
}

SmallVector<ArrayOperand> AppendOp::getArrays() {
  SmallVector<Type, 3> floats = getFloats(getContext());
  Type f32 = floats.back(), i32 = IntegerType::get(getContext(), 32);
  Type element = getElementTypeOrSelf(getKey());
  SmallVector<Type, 3> same = floats, ofTables = {f32};
  if (llvm::is_contained(floats, element)) {
    same = {element};
    if (element != f32)
      ofTables.push_back(element);
  }
  SmallVector<ArrayOperand> arrays = {{"key", getKey(), 4, floats, true},
                                      {"value", getValue(), 4, same, true}};
  if (getQuery())
    arrays.push_back({"query", getQuery(), 4, same, true});
  if (getCounts())
    arrays.push_back({"counts", getCounts(), 1, {i32}});
  if (getPages())
    arrays.push_back({"pages", getPages(), 2, {i32}});
  if (getCos()) {
    Type own = getElementTypeOrSelf(getCos());
    arrays.push_back({"cos", getCos(), 2, ofTables, true});
    if (llvm::is_contained(ofTables, own))
      ofTables = {own};
    arrays.push_back({"sin", getSin(), 2, ofTables, true});
  }
  for (auto [name, scale] : {std::pair("the scale of keys", getKeyScale()),
                             {"the scale of values", getValueScale()}})
    if (scale)
      arrays.push_back({name, scale, getScaleRank(scale), {f32}});
  SmallVector<Type, 3> ofCaches = same;
  llvm::append_range(ofCaches, getNarrowTypes(getContext()));
  arrays.push_back({"the key cache", getKeyCache(), 4, ofCaches, true});
  arrays.push_back({"the value cache", getValueCache(), 4, ofCaches, true});
  if (getQueryOut())
    arrays.push_back({"the rotated query", getQueryOut(), 4, same, true});
  if (getMakesScales()) {
    arrays.push_back({"the made scale of keys", getMadeKeyScale(), 3, {f32}});
    arrays.push_back(
        {"the made scale of values", getMadeValueScale(), 3, {f32}});
  }
  arrays.push_back({"lengths", getLengths(), 1, {i32}});
  return arrays;
}

SmallVector<EqualSizes> AppendOp::getEqualSizes() {
  SmallVector<EqualSizes> sizes;
  auto dimsOf = [](std::string name, Value array) {
    return [=](int64_t dim) -> EqualSizes::Dim { return {name, array, dim}; };
  };
  auto key = dimsOf("key", getKey()), value = dimsOf("value", getValue()),
       query = dimsOf("query", getQuery()),
       queryOut = dimsOf("the rotated query", getQueryOut()),
       keyCache = dimsOf("the key cache", getKeyCache()),
       valueCache = dimsOf("the value cache", getValueCache());
  requireEqual(sizes, "batch sizes", key(0),
               {value(0),
                query(0),
                queryOut(0),
                {"counts", getCounts(), 0},
                {"pages", getPages(), 0},
                {"lengths", getLengths(), 0}});
  if (!getPages())
    requireEqual(sizes, "batch sizes", key(0), {keyCache(0)});
  requireEqual(sizes, getPages() ? "numbers of pages" : "batch sizes",
               keyCache(0), {valueCache(0)});
  requireEqual(sizes, "head counts", key(1),
               {value(1), keyCache(1), valueCache(1)});
  requireEqual(sizes, "lengths", key(2), {value(2), query(2), queryOut(2)});
  requireEqual(sizes, getPages() ? "page sizes" : "lengths", keyCache(2),
               {valueCache(2)});
  requireEqual(sizes, "head dims", key(3),
               {query(3), queryOut(3), keyCache(3)});
  requireEqual(sizes, "head dims", value(3), {valueCache(3)});
  if (getQuery())
    requireEqual(sizes, "head counts", query(1), {queryOut(1)});
  // A scale of rank 2 must have as many batch entries and heads as the appended
  // keys. A dimension of static size 1 is an exception: all entries or heads
  // share its one element. Scales of rank 0 have no sizes to compare.
  for (auto [name, scale] : {std::pair("the scale of keys", getKeyScale()),
                             {"the scale of values", getValueScale()}})
    if (scale && getScaleRank(scale) != 0)
      for (int64_t dim : {0, 1})
        if (cast<ShapedType>(scale.getType()).getDimSize(dim) != 1)
          requireEqual(sizes, dim == 0 ? "batch sizes" : "head counts",
                       key(dim), {{name, scale, dim}});
  if (getMakesScales()) {
    auto made = [&](int64_t dim) -> SmallVector<EqualSizes::Dim> {
      return {{"the made scale of keys", getMadeKeyScale(), dim},
              {"the made scale of values", getMadeValueScale(), dim}};
    };
    requireEqual(sizes, getPages() ? "numbers of pages" : "batch sizes",
                 keyCache(0), made(0));
    requireEqual(sizes, "head counts", keyCache(1), made(1));
    requireEqual(sizes, getPages() ? "page sizes" : "lengths", keyCache(2),
                 made(2));
  }
  if (getCos())
    for (int64_t dim : {0, 1})
      requireEqual(sizes, dim == 0 ? "numbers of positions" : "widths",
                   {"cos", getCos(), dim}, {{"sin", getSin(), dim}});
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verifier and effects
//===----------------------------------------------------------------------===//

LogicalResult AppendOp::verify() {
  size_t expected = 2 + (getQuery() ? 1 : 0) + (getMakesScales() ? 2 : 0);
  if (getOuts().size() != expected) {
    SmallVector<StringRef> outs = {"caches of keys and values"};
    if (getQuery())
      outs.push_back("the rotated query");
    if (getMakesScales())
      outs.push_back("scales of keys and of values");
    return emitOpError("expected ")
           << expected << " outs (" << llvm::join(outs, ", and ") << "), found "
           << getOuts().size();
  }
  if (getMakesScales() && getKeyScale())
    return emitOpError("expected scales that are given or 'makes_scales', "
                       "found both");
  if (bool(getCos()) != bool(getSin()))
    return emitOpError("expected tables of both cosines and sines, or neither, "
                       "found one");
  if (getQuery() && !getCos())
    return emitOpError("expected rotary tables beside a query, found none");
  if (getInterleaved() && !getCos())
    return emitOpError("expected rotary tables with 'interleaved', found none");
  if (bool(getKeyScale()) != bool(getValueScale()))
    return emitOpError("expected scales of both keys and values, or neither, "
                       "found one");
  if (failed(verifyRowwise(*this)))
    return failure();
  for (auto [name, cache] : {std::pair("the key cache", getKeyCache()),
                             {"the value cache", getValueCache()}})
    if (failed(verifyHalfBytes(*this, name, cast<ShapedType>(cache.getType()))))
      return failure();
  // Scales are allowed only if at least one of the two caches has elements of 8
  // bits or fewer. The other cache may have the type of the appended arrays,
  // such as rotary keys of 16 bits beside latents of 8 bits. The scale of such
  // a cache is not used.
  bool hasNarrowCache = isNarrow(getElementTypeOrSelf(getKeyCache())) ||
                        isNarrow(getElementTypeOrSelf(getValueCache()));
  for (auto [name, scale, cache] :
       {std::tuple("keys", getKeyScale(), getKeyCache()),
        {"values", getValueScale(), getValueCache()}})
    if (scale && !hasNarrowCache)
      return emitOpError("expected no scale of ")
             << name << " beside a cache of " << getElementTypeOrSelf(cache)
             << ", found one; scales are of caches of 8 bits or fewer";
  for (auto [name, cache] :
       {std::pair("keys", getKeyCache()), {"values", getValueCache()}})
    if (getMakesScales() && !isNarrow(getElementTypeOrSelf(cache)))
      return emitOpError("expected a cache of ")
             << name
             << " of f8E4M3FN, f8E5M2, i8 or i4 with 'makes_scales', found "
             << getElementTypeOrSelf(cache);
  if (!getCos())
    return success();
  int64_t columns = cast<ShapedType>(getCos().getType()).getDimSize(1);
  int64_t headDim = cast<ShapedType>(getKey().getType()).getDimSize(3);
  if (columns > headDim / 2)
    return emitOpError("expected rotary tables of at most ")
           << headDim / 2 << " columns, half of the head dim, found "
           << columns;
  return success();
}

/// Returns whether the elements of an out that the op does not write must keep
/// their values. This is true for the caches, their scales and the lengths. It
/// is false for the rotated query, of which the op writes all elements.
bool AppendOp::keepsContents(OpOperand &destination) {
  return destination.get() != getQueryOut();
}
