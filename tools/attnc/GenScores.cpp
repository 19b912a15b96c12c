//===- GenScores.cpp - Regions, sink and dropout of attnc gen -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "Enum.h"
#include "Gen.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

namespace attnc::gen_command {

static cl::opt<std::string> score(
    "score", cl::sub(genCommand), cl::value_desc("softcap:CAP|alibi|FILE"),
    cl::desc("Score region: a soft cap, ALiBi, or a file that holds one"));
static cl::opt<std::string>
    mask("mask", cl::sub(genCommand), cl::value_desc("document|prefix:P|FILE"),
         cl::desc("Mask region: within a document, by an array of each "
                  "position's number; the first P keys and those up to the "
                  "row's own position; or a file that holds one. It composes "
                  "with --causal and --window"));
namespace {
enum class Sink { None, F32, F16, BF16 };
} // namespace
static EnumOption<Sink>
    sink("sink", cl::sub(genCommand), cl::ValueOptional,
         cl::desc("A logit for each query head, which is only added to the "
                  "softmax's sum"),
         cl::values(clEnumValN(Sink::F32, "", "of f32"),
                    clEnumValN(Sink::F32, "f32", "of f32"),
                    clEnumValN(Sink::F16, "f16", "of f16"),
                    clEnumValN(Sink::BF16, "bf16", "of bf16")),
         cl::init(Sink::None));
static cl::opt<std::string>
    dropout("dropout", cl::sub(genCommand), cl::value_desc("P"),
            cl::desc("Leave out probabilities with probability P: @main takes "
                     "a seed and an offset"));
static llvm::Error parseScore(GenerateOptions &options) {
  llvm::StringRef text = score;
  if (text.empty())
    return llvm::Error::success();
  if (text == "alibi") {
    options.alibi = true;
    return llvm::Error::success();
  }
  if (text.consume_front("softcap:")) {
    llvm::Expected<double> cap = parseFinite("score softcap", text);
    if (!cap)
      return cap.takeError();
    // The region computes in f32, so the cap must be a normal f32.
    if (*cap < std::numeric_limits<float>::min() ||
        *cap > std::numeric_limits<float>::max())
      return parseError("score softcap",
                        "a positive number within the range of f32", text);
    options.softCap = *cap;
    return llvm::Error::success();
  }
  auto file = llvm::MemoryBuffer::getFile(text, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(
        "expected softcap:CAP, alibi or a file for --score, found '" + text +
        "': " + file.getError().message());
  options.scoreText = (*file)->getBuffer().str();
  return llvm::Error::success();
}

static llvm::Error parseMask(GenerateOptions &options) {
  if (mask.empty())
    return llvm::Error::success();
  llvm::StringRef text = mask;
  if (text == "document") {
    options.maskText = getDocumentMask();
    return llvm::Error::success();
  }
  if (text.consume_front("prefix:")) {
    int64_t length;
    if (text.getAsInteger(10, length) || length < 0)
      return parseError("mask", "prefix:P with a number of keys P", mask);
    options.maskText = getPrefixMask(length);
    return llvm::Error::success();
  }
  auto file = llvm::MemoryBuffer::getFile(mask, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(
        "expected document, prefix:P or a file for --mask, found '" + mask +
        "': " + file.getError().message());
  options.maskText = (*file)->getBuffer().str();
  return llvm::Error::success();
}

static llvm::Error parseSinkAndDropout(GenerateOptions &options) {
  switch (sink) {
  case Sink::None:
    break;
  case Sink::F32:
    options.sink = DType::F32;
    break;
  case Sink::F16:
    options.sink = DType::F16;
    break;
  case Sink::BF16:
    options.sink = DType::BF16;
    break;
  }
  if (dropout.empty())
    return llvm::Error::success();
  double value;
  if (llvm::StringRef(dropout).getAsDouble(value) ||
      !(value >= 0 && value <= 1))
    return parseError("dropout", "a probability from 0 to 1", dropout);
  options.dropout = value;
  return llvm::Error::success();
}

llvm::Error parseScores(GenerateOptions &options) {
  if (llvm::Error error = parseScore(options))
    return error;
  if (llvm::Error error = parseMask(options))
    return error;
  return parseSinkAndDropout(options);
}

} // namespace attnc::gen_command
