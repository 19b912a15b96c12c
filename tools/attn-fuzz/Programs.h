//===- Programs.h - Cases of attn-fuzz programs -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNFUZZ_PROGRAMS_H
#define ATTN_TOOLS_ATTNFUZZ_PROGRAMS_H

#include "attn/Driver/EntryPoint.h"
#include "attn/Support/Dice.h"

#include "mlir/IR/DialectRegistry.h"

#include <string>
#include <vector>

namespace attn_fuzz {

/// A function on arrays with a tile program.
struct TileProgram {
  /// The placeholder for a schedule in the text.
  static constexpr llvm::StringLiteral kSchedule = "SCHEDULE";

  std::string entry, text;
  /// The sizes of each argument; none for a number.
  std::vector<std::vector<int64_t>> sizes;
  /// The sizes of the program's tiles.
  int64_t rows = 64, columns = 64;
  /// Whether rows of all arrays may begin at multiples of 16 bytes.
  bool isAligned = true;
  bool hasProducts = true;
  /// The roles that products name which other warps may compute.
  std::vector<std::string> multipliers;
};

/// Draws a random program.
TileProgram drawProgram(mlir::attn::Dice &dice);

/// The properties of a program of test/Programs that are needed to change the
/// sizes of its tiles.
struct KnownProgram {
  /// The file's name without its extension.
  llvm::StringLiteral name;
  /// The sizes of the arguments. A letter is a size that is drawn: 'e' is a
  /// multiple of 8, 'p' is not 0, 'N' is at least the number of tiles of rows.
  /// '.' separates numbers, and '-' is an argument that is a number.
  llvm::StringLiteral sizes;
  /// The names of type aliases of tiles with 64 rows, separated by '|'.
  llvm::StringLiteral ofRows;
  int64_t columns;
};
struct ProgramFile {
  const KnownProgram *known;
  std::string text;
};

/// Returns the files whose properties are known.
std::vector<ProgramFile> readProgramFiles(llvm::ArrayRef<std::string> paths);
/// Returns the file's program with another number of rows in its tiles.
TileProgram drawTiles(const ProgramFile &file, mlir::attn::Dice &dice);

/// A program with a schedule, the sizes of its arrays, and its chip.
struct ProgramCase {
  std::string text, entry, chip;
  std::vector<std::vector<int64_t>> sizes;
  /// The seeds of the arrays' elements and of the simulation.
  uint64_t arrays = 0, simulation = 0;
  bool toPTX = false;
};

enum ProgramOutcome : unsigned { Agreed, Refused, NotRun, Wrong };

/// Runs cases, and keeps the host's results of the last program.
class ProgramRunner {
public:
  explicit ProgramRunner(const mlir::DialectRegistry &registry)
      : registry(registry) {}
  /// Returns the outcome, with a message if the results are wrong or nothing
  /// was run.
  std::pair<ProgramOutcome, std::string> run(const ProgramCase &given);

private:
  std::string runHost(mlir::ModuleOp module,
                      const mlir::attn::EntryPoint &entry,
                      const ProgramCase &given);

  const mlir::DialectRegistry &registry;
  std::string hostText;
  /// The host's elements of each array.
  std::vector<std::vector<double>> expected;
};

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_PROGRAMS_H
