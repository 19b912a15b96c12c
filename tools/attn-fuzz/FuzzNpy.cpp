//===- FuzzNpy.cpp - attn-fuzz npy ----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reads mutated NumPy files as arrays of any element type. If reading succeeds,
// writes the array again and compares.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "attn/Support/Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace attn_fuzz;
using namespace mlir::attn;
using llvm::StringRef;

namespace {
enum NpyOutcome : unsigned { NpyRead, NpyRefused, NpyWrong };
constexpr const char *kNpyOutcomes[] = {"read", "refused", "wrong"};
} // namespace

static std::string drawShape(Dice &dice, int64_t &count) {
  std::string text = "(";
  count = 1;
  uint64_t rank = dice.below(5);
  for (uint64_t i = 0; i < rank; ++i) {
    int64_t size = dice.oneIn(6) ? pickEdge(dice) : dice.below(6);
    text += (i ? " " : "") + std::to_string(size) +
            (i + 1 < rank || rank == 1 ? "," : "");
    count = uint64_t(count) * uint64_t(size);
  }
  return text + ")";
}

static StringRef getDescriptor(DType dtype, Dice &dice) {
  if (dice.oneIn(5))
    return dice.pick({"<f4", "<f2", "|b1", ">f4", "<f8", "f4", "", "<V"});
  switch (dtype) {
  case DType::F16:
    return "<f2";
  case DType::BF16:
    return dice.pick({"|V2", "<V2", "<u2"});
  case DType::F32:
    return "<f4";
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return dice.pick({"|u1", "|V1"});
  case DType::I1:
    return "|b1";
  case DType::I4:
    return dice.pick({"|u1", "|i1"});
  case DType::I8:
    return "|i1";
  case DType::I16:
    return "<i2";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  }
  return "";
}

/// Returns the bytes of a NumPy file that is valid or nearly valid.
static std::string drawFile(DType dtype, Dice &dice) {
  int64_t count;
  std::string shape = drawShape(dice, count);
  std::string header = "{'descr': '" + getDescriptor(dtype, dice).str() +
                       "', 'fortran_order': " + dice.pick({"True", "False"}) +
                       ", 'shape': " + shape + ", }";
  header.resize(header.size() + dice.below(64), ' ');
  header += "\n";
  std::string file = "\x93NUMPY";
  char major = dice.oneIn(10) ? char(dice.below(5)) : 1;
  file += major;
  file += char(dice.oneIn(30));
  uint32_t length = header.size();
  if (dice.oneIn(15))
    length = uint32_t(pickEdge(dice));
  for (int i = 0, e = major == 1 ? 2 : 4; i < e; ++i)
    file += char(length >> 8 * i);
  file += header;
  if (count >= 0 && count < 4096)
    file.append(count * getByteSize(dtype), '\x3c');
  return file;
}

static void mutateBytes(std::string &file, Dice &dice) {
  auto at = [&] { return dice.below(file.size() + 1); };
  // In two of three cases, the changed byte is one of the first 100, which are
  // mostly the header.
  size_t place =
      dice.oneIn(3) ? at() : dice.below(std::min<size_t>(file.size(), 100) + 1);
  switch (dice.below(6)) {
  case 0:
    file.resize(place);
    return;
  case 1:
    file.insert(place, 1, char(dice.below(256)));
    return;
  case 2:
    file.append(dice.below(20), '\0');
    return;
  case 3:
    file.insert(place, file.substr(at(), dice.below(12)));
    return;
  case 4:
    file.erase(place, 1 + dice.below(8));
    return;
  default:
    if (place < file.size())
      file[place] = char(dice.below(256));
  }
}

static std::string drawMutant(const Options &options, uint64_t number,
                              DType &dtype) {
  Dice dice(options.seed ^ 0x1234, number);
  dtype = dice.pick({DType::F16, DType::BF16, DType::F32, DType::I1, DType::I8,
                     DType::I16, DType::I32, DType::I64, DType::F8E4M3FN,
                     DType::F8E5M2, DType::I4});
  std::string file = drawFile(dtype, dice);
  if (!dice.oneIn(3))
    for (uint64_t i = 0, e = 1 + dice.below(3); i < e; ++i)
      mutateBytes(file, dice);
  return file;
}

static bool write(StringRef path, StringRef contents) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code)
    os << contents;
  os.close();
  return !code && !os.error();
}

/// Reads the file as an array of type `dtype`. Returns NpyRead if the array
/// stays the same when it is written and read again, NpyRefused if the file is
/// rejected with a message, and otherwise NpyWrong.
static NpyOutcome readAndWrite(const std::string &path, DType dtype) {
  llvm::Expected<NpyArray> array = readNpy(path, dtype);
  if (!array) {
    std::string message = llvm::toString(array.takeError());
    return message.empty() ? NpyWrong : NpyRefused;
  }
  std::string again = path + ".again";
  if (llvm::Error error = writeNpy(again, array->view())) {
    llvm::consumeError(std::move(error));
    return NpyWrong;
  }
  llvm::Expected<NpyArray> other = readNpy(again, dtype);
  if (!other) {
    llvm::consumeError(other.takeError());
    return NpyWrong;
  }
  const ArrayView &one = array->view(), &two = other->view();
  size_t bytes = getNumBytes(dtype, one.getNumElements());
  bool isSame = one.sizes == two.sizes &&
                (bytes == 0 || std::memcmp(one.data, two.data, bytes) == 0);
  return isSame ? NpyRead : NpyWrong;
}

int attn_fuzz::fuzzNpy(const Options &options) {
  std::string current =
      options.findings + "/npy-" + std::to_string(options.seed) + ".current";
  auto report = [&](uint64_t number, StringRef how) {
    std::string path = options.findings + "/npy-" +
                       std::to_string(options.seed) + "-" +
                       std::to_string(number) + ".npy";
    llvm::outs() << "FAIL " << number << ": " << how
                 << "\nrepeat with: attn-fuzz npy --seed " << options.seed
                 << " --first " << number << " --count 1\n";
    if (!llvm::sys::fs::rename(current, path))
      llvm::outs() << "the file is " << path << "\n";
    llvm::outs().flush();
  };
  DType dtype;
  if (options.print) {
    llvm::outs() << drawMutant(options, options.first, dtype);
    return 0;
  }
  GuardedCases cases;
  cases.first = options.first;
  cases.count = options.count;
  cases.seconds = options.seconds;
  cases.batch = 5000;
  cases.run = [&](uint64_t number) -> unsigned {
    DType dtype;
    std::string file = drawMutant(options, number, dtype);
    NpyOutcome outcome = NpyWrong;
    if (write(current, file))
      outcome = readAndWrite(current, dtype);
    if (outcome == NpyWrong)
      report(number, "not the same after it was written");
    return outcome;
  };
  cases.onDeath = report;
  GuardedTotals totals = runGuarded(cases);
  llvm::sys::fs::remove(current);
  llvm::sys::fs::remove(current + ".again");
  return summarize(totals, totals.numDied + totals.outcomes[NpyWrong],
                   kNpyOutcomes);
}
