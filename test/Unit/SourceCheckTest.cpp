//===- SourceCheckTest.cpp - Tests of texts for the parser ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/SourceCheck.h"

#include "llvm/ADT/Twine.h"

#include "gtest/gtest.h"

using namespace mlir::attn;
using llvm::StringRef;

/// Returns the text, repeated `count` times.
static std::string times(unsigned count, StringRef text) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text;
  return result;
}

/// Returns the offset of the first fault in the text, or -1 if there is none.
static int64_t find(StringRef text) {
  std::optional<SourceFault> fault = findSourceFault(text);
  return fault ? fault->offset : -1;
}

constexpr unsigned kMany = 10 * kMaxNesting;

TEST(SourceCheck, nesting) {
  for (const char *bracket : {"(", "[", "{", "<", "{ a = [", "tuple<", "({"}) {
    unsigned levels = llvm::StringRef(bracket).count('{') +
                      llvm::StringRef(bracket).count('[') +
                      llvm::StringRef(bracket).count('(') +
                      llvm::StringRef(bracket).count('<');
    std::string most = times(kMaxNesting / levels, bracket);
    EXPECT_EQ(find(most), -1) << bracket;
    EXPECT_EQ(find(most + "("), int64_t(most.size())) << bracket;
  }
  std::optional<SourceFault> fault = findSourceFault(times(kMany, "["));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->message,
            "expected at most 256 levels of nesting, found more");
}

TEST(SourceCheck, whatCloses) {
  for (const char *text :
       {"()", "[]", "{}", "<>", "(() -> ())", "{<[()]>}\n",
        "<(d0) : (d0 >= 0)>", "<(d0) : (-d0 + 4 <= 0)>", "[1, 2]", "%a[%b#1]"})
    EXPECT_EQ(find(times(kMany, text)), -1) << text;
  // A closing bracket also closes each '<' that is still open between it and
  // its opening bracket. A closing bracket without an opening one has no
  // effect.
  EXPECT_EQ(find(times(kMany, "(<)")), -1);
  EXPECT_EQ(find(times(kMany, ")]}>")), -1);
  EXPECT_EQ(find(times(kMany, "(]") + times(kMany, "")), 2 * kMaxNesting);
}

TEST(SourceCheck, stringsAndComments) {
  std::string open = times(kMany, "([{<");
  EXPECT_EQ(find("\"" + open + "\""), -1);
  EXPECT_EQ(find("\"\\\"" + open + "\""), -1);
  EXPECT_EQ(find("@\"" + open + "\""), -1);
  EXPECT_EQ(find("// \"" + open + "\n()"), -1);
  EXPECT_EQ(find("// " + open), -1);
  // After the end of a string or a comment, brackets count again.
  EXPECT_EQ(find("\"\\\\\"" + open), 4 + int64_t(kMaxNesting));
  EXPECT_EQ(find("// \"\n" + open), 5 + int64_t(kMaxNesting));
  EXPECT_EQ(find("\"\n" + open), 2 + int64_t(kMaxNesting));
  EXPECT_EQ(find("\""), -1);
  EXPECT_EQ(find("\"\\"), -1);
  EXPECT_EQ(find(StringRef("\0(\0", 3)), -1);
  EXPECT_EQ(find(""), -1);
}

TEST(SourceCheck, operators) {
  for (const char *text :
       {"- ", "d0 + ", "d0 * ", "d0 mod 3 ", "4 floordiv ", "s0 ceildiv "}) {
    EXPECT_NE(find("affine_map<(d0)[s0] -> (" + times(kMany, text)), -1)
        << text;
    // Operators in a list, or in the attributes or the body of ops, do not
    // nest.
    EXPECT_EQ(find("(" + times(kMany, std::string(text) + "d0, ") + ")"), -1)
        << text;
    EXPECT_EQ(find("{" + times(kMany, text) + "}"), -1) << text;
  }
  // Names that contain the name of an operator, such as %mod, are no operators.
  EXPECT_EQ(find("(" + times(kMany, "%mod @mod ^mod mod_1 a.mod ") + ")"), -1);
  EXPECT_EQ(find("(" + times(kMany, "-> ") + ")"), -1);
}

/// Returns definitions of aliases, each of which contains the previous one.
static std::string getChain(unsigned count, char sigil) {
  std::string text = (llvm::Twine(sigil) + "a0 = [1]\n").str();
  for (unsigned i = 1; i < count; ++i)
    text += (llvm::Twine(sigil) + "a" + llvm::Twine(i) + " = [\n" +
             llvm::Twine(sigil) + "a" + llvm::Twine(i - 1) + "]\n")
                .str();
  return text;
}

TEST(SourceCheck, aliases) {
  for (char sigil : {'#', '!'}) {
    EXPECT_EQ(find(getChain(100, sigil)), -1);
    EXPECT_NE(find(getChain(kMany, sigil)), -1);
  }
  // Many aliases are no fault if they do not contain each other. In another
  // part of the file, a name may be defined again.
  EXPECT_EQ(find(times(kMany, "#a = [1]\n#b = [#a]\n// -----\n")), -1);
  EXPECT_EQ(find("#a = [1]\n" + times(kMany, "func.func @f() { [#a] }\n")), -1);
  // An alias that is only another name for an alias adds no level of nesting.
  std::string text = "#a0 = 1\n";
  for (unsigned i = 1; i < kMany; ++i)
    text += "#a" + std::to_string(i) + " = #a" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(find(text), -1);
}

TEST(SourceCheck, arraysOfIndex) {
  std::optional<SourceFault> fault = findSourceFault("{a = array<index: 1>}");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->offset, 5u);
  EXPECT_EQ(fault->message,
            "expected an array of integers or floats, found index");
  for (const char *text : {"array<index>", "array <\n// i64\n index : 1>",
                           "!a = index\n!b = !a\narray<!b: 1>"})
    EXPECT_NE(find(text), -1) << text;
  for (const char *text :
       {"array<i64: 1>", "!llvm.array<2 x i8>", "\"array<index>\"",
        "!a = index\n// -----\n!a = i64\narray<!a: 1>", "@array<index>",
        "memref<4xindex>", "array<indexes", "array index"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, largeVectors) {
  std::optional<SourceFault> fault =
      findSourceFault("x : vector<4x1099511627776xf32>");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->offset, 4u);
  EXPECT_EQ(fault->message,
            "expected a vector of at most 16777216 elements, found more");
  for (const char *text :
       {"vector<16777217xf32>", "vector<[4096] x [4097] x f16>",
        "vector<99999999999999999999999xi8>"})
    EXPECT_EQ(find(text), 0) << text;
  for (const char *text :
       {"vector<16777216xf32>", "vector<0x4xf32>", "vector<f32>", "vector<",
        "tensor<16777217xf32>", "vector.load", "vector<4x0x99999999xf32>"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, positions) {
  for (const char *op : {"llvm.insertvalue %a, %b", "llvm.extractvalue %b"}) {
    EXPECT_EQ(find((op + llvm::Twine("[0, 4294967296] : !s")).str()), 0) << op;
    EXPECT_EQ(find((op + llvm::Twine("[0, 4294967295] : !s")).str()), -1) << op;
    EXPECT_EQ(find((op + llvm::Twine("[\n 4294967296] : !s")).str()), -1);
  }
  EXPECT_EQ(find("llvm.insertvalue"), -1);
  EXPECT_EQ(find("llvm.call @f[4294967296]"), -1);
}

TEST(SourceCheck, dimensions) {
  std::optional<SourceFault> fault = findSourceFault(
      "linalg.transpose ins(%a : !a) outs(%b : !a) permutation = [?, 0]");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->message, "expected numbers in 'permutation', found '?, 0'");
  EXPECT_EQ(find("linalg.broadcast ins(%a) outs(%b) dimensions = [x]"), 0);
  for (const char *text :
       {"linalg.transpose permutation = [1, 0]", "linalg.transpose",
        "linalg.reduce outs(%b) dimensions = []", "linalg.transpose [?]",
        "op {permutation = [?]}"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, iterators) {
  std::optional<SourceFault> fault = findSourceFault(
      "linalg.generic {iterator_types = [\"parallel\", 1]} ins(%a : !a)");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->message,
            "expected strings in 'iterator_types', found '\"parallel\", 1'");
  for (const char *text :
       {"linalg.generic {indexing_maps = [#a],\n iterator_types =\n [unit]}",
        "linalg.generic {iterator_types = [#linalg.iterator_type<parallel>]}",
        "linalg.generic {iterator_types = [[]]}",
        "linalg.generic {a = {b = 1}, iterator_types = [1]} outs(%a : !a)"})
    EXPECT_EQ(find(text), 0) << text;
  for (const char *text :
       {"linalg.generic {iterator_types = [\"parallel\", \"reduction\"]}",
        "linalg.generic {iterator_types = []}", "linalg.generic",
        "linalg.generic {iterator_types = 1}",
        "\"linalg.generic\"(%a) <{iterator_types = "
        "[#linalg.iterator_type<parallel>]}>"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, numbersOfResults) {
  std::optional<SourceFault> fault = findSourceFault("op %a#65536 : f32");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->message,
            "expected the number of a result to be at most 65535, found 65536");
  EXPECT_EQ(find("%a#99999999999999999999"), 2);
  for (const char *text : {"op %a#65535 : f32", "#map65536 = unit",
                           "op \"%a#65536\"", "// %a#65536"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, concatenations) {
  std::optional<SourceFault> fault =
      findSourceFault("tensor.concat dim(-12) %a : (!a) -> !a");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->message, "expected a dimension of at least 0, found -12");
  for (const char *dim : {"dim", "dim ", "\"dim\""})
    EXPECT_EQ(find("\"tensor.concat\"(%a) <{" + std::string(dim) +
                   " = -1 : i64}> : (!a) -> !a"),
              0);
  for (const char *text :
       {"tensor.concat dim(1) %a : (!a) -> !a", "tensor.concat",
        "tensor.concat dim(1) %a {a_dim = -1 : i64} : (!a) -> !a",
        "\"tensor.concat\"(%a) <{dim = 1 : i64}> : (!a) -> !a"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, tablesOfSymbols) {
  EXPECT_EQ(find("\"gpu.module\"() <{sym_name = \"k\"}> ({\n  }) : () -> ()"),
            0);
  EXPECT_EQ(find("\"builtin.module\"() ({ }) : () -> ()"), 0);
  for (const char *text : {"\"gpu.module\"() ({\n^bb0:\n}) : () -> ()",
                           "\"builtin.module\"() ({\n \"op\"() : () -> ()\n}) "
                           ": () -> ()",
                           "gpu.module @k {\n}", "\"op\"() ({}) : () -> ()"})
    EXPECT_EQ(find(text), -1) << text;
}

TEST(SourceCheck, resources) {
  auto getText = [](StringRef value) {
    return ("module {}\n{-# dialect_resources: { builtin: { a: " + value +
            " } } #-}\n")
        .str();
  };
  std::string none = getText("\"0x0000000000\"");
  std::optional<SourceFault> fault = findSourceFault(none);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->offset, none.find('"'));
  EXPECT_EQ(fault->message,
            "expected a resource with an alignment of at least 1, found 0");
  for (const char *value :
       {"\"0x0100000000\"", "\"0x00000000\"", "\"0x00000001ff\"", "\"0x\"",
        "\"text\"", "\"0x00000000zz\"", "1"})
    EXPECT_EQ(find(getText(value)), -1) << value;
  // Outside of resources, a text such as "0x0000000000" is an ordinary string.
  EXPECT_EQ(find("dense<\"0x0000000000\"> {a = \"0x0000000000\"}"), -1);
  EXPECT_EQ(find("{-# #-} \"0x0000000000\""), -1);
}
