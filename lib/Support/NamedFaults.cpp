//===- NamedFaults.cpp - What upstream's parsers take for granted ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedFaults.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

/// vector<...>: parsers of some ops have a list of as many elements.
static std::string findLargeVector(StringRef behind) {
  constexpr uint64_t kMaxElements = 1 << 24;
  behind = behind.ltrim();
  if (!behind.consume_front("<"))
    return "";
  uint64_t count = 1, size = 0;
  for (behind = behind.ltrim(" ["); !behind.empty() && isDigit(behind.front());
       behind = behind.ltrim(" [")) {
    StringRef digits = behind.take_while(isDigit);
    behind = behind.drop_front(digits.size()).ltrim(" ]");
    count = SaturatingMultiply(count, digits.getAsInteger(10, size) ? UINT64_MAX
                                                                    : size);
    if (!behind.consume_front("x"))
      break;
  }
  if (count <= kMaxElements)
    return "";
  return "expected a vector of at most 16777216 elements, found more";
}

/// llvm.extractvalue and llvm.insertvalue: a position in a struct is compared
/// after it was cut to 32 bits, and used as it is.
static std::string findLargePosition(StringRef behind) {
  StringRef line = behind.take_until([](char c) { return c == '\n'; });
  StringRef positions = line.split('[').second.split(']').first;
  SmallVector<StringRef> parts;
  positions.split(parts, ',');
  for (StringRef part : parts) {
    StringRef digits = part.trim().take_while(isDigit);
    uint64_t position = 0;
    if (!digits.empty() &&
        (digits.getAsInteger(10, position) || position > UINT32_MAX))
      return "expected a position of at most 4294967295, found " + digits.str();
  }
  return "";
}

/// linalg.transpose, linalg.broadcast and linalg.reduce: what follows is used
/// where it could not be parsed.
static std::string findBadDimensions(StringRef behind) {
  StringRef line = behind.take_until([](char c) { return c == '\n'; });
  for (StringRef name : {"permutation", "dimensions"}) {
    StringRef list = line.split((name + " = [").str()).second.split(']').first;
    for (char c : list)
      if (!isDigit(c) && !StringRef(", -").contains(c))
        return ("expected numbers in '" + name + "', found '" + list + "'")
            .str();
  }
  return "";
}

/// Tables of symbols, in generic form: symbols are looked for in their first
/// block before a verifier has seen whether there is one.
static std::string findMissingBlock(StringRef behind) {
  StringRef line = behind.take_until([](char c) { return c == ';'; });
  size_t begin = line.find("({");
  if (begin == StringRef::npos || line.take_front(begin).contains('\n') ||
      !line.drop_front(begin + 2).ltrim().starts_with("}"))
    return "";
  return "expected a region with a block, found none";
}

std::string mlir::attn::findNamedFault(StringRef name, StringRef behind) {
  if (name == "gpu.module" || name == "builtin.module")
    return findMissingBlock(behind);
  if (name == "vector")
    return findLargeVector(behind);
  if (name == "llvm.extractvalue" || name == "llvm.insertvalue")
    return findLargePosition(behind);
  if (is_contained({"linalg.transpose", "linalg.broadcast", "linalg.reduce"},
                   name))
    return findBadDimensions(behind);
  return "";
}
