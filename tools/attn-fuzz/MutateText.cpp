//===- MutateText.cpp - Other tokens --------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace attn_fuzz;
using llvm::StringRef;
using mlir::attn::Dice;

namespace {
enum class Class { Space, Comment, Number, Word, Name, String, Other };

struct Token {
  Class kind;
  StringRef text;
};
} // namespace

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

static Token takeToken(StringRef text) {
  char c = text.front();
  if (llvm::isSpace(c))
    return {Class::Space,
            text.take_while([](char c) { return llvm::isSpace(c); })};
  if (text.starts_with("//"))
    return {Class::Comment, text.take_until([](char c) { return c == '\n'; })};
  if (c == '"')
    return {Class::String, text.take_front(text.find('"', 1) == StringRef::npos
                                               ? 1
                                               : text.find('"', 1) + 1)};
  if (llvm::isDigit(c))
    return {Class::Number, text.take_while(llvm::isDigit)};
  if (llvm::isAlpha(c) || c == '_') {
    // In the text "4x16xf16", each 'x' between numbers and types is a separate
    // token.
    if (c == 'x' && text.size() > 1 && llvm::isDigit(text[1]))
      return {Class::Other, text.take_front(1)};
    return {Class::Word, text.take_while(isWordPart)};
  }
  if (StringRef("%@#!^").contains(c))
    return {
        Class::Name,
        text.take_front(1 + text.drop_front().take_while(isWordPart).size())};
  return {Class::Other, text.take_front(text.starts_with("->") ? 2 : 1)};
}

static std::vector<Token> getTokens(StringRef text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    tokens.push_back(takeToken(text));
    text = text.drop_front(tokens.back().text.size());
  }
  return tokens;
}

int64_t attn_fuzz::pickEdge(Dice &dice) {
  int64_t number = dice.pick<int64_t>({0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       8,
                                       15,
                                       16,
                                       17,
                                       31,
                                       32,
                                       33,
                                       63,
                                       64,
                                       65,
                                       100,
                                       127,
                                       128,
                                       129,
                                       192,
                                       255,
                                       256,
                                       257,
                                       1000,
                                       1024,
                                       4096,
                                       65535,
                                       65536,
                                       INT32_MAX,
                                       int64_t(1) << 31,
                                       UINT32_MAX,
                                       int64_t(1) << 32,
                                       int64_t(1) << 40,
                                       int64_t(1) << 62,
                                       INT64_MAX});
  if (dice.oneIn(6))
    number = -number;
  return dice.oneIn(100) ? INT64_MIN : number;
}

/// Returns the indices of the tokens that are neither white space nor comments.
static std::vector<size_t> getPlaces(const std::vector<Token> &tokens) {
  std::vector<size_t> places;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].kind != Class::Space && tokens[i].kind != Class::Comment)
      places.push_back(i);
  return places;
}

static std::string join(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

/// Returns the text with one line removed, repeated, or swapped with another,
/// or without its end.
static std::string mutateLines(StringRef text, Dice &dice) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  size_t i = dice.below(lines.size()), j = dice.below(lines.size());
  switch (dice.below(4)) {
  case 0:
    lines.erase(lines.begin() + i);
    break;
  case 1:
    lines.insert(lines.begin() + j, StringRef(lines[i]));
    break;
  case 2:
    std::swap(lines[i], lines[j]);
    break;
  case 3:
    lines.truncate(i);
    break;
  }
  return llvm::join(lines, "\n");
}

/// Returns the text of a random token of class `kind`. It is mostly one of
/// `tokens`. In a third of the cases it is one of a random module of the
/// corpus, whose tokens are put into `storage`, to which the result then
/// points. Returns "" if 50 draws find none.
static StringRef pickOther(Class kind, const std::vector<Token> &tokens,
                           llvm::ArrayRef<CorpusEntry> corpus,
                           std::vector<Token> &storage, Dice &dice) {
  const std::vector<Token> *from = &tokens;
  if (dice.oneIn(3)) {
    storage = getTokens(dice.pickOf(corpus).text);
    from = &storage;
  }
  for (int i = 0; i < 50 && !from->empty(); ++i)
    if (const Token &token = dice.pickOf(*from); token.kind == kind)
      return token.text;
  return "";
}

std::string attn_fuzz::mutateText(StringRef text,
                                  llvm::ArrayRef<CorpusEntry> corpus,
                                  Dice &dice) {
  if (dice.oneIn(12))
    return mutateLines(text, dice);
  std::vector<Token> tokens = getTokens(text);
  std::vector<size_t> places = getPlaces(tokens);
  if (places.empty())
    return text.str();
  std::string number;
  std::vector<Token> storage;
  size_t i = dice.pickOf(places), j = dice.pickOf(places);
  // Numbers, words and names are likelier to be changed than punctuation, since
  // types and attributes consist of them.
  for (int k = 0; k < 4 && tokens[i].kind == Class::Other; ++k)
    i = dice.pickOf(places);
  if (tokens[i].kind == Class::Number && !dice.oneIn(4)) {
    number = dice.oneIn(6) ? "?" : std::to_string(pickEdge(dice));
    tokens[i].text = number;
    return join(tokens);
  }
  switch (dice.below(10)) {
  case 0:
    tokens.erase(tokens.begin() + i);
    break;
  case 1:
    tokens.insert(tokens.begin() + j, Token(tokens[i]));
    break;
  case 2:
    std::swap(tokens[i], tokens[j]);
    break;
  default:
    tokens[i].text = pickOther(tokens[i].kind, tokens, corpus, storage, dice);
  }
  return join(tokens);
}
