// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_80 -split-input-file -verify-diagnostics
// RUN: attn-opt %s -attn-assign-tiles -split-input-file -verify-diagnostics

func.func @head_dim(%q: memref<2x6x128x577xf16>, %v: memref<2x6x128x64xf16>) {
  // expected-error@below {{expected a head dim of at most 576, found 577}}
  attn.attention
      ins(%q, %q, %v : memref<2x6x128x577xf16>, memref<2x6x128x577xf16>, memref<2x6x128x64xf16>)
      outs(%v : memref<2x6x128x64xf16>)
  return
}

// -----

func.func @value_head_dim(%q: memref<2x6x128x64xf16>, %v: memref<2x6x128x513xf16>) {
  // expected-error@below {{expected a value head dim of at most 512, found 513}}
  attn.attention
      ins(%q, %q, %v : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x513xf16>)
      outs(%v : memref<2x6x128x513xf16>)
  return
}

// -----

func.func @columns_of_key(%q: memref<2x6x128x576xf16>, %o: memref<2x6x128x520xf16>) {
  // expected-error@below {{expected a value head dim of at most 512, found 520}}
  attn.attention ins(%q, %q : memref<2x6x128x576xf16>, memref<2x6x128x576xf16>)
      value_dims [56, 576] outs(%o : memref<2x6x128x520xf16>)
  return
}

// -----

func.func @f32(%q: memref<2x6x128x257xf32>, %v: memref<2x6x128x64xf32>) {
  // expected-error@below {{expected a head dim of at most 256, found 257}}
  attn.attention
      ins(%q, %q, %v : memref<2x6x128x257xf32>, memref<2x6x128x257xf32>, memref<2x6x128x64xf32>)
      outs(%v : memref<2x6x128x64xf32>)
  return
}

// -----

func.func @gradients(%q: memref<2x6x128x520xf16>, %l: memref<2x6x128xf32>) {
  // expected-error@below {{expected a value head dim of at most 512, found 520}}
  attn.attention_backward
      ins(%q, %q, %q, %q, %l, %q : memref<2x6x128x520xf16>, memref<2x6x128x520xf16>,
          memref<2x6x128x520xf16>, memref<2x6x128x520xf16>, memref<2x6x128xf32>, memref<2x6x128x520xf16>)
      outs(%q, %q, %q : memref<2x6x128x520xf16>, memref<2x6x128x520xf16>, memref<2x6x128x520xf16>)
  return
}

// -----

// The columns of both arrays count.
func.func @parts(%q: memref<2x6x128x512xf16>, %r: memref<2x6x128x65xf16>) {
  // expected-error@below {{expected a head dim of at most 576, found 577}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x512xf16>, memref<2x6x128x512xf16>, memref<2x6x128x512xf16>)
      with(query_rope %r : memref<2x6x128x65xf16>, key_rope %r : memref<2x6x128x65xf16>)
      outs(%q : memref<2x6x128x512xf16>)
  return
}
