//===- Corpus.cpp - Modules to mutate -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "attn/Driver/Generate.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace attn_fuzz;
using namespace mlir;
using namespace mlir::attn;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::vector<std::string> findFiles(llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::error_code code;
    for (llvm::sys::fs::recursive_directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      if (StringRef(it->path()).ends_with(".mlir"))
        files.push_back(it->path());
  }
  llvm::sort(files);
  return files;
}

/// Adds the modules of a test file to the corpus. The file is split at the
/// marks of -split-input-file and of split-file. Parts in which neither `func`
/// nor `attn` occurs are no modules and are omitted.
static void addParts(StringRef file, StringRef text,
                     std::vector<CorpusEntry> &corpus) {
  std::string part;
  auto flush = [&] {
    if (StringRef(part).contains("func") || StringRef(part).contains("attn"))
      corpus.push_back({file.str(), part, {}});
    part.clear();
  };
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    StringRef stripped = line.trim();
    if (stripped.starts_with("// -----") || stripped.starts_with("//--- "))
      flush();
    // Comments of test files are omitted, since they only hold what FileCheck
    // and the verifier expect.
    else if (!stripped.starts_with("//"))
      part += line.str() + "\n";
  }
  flush();
}

//===----------------------------------------------------------------------===//
// Modules after passes
//===----------------------------------------------------------------------===//

/// Splits a list of passes at the commas outside of options and nested lists.
static SmallVector<StringRef> splitPasses(StringRef list) {
  SmallVector<StringRef> passes;
  int depth = 0;
  size_t begin = 0;
  for (auto [i, c] : llvm::enumerate(list)) {
    depth += (c == '{' || c == '(') - (c == '}' || c == ')');
    if (c == ',' && depth == 0) {
      passes.push_back(list.slice(begin, i));
      begin = i + 1;
    }
  }
  passes.push_back(list.drop_front(begin));
  return passes;
}

/// Returns the text of each pass of a pipeline. A nested pipeline on kernels
/// gives a text for each of its passes.
static std::vector<std::string> getTexts(OpPassManager &pm) {
  std::vector<std::string> texts;
  for (Pass &pass : pm) {
    std::string text;
    llvm::raw_string_ostream os(text);
    pass.printAsTextualPipeline(os);
    StringRef list = text;
    if (list.consume_front("attn_gpu.kernel(") && list.consume_back(")"))
      for (StringRef one : splitPasses(list))
        texts.push_back(("attn_gpu.kernel(" + one + ")").str());
    else
      texts.push_back(std::move(text));
  }
  return texts;
}

static std::vector<std::string> getPipeline(StringRef chip) {
  OpPassManager pm("builtin.module");
  TilePipelineOptions options;
  options.chip = chip.str();
  if (chip == "host")
    buildAttnToHostPipeline(pm);
  else
    buildAttnToPTXPipeline(pm, options);
  return getTexts(pm);
}

std::vector<std::string> attn_fuzz::getPasses() {
  std::vector<std::string> passes;
  for (StringRef chip : {"host", "sm_80", "sm_90a"})
    for (std::string &text : getPipeline(chip))
      if (!llvm::is_contained(passes, text))
        passes.push_back(text);
  return passes;
}

/// Runs the passes of a pipeline one after the other until one fails. After
/// each pass that changes the module's text, adds the module to the corpus,
/// together with the passes that follow.
static void addStages(StringRef name, StringRef text, StringRef chip,
                      const DialectRegistry &registry,
                      std::vector<CorpusEntry> &corpus) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silent(&context,
                                 [](Diagnostic &) { return success(); });
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return;
  std::vector<std::string> passes = getPipeline(chip);
  for (size_t i = 0; i < passes.size(); ++i) {
    PassManager pm(&context);
    if (failed(parsePassPipeline(passes[i], pm)) || failed(pm.run(*module)))
      return;
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    if (corpus.empty() || corpus.back().text != printed)
      corpus.push_back({(name + " after " + passes[i]).str(), printed, {}});
    corpus.back().rest.assign(passes.begin() + i + 1, passes.end());
  }
}

static void addAttention(const DialectRegistry &registry,
                         std::vector<CorpusEntry> &corpus) {
  GenerateOptions dynamic;
  dynamic.dtype = DType::BF16;
  dynamic.batch = dynamic.queryHeads = dynamic.kvHeads = kDynamicSize;
  dynamic.queryLength = dynamic.kvLength = kDynamicSize;
  dynamic.dynamicStrides = dynamic.causal = dynamic.lse = true;
  dynamic.alignment = Alignment::BottomRight;
  GenerateOptions full;
  full.queryHeads = 4;
  full.kvHeads = 2;
  full.softCap = 30;
  full.queryLength = 100;
  GenerateOptions window = dynamic;
  window.windowLeft = 20;
  window.dtype = DType::F32;
  window.alibi = true;
  GenerateOptions turned = full;
  turned.softCap = std::nullopt;
  turned.schedule =
      "#attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, "
      "copy = tma, roles = producer_consumer, overlap = true, ping_pong = "
      "true, "
      "softmax = lazy, scheduler = dynamic>";
  GenerateOptions gradients = full;
  gradients.backward = true;
  gradients.headDim = gradients.valueHeadDim = 128;
  GenerateOptions deterministic = window;
  deterministic.backward = deterministic.deterministic = true;
  deterministic.lse = false;
  for (const auto &[name, options, chip] :
       {std::tuple("dynamic", dynamic, "sm_90a"),
        {"turned", turned, "sm_90a"},
        {"full", full, "sm_80"},
        {"window", window, "sm_90"},
        {"window", window, "host"},
        {"full", full, "host"},
        {"gradients", gradients, "sm_90a"},
        {"deterministic", deterministic, "sm_80"},
        {"deterministic", deterministic, "host"}})
    if (llvm::Expected<std::string> text = generateModule(options))
      addStages(name, *text, chip, registry, corpus);
    else
      llvm::consumeError(text.takeError());
}

std::vector<CorpusEntry>
attn_fuzz::readCorpus(llvm::ArrayRef<std::string> paths,
                      const DialectRegistry &registry) {
  std::vector<CorpusEntry> corpus;
  for (const std::string &file : findFiles(paths))
    if (auto buffer = llvm::MemoryBuffer::getFile(file))
      addParts(file, (*buffer)->getBuffer(), corpus);
  addAttention(registry, corpus);
  return corpus;
}
