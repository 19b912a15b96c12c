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

/// The text of a module with a function `entry`, which contains a tile program
/// on arrays.
struct TileProgram {
  /// The text in `text` that a case replaces by a schedule.
  static constexpr llvm::StringLiteral kSchedule = "SCHEDULE";

  std::string entry, text;
  /// The sizes of each argument of the function; empty for a scalar.
  std::vector<std::vector<int64_t>> sizes;
  /// The numbers of rows and columns of the program's tiles.
  int64_t rows = 64, columns = 64;
  /// Whether rows of all arrays can begin at multiples of 16 bytes, as cp.async
  /// and TMA require: in an array without dynamic strides, the bytes of a row
  /// must be a multiple of 16.
  bool isAligned = true;
  bool hasProducts = true;
  /// The names of the multipliers that the attribute `apart` of the program's
  /// products name.
  std::vector<std::string> multipliers;
};

/// Draws a random tile program.
TileProgram drawProgram(mlir::attn::Dice &dice);

/// The facts about a file of test/Programs that are needed to change the sizes
/// of its arrays and tiles.
struct KnownProgram {
  /// The file's name without its extension.
  llvm::StringLiteral name;
  /// The sizes of the arguments as text: '.' separates sizes, and '-' stands
  /// for a scalar argument. A letter is a size that is drawn: 'e' is a multiple
  /// of 8, 'p' is not 0, and 'N' is at least the number of tiles of rows.
  llvm::StringLiteral sizes;
  /// The names of the file's aliases of tile types with 64 rows, separated by
  /// '|'.
  llvm::StringLiteral ofRows;
  int64_t columns;
};
struct ProgramFile {
  const KnownProgram *known;
  std::string text;
};

/// Returns those of the files of test/Programs that the table of known programs
/// lists.
std::vector<ProgramFile> readProgramFiles(llvm::ArrayRef<std::string> paths);
/// Returns the file's program, with tiles of a number of rows that is drawn.
TileProgram drawTiles(const ProgramFile &file, mlir::attn::Dice &dice);

/// A case to test: a program with its schedule, the sizes of its arrays, and
/// the chip to compile for.
struct ProgramCase {
  std::string text, entry, chip;
  std::vector<std::vector<int64_t>> sizes;
  /// The random seeds for the elements of arrays, and for the order in which
  /// the simulator runs agents.
  uint64_t arrays = 0, simulation = 0;
  bool toPTX = false;
};

enum ProgramOutcome : unsigned { Agreed, Refused, NotRun, Wrong };

/// Runs cases on the host and in the simulator. Stores the host's results of
/// the last program, since they do not depend on the schedule and are compared
/// with all of the program's cases.
class ProgramRunner {
public:
  explicit ProgramRunner(const mlir::DialectRegistry &registry)
      : registry(registry) {}
  /// Runs a case on the host and in the simulator. Returns the outcome, with a
  /// message if results are wrong, the case is refused, or nothing was run.
  std::pair<ProgramOutcome, std::string> run(const ProgramCase &given);

private:
  std::string runHost(mlir::ModuleOp module,
                      const mlir::attn::EntryPoint &entry,
                      const ProgramCase &given);

  const mlir::DialectRegistry &registry;
  std::string hostText;
  /// The elements of each array after the host has run the program.
  std::vector<std::vector<double>> expected;
};

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_PROGRAMS_H
