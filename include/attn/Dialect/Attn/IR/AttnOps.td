//===- AttnOps.td - Operations of the attn dialect ---------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

class Attn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Attn_Dialect, mnemonic, traits>;

def Attn_TensorOrMemRef
    : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef], "ranked tensor or strided memref">;

def Attn_AttentionOp : Attn_Op<"attention", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition", "generateResultTileValue"]>]> {
  let summary = "softmax(scale * query * key^T) * value, with masks and a score function";
  let description = [{
    For every batch entry `b`, query head `h` and query row `i`, with
    `g = Hq / Hkv` query heads sharing a key and value head:

    ```
    s[j]   = scale * sum_d query[b,h,i,d] * key[b,h/g,j,d]      in f32
    s'[j]  = score(s[j], b, h, i, j)
    s'[j]  = -inf                                               where masked
    lse    = ln sum_j exp(s'[j])                                in f32, natural
    output = sum_j exp(s'[j] - lse) * value[b,h/g,j,:]          rounded once
    ```

    A row with nothing to attend to (everything masked, every score -inf, or no
    keys at all) has output 0 and lse -inf.

    | operand | shape | element type |
    |---|---|---|
    | `query` | B x Hq x Sq x D | f16, bf16 or f32 |
    | `key` | B x Hkv x Skv x D | as query |
    | `value` | B x Hkv x Skv x Dv | as query |
    | `outs` 0, the output | B x Hq x Sq x Dv | as query, or f32 |
    | `outs` 1, the lse (optional) | B x Hq x Sq | f32 |

    Dimensions are logical; memory order is the strides of a memref's type, whose
    innermost stride is 1 (any, if that dimension has one element). D and Dv are static, the other sizes may be dynamic.
    Operands are all tensors, with one result for each of `outs`, or all
    memrefs, without results; `outs` must not overlap the inputs.

    `scale` defaults to 1/sqrt(D).

    The `score` region maps a natural-unit score to another. It takes the f32
    score, the indices b, h, i, j and the captured scalars, uses scalar ops of
    arith and math only, and yields an f32. It may yield -inf. A product and a sum
    may be rounded once, together; a quotient may be a product with the divisor's
    inverse; constant factors may be multiplied with each other first, and a factor
    of a position with the position's parts. Integer division by 0 has the quotient
    and the remainder 0, the smallest integer divided by -1 is itself, with
    remainder 0, and nothing traps, neither at masked pairs nor beyond the last row
    or key.

    `origin(b, h, i, j)` and `lengths(len_q, len_kv)` place the op in a larger
    problem, which tiling does: the region sees the indices of its operands plus
    the origin, and masks count from it. Rows at or past `len_q` are fully
    masked; keys at or past `len_kv` are masked, and their memory never matters.
    They default to 0 and to Sq and Skv.

    `schedule` is the target's: `#attn.tiles` or `#attn_gpu.schedule`. Where it
    asks of arrays what only a launch can tell, `fallback` is for those that do
    not have it.

    The formula is that of "FlashAttention-2: Faster Attention with Better
    Parallelism and Work Partitioning" (arXiv 2307.08691), which also derives the
    recurrence of `attn_tile.softmax_update`.

    ```mlir
    func.func @causal(%q: tensor<4x12x1024x64xf16>, %k: tensor<4x12x1024x64xf16>,
                      %v: tensor<4x12x1024x64xf16>, %o: tensor<4x12x1024x64xf16>)
        -> tensor<4x12x1024x64xf16> {
      %r = attn.attention mask <top_left, causal>
          ins(%q, %k, %v : tensor<4x12x1024x64xf16>, tensor<4x12x1024x64xf16>, tensor<4x12x1024x64xf16>)
          outs(%o : tensor<4x12x1024x64xf16>) -> tensor<4x12x1024x64xf16>
      return %r : tensor<4x12x1024x64xf16>
    }

    func.func @soft_cap(%q: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>,
                        %k: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>,
                        %v: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, %cap: f32,
                        %o: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>) {
      attn.attention scale 0.125
          ins(%q, %k, %v : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>,
              memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>,
              memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>)
          captures(%cap : f32)
          outs(%o : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>)
          score {
        ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
          %0 = arith.divf %s, %c : f32
          %1 = math.tanh %0 : f32
          %2 = arith.mulf %1, %c : f32
          attn.yield %2 : f32
        }
      return
    }
    ```
  }];

  let arguments = (ins
    Attn_TensorOrMemRef:$query,
    Attn_TensorOrMemRef:$key,
    Attn_TensorOrMemRef:$value,
    Variadic<AnyTypeOf<[Index, AnySignlessInteger, AnyFloat], "scalar">>:$captures,
    Variadic<Index>:$origin,
    Variadic<Index>:$lengths,
    Variadic<Attn_TensorOrMemRef>:$outs,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<Attn_MaskAttr>:$mask,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule,
    OptionalAttr<Attn_TileSizesAttrInterface>:$fallback
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$score);

  let assemblyFormat = [{
    (`mask` $mask^)? (`scale` $scale^)?
    `ins` `(` $query `,` $key `,` $value `:` type($query) `,` type($key) `,` type($value) `)`
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`lengths` `(` $lengths^ `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    (`score` $score^)?
    attr-dict
    (`->` type($results)^)?
  }];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;

  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }

    ShapedType getQueryType() { return cast<ShapedType>(getQuery().getType()); }
    ShapedType getKeyType() { return cast<ShapedType>(getKey().getType()); }
    ShapedType getValueType() { return cast<ShapedType>(getValue().getType()); }
    Value getOutput() { return getOuts().front(); }
    ShapedType getOutputType() { return cast<ShapedType>(getOutput().getType()); }
    /// The lse operand, or null.
    Value getLse() { return getOuts().size() == 2 ? getOuts()[1] : Value(); }
    bool hasScore() { return !getScore().empty(); }

    int64_t getHeadDim() { return getQueryType().getDimSize(3); }
    int64_t getValueHeadDim() { return getValueType().getDimSize(3); }
    /// The factor on the scores: `scale`, or 1/sqrt(D).
    double getScaleValue();

    /// Sizes and positions as attributes or values; `builder` is used for
    /// dim ops where a size is dynamic.
    OpFoldResult getQueryLength(OpBuilder &builder);
    OpFoldResult getKvLength(OpBuilder &builder);
    /// Coordinate `i` of the origin, 0 where there is none.
    OpFoldResult getOriginOrZero(unsigned i);
    /// `len_q` and `len_kv`: the operands, or the sizes of query and key.
    OpFoldResult getTrueQueryLength(OpBuilder &builder);
    OpFoldResult getTrueKvLength(OpBuilder &builder);
  }];
}

def Attn_YieldOp : Attn_Op<"yield", [Pure, Terminator, HasParent<"AttentionOp">]> {
  let summary = "ends a score region with the new score";
  let description = [{
    ```mlir
    attn.yield %score : f32
    ```
  }];
  let arguments = (ins F32:$score);
  let assemblyFormat = "$score attr-dict `:` type($score)";
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
