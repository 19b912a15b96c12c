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
  // expected-error@below {{expected query, key, value, sink, query_rope, key_rope and captures in this order, each once, found 'query' after a later one}}
  attn.attention_backward wrt(key, query) ins(%q

// -----

func.func @name(%q: memref<1x4x100x64xf16>) {
  // expected-error@below {{expected 'query', 'key', 'value', 'sink', 'query_rope', 'key_rope' or 'captures', found 'output'}}
  attn.attention_backward wrt(output) ins(%q

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @gradient_of_an_index(%t: !t, %l: !l, %n: index, %dn: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected a gradient with respect to a capture that is a float or an array of floats, found capture 0 of type 'index'}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : index)
      outs(%dn : memref<f32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: index):
        attn.yield %s : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @gradient_of_an_array(%t: !t, %l: !l, %n: memref<2xf32>, %dn: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected d_capture0 of rank 1, found 'memref<f32>'}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : memref<2xf32>)
      outs(%dn : memref<f32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<2xf32>):
        attn.yield %s : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @gradient_of_another_shape(%t: !t, %l: !l, %n: memref<2xf32>, %dn: memref<3xf32>) {
  // expected-error@below {{'attn.attention_backward' op expected d_capture0 of the shape of 'memref<2xf32>', found 'memref<3xf32>'}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : memref<2xf32>)
      outs(%dn : memref<3xf32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<2xf32>):
        attn.yield %s : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @gradient_of_integers(%t: !t, %l: !l, %n: memref<2xi32>, %dn: memref<2xf32>) {
  // expected-error@below {{'attn.attention_backward' op expected a gradient with respect to a capture that is a float or an array of floats, found capture 0 of type 'memref<2xi32>'}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : memref<2xi32>)
      outs(%dn : memref<2xf32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<2xi32>):
        attn.yield %s : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @no_such_capture(%t: !t, %l: !l, %n: f32, %dn: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected wrt to name one of 1 captures, found 1}}
  attn.attention_backward wrt(captures[1])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : f32)
      outs(%dn : memref<f32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        attn.yield %c : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @captures_descend(%t: !t, %l: !l, %n: f32, %dn: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected the captures in wrt in ascending order, found 0 after 1}}
  attn.attention_backward wrt(captures[1, 0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n, %n : f32, f32)
      outs(%dn, %dn : memref<f32>, memref<f32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32, %d: f32):
        attn.yield %c : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @type_of_a_capture_gradient(%t: !t, %l: !l, %n: f16, %dn: memref<bf16>) {
  // expected-error@below {{'attn.attention_backward' op expected d_capture0 elements of 'f16', as the capture, or of f32, found 'bf16'}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : f16)
      outs(%dn : memref<bf16>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f16):
        attn.yield %s : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @rank_of_a_capture_gradient(%t: !t, %l: !l, %n: f32, %dn: memref<1xf32>) {
  // expected-error@below {{'attn.attention_backward' op expected d_capture0 of rank 0, found 'memref<1xf32>'}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : f32)
      outs(%dn : memref<1xf32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        attn.yield %c : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>

func.func @capture_of_a_mask(%t: !t, %l: !l, %n: f32, %dn: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected a score region for gradients with respect to captures, found none}}
  attn.attention_backward wrt(captures[0])
      ins(%t, %t, %t, %t, %l, %t : !t, !t, !t, !t, !l, !t)
      captures(%n : f32)
      outs(%dn : memref<f32>) mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: f32):
        %true = arith.constant true
        attn.yield %true : i1
      }
  return
}

// -----

func.func @captures_twice(%q: f32) {
  // expected-error@below {{expected query, key, value, sink, query_rope, key_rope and captures in this order, each once, found 'captures' after a later one}}
  attn.attention_backward wrt(captures[0], captures[1]) ins(%q)
  return
}
