//===- AttnTileLoopOps.td - The grid and loops of blocks ---*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILELOOPOPS_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILELOOPOPS_TD

include "attn/Dialect/AttnTile/IR/AttnTileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

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
    let a target choose the order in which they run, and leave programs out:

    | attribute or operand | meaning |
    |---|---|
    | `longest` | whether the `first` or the `last` programs along the last dimension take longest |
    | `shared` | the dimensions, except the last one, along which programs read the same tiles of some array |
    | `position_bytes` | the bytes that a program reads, or adds to, for each position that its loops visit, and that all programs along the last dimension read again |
    | `limit` | the number of programs along the last dimension that do something, in memory: the programs from that one on have no effect, and a target may leave them out |

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

    func.func @listed(%starts: memref<?xi32>, %used: memref<1xi32>, %most: index) {
      attn_tile.grid (%i) to (%most) step [1] limit %used : memref<1xi32> {
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, Optional<Index>:$position_bytes,
                       Optional<MemRefRankOf<[I32], [1]>>:$limit,
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
    machines. `schedule`, if given, is that of the programs, and tells a target how many of them
    run at a time on each of its processors.

    ```mlir
    func.func @splits() -> index {
      %0 = attn_tile.processors
      return %0 : index
    }
    ```
  }];
  let arguments = (ins OptionalAttr<AnyAttr>:$schedule);
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

def AttnTile_RareOp : AttnTile_Op<"rare", [Pure]> {
  let summary = "is a condition that seldom holds";
  let description = [{
    Returns `condition`. A target may keep a branch on the result, and not run what the
    branch skips in order to select a result afterwards.

    ```mlir
    func.func @mask_rarely(%any: i1, %s: tensor<64x64xf32>, %masked: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = attn_tile.rare %any
      %1 = scf.if %0 -> tensor<64x64xf32> {
        scf.yield %masked : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      return %1 : tensor<64x64xf32>
    }
    ```
  }];
  let arguments = (ins I1:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict";
  let hasFolder = 1;
}

def AttnTile_YieldOp : AttnTile_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["GridOp", "ForBlocksOp"]>]> {
  let summary = "ends the body of a loop with the carried values";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILELOOPOPS_TD
