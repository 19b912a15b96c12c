//===- DrawTiles.cpp - Random tiles of a program -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

using namespace attn_fuzz;

String ProgramWriter::tensor(llvm::ArrayRef<int64_t> sizes,
                             const Twine &element) {
  String text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element.str() + ">";
}

String ProgramWriter::getType(Shape shape, const Twine &element) {
  int64_t second = shape == Scores ? columns : dim;
  switch (shape) {
  case RowVector:
    return tensor({rows}, element);
  case ColumnVector:
    return tensor({columns}, element);
  default:
    return isTransposed ? tensor({second, rows}, element)
                        : tensor({rows, second}, element);
  }
}

/// Draws a size for a dimension with tiles of size `tile`: 0, a number near a
/// multiple of `tile`, or another number up to 97.
int64_t ProgramWriter::drawSize(int64_t tile) {
  return dice.pick<int64_t>({0, 1, 7, tile - 1, tile, tile + 1, 2 * tile,
                             2 * tile + 3, 3 * tile - 5, 61, 97});
}

/// Adds an argument for an array of these sizes and returns the argument's
/// name. If `isStatic`, the argument's type has static sizes, otherwise dynamic
/// ones. But a last dimension of size `dim`, the head dim, then stays static
/// unless tiles are transposed. Unless `isPlain`, the type's offset and strides
/// are dynamic, except the last stride, which is 1.
String ProgramWriter::addArray(llvm::ArrayRef<int64_t> sizes,
                               const Twine &element) {
  String name = "%a" + std::to_string(parameters.size());
  String type = "memref<", strides;
  for (size_t i = 0; i < sizes.size(); ++i) {
    bool isLast = i + 1 == sizes.size();
    // The head dim is static even if other sizes are dynamic, unless tiles are
    // transposed.
    bool isKnown = isStatic || (isLast && sizes[i] == dim && !isTransposed);
    type += (isKnown ? std::to_string(sizes[i]) : "?") + "x";
    strides += isLast ? "1" : "?, ";
  }
  type += element.str();
  if (!isPlain)
    type += ", strided<[" + strides + "], offset: ?>";
  String elementName = element.str();
  int64_t bytes = llvm::StringRef(elementName).starts_with("f8") ? 1
                  : llvm::StringRef(elementName).contains("16")  ? 2
                                                                 : 4;
  program.isAligned &= !isPlain || sizes.size() == 1 ||
                       (sizes.back() != 0 && sizes.back() * bytes % 16 == 0);
  parameters.push_back(name + ": " + type + ">");
  types.push_back(type + ">");
  program.sizes.emplace_back(sizes);
  return name;
}

String ProgramWriter::define(const Twine &op) {
  String name = "%v" + std::to_string(numValues++);
  body += name + " = " + op.str() + "\n";
  return name;
}

String ProgramWriter::constant(Shape shape, const Twine &value) {
  return define("arith.constant dense<" + value + "> : " + getType(shape));
}

/// Returns the number of the argument whose name is given, such as 3 for "%a3".
static size_t getNumber(llvm::StringRef array) {
  size_t number = 0;
  array.drop_front(2).getAsInteger(10, number);
  return number;
}

String ProgramWriter::load(const Twine &array, const Twine &indices,
                           const Twine &type) {
  return define("attn_tile.load " + array + "[" + indices + "]" +
                (dice.oneIn(4) ? " ahead" : "") + " : " +
                types[getNumber(array.str())] + " -> " + type);
}

/// Writes a load of a block of keys or values. One in eight of these loads
/// takes rows whose numbers a list in memory gives.
String ProgramWriter::loadBlock(const String &array, const String &ofArray) {
  String type = tensor({columns, dim}, ofArray);
  if (!dice.oneIn(8))
    return load(array, head + "%j, %c0", type);
  String list = addArray({drawSize(columns)}, "i32");
  return define("attn_tile.load " + array + "[" + head +
                dice.pick({"%c0", "%j"}) + ", %c0] rows " + list + "[%j] : " +
                types[getNumber(array)] + ", " + types.back() + " -> " + type);
}

void ProgramWriter::store(const Twine &tile, const Twine &type,
                          const Twine &array, const Twine &indices, bool adds) {
  body += ("attn_tile.store " + tile + ", " + array + "[" + indices + "]" +
           (!adds           ? ""
            : dice.oneIn(2) ? " add apart"
                            : " add") +
           " : " + type + ", " + types[getNumber(array.str())] + "\n")
              .str();
}

String ProgramWriter::broadcast(const String &vector, Shape from, Shape to,
                                const Twine &element) {
  int axis = (from == RowVector) != isTransposed ? 1 : 0;
  return define("attn_tile.broadcast " + vector + " along " + Twine(axis) +
                " : " + getType(from, element) + " -> " + getType(to, element));
}

String ProgramWriter::extend(const String &tile, Shape shape) {
  if (element == "f32")
    return tile;
  return define("arith.extf " + tile + " : " + getType(shape, element) +
                " to " + getType(shape));
}

/// Extends a tile of rows or keys to the element type of products, unless it
/// already has that type. Returns the name of the result.
String ProgramWriter::widen(const String &tile, llvm::ArrayRef<int64_t> sizes) {
  if (operand == element)
    return tile;
  return define("arith.extf " + tile + " : " + tensor(sizes, operand) + " to " +
                tensor(sizes, element));
}

String ProgramWriter::round(const String &tile, const String &from,
                            const String &to) {
  return from == to
             ? tile
             : define("arith.truncf " + tile + " : " + from + " to " + to);
}

String ProgramWriter::coordinate(bool ofColumns, Shape shape,
                                 const Twine &element) {
  bool isVector = shape == RowVector || shape == ColumnVector;
  int axis = isVector ? 0 : ofColumns != isTransposed;
  return define("attn_tile.coordinate along " + Twine(axis) + " : " +
                getType(shape, element));
}

String ProgramWriter::splatNumber(const String &index, Shape shape,
                                  const Twine &element) {
  String number = index;
  if (element.str() != "index")
    number = define("arith.index_cast " + index + " : index to " + element);
  return define("tensor.splat " + number + " : " + getType(shape, element));
}

String ProgramWriter::drawLeaf(Shape shape) {
  String f32 = getType(shape);
  bool hasRows = shape != ColumnVector, hasColumns = shape != RowVector;
  hasColumns &= shape != Output;
  switch (dice.below(shape == RowVector || shape == ColumnVector ? 4 : 7)) {
  case 0:
    return constant(shape, dice.pick({"0.5", "-1.25", "2.0"}));
  case 1: {
    // The leaf is the position of the row or column, divided by 32.
    String words = coordinate(/*ofColumns=*/!hasRows, shape, "i32");
    String number = define("arith.sitofp " + words + " : " +
                           getType(shape, "i32") + " to " + f32);
    return define("arith.mulf " + number + ", " + constant(shape, "0.03125") +
                  " : " + f32);
  }
  case 2: {
    // The leaf is an element of an array, which `gather` reads at the position
    // of the row (or column). In half of the tiles of scores, it reads at the
    // row minus the column instead, which may be negative.
    String at = splatNumber(hasRows ? "%i" : "%j", shape, "index");
    at = define("arith.addi " + at + ", " +
                coordinate(!hasRows, shape, "index") + " : " +
                getType(shape, "index"));
    if (hasRows && hasColumns && dice.oneIn(2)) {
      String column = define("arith.addi " + splatNumber("%j", shape, "index") +
                             ", " + coordinate(true, shape, "index") + " : " +
                             getType(shape, "index"));
      at = define("arith.subi " + at + ", " + column + " : " +
                  getType(shape, "index"));
    }
    String table = addArray({numHeads, numRows}, "f32");
    return define("attn_tile.gather " + table + "[" +
                  (hasHeads ? "%h" : "%c0") + ", " + at + "] : (" +
                  types.back() + ", index, " + getType(shape, "index") +
                  ") -> " + f32);
  }
  case 3:
    if (!hasRows || !hasColumns) {
      int64_t count = hasRows ? numRows : numColumns;
      if (shape == Output) {
        String kind = dice.oneIn(2) ? String("f32") : element;
        llvm::SmallVector<int64_t> sizes = {count, dim};
        if (isTransposed)
          std::swap(sizes[0], sizes[1]);
        String array = addArray(sizes, kind);
        String loaded = load(array, isTransposed ? "%c0, %i" : "%i, %c0",
                             getType(shape, kind));
        return kind == "f32" ? loaded : extend(loaded, shape);
      }
      String array = addArray({count}, "f32");
      return load(array, hasRows ? "%i" : "%j", f32);
    }
    [[fallthrough]];
  case 4: {
    if (!hasRows || !hasColumns)
      return broadcast(drawTile(RowVector, 1), RowVector, shape);
    String kind = dice.oneIn(2) ? String("f32") : element;
    llvm::SmallVector<int64_t> sizes = {numRows, numColumns};
    if (isTransposed)
      std::swap(sizes[0], sizes[1]);
    String array = addArray(sizes, kind);
    String loaded =
        load(array, isTransposed ? "%j, %i" : "%i, %j", getType(shape, kind));
    return kind == "f32" ? loaded : extend(loaded, shape);
  }
  case 5: {
    bool ofRows = !hasColumns || dice.oneIn(2);
    Shape from = ofRows ? RowVector : ColumnVector;
    return broadcast(drawTile(from, 1), from, shape);
  }
  default: {
    if (!hasRows || !hasColumns || isRowwise)
      return constant(shape, "0.75");
    // The leaf is a small number: the product of the tile of rows and a block
    // of keys, scaled down.
    String key = loadBlock(keys, operand);
    String query = tile, type = operand;
    if (operand != element && dice.oneIn(2)) {
      key = widen(key, {columns, dim});
      query = widen(tile, {rows, dim});
      type = element;
    }
    String zero = constant(shape, "0.0"), product;
    String row = tensor({rows, dim}, type),
           column = tensor({columns, dim}, type);
    if (isTransposed)
      product = define("attn_tile.dot " + key + ", " + query + ", " + zero +
                       " transpose_rhs : " + column + ", " + row + ", " + f32);
    else
      product = define("attn_tile.dot " + query + ", " + key + ", " + zero +
                       " transpose_rhs : " + row + ", " + column + ", " + f32);
    return define("arith.mulf " + product + ", " + constant(shape, "0.125") +
                  " : " + f32);
  }
  }
}

String ProgramWriter::drawTile(Shape shape, int depth) {
  if (depth == 0)
    return drawLeaf(shape);
  String f32 = getType(shape);
  auto binary = [&](const Twine &op, const String &lhs, const String &rhs) {
    return define(op + " " + lhs + ", " + rhs + " : " + f32);
  };
  auto unary = [&](const Twine &op, const String &operand) {
    return define(op + " " + operand + " : " + f32);
  };
  String lhs = drawTile(shape, depth - 1);
  switch (dice.below(9)) {
  case 0:
    return unary("math.tanh", lhs);
  case 1:
    return unary("arith.negf", lhs);
  case 2:
    // The exponential of -|x| is at most 1, so results stay small.
    return unary("math.exp", unary("arith.negf", unary("math.absf", lhs)));
  case 3:
    return binary("arith.subf", lhs, drawTile(shape, depth - 1));
  case 4:
    return binary("arith.mulf", unary("math.tanh", lhs),
                  drawTile(shape, depth - 1));
  case 5:
    return binary("arith.maxnumf", lhs, drawTile(shape, depth - 1));
  case 6:
    if (shape == Scores && inLoop)
      return mask(lhs, "0.25", drawCondition());
    return binary("arith.minnumf", lhs, drawTile(shape, depth - 1));
  default:
    return binary("arith.addf", lhs, drawTile(shape, depth - 1));
  }
}

/// Writes a condition that is true for exactly the pairs that the domain
/// contains, and returns its name.
String ProgramWriter::drawCondition() {
  String kind = dice.pick({"i32", "index"});
  String words = getType(Scores, kind);
  auto add = [&](const String &lhs, const String &rhs) {
    return define("arith.addi " + lhs + ", " + rhs + " : " + words);
  };
  auto compare = [&](const Twine &how, const String &lhs, const String &rhs) {
    return define("arith.cmpi " + how + ", " + lhs + ", " + rhs + " : " +
                  words);
  };
  String column = add(splatNumber("%j", Scores, kind),
                      coordinate(/*ofColumns=*/true, Scores, kind));
  String inside = compare("slt", column, splatNumber("%nk", Scores, kind));
  if (domain == All || domain == Listed)
    return inside;
  String row;
  if (dice.oneIn(2)) {
    row = define("arith.addi " + splatNumber("%i", RowVector, kind) + ", " +
                 coordinate(false, RowVector, kind) + " : " +
                 getType(RowVector, kind));
    row = broadcast(row, RowVector, Scores, kind);
  } else {
    row = add(splatNumber("%i", Scores, kind),
              coordinate(/*ofColumns=*/false, Scores, kind));
  }
  auto both = [&](const String &lhs, const String &rhs) {
    return define("arith.andi " + lhs + ", " + rhs + " : " +
                  getType(Scores, "i1"));
  };
  if (domain == Later)
    return both(
        inside,
        compare("sge", add(column, splatNumber("%w", Scores, kind)), row));
  String sees = both(inside, compare("sle", column, row));
  if (domain == Causal)
    return sees;
  return both(
      sees, compare("sge", add(column, splatNumber("%w", Scores, kind)), row));
}

String ProgramWriter::mask(const String &tile, const Twine &value,
                           const String &condition) {
  return define("arith.select " + condition + ", " + tile + ", " +
                constant(Scores, value) + " : " + getType(Scores, "i1") + ", " +
                getType(Scores));
}

String ProgramWriter::maskIfPartial(const String &tile, const Twine &value) {
  if (dice.oneIn(3))
    return mask(tile, value, drawCondition());
  String type = getType(Scores);
  // The result gets its name before the ops in the regions of scf.if get
  // theirs, so that names ascend in the text.
  String name = "%v" + std::to_string(numValues++);
  body += name + " = scf.if %partial -> (" + type + ") {\n";
  String masked = mask(tile, value, drawCondition());
  body += "scf.yield " + masked + " : " + type + "\n} else {\nscf.yield " +
          tile + " : " + type + "\n}\n";
  return name;
}
