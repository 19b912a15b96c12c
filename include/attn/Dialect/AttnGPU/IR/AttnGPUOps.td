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
  let summary = "combines the elements of each row that a thread holds";
  let description = [{
    As `attn_tile.reduce`, but each lane combines only the elements that it holds itself, so
    that the results of the four lanes that share a row differ. `axis` is 1.
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
  let summary = "combines the partial results of the four lanes of a row";
  let description = [{
    All four lanes of a quad get the same result, by shuffles. The warps of a tile whose
    columns several warps share have partial results until `combine_warps`.

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
  let summary = "tests whether a condition holds for any row of the calling warp";
  let description = [{
    All lanes of the warp get the same result, by a vote.

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
  let summary = "combines the partial results of warps that share rows";
  let description = [{
    Each of these warps has some columns of its rows, and `input` is the sum or the maximum
    of these. Warps exchange their partial results through the dynamic shared memory from
    byte `offset` on, 4 bytes for each row and copy of the layout. All warps of the layout
    take part, as in `local_store`.

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
  let summary = "tests whether a condition holds for any row of a layout's warps";
  let description = [{
    As `vote_any`, for warps that share rows and must take the same branch. All warps of
    the layout meet at a barrier.

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
  let summary = "converts a tile to another layout";
  let description = [{
    From shared memory to registers it becomes loads of the calling warps' elements. From
    registers to shared memory, `attn-gpu-place-tiles` replaces it with `local_store`.

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
  let summary = "transposes a tile of 8-bit elements in shared memory";
  let description = [{
    wgmma of 8 bits reads right operands with K as the contiguous dimension. A tile of values
    is stored with the head dimension contiguous, so it has to be transposed. The converter
    role computes the transpose and puts it into a ring (`attn_gpu.put` with `transpose`).

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
  let summary = "takes columns of a tile in shared memory";
  let description = [{
    The result is the columns from `first` on, without a copy: it aliases the tile. If both
    have layout #attn_gpu.swizzled, they must be whole panels: `first` and the number of columns
    are multiples of the columns of a panel, except that the tile's last panel may be
    narrower. If both have layout #attn_gpu.shared, they are multiples of 16 bytes, and the
    other columns become padding of the result.

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
  let summary = "stores a tile of registers to shared memory";
  let description = [{
    The tile is stored from byte `offset` of the dynamic shared memory on. All warps that
    compute take part: they meet at a barrier before the store, since some may still read
    what the memory held, and after it, so that all may read the result. With
    `behind_barrier` the warps have already met since the last of those reads, and the
    first barrier is left out. MMAs that read the old contents must have ended.

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
    As `attn_tile.reduce` along 0. Warps exchange their partial results of each column
    through the dynamic shared memory from byte `offset` on: 4 bytes for each column and
    warp along the rows. All warps that compute take part, as in `local_store`, which also
    says what `behind_barrier` means.

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
    Begins the product of `attn_tile.dot` by wgmma, which runs asynchronously (an
    `attn_tile.dot` of a kernel becomes mma.sync). The result may only be an operand of an
    `attn_gpu.mma_wait` that waits for this MMA, or the accumulator of a later MMA of the
    block. MMAs end in the order in which they were issued.
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
  let summary = "waits for an MMA and returns its result";
  let description = [{
    Waits until at most the `pending` most recently issued MMAs are unfinished. `mma` must
    be the result of an earlier MMA than these.

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
  let summary = "a ring of tiles at an offset in shared memory";
  let description = [{
    The tiles begin at byte `offset` of the dynamic shared memory, the barriers at byte
    `barriers`. A ring without barriers is for warps that run the same program: each
    thread copies its part of each tile, and waits for the tile by
    `nvvm.cp.async.wait.group` and a barrier of the CTA, so that `attn_gpu.acquire` only
    computes the address of the slot.

    With `each_warp`, each warp releases its tiles, since its threads read them by loads;
    otherwise one thread releases them for a warpgroup. With `overlaid`, an output is
    later stored through the memory of the ring's tile, which is released only after that.
    With `unfenced`, threads copy the tiles without a fence that orders their writes before
    reads of wgmma (`fence.proxy.async`): the warps that acquire a tile make the fence.

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
    One thread runs this, before the CTA's first barrier. A slot is free again
    when `readers` warpgroups, or warps of a ring with `each_warp`, have run
    `attn_gpu.release`. `writers` is the number of warps that
    write each tile by `attn_gpu.put`, or of threads that copy it by `attn_gpu.fill`.
    Without `writers`, one thread fills slots by TMA.

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
  let summary = "copies a tile of an array to a slot of a ring";
  let description = [{
    Waits until the slot of tile number `index` is free, if the ring has barriers, and
    begins to copy the tile. Without an index, the tile is the next one of the ring: the
    n-th `fill` of one role corresponds to the n-th `acquire` of another.
    `attn-gpu-number-slots` adds the indices.

    If the source is a tensor map, one thread runs the op, and TMA copies the box at
    `coordinates` of the array, which are in the order of the array's dimensions. If the
    source is a view, all threads of the CTA run it, or the `threads` threads of a role that
    come after the CTA's first `first_thread`. Each copies its part of what
    `attn_tile.load` would read at `indices`, including zeros outside of the view. With
    `aligned`, which promises that each row of the source begins at a multiple of 16
    bytes, threads copy by cp.async, otherwise element by element. In a ring without
    barriers the copy has ended after `nvvm.cp.async.commit.group`, the wait for that group
    and a barrier of the CTA.

    With `rows`, a list in memory names the rows of a view that are copied, as in
    `attn_tile.load`, from entry `entry` on. Each thread reads the entries of its rows
    when it begins to copy.

    With `parts`, or several views, the tile's rows consist of that many equal parts. The
    coordinates of all parts follow each other; there is one map for all parts or one for
    each.

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
  let summary = "stores a tile of registers to a slot of a ring";
  let description = [{
    As `attn_gpu.fill`, for a tile in registers: each warp of the tile's layout waits until
    the slot of tile number `index` is free, writes its elements, and arrives at the slot's
    full barrier. The warps need not wait for each other.

    With `transpose`, the tile is in shared memory and has 8-bit elements: the four warps
    of the calling warpgroup write its transpose, the result of `attn_gpu.transpose`.

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
  let summary = "prefetches a tile of an array to the second-level cache";
  let description = [{
    Comes before a `fill` with the same coordinates, maps and parts that has to wait for
    its slot. One thread runs it, and does not wait.

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
    Waits for tile number `index` of the ring's sequence, or without an index for the next
    tile. The tile may be used until an `attn_gpu.release` with its `number`, which equals
    the index.

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
  let summary = "releases a slot of a ring";
  let description = [{
    One thread of each warpgroup arrives at the slot's empty barrier; with `each_warp`, each
    lane of each warp arrives, for what it has read itself. All MMAs that read the tile must
    have ended.
  }];
  let arguments = (ins AttnGPU_RingType:$ring, I32:$index,
                       UnitAttr:$each_warp);
  let assemblyFormat = [{
    $ring `[` $index `]` (`each_warp` $each_warp^)? attr-dict `:` type($ring)
  }];
}

def AttnGPU_SkipOp : AttnGPU_Op<"skip"> {
  let summary = "skips blocks that only other warpgroups need";
  let description = [{
    Acquires and releases the next tile of each ring, `count` times. With
    `ping_pong of N`, each time also runs the `ping_pong_wait` and `ping_pong_arrive` of an
    iteration, so that the order among the N warpgroups stays the same.

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
  let summary = "waits for all threads of the calling warpgroup";
  let description = [{
    A barrier of the 128 threads of a warpgroup.

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
  let summary = "divides a CTA's warpgroups into roles with a program each";
  let description = [{
    Region `i`, the program of role `i`, is run by `warpgroups[i]` warpgroups, which come
    after those of the roles before it. Where `elected[i]` is true, only one thread of them
    runs it. With `registers`, each thread of role `i` gets `registers[i]` registers
    (`setmaxnreg`), a multiple of 8 from 24 to 256; without, it keeps those of the launch.
    An SM has 65536 registers, of which a launch gives each thread the same multiple of 8:
    roles that need more than these in total are an error.
    The argument of a region is the number of the warpgroup within its role. Roles
    synchronise only by rings, named barriers and the tile scheduler.

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
    Each position below `count` is visited by one CTA of the launch, and all roles of that
    CTA visit its positions in the same order. Without `counters`, CTA c of C visits the
    positions c, c + C, c + 2C and so on. `counters` are two i32 in global memory: a CTA that
    has finished a position takes the next one from a counter. One thread of the last role,
    or of the CTA where there are no roles, takes the number and passes it to the others
    through slots at byte `broadcast` of the dynamic shared memory.

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
  let summary = "initialises the slots that pass tile numbers on";
  let description = [{
    Two slots and their barriers use 48 bytes from byte `offset` of the dynamic shared
    memory on. `readers` threads read each number. One thread runs this, before the
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
  let summary = "passes the `index`-th tile number to the CTA's readers";
  let description = [{
    Waits until all readers have read the number that the slot held before, and then
    writes `tile`.

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
    Each thread that runs it is one of the readers of `attn_gpu.init_scheduler`, and
    releases the slot after it has read the number.

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
  let summary = "stores a tile through shared memory by TMA";
  let description = [{
    Each warpgroup writes its rows to the dynamic shared memory from byte `offset` on, in
    layout #attn_gpu.swizzled, and one of its threads issues a TMA store of them to
    `coordinates` of the array. Before the warpgroup writes, that thread waits until all of
    its earlier stores but the last `pending` have read their shared memory. With `wait`
    it instead issues this store and then waits until this store has read its shared memory.
    With `add`, f32 elements are added to those of the array.

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
  let summary = "waits for all stores that the calling thread issued";
  let description = [{
    Comes at the end of a role that has `attn_gpu.store_async`: the CTA must not end
    before its stores have read their shared memory.
  }];
  let assemblyFormat = "attr-dict";
}

def AttnGPU_PingPongWaitOp : AttnGPU_Op<"ping_pong_wait"> {
  let summary = "waits until the previous warpgroup has issued its MMAs";
  let description = [{
    The `warpgroups` warpgroups of the role take turns in a cycle, by named barriers.

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
    With `initial`, which comes before all iterations, only the last warpgroup arrives, so
    that the first one can begin.

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
