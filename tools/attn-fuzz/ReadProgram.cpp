//===- ReadProgram.cpp - Programs of files with other tiles --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <map>

using namespace attn_fuzz;
using llvm::StringRef;
using llvm::Twine;
using mlir::attn::Dice;

static constexpr llvm::StringLiteral kOfRows =
    "queries|lhs|scores|sum|output|result|rounded|rows|words|row_words|bits";
static constexpr KnownProgram kKnownPrograms[] = {
    // In the program `backward`, the rows of a tile are keys.
    {"backward", "Hq32 Hk32 Hk32 Hq32 Hq Hq - - Hq32 Hk32 Hk32",
     "keys|scores|rounded|grad|rounded_grad", 64},
    {"block-list", "Hq32 Hp32 Hp32 N3 N3 N Hq32 Hq", kOfRows, 32},
    {"gemm", "Hqk Hkm Hqm", kOfRows, 64},
    {"matmul", "qk km qm", kOfRows, 64},
    {"scatter", "q64 H64.8 t64", "", 64},
    {"sigmoid", "Hq16 He16 He16 qe Hq16", kOfRows, 64},
    {"token-list", "Hq128 Hp128 Hp128 N3 N Hq128 Hq", kOfRows, 64},
    {"two-pass", "Hq64 Hk64 Hk64 Hq64", kOfRows, 64}};

std::vector<ProgramFile>
attn_fuzz::readProgramFiles(llvm::ArrayRef<std::string> paths) {
  std::vector<ProgramFile> files;
  for (const std::string &path : paths)
    for (const KnownProgram &known : kKnownPrograms)
      if (llvm::sys::path::stem(path) == known.name)
        if (auto buffer = llvm::MemoryBuffer::getFile(path))
          files.push_back({&known, (*buffer)->getBuffer().str()});
  return files;
}

static std::vector<int64_t> parseSizes(StringRef text, Dice &dice,
                                       std::map<char, int64_t> &drawn) {
  std::vector<int64_t> sizes;
  while (!text.empty() && text != "-") {
    int64_t size;
    StringRef digits = text.take_while(llvm::isDigit);
    if (!digits.empty()) {
      digits.getAsInteger(10, size);
      text = text.drop_front(digits.size());
    } else {
      auto [entry, isNew] = drawn.try_emplace(text.front(), 0);
      if (isNew)
        entry->second = text.front() == 'H'   ? 1 + dice.below(2)
                        : text.front() == 'e' ? 8 * dice.below(18)
                        : text.front() == 'p'
                            ? dice.pick<int64_t>({1, 31, 64, 65, 100, 130})
                            : dice.pick<int64_t>({0, 1, 31, 64, 65, 100, 130});
      size = entry->second;
      text = text.drop_front();
    }
    text.consume_front(".");
    sizes.push_back(size);
  }
  return sizes;
}

TileProgram attn_fuzz::drawTiles(const ProgramFile &file, Dice &dice) {
  const KnownProgram &known = *file.known;
  TileProgram program;
  program.entry = known.name.str();
  llvm::replace(program.entry, '-', '_');
  if (!known.ofRows.empty())
    program.rows = dice.pick<int64_t>({16, 32, 48, 64, 64, 96, 128, 192, 256});
  program.columns = known.columns;
  std::map<char, int64_t> drawn = {{'N', 12}};
  llvm::SmallVector<StringRef> parts;
  known.sizes.split(parts, ' ');
  for (StringRef part : parts)
    program.sizes.push_back(parseSizes(part, dice, drawn));

  std::string rows = std::to_string(program.rows);
  auto replaceAll = [&](const Twine &from, const Twine &to) {
    std::string result, pattern = from.str();
    llvm::Regex regex(pattern, llvm::Regex::Newline);
    StringRef rest = program.text;
    for (llvm::SmallVector<StringRef> found; regex.match(rest, &found);) {
      size_t begin = found[0].data() - rest.data();
      result += rest.take_front(begin);
      result +=
          llvm::Regex(pattern, llvm::Regex::Newline).sub(to.str(), found[0]);
      rest = rest.drop_front(begin + found[0].size());
    }
    program.text = result + rest.str();
  };
  program.text = file.text;
  replaceAll("^//.*$", "");
  replaceAll("#attn_gpu.schedule<[^>]*>", TileProgram::kSchedule);
  if (known.ofRows.empty())
    return program;
  replaceAll("^(!(" + known.ofRows + ") = tensor<)64", "\\g<1>" + rows);
  replaceAll("(tensor<)64(x64xi(32|1)>)", "\\g<1>" + rows + "\\g<2>");
  for (StringRef before :
       {"softmax<", "step \\[1, ", "step \\[", "\\([ij] \\+ ", "floordiv "})
    replaceAll(Twine("(") + before + ")64", "\\g<1>" + rows);
  return program;
}
