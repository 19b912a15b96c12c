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
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class AttnTile_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnTile_Dialect, mnemonic, traits>;

def AttnTile_LoadOp : AttnTile_Op<"load", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads a tile, with zeros outside of the view";
  let description = [{
    Reads the tile whose first element is at `indices` of `source`. The tile's
    dimensions are the last ones of the source. An element outside of the view's
    sizes reads as zero and its memory is not touched.

    ```
    result[r, c] = source[indices[..], indices[n-2] + r, indices[n-1] + c]
    ```

    A tile may consist of several parts of equally many rows, each with its own source
    and indices, for example keys from several pages of a cache.

    With `rows`, a list in memory names the tile's rows, each relative to `indices`.
    `entry` is the position in the list of the tile's first row. A row whose position
    is not one of the list's, or which lies outside of the view, reads as zeros and
    touches no memory of the source. Entries may come in any order and more than once.

    ```
    result[r, c] = source[indices[..], indices[n-2] + list[entry + r], indices[n-1] + c]
    ```

    `ahead` marks a tile that is no operand of a product, but that each iteration of a loop
    needs early. A target that prefetches the operands of products may prefetch it, too.

    | operand | shape | element type |
    |---|---|---|
    | `sources` | one for each part, of one type, of rank at least that of the tile | integers or floats |
    | `indices` | for each part, one for each dimension of source | index |
    | `list` | optional, rank 1, any stride; beside one part | i32 |
    | `entry` | beside `list` | index |
    | result | static, rank 1 or 2; rank 2 with several parts or a list | as source |

    ```mlir
    func.func @load(%k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                    %j: index) -> tensor<64x64xf16> {
      %c0 = arith.constant 0 : index
      %0 = attn_tile.load %k[%c0, %c0, %j, %c0]
          : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<64x64xf16>
      return %0 : tensor<64x64xf16>
    }

    func.func @load_bias(%bias: memref<?x64xf32>, %block: index) -> tensor<64xf32> {
      %c0 = arith.constant 0 : index
      %0 = attn_tile.load %bias[%block, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }

    func.func @load_pages(%pool: memref<?x32x64xf16>, %first: index, %second: index)
        -> tensor<64x64xf16> {
      %c0 = arith.constant 0 : index
      %0 = attn_tile.load %pool[%first, %c0, %c0], %pool[%second, %c0, %c0]
          : memref<?x32x64xf16> -> tensor<64x64xf16>
      return %0 : tensor<64x64xf16>
    }

    func.func @load_tokens(%k: memref<?x?x64xf16>, %head: index,
                           %tokens: memref<?xi32>, %first: index) -> tensor<32x64xf16> {
      %c0 = arith.constant 0 : index
      %0 = attn_tile.load %k[%head, %c0, %c0] rows %tokens[%first]
          : memref<?x?x64xf16>, memref<?xi32> -> tensor<32x64xf16>
      return %0 : tensor<32x64xf16>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyStridedMemRef>:$sources, Variadic<Index>:$indices,
                       Optional<AttnTile_RowList>:$list, Optional<Index>:$entry,
                       UnitAttr:$ahead);
  let results = (outs AttnTile_Tile:$result);
  let builders = [
    OpBuilder<(ins "Type":$result, "ValueRange":$sources, "ValueRange":$indices,
                   CArg<"bool", "false">:$ahead), [{
      build($_builder, $_state, result, sources, indices, /*list=*/Value(),
            /*entry=*/Value(), ahead);
    }]>,
    OpBuilder<(ins "Type":$result, "Value":$source, "ValueRange":$indices,
                   CArg<"bool", "false">:$ahead), [{
      build($_builder, $_state, result, ValueRange(source), indices, ahead);
    }]>];
  let assemblyFormat = [{
    custom<Parts>($sources, $indices) (`rows` $list^ `[` $entry `]`)? (`ahead` $ahead^)?
    attr-dict `:` custom<PartTypes>(type($sources), ref($sources)) (`,` type($list)^)?
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The source of a tile of one part, or of the first part.
    TypedValue<MemRefType> getSource() {
      return cast<TypedValue<MemRefType>>(getSources().front());
    }
    int64_t getNumParts() { return getSources().size(); }
    /// Whether a list in memory names the tile's rows.
    bool isListed() { return bool(getList()); }
    OperandRange getIndicesOfPart(int64_t part) {
      int64_t rank = getSource().getType().getRank();
      return getIndices().slice(part * rank, rank);
    }
    /// The type of a part of the result, with an equal share of its rows.
    RankedTensorType getPartType();
  }];
  let hasVerifier = 1;
}

def AttnTile_GatherOp : AttnTile_Op<"gather", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads an element of memory for each element of a tile";
  let description = [{
    Each index of `source` is a scalar, the same for the whole tile, or a tile of indices.
    Indices out of bounds are clamped to the nearest element; a source without elements
    reads as 0.

    ```
    result[r, c] = source[clamp(indices[0][r, c]), clamp(indices[1][r, c]), ..]
    ```

    | operand | shape | element type |
    |---|---|---|
    | `source` | any | integers or floats |
    | `indices` | one for each dimension of source: scalars, or tiles as result | index |
    | result | static, rank 1 or 2, or a scalar if all indices are | as source |

    ```mlir
    func.func @table(%t: memref<8x?xf32>, %h: index, %at: tensor<64x32xindex>)
        -> tensor<64x32xf32> {
      %0 = attn_tile.gather %t[%h, %at]
          : (memref<8x?xf32>, index, tensor<64x32xindex>) -> tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source,
                       Variadic<AnyTypeOf<[Index, AttnTile_Tile], "index or tile">>:$indices);
  let results = (outs AnyTypeOf<[AttnTile_Tile, AnySignlessInteger, AnyFloat],
                                "tile or scalar">:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def AttnTile_ScatterOp : AttnTile_Op<"scatter", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes each element of a tile to a computed element of memory";
  let description = [{
    The inverse of `attn_tile.gather`, except that an element of the tile with an index out
    of bounds is not written. If two elements have the same indices, it is not defined which
    one is written last. With `add`, f32 elements are added to those in memory, as by
    `attn_tile.store`.
    `in_bounds` promises that all indices are in bounds, so that they are not tested.

    ```
    destination[indices[0][r, c], indices[1][r, c], ..] = tile[r, c]
    ```

    Rows of a tile are written to neighboring elements if indices are vectors with an
    index for each row, and the last index, which is a scalar, is that of a row's first
    column:

    ```
    destination[indices[0][r], .., indices[n-1] + c] = tile[r, c]
    ```

    | operand | shape | element type |
    |---|---|---|
    | `tile` | static, rank 1 or 2 | integers or floats |
    | `destination` | any | as tile |
    | `indices` | one for each dimension of destination: scalars, or tiles as tile, or vectors of its rows | index |

    ```mlir
    func.func @pages(%t: memref<8x?xf32>, %h: index, %at: tensor<64xindex>,
                     %x: tensor<64xf32>) {
      attn_tile.scatter %x, %t[%h, %at]
          : tensor<64xf32>, memref<8x?xf32>, index, tensor<64xindex>
      return
    }

    func.func @rows(%o: memref<8x?x64xf16>, %h: tensor<32xindex>, %at: tensor<32xindex>,
                    %x: tensor<32x64xf16>) {
      %c0 = arith.constant 0 : index
      attn_tile.scatter %x, %o[%h, %at, %c0]
          : tensor<32x64xf16>, memref<8x?x64xf16>, tensor<32xindex>, tensor<32xindex>, index
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile:$tile, AnyStridedMemRef:$destination,
                       Variadic<AnyTypeOf<[Index, AttnTile_Tile], "index or tile">>:$indices,
                       UnitAttr:$add, UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $tile `,` $destination `[` $indices `]` (`add` $add^)? (`in_bounds` $in_bounds^)?
    attr-dict `:` type($tile) `,` type($destination) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
}

def AttnTile_StoreOp : AttnTile_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes the part of a tile that lies inside of the view";
  let description = [{
    The inverse of `attn_tile.load`: elements of the tile outside of the view's
    sizes are dropped. With `add`, f32 elements are added to those in memory, each
    atomically: programs of a grid may add to the same elements, in an order that is
    not defined. `add apart` promises that the stored tile is made from products by
    element-wise ops, and that these products and ops are in the store's block and have no
    other use. Warps of another role, a reducer, may then compute and add the tile.

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
                       Variadic<Index>:$indices, UnitAttr:$add, UnitAttr:$apart);
  let assemblyFormat = [{
    $tile `,` $destination `[` $indices `]` (`add` $add^ (`apart` $apart^)?)? attr-dict
    `:` type($tile) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def AttnTile_BytesOp : AttnTile_Op<"bytes", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "the bytes of an array of i4";
  let description = [{
    An array of i4 has two elements in each byte, the one with the even column in the
    low half: rows lie at multiples of a byte. Its sizes and strides count elements. The
    result has the same memory, with half as many columns, which are bytes:

    ```
    result[.., c] = source[.., 2 c] mod 16 + 16 * source[.., 2 c + 1]
    ```

    The source's columns are contiguous, and their number, the offset and the other
    strides are even. No other op reads or writes elements of such an array.

    ```mlir
    func.func @bytes(%k: memref<2x4x?x128xi4>) -> memref<2x4x?x64xi8> {
      %0 = attn_tile.bytes %k : memref<2x4x?x128xi4> to memref<2x4x?x64xi8>
      return %0 : memref<2x4x?x64xi8>
    }
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source);
  let results = (outs AnyStridedMemRef:$result);
  let builders = [OpBuilder<(ins "Value":$source)>];
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def AttnTile_UnpackOp : AttnTile_Op<"unpack", [Pure]> {
  let summary = "the numbers of 4 bits in a tile of bytes";
  let description = [{
    Each byte has two signed numbers of 4 bits, which become floats, exactly: the low
    half is the one with the even column.

    ```
    result[r, 2 c]     = low half of bytes[r, c]
    result[r, 2 c + 1] = high half of bytes[r, c]
    ```

    | operand | shape | element type |
    |---|---|---|
    | `bytes` | M x N | i8 |
    | result | M x 2 N | f16, bf16 or f32 |

    ```mlir
    func.func @unpack(%k: tensor<32x64xi8>) -> tensor<32x128xf16> {
      %0 = attn_tile.unpack %k : tensor<32x64xi8> -> tensor<32x128xf16>
      return %0 : tensor<32x128xf16>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$bytes);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($bytes) `->` type($result)";
  let hasVerifier = 1;
}

def AttnTile_DotOp : AttnTile_Op<"dot", [
    Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "matrix product of two tiles, added to an f32 accumulator";
  let description = [{
    `result = accumulator + op(lhs) * op(rhs)`, where `op` transposes the operand
    if `transpose_lhs` or `transpose_rhs` is set. Products and sums are in f32.
    Chips add products of 8 bits with fewer bits (sm_90: some 14). With `exact`, what a
    loop adds up so is added to f32 every 256 products. Of products of loaded tiles, `apart`
    says that other warps may compute them, and what is made of them element by element,
    than those with the products that read it as an operand. `apart = "name"` names the role
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
    /// Emits the element at a position along the axis.
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

    ```mlir
    func.func @keep(%seed: i64, %offset: i64, %plane: index, %i: index, %j: index)
        -> tensor<64x32xi1> {
      %0 = attn_tile.random_keep %seed, %offset at [%plane, %i, %j] threshold 6554
          rows along 0 aligned : tensor<64x32xi1>
      return %0 : tensor<64x32xi1>
    }
    ```
  }];
  let arguments = (ins I64:$seed, I64:$offset, Index:$plane, Index:$row, Index:$key,
                       I64Attr:$threshold, AttnTile_Axis:$row_axis, UnitAttr:$aligned);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $seed `,` $offset `at` `[` $plane `,` $row `,` $key `]` `threshold` $threshold
    `rows` `along` $row_axis (`aligned` $aligned^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The grid, and loops over blocks
//===----------------------------------------------------------------------===//

def AttnTile_GridOp : AttnTile_Op<"grid", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a program for each point of a grid";
  let description = [{
    Runs its body for each point `(i * steps[0], j * steps[1], ...)` below `sizes`,
    in any order and in parallel. There is at least one dimension. The tiles of the last
    programs along a dimension may extend past `sizes`; loads and stores clip them to their
    views.

    `schedule` says how a target is to run the programs. It is an attribute of the target's
    dialect, which nothing in this dialect reads. These optional facts about the programs
    let a target choose the order in which they run:

    | attribute or operand | meaning |
    |---|---|
    | `longest` | whether the `first` or the `last` programs along the last dimension take longest |
    | `shared` | the dimensions, except the last one, along which programs read the same tiles of some array |
    | `position_bytes` | the bytes that a program reads, or adds to, for each position that its loops visit, and that all programs along the last dimension read again |

    ```mlir
    func.func @zero(%o: memref<?x?xf32, strided<[?, 1]>>, %rows: index) {
      %zero = arith.constant dense<0.0> : tensor<64x32xf32>
      %c0 = arith.constant 0 : index
      attn_tile.grid (%r) to (%rows) step [64] {
        attn_tile.store %zero, %o[%r, %c0]
            : tensor<64x32xf32>, memref<?x?xf32, strided<[?, 1]>>
      }
      return
    }

    func.func @causal(%heads: index, %rows: index, %bytes: index) {
      attn_tile.grid (%h, %r) to (%heads, %rows) step [1, 64]
          longest last shared [0] position_bytes %bytes {
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, Optional<Index>:$position_bytes,
                       DenseI64ArrayAttr:$steps,
                       OptionalAttr<AttnTile_Longest>:$longest,
                       OptionalAttr<DenseI64ArrayAttr>:$shared,
                       OptionalAttr<AnyAttr>:$schedule);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "ValueRange":$sizes, "ArrayRef<int64_t>":$steps,
                   "Attribute":$schedule)>
  ];
}

def AttnTile_ProcessorsOp : AttnTile_Op<"processors", [Pure]> {
  let summary = "returns the number of programs that a target runs at a time";
  let description = [{
    The result is at least 1. It is for code outside of grids, which may divide work among
    that many programs. On the host it is always 4, so that results are the same on all
    machines.

    ```mlir
    func.func @splits() -> index {
      %0 = attn_tile.processors
      return %0 : index
    }
    ```
  }];
  let results = (outs Index:$count);
  let assemblyFormat = "attr-dict";
}

def AttnTile_DomainOp : AttnTile_Op<"domain", [
    RecursivelySpeculatable, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "the columns that a range of rows needs";
  let description = [{
    The region is a function of a range of rows, `[first, last)`. The domain is its
    value for the operands; a pass may evaluate the region again for fewer rows. It yields

    | result | meaning |
    |---|---|
    | `lo`, `hi` | no row needs a column outside of `[lo, hi)` |
    | `full_lo`, `full_hi` | each row needs all columns of `[full_lo, full_hi)` |

    A block is `block` columns from a multiple of `block` on. It is visited if it overlaps
    `[lo, hi)`, and is full if it lies within `[full_lo, full_hi)`, otherwise partial. The
    function must be monotonic: if the rows R lie within R', then `[lo, hi)` of R lies within
    that of R', and `[full_lo, full_hi)` of R' within that of R.

    ```mlir
    func.func @causal(%r: index, %end: index, %s: index) -> !attn_tile.domain<128> {
      %0 = attn_tile.domain rows %r to %end {
      ^bb0(%first: index, %last: index):
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %full = arith.addi %first, %c1 : index
        attn_tile.domain_yield %c0 to %last full %c0 to %full
      } : !attn_tile.domain<128>
      return %0 : !attn_tile.domain<128>
    }
    ```
  }];
  let arguments = (ins Index:$first, Index:$last);
  let results = (outs AttnTile_DomainType:$domain);
  let regions = (region SizedRegion<1>:$columns);
  let assemblyFormat = [{
    `rows` $first `to` $last $columns attr-dict `:` type($domain)
  }];
  let hasRegionVerifier = 1;
}

def AttnTile_DomainYieldOp : AttnTile_Op<"domain_yield", [
    Pure, Terminator, HasParent<"DomainOp">]> {
  let summary = "ends a domain's region with two ranges of columns";
  let arguments = (ins Index:$lo, Index:$hi, Index:$full_lo, Index:$full_hi);
  let assemblyFormat = [{
    $lo `to` $hi `full` $full_lo `to` $full_hi attr-dict
  }];
}

def AttnTile_DomainListOp : AttnTile_Op<"domain_list", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the blocks of columns that a list in memory names";
  let description = [{
    Entry `i < count` of `blocks` is the number of a block, which begins at column
    `block * blocks[i]`, where `block` is that of the result's type. The block is partial if
    `partial[i]` is not 0. Entries may be in any order.

    ```mlir
    func.func @list(%blocks: memref<?xi32>, %partial: memref<?xi32>, %n: index)
        -> !attn_tile.domain<64> {
      %0 = attn_tile.domain_list %blocks, %partial count %n
          : memref<?xi32>, memref<?xi32> -> !attn_tile.domain<64>
      return %0 : !attn_tile.domain<64>
    }
    ```
  }];
  let arguments = (ins MemRefRankOf<[I32], [1]>:$blocks,
                       MemRefRankOf<[I32], [1]>:$partial, Index:$count);
  let results = (outs AttnTile_DomainType:$domain);
  let assemblyFormat = [{
    $blocks `,` $partial `count` $count attr-dict
    `:` type($blocks) `,` type($partial) `->` type($domain)
  }];
}

def AttnTile_ForBlocksOp : AttnTile_Op<"for_blocks", [
    AllTypesMatch<["inits", "results"]>, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, [
      "getLoopRegions", "getInitsMutable", "getRegionIterArgs",
      "getYieldedValuesMutable", "getLoopResults"]>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a loop over the blocks of a domain";
  let description = [{
    Visits each block of the domain once, in an order that is not defined, so the carried
    values should not depend on it, as sums and softmax states do not. The body's arguments
    are the block's first column, whether the block is partial (i1), and the carried values.

    ```mlir
    func.func @sum(%domain: !attn_tile.domain<64>, %x: memref<?x?xf32>)
        -> tensor<16x64xf32> {
      %c0 = arith.constant 0 : index
      %zero = arith.constant dense<0.0> : tensor<16x64xf32>
      %0 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%sum = %zero)
          -> (tensor<16x64xf32>) : !attn_tile.domain<64> {
        %t = attn_tile.load %x[%c0, %j] : memref<?x?xf32> -> tensor<16x64xf32>
        %next = arith.addf %sum, %t : tensor<16x64xf32>
        attn_tile.yield %next : tensor<16x64xf32>
      }
      return %0 : tensor<16x64xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_DomainType:$domain, Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    Value getPosition() { return getBody().getArgument(0); }
    Value getPartial() { return getBody().getArgument(1); }
  }];
}

def AttnTile_YieldOp : AttnTile_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["GridOp", "ForBlocksOp"]>]> {
  let summary = "ends the body of a loop with the carried values";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
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
    Pure]> {
  let summary = "the probabilities of a block of scores, by the online softmax";
  let description = [{
    Computes the recurrence of FlashAttention-2 (arXiv 2307.08691, algorithm 1), where
    `m` and `l` are the state's running max and sum of each row, S the scores and `c` the
    state's factor:

    ```
    m'     = max(m, rowmax(S))
    P      = exp(c * S - c * m')         rounded to P's element type
    alpha  = exp(c * m - c * m')
    l'     = alpha * l + rowsum(P)
    acc'   = alpha * acc                 for each accumulator
    ```

    A score of -inf has probability 0; a row whose scores were all -inf has l = 0. A
    target may choose any m' for which no probability is too large for P's type, since
    accumulators divided by l are the same. For f8E4M3FN, whose smallest positive number is
    large, m' is below the maximum, and probabilities are up to 2^8. `l` sums P before
    rounding.

    | operand | shape | element type |
    |---|---|---|
    | `scores`, S | M x N | f32 |
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
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$scores, AttnTile_SoftmaxType:$state,
                       Variadic<AttnTile_Tile2D>:$accumulators);
  let results = (outs AttnTile_Tile2D:$probabilities,
                      AttnTile_SoftmaxType:$new_state,
                      Variadic<AttnTile_Tile2D>:$rescaled);
  let assemblyFormat = [{
    $scores `,` $state (`rescale` `(` $accumulators^ `)`)? attr-dict
    `:` functional-type(operands, results)
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

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
