// RUN: attn-opt %s -split-input-file -verify-diagnostics

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @too_few_outs(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: !k) {
  // expected-error@below {{'attn.attention_backward' op expected as many outs as gradients in wrt, which are 3, found 1}}
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dk : !k)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @too_many_outs(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: !k) {
  // expected-error@below {{'attn.attention_backward' op expected as many outs as gradients in wrt, which are 1, found 2}}
  attn.attention_backward wrt(key)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dk, %dk : !k, !k)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @shape_of_gradient(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: memref<1x2x91x64xf16>) {
  // expected-error@below {{'attn.attention_backward' op expected equal lengths, found 90 in key and 91 in d_key}}
  attn.attention_backward wrt(key)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dk : memref<1x2x91x64xf16>)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @head_dim_of_gradient(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: !k) {
  // expected-error@below {{'attn.attention_backward' op expected equal head dims, found 32 in value and 64 in d_value}}
  attn.attention_backward wrt(value)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dk : !k)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @elements_of_gradient(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: memref<1x2x90x64xbf16>) {
  // expected-error@below {{'attn.attention_backward' op expected d_key elements of 'f16', as query, or of f32, found 'bf16'}}
  attn.attention_backward wrt(key)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dk : memref<1x2x90x64xbf16>)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @elements_of_d_output(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: !k, %x: memref<1x4x100x32xf32>) {
  // expected-error@below {{'attn.attention_backward' op expected d_output elements of 'f16', as output, found 'f32'}}
  attn.attention_backward wrt(key)
      ins(%q, %k, %v, %o, %lse, %x : !q, !k, !v, !o, !row, memref<1x4x100x32xf32>)
      outs(%dk : !k)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @rank_of_lse(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: !k) {
  // expected-error@below {{'attn.attention_backward' op expected lse of rank 3, found 'memref<1x4x100x64xf16>'}}
  attn.attention_backward wrt(key)
      ins(%q, %k, %v, %o, %q, %do : !q, !k, !v, !o, !q, !o)
      outs(%dk : !k)
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @elements_of_d_lse(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dk: !k, %x: memref<1x4x100xf16>) {
  // expected-error@below {{'attn.attention_backward' op expected d_lse elements of f32, found 'f16'}}
  attn.attention_backward wrt(key)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      d_lse(%x : memref<1x4x100xf16>)
      outs(%dk : !k)
  return
}

// -----

func.func @order(%q: memref<1x4x100x64xf16>) {
  // expected-error@below {{expected query, key and value in this order, each once, found 'query' behind another}}
  attn.attention_backward wrt(key, query) ins(%q

// -----

func.func @name(%q: memref<1x4x100x64xf16>) {
  // expected-error@below {{expected 'query', 'key' or 'value', found 'output'}}
  attn.attention_backward wrt(output) ins(%q
