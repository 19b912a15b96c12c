//===- AttnTileMathOps.td - Arithmetic on tiles, softmax ---*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILEMATHOPS_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILEMATHOPS_TD

include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AttnTile_DotOp : AttnTile_Op<"dot", [
    Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "matrix product of two tiles, added to an f32 accumulator";
  let description = [{
    `result = accumulator + op(lhs) * op(rhs)`, where `op` transposes the operand
    if `transpose_lhs` or `transpose_rhs` is set. Products and sums are in f32.
    Chips add products of 8 bits with fewer bits (sm_90: some 14). With `exact`, what a
    loop adds up so is added to f32 every 256 products. Of products of loaded tiles, `apart`
    says that other warps may compute them, and what is made of them element by element or by
    a softmax, than those with the products that read it as an operand. `apart = "name"` names the role
    that does, where the schedule has roles that multiply; `apart` alone is that of
    `"multiplier"`. Other schedules do not regard it.

    | operand | shape | element type |
    |---|---|---|
    | `lhs` | M x K, or K x M if transposed | f16, bf16, f32, f8E4M3FN or f8E5M2 |
    | `rhs` | K x N, or N x K if transposed | as lhs |
    | `accumulator`, result | M x N | f32 |

    ```mlir
    func.func @scores(%q: tensor<64x128xf16>, %k: tensor<32x128xf16>,
                      %zero: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %0 = attn_tile.dot %q, %k, %zero transpose_rhs
          : tensor<64x128xf16>, tensor<32x128xf16>, tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
    }

    func.func @of_8_bits(%a: tensor<64x128xf8E4M3FN>, %b: tensor<32x128xf8E4M3FN>,
                         %zero: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %0 = attn_tile.dot %a, %b, %zero transpose_rhs
          : tensor<64x128xf8E4M3FN>, tensor<32x128xf8E4M3FN>, tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$lhs, AttnTile_Tile2D:$rhs,
                       AttnTile_Tile2D:$accumulator,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       UnitAttr:$exact, OptionalAttr<StrAttr>:$apart);
  let results = (outs AttnTile_Tile2D:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$accumulator,
                   CArg<"bool", "false">:$transposeLhs,
                   CArg<"bool", "false">:$transposeRhs,
                   CArg<"bool", "false">:$exact), [{
      build($_builder, $_state, lhs, rhs, accumulator, transposeLhs,
            transposeRhs, exact, ::mlir::StringAttr());
    }]>
  ];
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator
    (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)?
    (`exact` $exact^)? (`apart` `` custom<Role>($apart)^)?
    attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def AttnTile_ReduceOp : AttnTile_Op<"reduce", [Pure]> {
  let summary = "combines the elements of each row or column";
  let description = [{
    Combines the elements along `axis`: axis 1 gives one element per row, axis 0
    one per column. `maxnum` ignores NaN, and is -inf if all elements are NaN; the order of
    additions is not defined. Elements are floats of 16 bits or more for `add` and `maxnum`,
    and i1 for `and` and `or`.

    ```mlir
    func.func @row_max(%s: tensor<64x32xf32>) -> tensor<64xf32> {
      %0 = attn_tile.reduce maxnum %s along 1 : tensor<64x32xf32> -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile2D:$input,
                       AttnTile_Axis:$axis);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = [{
    $kind $input `along` $axis attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnTile_BroadcastOp : AttnTile_Op<"broadcast", [Pure]> {
  let summary = "repeats a vector along an axis of a tile";
  let description = [{
    Along axis 1, element `r` of the input fills row `r` of the result; along axis 0, element
    `c` fills column `c`. Shapes change as in `reduce`, in the other direction.

    ```mlir
    func.func @per_row(%m: tensor<64xf32>) -> tensor<64x32xf32> {
      %0 = attn_tile.broadcast %m along 1 : tensor<64xf32> -> tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile1D:$input, AttnTile_Axis:$axis);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $input `along` $axis attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnTile_CoordinateOp : AttnTile_Op<"coordinate", [Pure]> {
  let summary = "each element's position along an axis";
  let description = [{
    Each element is its row number (axis 0) or column number (axis 1), counted from 0.
    Integer element types are for positions within the tile; use index for numbers from
    which positions in an array are computed. With `by`, each element is the result of the
    affine map, which has one dimension and one result, for that number.

    ```mlir
    func.func @columns() -> tensor<64x32xi32> {
      %0 = attn_tile.coordinate along 1 : tensor<64x32xi32>
      return %0 : tensor<64x32xi32>
    }
    func.func @blocks_of_rows() -> tensor<64x32xindex> {
      %0 = attn_tile.coordinate along 0 by affine_map<(r) -> (r floordiv 8)>
          : tensor<64x32xindex>
      return %0 : tensor<64x32xindex>
    }
    ```
  }];
  let arguments = (ins AttnTile_Axis:$axis, OptionalAttr<AffineMapAttr>:$map);
  let results = (outs AttnTile_Tile:$result);
  let builders = [OpBuilder<(ins "Type":$result, "uint64_t":$axis), [{
    build($_builder, $_state, result, axis, AffineMapAttr());
  }]>];
  let assemblyFormat = "`along` $axis (`by` $map^)? attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    /// Emits the value that the result of this op (attn_tile.coordinate) has at
    /// `position`, an index along the op's axis: `position` with the affine
    /// map, if the op has one, applied.
    Value createElement(OpBuilder &builder, Location loc, Value position);
  }];
  let hasVerifier = 1;
}

def AttnTile_RandomKeepOp : AttnTile_Op<"random_keep", [Pure]> {
  let summary = "computes which elements of a tile of scores dropout keeps";
  let description = [{
    Uses the counter-based generator Philox 4x32-10 (Salmon et al., "Parallel Random Numbers:
    As Easy as 1, 2, 3", SC 2011). Its key and counter are given from the least significant 32
    bits on:

    ```
    words        = philox(key = seed, counter = (j / 8, i, plane, offset mod 2^32))
    bits         = words[(j mod 8) / 2] >> 16 * (j mod 2) mod 2^16
    keep[r, c]   = bits >= threshold        i = row + r, j = key + c
    ```

    With `rows along 1`, i = row + c and j = key + r instead. `threshold` is from 0 to 65536.
    `aligned` promises that `key` is a multiple of 8, so that each call of Philox, which serves
    eight keys, is for keys of one aligned group of the tile.

    If the tile's rows are not consecutive rows of one plane, as in a tile with rows of several
    heads, `plus` gives their positions in two tiles of i32 with the result's shape: the plane of
    an element is plane + planes[r, c], and i = row + rows[r, c]. All elements of a row of scores
    must have the same two numbers.

    ```mlir
    func.func @keep(%seed: i64, %offset: i64, %plane: index, %i: index, %j: index)
        -> tensor<64x32xi1> {
      %0 = attn_tile.random_keep %seed, %offset at [%plane, %i, %j] threshold 6554
          rows along 0 aligned : tensor<64x32xi1>
      return %0 : tensor<64x32xi1>
    }
    func.func @keep_of_heads(%seed: i64, %offset: i64, %plane: index, %i: index, %j: index,
                             %planes: tensor<64x32xi32>, %rows: tensor<64x32xi32>)
        -> tensor<64x32xi1> {
      %0 = attn_tile.random_keep %seed, %offset at [%plane, %i, %j]
          plus (%planes, %rows : tensor<64x32xi32>, tensor<64x32xi32>) threshold 6554
          rows along 0 aligned : tensor<64x32xi1>
      return %0 : tensor<64x32xi1>
    }
    ```
  }];
  let arguments = (ins I64:$seed, I64:$offset, Index:$plane, Index:$row, Index:$key,
                       Variadic<AttnTile_Tile2D>:$distances, I64Attr:$threshold,
                       AttnTile_Axis:$row_axis, UnitAttr:$aligned);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $seed `,` $offset `at` `[` $plane `,` $row `,` $key `]`
    (`plus` `(` $distances^ `:` type($distances) `)`)? `threshold` $threshold `rows` `along` $row_axis
    (`aligned` $aligned^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

def AttnTile_SoftmaxInitOp : AttnTile_Op<"softmax_init", [Pure]> {
  let summary = "the softmax state of rows that have seen no score";
  let description = [{
    ```mlir
    func.func @init() -> !attn_tile.softmax<128, factor = 0.125> {
      %0 = attn_tile.softmax_init : !attn_tile.softmax<128, factor = 0.125>
      return %0 : !attn_tile.softmax<128, factor = 0.125>
    }
    ```
  }];
  let results = (outs AttnTile_SoftmaxType:$state);
  let assemblyFormat = "attr-dict `:` type($state)";
}

def AttnTile_SoftmaxUpdateOp : AttnTile_Op<"softmax_update", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "the probabilities of a block of scores, by the online softmax";
  let description = [{
    Computes the recurrence of FlashAttention-2 (arXiv 2307.08691, algorithm 1), where
    `m` and `l` are the state's running max and sum of each row, S the scores, each row
    multiplied by its element of `row_factors` if there are any, and `c` the state's factor:

    ```
    m'     = max(m, rowmax(S))
    P      = exp(c * S - c * m')         rounded to P's element type
    alpha  = exp(c * m - c * m')
    l'     = alpha * l + rowsum(P)
    acc'   = alpha * acc                 for each accumulator
    ```

    A score of -inf has probability 0, whatever its row's factor is; a row whose scores
    were all -inf has l = 0. A
    target may choose any m' for which no probability is too large for P's type, since
    accumulators divided by l are the same. `attn_tile.softmax_factor` returns alpha. For f8E4M3FN, whose smallest positive number is
    large, m' is below the maximum, and probabilities are up to 2^8. `l` sums P before
    rounding.

    | operand | shape | element type |
    |---|---|---|
    | `scores` | M x N | f32 |
    | `row_factors` | optional, M | f32 |
    | `accumulators` | M x any | f32 |
    | `probabilities`, P | M x N | f16, bf16, f32 or f8E4M3FN |

    ```mlir
    func.func @step(%s: tensor<64x32xf32>, %state: !attn_tile.softmax<64, factor = 0.125>,
                    %acc: tensor<64x128xf32>) {
      %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
          : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
          -> (tensor<64x32xbf16>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
      return
    }

    func.func @step_of_scaled_rows(%s: tensor<64x32xf32>, %scales: tensor<64xf32>,
                                   %state: !attn_tile.softmax<64, factor = 0.125>) {
      %p, %next = attn_tile.softmax_update %s, %state times(%scales)
          : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64xf32>)
          -> (tensor<64x32xbf16>, !attn_tile.softmax<64, factor = 0.125>)
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$scores, AttnTile_SoftmaxType:$state,
                       Optional<AttnTile_Tile1D>:$row_factors,
                       Variadic<AttnTile_Tile2D>:$accumulators);
  let results = (outs AttnTile_Tile2D:$probabilities,
                      AttnTile_SoftmaxType:$new_state,
                      Variadic<AttnTile_Tile2D>:$rescaled);
  let assemblyFormat = [{
    $scores `,` $state (`times` `(` $row_factors^ `)`)?
    (`rescale` `(` $accumulators^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def AttnTile_SoftmaxFactorOp : AttnTile_Op<"softmax_factor", [
    Pure, AllTypesMatch<["before", "after"]>]> {
  let summary = "the factor of sums when a softmax state changes";
  let description = [{
    Returns, for each row, the `alpha` of the `softmax_update` (or of several ones) between
    the two states. A softmax update without accumulators leaves rescaling to the program,
    which multiplies by this factor (`attn_tile.rescale`) what it has added up before. Other
    warps can then have the accumulators than those that compute the scores.

    ```mlir
    func.func @step(%s: tensor<64x32xf32>, %state: !attn_tile.softmax<64, factor = 0.125>,
                    %acc: tensor<64x128xf32>) {
      %p, %next = attn_tile.softmax_update %s, %state
          : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>)
          -> (tensor<64x32xbf16>, !attn_tile.softmax<64, factor = 0.125>)
      %alpha = attn_tile.softmax_factor %state to %next
          : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>
      %rescaled = attn_tile.rescale %acc by %alpha : tensor<64xf32>, tensor<64x128xf32>
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_SoftmaxType:$before, AttnTile_SoftmaxType:$after);
  let results = (outs AttnTile_Tile1D:$factor);
  let assemblyFormat = [{
    $before `to` $after attr-dict `:` type($before) `->` type($factor)
  }];
  let hasVerifier = 1;
}

def AttnTile_RescaleOp : AttnTile_Op<"rescale", [
    Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "multiplies the rows of a tile by factors that are mostly 1";
  let description = [{
    Multiplies each row of `accumulator` by its element of `factor`. A target may leave the
    multiplication out where all factors are 1, as those of a lazy softmax mostly are.
  }];
  let arguments = (ins AttnTile_Tile2D:$accumulator, AttnTile_Tile1D:$factor);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $accumulator `by` $factor attr-dict `:` type($factor) `,` type($result)
  }];
  let hasVerifier = 1;
}

def AttnTile_SoftmaxFinishOp : AttnTile_Op<"softmax_finish", [Pure]> {
  let summary = "returns the normalisation and the lse of each row";
  let description = [{
    `inverse` is 1 / l, or 0 for a row whose scores were all -inf. `lse` is
    c * m + ln l, the natural logarithm of the sum of exp(c * S), or -inf for such a
    row. With `approximate`, `inverse` may be off by an ulp.

    `sink` is one more score of each row, to which `c` does not apply, and which adds nothing
    to accumulators: with it, `inverse` is exp(c * m - lse), where

    ```
    lse = ln (exp(sink) + l * exp(c * m))
    ```

    A row whose scores were all -inf has inverse 0 and lse = sink, if that is finite,
    otherwise -inf.

    ```mlir
    func.func @finish(%state: !attn_tile.softmax<64, factor = 0.125>) {
      %inverse, %lse = attn_tile.softmax_finish %state
          : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>, tensor<64xf32>
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_SoftmaxType:$state, Optional<AttnTile_Tile1D>:$sink,
                       UnitAttr:$approximate);
  let results = (outs AttnTile_Tile1D:$inverse, AttnTile_Tile1D:$lse);
  let assemblyFormat = [{
    $state (`sink` `(` $sink^ `:` type($sink) `)`)? (`approximate` $approximate^)? attr-dict
    `:` type($state) `->` type($inverse) `,` type($lse)
  }];
  let hasVerifier = 1;
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEMATHOPS_TD
