// RUN: attn-opt %s -split-input-file -verify-diagnostics

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
