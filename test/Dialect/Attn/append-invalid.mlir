// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @outs(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %q: memref<2x4x3x64xf16>, %c: memref<?x32xf32>, %s: memref<?x32xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected 3 outs (caches of keys and values, and the rotated query), found 2}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      query(%q : memref<2x4x3x64xf16>)
      rotary(%c, %s : memref<?x32xf32>, memref<?x32xf32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @outs_of_none(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %qo: memref<2x4x3x64xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected 2 outs (caches of keys and values), found 3}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc, %qo : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>, memref<2x4x3x64xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @query_alone(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %q: memref<2x4x3x64xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %qo: memref<2x4x3x64xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected rotary tables beside a query, found none}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      query(%q : memref<2x4x3x64xf16>)
      outs(%kc, %vc, %qo : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>, memref<2x4x3x64xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @interleaved(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected rotary tables with 'interleaved', found none}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      interleaved
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @value_type(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xbf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected value elements of 'f16', found 'bf16'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xbf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @cache_type(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf32>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected the key cache elements of 'f16', 'f8E4M3FN', 'f8E5M2', 'i8' or 'i4', found 'f32'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf32>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @lengths_type(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi64>) {
  // expected-error@below {{'attn.append' op expected lengths elements of 'i32', found 'i64'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi64>)
  return
}

// -----

func.func @counts_rank(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %n: memref<i32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected counts of rank 1, found 'memref<i32>'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      counts(%n : memref<i32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @table_type(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %t: memref<2x5xi16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected pages elements of 'i32', found 'i16'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      pages(%t : memref<2x5xi16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @cos_type(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %c: memref<?x32xbf16>, %s: memref<?x32xbf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected cos elements of 'f32' or 'f16', found 'bf16'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      rotary(%c, %s : memref<?x32xbf16>, memref<?x32xbf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @sin_type(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %c: memref<?x32xf32>, %s: memref<?x32xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected sin elements of 'f32', found 'f16'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      rotary(%c, %s : memref<?x32xf32>, memref<?x32xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @form(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: tensor<2xi32>) {
  // expected-error@below {{'attn.append' op expected all operands to be tensors or all to be memrefs, found lengths of type 'tensor<2xi32>' and key of type 'memref<2x4x3x64xf16>'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : tensor<2xi32>)
  return
}

// -----

func.func @stride(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32, strided<[2]>>) {
  // expected-error@below {{'attn.append' op expected lengths with an innermost stride of 1, found 'memref<2xi32, strided<[2]>>'}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32, strided<[2]>>)
  return
}

// -----

func.func @batches(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<3xi32>) {
  // expected-error@below {{'attn.append' op expected equal batch sizes, found 2 in key and 3 in lengths}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<3xi32>)
  return
}

// -----

func.func @cache_batches(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<7x4x100x64xf16>, %vc: memref<7x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal batch sizes, found 2 in key and 7 in the key cache}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<7x4x100x64xf16>, memref<7x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @pages(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %t: memref<2x5xi32>, %kc: memref<7x4x16x64xf16>, %vc: memref<8x4x16x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal numbers of pages, found 7 in the key cache and 8 in the value cache}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      pages(%t : memref<2x5xi32>)
      outs(%kc, %vc : memref<7x4x16x64xf16>, memref<8x4x16x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @page_sizes(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %t: memref<2x5xi32>, %kc: memref<7x4x16x64xf16>, %vc: memref<7x4x8x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal page sizes, found 16 in the key cache and 8 in the value cache}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      pages(%t : memref<2x5xi32>)
      outs(%kc, %vc : memref<7x4x16x64xf16>, memref<7x4x8x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @rows_of_table(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %t: memref<3x5xi32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal batch sizes, found 2 in key and 3 in pages}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      pages(%t : memref<3x5xi32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @heads(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x2x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal head counts, found 4 in key and 2 in the value cache}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x2x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @tokens(%k: memref<2x4x3x64xf16>, %v: memref<2x4x2x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal lengths, found 3 in key and 2 in value}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x2x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @query_tokens(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %q: memref<2x8x4x64xf16>, %c: memref<?x32xf32>, %s: memref<?x32xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %qo: memref<2x8x4x64xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal lengths, found 3 in key and 4 in query}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      query(%q : memref<2x8x4x64xf16>)
      rotary(%c, %s : memref<?x32xf32>, memref<?x32xf32>)
      outs(%kc, %vc, %qo : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>, memref<2x8x4x64xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @query_heads(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %q: memref<2x8x3x64xf16>, %c: memref<?x32xf32>, %s: memref<?x32xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %qo: memref<2x4x3x64xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal head counts, found 8 in query and 4 in the rotated query}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      query(%q : memref<2x8x3x64xf16>)
      rotary(%c, %s : memref<?x32xf32>, memref<?x32xf32>)
      outs(%kc, %vc, %qo : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>, memref<2x4x3x64xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @value_dim(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x64xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal head dims, found 48 in value and 64 in the value cache}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x64xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @tables(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %c: memref<9x32xf32>, %s: memref<8x32xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal numbers of positions, found 9 in cos and 8 in sin}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      rotary(%c, %s : memref<9x32xf32>, memref<8x32xf32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @widths(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %c: memref<9x16xf32>, %s: memref<9x32xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal widths, found 16 in cos and 32 in sin}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      rotary(%c, %s : memref<9x16xf32>, memref<9x32xf32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @too_wide(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %c: memref<9x33xf32>, %s: memref<9x33xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected rotary tables of at most 32 columns, half of the head dim, found 33}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      rotary(%c, %s : memref<9x33xf32>, memref<9x33xf32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @dynamic_table(%k: memref<2x4x3x64xf16>, %v: memref<2x4x3x48xf16>, %c: memref<9x?xf32>, %s: memref<9x?xf32>, %kc: memref<2x4x100x64xf16>, %vc: memref<2x4x100x48xf16>, %len: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected a static head dim of at least 1 in cos, found a dynamic one}}
  attn.append ins(%k, %v : memref<2x4x3x64xf16>, memref<2x4x3x48xf16>)
      rotary(%c, %s : memref<9x?xf32>, memref<9x?xf32>)
      outs(%kc, %vc : memref<2x4x100x64xf16>, memref<2x4x100x48xf16>)
      lengths(%len : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xf16>
func.func @scales_of_wide(%k: !k, %cache: !cache, %s: memref<f32>, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected no scale of keys beside a cache of 'f16', found one; scales are of caches of 8 bits or fewer}}
  attn.append ins(%k, %k : !k, !k) scales(%s, %s : memref<f32>, memref<f32>)
      outs(%cache, %cache : !cache, !cache) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xf8E4M3FN>
func.func @scales_of_other_heads(%k: !k, %cache: !cache, %s: memref<1x2xf32>, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal head counts, found 4 in key and 2 in the scale of keys}}
  attn.append ins(%k, %k : !k, !k) scales(%s, %s : memref<1x2xf32>, memref<1x2xf32>)
      outs(%cache, %cache : !cache, !cache) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xf8E4M3FN>
func.func @scales_of_tokens(%k: !k, %cache: !cache, %s: memref<2x4x3xf32>, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected the scale of keys of rank 2, found 'memref<2x4x3xf32>'}}
  attn.append ins(%k, %k : !k, !k) scales(%s, %s : memref<2x4x3xf32>, memref<2x4x3xf32>)
      outs(%cache, %cache : !cache, !cache) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xi16>
func.func @caches_of_words(%k: !k, %cache: !cache, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected the key cache elements of 'f16', 'f8E4M3FN', 'f8E5M2', 'i8' or 'i4', found 'i16'}}
  attn.append ins(%k, %k : !k, !k) outs(%cache, %cache : !cache, !cache) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xf8E4M3FN>
!scale = memref<2x4x100xf32>
func.func @made_and_given(%k: !k, %cache: !cache, %s: memref<f32>, %made: !scale, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected scales that are given or 'makes_scales', found both}}
  attn.append ins(%k, %k : !k, !k) scales(%s, %s : memref<f32>, memref<f32>) makes_scales
      outs(%cache, %cache, %made, %made : !cache, !cache, !scale, !scale) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xf8E4M3FN>
func.func @made_is_missing(%k: !k, %cache: !cache, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected 4 outs (caches of keys and values, and scales of keys and of values), found 2}}
  attn.append ins(%k, %k : !k, !k) makes_scales
      outs(%cache, %cache : !cache, !cache) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<9x4x16x64xf8E4M3FN>
!scale = memref<9x4x32xf32>
func.func @made_of_other_pages(%k: !k, %cache: !cache, %made: !scale, %pages: memref<2x4xi32>, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected equal page sizes, found 16 in the key cache and 32 in the made scale of keys}}
  attn.append ins(%k, %k : !k, !k) pages(%pages : memref<2x4xi32>) makes_scales
      outs(%cache, %cache, %made, %made : !cache, !cache, !scale, !scale) lengths(%lengths : memref<2xi32>)
  return
}

// -----

!k = memref<2x4x3x64xf16>
!cache = memref<2x4x100x64xf16>
!scale = memref<2x4x100xf32>
func.func @made_of_wide(%k: !k, %cache: !cache, %made: !scale, %lengths: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected a cache of keys of f8E4M3FN, f8E5M2, i8 or i4 with 'makes_scales', found 'f16'}}
  attn.append ins(%k, %k : !k, !k) makes_scales
      outs(%cache, %cache, %made, %made : !cache, !cache, !scale, !scale) lengths(%lengths : memref<2xi32>)
  return
}
