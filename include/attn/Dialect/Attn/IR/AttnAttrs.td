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
include "attn/Dialect/Attn/IR/AttnInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Attn_Alignment : I32EnumAttr<"Alignment",
    "where the diagonal of the score matrix starts", [
      I32EnumAttrCase<"TopLeft", 0, "top_left">,
      I32EnumAttrCase<"BottomRight", 1, "bottom_right">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_Gradients : I32BitEnumAttr<"Gradients", "operands that gradients are of", [
      I32BitEnumAttrCaseBit<"Query", 0, "query">,
      I32BitEnumAttrCaseBit<"Key", 1, "key">,
      I32BitEnumAttrCaseBit<"Value", 2, "value">,
      I32BitEnumAttrCaseBit<"Sink", 3, "sink">,
      I32BitEnumAttrCaseBit<"QueryRope", 4, "query_rope">,
      I32BitEnumAttrCaseBit<"KeyRope", 5, "key_rope">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_NarrowProducts : I32EnumAttr<"NarrowProducts",
    "the products of gradients whose operands are all rounded to 8 bits", [
      I32EnumAttrCase<"Scores", 0, "scores">,
      I32EnumAttrCase<"All", 1, "all">
    ]> {
  let cppNamespace = "::mlir::attn";
}

class Attn_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Attn_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Attn_MaskAttr : Attn_Attr<"Mask", "mask"> {
  let summary = "a mask by diagonals: causal order, a sliding window";
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
    /// Returns the largest value of `j - i - d`, for key j, row i and the
    /// mask's diagonal d (0 or, for `bottom_right`, len_kv - len_q), of the
    /// pairs that the mask keeps, or none if there is no limit.
    std::optional<int64_t> getUpperDiagonal() const {
      return getCausal() ? std::optional<int64_t>(0) : getRight();
    }
    /// Returns the smallest value of `j - i - d`, as in getUpperDiagonal(), of
    /// the pairs that the mask keeps, or none if there is no limit.
    std::optional<int64_t> getLowerDiagonal() const {
      return getLeft() ? std::optional<int64_t>(-*getLeft()) : std::nullopt;
    }
    /// The largest value that a bound of the window may have.
    static constexpr int64_t kMaxBound = 2147483647;
  }];
}

def Attn_TilesAttr : Attn_Attr<"Tiles", "tiles", [Attn_TileSizesAttrInterface]> {
  let summary = "a schedule for the host: the sizes of tiles";
  let description = [{
    `attn-assign-tiles` sets it, unless one is written by hand. `q` is the number of query
    rows of one tile program, `kv` the number of keys and values that it visits in one
    iteration; both are multiples of 16 from 16 to 1024. With `split_kv`, keys are divided among
    programs, and query heads that share keys are rows of the same program.

    ```mlir
    #attn.tiles<q = 64, kv = 64>
    ```
  }];
  let parameters = (ins "int64_t":$q, "int64_t":$kv,
                        DefaultValuedParameter<"bool", "false">:$split_kv);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getTileQ() const { return getQ(); }
    int64_t getTileKv() const { return getKv(); }
    int64_t getValueColumns(int64_t columns) const {
      return ::llvm::alignTo<16>(columns);
    }
    TileSizesAttrInterface getRowwise() const {
      return get(getContext(), getQ(), getKv(), /*split_kv=*/false);
    }
    bool mayAccumulate(int64_t columns, ::mlir::Type operand) const { return true; }
    bool mayAdd(int64_t columns) const { return false; }
    bool mayAddApart() const { return false; }
    bool addsFromRegisters() const { return false; }
    TileSizesAttrInterface getWithoutAdding() const { return *this; }
    int64_t getMostRows() const { return 0; }
    bool mayListRows() const { return true; }
    bool foldsRowFactors() const { return false; }
    ::llvm::StringRef getScoresRole() const { return {}; }
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
