// RUN: attn-opt %s -split-input-file -verify-diagnostics

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
