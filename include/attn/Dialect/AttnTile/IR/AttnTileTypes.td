//===- AttnTileTypes.td - Operands of tile programs --------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILETYPES_TD
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILETYPES_TD

include "attn/Dialect/AttnTile/IR/AttnTileBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def AttnTile_Tile : Type<
    And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, HasStaticShapePred,
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

def AttnTile_RowList : Type<
    And<[AnyStridedMemRef.predicate, MemRefRankOf<[I32], [1]>.predicate]>,
    "list of rows (strided memref of i32, rank 1)", "::mlir::MemRefType">;

def AttnTile_Axis : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>;

def AttnTile_ReduceKind : I32EnumAttr<"ReduceKind", "how elements are combined", [
      I32EnumAttrCase<"Add", 0, "add">,
      I32EnumAttrCase<"MaxNum", 1, "maxnum">,
      I32EnumAttrCase<"And", 2, "and">,
      I32EnumAttrCase<"Or", 3, "or">
    ]> {
  let cppNamespace = "::mlir::attn_tile";
}

def AttnTile_Longest : I32EnumAttr<"Longest", "which programs take longest", [
      I32EnumAttrCase<"First", 0, "first">,
      I32EnumAttrCase<"Last", 1, "last">
    ]> {
  let cppNamespace = "::mlir::attn_tile";
}

def AttnTile_DomainType : TypeDef<AttnTile_Dialect, "Domain"> {
  let mnemonic = "domain";
  let summary = "blocks of columns that rows of a tile need";
  let description = [{
    A list or a range of blocks of `block` columns each, over which `attn_tile.for_blocks`
    loops. `attn_tile.domain` and `attn_tile.domain_list` make it.
  }];
  let parameters = (ins "int64_t":$block);
  let assemblyFormat = "`<` $block `>`";
  let genVerifyDecl = 1;
}

def AttnTile_SoftmaxType : TypeDef<AttnTile_Dialect, "Softmax"> {
  let mnemonic = "softmax";
  let summary = "what an online softmax carries for each of its rows";
  let description = [{
    An opaque value for the running max and the sum of `rows` rows; each target chooses
    how to represent it. The softmax is of scores times `factor`, an f64 from 2^-90 to
    2^90, in most programs the scale of the attention op.

    `exact` is for probabilities of f8E4M3FN: as far as their type allows, each of them
    keeps its bits. A target that keeps a running max for several blocks then takes a new
    one, too, when a block's probabilities are far larger than those before. Without
    `exact`, it may round these by up to 2^-4.

    ```mlir
    !attn_tile.softmax<128, factor = 0.125>
    !attn_tile.softmax<128, factor = 0.125, exact = true>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "::mlir::FloatAttr":$factor,
                        DefaultValuedParameter<"bool", "false">:$exact);
  let assemblyFormat = [{
    `<` $rows `,` `factor` `=` $factor (`,` `exact` `=` $exact^)? `>`
  }];
  let genVerifyDecl = 1;
}

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILETYPES_TD
