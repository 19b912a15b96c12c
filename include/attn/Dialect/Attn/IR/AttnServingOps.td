//===- AttnServingOps.td - Ops around caches of keys -------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of AttnOps.td, which includes this.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNSERVINGOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNSERVINGOPS_TD

class Attn_RowwiseOp<string mnemonic, list<Trait> traits = [AttrSizedOperandSegments]>
    : Attn_ArrayOp<mnemonic, traits # [Attn_RowwiseInterface]>;

def Attn_MergeOp : Attn_RowwiseOp<"merge"> {
  let summary = "combines attention over parts of the keys";
  let description = [{
    Each state is the output and the lse of an `attn.attention` over some of the keys;
    no key may be in two states. The result is attention over all of these keys. For every row,

    ```
    lse    = ln sum_n exp(lse_n)                    in f32
    output = sum_n exp(lse_n - lse) * output_n      in f32, rounded once
    ```

    A state whose lse is -inf adds nothing, whatever its output contains. A row whose states all
    have lse -inf has output 0 and lse -inf. An lse of +inf or NaN makes its row NaN, but no
    other row.

    `sink` has a learnt logit for each head, as in `attn.attention`. The states must have been
    computed without it; it is added once here:

    ```
    lse'   = ln (exp(sink[h]) + exp(lse))
    output = exp(lse - lse') * sum_n exp(lse_n - lse) * output_n
    ```

    A row whose states are all empty has the sink as its lse if that is finite, otherwise -inf.

    Outputs of 8 bits have been divided by scales, as `attn.attention` with `output_scale`
    divides them. `scales` has the one of each state, and `output_scale` is that of the result:

    ```
    output = sum_n exp(lse_n - lse) * scale_n * output_n / output_scale
    ```

    An output of 8 bits is rounded to nearest even; numbers past the largest one saturate,
    and NaN stays NaN.

    | operand | shape | element type |
    |---|---|---|
    | `ins`, even ones: outputs | B x H x S x Dv | f16, bf16, f32, f8E4M3FN or f8E5M2, all the same |
    | `ins`, odd ones: their lse | B x H x S | f32 |
    | `scales`, of outputs of 8 bits only: one for each state | none, or B x H, each of which may be 1 | f32 |
    | `sink` (optional) | H | f16, bf16 or f32 |
    | `output_scale` of `with`, of a result of 8 bits only | none, or B x H, each of which may be 1 | f32 |
    | `outs` 0, the output | B x H x S x Dv | as the outputs of `ins`, or f32; f16, bf16 or f32 if those are f32 or of 8 bits; with `output_scale` f8E4M3FN or f8E5M2 |
    | `outs` 1, the lse (optional) | B x H x S | f32 |

    Dv is static, the other sizes may be dynamic. Operands are all tensors, with one
    result for each of `outs`, or all memrefs with an innermost stride of 1 (of scales any), without
    results; `outs` must not overlap the inputs. `schedule` is an attribute of the target.

    ```mlir
    func.func @cascade(%o0: memref<?x?x?x128xf16>, %lse0: memref<?x?x?xf32>,
                       %o1: memref<?x?x?x128xf16>, %lse1: memref<?x?x?xf32>,
                       %sink: memref<?xf16>, %o: memref<?x?x?x128xf16>,
                       %lse: memref<?x?x?xf32>) {
      attn.merge ins(%o0, %lse0, %o1, %lse1 : memref<?x?x?x128xf16>, memref<?x?x?xf32>,
                     memref<?x?x?x128xf16>, memref<?x?x?xf32>)
          sink(%sink : memref<?xf16>)
          outs(%o, %lse : memref<?x?x?x128xf16>, memref<?x?x?xf32>)
      return
    }

    func.func @eight_bits(%o0: memref<?x?x?x128xf8E4M3FN>, %lse0: memref<?x?x?xf32>, %s0: memref<f32>,
                          %o1: memref<?x?x?x128xf8E4M3FN>, %lse1: memref<?x?x?xf32>, %s1: memref<?x?xf32>,
                          %s: memref<1x?xf32>, %o: memref<?x?x?x128xf8E4M3FN>) {
      attn.merge ins(%o0, %lse0, %o1, %lse1 : memref<?x?x?x128xf8E4M3FN>, memref<?x?x?xf32>,
                     memref<?x?x?x128xf8E4M3FN>, memref<?x?x?xf32>)
          scales(%s0, %s1 : memref<f32>, memref<?x?xf32>)
          with(output_scale %s : memref<1x?xf32>)
          outs(%o : memref<?x?x?x128xf8E4M3FN>)
      return
    }
    ```
  }];

  let arguments = (ins
    Variadic<Attn_TensorOrMemRef>:$states,
    Variadic<Attn_TensorOrMemRef>:$scales,
    Optional<Attn_TensorOrMemRef>:$sink,
    Optional<Attn_TensorOrMemRef>:$output_scale,
    Variadic<Attn_TensorOrMemRef>:$outs,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $states `:` type($states) `)`
    (`scales` `(` $scales^ `:` type($scales) `)`)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`with` `(` `output_scale` $output_scale^ `:` type($output_scale) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict
    (`->` type($results)^)?
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }

    unsigned getNumStates() { return getStates().size() / 2; }
    Value getStateOutput(unsigned i) { return getStates()[2 * i]; }
    Value getStateLse(unsigned i) { return getStates()[2 * i + 1]; }
    /// The scale of the output of state `i`, one of the states to merge. Its
    /// value is null if the op has no scales of states.
    ExtraOperand getStateScale(unsigned i);
    /// The scale of the merged output. Its value is null if the op has none.
    ExtraOperand getScaleOfOutput();
    Value getOutput() { return getOuts().front(); }
    /// Returns the operand to which the op writes the lse, or null if it has
    /// none.
    Value getLse() { return getOuts().size() == 2 ? getOuts()[1] : Value(); }

    int64_t getHostRows();
    SmallVector<ArrayOperand> getArrays();
    SmallVector<EqualSizes> getEqualSizes();
  }];
}

def Attn_AppendOp : Attn_RowwiseOp<"append"> {
  let summary = "writes new keys and values into a cache";
  let description = [{
    A cache holds `lengths[b]` keys and values of batch entry b. Token t of the `T` new
    ones is written after them, to position p:

    ```
    p                      = lengths[b] + t             for t < counts[b]
    key_cache[b, h, p, :]  = key[b, h, t, :]
    lengths[b]             = min(lengths[b] + counts[b], room)
    ```

    and likewise for values. Without `counts`, all T tokens of each entry are written. Counts are
    clamped to 0 and T, and lengths to 0 and `room`, which is the size S of the cache. Nothing is
    written past the end of the cache. The angles of a query's rows are those of lengths that are
    not limited by `room`.

    With `pages`, the caches are pools of N pages of P positions each. An entry has the pages
    that its row of the table names, and `room` is P times the number of the table's columns:

    ```
    key_cache[table[b, p / P], h, p mod P, :] = key[b, h, t, :]
    ```

    Tokens whose page number is not in the pool are not written. P need not be a power
    of two.

    `rotary` applies rotary embeddings: its tables have R x D'/2 cosines and sines, and pairs of
    the first D' elements of each key are rotated by the angles of the key's position:

    ```
    r                = min(p, R - 1)
    y[c0]            = x[c0] * cos[r, i] - x[c1] * sin[r, i]       in f32, rounded once
    y[c1]            = x[c1] * cos[r, i] + x[c0] * sin[r, i]
    ```

    where c0 = i and c1 = i + D'/2 or, with `interleaved`, c0 = 2i and c1 = 2i + 1. A
    `query` with any number of heads is rotated in the same way, for each t, and written to
    `outs` 2.

    Caches of 8 bits, and of i4 (see `attn.attention`), hold keys and values divided by
    `scales`, which `attn.attention` multiplies them with again:

    ```
    key_cache[b, h, p, :] = round(y / key_scale[b, h])
    ```

    The division is in f32, and rounding to nearest even. Numbers past the largest one of the
    type saturate, infinities too; NaN stays NaN, or becomes 0 as an integer. Without `scales`,
    scales are 1. If one of the two caches has the type of `key`, elements are stored there without
    division, and the op does not read the scale of that cache. An example is a cache of keys with
    rotary embeddings in 16 bits beside one of latents in 8 bits.

    With `makes_scales`, each token and head gets a scale, computed from the largest magnitude
    of its elements and written to the last two of `outs`:

    ```
    key_scale[b, h, p]    = max(max_d |y[d]| / largest, 2^-126)
    key_cache[b, h, p, :] = round(y / key_scale[b, h, p])
    ```

    where the maximum is over finite numbers, and `largest` is the largest number of the
    cache's type: 448 for f8E4M3FN, 57344 for f8E5M2, 127 for i8 and 7 for i4. With `pages`, the
    first and third dimension of these scales are those of the pools.

    | operand | shape | element type |
    |---|---|---|
    | `key` | B x Hkv x T x D | f16, bf16 or f32 |
    | `value` | B x Hkv x T x Dv | as key |
    | `query` (optional) | B x Hq x T x D | as key |
    | `counts` (optional) | B | i32 |
    | `pages` (optional) | B x columns | i32 |
    | `rotary` (optional), cos and sin | R x D'/2, D' at most D | f32, or as key |
    | `scales` (optional), of key and value | none, or B x Hkv, each of which may be 1 | f32 |
    | `outs` 0 and 1, the caches | B x Hkv x S x D and Dv, or N x Hkv x P x D and Dv | as key, or each of f8E4M3FN, f8E5M2, i8 or i4 |
    | `outs` 2, with `query` | B x Hq x T x D | as key |
    | the last two `outs`, with `makes_scales` | B x Hkv x S, or N x Hkv x P | f32 |
    | `lengths` | B | i32 |

    D, Dv and D' are static, the other sizes may be dynamic. Operands are all memrefs with
    an innermost stride of 1 (or, for the cache of values but of i4, a stride of 1 along positions),
    or all tensors, with a result for each of `outs` and then one
    for `lengths`. Arrays that are written must not overlap any other operand. If the
    table names a page for two positions, the page may hold the tokens of either.
    A pool in the order N x P x Hkv x D is passed with transposed strides. `schedule` is an
    attribute of the target.

    ```mlir
    func.func @decode(%k: memref<?x8x1x128xbf16>, %v: memref<?x8x1x128xbf16>,
                      %q: memref<?x32x1x128xbf16>, %length: memref<?xi32>,
                      %table: memref<?x?xi32>, %cos: memref<?x64xf32>,
                      %sin: memref<?x64xf32>, %k_pool: memref<?x8x64x128xbf16>,
                      %v_pool: memref<?x8x64x128xbf16>, %q_out: memref<?x32x1x128xbf16>) {
      attn.append ins(%k, %v : memref<?x8x1x128xbf16>, memref<?x8x1x128xbf16>)
          query(%q : memref<?x32x1x128xbf16>)
          pages(%table : memref<?x?xi32>)
          rotary(%cos, %sin : memref<?x64xf32>, memref<?x64xf32>)
          outs(%k_pool, %v_pool, %q_out : memref<?x8x64x128xbf16>,
               memref<?x8x64x128xbf16>, memref<?x32x1x128xbf16>)
          lengths(%length : memref<?xi32>)
      return
    }
    ```
  }];

  let arguments = (ins
    Attn_TensorOrMemRef:$key,
    Attn_TensorOrMemRef:$value,
    Optional<Attn_TensorOrMemRef>:$query,
    Optional<Attn_TensorOrMemRef>:$counts,
    Optional<Attn_TensorOrMemRef>:$pages,
    Optional<Attn_TensorOrMemRef>:$cos,
    Optional<Attn_TensorOrMemRef>:$sin,
    Optional<Attn_TensorOrMemRef>:$key_scale,
    Optional<Attn_TensorOrMemRef>:$value_scale,
    Variadic<Attn_TensorOrMemRef>:$outs,
    Attn_TensorOrMemRef:$lengths,
    UnitAttr:$interleaved,
    UnitAttr:$makes_scales,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $key `,` $value `:` type($key) `,` type($value) `)`
    (`query` `(` $query^ `:` type($query) `)`)?
    (`counts` `(` $counts^ `:` type($counts) `)`)?
    (`pages` `(` $pages^ `:` type($pages) `)`)?
    (`rotary` `(` $cos^ `,` $sin `:` type($cos) `,` type($sin) `)`)?
    (`interleaved` $interleaved^)?
    (`scales` `(` $key_scale^ `,` $value_scale `:` type($key_scale) `,` type($value_scale) `)`)?
    (`makes_scales` $makes_scales^)?
    `outs` `(` $outs `:` type($outs) `)`
    `lengths` `(` $lengths `:` type($lengths) `)`
    attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// Returns the operands that the op writes: the outs, followed by
    /// `lengths`.
    MutableOperandRange getDpsInitsMutable() {
      return MutableOperandRange(getOperation(), getLengthsMutable().getOperandNumber() -
                                 getOuts().size(), getOuts().size() + 1);
    }

    Value getKeyCache() { return getOuts()[0]; }
    Value getValueCache() { return getOuts()[1]; }
    /// Returns the array to which the op writes the rotated query, or null if
    /// the op has no query.
    Value getQueryOut() { return getQuery() ? getOuts()[2] : Value(); }
    /// getMadeKeyScale() and getMadeValueScale() return the arrays to which the
    /// op writes the scale of keys and of values that it computes, or null if
    /// the op does not have `makes_scales`.
    Value getMadeKeyScale() {
      return getMakesScales() ? getOuts().drop_back().back() : Value();
    }
    Value getMadeValueScale() {
      return getMakesScales() ? getOuts().back() : Value();
    }

    bool keepsContents(OpOperand &destination);
    int64_t getHostRows();
    SmallVector<ArrayOperand> getArrays();
    SmallVector<EqualSizes> getEqualSizes();
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNSERVINGOPS_TD
