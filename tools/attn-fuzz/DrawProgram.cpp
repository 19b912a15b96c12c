//===- DrawProgram.cpp - Random programs on tiles ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Draws random tile programs. A program has a tile of rows and loops over
// blocks of columns. For each block it computes a tile of scores, which it
// sums, multiplies or stores. The results hardly depend on how intermediate
// values are rounded: there are no comparisons of floats, and no large numbers.
//
// In a transposed program, columns run along the first axis of a tile.
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include "llvm/ADT/StringExtras.h"

using namespace attn_fuzz;
using mlir::attn::Dice;

void ProgramWriter::writeDomain() {
  String type = "!attn_tile.domain<" + std::to_string(columns) + ">";
  if (domain == Listed) {
    String blocks = addArray({8, 3}, "i32"), list = types.back();
    String kinds = addArray({8, 3}, "i32");
    String counts = addArray({8}, "i32");
    String own = "memref<?xi32, strided<[1], offset: ?>>";
    body += "%number = affine.apply affine_map<(i) -> ((i floordiv " +
            std::to_string(rows) + ") mod 8)>(%i)\n";
    body += "%count32 = memref.load " + counts + "[%number] : " + types.back() +
            "\n%count = arith.index_cast %count32 : i32 to "
            "index\n";
    for (auto [name, array] : {std::pair("%blocks", blocks), {"%kinds", kinds}})
      body += String(name) + " = memref.subview " + array +
              "[%number, 0] [1, %count] [1, 1] : " + list + " to " + own + "\n";
    body += "%domain = attn_tile.domain_list %blocks, %kinds count %count : " +
            own + ", " + own + " -> " + type + "\n";
    return;
  }
  body += "%end = affine.min affine_map<(i)[n] -> (i + " +
          std::to_string(rows) +
          ", n)>(%i)[%nq]\n%domain = attn_tile.domain rows %i to %end {\n"
          "^bb0(%first: index, %last: index):\n";
  String lo = "%c0", hi = "%nk", fullLo = "%c0", fullHi = "%nk";
  if (domain == Causal || domain == Window) {
    hi = define("affine.min affine_map<(l)[n] -> (l, n)>(%last)[%nk]");
    fullHi = define("affine.min affine_map<(f)[n] -> (f + 1, n)>(%first)[%nk]");
  }
  if (domain == Window || domain == Later) {
    lo = define("affine.max affine_map<(f)[w] -> (f - w, 0)>(%first)[%w]");
    fullLo =
        define("affine.max affine_map<(l)[w] -> (l - 1 - w, 0)>(%last)[%w]");
  }
  body += "attn_tile.domain_yield " + lo + " to " + hi + " full " + fullLo +
          " to " + fullHi + "\n} : " + type + "\n";
}

/// Adds products that multipliers compute to the accumulator, and returns the
/// sum. Each of one or two multipliers computes a product of rows and keys
/// (marked `apart`) and applies element-wise ops to it. The result is a tile
/// that consumers multiply with `value`. It is not masked, since `value` is
/// zero past the last key.
String ProgramWriter::addApart(String accumulator, const String &value) {
  String ofRows = tensor({rows, dim}, operand),
         ofKeys = tensor({columns, dim}, operand);
  String f32 = getType(Scores), low = getType(Scores, element);
  for (llvm::StringRef name : {"multiplier", "first role"}) {
    // A second multiplier is only drawn for tiles of up to 64 rows, since a CTA
    // has too few warps for two multipliers of 128 rows.
    if (!program.multipliers.empty() && (rows > 64 || dice.oneIn(2)))
      break;
    program.multipliers.push_back(name.str());
    String product = define(
        "attn_tile.dot " + tile + ", " + loadBlock(keys, operand) + ", " +
        constant(Scores, dice.pick({"0.0", "0.5"})) + " transpose_rhs apart" +
        (name == "multiplier" ? "" : " = \"" + name.str() + "\"") + " : " +
        ofRows + ", " + ofKeys + ", " + f32);
    for (int64_t i = dice.below(3); i >= 0; --i)
      product = define(
          Twine(dice.pick({"arith.mulf ", "arith.addf ", "arith.minnumf "})) +
          product + ", " + constant(Scores, dice.pick({"0.125", "-0.5"})) +
          " : " + f32);
    accumulator =
        define("attn_tile.dot " + round(product, f32, low) + ", " + value +
               ", " + accumulator + " : " + low + ", " +
               tensor({columns, dim}, element) + ", " + getType(Output));
  }
  return accumulator;
}

/// Writes a loop over blocks that carries a random choice of sums, maxima and
/// softmax states of scores, and stores of all of these after the loop.
void ProgramWriter::writeLoop() {
  writeDomain();
  bool hasSoftmax = !isTransposed && dice.oneIn(2);
  bool sumsOutput = hasSoftmax || dice.oneIn(2), maxes = dice.oneIn(4);
  bool sumsRows = dice.oneIn(3), sumsScores = dice.oneIn(6);
  bool storesScores = dice.oneIn(4), addsColumns = dice.oneIn(5);
  bool addsKeys = dice.oneIn(6);
  struct Carried {
    String name, type, init, next;
  };
  std::vector<Carried> all;
  auto carry = [&](bool isCarried, const Twine &name, const Twine &type,
                   const Twine &init) {
    if (isCarried)
      all.push_back({name.str(), type.str(), define(init), ""});
  };
  auto zeros = [&](Shape shape) {
    return "arith.constant dense<0.0> : " + getType(shape);
  };
  String state =
      "!attn_tile.softmax<" + std::to_string(rows) + ", factor = 0.5>";
  // The products of multipliers are not masked, so their sum depends on which
  // blocks are visited. Only with the domains All and Listed are these blocks
  // the same in all runs. With other domains, a warpgroup may visit blocks that
  // its rows do not need, so no such products are added.
  bool addsApart =
      sumsOutput && hasApart && (domain == All || domain == Listed);
  carry(sumsOutput, "%acc", getType(Output), zeros(Output));
  // The order of blocks is not defined. The softmax rescales %acc, whose result
  // is the same in any order only if each addend is a multiple of the softmax's
  // exponentials. Other addends are therefore added to %unscaled, which is not
  // rescaled.
  carry(addsApart && hasSoftmax, "%unscaled", getType(Output), zeros(Output));
  carry(hasSoftmax, "%state", state, "attn_tile.softmax_init : " + state);
  carry(maxes, "%max", getType(RowVector),
        "arith.constant dense<-1.0e30> : " + getType(RowVector));
  carry(sumsRows, "%sum", getType(RowVector), zeros(RowVector));
  carry(sumsScores, "%scores", getType(Scores), zeros(Scores));
  auto names = [&](auto get) {
    return llvm::join(llvm::map_range(all, get), ", ");
  };
  auto getTypeOf = [](const Carried &c) { return c.type; };
  String result;
  if (!all.empty()) {
    result = "%r" + std::to_string(numValues++);
    body += result + ":" + std::to_string(all.size()) + " = ";
  }
  body += "attn_tile.for_blocks (%j, %partial) of %domain";
  if (!all.empty())
    body += " iter_args(" +
            names([](const Carried &c) { return c.name + " = " + c.init; }) +
            ") -> (" + names(getTypeOf) + ")";
  body += " : !attn_tile.domain<" + std::to_string(columns) + "> {\n";
  inLoop = true;
  String score = drawTile(Scores, 1 + dice.below(3)), f32 = getType(Scores);
  String low = getType(Scores, element), product = score;
  auto setNext = [&](llvm::StringRef name, const String &next) {
    for (Carried &c : all)
      if (c.name == name)
        c.next = next;
  };
  String sumAxis = isTransposed ? "0" : "1",
         columnAxis = isTransposed ? "1" : "0";
  auto reduce = [&](const Twine &kind, const String &tile, const Twine &axis,
                    Shape shape) {
    return define("attn_tile.reduce " + kind + " " + tile + " along " + axis +
                  " : " + f32 + " -> " + getType(shape));
  };
  String accumulator = "%acc", zeroed = maskIfPartial(score, "0.0");
  if (hasSoftmax) {
    String masked = maskIfPartial(score, "0xFF800000");
    String name = "%s" + std::to_string(numValues++);
    body += name + ":3 = attn_tile.softmax_update " + masked +
            ", %state rescale(%acc) : (" + f32 + ", " + state + ", " +
            getType(Output) + ") -> (" + low + ", " + state + ", " +
            getType(Output) + ")\n";
    product = name + "#0";
    setNext("%state", name + "#1");
    accumulator = name + "#2";
  } else {
    product = round(zeroed, f32, low);
  }
  String column = tensor({columns, dim}, element), type = getType(Output);
  if (sumsOutput) {
    String value = loadBlock(values, element);
    if (addsApart && hasSoftmax)
      setNext("%unscaled", addApart("%unscaled", value));
    else if (addsApart)
      accumulator = addApart(accumulator, value);
    setNext("%acc", isTransposed ? define("attn_tile.dot " + value + ", " +
                                          product + ", " + accumulator +
                                          " transpose_lhs : " + column + ", " +
                                          low + ", " + type)
                                 : define("attn_tile.dot " + product + ", " +
                                          value + ", " + accumulator + " : " +
                                          low + ", " + column + ", " + type));
  }
  if (maxes)
    setNext("%max", define("arith.maxnumf %max, " +
                           reduce("maxnum", maskIfPartial(score, "-1.0e30"),
                                  sumAxis, RowVector) +
                           " : " + getType(RowVector)));
  if (sumsRows)
    setNext("%sum", define("arith.addf %sum, " +
                           reduce("add", zeroed, sumAxis, RowVector) + " : " +
                           getType(RowVector)));
  if (sumsScores)
    setNext("%scores", define("arith.addf %scores, " + zeroed + " : " + f32));
  if (storesScores) {
    llvm::SmallVector<int64_t> sizes = {numHeads, numRows, numColumns};
    if (isTransposed)
      std::swap(sizes[1], sizes[2]);
    String array = addArray(sizes, element);
    store(round(zeroed, f32, low), low, array,
          head.empty() ? (isTransposed ? "%c0, %j, %i" : "%c0, %i, %j")
                       : (isTransposed ? "%h, %j, %i" : "%h, %i, %j"));
  }
  // Elements of rows past the last query are set to zero, since the sums over
  // rows below would otherwise include them.
  if (addsColumns || addsKeys) {
    String row = define("arith.addi " + splatNumber("%i", Scores, "index") +
                        ", " + coordinate(false, Scores, "index") + " : " +
                        getType(Scores, "index"));
    zeroed = mask(zeroed, "0.0",
                  define("arith.cmpi slt, " + row + ", " +
                         splatNumber("%nq", Scores, "index") + " : " +
                         getType(Scores, "index")));
  }
  if (addsColumns) {
    String sum = reduce("add", zeroed, columnAxis, ColumnVector);
    store(sum, getType(ColumnVector), addArray({numColumns}, "f32"), "%j",
          /*adds=*/true);
  }
  if (addsKeys && !isTransposed) {
    String zero =
        define("arith.constant dense<0.0> : " + tensor({columns, dim}, "f32"));
    String sum =
        define("attn_tile.dot " + round(zeroed, f32, low) + ", " +
               widen(tile, {rows, dim}) + ", " + zero +
               " transpose_lhs : " + low + ", " + tensor({rows, dim}, element) +
               ", " + tensor({columns, dim}, "f32"));
    String ofKeys = tensor({columns, dim}, "f32");
    if (dice.oneIn(2)) {
      String factor =
          dice.oneIn(2)
              ? define("arith.constant dense<0.5> : " + ofKeys)
              : load(addArray({numColumns, dim}, "f32"), "%j, %c0", ofKeys);
      sum = define("arith.mulf " + sum + ", " + factor + " : " + ofKeys);
    }
    store(sum, ofKeys, addArray({numColumns, dim}, "f32"), "%j, %c0",
          /*adds=*/true);
  }
  inLoop = false;
  if (!all.empty())
    body += "attn_tile.yield " +
            names([](const Carried &c) { return c.next; }) + " : " +
            names(getTypeOf) + "\n";
  body += "}\n";

  // Stores the results of the loop. With a softmax, softmax_finish gives the
  // factor by which the accumulator is multiplied, and the lse.
  String inverse, h = head.empty() ? "%c0, " : head;
  for (auto [i, c] : llvm::enumerate(all))
    if (c.name == "%state") {
      String name = "%f" + std::to_string(numValues++);
      body += name + ":2 = attn_tile.softmax_finish " + result + "#" +
              std::to_string(i) + " : " + state + " -> " + getType(RowVector) +
              ", " + getType(RowVector) + "\n";
      inverse = name + "#0";
      store(name + "#1", getType(RowVector),
            addArray({numHeads, numRows}, "f32"), h + "%i");
    }
  for (auto [i, c] : llvm::enumerate(all)) {
    String value = result + "#" + std::to_string(i);
    if (c.name == "%acc" || c.name == "%unscaled") {
      if (c.name == "%acc" && !inverse.empty())
        value = define("arith.mulf " + value + ", " +
                       broadcast(inverse, RowVector, Output) + " : " + type);
      if (dice.oneIn(3))
        value = define("arith.addf " + value + ", " + drawTile(Output, 1) +
                       " : " + type);
      String to = getType(Output, element);
      llvm::SmallVector<int64_t> sizes = {numHeads, numRows, dim};
      if (isTransposed)
        std::swap(sizes[1], sizes[2]);
      String array = addArray(sizes, element);
      store(round(value, type, to), to, array,
            h + (isTransposed ? "%c0, %i" : "%i, %c0"));
    } else if (c.name == "%scores") {
      llvm::SmallVector<int64_t> sizes = {numHeads, numRows, columns};
      if (isTransposed)
        std::swap(sizes[1], sizes[2]);
      store(value, f32, addArray(sizes, "f32"),
            h + (isTransposed ? "%c0, %i" : "%i, %c0"));
    } else if (c.name != "%state") {
      store(value, c.type, addArray({numHeads, numRows}, "f32"), h + "%i");
    }
  }
}

/// Writes a program without a loop.
void ProgramWriter::writeRowsAlone() {
  isRowwise = true;
  String type = getType(Output);
  String result = drawTile(Output, 1 + dice.below(3));
  llvm::SmallVector<int64_t> sizes = {numHeads, numRows, dim};
  if (isTransposed)
    std::swap(sizes[1], sizes[2]);
  String h = head.empty() ? "%c0, " : head;
  store(result, type, addArray(sizes, "f32"),
        h + (isTransposed ? "%c0, %i" : "%i, %c0"));
  if (dice.oneIn(2)) {
    String axis = isTransposed ? "0" : "1";
    String sum = define(
        "attn_tile.reduce " + Twine(dice.pick({"add", "maxnum"})) + " " +
        result + " along " + axis + " : " + type + " -> " + getType(RowVector));
    store(sum, getType(RowVector), addArray({numHeads, numRows}, "f32"),
          h + "%i");
  }
}

TileProgram ProgramWriter::write() {
  element = operand = dice.pick({"f16", "bf16", "f32"});
  if (dice.oneIn(4))
    operand = dice.pick({"f8E4M3FN", "f8E5M2"});
  rows = dice.pick<int64_t>({16, 32, 48, 64, 64, 64, 96, 128, 128, 192, 256});
  columns = dice.pick<int64_t>({16, 32, 48, 64, 64, 80, 96, 128});
  dim = dice.pick<int64_t>({8, 16, 32, 32, 48, 64, 80, 128});
  isTransposed = dice.oneIn(6);
  hasApart = dice.oneIn(6);
  if (hasApart) {
    element = dice.pick({"f16", "bf16"});
    // The operands of products that are `apart` have 16 bits. Of 8-bit
    // operands, chips would add the products with fewer bits than the host
    // does, since these products are not marked `exact`.
    operand = element;
    rows = dice.pick<int64_t>({64, 64, 128});
    isTransposed = false;
  }
  numHeads = dice.pick<int64_t>({1, 1, 2});
  numRows = drawSize(rows);
  numColumns = drawSize(columns);
  isStatic = dice.oneIn(4);
  isPlain = dice.oneIn(3);
  hasHeads = dice.oneIn(2);
  if (!hasHeads)
    numHeads = 1;
  head = hasHeads ? "%h, " : "";
  domain = hasApart ? (dice.oneIn(4) ? Listed : All)
                    : decltype(domain)(dice.below(5));
  width = dice.pick<int64_t>({0, 1, 17, 64, 100});
  // With a list of blocks, the array has at least one key: the list may name
  // blocks even of an empty array, from which TMA cannot copy.
  if (domain == Listed)
    numColumns = std::max<int64_t>(numColumns, 1);
  auto sizes = [&](int64_t count) {
    llvm::SmallVector<int64_t> sizes = {numHeads, count, dim};
    if (!hasHeads)
      sizes.erase(sizes.begin());
    return sizes;
  };
  queries = addArray(sizes(numRows), operand);
  String dims = "%nq = memref.dim " + queries + ", %c" +
                (hasHeads ? "1" : "0") + " : " + types.back() + "\n";
  if (hasHeads)
    dims += "%nh = memref.dim " + queries + ", %c0 : " + types.back() + "\n";
  keys = addArray(sizes(numColumns), operand);
  dims += "%nk = memref.dim " + keys + ", %c" + (hasHeads ? "1" : "0") + " : " +
          types.back() + "\n";
  values = addArray(sizes(numColumns), element);
  tile = load(queries, head + "%i, %c0", tensor({rows, dim}, operand));
  if (dice.oneIn(6))
    writeRowsAlone();
  else
    writeLoop();

  program.hasProducts = llvm::StringRef(body).contains("attn_tile.dot");
  program.rows = rows;
  program.columns = columns;
  program.entry = "main";
  program.text =
      "#schedule = " + TileProgram::kSchedule.str() + "\nfunc.func @main(" +
      llvm::join(parameters, ", ") +
      ") {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%w = arith.constant " +
      std::to_string(width) + " : index\n" + dims + "attn_tile.grid (" +
      (hasHeads ? "%h, %i) to (%nh, %nq) step [1, " : "%i) to (%nq) step [") +
      std::to_string(rows) + "]" +
      dice.pick({"", " longest first", " longest last"}) +
      (hasHeads ? dice.pick({"", " shared [0]"}) : "") +
      dice.pick({"", " position_bytes %w"}) + " schedule #schedule {\n" + body +
      "}\nreturn\n}\n";
  return program;
}

TileProgram attn_fuzz::drawProgram(Dice &dice) {
  return ProgramWriter(dice).write();
}
