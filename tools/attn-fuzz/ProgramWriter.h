//===- ProgramWriter.h - The text of a random program ------------*- C++ -*===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNFUZZ_PROGRAMWRITER_H
#define ATTN_TOOLS_ATTNFUZZ_PROGRAMWRITER_H

#include "Programs.h"

namespace attn_fuzz {

using String = std::string;
using llvm::Twine;

/// Draws a random tile program and writes its text, op by op.
class ProgramWriter {
public:
  explicit ProgramWriter(mlir::attn::Dice &dice) : dice(dice) {}
  TileProgram write();

private:
  /// The shapes of tiles: RowVector has a number for each row, ColumnVector one
  /// for each column. Scores are rows x columns, and Output is rows x head dim.
  enum Shape { RowVector, ColumnVector, Scores, Output };

  String tensor(llvm::ArrayRef<int64_t> sizes, const Twine &element);
  String getType(Shape shape, const Twine &element = "f32");
  int64_t drawSize(int64_t tile);
  String addArray(llvm::ArrayRef<int64_t> sizes, const Twine &element);
  String define(const Twine &op);
  String constant(Shape shape, const Twine &value);
  String load(const Twine &array, const Twine &indices, const Twine &type);
  String loadBlock(const String &array, const String &ofArray);
  void store(const Twine &tile, const Twine &type, const Twine &array,
             const Twine &indices, bool adds = false);
  String broadcast(const String &vector, Shape from, Shape to,
                   const Twine &element = "f32");
  String extend(const String &tile, Shape shape);
  String widen(const String &tile, llvm::ArrayRef<int64_t> sizes);
  String round(const String &tile, const String &from, const String &to);
  String drawLeaf(Shape shape);
  String drawTile(Shape shape, int depth);
  String coordinate(bool ofColumns, Shape shape, const Twine &element);
  String splatNumber(const String &index, Shape shape, const Twine &element);
  String drawCondition();
  String mask(const String &tile, const Twine &value, const String &condition);
  String maskIfPartial(const String &tile, const Twine &value);
  String addApart(String accumulator, const String &value);
  void writeDomain();
  void writeLoop();
  void writeRowsAlone();

  mlir::attn::Dice &dice;
  String body;
  unsigned numValues = 0;
  TileProgram program;
  std::vector<String> parameters, types;
  /// The element types: `element` is that of values, outputs and other arrays.
  /// `operand` is that of queries and keys, which is the same type or one of 8
  /// bits.
  String element, operand;
  int64_t rows, columns, dim, numHeads, numRows, numColumns;
  bool isTransposed, isStatic, isPlain, hasHeads;
  /// Whether some products are `apart`, so that a multiplier may compute them.
  bool hasApart = false;
  bool inLoop = false, isRowwise = false;
  /// The kind of the program's domain, which says which columns each row needs.
  enum { All, Causal, Window, Later, Listed } domain;
  int64_t width = 0;
  /// The index of the head in accesses to arrays, as text: "%h, " if arrays
  /// have a dimension of heads, else "".
  String head;
  String queries, keys, values, tile;
};

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_PROGRAMWRITER_H
