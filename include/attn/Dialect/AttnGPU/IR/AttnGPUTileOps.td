//===- AttnGPUTileOps.td - What threads do with tiles ------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTILEOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTILEOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.td"
include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
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
    registers to shared memory, `attn-gpu-place-tiles` replaces it with `local_store`. A vector of
    f32 and layout `#attn_gpu.spread` becomes the slice along axis 0 of the same parent by
    shuffles of each warp.

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
  let summary = "takes columns of a tile";
  let description = [{
    The result is the columns from `first` on, without a copy. Of a tile in registers it has
    the same layout, in which each warp has all columns of its rows, and these are multiples
    of 8 columns. Of a tile in shared memory it aliases the tile. If both
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
  let extraClassDeclaration = [{
    /// Returns, for each register of the result, the register of the tile that
    /// has the same element. The tile must be in registers.
    ::llvm::SmallVector<int64_t> getRegisters();
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

def AttnGPU_StartSumOp : AttnGPU_Op<"start_sum",
    !listconcat([Pure, AllTypesMatch<["part", "result"]>],
                ElementwiseMappable.traits)> {
  let summary = "is a sum that continues, or zeros";
  let description = [{
    The result is `part` if `continues` is true, and else zeros. It may only be the accumulator
    of wgmmas, which need no instructions for that: `continues` is the predicate of the
    instruction that says whether it reads its accumulator (PTX ISA, "wgmma.mma_async":
    `scale-d`).

    ```mlir
    func.func @add(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %part: tensor<64x64xf32>,
                   %continues: i1) -> tensor<64x64xf32> {
      %0 = attn_gpu.start_sum %part if %continues : tensor<64x64xf32>
      %1 = attn_tile.dot %a, %b, %0
          : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
      return %1 : tensor<64x64xf32>
    }
    ```
  }];
  let arguments = (ins I1:$continues, AttnTile_Tile2D:$part);
  let results = (outs AttnTile_Tile2D:$result);
  let assemblyFormat = "$part `if` $continues attr-dict `:` type($result)";
  let hasFolder = 1;
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

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTILEOPS_TD
