//===- AttnAttrs.td - Attributes of the attn dialect -------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD

include "attn/Dialect/Attn/IR/AttnBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Attn_Alignment : I32EnumAttr<"Alignment",
    "where the diagonal of the score matrix starts", [
      I32EnumAttrCase<"TopLeft", 0, "top_left">,
      I32EnumAttrCase<"BottomRight", 1, "bottom_right">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_Access : I32EnumAttr<"Access",
    "what is known of the addresses of an op's arrays", [
      I32EnumAttrCase<"Narrow", 0, "narrow">,
      I32EnumAttrCase<"Async16", 1, "async16">,
      I32EnumAttrCase<"Tma", 2, "tma">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_Blocks : I32EnumAttr<"Blocks",
    "how the blocks of a launch share its tiles", [
      I32EnumAttrCase<"Single", 0, "single">,
      I32EnumAttrCase<"Loop", 1, "loop">,
      I32EnumAttrCase<"Queue", 2, "queue">
    ]> {
  let cppNamespace = "::mlir::attn";
}

class Attn_Attr<string name, string attrMnemonic> : AttrDef<Attn_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Attn_MaskAttr : Attn_Attr<"Mask", "mask"> {
  let summary = "a structured mask: causal order, a sliding window";
  let description = [{
    Keeps the pair of query row `i` and key column `j` when all of these hold,
    where `d` is 0 for `top_left` and `len_kv - len_q` for `bottom_right`:

    | parameter | keeps |
    |---|---|
    | `causal` | `j <= i + d` |
    | `left = L` | `j >= i + d - L` |
    | `right = R` | `j <= i + d + R` |

    Both bounds of the window are inclusive; an absent bound is unlimited.

    ```mlir
    #attn.mask<top_left, causal>
    #attn.mask<bottom_right, causal, left = 128>
    #attn.mask<top_left, left = 16, right = 16>
    ```
  }];
  let parameters = (ins
    "::mlir::attn::Alignment":$alignment,
    "bool":$causal,
    "std::optional<int64_t>":$left,
    "std::optional<int64_t>":$right
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The largest `j - i - d` that is kept, if any bound applies.
    std::optional<int64_t> getUpperDiagonal() const {
      return getCausal() ? std::optional<int64_t>(0) : getRight();
    }
    /// The smallest `j - i - d` that is kept, if any bound applies.
    std::optional<int64_t> getLowerDiagonal() const {
      return getLeft() ? std::optional<int64_t>(-*getLeft()) : std::nullopt;
    }
    /// The largest window bound accepted.
    static constexpr int64_t kMaxBound = 2147483647;
  }];
}

def Attn_ScheduleAttr : Attn_Attr<"Schedule", "schedule"> {
  let summary = "how an attention op is to be tiled and executed";
  let description = [{
    Assigned by `attn-assign-schedule` from a table, or written by hand, which
    overrides the table.

    | parameter | meaning |
    |---|---|
    | `tile_q` | query rows of one tile program |
    | `tile_kv` | keys and values visited in one step |
    | `warps` | on a GPU, warps of the block, each with its own rows of a tile |
    | `access` | on a GPU, `narrow`, the default: rows of query, key and value begin at any element; `async16`: at multiples of 16 bytes; `tma`: the same, and the tensor memory accelerator can describe the arrays |
    | `stages` | tiles of keys, and of values, that shared memory holds |
    | `overlap` | with `tma`, the softmax of a block runs beside the product of the previous block's weights with its values |
    | `ping_pong` | with `overlap`, warpgroups take turns to begin their products, so that one's softmax runs beside another's products |
    | `lazy_max` | a row's reference for its weights stays while the sums of the weights that lanes have of it are at most 2^14, which a warp tests at once for its rows: steps do not look for their maximum |
    | `blocks` | `single`, the default: a block for each tile; with `tma` also `loop`: a block for each multiprocessor, each with every so many-th tile; `queue`: the same, but a block that is done takes the next tile, and the longest come first |

    Tile sizes are multiples of 16, at most 1024. `warps` is from 1 to 32, and
    16 rows for each must divide `tile_q`; 0, the default, means not a GPU. With
    `tma` the warps form warpgroups of four, with 64 rows each, and a further
    warpgroup makes the copies.
  }];
  let parameters = (ins "int64_t":$tile_q, "int64_t":$tile_kv,
                        DefaultValuedParameter<"int64_t", "0">:$warps,
                        DefaultValuedParameter<"::mlir::attn::Access",
                            "::mlir::attn::Access::Narrow">:$access,
                        DefaultValuedParameter<"int64_t", "2">:$stages,
                        DefaultValuedParameter<"bool", "true">:$overlap,
                        DefaultValuedParameter<"::mlir::attn::Blocks",
                            "::mlir::attn::Blocks::Single">:$blocks,
                        DefaultValuedParameter<"bool", "false">:$ping_pong,
                        DefaultValuedParameter<"bool", "false">:$lazy_max);
  let builders = [
    AttrBuilder<(ins "int64_t":$tileQ, "int64_t":$tileKv, "int64_t":$warps,
                     "::mlir::attn::Access":$access), [{
      return $_get($_ctxt, tileQ, tileKv, warps, access, 2, true,
                   ::mlir::attn::Blocks::Single, false, false);
    }]>
  ];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
