//===- RandomScore.cpp - Random score regions -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomScore.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace attnc;
using llvm::formatv;

namespace {
enum OperandType { F32, I1, I32, I64, Index, kNumTypes };
constexpr const char *kTypeNames[] = {"f32", "i1", "i32", "i64", "index"};

/// A template for the text of an op: {0} stands for the result, and {1} and
/// following for the operands.
struct Form {
  OperandType result;
  std::vector<OperandType> operands;
  const char *text;
};

class RegionWriter {
public:
  explicit RegionWriter(Dice &dice) : dice(dice) {}

  void addArgument(OperandType type, std::string name) {
    header.push_back(name + ": " + kTypeNames[type]);
    values[type].push_back(std::move(name));
  }

  /// Returns the name of a value of the given type, as an operand. In one of
  /// six cases, or if there is no such value, this is a new constant. Otherwise
  /// it is in half of the cases any existing value, and else one of the four
  /// latest.
  std::string pick(OperandType type) {
    std::vector<std::string> &known = values[type];
    if (known.empty() || dice.oneIn(6))
      return addConstant(type);
    size_t newest = std::min<size_t>(known.size(), 4);
    return dice.oneIn(2) ? known[dice.below(known.size())]
                         : known[known.size() - 1 - dice.below(newest)];
  }

  void add(const Form &form) {
    std::vector<std::string> operands;
    for (OperandType type : form.operands)
      operands.push_back(pick(type));
    operands.resize(3);
    std::string name = makeName();
    body +=
        "    " +
        formatv(false, form.text, name, operands[0], operands[1], operands[2])
            .str() +
        "\n";
    values[form.result].push_back(std::move(name));
  }

  std::string finish() {
    return "^bb0(" + llvm::join(header, ", ") + "):\n" + body +
           "    attn.yield " + pick(F32) + " : f32";
  }

private:
  std::string makeName() { return "%v" + std::to_string(numValues++); }

  std::string addConstant(OperandType type) {
    std::string name = makeName();
    std::string number;
    if (type == F32)
      number = dice.pick({"0.0", "1.0", "-0.5", "30.0", "1.0e-3", "0xFF800000",
                          "0x7FC00000", "3.0e38"});
    else if (type == I1)
      number = dice.pick({"true", "false"});
    else
      number = dice.pick({"0", "1", "-1", "3", "7", "64", "2147483647"});
    body += formatv("    {0} = arith.constant {1}{2}{3}\n", name, number,
                    type == I1 ? "" : " : ", type == I1 ? "" : kTypeNames[type])
                .str();
    values[type].push_back(name);
    return name;
  }

  Dice &dice;
  std::vector<std::string> header;
  std::string body;
  std::vector<std::string> values[kNumTypes];
  unsigned numValues = 0;
};
} // namespace

static std::vector<Form> makeForms() {
  std::vector<Form> forms;
  // Each Form points to one of these texts, so the texts must live as long as
  // the process.
  static std::vector<std::string> texts;
  texts.reserve(400);
  auto add = [&](OperandType result, std::vector<OperandType> operands,
                 std::string text) {
    texts.push_back(std::move(text));
    forms.push_back({result, std::move(operands), texts.back().c_str()});
  };
  for (const char *op : {"addf", "subf", "mulf", "divf", "maximumf", "minimumf",
                         "maxnumf", "minnumf"})
    add(F32, {F32, F32}, formatv("{{0} = arith.{0} {{1}, {{2} : f32", op));
  for (const char *op :
       {"absf", "ceil", "floor", "cos", "sin", "exp", "exp2", "expm1", "log",
        "log2", "log1p", "tanh", "sqrt", "trunc", "round", "roundeven", "erf"})
    add(F32, {F32}, formatv("{{0} = math.{0} {{1} : f32", op));
  add(F32, {F32}, "{0} = arith.negf {1} : f32");
  add(F32, {F32}, "{0} = math.tanh {1} fastmath<afn> : f32");
  add(F32, {F32, F32}, "{0} = math.powf {1}, {2} : f32");
  add(F32, {F32, F32}, "{0} = math.atan2 {1}, {2} : f32");
  add(F32, {F32, F32}, "{0} = math.copysign {1}, {2} : f32");
  add(F32, {F32, F32, F32}, "{0} = math.fma {1}, {2}, {3} : f32");
  for (const char *predicate :
       {"oeq", "olt", "oge", "une", "ult", "uno", "ord"})
    add(I1, {F32, F32},
        formatv("{{0} = arith.cmpf {0}, {{1}, {{2} : f32", predicate));
  for (OperandType type : {I32, I64, Index}) {
    const char *name = kTypeNames[type];
    for (const char *op :
         {"addi",  "subi",  "muli",       "divsi",     "divui",
          "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui",
          "andi",  "ori",   "xori",       "shli",      "shrsi",
          "shrui", "maxsi", "minsi",      "maxui",     "minui"})
      add(type, {type, type},
          formatv("{{0} = arith.{0} {{1}, {{2} : {1}", op, name));
    for (const char *predicate : {"eq", "ne", "slt", "sge", "ult", "ugt"})
      add(I1, {type, type},
          formatv("{{0} = arith.cmpi {0}, {{1}, {{2} : {1}", predicate, name));
    add(type, {I1, type, type},
        formatv("{{0} = arith.select {{1}, {{2}, {{3} : {0}", name));
  }
  for (int i = 0; i < 4; ++i)
    add(F32, {I1, F32, F32}, "{0} = arith.select {1}, {2}, {3} : f32");
  for (OperandType type : {I32, I64}) {
    const char *name = kTypeNames[type];
    add(type, {Index},
        formatv("{{0} = arith.index_cast {{1} : index to {0}", name));
    add(Index, {type},
        formatv("{{0} = arith.index_cast {{1} : {0} to index", name));
    add(F32, {type}, formatv("{{0} = arith.sitofp {{1} : {0} to f32", name));
    add(F32, {type}, formatv("{{0} = arith.uitofp {{1} : {0} to f32", name));
    add(type, {F32}, formatv("{{0} = arith.fptosi {{1} : f32 to {0}", name));
  }
  add(I64, {I32}, "{0} = arith.extsi {1} : i32 to i64");
  add(I32, {I64}, "{0} = arith.trunci {1} : i64 to i32");
  add(I32, {I1}, "{0} = arith.extui {1} : i1 to i32");
  add(I1, {I1, I1}, "{0} = arith.andi {1}, {2} : i1");
  add(I1, {I1, I1}, "{0} = arith.xori {1}, {2} : i1");
  add(I32, {F32}, "{0} = arith.bitcast {1} : f32 to i32");
  add(F32, {I32}, "{0} = arith.bitcast {1} : i32 to f32");
  return forms;
}

std::string attnc::drawScoreText(Dice &dice) {
  static const std::vector<Form> kForms = makeForms();
  RegionWriter region(dice);
  region.addArgument(F32, "%s");
  for (const char *name : {"%b", "%h", "%q", "%kv"})
    region.addArgument(Index, name);
  for (uint64_t i = 0, e = dice.below(4); i < e; ++i)
    region.addArgument(dice.pick({F32, F32, I32, I64, Index}),
                       "%c" + std::to_string(i));
  for (uint64_t i = 0, e = 1 + dice.below(12); i < e; ++i)
    region.add(dice.pickOf(kForms));
  // The region yields the sum of two values. As with any op, recent values are
  // likelier operands, so the result rarely ignores the last ops.
  region.add({F32, {F32, F32}, "{0} = arith.addf {1}, {2} : f32"});
  return region.finish();
}
