//===- AttnTileOps.td - Operations on tiles ----------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD

include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class AttnTile_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnTile_Dialect, mnemonic, traits>;

def AttnTile_LoadOp : AttnTile_Op<"load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads a tile, with zeros outside of the view";
  let description = [{
    Reads the tile whose first element is at `indices` of `source`. The tile's
    dimensions are the last ones of the source. An element outside of the view's
    sizes reads as zero and its memory is not touched.

    ```
    result[r, c] = source[indices[..], indices[n-2] + r, indices[n-1] + c]
    ```

    | operand | shape | element type |
    |---|---|---|
    | `source` | rank at least that of the tile | any |
    | `indices` | one for each dimension of source | index |
    | result | static, rank 1 or 2 | as source |

    ```mlir
    func.func @load(%k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                    %j: index) -> tensor<64x64xf16> {
      %c0 = arith.constant 0 : index
      %0 = attn_tile.load %k[%c0, %c0, %j, %c0]
          : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<64x64xf16>
      return %0 : tensor<64x64xf16>
    }
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, Variadic<Index>:$indices);
  let results = (outs AttnTile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnTile_StoreOp : AttnTile_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes the part of a tile that lies inside of the view";
  let description = [{
    The inverse of `attn_tile.load`: elements of the tile outside of the view's
    sizes are dropped.

    ```mlir
    func.func @store(%lse: memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>,
                     %t: tensor<64xf32>) {
      %c0 = arith.constant 0 : index
      attn_tile.store %t, %lse[%c0, %c0, %c0]
          : tensor<64xf32>, memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile:$tile, AnyStridedMemRef:$destination,
                       Variadic<Index>:$indices);
  let assemblyFormat = [{
    $tile `,` $destination `[` $indices `]` attr-dict
    `:` type($tile) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def AttnTile_DotOp : AttnTile_Op<"dot", [
    Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "matrix product of two tiles, added to an f32 accumulator";
  let description = [{
    `result = accumulator + op(lhs) * op(rhs)`, where `op` transposes the operand
    if `transpose_lhs` or `transpose_rhs` is set. Products and sums are in f32.

    | operand | shape | element type |
    |---|---|---|
    | `lhs` | M x K, or K x M if transposed | f16, bf16 or f32 |
    | `rhs` | K x N, or N x K if transposed | as lhs |
    | `accumulator`, result | M x N | f32 |

    ```mlir
    func.func @scores(%q: tensor<64x128xf16>, %k: tensor<32x128xf16>,
                      %zero: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %0 = attn_tile.dot %q, %k, %zero transpose_rhs
          : tensor<64x128xf16>, tensor<32x128xf16>, tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$lhs, AttnTile_Tile2D:$rhs,
                       AttnTile_Tile2D:$accumulator,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator
    (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)?
    attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def AttnTile_ReduceOp : AttnTile_Op<"reduce", [Pure]> {
  let summary = "combines the elements of each row or column";
  let description = [{
    Combines the elements along `axis`: axis 1 gives one element per row, axis 0
    one per column. `maxnum` ignores NaN, and is -inf if there is nothing else; the order of
    additions is not defined. Elements are floats.

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
  let summary = "repeats a row slice along an axis";
  let description = [{
    The inverse shape change of `reduce`: along axis 1, element `r` of the input
    fills row `r`; along axis 0, element `c` fills column `c`.

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
    Row numbers along axis 0, column numbers along axis 1, counted from 0. Integer
    element types are for positions inside of the tile, index for what becomes a
    global position.

    ```mlir
    func.func @columns() -> tensor<64x32xi32> {
      %0 = attn_tile.coordinate along 1 : tensor<64x32xi32>
      return %0 : tensor<64x32xi32>
    }
    ```
  }];
  let arguments = (ins AttnTile_Axis:$axis);
  let results = (outs AttnTile_Tile:$result);
  let assemblyFormat = "`along` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
