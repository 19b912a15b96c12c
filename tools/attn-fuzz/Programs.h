//===- Programs.h - What attn-fuzz programs runs -----------------*- C++ -*===//
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

/// A function on arrays with a program on tiles.
struct TileProgram {
  /// What stands for a schedule in the text.
  static constexpr llvm::StringLiteral kSchedule = "SCHEDULE";

  std::string entry, text;
  /// Of the arguments in order; those of a number are none.
  std::vector<std::vector<int64_t>> sizes;
  /// Of the programs' tiles.
  int64_t rows = 64, columns = 64;
  /// Whether rows of all arrays may begin at multiples of 16 bytes.
  bool isAligned = true;
  bool hasProducts = true;
};

/// A new program.
TileProgram drawProgram(mlir::attn::Dice &dice);

/// What is known of a program of test/Programs, to change its tiles.
struct KnownProgram {
  /// The file's name without an extension.
  llvm::StringLiteral name;
  /// Sizes of the arguments: a letter is one that is drawn, 'e' a multiple of
  /// 8, 'p' not 0, 'N' no less than the number of tiles of rows; '.' is between
  /// numbers, '-' an argument that is a number.
  llvm::StringLiteral sizes;
  /// Names of the types of tiles that have 64 rows.
  llvm::StringLiteral ofRows;
  int64_t columns;
};
struct ProgramFile {
  const KnownProgram *known;
  std::string text;
};

/// The files of which something is known.
std::vector<ProgramFile> readProgramFiles(llvm::ArrayRef<std::string> paths);
/// The file's program with tiles of another number of rows.
TileProgram drawTiles(const ProgramFile &file, mlir::attn::Dice &dice);

/// A program with a schedule, and what it runs on.
struct ProgramCase {
  std::string text, entry, chip;
  std::vector<std::vector<int64_t>> sizes;
  /// Seeds of the arrays and of the simulation.
  uint64_t arrays = 0, simulation = 0;
  bool toPTX = false;
};

enum ProgramOutcome : unsigned { Agreed, Refused, NotRun, Wrong };

/// Runs cases, and remembers what the host made of the last program.
class ProgramRunner {
public:
  explicit ProgramRunner(const mlir::DialectRegistry &registry)
      : registry(registry) {}
  /// With a note of what is wrong, or of why nothing was run.
  std::pair<ProgramOutcome, std::string> run(const ProgramCase &given);

private:
  std::string runHost(mlir::ModuleOp module,
                      const mlir::attn::EntryPoint &entry,
                      const ProgramCase &given);

  const mlir::DialectRegistry &registry;
  std::string hostText;
  /// Elements of each array.
  std::vector<std::vector<double>> expected;
};

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_PROGRAMS_H
