// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @elements_of_f64(%q: tensor<1x2x8x16xf64>, %k: tensor<1x2x8x16xf64>, %v: tensor<1x2x8x16xf64>, %o: tensor<1x2x8x16xf64>) {
  // expected-error@below {{'attn.attention' op expected query elements of f16, bf16, f32, f8E4M3FN or f8E5M2, found 'f64'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf64>, tensor<1x2x8x16xf64>, tensor<1x2x8x16xf64>)
      outs(%o : tensor<1x2x8x16xf64>)
      -> tensor<1x2x8x16xf64>
  return
}

// -----

func.func @elements_of_i8(%q: tensor<1x2x8x16xi8>, %k: tensor<1x2x8x16xi8>, %v: tensor<1x2x8x16xi8>, %o: tensor<1x2x8x16xi8>) {
  // expected-error@below {{'attn.attention' op expected query elements of f16, bf16, f32, f8E4M3FN or f8E5M2, found 'i8'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xi8>, tensor<1x2x8x16xi8>, tensor<1x2x8x16xi8>)
      outs(%o : tensor<1x2x8x16xi8>)
      -> tensor<1x2x8x16xi8>
  return
}

// -----

func.func @elements_of_f8(%q: tensor<1x2x8x16xf8E4M3FN>, %k: tensor<1x2x8x16xf8E4M3FN>, %v: tensor<1x2x8x16xf8E4M3FN>, %o: tensor<1x2x8x16xf8E4M3FN>) {
  // expected-error@below {{'attn.attention' op expected an output_scale in 'with' beside an output of 'f8E4M3FN', found none}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf8E4M3FN>, tensor<1x2x8x16xf8E4M3FN>, tensor<1x2x8x16xf8E4M3FN>)
      outs(%o : tensor<1x2x8x16xf8E4M3FN>)
      -> tensor<1x2x8x16xf8E4M3FN>
  return
}

// -----

func.func @elements_of_index(%q: tensor<1x2x8x16xindex>, %k: tensor<1x2x8x16xindex>, %v: tensor<1x2x8x16xindex>, %o: tensor<1x2x8x16xindex>) {
  // expected-error@below {{'attn.attention' op expected query elements of f16, bf16, f32, f8E4M3FN or f8E5M2, found 'index'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xindex>, tensor<1x2x8x16xindex>, tensor<1x2x8x16xindex>)
      outs(%o : tensor<1x2x8x16xindex>)
      -> tensor<1x2x8x16xindex>
  return
}

// -----

func.func @key_elements(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xbf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected key elements of 'f16', as query, or of f8E4M3FN, f8E5M2, i8 or i4, found 'bf16'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @value_elements(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf32>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected value elements of 'f16', as query, or of f8E4M3FN, f8E5M2, i8 or i4, found 'f32'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf32>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @output_elements_bf16(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xbf16>) {
  // expected-error@below {{'attn.attention' op expected output elements of 'f16', as query, or of f32, found 'bf16'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xbf16>)
      -> tensor<1x2x8x16xbf16>
  return
}

// -----

func.func @output_elements_narrower(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected output elements of 'f32', as query, or of f32, found 'f16'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @key_memref_among_tensors(%q: tensor<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found key of type 'memref<1x2x8x16xf16>' and query of type 'tensor<1x2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, memref<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @value_memref_among_tensors(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found value of type 'memref<1x2x8x16xf16>' and query of type 'tensor<1x2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @output_memref_among_tensors(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found output of type 'memref<1x2x8x16xf16>' and query of type 'tensor<1x2x8x16xf16>'}}
  attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @output_tensor_among_memrefs(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found output of type 'tensor<1x2x8x16xf16>' and query of type 'memref<1x2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @lse_memref_among_tensors(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: memref<1x2x8xf32>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found lse of type 'memref<1x2x8xf32>' and query of type 'tensor<1x2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, memref<1x2x8xf32>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @unranked_tensor(%q: tensor<*xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op operand #0 must be ranked tensor or strided memref, but got 'tensor<*xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<*xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @unranked_memref(%q: memref<1x2x8x16xf16>, %k: memref<*xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op operand #1 must be ranked tensor or strided memref, but got 'memref<*xf16>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<*xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @vector(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: vector<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op operand #2 must be ranked tensor or strided memref, but got 'vector<1x2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, vector<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}
