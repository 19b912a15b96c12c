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

// -----

func.func @rank_of_query(%q: tensor<2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected query of rank 4, found 'tensor<2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @rank_of_key(%q: tensor<1x2x8x16xf16>, %k: tensor<1x1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected key of rank 4, found 'tensor<1x1x2x8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @rank_of_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected value of rank 4, found 'tensor<8x16xf16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @rank_of_output(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<f16>) {
  // expected-error@below {{'attn.attention' op expected output of rank 4, found 'tensor<f16>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<f16>)
      -> tensor<f16>
  return
}

// -----

func.func @batch_of_key(%q: tensor<1x2x8x16xf16>, %k: tensor<3x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal batch sizes, found 1 in query and 3 in key}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<3x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @batch_of_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<3x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal batch sizes, found 1 in query and 3 in value}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<3x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @batch_of_output(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<3x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal batch sizes, found 1 in query and 3 in output}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<3x2x8x16xf16>)
      -> tensor<3x2x8x16xf16>
  return
}

// -----

func.func @heads_of_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x1x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 2 in key and 1 in value}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x1x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @heads_of_output(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x1x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 2 in query and 1 in output}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x1x8x16xf16>)
      -> tensor<1x1x8x16xf16>
  return
}

// -----

func.func @length_of_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x9x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal lengths, found 8 in key and 9 in value}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x9x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @length_of_output(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x9x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal lengths, found 8 in query and 9 in output}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x9x16xf16>)
      -> tensor<1x2x9x16xf16>
  return
}

// -----

func.func @length_of_output_memref(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x9x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal lengths, found 8 in query and 9 in output}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x9x16xf16>)
  return
}

// -----

func.func @head_dim_of_key(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x32xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected equal head dims, found 16 in query and 32 in key}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x32xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @head_dim_of_output(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x32xf16>) {
  // expected-error@below {{'attn.attention' op expected equal head dims, found 16 in value and 32 in output}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x32xf16>)
      -> tensor<1x2x8x32xf16>
  return
}

// -----

func.func @heads_do_not_divide(%q: tensor<1x3x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x3x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected the number of query heads to be a multiple of the number of key and value heads, found 3 and 2}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x3x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x3x8x16xf16>)
      -> tensor<1x3x8x16xf16>
  return
}

// -----

func.func @more_key_heads(%q: tensor<1x2x8x16xf16>, %k: tensor<1x4x8x16xf16>, %v: tensor<1x4x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected the number of query heads to be a multiple of the number of key and value heads, found 2 and 4}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @no_key_heads(%q: tensor<1x2x8x16xf16>, %k: tensor<1x0x8x16xf16>, %v: tensor<1x0x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected the number of query heads to be a multiple of the number of key and value heads, found 2 and 0}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x0x8x16xf16>, tensor<1x0x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @dynamic_head_dim_of_query(%q: tensor<1x2x8x?xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a static head dim of at least 1 in query, found a dynamic one}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x?xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @dynamic_head_dim_of_key(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x?xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a static head dim of at least 1 in key, found a dynamic one}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x?xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @dynamic_head_dim_of_value(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x?xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a static head dim of at least 1 in value, found a dynamic one}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x?xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @dynamic_head_dim_of_output(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x?xf16>) {
  // expected-error@below {{'attn.attention' op expected a static head dim of at least 1 in output, found a dynamic one}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x?xf16>)
      -> tensor<1x2x8x?xf16>
  return
}

// -----

func.func @zero_head_dim(%q: tensor<1x2x8x0xf16>, %k: tensor<1x2x8x0xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a static head dim of at least 1 in query, found 0}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x0xf16>, tensor<1x2x8x0xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @zero_value_head_dim(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x0xf16>, %o: tensor<1x2x8x0xf16>) {
  // expected-error@below {{'attn.attention' op expected a static head dim of at least 1 in value, found 0}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x0xf16>)
      outs(%o : tensor<1x2x8x0xf16>)
      -> tensor<1x2x8x0xf16>
  return
}

// -----

func.func @innermost_stride_of_query(%q: memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected query with an innermost stride of 1, found 'memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @innermost_stride_of_key(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected key with an innermost stride of 1, found 'memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @value_along_keys_of_pages(%q: memref<1x2x8x16xf16>, %k: memref<4x2x16x16xf16>, %v: memref<4x2x16x16xf16, strided<[512, 256, 1, 16]>>, %t: memref<1x4xi32>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected value with an innermost stride of 1 where it is in pages, found one whose stride along keys is 1, 'memref<4x2x16x16xf16, strided<[512, 256, 1, 16]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<4x2x16x16xf16>, memref<4x2x16x16xf16, strided<[512, 256, 1, 16]>>)
      pages(%t : memref<1x4xi32>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @value_of_i4_along_keys(%q: memref<1x2x8x16xf16>, %k: memref<1x2x16x16xi4>, %v: memref<1x2x16x16xi4, strided<[512, 256, 1, 16]>>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected value with an innermost stride of 1 where it is of i4, found one whose stride along keys is 1, 'memref<1x2x16x16xi4, strided<[512, 256, 1, 16]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x16x16xi4>, memref<1x2x16x16xi4, strided<[512, 256, 1, 16]>>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @innermost_stride_of_value(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected value with an innermost stride of 1, found 'memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @innermost_stride_of_output(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>) {
  // expected-error@below {{'attn.attention' op expected output with an innermost stride of 1, found 'memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16, strided<[256, 128, 16, 2]>>)
  return
}

// -----

func.func @innermost_stride_of_lse(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>, %l: memref<1x2x8xf32, strided<[16, 8, 2]>>) {
  // expected-error@below {{'attn.attention' op expected lse with an innermost stride of 1, found 'memref<1x2x8xf32, strided<[16, 8, 2]>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o, %l : memref<1x2x8x16xf16>, memref<1x2x8xf32, strided<[16, 8, 2]>>)
  return
}

// -----

func.func @dynamic_innermost_stride(%q: memref<1x2x8x16xf16, strided<[?, ?, ?, ?], offset: ?>>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected query with an innermost stride of 1, found 'memref<1x2x8x16xf16, strided<[?, ?, ?, ?], offset: ?>>'}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16, strided<[?, ?, ?, ?], offset: ?>>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @not_strided(%q: memref<1x2x8x16xf16, affine_map<(a, b, c, d) -> (a, b, c floordiv 2, d)>>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op operand #0 must be ranked tensor or strided memref, but got}}
  attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16, affine_map<(a, b, c, d) -> (a, b, c floordiv 2, d)>>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
  return
}

// -----

func.func @lse_elements(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x2x8xf16>) {
  // expected-error@below {{'attn.attention' op expected lse elements of f32, found 'f16'}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<1x2x8xf16>)
      -> tensor<1x2x8x16xf16>, tensor<1x2x8xf16>
  return
}

// -----

func.func @lse_rank(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x2x8x1xf32>) {
  // expected-error@below {{'attn.attention' op expected lse of rank 3, found 'tensor<1x2x8x1xf32>'}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<1x2x8x1xf32>)
      -> tensor<1x2x8x16xf16>, tensor<1x2x8x1xf32>
  return
}

// -----

func.func @lse_batch(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<2x2x8xf32>) {
  // expected-error@below {{'attn.attention' op expected equal batch sizes, found 1 in query and 2 in lse}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<2x2x8xf32>)
      -> tensor<1x2x8x16xf16>, tensor<2x2x8xf32>
  return
}

// -----

func.func @lse_heads(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x3x8xf32>) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 2 in query and 3 in lse}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<1x3x8xf32>)
      -> tensor<1x2x8x16xf16>, tensor<1x3x8xf32>
  return
}

// -----

func.func @lse_length(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x2x9xf32>) {
  // expected-error@below {{'attn.attention' op expected equal lengths, found 8 in query and 9 in lse}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<1x2x9xf32>)
      -> tensor<1x2x8x16xf16>, tensor<1x2x9xf32>
  return
}

// -----

func.func @no_outs(%q: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected 1 or 2 outs (output and lse), found 0}}
  "attn.attention"(%q, %q, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({}, {})
      : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> ()
  return
}

// -----

func.func @three_outs(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x2x8xf32>, %m: tensor<1x2x8xf32>) {
  // expected-error@below {{'attn.attention' op expected 1 or 2 outs (output and lse), found 3}}
  %r:3 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l, %m : tensor<1x2x8x16xf16>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
      -> tensor<1x2x8x16xf16>, tensor<1x2x8xf32>, tensor<1x2x8xf32>
  return
}

// -----

func.func @no_results(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected 1 results, found 0}}
  attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
  return
}

// -----

func.func @too_many_results(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected 1 results, found 2}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>
  return
}

// -----

func.func @results_of_memrefs(%q: memref<1x2x8x16xf16>, %k: memref<1x2x8x16xf16>, %v: memref<1x2x8x16xf16>, %o: memref<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected 0 results, found 1}}
  %r = attn.attention
      ins(%q, %k, %v : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @result_elements(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected result #0 of type 'tensor<1x2x8x16xf16>', as outs, found 'tensor<1x2x8x16xf32>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf32>
  return
}

// -----

func.func @result_shape(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x2x8xf32>) {
  // expected-error@below {{'attn.attention' op expected result #1 of type 'tensor<1x2x8xf32>', as outs, found 'tensor<1x2x?xf32>'}}
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<1x2x8xf32>)
      -> tensor<1x2x8x16xf16>, tensor<1x2x?xf32>
  return
}

// -----

func.func @origin_of_1(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %i: index) {
  // expected-error@below {{'attn.attention' op expected an origin of 4 indices (batch, head, query, key), found 1}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      origin(%i)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @origin_of_3(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %i: index) {
  // expected-error@below {{'attn.attention' op expected an origin of 4 indices (batch, head, query, key), found 3}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      origin(%i, %i, %i)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @origin_of_5(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %i: index) {
  // expected-error@below {{'attn.attention' op expected an origin of 4 indices (batch, head, query, key), found 5}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      origin(%i, %i, %i, %i, %i)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @lengths_of_1(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %i: index) {
  // expected-error@below {{'attn.attention' op expected 2 lengths (query, key), found 1}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      lengths(%i)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @lengths_of_3(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %i: index) {
  // expected-error@below {{'attn.attention' op expected 2 lengths (query, key), found 3}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      lengths(%i, %i, %i)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @infinite_scale(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a finite scale, found}}
  %r = attn.attention scale 0x7FF0000000000000
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @negative_infinite_scale(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a finite scale, found}}
  %r = attn.attention scale 0xFFF0000000000000
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @nan_scale(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>) {
  // expected-error@below {{'attn.attention' op expected a finite scale, found}}
  %r = attn.attention scale 0x7FF8000000000000
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @captures_without_region(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %c: f32) {
  // expected-error@below {{'attn.attention' op expected no captures without a score or mask region, found 1}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      captures(%c : f32)
      outs(%o : tensor<1x2x8x16xf16>)
      -> tensor<1x2x8x16xf16>
  return
}

// -----

func.func @captured_vector(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %c: vector<4xf32>) {
  // expected-error@below {{'attn.attention' op operand #3 must be variadic of scalar, ranked tensor or strided memref, but got 'vector<4xf32>'}}
  %r = attn.attention
      ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      captures(%c : vector<4xf32>)
      outs(%o : tensor<1x2x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: vector<4xf32>):
      attn.yield %s : f32
    }
      -> tensor<1x2x8x16xf16>
  return
}
