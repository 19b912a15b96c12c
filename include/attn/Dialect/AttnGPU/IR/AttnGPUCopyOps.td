//===- AttnGPUCopyOps.td - Copies and rings of slots -------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUCOPYOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUCOPYOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.td"
include "attn/Dialect/AttnNV/IR/AttnNVTypes.td"
include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

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
    With `follows`, beside `each_warp`, a slot is filled again only after a slot of another
    ring, with a tile of the same step, which is released when MMAs that depend on this
    ring's tile have ended. All reads of the slot have then ended, too, so that a release
    needs no fence between them and the copy of the next tile.

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
                       UnitAttr:$each_warp, UnitAttr:$overlaid, UnitAttr:$unfenced,
                       UnitAttr:$follows);
  let results = (outs AttnGPU_RingType:$ring);
  let assemblyFormat = [{
    `at` $offset (`barriers` $barriers^)? (`each_warp` $each_warp^)?
    (`overlaid` $overlaid^)? (`unfenced` $unfenced^)? (`follows` $follows^)?
    attr-dict `:` type($ring)
  }];
  let extraClassDeclaration = [{
    /// Returns the number of bytes from the beginning of one slot of the ring
    /// to that of the next.
    int64_t getSlotBytes() {
      return getRing().getType().getTileBytes(getBarriers().has_value());
    }
  }];
  let hasVerifier = 1;
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
  let hasVerifier = 1;
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
    coordinates of all parts follow each other; there is one map for all parts, one for
    each, or one for each panel of each part, as TMA copies panels of 128 bytes of columns.

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
    /// Returns the tensor map by which TMA copies part number `part`: the only
    /// map, or the one at index `part` if there is a map for each part.
    static Value getMapOfPart(ValueRange maps, int64_t part) {
      return maps[maps.size() == 1 ? 0 : part];
    }
    /// Whether threads copy the tile of this fill to shared memory, from a
    /// memref. Otherwise TMA copies it, by a tensor map.
    bool isByThreads() { return !getSources().empty(); }
    /// Returns the indices at which part number `part` of the tile begins in
    /// its view, one for each dimension of the view.
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
    full barrier. The warps need not wait for each other. If the ring's tiles have
    elements of f16 or bf16 and the tile has f8E4M3FN, f8E5M2, i8 or i4, each element is
    extended as by arith.extf or arith.sitofp. This happens after the wait, during which the
    wider elements would take registers.

    A vector of layout `#attn_gpu.slice` along axis 1, such as factors of rows, is put into a
    ring of vectors. Lanes that have the same element write it alike.

    With `meets`, the warps of the calling warpgroup meet at a barrier before they write, since
    their MMAs have read another tile in the same memory (`attn_tile.reuse`).

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
  let arguments = (ins AttnTile_Tile:$tile, AttnGPU_RingType:$ring,
                       Optional<I32>:$index, UnitAttr:$transpose,
                       UnitAttr:$meets);
  let assemblyFormat = [{
    $tile `to` $ring (`[` $index^ `]`)? (`transpose` $transpose^)? (`meets` $meets^)? attr-dict `:` type($tile) `,` type($ring)
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

    A lane's loads may still be under way when it arrives: a fence comes before the arrival if the
    copy that fills the slot again is asynchronous (TMA). With `ordered`, ops before this one
    depend on all that the lane has loaded from the tile, so that no fence is needed.
  }];
  let arguments = (ins AttnGPU_RingType:$ring, I32:$index,
                       UnitAttr:$each_warp, UnitAttr:$ordered);
  let assemblyFormat = [{
    $ring `[` $index `]` (`each_warp` $each_warp^)? (`ordered` $ordered^)?
    attr-dict `:` type($ring)
  }];
  let hasVerifier = 1;
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
  let hasVerifier = 1;
}

def AttnGPU_FinishStoresOp : AttnGPU_Op<"finish_stores"> {
  let summary = "waits for all stores that the calling thread issued";
  let description = [{
    Comes at the end of a role that has `attn_gpu.store_async`: the CTA must not end
    before its stores have read their shared memory.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUCOPYOPS_TD
