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

/// An op that reads arrays and writes those among its outs.
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

/// A length of all batch entries, or one for each.
def Attn_Length
    : AnyTypeOf<[Index, AnyRankedTensor, AnyStridedMemRef],
                "index, ranked tensor or strided memref">;

/// One number for the whole op, which memory may hold: a GPU's, for one.
def Attn_Counter
    : AnyTypeOf<[I64, AnyRankedTensor, AnyStridedMemRef],
                "i64, ranked tensor or strided memref">;

def Attn_AttentionOp : Attn_ArrayOp<"attention", [
    AttrSizedOperandSegments, IsolatedFromAbove, Attn_AttentionInterface,
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
    s'[j]  = -inf                                               where masked, by mask(b, h, i, j) too
    lse    = ln sum_j exp(s'[j])                                in f32, natural
    output = sum_j exp(s'[j] - lse) * value[b,h/g,j,:]          rounded once
    ```

    A row with nothing to attend to (everything masked, every score -inf, or no
    keys at all) has output 0 and lse -inf.

    `sink` has a learnt logit for each query head, in natural units, to which the
    scale and the regions do not apply. It takes part in the sum and in nothing else,
    as a key whose value is 0:

    ```
    lse    = ln (exp(sink[h]) + sum_j exp(s'[j]))
    ```

    A row with nothing to attend to has lse = sink[h], exactly, if that is finite,
    else -inf. A sink of -inf is none.

    `dropout(p, seed, offset)` leaves out each probability with probability p and
    scales the others, where t = round(65536 p), at most 65536, and z = 65536 / (65536 - t),
    or 0 for t = 65536:

    ```
    output = sum_j keep[b,h,i,j] * z * exp(s'[j] - lse) * value[b,h/g,j,:]
    keep   = bits[b,h,i,j] >= t
    ```

    The lse is of all probabilities. `bits` are 16 of Philox 4x32-10 (Salmon et al.,
    "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011). Its key is the seed, low word first; its
    counter is (j / 8, i, b * Hq + h, offset mod 2^32), of which b, h, i and j count from the
    origin and Hq is this op's; key j has the bits of word (j mod 8) / 2, the low half for
    even j. So the gradient's op with the same operands has the same mask. `seed` and
    `offset` are of i64, or arrays of one, of rank 0 or 1, which a program reads when it runs.

    | operand | shape | element type |
    |---|---|---|
    | `query` | B x Hq x Sq x D | f16, bf16, f32, f8E4M3FN or f8E5M2 |
    | `key` | B x Hkv x Skv x D | as query, or f8E4M3FN, f8E5M2, i8 or i4 |
    | `value` (or `value_dims`) | B x Hkv x Skv x Dv | the same, by itself |
    | `sink` (optional) | Hq | f16, bf16 or f32 |
    | `lengths` (optional) | two numbers, or arrays of B | index or i32 |
    | `packed` (optional) | two arrays of N + 1 | i32 |
    | `pages` (optional) | B x the most pages of an entry | i32 |
    | `with` (optional) | see below | f32, or as query and key |
    | `outs` 0, the output | B x Hq x Sq x Dv | as query, or f32; of a query of 8 bits f16, bf16 or f32; with `output_scale` f8E4M3FN or f8E5M2 |
    | `outs` 1, the lse (optional) | B x Hq x Sq | f32 |

    Dimensions are logical; memory order is the strides of a memref's type, whose
    innermost stride is 1 (any, if that dimension has one element). D and Dv are static, the other sizes may be dynamic.
    Operands are all tensors, with one result for each of `outs`, or all
    memrefs, without results; `outs` must not overlap the inputs.

    `scale` defaults to 1/sqrt(D).

    Where query and key have the same type of 8 bits, chips that can multiply them so, and
    where value is of f8E4M3FN, too, probabilities times 2^8 at most are rounded to that
    type, unless values have a scale of each token. Chips add such products with fewer bits
    (sm_90: some 14): sums of probabilities and values are added to f32 every 256 keys, or
    with `fast_accumulate` never, which loses low bits of long sums of one sign.

    `value_dims [first, end]` stands in place of `value`: the value of a key is its own columns from
    `first` to `end`, and Dv = end - first. Programs load such a key once. The absorbed form of
    multi-head latent attention is D = 576 with one key head, and `value_dims [0, 512]`.

    Query and key may be given in two parts each: columns [0, D1) are `query` and `key`,
    and columns [D1, D1 + D2) are `query_rope` and `key_rope` of `with`, for D = D1 + D2:

    ```
    s[j] = scale * (sum_d query[b,h,i,d] * key[b,h/g,j,d] + sum_d query_rope[b,h,i,d] * key_rope[b,h/g,j,d])
    ```

    `query_rope` is B x Hq x Sq x D2, of query's type, and `key_rope` B x Hkv x Skv x D2, of key's,
    which is f16, bf16 or f32; where the key is in pages, so is `key_rope`, by the same table. A
    static head count of 1 in `key_rope` says that all heads share it. `value_dims` are columns of
    `key`. So the latent and the rotary part of multi-head latent attention are arrays of
    their own: D1 = 512, D2 = 64 and `value_dims [0, 512]` with the absorbed form.

    D is at most 576 and Dv at most 512 for 16-bit elements, and 256 for f32.

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
    They default to 0 and to Sq and Skv. A length may be an array of B numbers of i32,
    one for each batch entry, which a program reads when it runs; they count as if they
    were clamped to 0 and the size of the array.

    `packed(cu_q, cu_kv)` says that sequences lie one behind the other in the arrays,
    whose B is 1. The cumulative lengths, N + 1 numbers of i32 each, are where they
    begin: sequence b has the rows from cu_q[b] to cu_q[b + 1] of query, output and
    lse, and the keys from cu_kv[b] to cu_kv[b + 1]. b, i and j, and the masks, count the
    sequence and positions in it. The numbers count as the running maxima of what the
    arrays hold, clamped to 0 and the size: sequences never overlap. Rows of no sequence
    have nothing to attend to.

    `pages(table)` says that keys and values lie in pages of P rows, in any order: `key`
    is Pages x Hkv x P x D, `value` Pages x Hkv x P x Dv, and the key j of batch entry b
    is row j mod P of page table[b, j / P], an i32. Skv is P times the table's second
    size. A page that is not there, a number that is negative or at least the number of
    pages, has keys that are masked; numbers behind the last key are not read.

    Keys and values of 8 bits and of i4 are extended to query's type, exactly, and sums are
    in f32. Of i4, which are from -8 to 7, a byte of memory has two, the one with the even
    column in the low half: D, Dv, the strides of rows and `value_dims` are even.
    Beside a query of 8 bits keys and values are of at most 8, too, and all are numbers of
    f16, to which probabilities are rounded. `with` has factors that what is stored is
    multiplied with, each optional, in this order:

    ```
    s[j]   = scale * query_scale * key_scale * sum_d query[b,h,i,d] * key[b,h/g,j,d]
    output = sum_j exp(s'[j] - lse) * value_scale * value[b,h/g,j,:] / output_scale
    ```

    | operand | shapes |
    |---|---|
    | `query_scale` | none, B x Hq, or B x Hq x Sq |
    | `key_scale` | none, B x Hkv, or B x Hkv x Skv |
    | `value_scale` | the same, or B x Hkv x 1 x Dv |
    | `output_scale` | none, or B x Hq |
    | `query_rope`, `key_rope` | see above: no factors, but further columns |

    The sizes are those of the array that is scaled, whose pages have theirs: a scale of
    keys in pages is none, Pages x Hkv, or Pages x Hkv x P. Each may be a static 1, for
    all of the dimension. With `per N`, a power of two from 16 on, an element of the third
    dimension is for N tokens, the last one for those that are left. Strides are any.
    The score region sees scores that are scaled. A value's scale of tokens is multiplied
    with the probabilities, before those are rounded to query's type, or f16 where that
    has 8 bits: in f16 it should be within 2^-10 to 2^10. An output of 8 bits has an
    `output_scale`, and is rounded to nearest even; what is beyond the largest number
    becomes that, and NaN stays NaN. Scales have no gradient.

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
    Optional<Attn_TensorOrMemRef>:$value,
    Optional<Attn_TensorOrMemRef>:$sink,
    Optional<Attn_Counter>:$seed,
    Optional<Attn_Counter>:$offset,
    Variadic<Attn_Capture>:$captures,
    Variadic<Index>:$origin,
    Variadic<Attn_Length>:$lengths,
    Variadic<Attn_TensorOrMemRef>:$packed,
    Optional<Attn_TensorOrMemRef>:$pages,
    Variadic<Attn_TensorOrMemRef>:$extras,
    Variadic<Attn_TensorOrMemRef>:$outs,
    OptionalAttr<DenseI64ArrayAttr>:$value_dims,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<Attn_MaskAttr>:$mask,
    OptionalAttr<F64Attr>:$dropout,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule,
    OptionalAttr<Attn_TileSizesAttrInterface>:$fallback,
    OptionalAttr<StrArrayAttr>:$extra_names,
    OptionalAttr<DenseI64ArrayAttr>:$extra_blocks,
    UnitAttr:$fast_accumulate
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$score, AnyRegion:$mask_region);

  let assemblyFormat = [{
    (`mask` $mask^)? (`scale` $scale^)? (`fast_accumulate` $fast_accumulate^)?
    `ins` `(` $query `,` $key (`,` $value^)? `:` type($query) `,` type($key) (`,` type($value)^)? `)`
    (`value_dims` $value_dims^)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`dropout` `(` $dropout^ `,` $seed `,` $offset `:` type($seed) `,` type($offset) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`lengths` `(` custom<Lengths>($lengths, type($lengths))^ `)`)?
    (`packed` `(` $packed^ `:` type($packed) `)`)?
    (`pages` `(` $pages^ `:` type($pages) `)`)?
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

    Value getOutput() { return getOuts().front(); }
    /// The lse operand, or null.
    Value getLse() { return getOuts().size() == 2 ? getOuts()[1] : Value(); }
    SmallVector<NamedArray> getArrays();
    ExtraOperand getExtra(Extra which);
  }];
}

def Attn_AttentionBackwardOp : Attn_ArrayOp<"attention_backward", [
    AttrSizedOperandSegments, IsolatedFromAbove, Attn_AttentionInterface,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition"]>]> {
  let summary = "the gradients of attn.attention";
  let description = [{
    Of a scalar L that depends on the output and, where `d_lse` is given, on the lse
    of `attn.attention` with the same operands, attributes and region. With
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

    where the last two also sum over the query heads that share a key and value
    head. With `dropout`, and its keep and z,

    ```
    dP[i,j]      = keep[i,j] * z * sum_d d_output[i,d] * value[j,d]
    d_value[j,:] = sum_i keep[i,j] * z * P[i,j] * d_output[i,:]
    ```

    With a `sink`, which the lse has in it, P and dS are as they are above, and the sink's
    gradient, in f32 and in the same order in each run, is

    ```
    d_sink[h] = sum_{b,i} -exp(sink[h] - lse[b,h,i]) * delta[b,h,i]
    ```

    over rows before `len_q`. A row with lse -inf adds nothing to it, one with nothing to
    attend to its `d_lse`. Sums are in f32; P and dS are rounded to the element type of `query` before
    their products, gradients once.

    Query, key and value of 8 bits, and their scales in `with`, are those of `attn.attention`
    without an `output_scale`. Products are of what is stored times its scale, in f32, rounded
    once to the type of products: query's or, where that has 8 bits, that of d_output, bf16 for
    one of f32. Gradients are with respect to those numbers, and scales have none.
    The derivative of the `score` region is that of
    its own arithmetic, with the branch that was taken at a select, half of each at
    equal operands of a maximum or minimum, and 0 where the region yields -inf. Of two factors that vary,
    one that has overflowed counts as the largest number: the derivative of a value that
    saturates is 0, not the NaN of 0 times infinity. A row
    with nothing to attend to has gradients of 0 and adds nothing to others.

    | operand | shape | element type |
    |---|---|---|
    | `query`, `key`, `value` | B x Hq x Sq x D, B x Hkv x Skv x D and Dv | as those of `attn.attention` |
    | `output`, `d_output` | B x Hq x Sq x Dv | as query, or both f32; of a query of 8 bits both f16, bf16 or f32 |
    | `lse`, `d_lse` (optional) | B x Hq x Sq | f32 |
    | `outs`: d_query, d_key, d_value | as query, key, value | that of products, or f32 |
    | `sink` (optional) | Hq | f16, bf16 or f32 |
    | `outs`: d_sink | Hq | as sink, or f32 |
    | `outs`: a capture's gradient | as the capture, rank 0 for a number | as the capture, or f32 |

    `wrt` lists the gradients that `outs` are of, in this order; by default those of
    query, key and value. `sink` follows those. `captures[0, 2]` at its end are those of the captures of
    these numbers, floats of which the score region takes one: with c one of them,

    ```
    d_c = sum_{b,h,i,j} P[i,j] * (dP[i,j] - delta[i]) * d score / dc
    ```

    in f32, in the same order in each run, rounded once.

    Captures may be arrays of floats, too: an element's gradient is the sum over the pairs
    for which the score region reads it. Indices of such reads are some of b, h, i and j, in
    this order, with i and j together or not at all, each of a dimension of the problem's
    size, and any for dimensions of size 1, over which is summed: slopes by head, a bias of
    B x Hq x Sq x Skv, of 1 x Hq x Sq x Skv and the like. All reads of an array have the
    same of these, and there is no origin. Other dimensions may have any indices, as those of
    a table of relative positions, if their sizes are static, of at most 65536 elements
    together, and neither i nor j is beside them: one further pass over all pairs adds
    up those of a row for each element. What only absent ones need is not
    computed. `outs` must not overlap each other or the inputs.

    With `deterministic`, gradients are the same bits from run to run on one chip.
    Without, the order in which parts of d_query are added may differ, and of
    d_key and d_value those of the query heads of a group.

    With a sink, a row that a region leaves without keys is not told from one with
    probabilities that are very small: what is not finite in its query and d_output may
    reach gradients of keys and values, and in keys its d_query.

    `captures`, `origin`, `lengths`, `packed`, `with`, `mask`, `scale`, `dropout`, `schedule`, `fallback` and
    the region are those of `attn.attention`. Tiles of the schedule are `tile_q` rows of
    what a program has a block of, and `tile_kv` of what it goes over.

    Tiled (TilingInterface), its loops are over batch entries and key and value heads,
    with the query heads that share them. A sink's gradient is a sum over batch entries,
    of which a tile must have all then; with gradients of captures, of both. Packed
    sequences have no tiles, nor has dropout of some of the heads.

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
    OptionalAttr<DenseI64ArrayAttr>:$extra_blocks
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$score, AnyRegion:$mask_region);

  let assemblyFormat = [{
    (`mask` $mask^)? (`scale` $scale^)? custom<Gradients>($wrt, $capture_wrt)
    (`deterministic` $deterministic^)?
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
    /// The out of a gradient, or null.
    Value getGradient(Gradients of);
    /// Whether programs that have a block of keys may add to d_query in memory,
    /// and whether they do so by a schedule.
    bool mayAddQueryGradient();
    bool addsQueryGradient(TileSizesAttrInterface schedule);
    /// Whether a program sums d_key and d_value, which both are asked for.
    bool sumsBothKeyGradients(TileSizesAttrInterface schedule);
    /// The outs of captures' gradients, in the order of `capture_wrt`.
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
    The element at `indices` of an array that the region captures, of any rank.
    Indices out of bounds are those of the nearest element: negative ones are 0. An
    array without elements reads as 0. What is read at pairs that are masked, or
    beyond the last row or key, has no effect.

    `inbounds` promises of each dimension that b, h, i or j is the index of that it
    has as many elements as the problem has batch entries, query heads, rows or keys
    at least, and of one with a constant index that it has that element: that is
    checked at run time where types do not tell. What is then read at i and j, or at
    one of them, by the last indices is loaded by tiles and vectors.

    `bounds` is a summary of the array, a capture beside it, as `attn.summarize` makes
    it: blocks of a mask region that reads at i and j are then decided without a pass
    over the array. Where it says of numbers what is not so, which pairs count is not
    defined. Its sizes are checked, at run time where types do not tell.

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
    /// Which of b, h, i and j the index of a dimension is, or none.
    std::optional<unsigned> getPosition(int64_t dim);
    /// Whether the last indices are those positions, within bounds, and the
    /// others are the same for all pairs of a batch entry and head.
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

include "attn/Dialect/Attn/IR/AttnServingOps.td"
include "attn/Dialect/Attn/IR/AttnSummaryOps.td"

#endif // ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
