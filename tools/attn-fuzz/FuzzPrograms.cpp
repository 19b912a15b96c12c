//===- FuzzPrograms.cpp - attn-fuzz programs ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program on tiles, of the generator or of test/Programs, is compiled for a
// chip with a random schedule. There is one error, or the simulator calculates
// what the host does. Some are compiled to PTX as well.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "attn/Driver/Execution.h"
#include "attn/Driver/ParseModule.h"
#include "attn/Driver/Runner.h"
#include "attn/Driver/SimulatorArguments.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Support/Random.h"
#include "attn/Target/Chips.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>
#include <map>

using namespace attn_fuzz;
using namespace mlir;
using namespace mlir::attn;
using llvm::StringRef;

namespace {
enum Outcome : unsigned { Agreed, Refused, NotRun, Wrong };
constexpr const char *kOutcomes[] = {"agreed", "refused", "not simulated",
                                     "wrong"};

/// Schedules for each program: the host runs it once for all of them.
constexpr uint64_t kSchedules = 8;

struct ProgramCase {
  std::string text, entry, chip;
  std::vector<std::vector<int64_t>> sizes;
  /// Of the arrays and of the simulation.
  uint64_t arrays = 0, simulation = 0;
  bool toPTX = false;
};

/// Elements of each array.
using Results = std::vector<std::vector<double>>;
} // namespace

//===----------------------------------------------------------------------===//
// Programs of files
//===----------------------------------------------------------------------===//

/// Sizes of the arguments: a letter is one that is drawn, 'e' a multiple of 8,
/// 'p' not 0, 'N' no less than the tiles of rows, '-' an argument that is a
/// number.
struct KnownProgram {
  StringLiteral file, sizes;
};
static constexpr KnownProgram kKnownPrograms[] = {
    {"backward", "Hq32 Hk32 Hk32 Hq32 Hq Hq - - Hq32 Hk32 Hk32"},
    {"block-list", "Hq32 Hp32 Hp32 N3 N3 N Hq32 Hq"},
    {"gemm", "Hqk Hkm Hqm"},
    {"matmul", "qk km qm"},
    {"sigmoid", "Hq16 He16 He16 qe Hq16"},
    {"two-pass", "Hq64 Hk64 Hk64 Hq64"}};

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
    sizes.push_back(size);
  }
  return sizes;
}

/// The program of a file with tiles of another number of rows.
static TileProgram readProgram(const KnownProgram &known, StringRef text,
                               Dice &dice) {
  TileProgram program;
  program.entry = known.file.str();
  llvm::replace(program.entry, '-', '_');
  program.rows = dice.pick<int64_t>({16, 32, 48, 64, 64, 96, 128, 192, 256});
  program.columns = known.file == "block-list" ? 32 : 64;
  std::map<char, int64_t> drawn = {{'N', 12}};
  SmallVector<StringRef> parts;
  known.sizes.split(parts, ' ');
  for (StringRef part : parts)
    program.sizes.push_back(parseSizes(part, dice, drawn));

  std::string rows = std::to_string(program.rows);
  auto replaceAll = [&](const Twine &from, const Twine &to) {
    std::string result, pattern = from.str();
    llvm::Regex regex(pattern, llvm::Regex::Newline);
    StringRef rest = program.text;
    for (SmallVector<StringRef> found; regex.match(rest, &found);) {
      size_t begin = found[0].data() - rest.data();
      result += rest.take_front(begin);
      result +=
          llvm::Regex(pattern, llvm::Regex::Newline).sub(to.str(), found[0]);
      rest = rest.drop_front(begin + found[0].size());
    }
    program.text = result + rest.str();
  };
  program.text = text.str();
  replaceAll("^//.*$", "");
  replaceAll("#attn_gpu.schedule<[^>]*>", TileProgram::kSchedule);
  // A gradient's rows are its keys.
  StringRef ofRows = known.file == "backward"
                         ? "keys|scores|rounded|grad|rounded_grad"
                         : "queries|lhs|scores|sum|output|rounded|rows|words|"
                           "row_words|bits";
  replaceAll("^(!(" + ofRows + ") = tensor<)64", "\\g<1>" + rows);
  replaceAll("(tensor<)64(x64xi(32|1)>)", "\\g<1>" + rows + "\\g<2>");
  for (StringRef before :
       {"softmax<", "step \\[1, ", "step \\[", "\\([ij] \\+ ", "floordiv "})
    replaceAll(Twine("(") + before + ")64", "\\g<1>" + rows);
  return program;
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// One that fits is likely.
static std::string drawSchedule(const TileProgram &program, const Chip &chip,
                                Dice &dice) {
  bool isMad = dice.oneIn(12), overlaps = dice.oneIn(3);
  auto flip = [&](bool isLikely) {
    return isLikely && dice.oneIn(isMad ? 2 : 3) ? "true" : "false";
  };
  StringRef mma = dice.pick<StringRef>({"mma_sync", "wgmma"});
  StringRef copy = dice.pick<StringRef>({"element", "cp_async", "tma"});
  StringRef roles = "none";
  int64_t tileQ = program.rows, warps = std::max<int64_t>(1, tileQ / 16);
  if (dice.oneIn(2)) {
    roles = dice.oneIn(8) ? "producer_consumer_reducer" : "producer_consumer";
    copy = "tma";
    warps = std::max<int64_t>(4, warps / 4 * 4);
  }
  // Warps with several rows, or that share some.
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
      << ", warp_rows = "
      << ((roles == "none" || isMad) && dice.oneIn(4) ? 32 : 16)
      << ", ctas = " << (dice.oneIn(6) ? 2 : 0) << ">";
  return text;
}

static ProgramCase draw(const Options &options, uint64_t number,
                        ArrayRef<std::pair<KnownProgram, std::string>> files) {
  Dice ofProgram(options.seed, number / kSchedules * kSchedules);
  TileProgram program;
  if (!files.empty() && ofProgram.oneIn(5)) {
    const auto &[known, text] = ofProgram.pickOf(files);
    program = readProgram(known, text, ofProgram);
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
// Runs
//===----------------------------------------------------------------------===//

/// Arrays of random numbers, also those that are written, of which programs may
/// leave some as they are. Integers are from 0 to 3.
static llvm::Expected<Execution> prepare(const EntryPoint &entry,
                                         const ProgramCase &given) {
  ExecutionOptions options;
  for (auto [i, parameter] : llvm::enumerate(entry.parameters)) {
    if (parameter.role == EntryParameter::Role::Scalar) {
      options.arguments.push_back(isa<FloatType>(parameter.type)
                                      ? NumberArgument{"0.125", 0.125, {}}
                                      : NumberArgument{"3", 3, 3});
      continue;
    }
    auto type = cast<MemRefType>(parameter.type);
    ArrayRef<int64_t> sizes = given.sizes[i];
    options.shapes[i] = SmallVector<int64_t>(sizes);
    // Some with gaps between rows, which begin at multiples of 16 bytes if
    // copies expect that.
    if (!type.getLayout().isIdentity()) {
      SmallVector<int64_t> padded(sizes);
      padded.back() += given.arrays % 3 == 0 ? 9 : 0;
      if (!StringRef(given.text).contains("copy = element"))
        padded.back() = llvm::alignTo<8>(std::max<int64_t>(padded.back(), 1));
      options.strides[i] = getContiguousStrides(padded);
    }
    if (parameter.role == EntryParameter::Role::Input)
      options.arguments.push_back(
          type.getElementType().isInteger()
              ? ArgumentSpec(IntegersArgument{given.arrays + i, 0, 3, false})
              : ArgumentSpec(RandomArgument{given.arrays, 1.0}));
  }
  llvm::Expected<Execution> execution = Execution::prepare(entry, options);
  if (execution)
    for (unsigned i : execution->getOutputs())
      fillRandom(execution->getArray(i), given.arrays + i, 1.0);
  return execution;
}

static Results getResults(const Execution &execution) {
  Results results;
  for (const Execution::Parameter &parameter : execution.getParameters()) {
    results.emplace_back();
    if (!parameter.buffer)
      continue;
    const ArrayView &array = parameter.buffer->view();
    IndexWalk walk(array.sizes, array.strides);
    for (int64_t i = 0, e = array.getNumElements(); i < e; ++i, walk.advance())
      results.back().push_back(
          loadElement(array.data, array.dtype, walk.getOffset()));
  }
  return results;
}

/// The first element that is wrong by more than a program's roundings, or "".
static std::string findDifference(const Results &expected, const Results &found,
                                  double tolerance) {
  for (auto [number, pair] : llvm::enumerate(llvm::zip(expected, found))) {
    auto &[lhs, rhs] = pair;
    for (size_t i = 0; i < lhs.size(); ++i) {
      double e = lhs[i], f = rhs[i];
      if (e == f || (std::isnan(e) && std::isnan(f)) ||
          std::fabs(e - f) <= tolerance * (1 + std::fabs(e)))
        continue;
      std::string text;
      llvm::raw_string_ostream(text)
          << "element " << i << " of argument " << number << " is "
          << llvm::format("%g", f) << ", on the host " << llvm::format("%g", e);
      return text;
    }
  }
  return "";
}

namespace {
/// Runs cases, and remembers what the host made of the last program.
class ProgramRunner {
public:
  ProgramRunner(const DialectRegistry &registry) : registry(registry) {}
  /// With a note of what is wrong, or of why nothing was run.
  std::pair<Outcome, std::string> run(const ProgramCase &given);

private:
  std::string runHost(ModuleOp module, const EntryPoint &entry,
                      const ProgramCase &given);

  const DialectRegistry &registry;
  std::string hostText;
  Results expected;
};
} // namespace

/// The program alone: a host takes no note of the schedule.
static std::string withoutSchedule(const ProgramCase &given) {
  auto [before, rest] = StringRef(given.text).split("#attn_gpu.schedule<");
  return (before + rest.split('>').second).str() + std::to_string(given.arrays);
}

std::string ProgramRunner::runHost(ModuleOp module, const EntryPoint &entry,
                                   const ProgramCase &given) {
  std::string text = withoutSchedule(given);
  if (text == hostText)
    return "";
  OwningOpRef<ModuleOp> lowered = module.clone();
  auto describe = [](llvm::Error error) {
    return "the host: " + llvm::toString(std::move(error));
  };
  auto runner = createHostRunner("");
  if (!runner)
    return describe(runner.takeError());
  PassManager pm(module.getContext());
  (*runner)->buildPipeline(pm);
  if (failed(pm.run(*lowered)))
    return "the host's pipeline fails";
  llvm::Expected<Execution> execution = prepare(entry, given);
  if (!execution)
    return describe(execution.takeError());
  llvm::Error error = (*runner)->load(*lowered, given.entry);
  if (!error)
    error = (*runner)->begin(*execution);
  if (!error)
    error = (*runner)->run().takeError();
  if (!error)
    error = execution->checkMargins();
  if (error)
    return describe(std::move(error));
  expected = getResults(*execution);
  hostText = std::move(text);
  return "";
}

std::pair<Outcome, std::string> ProgramRunner::run(const ProgramCase &given) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  SmallVector<std::string> errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors.push_back(diagnostic.str());
    return success();
  });
  auto fail = [&](StringRef what) -> std::pair<Outcome, std::string> {
    // Nobody has written an op that passes make.
    bool isUsers =
        errors.size() == 1 &&
        !llvm::Regex("^'(nvvm|llvm|vector|memref|cf)\\.").match(errors.front());
    if (isUsers)
      return {Refused, errors.front()};
    return {Wrong, (what + " fails with " + Twine(errors.size()) + " errors" +
                    (errors.empty() ? "" : ": " + errors.front()))
                       .str()};
  };
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(given.text, "program"), llvm::SMLoc());
  auto module = parseModule(sources, &context);
  if (!module) {
    // A schedule may be one that cannot be written.
    if (errors.size() == 1 && StringRef(errors.front()).contains("to be from"))
      return fail("parsing");
    return {Wrong, "invalid: " + (errors.empty() ? "" : errors.front())};
  }
  FailureOr<EntryPoint> entry = analyzeEntryPoint(*module, given.entry);
  if (failed(entry))
    return {Wrong, "no entry: " + (errors.empty() ? "" : errors.front())};

  OwningOpRef<ModuleOp> lowered = module->clone();
  TilePipelineOptions options;
  options.chip = given.chip;
  PassManager pm(&context);
  buildAttnToGPUPipeline(pm, options);
  if (failed(pm.run(*lowered)))
    return fail("the pipeline");
  if (!errors.empty())
    return {Wrong, "an error without a failure: " + errors.front()};

  llvm::Expected<Execution> execution = prepare(*entry, given);
  if (!execution)
    return {Wrong, "no arguments: " + llvm::toString(execution.takeError())};
  SmallVector<SimulatorArgument> arguments = getSimulatorArguments(*execution);
  // Memory that a program leaves as it is is compared, too.
  for (SimulatorArgument &argument : arguments)
    argument.isOutput = false;
  SimulatorOptions simulator;
  simulator.returnsRefusals = true;
  simulator.seed = given.simulation;
  FailureOr<SimulatorResult> result = simulate(
      lowered->lookupSymbol<func::FuncOp>(given.entry), arguments, simulator);
  if (failed(result))
    return {Wrong, "the simulator: " + (errors.empty() ? "" : errors.front())};
  if (!result->failedCheck.empty())
    return {Refused, "at run time: " + result->failedCheck};
  if (llvm::Error error = execution->checkMargins())
    return {Wrong, llvm::toString(std::move(error))};
  bool isSimulated = result->refusal.empty();
  if (isSimulated) {
    std::string host = runHost(*module, *entry, given);
    if (!host.empty())
      return {Wrong, host + (errors.empty() ? "" : ": " + errors.front())};
    double tolerance = StringRef(given.text).contains("bf16") ? 4e-2 : 4e-3;
    std::string difference =
        findDifference(expected, getResults(*execution), tolerance);
    if (!difference.empty())
      return {Wrong, difference};
  }
  if (given.toPTX) {
    PassManager toPTX(&context);
    buildGPUToNVVMPipeline(toPTX, options);
    buildNVVMToPTXPipeline(toPTX);
    if (failed(toPTX.run(*lowered)))
      return fail("the pipeline to PTX");
  }
  return {isSimulated ? Agreed : NotRun, result->refusal};
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static constexpr StringRef kCommand = "// attn-fuzz programs:";

static std::string getFindingText(const ProgramCase &given) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kCommand << " entry " << given.entry << " chip " << given.chip
     << " arrays " << given.arrays << " simulation " << given.simulation
     << " ptx " << given.toPTX << " sizes";
  for (const std::vector<int64_t> &sizes : given.sizes) {
    os << " -";
    llvm::interleave(sizes, os, "x");
  }
  os << "\n" << given.text;
  return text;
}

static ProgramCase readFinding(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer || !(*buffer)->getBuffer().starts_with(kCommand))
    llvm::report_fatal_error("expected a finding in '" + path + "'", false);
  auto [command, text] = (*buffer)->getBuffer().split('\n');
  ProgramCase given;
  given.text = text.str();
  SmallVector<StringRef> words;
  command.drop_front(kCommand.size()).split(words, ' ', -1, false);
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

/// A message without its numbers and types.
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
  std::vector<std::pair<KnownProgram, std::string>> files;
  for (const std::string &path : options.corpus)
    for (const KnownProgram &known : kKnownPrograms)
      if (llvm::sys::path::stem(path) == known.file)
        if (auto buffer = llvm::MemoryBuffer::getFile(path))
          files.emplace_back(known, (*buffer)->getBuffer().str());
  if (options.print) {
    llvm::outs() << getFindingText(draw(options, options.first, files));
    return 0;
  }

  Findings findings(options, "programs");
  // What is refused, a line each: children write it.
  std::string refusals = options.findings + "/programs-" +
                         std::to_string(options.seed) + ".refusals";
  ProgramRunner runner(registry);
  GuardedCases cases;
  cases.first = options.repeat ? 0 : options.first;
  cases.count = options.repeat ? options.corpus.size() : options.count;
  cases.seconds = options.seconds;
  cases.secondsPerCase = 60;
  cases.run = [&](uint64_t number) -> unsigned {
    ProgramCase given = options.repeat ? readFinding(options.corpus[number])
                                       : draw(options, number, files);
    findings.begin(getFindingText(given));
    auto [outcome, note] = runner.run(given);
    if (outcome == Wrong) {
      findings.report(number, note);
    } else if (!note.empty()) {
      std::error_code code;
      llvm::raw_fd_ostream file(refusals, code, llvm::sys::fs::OF_Append);
      if (!code)
        file << number << " " << kOutcomes[outcome] << ": " << getKind(note)
             << "\n";
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
    // How often, and the first case.
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
  return summarize(totals, numFindings + totals.outcomes[Wrong], kOutcomes);
}
