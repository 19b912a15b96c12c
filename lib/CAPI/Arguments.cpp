//===- Arguments.cpp - Arguments of a launch ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "attn/Support/Sizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

static_assert(ATTN_DYNAMIC == ShapedType::kDynamic);

namespace {
/// An element type of the C interface, with its name in MLIR and its size in
/// bytes.
struct ElementType {
  attn_dtype dtype;
  llvm::StringLiteral name;
  int64_t bytes;
};
} // namespace

static constexpr ElementType kElementTypes[] = {
    {ATTN_F16, "f16", 2},       {ATTN_BF16, "bf16", 2},
    {ATTN_F32, "f32", 4},       {ATTN_F64, "f64", 8},
    {ATTN_I1, "i1", 1},         {ATTN_I8, "i8", 1},
    {ATTN_I16, "i16", 2},       {ATTN_I32, "i32", 4},
    {ATTN_I64, "i64", 8},       {ATTN_F8E4M3FN, "f8E4M3FN", 1},
    {ATTN_F8E5M2, "f8E5M2", 1}, {ATTN_I4, "i4", 1}};

static llvm::StringRef getDTypeName(int32_t dtype) {
  if (dtype == ATTN_U8)
    return "u8";
  for (const ElementType &known : kElementTypes)
    if (known.dtype == dtype)
      return known.name;
  return "an unknown dtype";
}

/// Returns the element type of the C interface that corresponds to an MLIR type
/// (to index: that of i64). Returns null if there is none.
static const ElementType *findElementType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  for (const ElementType &known : kElementTypes)
    if (known.name == (type.isIndex() ? "i64" : name))
      return &known;
  return nullptr;
}

static attn_argument_kind getKind(EntryParameter::Role role) {
  switch (role) {
  case EntryParameter::Role::Input:
    return ATTN_INPUT;
  case EntryParameter::Role::Output:
    return ATTN_OUTPUT;
  case EntryParameter::Role::Scratch:
    return ATTN_SCRATCH;
  case EntryParameter::Role::Scalar:
    return ATTN_SCALAR;
  }
  llvm_unreachable("all are listed");
}

/// The end of an error message about rows whose elements are not contiguous. It
/// tells the caller how to make a copy whose rows are.
static constexpr StringLiteral kDenseRows =
    "; elements of a row must be neighbours in memory: pass a copy, as "
    ".contiguous() of torch and numpy.ascontiguousarray make it";

/// Returns the name that the argument has in the first attention op that takes
/// it, such as "query" or, for a captured array, "capture" followed by its
/// index among the captures of the op, from 0 on. Returns "" if no attention op
/// takes it.
static std::string getRoleName(const EntryPoint &entry, int position) {
  for (const AttentionBinding &binding : entry.attentions) {
    for (auto [name, taken] : binding.positions)
      if (taken == position)
        return name.str();
    for (auto [number, taken] : llvm::enumerate(binding.captures))
      if (taken == position)
        return "capture" + std::to_string(number);
  }
  return "";
}

llvm::Expected<Argument> Argument::create(const EntryPoint &entry,
                                          unsigned position) {
  const EntryParameter &parameter = entry.parameters[position];
  Argument argument;
  argument.kind = getKind(parameter.role);
  argument.isUpdated = parameter.isUpdated;
  argument.position = parameter.name;
  argument.name = getRoleName(entry, position);
  llvm::raw_string_ostream(argument.type) << parameter.type;
  const ElementType *dtype =
      findElementType(getElementTypeOrSelf(parameter.type));
  bool isScalar = !isa<ShapedType>(parameter.type);
  if (!dtype || (isScalar && dtype->dtype == ATTN_I4))
    return argument.expected("an integer of 1, 8, 16, 32 or 64 bits",
                             argument.type);
  argument.dtype = dtype->dtype;
  argument.elementSize = dtype->bytes;

  auto shaped = dyn_cast<ShapedType>(parameter.type);
  if (!shaped)
    return argument;
  if (dtype->dtype == ATTN_I4 && shaped.getRank() == 0)
    return argument.expected("an array of rank 1 or more, since two numbers of "
                             "i4 share a byte",
                             argument.type);
  argument.sizes.assign(shaped.getShape().begin(), shaped.getShape().end());
  argument.strides.assign(shaped.getRank(), ATTN_DYNAMIC);
  if (auto memref = dyn_cast<MemRefType>(parameter.type)) {
    auto [strides, offset] = memref.getStridesAndOffset();
    argument.strides.assign(strides.begin(), strides.end());
    argument.offset = ShapedType::isDynamic(offset) ? 0 : offset;
    argument.isContiguous = memref.getLayout().isIdentity();
  } else if (shaped.getRank() > 0) {
    argument.strides.back() = 1;
  }
  return argument;
}

attn_argument_info Argument::getInfo() const {
  attn_argument_info info = {};
  info.kind = kind;
  info.dtype = dtype;
  info.rank = sizes.size();
  info.is_contiguous = isContiguous;
  info.sizes = sizes.data();
  info.strides = strides.data();
  info.name = name.c_str();
  info.type = type.c_str();
  info.is_updated = isUpdated;
  return info;
}

std::string Argument::describe() const {
  return name.empty() ? position : position + " (" + name + ")";
}

/// Prints the sizes of a caller's buffer as numbers, even one that equals
/// ATTN_DYNAMIC, which formatSizes() would print as "?".
static std::string formatActualSizes(const attn_buffer &buffer) {
  auto print = [](int64_t size) { return std::to_string(size); };
  return llvm::join(llvm::map_range(ArrayRef(buffer.sizes, buffer.rank), print),
                    "x");
}

std::string Argument::describeSizes(const attn_buffer &buffer) const {
  if (isScalar())
    return "";
  return "; " + describe() + " has sizes " + formatActualSizes(buffer);
}

llvm::Error Argument::expected(const llvm::Twine &what,
                               const llvm::Twine &found) const {
  return llvm::createStringError(describe() + ": expected " + what +
                                 ", found " + found);
}

llvm::Error Argument::bindScalar(const attn_buffer &buffer,
                                 int64_t *words) const {
  if (buffer.rank != 0)
    return expected("a number of type " + type,
                    "an array of rank " + llvm::Twine(buffer.rank));
  if (!buffer.data)
    return expected("the address of a number of type " + type, "null");
  words[0] = 0;
  std::memcpy(words, buffer.data, elementSize);
  if (dtype == ATTN_I1 && words[0] > 1)
    return expected("0 or 1", llvm::Twine(words[0]));
  return llvm::Error::success();
}

llvm::Error Argument::checkPlace(const attn_buffer &buffer, Place place) const {
  switch (buffer.device_type) {
  case ATTN_DEVICE_ANY:
  case ATTN_DEVICE_CUDA_HOST:
  case ATTN_DEVICE_CUDA_MANAGED:
    return llvm::Error::success();
  case ATTN_DEVICE_CPU:
    if (!place.isHost)
      return expected("memory of a GPU", "the host's");
    return llvm::Error::success();
  case ATTN_DEVICE_CUDA:
    if (place.isHost)
      return expected("memory of the host", "a GPU's");
    if (place.device >= 0 && buffer.device_id != place.device)
      return expected("memory of GPU " + llvm::Twine(place.device) +
                          ", whose context is current",
                      "GPU " + llvm::Twine(buffer.device_id) + "'s");
    return llvm::Error::success();
  }
  return expected("memory of the host or of a CUDA device",
                  "device type " + llvm::Twine(buffer.device_type));
}

/// Subtracts from `extent` the distance in bytes between the first and the last
/// element of a dimension. Negative strides count like positive ones. `extent`
/// is the sum of these distances over the dimensions, negated, since INT64_MIN
/// has no positive counterpart. Returns true on overflow.
static bool extendOverflows(int64_t stride, int64_t size, int64_t elementSize,
                            int64_t &extent) {
  int64_t bytes = stride < 0 ? stride : -stride;
  return llvm::MulOverflow(bytes, elementSize, bytes) ||
         llvm::MulOverflow(bytes, size - 1, bytes) ||
         llvm::AddOverflow(extent, bytes, extent);
}

llvm::Error Argument::bind(const attn_buffer &buffer, Place place,
                           int64_t *words) const {
  if (buffer.dtype == ATTN_U8 && dtype == ATTN_I4 && buffer.rank &&
      buffer.sizes) {
    // An i4 array may be given as bytes of two elements each. `halves`
    // describes the same memory in elements of i4.
    attn_buffer halves = buffer;
    SmallVector<int64_t> ownSizes(buffer.sizes, buffer.sizes + buffer.rank),
        ownStrides;
    bool overflows =
        llvm::MulOverflow<int64_t>(ownSizes.back(), 2, ownSizes.back());
    halves.dtype = ATTN_I4;
    halves.sizes = ownSizes.data();
    if (buffer.strides) {
      ownStrides.assign(buffer.strides, buffer.strides + buffer.rank);
      for (int64_t &stride : llvm::drop_end(ownStrides))
        overflows |= llvm::MulOverflow<int64_t>(stride, 2, stride);
      halves.strides = ownStrides.data();
    }
    if (overflows)
      return expected("sizes and strides below 2^62", "larger ones");
    return bind(halves, place, words);
  }
  if (buffer.dtype != dtype)
    return expected("dtype " + getDTypeName(dtype), getDTypeName(buffer.dtype));
  if (isScalar())
    return bindScalar(buffer, words);
  unsigned rank = sizes.size();
  if (buffer.rank != rank)
    return expected("rank " + llvm::Twine(rank), llvm::Twine(buffer.rank));
  if (rank && !buffer.sizes)
    return expected(llvm::Twine(rank) + " sizes", "null");
  if (llvm::Error error = checkPlace(buffer, place))
    return error;

  int64_t *wordSizes = words + 3, *wordStrides = wordSizes + rank;
  bool isEmpty = false;
  for (unsigned dim = 0; dim < rank; ++dim) {
    int64_t size = buffer.sizes[dim];
    bool fits = sizes[dim] == ATTN_DYNAMIC ? size >= 0 : size == sizes[dim];
    if (!fits)
      return expected("sizes " + formatSizes(sizes), formatActualSizes(buffer));
    wordSizes[dim] = size;
    isEmpty |= size == 0;
  }

  // Visits the dimensions from the innermost one outwards. `dense` is the
  // stride that the dimension would have in a contiguous array.
  int64_t dense = 1, extent = 0;
  bool isTooLarge = false, isTooFar = false;
  for (unsigned dim = rank; dim-- > 0;) {
    int64_t stride = buffer.strides ? buffer.strides[dim] : dense;
    int64_t wanted = isContiguous ? dense : strides[dim];
    int64_t size = wordSizes[dim];
    bool matters = !isEmpty && size != 1;
    // The stride of a dimension of size 1 does not matter. It is replaced by 0,
    // so that it does not make rows look misaligned.
    wordStrides[dim] = matters ? stride : 0;
    if (matters && wanted != ATTN_DYNAMIC && stride != wanted)
      return expected("stride " + llvm::Twine(wanted) + " in dimension " +
                          llvm::Twine(dim),
                      llvm::Twine(stride) +
                          (wanted == 1 && dim + 1 == rank ? kDenseRows : ""));
    if (matters && dtype == ATTN_I4 && dim + 1 != rank && stride % 2 != 0)
      return expected("an even stride in dimension " + llvm::Twine(dim) +
                          " of i4, which has two elements in a byte",
                      llvm::Twine(stride));
    if (matters && stride == 0 && isWritten())
      return expected("elements of their own in an array that is written",
                      "stride 0 in dimension " + llvm::Twine(dim));
    if (matters)
      isTooFar |= extendOverflows(stride, size, elementSize, extent);
    if (!isEmpty)
      isTooLarge |= llvm::MulOverflow(dense, size, dense);
  }
  if (isTooLarge)
    return expected("fewer than 2^63 elements",
                    "sizes " + formatActualSizes(buffer));
  if (isTooFar)
    return expected("strides with which all elements are within 2^63 bytes",
                    "others");
  auto address = reinterpret_cast<int64_t>(buffer.data);
  if (!address && !isEmpty)
    return expected("the address of an array", "null");
  if (address & (elementSize - 1))
    return expected("an address that is a multiple of " +
                        llvm::Twine(elementSize),
                    "0x" + llvm::Twine::utohexstr(address));
  words[0] = words[1] = address - getBytes(offset);
  words[2] = offset;
  return llvm::Error::success();
}

StridedBytes Argument::getBytes(const int64_t *words) const {
  unsigned rank = sizes.size();
  StridedBytes bytes = {words[1] + getBytes(words[2]),
                        elementSize,
                        {words + 3, words + 3 + rank},
                        {words + 3 + rank, words + 3 + 2 * rank}};
  if (dtype != ATTN_I4)
    return bytes;
  bytes.sizes.back() /= 2;
  for (int64_t &stride : llvm::drop_end(bytes.strides))
    stride /= 2;
  return bytes;
}

llvm::Error mlir::attn::checkOverlaps(ArrayRef<Argument> arguments,
                                      const int64_t *words) {
  struct Array {
    const Argument *argument;
    const int64_t *words;
    ByteRange range;
  };
  SmallVector<Array, 16> arrays;
  for (const Argument &argument : arguments) {
    if (!argument.isScalar()) {
      StridedBytes bytes = argument.getBytes(words);
      if (argument.isWritten() && haveCommonElements(bytes))
        return argument.expected(
            "elements of their own in an array that is written",
            "some that are at one address by the array's strides");
      arrays.push_back({&argument, words, getRange(bytes)});
    }
    words += argument.getNumWords();
  }
  for (auto [i, written] : llvm::enumerate(arrays)) {
    if (!written.argument->isWritten())
      continue;
    for (auto [j, other] : llvm::enumerate(arrays)) {
      // An array is not compared with itself, and two arrays that are both
      // written are only compared once.
      if (j == i || (j < i && other.argument->isWritten()) ||
          !written.range.meets(other.range))
        continue;
      if (haveCommonBytes(written.argument->getBytes(written.words),
                          other.argument->getBytes(other.words)))
        return written.argument->expected(
            "memory of its own in an array that is written",
            "elements that " + other.argument->describe() + " has, too");
    }
  }
  return llvm::Error::success();
}

llvm::Error mlir::attn::checkCount(ArrayRef<Argument> arguments, uint32_t count,
                                   const attn_buffer *buffers) {
  if (count != arguments.size())
    return llvm::createStringError("expected " + llvm::Twine(arguments.size()) +
                                   " arguments, found " + llvm::Twine(count));
  if (count && !buffers)
    return llvm::createStringError("expected arguments, found null");
  return llvm::Error::success();
}
