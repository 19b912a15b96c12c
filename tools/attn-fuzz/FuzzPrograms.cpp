//===- FuzzPrograms.cpp - attn-fuzz programs ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a tile program, a random one or one of test/Programs, for a chip
// with a random schedule. There must either be exactly one error, or the
// simulator's results must equal those of the host. Some programs are also
// compiled to PTX.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Programs.h"

#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Chips.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace attn_fuzz;
using namespace mlir;
using namespace mlir::attn;
using llvm::StringRef;

static constexpr const char *kProgramOutcomes[] = {"agreed", "refused",
                                                   "not simulated", "wrong"};

/// The number of schedules that are tried for each program. For all of them,
/// the host runs the program only once.
static constexpr uint64_t kSchedules = 8;

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// Draws a list of roles, as text. It has a producer, the multipliers that the
/// program names, and sometimes consumers. Rarely a multiplier is left out or
/// has another name. For some roles, the text gives the number of warps, of
/// registers, or both. A random role is moved to the front.
static std::string drawRoles(const TileProgram &program, Dice &dice) {
  auto drawNumbers = [&](std::initializer_list<int64_t> warps,
                         std::initializer_list<int64_t> registers) {
    std::string text;
    if (dice.oneIn(2))
      text += "warps = " + std::to_string(dice.pick<int64_t>(warps)) + ", ";
    if (dice.oneIn(2))
      text +=
          "registers = " + std::to_string(dice.pick<int64_t>(registers)) + ", ";
    return text;
  };
  std::vector<std::string> roles;
  auto add = [&](const std::string &kind, const std::string &particulars) {
    roles.push_back(particulars.empty()
                        ? kind
                        : kind + "(" +
                              StringRef(particulars).drop_back(2).str() + ")");
  };
  add("producer", drawNumbers({4, 4, 4, 4, 8}, {24, 40, 72}));
  for (const std::string &name : program.multipliers)
    if (!dice.oneIn(30))
      add("multiplier",
          "name = \"" + (dice.oneIn(40) ? "other" : name) + "\", " +
              drawNumbers(
                  {std::clamp<int64_t>(program.rows / 64 * 4, 4, 16), 8},
                  {56, 64, 96, 120}));
  if (dice.oneIn(3))
    add("consumer",
        "registers = " + std::to_string(dice.pick<int64_t>({80, 120, 160})) +
            ", ");
  std::swap(roles.front(), dice.pickOf(roles));
  return "[" + llvm::join(roles, ", ") + "]";
}

/// Draws a schedule, as text, that mostly is valid for the program and the
/// chip.
static std::string drawSchedule(const TileProgram &program, const Chip &chip,
                                Dice &dice) {
  bool isMad = dice.oneIn(12), overlaps = dice.oneIn(3);
  auto flip = [&](bool isLikely) {
    return isLikely && dice.oneIn(isMad ? 2 : 3) ? "true" : "false";
  };
  StringRef mma = dice.pick<StringRef>({"mma_sync", "wgmma"});
  StringRef copy = dice.pick<StringRef>({"element", "cp_async", "tma"});
  std::string roles = "none";
  int64_t tileQ = program.rows, warps = std::max<int64_t>(1, tileQ / 16);
  if (dice.oneIn(2)) {
    roles = dice.oneIn(8) ? "producer_consumer_reducer" : "producer_consumer";
    copy = "tma";
    warps = std::max<int64_t>(4, warps / 4 * 4);
  }
  // In one of four cases, the number of warps is halved, so that each warp has
  // several groups of 16 rows, or doubled, so that several warps share rows.
  if (dice.oneIn(4))
    warps = dice.oneIn(2) ? std::max<int64_t>(1, warps / 2) : 2 * warps;
  if (isMad) {
    warps = dice.pick<int64_t>({1, 2, 3, 4, 5, 8, 12, 16, 32});
    copy = dice.pick<StringRef>({"element", "cp_async", "tma"});
    mma = dice.pick<StringRef>({"mma_sync", "wgmma", "none"});
    tileQ = 16 + 16 * dice.below(12);
  } else {
    if (!chip.hasWgmma || tileQ % 64 != 0)
      mma = "mma_sync";
    if (mma == "wgmma")
      warps = std::max<int64_t>(4, tileQ / 16);
    if (!program.hasProducts && dice.oneIn(2))
      mma = "none";
    if (!chip.hasTma() && copy == "tma") {
      copy = "cp_async";
      roles = "none";
    }
  }
  if (!program.isAligned) {
    copy = "element";
    roles = "none";
  }
  if (chip.hasWgmma && dice.oneIn(program.multipliers.empty() ? 20 : 2)) {
    roles = drawRoles(program, dice);
    if (program.isAligned)
      copy = dice.pick<StringRef>({"tma", "tma", "cp_async"});
    warps = std::max<int64_t>(4, tileQ / 64 * 4);
    if (!isMad && tileQ % 64 == 0)
      mma = "wgmma";
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << "#attn_gpu.schedule<tile_q = " << tileQ
      << ", tile_kv = " << (isMad ? 64 : program.columns)
      << ", warps = " << std::min<int64_t>(warps, 32) << ", mma = " << mma
      << ", copy = " << copy << ", stages = "
      << (isMad || (roles != "none" && !overlaps) ? 1 : 2) + dice.below(3)
      << ", overlap = " << (overlaps ? "true" : "false")
      << ", ping_pong = " << flip(overlaps || isMad)
      << ", softmax = " << (dice.oneIn(3) ? "lazy" : "strict")
      << ", roles = " << roles << ", scheduler = "
      << dice.pick<StringRef>({"static", "persistent", "dynamic"})
      << ", warp_rows = " << (dice.oneIn(4) ? 32 : 16)
      << ", ctas = " << (dice.oneIn(6) ? 2 : 0) << ">";
  return text;
}

static ProgramCase draw(const Options &options, uint64_t number,
                        ArrayRef<ProgramFile> files) {
  Dice ofProgram(options.seed, number / kSchedules * kSchedules);
  TileProgram program;
  if (!files.empty() && ofProgram.oneIn(5)) {
    program = drawTiles(ofProgram.pickOf(files), ofProgram);
  } else {
    program = drawProgram(ofProgram);
  }
  Dice dice(options.seed + 1, number);
  ProgramCase result;
  result.text = program.text;
  const Chip *chip = &dice.pickOf(getChips());
  if (!dice.oneIn(4)) {
    StringRef name = dice.oneIn(3) ? "sm_80" : "sm_90a";
    chip = llvm::find_if(getChips(),
                         [&](const Chip &chip) { return chip.name == name; });
  }
  result.chip = chip->name.str();
  size_t place = result.text.find(TileProgram::kSchedule.str());
  result.text.replace(place, TileProgram::kSchedule.size(),
                      drawSchedule(program, *chip, dice));
  result.entry = program.entry;
  result.sizes = program.sizes;
  result.arrays = ofProgram.below(1000);
  result.simulation = dice.below(1000);
  result.toPTX = dice.oneIn(4);
  return result;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static constexpr StringRef kProgramCommand = "// attn-fuzz programs:";

static std::string getFindingText(const ProgramCase &given) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kProgramCommand << " entry " << given.entry << " chip " << given.chip
     << " arrays " << given.arrays << " simulation " << given.simulation
     << " ptx " << given.toPTX << " sizes";
  for (const std::vector<int64_t> &sizes : given.sizes) {
    os << " -";
    llvm::interleave(sizes, os, "x");
  }
  os << "\n" << given.text;
  return text;
}

static ProgramCase readProgramCase(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer || !(*buffer)->getBuffer().starts_with(kProgramCommand))
    llvm::report_fatal_error("expected a finding in '" + path + "'", false);
  auto [command, text] = (*buffer)->getBuffer().split('\n');
  ProgramCase given;
  given.text = text.str();
  SmallVector<StringRef> words;
  command.drop_front(kProgramCommand.size()).split(words, ' ', -1, false);
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    StringRef value = words[i + 1];
    if (words[i] == "entry")
      given.entry = value.str();
    else if (words[i] == "chip")
      given.chip = value.str();
    else if (words[i] == "arrays")
      value.getAsInteger(10, given.arrays);
    else if (words[i] == "simulation")
      value.getAsInteger(10, given.simulation);
    else if (words[i] == "ptx")
      given.toPTX = value == "1";
    else
      break;
  }
  for (StringRef word : words) {
    if (!word.consume_front("-"))
      continue;
    SmallVector<StringRef> numbers;
    word.split(numbers, 'x', -1, false);
    std::vector<int64_t> &sizes = given.sizes.emplace_back();
    for (StringRef number : numbers)
      number.getAsInteger(10, sizes.emplace_back());
  }
  return given;
}

/// Returns a message with each number replaced by "N", and without the text
/// between angle brackets (such as parameters of types), so that messages of
/// one kind are equal.
static std::string getKind(StringRef message) {
  std::string kind;
  int depth = 0;
  for (char c : message) {
    depth += c == '<';
    if (depth == 0 && !(llvm::isDigit(c) && StringRef(kind).ends_with("N")))
      kind += llvm::isDigit(c) ? 'N' : c;
    depth -= c == '>' && depth > 0;
  }
  return kind;
}

int attn_fuzz::fuzzPrograms(const Options &options) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  std::vector<ProgramFile> files = readProgramFiles(options.corpus);
  if (options.print) {
    llvm::outs() << getFindingText(draw(options, options.first, files));
    return 0;
  }

  Findings findings(options, "programs");
  // Child processes append a line to this file for each case whose schedule is
  // refused, with the case's number and the kind of message.
  std::string refusals = options.findings + "/programs-" +
                         std::to_string(options.seed) + ".refusals";
  llvm::sys::fs::remove(refusals);
  ProgramRunner runner(registry);
  GuardedCases cases;
  cases.first = options.repeat ? 0 : options.first;
  cases.count = options.repeat ? options.corpus.size() : options.count;
  cases.seconds = options.seconds;
  cases.secondsPerCase = 60;
  cases.run = [&](uint64_t number) -> unsigned {
    ProgramCase given = options.repeat ? readProgramCase(options.corpus[number])
                                       : draw(options, number, files);
    findings.begin(getFindingText(given));
    auto [outcome, note] = runner.run(given);
    if (outcome == Wrong) {
      findings.report(number, note);
    } else if (!note.empty()) {
      std::error_code code;
      llvm::raw_fd_ostream file(refusals, code, llvm::sys::fs::OF_Append);
      if (!code)
        file << number << " " << kProgramOutcomes[outcome] << ": "
             << getKind(note) << "\n";
    }
    return outcome;
  };
  uint64_t numFindings = 0;
  cases.onDeath = [&](uint64_t number, const std::string &how) {
    ++numFindings;
    findings.report(number, how);
  };
  GuardedTotals totals = runGuarded(cases);
  if (auto buffer = llvm::MemoryBuffer::getFile(refusals)) {
    // Maps each kind of message to the number of its occurrences, and to the
    // number of the first case with it.
    llvm::StringMap<std::pair<unsigned, StringRef>> counts;
    SmallVector<StringRef> lines;
    (*buffer)->getBuffer().split(lines, '\n', -1, false);
    for (StringRef line : lines) {
      auto [number, kind] = line.split(' ');
      ++counts.try_emplace(kind, 0, number).first->second.first;
    }
    std::vector<std::tuple<unsigned, StringRef, StringRef>> sorted;
    for (const auto &entry : counts)
      sorted.emplace_back(entry.second.first, entry.second.second,
                          entry.first());
    llvm::sort(sorted, std::greater<>());
    for (auto [count, number, kind] : sorted)
      llvm::outs() << count << " as " << number << " " << kind << "\n";
    llvm::sys::fs::remove(refusals);
  }
  return summarize(totals, numFindings + totals.outcomes[Wrong],
                   kProgramOutcomes);
}
