//===- Sweep.cpp - attnc sweep --------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws attention problems, compiles and runs each on arrays with margins of
// NaN, and applies the accuracy rule. A case depends on the seed and its number
// alone, so one command repeats a failure.
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Driver/Generate.h"
#include "attn/Driver/Runner.h"
#include "attn/Oracle/Accuracy.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include <random>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::sweepCommand("sweep",
                                   "Run random attention problems and check "
                                   "their results");

static cl::opt<uint64_t> seed("seed", cl::sub(sweepCommand), cl::init(1),
                              cl::desc("Seed of the problems (default 1)"));
static cl::opt<uint64_t>
    first("first", cl::sub(sweepCommand), cl::init(0),
          cl::desc("Number of the first problem (default 0)"));
static cl::opt<unsigned> count("count", cl::sub(sweepCommand), cl::init(10),
                               cl::desc("Number of problems (default 10)"));
static cl::opt<std::string> target("target", cl::sub(sweepCommand),
                                   cl::value_desc("host|cuda|simulate"),
                                   cl::init("host"),
                                   cl::desc("What runs the code (default "
                                            "host)"));
static cl::opt<std::string>
    cpu("cpu", cl::sub(sweepCommand), cl::value_desc("NAME"),
        cl::desc("CPU of the host target, as LLVM names it (default: this "
                 "machine's)"));
static cl::opt<std::string>
    chip("chip", cl::sub(sweepCommand), cl::value_desc("sm_..."),
         cl::desc("Chip of the cuda target (default: the GPU's own), or of the "
                  "simulate target (default: sm_90a)"));
static cl::opt<unsigned>
    repeat("repeat", cl::sub(sweepCommand), cl::value_desc("N"), cl::init(1),
           cl::desc("Run each problem N times more after the first, which must "
                    "give the same bits (default 1)"));
static cl::opt<bool> verbose("v", cl::sub(sweepCommand),
                             cl::desc("Print each problem and its figures"));

namespace {

/// A drawn problem.
struct Case {
  GenerateOptions generate;
  ExecutionOptions execute;
  std::string scoreName = "none";
};

/// Draws from lists, the same way on every standard library.
class Dice {
public:
  Dice(uint64_t seed, uint64_t number)
      : engine(seed * 1000003 + number * 7919 + 17) {
    engine.discard(16);
  }
  uint64_t below(uint64_t bound) { return engine() % bound; }
  bool oneIn(uint64_t chances) { return below(chances) == 0; }
  template <typename T> T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

private:
  std::mt19937_64 engine;
};

} // namespace

/// Score regions that the generator's formulas do not cover.
static const std::pair<const char *, const char *> kScoreTexts[] = {
    {"captured-bias", R"(
  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index, %bias: f32):
    %0 = arith.index_cast %kv : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.mulf %1, %bias : f32
    %3 = arith.addf %s, %2 : f32
    attn.yield %3 : f32)"},
    {"block-diagonal", R"(
  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):
    %c24 = arith.constant 24 : index
    %0 = arith.divui %q, %c24 : index
    %1 = arith.divui %kv, %c24 : index
    %2 = arith.cmpi eq, %0, %1 : index
    %minf = arith.constant 0xFF800000 : f32
    %3 = arith.select %2, %s, %minf : f32
    attn.yield %3 : f32)"},
    {"head-dependent", R"(
  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):
    %0 = arith.addi %b, %h : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %half = arith.constant 0.5 : f32
    %3 = arith.mulf %2, %half : f32
    %4 = math.sin %s : f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.maximumf %5, %s : f32
    attn.yield %6 : f32)"}};

static void drawScore(Dice &dice, Case &drawn) {
  switch (dice.below(10)) {
  case 0:
    drawn.generate.softCap = dice.pick({1.0, 30.0});
    drawn.scoreName = "softcap";
    return;
  case 1:
    drawn.generate.alibi = true;
    drawn.scoreName = "alibi";
    return;
  case 2:
  case 3: {
    const auto &[name, text] = kScoreTexts[dice.below(std::size(kScoreTexts))];
    drawn.generate.scoreText = text;
    drawn.scoreName = name;
    return;
  }
  default:
    return;
  }
}

static void drawMask(Dice &dice, GenerateOptions &generate) {
  generate.alignment = dice.pick({Alignment::TopLeft, Alignment::BottomRight});
  generate.causal = dice.oneIn(2);
  if (!dice.oneIn(3))
    return;
  auto bound = [&] { return dice.pick<int64_t>({0, 1, 7, 33, 64, 100, 1000}); };
  if (!dice.oneIn(4))
    generate.windowLeft = bound();
  if (!dice.oneIn(4))
    generate.windowRight = bound();
}

/// Strides that are multiples of nothing, with gaps between rows and heads.
static SmallVector<int64_t> drawStrides(Dice &dice, ArrayRef<int64_t> order,
                                        ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t next = 1;
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = next;
    // A dimension of one element may have any stride at all.
    if (dim != 3 && sizes[dim] == 1 && dice.oneIn(2))
      strides[dim] = dice.pick<int64_t>({0, 3, 1 << 20});
    next = next * std::max<int64_t>(sizes[dim], 1) + dice.below(9);
  }
  strides[3] = 1;
  return strides;
}

static Case draw(uint64_t number) {
  Dice dice(seed, number);
  Case drawn;
  GenerateOptions &generate = drawn.generate;
  generate.dtype = dice.pick({DType::F16, DType::BF16, DType::F32});
  auto length = [&] {
    return dice.pick<int64_t>({1,  2,  3,  7,  13,  15,  16,  17,  31,  61,
                               63, 64, 65, 97, 127, 128, 129, 191, 193, 257});
  };
  auto headDim = [&] {
    return dice.pick<int64_t>({1,   2,   7,   8,   15,  16, 17, 31,
                               32,  33,  64,  64,  65,  80, 96, 127,
                               128, 128, 129, 192, 255, 256});
  };
  generate.batch = 1 + dice.below(3);
  generate.kvHeads = 1 + dice.below(3);
  generate.queryHeads = generate.kvHeads * dice.pick<int64_t>({1, 1, 1, 2, 4});
  generate.queryLength = length();
  generate.kvLength = dice.oneIn(2) ? generate.queryLength : length();
  if (dice.oneIn(25))
    generate.kvLength = 0;
  generate.headDim = headDim();
  generate.valueHeadDim = dice.oneIn(3) ? headDim() : generate.headDim;
  generate.layout =
      dice.pick({GenerateOptions::Layout::BHSD, GenerateOptions::Layout::BSHD});
  generate.lse = dice.oneIn(2);
  if (dice.oneIn(4))
    generate.scale = dice.pick({0.05, 1.0, -0.3});
  drawMask(dice, generate);
  drawScore(dice, drawn);

  if (generate.layout == GenerateOptions::Layout::BSHD)
    drawn.execute.layout = {0, 2, 1, 3};
  SmallVector<SmallVector<int64_t>> sizes = {
      {generate.batch, generate.queryHeads, generate.queryLength,
       generate.headDim},
      {generate.batch, generate.kvHeads, generate.kvLength, generate.headDim},
      {generate.batch, generate.kvHeads, generate.kvLength,
       generate.valueHeadDim},
      {generate.batch, generate.queryHeads, generate.queryLength,
       generate.valueHeadDim}};
  bool hasCapture = drawn.scoreName == "captured-bias";
  auto getPosition = [&](unsigned array) {
    return array < 3 ? array : array + hasCapture;
  };
  generate.dynamicStrides = dice.oneIn(2);
  if (generate.dynamicStrides)
    for (auto [i, size] : llvm::enumerate(sizes))
      drawn.execute.strides[getPosition(i)] =
          drawStrides(dice, drawn.execute.layout, size);
  for (auto [i, size] : llvm::enumerate(sizes))
    drawn.execute.shapes[getPosition(i)] = size;
  if (dice.oneIn(2))
    generate.batch = generate.queryHeads = generate.kvHeads = kDynamicSize;
  if (dice.oneIn(2))
    generate.queryLength = generate.kvLength = kDynamicSize;

  // Large inputs make rows with a single probability, and running maxima that
  // move.
  double inputScale = dice.pick({1.0, 1.0, 1.0, 0.01, 30.0});
  for (uint64_t i = 0; i < 3; ++i)
    drawn.execute.arguments.push_back(
        RandomArgument{number, i < 2 ? inputScale : 1.0});
  if (hasCapture)
    drawn.execute.arguments.push_back(
        NumberArgument{"0.125", 0.125, std::nullopt});
  return drawn;
}

static void print(const Case &drawn, raw_ostream &os) {
  const GenerateOptions &generate = drawn.generate;
  os << getName(generate.dtype);
  for (const auto &[position, sizes] : drawn.execute.shapes)
    os << " "
       << llvm::join(
              llvm::map_range(
                  sizes, [](int64_t size) { return std::to_string(size); }),
              "x");
  os << (generate.layout == GenerateOptions::Layout::BSHD ? " bshd" : " bhsd")
     << (generate.dynamicStrides ? " gaps" : "")
     << (generate.batch == kDynamicSize ? " dynamic-heads" : "")
     << (generate.queryLength == kDynamicSize ? " dynamic-lengths" : "") << " "
     << stringifyAlignment(generate.alignment)
     << (generate.causal ? " causal" : "");
  if (generate.windowLeft)
    os << " left=" << *generate.windowLeft;
  if (generate.windowRight)
    os << " right=" << *generate.windowRight;
  os << " score=" << drawn.scoreName << (generate.lse ? " lse" : "");
  if (generate.scale)
    os << " scale=" << *generate.scale;
}

/// The bytes of all results, for comparison between runs.
static std::vector<double> getResults(const Execution &execution) {
  std::vector<double> results;
  for (unsigned position : execution.getOutputs()) {
    const ArrayView &array = execution.getArray(position);
    IndexWalk walk(array.sizes, array.strides);
    for (int64_t i = 0, e = array.getNumElements(); i < e; ++i, walk.advance())
      results.push_back(loadElement(array.data, array.dtype, walk.getOffset()));
  }
  return results;
}

static bool areSame(ArrayRef<double> lhs, ArrayRef<double> rhs) {
  return lhs.size() == rhs.size() &&
         std::memcmp(lhs.data(), rhs.data(), lhs.size() * sizeof(double)) == 0;
}

static llvm::Error runCase(const Case &drawn, const DialectRegistry &registry,
                           Runner &runner, AccuracyReport &report) {
  llvm::Expected<std::string> text = generateModule(drawn.generate);
  if (!text)
    return text.takeError();
  auto fail = [&](const Twine &what) {
    return llvm::createStringError(what + " of this module failed:\n" + *text);
  };
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(*text, &context);
  if (!module)
    return fail("parsing");
  FailureOr<EntryPoint> entry = analyzeEntryPoint(*module, "main");
  if (failed(entry))
    return fail("analysis");
  llvm::Expected<Execution> execution =
      Execution::prepare(*entry, drawn.execute);
  if (!execution)
    return execution.takeError();

  OwningOpRef<ModuleOp> lowered = module->clone();
  PassManager pm(&context);
  runner.buildPipeline(pm);
  if (failed(pm.run(*lowered)))
    return fail("lowering");
  if (llvm::Error error = runner.load(*lowered, "main"))
    return error;

  auto runOnce = [&]() -> llvm::Error {
    if (llvm::Error error = runner.begin(*execution))
      return error;
    if (auto seconds = runner.run(); !seconds)
      return seconds.takeError();
    return runner.end();
  };
  if (llvm::Error error = runOnce())
    return error;
  if (llvm::Error error = execution->checkMargins())
    return error;
  const AttentionBinding &binding = entry->attentions.front();
  auto problem = buildProblem(binding.op, execution->getBindings());
  if (failed(problem))
    return fail("the oracle's reading");
  report = checkAccuracy(
      (*problem)->problem, execution->getArray(binding.output),
      binding.lse < 0 ? nullptr : &execution->getArray(binding.lse));
  if (!report.passed)
    return llvm::createStringError("the accuracy rule does not hold");

  std::vector<double> results = getResults(*execution);
  for (unsigned i = 0; i < repeat; ++i) {
    execution->poisonOutputs();
    if (llvm::Error error = runOnce())
      return error;
    if (!areSame(results, getResults(*execution)))
      return llvm::createStringError("runs differ");
  }
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<Runner>> createRunner() {
  if (target == "host")
    return createHostRunner(cpu);
  if (target == "simulate") {
    SimulatingRunnerOptions options;
    if (!chip.empty())
      options.chip = chip;
    options.seed = seed;
    return createSimulatingRunner(options);
  }
  if (target != "cuda")
    return llvm::createStringError("expected target host, cuda or simulate, "
                                   "found '" +
                                   target + "'");
  CudaRunnerOptions options;
  options.chip = chip;
  return createCudaRunner(options);
}

int attnc::runSweep() {
  auto runner = createRunner();
  if (!runner)
    return reportError(runner.takeError());
  DialectRegistry registry;
  registerDialects(registry);
  unsigned numFailed = 0;
  for (unsigned i = 0; i < count; ++i) {
    uint64_t number = first + i;
    Case drawn = draw(number);
    AccuracyReport report;
    llvm::Error error = runCase(drawn, registry, **runner, report);
    bool hasFailed = static_cast<bool>(error);
    numFailed += hasFailed;
    if (hasFailed || verbose) {
      llvm::outs() << (hasFailed ? "FAIL " : "pass ") << number << ": ";
      print(drawn, llvm::outs());
      llvm::outs() << "\n";
      if (report.errorLimit != 0)
        report.print(llvm::outs());
    }
    if (hasFailed)
      llvm::outs() << llvm::toString(std::move(error))
                   << "\nrepeat with: attnc sweep -v --seed " << seed
                   << " --first " << number << " --count 1"
                   << " --target " << target
                   << (cpu.empty() ? "" : " --cpu " + cpu)
                   << (chip.empty() ? "" : " --chip " + chip) << "\n";
  }
  llvm::outs() << count - numFailed << " of " << count
               << " configurations passed\n";
  return numFailed != 0;
}
