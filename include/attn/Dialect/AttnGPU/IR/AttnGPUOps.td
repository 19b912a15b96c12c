//===- AttnGPUOps.td - Operations of a CTA's threads --------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUKernelOps.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.td"
include "attn/Dialect/AttnNV/IR/AttnNVTypes.td"
include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AttnGPU_ReduceThreadOp : AttnGPU_Op<"reduce_thread", [Pure]> {
  let summary = "combines what a thread itself holds of each row";
  let description = [{
    As `attn_tile.reduce`, but the result differs between the four lanes that share
    a row, and is the combination of what a lane itself holds. `axis` is 1.
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile2D:$input,
                       AttnTile_Axis:$axis);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = [{
    $kind $input `along` $axis attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnGPU_CombineQuadOp : AttnGPU_Op<"combine_quad", [
    Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "combines what the lanes of a row hold";
  let description = [{
    ```mlir
    func.func @row_sum(%s: tensor<64x32xf32>) -> tensor<64xf32> {
      %0 = attn_gpu.reduce_thread add %s along 1
          : tensor<64x32xf32> -> tensor<64xf32>
      %1 = attn_gpu.combine_quad add %0 : tensor<64xf32>
      return %1 : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile1D:$input);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = "$kind $input attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def AttnGPU_VoteAnyOp : AttnGPU_Op<"vote_any", [Pure]> {
  let summary = "whether a condition holds for any row of the calling warp";
  let description = [{
    ```mlir
    func.func @any_above(%sum: tensor<64xf32>, %limit: tensor<64xf32>) -> i1 {
      %0 = arith.cmpf ogt, %sum, %limit : tensor<64xf32>
      %1 = attn_gpu.vote_any %0 : tensor<64xi1>
      return %1 : i1
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile1D:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def AttnGPU_CombineWarpsOp : AttnGPU_Op<"combine_warps", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "combines what warps that share rows hold of them";
  let description = [{
    Each of them has a part of the columns of its rows, of which `input` is the sum or
    the maximum. It passes through `offset` bytes into the dynamic shared memory: 4
    bytes for each row and copy of the layout. All warps of the layout take part, as in
    `local_store`.

    ```mlir
    !rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 8, copies = 2>>>
    func.func @row_max(%part: !rows) -> !rows {
      %0 = attn_gpu.combine_warps maxnum %part at 0 : !rows
      return %0 : !rows
    }
    ```
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile1D:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = "$kind $input `at` $offset attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def AttnGPU_VoteWarpsOp : AttnGPU_Op<"vote_warps"> {
  let summary = "whether a condition holds for any row of all warps of a layout";
  let description = [{
    As `vote_any`, of warps that share rows and decide together. All of them meet in a
    barrier.

    ```mlir
    !bits = tensor<64xi1, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 8, copies = 2>>>
    func.func @any_above(%above: !bits) -> i1 {
      %0 = attn_gpu.vote_warps %above : !bits
      return %0 : i1
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile1D:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def AttnGPU_ConvertLayoutOp : AttnGPU_Op<"convert_layout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = [{
    ```mlir
    func.func @to_registers(%q: tensor<64x64xf16, #attn_gpu.shared<padding = 16>>)
        -> tensor<64x64xf16, #attn_gpu.mma<warps = 4>> {
      %0 = attn_gpu.convert_layout %q
          : tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
            -> tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
      return %0 : tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile:$input);
  let results = (outs AttnTile_Tile:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def AttnGPU_TransposeOp : AttnGPU_Op<"transpose", [Pure]> {
  let summary = "a tile of 8-bit elements of shared memory, transposed";
  let description = [{
    What MMAs of 8 bits read along K of a tile whose rows are stored along N. A warpgroup
    of its own puts it into a ring.

    ```mlir
    func.func @of_keys(%v: tensor<128x64xf8E4M3FN, #attn_gpu.swizzled>)
        -> tensor<64x128xf8E4M3FN, #attn_gpu.swizzled<interleaved = true>> {
      %0 = attn_gpu.transpose %v
          : tensor<128x64xf8E4M3FN, #attn_gpu.swizzled>
            -> tensor<64x128xf8E4M3FN, #attn_gpu.swizzled<interleaved = true>>
      return %0 : tensor<64x128xf8E4M3FN, #attn_gpu.swizzled<interleaved = true>>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$input);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def AttnGPU_ColumnsOp : AttnGPU_Op<"columns", [Pure]> {
  let summary = "some columns of a tile in shared memory";
  let description = [{
    From column `first` on, in the tile's own memory. If both have layout
    #attn_gpu.swizzled, `first` and the number of columns are multiples of 64, so that
    they are whole panels, of which the tile's last may be narrower. If both have layout
    #attn_gpu.shared, they are multiples of 16 bytes, and the other columns are padding of
    the result.

    ```mlir
    func.func @second_half(%k: tensor<128x128xf16, #attn_gpu.swizzled>)
        -> tensor<128x64xf16, #attn_gpu.swizzled> {
      %0 = attn_gpu.columns %k from 64
          : tensor<128x128xf16, #attn_gpu.swizzled>
            -> tensor<128x64xf16, #attn_gpu.swizzled>
      return %0 : tensor<128x64xf16, #attn_gpu.swizzled>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$tile,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$first);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $tile `from` $first attr-dict `:` type($tile) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnGPU_LocalStoreOp : AttnGPU_Op<"local_store"> {
  let summary = "puts a tile of registers into shared memory";
  let description = [{
    `offset` bytes into the dynamic shared memory. All warps that compute take
    part: they wait for each other before, since some may still read what is there,
    and after, so that all may read the result. With `behind_barrier` they have met
    since the last of those reads, and wait after alone. MMAs that read what is
    there have ended.

    ```mlir
    func.func @put(%ds: tensor<64x64xf16, #attn_gpu.mma<warps = 4>>)
        -> tensor<64x64xf16, #attn_gpu.shared<padding = 16>> {
      %0 = attn_gpu.local_store %ds at 1024
          : tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
            -> tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
      return %0 : tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$tile,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       UnitAttr:$behind_barrier);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $tile `at` $offset (`behind_barrier` $behind_barrier^)? attr-dict `:` type($tile) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnGPU_ReduceColumnsOp : AttnGPU_Op<"reduce_columns"> {
  let summary = "combines the elements of each column, through shared memory";
  let description = [{
    As `attn_tile.reduce` along 0. What each warp has of a column passes through
    `offset` bytes into the dynamic shared memory: 4 bytes for each column and warp
    along the rows. All warps that compute take part, as in `local_store`.

    ```mlir
    func.func @column_max(%s: tensor<64x32xf32, #attn_gpu.mma<warps = 4>>)
        -> tensor<32xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 4>>> {
      %0 = attn_gpu.reduce_columns maxnum %s at 0
          : tensor<64x32xf32, #attn_gpu.mma<warps = 4>>
            -> tensor<32xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 4>>>
      return %0 : tensor<32xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 4>>>
    }
    ```
  }];
  let arguments = (ins AttnTile_ReduceKind:$kind, AttnTile_Tile2D:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       UnitAttr:$behind_barrier);
  let results = (outs AttnTile_Tile1D:$result);
  let assemblyFormat = [{
    $kind $input `at` $offset (`behind_barrier` $behind_barrier^)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnGPU_MmaOp : AttnGPU_Op<"mma", [
    AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "issues an MMA of two tiles";
  let description = [{
    As `attn_tile.dot`, by wgmma: a dot that is still there when a launch is lowered
    is one of mma.sync. The result may be touched only by an `attn_gpu.mma_wait`
    that covers it, or be the accumulator of a later MMA of the block. MMAs end in the
    order in which they were issued.
  }];
  let arguments = (ins AttnTile_Tile2D:$lhs, AttnTile_Tile2D:$rhs,
                       AttnTile_Tile2D:$accumulator, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator (`transpose_lhs` $transpose_lhs^)?
    (`transpose_rhs` $transpose_rhs^)?
    attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def AttnGPU_MmaWaitOp : AttnGPU_Op<"mma_wait", [
    AllTypesMatch<["mma", "result"]>]> {
  let summary = "the result of an MMA that has ended";
  let description = [{
    Waits until at most `pending` of the MMAs that were issued are unfinished.

    ```mlir
    func.func @both(%q: tensor<64x64xf16>, %k: tensor<32x64xf16>,
                    %zero: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %0 = attn_gpu.mma %q, %k, %zero transpose_rhs
          : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32>
      %1 = attn_gpu.mma_wait 0, %0 : tensor<64x32xf32>
      return %1 : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending,
                       AttnTile_Tile2D:$mma);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = "$pending `,` $mma attr-dict `:` type($result)";
}

def AttnGPU_RingOp : AttnGPU_Op<"ring", [Pure]> {
  let summary = "a ring at an offset in the block's shared memory";
  let description = [{
    Its tiles begin `offset` bytes into the dynamic shared memory, its barriers at
    `barriers`. A ring without barriers is for warps that go through the program
    together: each thread copies its part of each tile and waits for it by
    `nvvm.cp.async.wait.group` and a barrier of the block, so that `attn_gpu.fill` and
    `attn_gpu.acquire` only compute the slot.

    With `each_warp`, each warp releases its tiles, not one thread for
    a warpgroup: threads read them by themselves. With `overlaid`, an output takes
    the memory of its tile: that is released when the output was stored. With
    `unfenced`, threads copy its tiles and make no fence that orders their writes before
    reads of wgmma: whoever acquires a tile does.

    ```mlir
    func.func @ring() {
      %0 = attn_gpu.ring at 0 barriers 32768
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      %1 = attn_gpu.ring at 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
      return
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$barriers,
                       UnitAttr:$each_warp, UnitAttr:$overlaid, UnitAttr:$unfenced);
  let results = (outs AttnGPU_RingType:$ring);
  let assemblyFormat = [{
    `at` $offset (`barriers` $barriers^)? (`each_warp` $each_warp^)?
    (`overlaid` $overlaid^)? (`unfenced` $unfenced^)? attr-dict `:` type($ring)
  }];
  let extraClassDeclaration = [{
    /// The distance of slots in bytes.
    int64_t getSlotBytes() {
      return getRing().getType().getTileBytes(getBarriers().has_value());
    }
  }];
}

def AttnGPU_InitRingOp : AttnGPU_Op<"init_ring"> {
  let summary = "prepares a ring's barriers";
  let description = [{
    One thread does so, before the block's first barrier. A slot is free again
    after `readers` calls of `attn_gpu.release`. With `writers`, as many warps put
    each tile there by `attn_gpu.put`, or as many threads by `attn_gpu.fill`; without,
    one thread fills it by TMA.

    ```mlir
    func.func @for_two_warpgroups() {
      %0 = attn_gpu.ring at 0 barriers 32768
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      attn_gpu.init_ring %0 readers 2
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      return
    }
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring,
                       ConfinedAttr<I64Attr, [IntPositive]>:$readers,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$writers);
  let assemblyFormat = [{
    $ring `readers` $readers (`writers` $writers^)? attr-dict `:` type($ring)
  }];
}

def AttnGPU_FillOp : AttnGPU_Op<"fill", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copies a tile of an array to its slot";
  let description = [{
    Waits until the slot of tile number `index` is free, if the ring has barriers, and
    begins to copy the tile. Without an index, it is the next tile of the ring: the
    n-th `fill` of a role meets the n-th `acquire` of another. `attn-gpu-number-slots`
    gives each its index.

    From a tensor map, one thread calls it, and TMA copies the box at `coordinates` of
    the array, in the order of its dimensions. From a view, all threads of the block
    call it, or the `threads` of a role that come after the first `first_thread` ones
    of the block, and each copies its part of what
    `attn_tile.load` would read at `indices`, zeros outside of the view included. With
    `aligned`, which promises that each row of the source begins at a multiple of 16
    bytes, they copy by cp.async; else element by element. In a ring without barriers
    the copy has ended after `nvvm.cp.async.commit.group`, the wait for that group
    and a barrier of the block.

    With `rows`, a list in memory names the rows of a view, as that of `attn_tile.load`
    from position `entry` on. Each thread reads the entries of the rows that it copies
    when it begins to copy.

    With `parts`, or more than one view, the tile's rows come in as many equal parts,
    each from coordinates of its own, one part's after the other's, and of one map or a
    map for each.

    | operand | shape | element type |
    |---|---|---|
    | `sources` | rank at least 2 | that of the ring's tile |
    | `indices` | one for each dimension of each source | index |
    | `list` | optional, rank 1, any stride; beside one view | i32 |
    | `entry` | beside `list` | index |

    ```mlir
    func.func @two_pages(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                         %pool: !attn_nv.tensor_map, %page: i32, %other: i32, %zero: i32) {
      attn_gpu.fill %ring from %pool[%page, %zero, %zero, %other, %zero, %zero] parts 2
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      return
    }
    func.func @by_threads(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                          %k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                          %j: index) {
      %c0 = arith.constant 0 : index
      attn_gpu.fill %ring of %k[%c0, %c0, %j, %c0] aligned
          : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
            memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
      return
    }
    func.func @tokens(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                      %k: memref<?x64xf16>, %tokens: memref<?xi32>, %first: index) {
      %c0 = arith.constant 0 : index
      attn_gpu.fill %ring of %k[%c0, %c0] rows %tokens[%first] aligned
          : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
            memref<?x64xf16>, memref<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring, Optional<I32>:$index,
                       Variadic<AttnNV_TensorMapType>:$maps,
                       Variadic<I32>:$coordinates,
                       Variadic<AnyStridedMemRef>:$sources,
                       Variadic<Index>:$indices,
                       Optional<AttnTile_RowList>:$list, Optional<Index>:$entry,
                       DefaultValuedAttr<I64Attr, "1">:$parts, UnitAttr:$aligned,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$threads,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$first_thread);
  let assemblyFormat = [{
    $ring (`[` $index^ `]`)? (`from` $maps^ `[` $coordinates `]`)?
    (`of` $sources^ `[` $indices `]`)? (`rows` $list^ `[` $entry `]`)?
    (`parts` $parts^)? (`aligned` $aligned^)? (`by` $threads^ `after` $first_thread)?
    attr-dict `:` type($ring) ``
    custom<ViewTypes>(type($sources), type($list), ref($list))
  }];
  let extraClassDeclaration = [{
    /// The tensor map by which a part is copied.
    static Value getMapOfPart(ValueRange maps, int64_t part) {
      return maps[maps.size() == 1 ? 0 : part];
    }
    /// Whether threads copy the tile from a view; otherwise TMA does by a
    /// tensor map.
    bool isByThreads() { return !getSources().empty(); }
    /// The indices of a part in its view.
    OperandRange getIndicesOfPart(int64_t part) {
      int64_t rank = getIndices().size() / getSources().size();
      return getIndices().slice(part * rank, rank);
    }
  }];
  let builders = [
    OpBuilder<(ins "Value":$ring, "ValueRange":$maps, "ValueRange":$coordinates,
                   "int64_t":$parts), [{
      build($_builder, $_state, ring, /*index=*/Value(), maps, coordinates,
            /*sources=*/{}, /*indices=*/{}, /*list=*/Value(), /*entry=*/Value(),
            parts, /*aligned=*/false,
            /*threads=*/IntegerAttr(), /*first_thread=*/IntegerAttr());
    }]>,
    OpBuilder<(ins "Value":$ring, "Value":$index, "ValueRange":$sources,
                   "ValueRange":$indices, "Value":$list, "Value":$entry,
                   "bool":$aligned), [{
      build($_builder, $_state, ring, index, /*maps=*/{},
            /*coordinates=*/{}, sources, indices, list, entry, sources.size(), aligned,
            /*threads=*/IntegerAttr(), /*first_thread=*/IntegerAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def AttnGPU_PutOp : AttnGPU_Op<"put"> {
  let summary = "writes a tile of registers to its slot";
  let description = [{
    As `attn_gpu.fill`, for a tile that warps have: each of them waits until the
    slot of tile number `index` is free, writes its elements, and arrives. All warps
    of the tile's layout take part, but need not meet.

    With `transpose`, the tile is one of 8-bit elements in shared memory: the four warps
    of the calling warpgroup write its transpose, as `attn_gpu.transpose` has it.

    ```mlir
    func.func @pass_on(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                       %ds: tensor<128x64xf16, #attn_gpu.mma<warps = 8>>) {
      attn_gpu.put %ds to %ring
          : tensor<128x64xf16, #attn_gpu.mma<warps = 8>>,
            !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$tile, AttnGPU_RingType:$ring,
                       Optional<I32>:$index, UnitAttr:$transpose);
  let assemblyFormat = [{
    $tile `to` $ring (`[` $index^ `]`)? (`transpose` $transpose^)? attr-dict `:` type($tile) `,` type($ring)
  }];
  let hasVerifier = 1;
}

def AttnGPU_PrefetchOp : AttnGPU_Op<"prefetch", [AttrSizedOperandSegments]> {
  let summary = "brings a tile of an array to the second-level cache";
  let description = [{
    For a `fill` at the same coordinates, by the same maps and in the same parts, that
    has to wait for its slot. One thread calls it, and does not wait.

    ```mlir
    func.func @early(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                     %map: !attn_nv.tensor_map, %i: i32) {
      attn_gpu.prefetch %ring from %map[%i, %i, %i]
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      attn_gpu.fill %ring from %map[%i, %i, %i]
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      return
    }
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring,
                       Variadic<AttnNV_TensorMapType>:$maps,
                       Variadic<I32>:$coordinates,
                       DefaultValuedAttr<I64Attr, "1">:$parts);
  let assemblyFormat = [{
    $ring `from` $maps `[` $coordinates `]` (`parts` $parts^)? attr-dict `:` type($ring)
  }];
  let hasVerifier = 1;
}

def AttnGPU_AcquireOp : AttnGPU_Op<"acquire"> {
  let summary = "waits for a tile of a ring";
  let description = [{
    Tile number `index` of the sequence, or, without one, the next. It may be used
    until it is released by its `number`, which is the index.

    ```mlir
    func.func @next(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>) {
      %tile, %number = attn_gpu.acquire %ring
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
            -> tensor<128x64xf16, #attn_gpu.swizzled>
      attn_gpu.release %ring[%number]
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      return
    }
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring, Optional<I32>:$index);
  let results = (outs AttnTile_Tile:$tile, I32:$number);
  let assemblyFormat = [{
    $ring (`[` $index^ `]`)? attr-dict `:` type($ring) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def AttnGPU_ReleaseOp : AttnGPU_Op<"release"> {
  let summary = "gives a slot of a ring back";
  let description = [{
    One thread of each warpgroup counts as a reader, or with `each_warp` each
    warp, by all of its lanes. All MMAs that read the tile have ended.
  }];
  let arguments = (ins AttnGPU_RingType:$ring, I32:$index,
                       UnitAttr:$each_warp);
  let assemblyFormat = [{
    $ring `[` $index `]` (`each_warp` $each_warp^)? attr-dict `:` type($ring)
  }];
}

def AttnGPU_SkipOp : AttnGPU_Op<"skip"> {
  let summary = "takes part in blocks that only other warpgroups need";
  let description = [{
    Acquires and releases the next tile of each ring, `count` times. With
    `ping_pong`, each of them waits and arrives as an iteration of the warpgroup does,
    among as many warpgroups.

    ```mlir
    func.func @leave_out(%keys: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                         %values: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>, %n: index) {
      attn_gpu.skip %n of %keys, %values ping_pong of 2
          : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
            !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<AttnGPU_RingType>:$rings, Index:$count,
                       OptionalAttr<I64Attr>:$ping_pong);
  let assemblyFormat = [{
    $count `of` $rings (`ping_pong` `of` $ping_pong^)? attr-dict
    `:` type($rings)
  }];
  let hasVerifier = 1;
}

def AttnGPU_SyncWarpgroupOp : AttnGPU_Op<"sync_warpgroup"> {
  let summary = "waits for all threads of the warpgroup";
  let description = [{
    ```mlir
    func.func @meet() {
      attn_gpu.sync_warpgroup
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def AttnGPU_RolesOp : AttnGPU_Op<"roles", [
    NoTerminator, RecursiveMemoryEffects]> {
  let summary = "a program for each group of a CTA's warpgroups";
  let description = [{
    Region `i` is run by the next `warpgroups[i]` warpgroups; where `elected[i]`
    holds, by one thread of them. With `registers`, threads of role `i` have
    `registers[i]` of them each, a multiple of 8 from 24 to 256, else what the
    launch gave all. An SM has 65536, of which a launch gives each thread a
    multiple of 8: more in all than that is an error.
    A region's argument is the number of the warpgroup in its role. Roles meet in
    rings, named barriers and the tile scheduler alone.

    ```mlir
    func.func @roles(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                     %map: !attn_nv.tensor_map, %i: i32) {
      attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
      ^bb0(%warpgroup: index):
        %tile, %number = attn_gpu.acquire %ring
            : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
              -> tensor<128x64xf16, #attn_gpu.swizzled>
        attn_gpu.release %ring[%number]
            : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      }, {
      ^bb0(%warpgroup: index):
        attn_gpu.fill %ring from %map[%i, %i, %i]
            : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      }
      return
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$warpgroups,
                       OptionalAttr<DenseI64ArrayAttr>:$registers,
                       DenseBoolArrayAttr:$elected);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let assemblyFormat = [{
    `warpgroups` $warpgroups (`registers` $registers^)? `elected` $elected
    $bodies attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of the role whose region holds the op. One of them must.
    unsigned getRole(Operation *op);
    /// The number of a role's first warpgroup.
    int64_t getFirstWarpgroup(unsigned role);
  }];
}

//===----------------------------------------------------------------------===//
// The tile scheduler
//===----------------------------------------------------------------------===//

// Its effects are unknown: a role without work for a tile still takes part in
// passing tile numbers on.
def AttnGPU_ForTilesOp : AttnGPU_Op<"for_tiles", [SingleBlock, NoTerminator]> {
  let summary = "a loop over the tiles that the CTA takes";
  let description = [{
    Each position below `count` goes to one CTA of the launch, and each role of that
    CTA sees the same ones in the same order. Without `counters`, a CTA takes every
    so many-th. With them, two words of global memory, one that is done takes the
    next: one thread of the last role asks, or without roles of the CTA, and tells the others
    through slots in shared memory, at byte `broadcast` of it.

    ```mlir
    func.func @persistent(%count: index) {
      attn_gpu.for_tiles %position of %count {
      }
      return
    }
    ```
  }];
  let arguments = (ins Index:$count,
                       Optional<LLVM_PointerInAddressSpace<1>>:$counters,
                       OptionalAttr<I64Attr>:$broadcast);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    Value getPosition() { return getBody().getArgument(0); }
  }];
}

def AttnGPU_InitSchedulerOp : AttnGPU_Op<"init_scheduler"> {
  let summary = "prepares the slots through which a CTA's warps learn tile numbers";
  let description = [{
    Two slots and their barriers take 48 bytes at `offset` in the dynamic shared
    memory. `readers` threads read each number. One thread prepares them, before the
    CTA's first barrier.

    ```mlir
    func.func @two_consumers() {
      attn_gpu.init_scheduler at 4096 readers 256
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$readers);
  let assemblyFormat = "`at` $offset `readers` $readers attr-dict";
}

def AttnGPU_PublishTileOp : AttnGPU_Op<"publish_tile"> {
  let summary = "tells the CTA's readers a tile number, the `index`-th";
  let description = [{
    Waits until all readers have read the number that its slot held before.

    ```mlir
    func.func @tell(%tile: i32, %n: i32) {
      attn_gpu.publish_tile %tile, %n at 4096
      return
    }
    ```
  }];
  let arguments = (ins I32:$tile, I32:$index, I64Attr:$offset);
  let assemblyFormat = "$tile `,` $index `at` $offset attr-dict";
}

def AttnGPU_NextTileOp : AttnGPU_Op<"next_tile"> {
  let summary = "waits for the `index`-th tile number of the CTA";
  let description = [{
    Each thread that calls it is a reader, and gives the slot back.

    ```mlir
    func.func @hear(%n: i32) -> i32 {
      %0 = attn_gpu.next_tile %n at 4096
      return %0 : i32
    }
    ```
  }];
  let arguments = (ins I32:$index, I64Attr:$offset);
  let results = (outs I32:$tile);
  let assemblyFormat = "$index `at` $offset attr-dict";
}

def AttnGPU_StoreAsyncOp : AttnGPU_Op<"store_async"> {
  let summary = "writes a tile through shared memory";
  let description = [{
    Each warpgroup puts its rows in shared memory, `offset` bytes into it, in
    layout #attn_gpu.swizzled, and one of its threads begins to copy them to
    `coordinates` of the array. Before, it waits until the shared memory of its
    previous copies was read, but for the last `pending` of them, and with `wait`
    also after. With `add`, f32 elements are added to what the array holds.

    ```mlir
    func.func @write(%o: tensor<128x64xf16, #attn_gpu.mma<warps = 8>>,
                     %map: !attn_nv.tensor_map, %i: i32) {
      attn_gpu.store_async %o to %map[%i, %i, %i] through 1024
          : tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
      attn_gpu.finish_stores
      return
    }
    ```
  }];
  let arguments = (ins AttnTile_Tile2D:$tile, AttnNV_TensorMapType:$map,
                       Variadic<I32>:$coordinates,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       UnitAttr:$wait, UnitAttr:$add,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>,
                                         "0">:$pending);
  let assemblyFormat = [{
    $tile `to` $map `[` $coordinates `]` `through` $offset (`wait` $wait^)?
    (`add` $add^)? (`pending` $pending^)? attr-dict `:` type($tile)
  }];
}

def AttnGPU_FinishStoresOp : AttnGPU_Op<"finish_stores"> {
  let summary = "waits for all copies that the calling thread began";
  let description = [{
    Those of `attn_gpu.store_async`, at the end of a role: shared memory must stay
    until they have read it.
  }];
  let assemblyFormat = "attr-dict";
}

def AttnGPU_PingPongWaitOp : AttnGPU_Op<"ping_pong_wait"> {
  let summary = "waits until the warpgroup before has issued its MMAs";
  let description = [{
    `warpgroups` of them form a ring.

    ```mlir
    func.func @turn() {
      attn_gpu.ping_pong_wait of 2
      attn_gpu.ping_pong_arrive of 2
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$warpgroups);
  let assemblyFormat = "`of` $warpgroups attr-dict";
}

def AttnGPU_PingPongArriveOp : AttnGPU_Op<"ping_pong_arrive"> {
  let summary = "lets the next warpgroup issue its MMAs";
  let description = [{
    With `initial`, only the last warpgroup does, before all iterations.

    ```mlir
    func.func @first_turn() {
      attn_gpu.ping_pong_arrive of 2 initial
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$warpgroups, UnitAttr:$initial);
  let assemblyFormat = "`of` $warpgroups (`initial` $initial^)? attr-dict";
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD
