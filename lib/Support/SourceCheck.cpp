//===- SourceCheck.cpp - Texts that crash MLIR's parser -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scans a module's text once with a part of MLIR's lexer: strings, comments,
// arrows and names. It may misread a text that is not MLIR, but the parser
// rejects such a text anyway.
//
//===----------------------------------------------------------------------===//

#include "attn/Support/SourceCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Texts that MLIR's parsers do not check
//===----------------------------------------------------------------------===//

/// Checks the type that begins with `vector` and continues with the text
/// `behind`. Returns an error message if it has too many elements, since
/// parsers of some ops make a list of as many. Otherwise returns "".
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

/// Checks the line that follows `llvm.extractvalue` or `llvm.insertvalue`.
/// Returns an error message if it has an index above 2^32 - 1, otherwise "".
/// MLIR truncates an index into a struct to 32 bits when it checks it, but not
/// when it uses it.
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

/// Checks the line that follows `linalg.transpose`, `linalg.broadcast` or
/// `linalg.reduce`. Returns an error message if its lists of dimensions have
/// something other than numbers, otherwise "". The parsers of these ops use a
/// list even if parsing it failed.
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

/// Checks the attributes that follow `linalg.generic` in custom form. Returns
/// an error message if there is something other than strings in its list of
/// iterator types, otherwise "". MLIR's parser takes each element for a string.
static std::string findBadIterators(StringRef behind) {
  StringRef list = behind.ltrim();
  if (!list.starts_with("{"))
    return "";
  list = list.split("outs(").first.split("iterator_types").second.ltrim(" \n=");
  if (!list.consume_front("["))
    return "";
  list = list.split(']').first.trim();
  SmallVector<StringRef> parts;
  list.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (!part.ltrim().starts_with("\""))
      return ("expected strings in 'iterator_types', found '" + list + "'")
          .str();
  return "";
}

/// Checks what follows `tensor.concat`. Returns an error message if its
/// dimension is negative, otherwise "". The op's verifier, which reads the size
/// of that dimension, does not check this.
static std::string findNegativeDimension(StringRef behind) {
  StringRef attributes = behind.split(':').first;
  for (size_t at = attributes.find("dim"); at != StringRef::npos;
       at = attributes.find("dim", at + 1)) {
    if (at > 0 && (isAlnum(attributes[at - 1]) || attributes[at - 1] == '_'))
      continue;
    StringRef number = attributes.substr(at + 3).ltrim("\" \t\n");
    if (!number.consume_front("=") && !number.consume_front("("))
      continue;
    number = number.ltrim();
    if (number.starts_with("-"))
      return ("expected a dimension of at least 0, found -" +
              number.drop_front().take_while(isDigit))
          .str();
  }
  return "";
}

/// Checks a module op, whose name the text `behind` follows. Returns an error
/// message if the op is in generic form and has a region without a block,
/// otherwise "". MLIR looks up symbols in the region's first block before a
/// verifier has checked that there is one.
static std::string findMissingBlock(StringRef behind) {
  StringRef line = behind.take_until([](char c) { return c == ';'; });
  size_t begin = line.find("({");
  if (begin == StringRef::npos || line.take_front(begin).contains('\n') ||
      !line.drop_front(begin + 2).ltrim().starts_with("}"))
    return "";
  return "expected a region with a block, found none";
}

static std::string findNamedFault(StringRef name, StringRef behind) {
  if (name == "gpu.module" || name == "builtin.module")
    return findMissingBlock(behind);
  if (name == "vector")
    return findLargeVector(behind);
  if (name == "llvm.extractvalue" || name == "llvm.insertvalue")
    return findLargePosition(behind);
  if (is_contained({"linalg.transpose", "linalg.broadcast", "linalg.reduce"},
                   name))
    return findBadDimensions(behind);
  if (name == "linalg.generic")
    return findBadIterators(behind);
  if (name == "tensor.concat")
    return findNegativeDimension(behind);
  return "";
}

//===----------------------------------------------------------------------===//
// One pass over a text
//===----------------------------------------------------------------------===//

namespace {

class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  std::optional<SourceFault> scan() {
    while (!fault && position < text.size())
      step();
    return std::move(fault);
  }

private:
  struct Level {
    char closing;
    unsigned operators = 0;
  };

  void step();
  void readString();
  void readName();
  void checkArray(size_t begin);
  bool standsForIndex(StringRef name) const;
  void readAlias(bool isFirst);
  void open(char closing);
  void close(char closing);
  void addOperator();
  void resetOperators();
  /// Notes that brackets and operators are nested `depth` levels deep at offset
  /// `at`, and reports a fault there if these are too many levels.
  void reach(unsigned depth, size_t at);
  bool isNext(StringRef expected) const {
    return text.substr(position).starts_with(expected);
  }
  StringRef takeName() {
    StringRef name = text.substr(position).take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.'; });
    position += name.size();
    return name;
  }

  StringRef text;
  size_t position = 0;
  SmallVector<Level, 32> levels;
  /// The depth of nesting at the present position: the number of open brackets,
  /// and of operators within them.
  unsigned depth = 0;
  /// Whether the position is in the metadata section after a file's ops, which
  /// has resources.
  bool isInMetadata = false;
  bool isAtLineStart = true;
  /// The depth of nesting in the value of each attribute alias and type alias.
  StringMap<unsigned> aliases;
  /// The type aliases that stand for `index`.
  StringSet<> indexAliases;
  /// The alias whose value is being read; empty if the scanner is in no such
  /// value.
  StringRef alias;
  bool hasValue = false;
  unsigned aliasDepth = 0;
  std::optional<SourceFault> fault;
};

} // namespace

void Scanner::reach(unsigned reached, size_t at) {
  aliasDepth = std::max(aliasDepth, reached);
  if (reached > kMaxNesting && !fault)
    fault = {at, ("expected at most " + Twine(kMaxNesting) +
                  " levels of nesting, found more")
                     .str()};
}

void Scanner::open(char closing) {
  levels.push_back({closing});
  reach(++depth, position);
}

void Scanner::close(char closing) {
  // Closes the innermost open bracket that `closing` matches, and all brackets
  // that were opened after it: a '<' among these may be a comparison and no
  // bracket. A '>' may itself be a comparison, so it closes only the innermost
  // open bracket, and only if that is a '<'. A closing bracket without an open
  // one is ignored.
  unsigned count = 1, size = levels.size();
  if (closing != '>')
    while (count <= size && levels[size - count].closing != closing)
      ++count;
  if (count > size || levels[size - count].closing != closing)
    return;
  for (; count; --count)
    depth -= 1 + levels.pop_back_val().operators;
}

void Scanner::addOperator() {
  if (levels.empty() || levels.back().closing == '}')
    return;
  ++levels.back().operators;
  reach(++depth, position);
}

void Scanner::resetOperators() {
  if (levels.empty())
    return;
  depth -= levels.back().operators;
  levels.back().operators = 0;
}

void Scanner::readString() {
  size_t begin = position++;
  while (position < text.size() && text[position] != '"' &&
         text[position] != '\n')
    position += text[position] == '\\' ? 2 : 1;
  ++position;
  // The data of a resource begin with its alignment, four bytes in hexadecimal.
  // MLIR's parser divides by the alignment if further bytes follow.
  StringRef resource = text.slice(begin + 1, position - 1);
  if (std::string message = findNamedFault(resource, text.substr(position));
      !message.empty())
    fault = {begin, message};
  if (isInMetadata && resource.consume_front("0x00000000") &&
      !resource.empty() && all_of(resource, isHexDigit))
    fault = {begin, "expected a resource with an alignment of at least 1, "
                    "found 0"};
}

/// Returns the first name or alias in a text, after spaces and comments.
static StringRef peekName(StringRef text) {
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.drop_until([](char c) { return c == '\n'; });
  size_t sigil = text.starts_with("!");
  return text.take_front(sigil + text.drop_front(sigil)
                                     .take_while([](char c) {
                                       return isAlnum(c) || c == '_' ||
                                              c == '$' || c == '.';
                                     })
                                     .size());
}

bool Scanner::standsForIndex(StringRef name) const {
  return name == "index" || indexAliases.contains(name);
}

/// Reports a fault if `array` is followed by '<' and the element type index or
/// an alias of it. MLIR's parser asks for the width of the element type, which
/// index lacks.
void Scanner::checkArray(size_t begin) {
  StringRef behind = text.substr(position).ltrim();
  if (behind.consume_front("<") && standsForIndex(peekName(behind)))
    fault = {begin, "expected an array of integers or floats, found index"};
}

void Scanner::readName() {
  size_t begin = position;
  StringRef name = takeName();
  if (name == "array")
    checkArray(begin);
  if (std::string message = findNamedFault(name, text.substr(position));
      !message.empty())
    fault = {begin, message};
  bool isOperator = StringSwitch<bool>(name)
                        .Cases({"mod", "floordiv", "ceildiv"}, true)
                        .Default(false);
  if (isOperator)
    addOperator();
}

/// Reads a name that begins with # or !, which is an alias, or an attribute or
/// type of a dialect. The name defines an alias if it is the first thing on its
/// line (`isFirst`), outside of brackets, and a '=' follows. In this case, goes
/// on to the alias's value and notes whether that is the type index. If the
/// name is an alias that was defined before, the depth of its value is added to
/// the present one.
void Scanner::readAlias(bool isFirst) {
  size_t begin = position++;
  StringRef name = takeName();
  // The number of an op's result, as in %0#1. MLIR's parser makes a list of as
  // many values before it knows the op.
  constexpr uint64_t kMaxResult = (1 << 16) - 1;
  uint64_t number = 0;
  StringRef digits = name.take_while(isDigit);
  if (text[begin] == '#' && !digits.empty() &&
      (digits.getAsInteger(10, number) || number > kMaxResult)) {
    fault = {begin, ("expected the number of a result to be at most " +
                     Twine(kMaxResult) + ", found " + digits)
                        .str()};
    return;
  }
  name = StringRef(text.data() + begin, name.size() + 1);
  bool isDefinition = isFirst && levels.empty() &&
                      text.substr(position).ltrim(" \t").starts_with("=");
  if (isDefinition) {
    alias = name;
    position = text.find('=', position) + 1;
    if (standsForIndex(peekName(text.substr(position))))
      indexAliases.insert(name);
    else
      indexAliases.erase(name);
    hasValue = false;
    aliasDepth = 0;
    return;
  }
  auto known = aliases.find(name);
  if (known != aliases.end())
    reach(depth + known->second, begin);
}

void Scanner::step() {
  char c = text[position];
  if (c == '\n') {
    isAtLineStart = true;
    ++position;
    if (levels.empty() && !alias.empty() && hasValue) {
      aliases[alias] = aliasDepth;
      alias = "";
    }
    return;
  }
  if (isSpace(c)) {
    ++position;
    return;
  }
  if (isNext("//")) {
    position = std::min(text.find('\n', position), text.size());
    return;
  }
  bool isFirst = std::exchange(isAtLineStart, false);
  hasValue = true;
  if (isNext("#-}"))
    isInMetadata = false;
  if (c == '#' || c == '!')
    return readAlias(isFirst);
  if (c == '"')
    return readString();
  if (c == '%' || c == '@' || c == '^') {
    ++position;
    takeName();
    return;
  }
  if (isAlpha(c) || c == '_')
    return readName();
  if (isDigit(c)) {
    takeName();
    return;
  }
  isInMetadata |= isNext("{-#");
  if (isNext("->") || isNext("<=") || isNext(">=")) {
    position += 2;
    return;
  }
  switch (c) {
  case '(':
    open(')');
    break;
  case '[':
    open(']');
    break;
  case '{':
    open('}');
    break;
  case '<':
    open('>');
    break;
  case ')':
  case ']':
  case '}':
  case '>':
    close(c);
    break;
  case ',':
    resetOperators();
    break;
  case '+':
  case '-':
  case '*':
    addOperator();
    break;
  }
  ++position;
}

std::optional<SourceFault> mlir::attn::findSourceFault(StringRef text) {
  return Scanner(text).scan();
}
