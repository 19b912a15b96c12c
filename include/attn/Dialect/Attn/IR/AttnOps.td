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

/// The base of ops that read arrays and write other arrays, their `outs`.
/// Arrays are tensors or memrefs.
class Attn_ArrayOp<string mnemonic, list<Trait> traits>
    : Attn_Op<mnemonic, traits # [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      addArrayEffects(*this, effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return getArraySpeculatability(*this);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return reifyOutShapes(builder, *this, shapes);
    }
  }];
}

def Attn_TensorOrMemRef
    : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef], "ranked tensor or strided memref">;

def Attn_Capture
    : AnyTypeOf<[Index, AnySignlessInteger, AnyFloat, AnyRankedTensor, AnyStridedMemRef],
                "scalar, ranked tensor or strided memref">;

/// A number of rows or of keys: either one number for all batch entries, or an
/// array with one number for each entry.
def Attn_Length
    : AnyTypeOf<[Index, AnyRankedTensor, AnyStridedMemRef],
                "index, ranked tensor or strided memref">;

/// An i64 that is the same for the whole op: either a scalar, or an array of
/// one element, which may be in a GPU's memory.
def Attn_Counter
    : AnyTypeOf<[I64, AnyRankedTensor, AnyStridedMemRef],
                "i64, ranked tensor or strided memref">;

def Attn_AttentionBackwardOp : Attn_ArrayOp<"attention_backward", [
    AttrSizedOperandSegments, IsolatedFromAbove, Attn_AttentionInterface,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition"]>]> {
  let summary = "the gradients of attn.attention";
  let description = [{
    Computes the gradients of a scalar L that depends on the output and, where `d_lse` is
    given, on the lse of `attn.attention` with the same operands, attributes and regions. With
    `d_output` = dL/d output and `d_lse` = dL/d lse:

    ```
    P[i,j]   = exp(s'[i,j] - lse[i])                      0 where masked
    delta[i] = sum_d output[i,d] * d_output[i,d] - d_lse[i]
    dP[i,j]  = sum_d d_output[i,d] * value[j,d]
    dS[i,j]  = P[i,j] * (dP[i,j] - delta[i]) * d score / ds
    d_query[i,:] = scale * sum_j dS[i,j] * key[j,:]
    d_key[j,:]   = scale * sum_i dS[i,j] * query[i,:]
    d_value[j,:] = sum_i P[i,j] * d_output[i,:]
    ```

    where d_key and d_value also sum over the query heads that share a key and value
    head. With `dropout`, and keep and z as in `attn.attention`,

    ```
    dP[i,j]      = keep[i,j] * z * sum_d d_output[i,d] * value[j,d]
    d_value[j,:] = sum_i keep[i,j] * z * P[i,j] * d_output[i,:]
    ```

    With a `sink`, which the lse includes, P and dS have the same formulas, and the sink's
    gradient, summed in f32 and in the same order in each run, is

    ```
    d_sink[h] = sum_{b,i} -exp(sink[h] - lse[b,h,i]) * delta[b,h,i]
    ```

    over rows before `len_q`. A row with lse -inf adds nothing, and a row with nothing to
    attend to adds its `d_lse`. All sums are in f32. A d_output of f32 is rounded to the element
    type of `query`, P and dS are before their products, and gradients are rounded once, at the
    end.

    Query, key and value of 8 bits, and their scales in `with`, are as in `attn.attention`;
    there is no `output_scale`. Products are of stored numbers times their scales, computed in
    f32 and rounded once to the type of products: query's type or, if that has 8 bits, the type
    of d_output, or bf16 if that is f32. Gradients are with respect to these products, and
    scales have no gradient. Scores may also be sums of products of the stored numbers,
    multiplied by the scales in f32. `value_mean` is part of the values in dP: it is subtracted
    from the output where delta is computed, which has the same effect.

    With `narrow_products`, for which query, key and value must have the same 8-bit float type,
    dP and delta are computed from a rounded d_output, so that 8-bit MMAs may multiply it by
    values:

    ```
    scale[i]     = max(max_d |d_output[i,d]| / 448, 2^-126)
    rounded[i,d] = scale[i] * f8E4M3FN(d_output[i,d] * (1 / scale[i]))
    delta[i]     = sum_d output[i,d] * rounded[i,d] - d_lse[i]
    dP[i,j]      = sum_d rounded[i,d] * value[j,d]
    ```

    in f32. Rows with an infinity become NaN. In d_value and d_sink, d_output is not rounded.

    With `narrow_products<all>`, the operands of the products for the gradients are rounded, too,
    so that they have the four significant bits of f8E4M3FN: P, dS, and d_output also in d_value
    (but not in d_sink). A scale of a row of d_output is rounded up to a power of two; a rounded
    number of 2^16 may become 65504 where products are of f16. Scales of P and dS are powers of
    two that an implementation chooses for blocks of them, so that its results may lose what is
    below 2^-15 of the largest number in a block:

    ```
    d_query[i,:] = scale * sum_j narrow(dS[i,j]) * key[j,:]
    d_key[j,:]   = scale * sum_i narrow(dS[i,j]) * query[i,:]
    d_value[j,:] = sum_i narrow(P[i,j]) * rounded[i,:]
    ```

    A scale of query or key that differs among the terms of such a sum multiplies dS before dS is
    rounded. Gradients of captures are sums of numbers that are not rounded.

    The derivative of the `score` region is that of its arithmetic. At a select it is that of
    the operand that was taken, at equal operands of a maximum or minimum half of each, and 0
    where the region yields -inf. Where the derivative of a product multiplies with a factor
    that has overflowed, that counts as the largest finite number: the derivative of a value that
    saturates is 0, not the NaN of 0 times infinity. A row with nothing to attend to has
    gradients of 0 and adds nothing to others.

    | operand | shape | element type |
    |---|---|---|
    | `query`, `key`, `value` | B x Hq x Sq x D, B x Hkv x Skv x D and Dv | as those of `attn.attention` |
    | `output`, `d_output` | B x Hq x Sq x Dv | as query, or both f32; for a query of 8 bits both f16, bf16 or f32 |
    | `lse`, `d_lse` (optional) | B x Hq x Sq | f32 |
    | `outs`: d_query, d_key, d_value | as query, key, value | the type of products, or f32 |
    | `sink` (optional) | Hq | f16, bf16 or f32 |
    | `outs`: d_sink | Hq | as sink, or f32 |
    | `outs`: d_query_rope, d_key_rope | as query_rope, key_rope | as query_rope, or f32 |
    | `outs`: a capture's gradient | as the capture, rank 0 for a scalar | as the capture, or f32 |

    `wrt` lists the gradients that are computed, one for each of `outs` in the same order: some
    of query, key, value, sink, query_rope and key_rope, in this order, then for example
    `captures[0, 2]` for the captures with these numbers, which must be floats or arrays of floats.
    Without `wrt`, they are those of query, key and value. Where all heads share key_rope, its
    gradient is the sum over them, in f32 and in the same order in each run. The gradient of a capture c that is a float is

    ```
    d_c = sum_{b,h,i,j} P[i,j] * (dP[i,j] - delta[i]) * d score / dc
    ```

    summed in f32, in the same order in each run, and rounded once.

    The gradient of an element of a captured array is the sum over the pairs for which the
    score region reads it. The indices of such a read must have one of two forms, and all
    reads of an array the same one; an origin is not possible.

    - The indices are some of b, h, i and j, in this order, with i and j both or neither, each
      in a dimension of the problem's size. A dimension of size 1 may have any index, and the
      gradient is summed over it. Examples are slopes by head, and a bias of B x Hq x Sq x Skv or
      1 x Hq x Sq x Skv.
    - Other indices are arbitrary, as for a table of relative positions. The dimensions
      that they index are static and have at most 65536 elements together, and neither i
      nor j is an index of another dimension. One further pass over all pairs computes these sums.

    Work that is only needed for gradients outside of `wrt` is left out. `outs` must not overlap
    each other or the inputs.

    With `deterministic`, gradients are the same bits from run to run on one chip. Without it,
    the order of additions may differ, for d_query among blocks of keys, for d_key and d_value
    among the query heads of a group.

    With a sink, a row that a region leaves without keys cannot be distinguished from one whose
    probabilities are very small: infinities and NaNs in its query and d_output may reach
    the gradients of keys and values, and those in keys may reach its d_query.

    `captures`, `origin`, `lengths`, `packed`, `with`, `mask`, `scale`, `dropout`, `schedule`,
    `fallback` and the regions are those of `attn.attention`. In a program that computes
    gradients of rows, `tile_q` counts rows and `tile_kv` keys; in one that computes gradients of
    keys, `tile_q` is its number of keys, and `tile_kv` the number of rows of an iteration.

    By TilingInterface, its loops are over batch entries and key and value heads, with the query
    heads that share them. The gradient of a sink sums over batch entries, so that a tile must have
    all of these, and that of a key_rope that heads share over heads; with gradients of captures it must have all batch entries and heads. An op with
    packed sequences cannot be tiled, and one with dropout not along heads.

    The formulas are those of "FlashAttention-2: Faster Attention with Better
    Parallelism and Work Partitioning" (arXiv 2307.08691), section 2.3.2.

    ```mlir
    func.func @gradients(%q: tensor<1x8x512x64xf16>, %k: tensor<1x8x512x64xf16>,
                         %v: tensor<1x8x512x64xf16>, %o: tensor<1x8x512x64xf16>,
                         %lse: tensor<1x8x512xf32>, %do: tensor<1x8x512x64xf16>,
                         %dk: tensor<1x8x512x64xf16>, %dv: tensor<1x8x512x64xf16>)
        -> (tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>) {
      %r:2 = attn.attention_backward mask <top_left, causal> wrt(key, value)
          ins(%q, %k, %v, %o, %lse, %do : tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>,
              tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512xf32>,
              tensor<1x8x512x64xf16>)
          outs(%dk, %dv : tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>)
          -> tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>
      return %r#0, %r#1 : tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>
    }
    ```
  }];

  let arguments = (ins
    Attn_TensorOrMemRef:$query,
    Attn_TensorOrMemRef:$key,
    Attn_TensorOrMemRef:$value,
    Attn_TensorOrMemRef:$output,
    Attn_TensorOrMemRef:$lse,
    Attn_TensorOrMemRef:$d_output,
    Optional<Attn_TensorOrMemRef>:$d_lse,
    Optional<Attn_TensorOrMemRef>:$sink,
    Optional<Attn_Counter>:$seed,
    Optional<Attn_Counter>:$offset,
    Variadic<Attn_Capture>:$captures,
    Variadic<Index>:$origin,
    Variadic<Attn_Length>:$lengths,
    Variadic<Attn_TensorOrMemRef>:$packed,
    Variadic<Attn_TensorOrMemRef>:$extras,
    Variadic<Attn_TensorOrMemRef>:$outs,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<Attn_MaskAttr>:$mask,
    OptionalAttr<F64Attr>:$dropout,
    DefaultValuedAttr<Attn_Gradients, "::mlir::attn::kAllGradients">:$wrt,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$capture_wrt,
    UnitAttr:$deterministic,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule,
    OptionalAttr<Attn_TileSizesAttrInterface>:$fallback,
    OptionalAttr<StrArrayAttr>:$extra_names,
    OptionalAttr<DenseI64ArrayAttr>:$extra_blocks,
    OptionalAttr<Attn_NarrowProducts>:$narrow_products,
    UnitAttr:$few_rows
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$score, AnyRegion:$mask_region);

  let assemblyFormat = [{
    (`mask` $mask^)? (`scale` $scale^)? custom<Gradients>($wrt, $capture_wrt)
    (`deterministic` $deterministic^)? custom<NarrowProducts>($narrow_products)
    `ins` `(` $query `,` $key `,` $value `,` $output `,` $lse `,` $d_output `:`
    type($query) `,` type($key) `,` type($value) `,` type($output) `,` type($lse) `,`
    type($d_output) `)`
    (`d_lse` `(` $d_lse^ `:` type($d_lse) `)`)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`dropout` `(` $dropout^ `,` $seed `,` $offset `:` type($seed) `,` type($offset) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`lengths` `(` custom<Lengths>($lengths, type($lengths))^ `)`)?
    (`packed` `(` $packed^ `:` type($packed) `)`)?
    (`with` `(` custom<Extras>($extras, type($extras), $extra_names, $extra_blocks)^ `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    (`score` $score^)? (`mask` $mask_region^)?
    attr-dict
    (`->` type($results)^)?
  }];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;

  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    SmallVector<NamedArray> getArrays();
    ExtraOperand getExtra(Extra which);
    /// Returns the operand to which the op writes the gradient `of`, or null if
    /// `wrt` does not contain that gradient.
    Value getGradient(Gradients of);
    /// mayAddQueryGradient() says whether programs on blocks of keys may add
    /// their parts of d_query to memory. They may if the op computes gradients
    /// of query and key, computes none of captures, and is not `deterministic`.
    /// addsQueryGradient() says whether they do so with the given schedule.
    bool mayAddQueryGradient();
    bool addsQueryGradient(TileSizesAttrInterface schedule);
    /// Whether `wrt` has both key and value, and the schedule has registers for
    /// one program to accumulate both of their gradients.
    bool sumsBothKeyGradients(TileSizesAttrInterface schedule);
    /// Returns the operands to which the op writes the gradients of captures,
    /// in the order of `capture_wrt`.
    OperandRange getCaptureGradients();
  }];
}

def Attn_ReadOp : Attn_Op<"read", [
    AttrSizedOperandSegments,
    ParentOneOf<["AttentionOp", "AttentionBackwardOp"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"result is an element of array", "array", "result",
                   "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "an element of a captured array";
  let description = [{
    Reads the element at `indices` of an array of any rank that the region captures.
    Indices out of bounds are clamped to the nearest element. An array without elements
    reads as 0. Elements that are read at masked pairs, or past the last row or key, have
    no effect.

    `inbounds` promises that each dimension whose index is b, h, i or j has at least as many
    elements as the problem has batch entries, query heads, rows or keys, and that a dimension
    with a constant index has that element. This is checked, at run time where types
    leave it open. If the last indices are i and j, or one of them, the array is then loaded
    by tiles or vectors instead of single elements.

    `bounds` is a summary of the array, another capture, which `attn.summarize` makes. Which
    blocks a mask region that reads at i and j skips is then decided without a pass over the
    array. If the summary does not fit the array's contents, it is undefined which pairs
    count. Its sizes are checked, at run time where types leave them open.

    ```mlir
    func.func @slopes(%q: memref<2x8x512x64xf16>, %o: memref<2x8x512x64xf16>,
                      %slopes: memref<8xf32>) {
      attn.attention ins(%q, %q, %q : memref<2x8x512x64xf16>, memref<2x8x512x64xf16>,
                         memref<2x8x512x64xf16>)
          captures(%slopes : memref<8xf32>)
          outs(%o : memref<2x8x512x64xf16>)
          score {
        ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<8xf32>):
          %slope = attn.read %t[%h] : memref<8xf32>
          %0 = arith.mulf %s, %slope : f32
          attn.yield %0 : f32
        }
      return
    }
    ```
  }];
  let arguments = (ins Attn_TensorOrMemRef:$array, Variadic<Index>:$indices,
                       Optional<Attn_TensorOrMemRef>:$bounds,
                       UnitAttr:$inbounds);
  let results = (outs AnyTypeOf<[AnySignlessInteger, AnyFloat], "integer or float">:$result);
  let assemblyFormat = [{
    $array `[` $indices `]` (`inbounds` $inbounds^)?
    (`bounds` `(` $bounds^ `:` type($bounds) `)`)? attr-dict `:` type($array)
  }];
  let extraClassDeclaration = [{
    /// Returns which of b, h, i and j indexes dimension `dim` of the array that
    /// is read, as a number from 0 to 3, or none if another value does.
    std::optional<unsigned> getPosition(int64_t dim);
    /// Whether the last indices of the read are the region's arguments that
    /// `positions` lists (0 to 3 for b, h, i and j). The read must be
    /// `inbounds`, and each of its other indices must be b, h or a constant.
    bool isOf(::llvm::ArrayRef<unsigned> positions);
    bool isOfPairs() { return isOf({2, 3}); }
  }];
  let hasVerifier = 1;
}

def Attn_YieldOp : Attn_Op<"yield", [Pure, Terminator, ParentOneOf<["AttentionOp", "AttentionBackwardOp"]>]> {
  let summary = "ends a region with the new score, or with whether the pair counts";
  let description = [{
    ```mlir
    attn.yield %score : f32
    attn.yield %keep : i1
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

include "attn/Dialect/Attn/IR/AttnAttentionOp.td"
include "attn/Dialect/Attn/IR/AttnServingOps.td"
include "attn/Dialect/Attn/IR/AttnSummaryOps.td"

#endif // ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
