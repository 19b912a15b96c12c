//===- AttnTileMemoryOps.td - Tiles and memory -------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILEMEMORYOPS_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILEMEMORYOPS_TD

include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

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
    `beside` marks a tile that a loop with products reads for other ops: its elements need
    registers beside those of accumulators, and a target that keeps operands of products in
    registers leaves room for them. `attn_tile.gather` has the same mark.

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

    func.func @load_pairs(%bias: memref<?x?xf32>, %i: index, %j: index)
        -> tensor<64x32xf32> {
      %0 = attn_tile.load %bias[%i, %j] beside : memref<?x?xf32> -> tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
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
                       UnitAttr:$ahead, UnitAttr:$beside);
  let results = (outs AttnTile_Tile:$result);
  let builders = [
    OpBuilder<(ins "Type":$result, "ValueRange":$sources, "ValueRange":$indices,
                   CArg<"bool", "false">:$ahead, CArg<"bool", "false">:$beside), [{
      build($_builder, $_state, result, sources, indices, /*list=*/Value(),
            /*entry=*/Value(), ahead, beside);
    }]>,
    OpBuilder<(ins "Type":$result, "Value":$source, "ValueRange":$indices,
                   CArg<"bool", "false">:$ahead, CArg<"bool", "false">:$beside), [{
      build($_builder, $_state, result, ValueRange(source), indices, ahead, beside);
    }]>];
  let assemblyFormat = [{
    custom<Parts>($sources, $indices) (`rows` $list^ `[` $entry `]`)? (`ahead` $ahead^)?
    (`beside` $beside^)? attr-dict `:` custom<PartTypes>(type($sources), ref($sources)) (`,` type($list)^)?
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Returns the view from which the tile is loaded. If the tile is loaded in
    /// several parts, it is the view of the first part.
    TypedValue<MemRefType> getSource() {
      return cast<TypedValue<MemRefType>>(getSources().front());
    }
    int64_t getNumParts() { return getSources().size(); }
    /// Whether the entries of a list in memory name the rows that are loaded.
    bool isListed() { return bool(getList()); }
    OperandRange getIndicesOfPart(int64_t part) {
      int64_t rank = getSource().getType().getRank();
      return getIndices().slice(part * rank, rank);
    }
    /// Returns the type of one part of the loaded tile. All parts have the same
    /// number of rows.
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

    `beside` marks a tile as in `attn_tile.load`; a scalar has no such mark.

    | operand | shape | element type |
    |---|---|---|
    | `source` | any | integers or floats |
    | `indices` | one for each dimension of source: scalars, or tiles as result | index |
    | result | static, rank 1 or 2, or a scalar if all indices are | as source |

    ```mlir
    func.func @table(%t: memref<8x?xf32>, %h: index, %at: tensor<64x32xindex>)
        -> tensor<64x32xf32> {
      %0 = attn_tile.gather %t[%h, %at] beside
          : (memref<8x?xf32>, index, tensor<64x32xindex>) -> tensor<64x32xf32>
      return %0 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source,
                       Variadic<AnyTypeOf<[Index, AttnTile_Tile], "index or tile">>:$indices,
                       UnitAttr:$beside);
  let results = (outs AnyTypeOf<[AttnTile_Tile, AnySignlessInteger, AnyFloat],
                                "tile or scalar">:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` (`beside` $beside^)? attr-dict
    `:` functional-type(operands, results)
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

def AttnTile_ReuseOp : AttnTile_Op<"reuse", [
    Pure, AllTypesMatch<["tile", "result"]>]> {
  let summary = "a tile that may take the memory of a loaded tile";
  let description = [{
    Returns `tile`. No op of the block reads `dead`, a tile that the block loads, after this
    one. A target that passes `tile` from some warps to others through memory may therefore
    write it where it keeps `dead`, and needs no other memory for it. Both tiles have the same
    number of bytes in each of the same number of rows.

    ```mlir
    func.func @step(%q: tensor<64x64xf16>, %k: memref<?x64xf16>, %j: index,
                    %zero: tensor<64x64xf32>) -> tensor<64x64xf16> {
      %c0 = arith.constant 0 : index
      %kj = attn_tile.load %k[%j, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
      %s = attn_tile.dot %q, %kj, %zero transpose_rhs apart
          : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
      %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %0 = attn_tile.reuse %p over %kj : tensor<64x64xf16>, tensor<64x64xf16>
      return %0 : tensor<64x64xf16>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$tile, AttnTile_Tile2D:$dead);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $tile `over` $dead attr-dict `:` type($result) `,` type($dead)
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

def AttnTile_WorkspaceOp : AttnTile_Op<"workspace"> {
  let summary = "memory that only tile programs use";
  let description = [{
    Allocates an array through which programs of one function pass numbers to other programs
    of it. The array has no gaps, and its first element is aligned to 16 bytes at least, so
    that a target can copy it in any way. Its elements are not defined until programs write
    them. The array exists until the end of the block that has the op. `sizes` are the sizes
    of the dynamic dimensions.

    ```mlir
    func.func @sums(%rows: index) {
      %0 = attn_tile.workspace(%rows) : memref<2x?xf32>
      attn_tile.grid (%r) to (%rows) step [64] {
        %c0 = arith.constant 0 : index
        %zeros = arith.constant dense<0.0> : tensor<64xf32>
        attn_tile.store %zeros, %0[%c0, %r] : tensor<64xf32>, memref<2x?xf32>
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$memory);
  let assemblyFormat = "(`(` $sizes^ `)`)? attr-dict `:` type($memory)";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the size of each dimension.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEMEMORYOPS_TD
