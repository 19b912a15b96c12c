//===- AttnTileOps.td - Operations on tiles ----------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD

include "attn/Dialect/AttnNV/IR/AttnNVTypes.td"
include "attn/Dialect/AttnTile/IR/AttnTileAttrs.td"
include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class AttnTile_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnTile_Dialect, mnemonic, traits>;

def AttnTile_Tile : Type<
    And<[HasStaticShapePred, CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() >= 1 && "
               "::llvm::cast<::mlir::RankedTensorType>($_self).getRank() <= 2">]>,
    "tile (tensor of static shape, rank 1 or 2)", "::mlir::RankedTensorType">;
def AttnTile_Tile1D : Type<
    And<[AttnTile_Tile.predicate,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 1">]>,
    "tile of rank 1", "::mlir::RankedTensorType">;
def AttnTile_Tile2D : Type<
    And<[AttnTile_Tile.predicate,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 2">]>,
    "tile of rank 2", "::mlir::RankedTensorType">;

def AttnTile_Axis : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>;

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

def AttnTile_CopyAsyncOp : AttnTile_Op<"copy_async", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "begins to copy a tile to shared memory";
  let description = [{
    Copies the tile that `attn_tile.load` would read at `indices` of `source`, zeros
    outside of the view included, to `destination`. All threads of the block take
    part. The copy has ended after `nvvm.cp.async.commit.group`, the wait for that
    group and a barrier. `aligned` promises that each row of the source begins at
    a multiple of 16 bytes.

    | operand | shape | element type |
    |---|---|---|
    | `source` | rank at least 2 | any |
    | `indices` | one for each dimension of source | index |
    | `destination` | static, rank 2 | as source |

    ```mlir
    func.func @copy(%k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                    %j: index, %slot: memref<64x64xf16, strided<[72, 1]>, 3>) {
      %c0 = arith.constant 0 : index
      attn_tile.copy_async %k[%c0, %c0, %j, %c0] to %slot
          : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
            to memref<64x64xf16, strided<[72, 1]>, 3>
      return
    }
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, Variadic<Index>:$indices,
                       AnyStridedMemRef:$destination, UnitAttr:$aligned);
  let assemblyFormat = [{
    $source `[` $indices `]` `to` $destination (`aligned` $aligned^)? attr-dict
    `:` type($source) `to` type($destination)
  }];
  let hasVerifier = 1;
}

def AttnTile_DiscardOp : AttnTile_Op<"discard"> {
  let summary = "takes a tile and does nothing with it";
  let description = [{
    Where warpgroups share their loads, each takes part in all of them; one that
    has no use for a tile discards it.

    ```mlir
    func.func @discard(%tile: tensor<64x32xf16>) {
      attn_tile.discard %tile : tensor<64x32xf16>
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile:$tile);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
}

def AttnTile_PartOffsetOp : AttnTile_Op<"part_offset", [Pure]> {
  let summary = "the first row of the tile that the warpgroup holds";
  let description = [{
    A warpgroup holds 64 rows. Where one copies tiles for the others, it has the
    last part's offset, so that it copies what the last rows see. Each warpgroup
    may have its own bounds of loops from it.

    ```mlir
    func.func @part() -> index {
      %0 = attn_tile.part_offset : index
      return %0 : index
    }
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
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

def AttnTile_ReduceKind : I32EnumAttr<"ReduceKind", "how elements are combined", [
      I32EnumAttrCase<"Add", 0, "add">,
      I32EnumAttrCase<"MaxNum", 1, "maxnum">
    ]> {
  let cppNamespace = "::mlir::attn_tile";
}

def AttnTile_ReduceOp : AttnTile_Op<"reduce", [Pure]> {
  let summary = "combines the elements of each row or column";
  let description = [{
    Combines the elements along `axis`: axis 1 gives one element per row, axis 0
    one per column. `maxnum` ignores NaN, and is -inf if there is nothing else; the order of
    additions is not defined. Elements are floats.

    With `partial`, the result differs between the four lanes that share a row, and
    is the combination of what a lane itself holds; see
    `attn_tile.combine_lanes`.

    ```mlir
    func.func @row_max(%s: tensor<64x32xf32>) -> tensor<64xf32> {
      %0 = attn_tile.reduce maxnum %s along 1 : tensor<64x32xf32> -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile2D:$input,
                       AttnTile_Axis:$axis, UnitAttr:$partial);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = [{
    $kind (`partial` $partial^)? $input `along` $axis attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnTile_CombineLanesOp : AttnTile_Op<"combine_lanes", [
    Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "combines what the lanes of a row hold";
  let description = [{
    ```mlir
    func.func @row_sum(%s: tensor<64x32xf32>) -> tensor<64xf32> {
      %0 = attn_tile.reduce add partial %s along 1
          : tensor<64x32xf32> -> tensor<64xf32>
      %1 = attn_tile.combine_lanes add %0 : tensor<64xf32>
      return %1 : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile1D:$input);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = "$kind $input attr-dict `:` type($result)";
}

def AttnTile_AnyOp : AttnTile_Op<"any", [Pure]> {
  let summary = "whether a condition holds for any row of the calling warp";
  let arguments = (ins AttnTile_Tile1D:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
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

def AttnTile_ConvertLayoutOp : AttnTile_Op<"convert_layout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = [{
    ```mlir
    func.func @to_registers(%q: tensor<64x64xf16, #attn_tile.shared<padding = 16>>)
        -> tensor<64x64xf16, #attn_tile.mma<warps = 4>> {
      %0 = attn_tile.convert_layout %q
          : tensor<64x64xf16, #attn_tile.shared<padding = 16>>
            -> tensor<64x64xf16, #attn_tile.mma<warps = 4>>
      return %0 : tensor<64x64xf16, #attn_tile.mma<warps = 4>>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile:$input);
  let results = (outs AttnTile_Tile:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Products and copies that run beside other work
//===----------------------------------------------------------------------===//

def AttnTile_DotStartOp : AttnTile_Op<"dot_start", [
    AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "begins a product of two tiles";
  let description = [{
    As `attn_tile.dot`. The result may be touched only by an `attn_tile.dot_wait`
    that covers it. Products end in the order in which they began.
  }];
  let arguments = (ins AttnTile_Tile2D:$lhs, AttnTile_Tile2D:$rhs,
                       AttnTile_Tile2D:$accumulator, UnitAttr:$transpose_rhs);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator (`transpose_rhs` $transpose_rhs^)?
    attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def AttnTile_DotWaitOp : AttnTile_Op<"dot_wait", [
    AllTypesMatch<["product", "result"]>]> {
  let summary = "the result of a product that has ended";
  let description = [{
    Waits until at most `pending` of the products that began are unfinished.

    ```mlir
    func.func @both(%q: tensor<64x64xf16>, %k: tensor<32x64xf16>,
                    %zero: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %0 = attn_tile.dot_start %q, %k, %zero transpose_rhs
          : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32>
      %1 = attn_tile.dot_wait 0, %0 : tensor<64x32xf32>
      return %1 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending,
                       AttnTile_Tile2D:$product);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = "$pending `,` $product attr-dict `:` type($result)";
}

def AttnTile_RingOp : AttnTile_Op<"ring", [Pure]> {
  let summary = "a ring at a place in the block's shared memory";
  let description = [{
    Its tiles begin `offset` bytes into the dynamic shared memory, its barriers at
    `barriers`.

    ```mlir
    func.func @ring() {
      %0 = attn_tile.ring at 0 barriers 32768
          : !attn_tile.ring<2, tensor<128x64xf16, #attn_tile.swizzled>>
      return
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$barriers);
  let results = (outs AttnTile_RingType:$ring);
  let assemblyFormat = "`at` $offset `barriers` $barriers attr-dict `:` type($ring)";
}

def AttnTile_InitRingOp : AttnTile_Op<"init_ring"> {
  let summary = "prepares a ring's barriers";
  let description = [{
    One thread does so, before the block's first barrier. A slot is free again
    after `readers` calls of `attn_tile.release`.
  }];
  let arguments = (ins AttnTile_RingType:$ring,
                       ConfinedAttr<I64Attr, [IntPositive]>:$readers);
  let assemblyFormat = "$ring `readers` $readers attr-dict `:` type($ring)";
}

def AttnTile_FillOp : AttnTile_Op<"fill"> {
  let summary = "copies a tile of an array to its slot";
  let description = [{
    Waits until the slot of tile number `index` is free and begins to copy the tile
    at `coordinates` of the array, in the order of its dimensions. One thread calls
    it.
  }];
  let arguments = (ins AttnTile_RingType:$ring, I32:$index,
                       AttnNV_TensorMapType:$map, Variadic<I32>:$coordinates);
  let assemblyFormat = [{
    $ring `[` $index `]` `from` $map `[` $coordinates `]` attr-dict `:` type($ring)
  }];
}

def AttnTile_PrefetchOp : AttnTile_Op<"prefetch"> {
  let summary = "brings a tile of an array to the second-level cache";
  let description = [{
    For a `fill` at the same coordinates that has to wait for its slot. One thread
    calls it, and does not wait.
  }];
  let arguments = (ins AttnTile_RingType:$ring, AttnNV_TensorMapType:$map,
                       Variadic<I32>:$coordinates);
  let assemblyFormat = [{
    $ring `from` $map `[` $coordinates `]` attr-dict `:` type($ring)
  }];
}

def AttnTile_AcquireOp : AttnTile_Op<"acquire"> {
  let summary = "waits for a tile of a ring";
  let description = [{
    Tile number `index` of the sequence. It may be used until it is released.
  }];
  let arguments = (ins AttnTile_RingType:$ring, I32:$index);
  let results = (outs AttnTile_Tile2D:$tile);
  let assemblyFormat = [{
    $ring `[` $index `]` attr-dict `:` type($ring) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def AttnTile_ReleaseOp : AttnTile_Op<"release"> {
  let summary = "gives a slot of a ring back";
  let description = [{
    One thread of each warpgroup counts as a reader, or with `each_thread` all of
    them. All products that read the tile have ended.
  }];
  let arguments = (ins AttnTile_RingType:$ring, I32:$index,
                       UnitAttr:$each_thread);
  let assemblyFormat = [{
    $ring `[` $index `]` (`each_thread` $each_thread^)? attr-dict `:` type($ring)
  }];
}

def AttnTile_InitQueueOp : AttnTile_Op<"init_queue"> {
  let summary = "prepares the queue through which a block's warps learn tile numbers";
  let description = [{
    The queue takes 48 bytes at `offset` in the dynamic shared memory. `readers`
    threads read each number. One thread prepares it, before the block's first
    barrier.
  }];
  let arguments = (ins I64Attr:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$readers);
  let assemblyFormat = "`at` $offset `readers` $readers attr-dict";
}

def AttnTile_PushTileOp : AttnTile_Op<"push_tile"> {
  let summary = "puts a number into the block's queue, as its `index`-th";
  let arguments = (ins I32:$tile, I32:$index, I64Attr:$offset);
  let assemblyFormat = "$tile `,` $index `at` $offset attr-dict";
}

def AttnTile_PopTileOp : AttnTile_Op<"pop_tile"> {
  let summary = "waits for the `index`-th number of the block's queue";
  let arguments = (ins I32:$index, I64Attr:$offset);
  let results = (outs I32:$tile);
  let assemblyFormat = "$index `at` $offset attr-dict";
}

def AttnTile_StoreAsyncOp : AttnTile_Op<"store_async"> {
  let summary = "writes a tile through shared memory";
  let description = [{
    Each warpgroup puts its rows in shared memory, `offset` bytes into it, in
    layout #attn_tile.swizzled, and one of its threads begins to copy them to
    `coordinates` of the array. Before, it waits until the shared memory of its
    previous copy was read, and with `wait` also after.
  }];
  let arguments = (ins AttnTile_Tile2D:$tile, AttnNV_TensorMapType:$map,
                       Variadic<I32>:$coordinates,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       UnitAttr:$wait);
  let assemblyFormat = [{
    $tile `to` $map `[` $coordinates `]` `through` $offset (`wait` $wait^)?
    attr-dict `:` type($tile)
  }];
}

def AttnTile_FinishStoresOp : AttnTile_Op<"finish_stores"> {
  let summary = "waits for all copies that the calling thread began";
  let assemblyFormat = "attr-dict";
}

def AttnTile_TakeTurnOp : AttnTile_Op<"take_turn"> {
  let summary = "waits until the warpgroup before has passed its turn";
  let description = [{
    `warpgroups` of them form a ring.
  }];
  let arguments = (ins I64Attr:$warpgroups);
  let assemblyFormat = "`of` $warpgroups attr-dict";
}

def AttnTile_PassTurnOp : AttnTile_Op<"pass_turn"> {
  let summary = "lets the next warpgroup take its turn";
  let description = [{
    With `initial`, only the last warpgroup does, before all turns.
  }];
  let arguments = (ins I64Attr:$warpgroups, UnitAttr:$initial);
  let assemblyFormat = "`of` $warpgroups (`initial` $initial^)? attr-dict";
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILEOPS_TD
