//===- Execution.cpp - The arguments of one run ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Execution.h"

#include "Sequences.h"

#include "attn/Driver/Runner.h"
#include "attn/Oracle/Oracle.h"
#include "attn/Support/Dice.h"
#include "attn/Support/Npy.h"
#include "attn/Support/Random.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using Role = EntryParameter::Role;

static std::string formatSizes(ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      sizes, os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << '?';
        else
          os << size;
      },
      "x");
  return text;
}

/// Returns the backward op that takes the parameter as its output or lse, or
/// null if there is none.
static const AttentionBinding *findForward(const EntryPoint &entry,
                                           int position) {
  for (const AttentionBinding &binding : entry.attentions)
    if (isa<AttentionBackwardOp>(binding.op) && binding.hasInputs() &&
        (binding.getPosition("output") == position ||
         binding.getPosition("lse") == position))
      return &binding;
  return nullptr;
}

/// Whether a parameter is an attention op's array of lengths, cumulative
/// lengths or pages, for which random numbers can be drawn.
static bool isSequenceArray(const EntryPoint &entry, int position) {
  return llvm::any_of(entry.attentions, [&](const AttentionBinding &binding) {
    return Sequences::areParameters(binding) &&
           llvm::is_contained(binding.sequences, position);
  });
}

/// Whether a parameter is the key or value of an attention op. Any integers are
/// valid elements of these.
static bool isKeyOrValue(const EntryPoint &entry, int position) {
  return llvm::any_of(entry.attentions, [&](const AttentionBinding &binding) {
    return binding.getPosition("key") == position ||
           binding.getPosition("value") == position;
  });
}

namespace {

/// Determines sizes and makes the arrays for Execution::prepare().
class Preparation {
public:
  Preparation(const EntryPoint &entry, const ExecutionOptions &options)
      : entry(entry), options(options), specs(entry.parameters.size()),
        sizes(entry.parameters.size()) {}

  llvm::Error assignArguments();
  llvm::Error checkRandom() const;
  llvm::Error checkForward() const;
  llvm::Error readFiles();
  llvm::Error resolveSizes();
  llvm::Expected<Buffer> createBuffer(unsigned position);
  llvm::Expected<std::pair<ScalarValue, int64_t>>
  createScalar(unsigned position) const;

private:
  ShapedType getShapedType(unsigned position) const {
    return cast<ShapedType>(entry.parameters[position].type);
  }
  DType getElementType(unsigned position) const {
    return *getDType(getShapedType(position).getElementType());
  }
  llvm::Error setSizes(unsigned position, ArrayRef<int64_t> found,
                       const Twine &source);
  void deriveSizes();
  void deriveSequenceSizes(const AttentionBinding &binding);
  void deriveExtraSizes(const AttentionBinding &binding);
  llvm::Expected<SmallVector<int64_t>> getStrides(unsigned position) const;

  const EntryPoint &entry;
  const ExecutionOptions &options;
  /// For each parameter, the argument that the user gave; null for outputs.
  SmallVector<const ArgumentSpec *> specs;
  std::map<unsigned, NpyArray> files;
  SmallVector<std::optional<SmallVector<int64_t>>> sizes;
};

llvm::Error Preparation::assignArguments() {
  size_t wanted = llvm::count_if(entry.parameters, [](const auto &parameter) {
    return parameter.role == Role::Input || parameter.role == Role::Scalar;
  });
  if (options.arguments.size() != wanted) {
    std::string message;
    llvm::raw_string_ostream os(message);
    os << "expected " << wanted << " arguments for '@"
       << func::FuncOp(entry.func).getSymName() << "' (";
    llvm::interleaveComma(
        llvm::make_filter_range(entry.parameters,
                                [](const auto &parameter) {
                                  return parameter.role == Role::Input ||
                                         parameter.role == Role::Scalar;
                                }),
        os, [&](const auto &parameter) { os << parameter.type; });
    os << "), found " << options.arguments.size();
    return llvm::createStringError(message);
  }
  for (const auto *given : {&options.shapes, &options.strides})
    for (const auto &[position, numbers] : *given) {
      if (position >= entry.parameters.size() ||
          entry.parameters[position].role == Role::Scalar)
        return llvm::createStringError(
            "expected the position of an array in --shape and --strides, "
            "found " +
            Twine(position));
      if (static_cast<int64_t>(numbers.size()) !=
          getShapedType(position).getRank())
        return llvm::createStringError(
            "expected " + Twine(getShapedType(position).getRank()) +
            " numbers in --shape or --strides for " +
            entry.parameters[position].name + ", found " +
            Twine(numbers.size()));
    }

  const ArgumentSpec *next = options.arguments.begin();
  for (auto [parameter, spec] : llvm::zip(entry.parameters, specs)) {
    if (parameter.role == Role::Output || parameter.role == Role::Scratch)
      continue;
    spec = next++;
    bool isNumber = std::holds_alternative<NumberArgument>(*spec);
    if (isNumber != (parameter.role == Role::Scalar)) {
      std::string type;
      llvm::raw_string_ostream(type) << parameter.type;
      return llvm::createStringError(
          "expected " +
          Twine(isNumber ? "a .npy file, 'random' or 'forward'" : "a number") +
          " for " + parameter.name + " of type " + type + ", found " +
          (isNumber ? "the number " + std::get<NumberArgument>(*spec).text
                    : std::string("an array")));
    }
  }
  return llvm::Error::success();
}

/// Rejects the argument `random` for integer arrays that are not those of an
/// attention op: their elements are positions, indices or choices, so that
/// random ones would be invalid.
llvm::Error Preparation::checkRandom() const {
  for (auto [position, spec] : llvm::enumerate(specs))
    if (spec && std::holds_alternative<RandomArgument>(*spec) &&
        isInteger(getElementType(position)) &&
        !isSequenceArray(entry, position) && !isKeyOrValue(entry, position))
      return llvm::createStringError(
          "expected a .npy file for " + entry.parameters[position].name +
          " with elements of " + getName(getElementType(position)) +
          ", found 'random'");
  return llvm::Error::success();
}

/// Rejects the argument `forward` for a parameter that is not the output or lse
/// of a backward op whose query, key and value are parameters, too.
llvm::Error Preparation::checkForward() const {
  for (auto [position, spec] : llvm::enumerate(specs))
    if (spec && std::holds_alternative<ForwardArgument>(*spec) &&
        !findForward(entry, position))
      return llvm::createStringError(
          "expected 'forward' for the output or lse of an "
          "attn.attention_backward op whose query, key and value are "
          "arguments, found it for " +
          entry.parameters[position].name);
  return llvm::Error::success();
}

llvm::Error Preparation::readFiles() {
  for (auto [position, spec] : llvm::enumerate(specs)) {
    const auto *file = spec ? std::get_if<NpyArgument>(spec) : nullptr;
    if (!file)
      continue;
    llvm::Expected<NpyArray> array =
        readNpy(file->path, getElementType(position));
    if (!array)
      return array.takeError();
    ArrayRef<int64_t> found = array->view().sizes;
    if (static_cast<int64_t>(found.size()) != getShapedType(position).getRank())
      return llvm::createStringError("expected an array of rank " +
                                     Twine(getShapedType(position).getRank()) +
                                     " for " + entry.parameters[position].name +
                                     ", found rank " + Twine(found.size()) +
                                     " in '" + file->path + "'");
    if (llvm::Error error =
            setSizes(position, found, "in '" + Twine(file->path) + "'"))
      return error;
    files.emplace(position, std::move(*array));
  }
  return llvm::Error::success();
}

/// Sets the sizes of one parameter. Fails if they do not fit its type, or
/// differ from sizes that were set before. `source` says in messages where the
/// sizes are from.
llvm::Error Preparation::setSizes(unsigned position, ArrayRef<int64_t> found,
                                  const Twine &source) {
  ArrayRef<int64_t> expected = getShapedType(position).getShape();
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

/// Derives the sizes of an attention op's arrays that were not given from those
/// of query, key and value.
void Preparation::deriveSizes() {
  for (const AttentionBinding &binding : entry.attentions) {
    int query = binding.getPosition("query"), key = binding.getPosition("key"),
        value = binding.getPosition("value");
    auto derive = [&](StringRef name, int from) {
      int position = binding.getPosition(name);
      if (position >= 0 && from >= 0 && sizes[from] && !sizes[position])
        sizes[position] = sizes[from];
    };
    derive("d_query", query);
    derive("d_key", key);
    derive("d_value", value);
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
    deriveSequenceSizes(binding);
    deriveExtraSizes(binding);
    derive("d_query_rope", binding.getPosition("query_rope"));
    derive("d_key_rope", binding.getPosition("key_rope"));
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

/// Derives the sizes of extra operands from those of the arrays that they
/// belong to.
void Preparation::deriveExtraSizes(const AttentionBinding &binding) {
  for (Extra which : kExtras) {
    const ExtraDeclaration &declaration = getDeclaration(which);
    int position = binding.getPosition(declaration.name);
    int of = binding.getPosition(declaration.of);
    if (position < 0 || of < 0 || sizes[position] || !sizes[of])
      continue;
    SmallVector<int64_t> own(getShapedType(position).getShape());
    for (const EqualSizes &equal : getExtraSizes(binding.op, which))
      own[equal.lhs.dim] =
          llvm::divideCeil((*sizes[of])[equal.rhs.dim], equal.rhs.part);
    if (!llvm::is_contained(own, ShapedType::kDynamic))
      sizes[position] = own;
  }
}

/// Derives the sizes of arrays of lengths, cumulative lengths and page tables.
void Preparation::deriveSequenceSizes(const AttentionBinding &binding) {
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
      derive(Array::PageTable, {batch, getShapedType(table).getDimSize(1)});
  }
  for (auto [from, to] :
       {std::pair(Array::CumulativeQuery, Array::CumulativeKey),
        {Array::CumulativeKey, Array::CumulativeQuery}})
    if (int position = binding.getPosition(from);
        position >= 0 && sizes[position])
      derive(to, *sizes[position]);
}

llvm::Error Preparation::resolveSizes() {
  for (const auto &[position, given] : options.shapes)
    if (llvm::Error error = setSizes(position, given, "in --shape"))
      return error;
  for (auto [position, parameter] : llvm::enumerate(entry.parameters))
    if (auto type = dyn_cast<ShapedType>(parameter.type);
        type && type.hasStaticShape())
      sizes[position] = SmallVector<int64_t>(type.getShape());
  deriveSizes();
  for (auto [position, parameter] : llvm::enumerate(entry.parameters)) {
    if (parameter.role == Role::Scalar)
      continue;
    if (!sizes[position])
      return llvm::createStringError(
          "expected sizes for " + parameter.name + ", whose type " +
          formatSizes(getShapedType(position).getShape()) +
          " leaves some open; give --shape " + Twine(position) + "=...");
    llvm::Expected<int64_t> count =
        getCheckedNumElements(getElementType(position), *sizes[position]);
    if (!count)
      return count.takeError();
  }
  return llvm::Error::success();
}

/// Returns the strides of an array: those that its type fixes, else those that
/// the user gave, else those of a contiguous array.
llvm::Expected<SmallVector<int64_t>>
Preparation::getStrides(unsigned position) const {
  ArrayRef<int64_t> size = *sizes[position];
  SmallVector<int64_t> fixed(size.size(), ShapedType::kDynamic);
  if (!fixed.empty())
    fixed.back() = 1;
  if (auto memref = dyn_cast<MemRefType>(entry.parameters[position].type)) {
    if (memref.getLayout().isIdentity())
      return getContiguousStrides(size);
    fixed = memref.getStridesAndOffset().first;
  }
  // In a type of rank 4, a static stride between heads that equals the head dim
  // means the memory layout BSHD.
  bool isBSHD = size.size() == 4 && fixed[1] == size[3] && size[2] != 1;
  std::array<int64_t, 4> layout = options.layout;
  // A static stride of 1 along rows means that columns follow each other.
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
  return strides;
}

static void fillIntegers(const IntegersArgument &integers,
                         const ArrayView &array) {
  std::vector<int64_t> values(array.getNumElements());
  Dice dice(integers.seed, 0);
  for (int64_t &value : values)
    value = integers.low + dice.below(integers.high - integers.low + 1);
  if (integers.isSorted)
    llvm::sort(values);
  IndexWalk walk(array.sizes, array.strides);
  for (int64_t value : values) {
    storeElement(array.data, array.dtype, walk.getOffset(), value);
    walk.advance();
  }
}

llvm::Expected<Buffer> Preparation::createBuffer(unsigned position) {
  const EntryParameter &parameter = entry.parameters[position];
  llvm::Expected<SmallVector<int64_t>> strides = getStrides(position);
  if (!strides)
    return strides.takeError();
  llvm::Expected<Buffer> buffer =
      Buffer::allocate(getElementType(position), *sizes[position], *strides);
  if (!buffer)
    return llvm::createStringError(parameter.name + ": " +
                                   llvm::toString(buffer.takeError()));
  if (parameter.role != Role::Input)
    return buffer;
  if (auto file = files.find(position); file != files.end()) {
    if (llvm::Error error = copyElements(file->second.view(), buffer->view()))
      return std::move(error);
    return buffer;
  }
  if (const auto *given = std::get_if<IntegersArgument>(specs[position])) {
    fillIntegers(*given, buffer->view());
    return buffer;
  }
  // Random integers other than keys and values are drawn later, when all arrays
  // exist.
  const auto *given = std::get_if<RandomArgument>(specs[position]);
  bool isOfIntegers = isInteger(getElementType(position));
  if (!given || (isOfIntegers && !isKeyOrValue(entry, position)))
    return buffer;
  const RandomArgument &random = *given;
  // With this step, the range of 8-bit or 4-bit integers holds four standard
  // deviations.
  double step = getElementType(position) == DType::I4 ? 1.0 / 2 : 1.0 / 32;
  // Adds the parameter's index to the seed, so that arguments with equal seeds
  // get different arrays.
  fillRandom(buffer->view(), random.seed + 0x9e3779b97f4a7c15ull * position,
             isOfIntegers ? random.scale / step : random.scale,
             isOfIntegers ? random.mean / step : random.mean);
  return buffer;
}

/// Returns the value of a scalar argument, and its bits in the form in which
/// the compiled function reads them.
llvm::Expected<std::pair<ScalarValue, int64_t>>
Preparation::createScalar(unsigned position) const {
  const EntryParameter &parameter = entry.parameters[position];
  const auto &number = std::get<NumberArgument>(*specs[position]);
  int64_t word = 0;
  if (isa<FloatType>(parameter.type)) {
    if (std::optional<DType> dtype = getDType(parameter.type)) {
      storeElement(&word, *dtype, 0, number.value);
      return std::pair(ScalarValue::getFloat(loadElement(&word, *dtype, 0)),
                       word);
    }
    return std::pair(ScalarValue::getFloat(number.value),
                     llvm::bit_cast<int64_t>(number.value));
  }
  unsigned width =
      parameter.type.isIndex() ? 64 : parameter.type.getIntOrFloatBitWidth();
  std::string type;
  llvm::raw_string_ostream(type) << parameter.type;
  if (!number.integer || (width < 64 && !llvm::isIntN(width, *number.integer) &&
                          !llvm::isUIntN(width, *number.integer)))
    return llvm::createStringError("expected a number of type " + type +
                                   " for " + parameter.name + ", found " +
                                   number.text);
  return std::pair(ScalarValue::getInt(*number.integer), *number.integer);
}

} // namespace

/// Returns the words of a memref descriptor for an array whose data begin
/// `offset` elements after the aligned pointer.
static std::vector<int64_t> getDescriptor(const ArrayView &array,
                                          int64_t offset) {
  auto base =
      reinterpret_cast<int64_t>(array.data) - getNumBytes(array.dtype, offset);
  std::vector<int64_t> words = {base, base, offset};
  llvm::append_range(words, array.sizes);
  llvm::append_range(words, array.strides);
  return words;
}

llvm::Expected<Execution> Execution::prepare(const EntryPoint &entry,
                                             const ExecutionOptions &options) {
  Preparation preparation(entry, options);
  if (llvm::Error error = preparation.assignArguments())
    return std::move(error);
  if (llvm::Error error = preparation.checkRandom())
    return std::move(error);
  if (llvm::Error error = preparation.checkForward())
    return std::move(error);
  if (llvm::Error error = preparation.readFiles())
    return std::move(error);
  if (llvm::Error error = preparation.resolveSizes())
    return std::move(error);

  Execution execution;
  for (auto [position, source] : llvm::enumerate(entry.parameters)) {
    Parameter parameter;
    parameter.role = source.role;
    parameter.name = source.name;
    if (source.role == Role::Scalar) {
      auto scalar = preparation.createScalar(position);
      if (!scalar)
        return scalar.takeError();
      parameter.scalar = scalar->first;
      parameter.words = {scalar->second};
    } else {
      llvm::Expected<Buffer> buffer = preparation.createBuffer(position);
      if (!buffer)
        return buffer.takeError();
      int64_t offset = 0;
      if (auto memref = dyn_cast<MemRefType>(source.type))
        offset = memref.getStridesAndOffset().second;
      if (ShapedType::isDynamic(offset))
        offset = 0;
      parameter.words = getDescriptor(buffer->view(), offset);
      parameter.buffer = std::move(*buffer);
    }
    execution.parameters.push_back(std::move(parameter));
  }
  execution.drawSequences(entry, options);
  if (llvm::Error error = execution.computeForward(entry, options))
    return std::move(error);
  execution.poisonUnused(entry, options);
  return execution;
}

/// Computes the arrays for which the user gave the argument `forward`.
llvm::Error Execution::computeForward(const EntryPoint &entry,
                                      const ExecutionOptions &options) {
  SmallVector<int> wanted;
  for (auto [position, spec] : llvm::enumerate(getSpecs(entry, options)))
    if (spec && std::holds_alternative<ForwardArgument>(*spec))
      wanted.push_back(position);
  const AttentionBinding *evaluated = nullptr;
  AttentionResult result;
  for (int position : wanted) {
    const AttentionBinding *binding = findForward(entry, position);
    if (binding != evaluated) {
      auto problem = buildProblem(binding->op, getBindings());
      if (failed(problem))
        return llvm::make_error<DiagnosedError>();
      result = evaluate((*problem)->problem, Precision::Double);
      evaluated = binding;
    }
    const std::vector<double> &values =
        binding->getPosition("lse") == position ? result.lse : result.output;
    const ArrayView &array = getArray(position);
    IndexWalk walk(array.sizes, array.strides);
    for (double value : values) {
      storeElement(array.data, array.dtype, walk.getOffset(), value);
      walk.advance();
    }
  }
  return llvm::Error::success();
}

SmallVector<void *> Execution::getHostArguments() {
  SmallVector<void *> args;
  for (Parameter &parameter : parameters)
    args.push_back(parameter.words.data());
  return args;
}

std::string Execution::describeSizes() const {
  std::string text;
  for (const Parameter &parameter : parameters)
    if (parameter.buffer)
      text += "; " + parameter.name + " has sizes " +
              formatSizes(parameter.buffer->view().sizes);
  return text;
}

void Execution::poisonOutputs() {
  for (Parameter &parameter : parameters)
    if (parameter.role == Role::Output || parameter.role == Role::Scratch)
      parameter.buffer->poison();
}

llvm::Error Execution::checkMargins() const {
  for (const Parameter &parameter : parameters)
    if (parameter.buffer)
      if (llvm::Error error = parameter.buffer->checkMargins())
        return llvm::createStringError("the program wrote outside of " +
                                       parameter.name + ": " +
                                       llvm::toString(std::move(error)));
  return llvm::Error::success();
}

SmallVector<Binding> Execution::getBindings() const {
  SmallVector<Binding> bindings;
  for (const Parameter &parameter : parameters) {
    Binding binding;
    binding.scalar = parameter.scalar;
    if (parameter.buffer)
      binding.array = parameter.buffer->view();
    bindings.push_back(binding);
  }
  return bindings;
}

SmallVector<unsigned> Execution::getOutputs() const {
  SmallVector<unsigned> outputs;
  for (auto [position, parameter] : llvm::enumerate(parameters))
    if (parameter.role == Role::Output)
      outputs.push_back(position);
  return outputs;
}

FoundGradients mlir::attn::findGradients(const AttentionBinding &binding,
                                         const Execution &execution) {
  FoundGradients found;
  auto find = [&](StringRef name) -> std::optional<ArrayView> {
    if (int position = binding.getPosition(name); position >= 0)
      return execution.getArray(position);
    return std::nullopt;
  };
  for (auto [name, array] : llvm::zip(kGradientNames, found.arrays))
    array = find(name);
  found.sink = find("d_sink");
  for (const NamedArray &named : AttentionInterface(binding.op).getArrays())
    if (named.kind == ArrayKind::Capture)
      found.captures.push_back(find(named.name));
  return found;
}

double mlir::attn::countFlops(AttentionInterface op,
                              ArrayRef<int64_t> querySizes,
                              ArrayRef<int64_t> keySizes) {
  int64_t d = op.getHeadDim(), dv = op.getValueHeadDim(), width = d + dv;
  if (auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation())) {
    bool ofQuery(backward.getGradient(Gradients::Query));
    bool ofKey(backward.getGradient(Gradients::Key));
    bool ofValue(backward.getGradient(Gradients::Value));
    bool ofCapture = !backward.getCaptureWrt().empty();
    width = d + (ofQuery || ofKey || ofCapture ? dv : 0) + ofQuery * d +
            ofKey * d + ofValue * dv;
  }
  double flops =
      2.0 * querySizes[0] * querySizes[1] * querySizes[2] * keySizes[2] * width;
  MaskAttr mask = op.getMaskAttr();
  return mask && mask.getCausal() ? flops / 2 : flops;
}
