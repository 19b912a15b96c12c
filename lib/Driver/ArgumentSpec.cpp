//===- ArgumentSpec.cpp - Arguments of attnc run --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/ArgumentSpec.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static_assert(kDynamicSize == mlir::ShapedType::kDynamic);

/// Parses an integer without a sign: decimal digits, or hexadecimal digits
/// after 0x.
static std::optional<uint64_t> parseUnsigned(StringRef text) {
  uint64_t value;
  bool isHex = text.consume_front("0x") || text.consume_front("0X");
  // The radix is given explicitly, since `getAsInteger` alone would read a
  // number with a leading 0 as octal.
  if (text.getAsInteger(isHex ? 16 : 10, value))
    return std::nullopt;
  return value;
}

/// Whether the text is a decimal number without a sign, perhaps with a fraction
/// and an exponent.
static bool isDecimal(StringRef text) {
  StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  StringRef fraction;
  if (text.consume_front(".")) {
    fraction = text.take_while(llvm::isDigit);
    text = text.drop_front(fraction.size());
  }
  if (whole.empty() && fraction.empty())
    return false;
  if (text.consume_front("e") || text.consume_front("E")) {
    if (!text.consume_front("-"))
      text.consume_front("+");
    return !text.empty() && llvm::all_of(text, llvm::isDigit);
  }
  return text.empty();
}

/// Parses a number, perhaps with a sign: a decimal or hexadecimal integer, a
/// decimal fraction, "inf" or "nan". Returns std::nullopt if the text has none
/// of these forms, and an error if it has one but the number is too large.
static llvm::Expected<std::optional<NumberArgument>>
parseNumber(StringRef text) {
  NumberArgument number;
  number.text = text.str();
  StringRef digits = text;
  bool isNegative = digits.consume_front("-");
  if (!isNegative)
    digits.consume_front("+");

  auto isHexDigits = [](StringRef rest) {
    return !rest.empty() && llvm::all_of(rest, llvm::isHexDigit);
  };
  bool isHex =
      digits.starts_with_insensitive("0x") && isHexDigits(digits.drop_front(2));
  bool isInteger =
      isHex || (!digits.empty() && llvm::all_of(digits, llvm::isDigit));
  if (isInteger) {
    if (std::optional<uint64_t> magnitude = parseUnsigned(digits)) {
      uint64_t limit = static_cast<uint64_t>(INT64_MAX) + isNegative;
      if (*magnitude <= limit)
        number.integer = isNegative ? -*magnitude : *magnitude;
      number.value = isNegative ? -static_cast<double>(*magnitude)
                                : static_cast<double>(*magnitude);
      return number;
    }
    if (isHex)
      return llvm::createStringError(
          "expected a hexadecimal integer of at most 64 bits, found '" + text +
          "'");
  }

  if (digits == "inf")
    number.value = std::numeric_limits<double>::infinity();
  else if (digits == "nan")
    number.value = std::numeric_limits<double>::quiet_NaN();
  else if (!isDecimal(digits) || digits.getAsDouble(number.value))
    return std::nullopt;
  else if (std::isinf(number.value))
    return llvm::createStringError(
        "expected a number in the range of f64, found '" + text + "'");
  if (isNegative)
    number.value = -number.value;
  return number;
}

static llvm::Expected<RandomArgument> parseRandom(StringRef text) {
  RandomArgument random;
  auto [name, fields] = text.split(':');
  if (name.size() == text.size())
    return random;
  auto [seedText, rest] = fields.split(':');
  std::optional<uint64_t> seed = parseUnsigned(seedText);
  if (!seed)
    return llvm::createStringError(
        "expected a seed of at most 64 bits that is not "
        "negative in '" +
        text + "', found '" + seedText + "'");
  random.seed = *seed;
  if (seedText.size() == fields.size())
    return random;
  auto [scaleText, meanText] = rest.split(':');
  llvm::Expected<std::optional<NumberArgument>> scale = parseNumber(scaleText);
  if (!scale)
    return scale.takeError();
  if (!*scale || !std::isfinite((*scale)->value) || (*scale)->value < 0)
    return llvm::createStringError("expected a scale that is finite and not "
                                   "negative in '" +
                                   text + "', found '" + scaleText + "'");
  random.scale = (*scale)->value;
  if (scaleText.size() == rest.size())
    return random;
  llvm::Expected<std::optional<NumberArgument>> mean = parseNumber(meanText);
  if (!mean)
    return mean.takeError();
  if (!*mean || !std::isfinite((*mean)->value))
    return llvm::createStringError("expected a mean that is finite in '" +
                                   text + "', found '" + meanText + "'");
  random.mean = (*mean)->value;
  return random;
}

llvm::Expected<ArgumentSpec> mlir::attn::parseArgument(StringRef text) {
  if (text.ends_with(".npy"))
    return NpyArgument{text.str()};
  if (text == "random" || text.starts_with("random:")) {
    llvm::Expected<RandomArgument> random = parseRandom(text);
    if (!random)
      return random.takeError();
    return *random;
  }
  if (text == "forward")
    return ForwardArgument();
  llvm::Expected<std::optional<NumberArgument>> number = parseNumber(text);
  if (!number)
    return number.takeError();
  if (!*number)
    return llvm::createStringError(
        "expected a .npy file, 'random[:SEED[:SCALE[:MEAN]]]', "
        "'forward' or a number, found '" +
        text + "'");
  return **number;
}

llvm::Expected<SmallVector<int64_t>> mlir::attn::parseSizes(StringRef text,
                                                            bool allowDynamic) {
  SmallVector<StringRef> fields;
  text.split(fields, 'x');
  SmallVector<int64_t> sizes;
  for (StringRef field : fields) {
    int64_t &size = sizes.emplace_back();
    if (allowDynamic && field == "?")
      size = kDynamicSize;
    else if (field.empty() || !llvm::all_of(field, llvm::isDigit) ||
             field.getAsInteger(10, size))
      return llvm::createStringError(
          "expected sizes such as " +
          Twine(allowDynamic ? "4x12x?x64" : "4x12x1024x64") +
          ", each of at most 63 bits, found '" + field + "' in '" + text + "'");
  }
  return sizes;
}

llvm::Expected<ShapeSpec> mlir::attn::parseShape(StringRef text) {
  auto [indexText, sizesText] = text.split('=');
  ShapeSpec shape;
  if (indexText.size() == text.size() || indexText.empty() ||
      !llvm::all_of(indexText, llvm::isDigit) ||
      indexText.getAsInteger(10, shape.index))
    return llvm::createStringError(
        "expected the position of an argument, '=' and "
        "sizes, such as 0=4x12x1024x64, found '" +
        text + "'");
  if (llvm::Error error =
          parseSizes(sizesText, /*allowDynamic=*/false).moveInto(shape.sizes))
    return std::move(error);
  return shape;
}
