//===- AttnAttentionOp.td - The forward op -----------------*- tablegen -*-===//
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

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOP_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOP_TD

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
    s'[j]  = -inf                                               where masked, also by the mask region
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

    A row with nothing to attend to has exactly lse = sink[h] if that is finite,
    otherwise -inf. A sink of -inf has no effect.

    `dropout(p, seed, offset)` leaves out each probability with probability p and
    scales the others, where t = round(65536 p), at most 65536, and z = 65536 / (65536 - t),
    or 0 for t = 65536:

    ```
    output = sum_j keep[b,h,i,j] * z * exp(s'[j] - lse) * value[b,h/g,j,:]
    keep   = bits[b,h,i,j] >= t
    ```

    The lse includes all probabilities, kept or not. `bits` are 16 bits of the generator
    Philox 4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011). Its
    key is the seed, low 32 bits first; its counter is (j / 8, i, b * Hq + h, offset mod 2^32),
    where b, h, i and j include the origin and Hq is this op's. Of the four 32-bit numbers of a
    call, key j uses number (j mod 8) / 2, the low half for even j. The gradient's op with the
    same operands therefore has the same mask. `seed` and `offset` are i64, or arrays of one
    i64, of rank 0 or 1, which a program reads when it runs.

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
    innermost stride is 1 (any, if that dimension has one element). A value that is not of i4, and its
    gradient, may have a stride of 1 along keys instead. D and Dv are static, the other sizes may be dynamic.
    Operands are all tensors, with one result for each of `outs`, or all
    memrefs, without results; `outs` must not overlap the inputs.

    `scale` defaults to 1/sqrt(D).

    If query and key have the same 8-bit type, they are multiplied by 8-bit MMAs on chips that
    have these. If value is f8E4M3FN, too, and has no scale for each token, probabilities are
    multiplied with up to 2^8 and rounded to f8E4M3FN, and their product with the values is also
    by 8-bit MMAs. Chips add such products with fewer bits than f32 has (sm_90: some 14). Sums of
    probabilities times values are therefore added to f32 every 256 keys. With `fast_accumulate`
    they are not, and long sums of one sign lose low bits.

    `value_dims [first, end]` replaces `value`: the value of a key is columns `first` to `end` of
    the key itself, end exclusive, and Dv = end - first. Programs load such a key once. The absorbed
    form of multi-head latent attention is D = 576 with one key head, and `value_dims [0, 512]`.

    Query and key may be given in two parts each: columns [0, D1) are `query` and `key`,
    and columns [D1, D1 + D2) are `query_rope` and `key_rope` of `with`, for D = D1 + D2:

    ```
    s[j] = scale * (sum_d query[b,h,i,d] * key[b,h/g,j,d] + sum_d query_rope[b,h,i,d] * key_rope[b,h/g,j,d])
    ```

    `query_rope` is B x Hq x Sq x D2 and `key_rope` B x Hkv x Skv x D2, both of query's type, which is
    f16, bf16 or f32; where the key is in pages, so is `key_rope`, by the same table. A
    static head count of 1 in `key_rope` says that all heads share it. A `key_scale` multiplies
    both sums if `key` has query's type, and the first one alone if it has another. `value_dims`
    are columns of `key`. So the latent and the rotary part of multi-head latent attention are arrays of
    their own: D1 = 512, D2 = 64 and `value_dims [0, 512]` with the absorbed form.

    D is at most 576 and Dv at most 512 for 16-bit elements, and 256 for f32.

    The `score` region maps a score in natural units to another one. It takes the f32
    score, the indices b, h, i, j and the captures, uses scalar ops of arith and math and
    `attn.read`, and yields an f32, which may be -inf. The scalar ops that not every target
    lowers are `math.ipowi`, `math.fpowi`, `math.sincos`, `arith.addui_extended`,
    `arith.mulsi_extended`, `arith.mului_extended`, `arith.scaling_extf`,
    `arith.scaling_truncf` and, on a GPU, `arith.remf` of other types than f32 (of f32 it is exact there while
    |x / y| is below 2^21 and neither x nor y is subnormal). The compiler may contract a product and
    a sum to one rounding, divide by multiplication with the inverse, and multiply constant
    factors with each other first, and factors of a position with the parts from which the
    position is computed. Integer division by 0 has the quotient and the remainder 0, the
    smallest integer divided by -1 is itself, with remainder 0, and nothing traps, neither at
    masked pairs nor past the last row or key.

    The `mask` region takes b, h, i, j and the captures, and yields an i1: false masks the pair.

    `origin(b, h, i, j)` and `lengths(len_q, len_kv)` say which part of a larger problem the
    op is; tiling sets them. Regions get the indices of the operands plus the origin, and
    the `mask` attribute counts rows and keys that way, too. Rows from `len_q` on are fully
    masked; keys from `len_kv` on are masked, and the contents of their memory have no effect.
    The defaults are 0, and Sq and Skv. A length may be an array of B numbers of i32, one for
    each batch entry, which a program reads when it runs, and which are clamped to the range
    from 0 to the size of the array.

    `packed(cu_q, cu_kv)` says that sequences follow each other in the arrays, whose B
    is 1. The cumulative lengths, N + 1 numbers of i32 each, say where sequences begin:
    sequence b has the rows from cu_q[b] to cu_q[b + 1] of query, output and lse, and the
    keys from cu_kv[b] to cu_kv[b + 1], ends exclusive. For regions and masks, b is the number
    of the sequence, and i and j are positions within it. Each cumulative length is replaced
    with the maximum of those up to it, clamped to the range from 0 to the array's size, so
    that sequences never overlap. Rows that belong to no sequence have output 0 and lse -inf,
    also beside a sink.

    Keys and values of 8 bits and of i4 are extended to query's type, exactly, and sums are
    in f32. Of i4, which are from -8 to 7, a byte of memory has two, the one with the even
    column in the low half: D, Dv, the strides of rows and `value_dims` are even.
    Beside a query of 8 bits keys and values are of at most 8, too, and all are numbers of
    f16, to which probabilities are rounded. `with` has factors that what is stored is
    multiplied with, and a mean that is added to the values, each optional, in this order:

    ```
    s[j]   = scale * query_scale * key_scale * sum_d query[b,h,i,d] * key[b,h/g,j,d]
    output = sum_j exp(s'[j] - lse) * (value_scale * value[b,h/g,j,:] + value_mean) / output_scale
    ```

    | operand | shapes |
    |---|---|
    | `query_scale` | none, B x Hq, or B x Hq x Sq |
    | `key_scale` | none, B x Hkv, or B x Hkv x Skv |
    | `value_scale` | the same, or B x Hkv x 1 x Dv |
    | `value_mean` | B x Hkv x 1 x Dv |
    | `output_scale` | none, or B x Hq |
    | `query_rope`, `key_rope` | see above: no factors, but further columns |

    "None" is an array of rank 0. The sizes are those of the array that is scaled; scales of
    keys or values in pages are indexed by page, as Pages x Hkv or Pages x Hkv x P. Each size may
    also be a static 1, for one scale for the whole dimension. With `per N`, a power of two of
    at least 16, an element of the third dimension is for N tokens, and the last one for the
    remaining tokens. Strides are arbitrary. The score region gets scaled scores. A scale
    of each value token is multiplied with the probabilities before these are rounded to query's
    type, or to f16 if that has 8 bits: in f16 it should be within 2^-10 to 2^10. An output of
    8 bits has an `output_scale`, and is rounded to nearest even; numbers past the largest one
    saturate, and NaN stays NaN. Scales have no gradient.

    `value_mean` is added to the output once, in f32, before that is divided by its scale and
    rounded: to each row times the sum of its probabilities, which is 1 less that of the sink,
    and 0 without keys. The op has then no dropout, and a value of its own, not columns of the
    key; where keys are in pages, B is 1. It has no gradient.

    `schedule` is an attribute of the target: `#attn.tiles` or `#attn_gpu.schedule`. If it
    requires something of arrays that only a launch can check, `fallback` is the schedule for
    arrays that do not fulfil it.

    `few_rows` says that the number of query rows, where it is dynamic, is about 1 to 16 in most
    runs. If sequences are packed, it says so of the mean of their numbers, also where the sum is
    static. Keys are then divided among programs, and rows of several heads share tiles. Results
    are right for any number.

    The recurrence of `attn_tile.softmax_update`, by which the op is computed, is derived in
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning"
    (arXiv 2307.08691).

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
    UnitAttr:$fast_accumulate,
    UnitAttr:$few_rows
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
    /// Returns the operand to which the op writes the lse, or null if it has
    /// none.
    Value getLse() { return getOuts().size() == 2 ? getOuts()[1] : Value(); }
    SmallVector<NamedArray> getArrays();
    ExtraOperand getExtra(Extra which);
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOP_TD
