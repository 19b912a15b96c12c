//===- Execution.cpp - The arguments of one run ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Execution.h"

#include "ArraySizes.h"
#include "Sequences.h"

#include "attn/Driver/Runner.h"
#include "attn/Oracle/Oracle.h"
#include "attn/Support/Dice.h"
#include "attn/Support/Npy.h"
#include "attn/Support/Random.h"
#include "attn/Support/Sizes.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using Role = EntryParameter::Role;

/// Returns the attention_backward op that takes the parameter number `position`
/// as its output or lse, and whose query, key and value are parameters, too.
/// Returns null if there is none.
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

/// Whether a parameter is the key or value of an attention op. If it is of
/// integers, any numbers are valid elements.
static bool isKeyOrValue(const EntryPoint &entry, int position) {
  return llvm::any_of(entry.attentions, [&](const AttentionBinding &binding) {
    return binding.getPosition("key") == position ||
           binding.getPosition("value") == position;
  });
}

namespace {

/// Makes the arrays and scalars of a run for Execution::prepare().
class Preparation {
public:
  Preparation(const EntryPoint &entry, const ExecutionOptions &options)
      : entry(entry), options(options), sizes(entry, options) {}

  llvm::Error assignArguments();
  llvm::Error checkRandom();
  llvm::Error checkForward();
  llvm::Error readFiles();
  llvm::Error resolveSizes() { return sizes.resolve(); }
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

  const EntryPoint &entry;
  const ExecutionOptions &options;
  /// For each parameter of the entry, the argument that the user gave; null for
  /// outputs.
  SmallVector<const ArgumentSpec *> specs;
  std::map<unsigned, NpyArray> files;
  ArraySizes sizes;
};

llvm::Error Preparation::assignArguments() {
  SmallVector<Type> wanted;
  for (const EntryParameter &parameter : entry.parameters)
    if (parameter.role == Role::Input || parameter.role == Role::Scalar)
      wanted.push_back(parameter.type);
  if (options.arguments.size() != wanted.size()) {
    std::string message;
    llvm::raw_string_ostream os(message);
    os << "expected " << wanted.size() << " arguments for '@"
       << func::FuncOp(entry.func).getSymName() << "' (";
    llvm::interleaveComma(wanted, os);
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

  specs = getSpecs(entry, options);
  for (auto [parameter, spec] : llvm::zip(entry.parameters, specs)) {
    if (!spec)
      continue;
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

/// Rejects the argument `random` for arrays of integers, except the key, the
/// value and the lengths, cumulative lengths and pages of an attention op.
/// Elements of other arrays are positions, indices or choices, so random
/// numbers would be invalid.
llvm::Error Preparation::checkRandom() {
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

/// Rejects the argument `forward` for a parameter, unless it is the output or
/// lse of an attention_backward op whose query, key and value are parameters,
/// too.
llvm::Error Preparation::checkForward() {
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
            sizes.set(position, found, "in '" + Twine(file->path) + "'"))
      return error;
    files.emplace(position, std::move(*array));
  }
  return llvm::Error::success();
}

static void fillIntegers(const IntegersArgument &integers,
                         const ArrayView &array) {
  std::vector<double> values(array.getNumElements());
  Dice dice(integers.seed, 0);
  for (double &value : values)
    value = integers.low + dice.below(integers.high - integers.low + 1);
  if (integers.isSorted)
    llvm::sort(values);
  setElements(array, values);
}

llvm::Expected<Buffer> Preparation::createBuffer(unsigned position) {
  const EntryParameter &parameter = entry.parameters[position];
  llvm::Expected<SmallVector<int64_t>> strides = sizes.getStrides(position);
  if (!strides)
    return strides.takeError();
  llvm::Expected<Buffer> buffer =
      Buffer::allocate(getElementType(position), sizes.get(position), *strides);
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
  // If the user asked for random numbers, the array is filled here. Lengths,
  // cumulative lengths and page numbers (integers other than keys and values)
  // are drawn later, when all arrays exist.
  const auto *given = std::get_if<RandomArgument>(specs[position]);
  bool isOfIntegers = isInteger(getElementType(position));
  if (!given || (isOfIntegers && !isKeyOrValue(entry, position)))
    return buffer;
  const RandomArgument &random = *given;
  // The user gives scale and mean in units in which a stored integer i stands
  // for i * `step`, so both are divided by `step`. With a scale of 1, the range
  // of integers of 8 or 4 bits then holds four standard deviations.
  double step = getElementType(position) == DType::I4 ? 1.0 / 2 : 1.0 / 32;
  // The parameter's index changes the seed, so that arguments with equal seeds
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

/// Returns the memref descriptor of an array, as integers of 64 bits. The
/// array's data begin `offset` elements after the descriptor's aligned pointer.
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
  for (auto step : {&Preparation::assignArguments, &Preparation::checkRandom,
                    &Preparation::checkForward, &Preparation::readFiles,
                    &Preparation::resolveSizes})
    if (llvm::Error error = (preparation.*step)())
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

/// Computes, by the oracle, the outputs and lse that a backward op takes as
/// inputs, for those for which the user wrote `forward` on the command line
/// instead of an array.
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
    setElements(getArray(position), binding->getPosition("lse") == position
                                        ? result.lse
                                        : result.output);
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
