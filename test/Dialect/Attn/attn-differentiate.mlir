// RUN: attn-opt %s -split-input-file -attn-differentiate -verify-diagnostics | FileCheck %s

!t = tensor<1x4x?x16xf16>
!k = tensor<1x2x?x16xf16>

// CHECK-LABEL: func.func @f(
// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME: -> (tensor<1x4x?x16xf16>, tensor<1x4x?xf32>)
// CHECK: %[[LSE:.+]] = tensor.empty(%{{.+}}) : tensor<1x4x?xf32>
// CHECK: %[[R:.+]]:2 = attn.attention mask <top_left, causal> {{.*}}outs(%{{.+}}, %[[LSE]] :
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME: %[[Q:.+]]: tensor<1x4x?x16xf16>, %[[K:[^:]+]]: tensor<1x2x?x16xf16>, %[[V:[^:]+]]: tensor<1x2x?x16xf16>, %[[CAP:[^:]+]]: f32, %[[O:[^:]+]]: tensor<1x4x?x16xf16>, %[[L:[^:]+]]: tensor<1x4x?xf32>, %[[DO:[^:]+]]: tensor<1x4x?x16xf16>)
// CHECK-SAME: -> (tensor<1x4x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<f32>)
// CHECK: %[[G:.+]]:4 = attn.attention_backward mask <top_left, causal> wrt(query, key, value, captures[0]) ins(%[[Q]], %[[K]], %[[V]], %[[O]], %[[L]], %[[DO]] :
// CHECK-SAME: captures(%[[CAP]] : f32)
// CHECK: return %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3
func.func @f(%q: !t, %k: !k, %v: !k, %cap: f32) -> !t {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !t
  %o = tensor.empty(%n) : !t
  %r = attn.attention mask <top_left, causal>
      ins(%q, %k, %v : !t, !k, !k) captures(%cap : f32) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        %0 = arith.divf %s, %c : f32
        %1 = math.tanh %0 : f32
        %2 = arith.mulf %1, %c : f32
        attn.yield %2 : f32
      } -> !t
  return %r : !t
}

// -----

!t = memref<1x4x8x16xf16>
!row = memref<1x4x8xf32>

// The gradients read the output that the function writes to its argument.
// CHECK-LABEL: func.func @g(
// CHECK-LABEL: func.func @g_forward(
// CHECK-SAME: %{{.+}}: memref<1x4x8xf32>) {
// CHECK: attn.attention ins({{.+}}) outs(%arg3, %arg4 :
// CHECK-LABEL: func.func @g_backward(
// CHECK-SAME: %arg4: memref<1x4x8xf32>, %arg5: memref<1x4x8x16xf16>, %arg6: memref<1x4x8x16xf16>, %arg7: memref<1x4x8x16xf16>, %arg8: memref<1x4x8x16xf16>) {
// CHECK: attn.attention_backward ins(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5 : {{.+}}) outs(%arg6, %arg7, %arg8 :
func.func @g(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// -----

!t = memref<1x4x8x16xf16>

// Captures have gradients if they are floats or arrays of floats, and are arguments of the
// function; the mask region is copied, too.
// CHECK-LABEL: func.func @captures_forward(
// CHECK: } mask {
// CHECK-LABEL: func.func @captures_backward(
// CHECK-SAME: %arg1: f16, %{{[^)]+}}: memref<4xf32>, %{{[^)]+}}: memref<f16>) {
// CHECK: attn.attention_backward wrt(query, key, value, captures[1, 2]) ins(
// CHECK-SAME: outs(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : memref<1x4x8x16xf16>, memref<1x4x8x16xf16>, memref<1x4x8x16xf16>, memref<4xf32>, memref<f16>)
// CHECK: attn.read
// CHECK: } mask {
func.func @captures(%q: !t, %x: f16, %t: memref<4xf32>, %o: !t) {
  %y = arith.constant 2.0 : f32
  attn.attention ins(%q, %q, %q : !t, !t, !t)
      captures(%y, %t, %x : f32, memref<4xf32>, f16) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32, %d: memref<4xf32>, %e: f16):
        %0 = attn.read %d[%h] : memref<4xf32>
        %1 = arith.extf %e : f16 to f32
        %2 = math.fma %0, %1, %s : f32
        attn.yield %2 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: f32, %d: memref<4xf32>, %e: f16):
        %0 = arith.cmpi ule, %j, %i : index
        attn.yield %0 : i1
      }
  return
}

// -----

!t = memref<1x4x8x16xf16>

// An op that the score passes by, but a capture does not.
func.func @rounds_capture(%q: !t, %x: f32, %o: !t) {
  // expected-note@below {{needed for the gradients of this op's score region}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%x : f32) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        // expected-error@below {{'arith.bitcast' op has no derivative with respect to its operands}}
        %0 = arith.bitcast %c : f32 to i32
        %1 = arith.sitofp %0 : i32 to f32
        %2 = arith.addf %1, %s : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<1x4x8x16xf16>

func.func @two(%q: !t, %o: !t) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  // expected-error@below {{expected one attention op, in a function of one block, to differentiate 'two'}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  return
}

// -----

!t = memref<1x4x8x16xf16>

func.func @rounds(%q: !t, %o: !t) {
  // expected-note@below {{needed for the gradients of this op's score region}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        // expected-error@below {{'arith.bitcast' op has no derivative with respect to its operands}}
        %0 = arith.bitcast %s : f32 to i32
        %1 = arith.sitofp %0 : i32 to f32
        attn.yield %1 : f32
      }
  return
}

// -----

// expected-error@below {{expected 'h_backward' to be free for its gradients}}
func.func @h(%q: memref<1x4x8x16xf16>, %o: memref<1x4x8x16xf16>) {
  attn.attention ins(%q, %q, %q : memref<1x4x8x16xf16>, memref<1x4x8x16xf16>, memref<1x4x8x16xf16>) outs(%o : memref<1x4x8x16xf16>)
  return
}
func.func private @h_backward()

// -----

// A sink that is an argument is a parameter; dropout has the same counters.
// CHECK-LABEL: func.func @sink_backward(
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<2xf32>, %[[SEED:[a-z0-9]+]]: i64
// CHECK-SAME: -> (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<2xf32>)
// CHECK: attn.attention_backward wrt(query, key, value, sink) ins(
// CHECK-SAME: sink(%[[S]] : tensor<2xf32>) dropout(1.000000e-01, %[[SEED]], %[[SEED]] : i64, i64)
func.func @sink(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>,
                %s: tensor<2xf32>, %seed: i64, %o: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  %r = attn.attention ins(%q, %k, %v : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      sink(%s : tensor<2xf32>) dropout(0.1, %seed, %seed : i64, i64)
      outs(%o : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %r : tensor<1x2x8x16xf16>
}

// -----

!t = tensor<2x4x?x16xf32>
!bias = tensor<1x4x?x?xf32>

// A tensor that is a bias gets a gradient of its sizes, one that only the mask reads gets none.
// CHECK-LABEL: func.func @bias_backward(
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<1x4x?x?xf32>
// CHECK-SAME: -> (tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32>, tensor<1x4x?x?xf32>)
// CHECK: %[[OUT:.+]] = tensor.empty(%{{.+}}, %{{.+}}) : tensor<1x4x?x?xf32>
// CHECK: %[[R:.+]]:4 = attn.attention_backward wrt(query, key, value, captures[0])
// CHECK-SAME: outs(%{{.+}}, %{{.+}}, %{{.+}}, %[[OUT]] :
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[R]]#3
func.func @bias(%q: !t, %k: !t, %v: !t, %bias: !bias, %weights: tensor<4xf32>, %o: !t) -> !t {
  %r = attn.attention ins(%q, %k, %v : !t, !t, !t)
      captures(%bias, %weights : !bias, tensor<4xf32>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: !bias, %d: tensor<4xf32>):
        %c0 = arith.constant 0 : index
        %0 = attn.read %c[%c0, %h, %i, %j] : !bias
        %1 = arith.addf %s, %0 : f32
        attn.yield %1 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: !bias, %d: tensor<4xf32>):
        %zero = arith.constant 0.0 : f32
        %0 = attn.read %d[%h] : tensor<4xf32>
        %1 = arith.cmpf oge, %0, %zero : f32
        attn.yield %1 : i1
      } -> !t
  return %r : !t
}

// -----

!t = memref<1x4x8x16xf16>

func.func @table(%q: !t, %table: memref<?x4xf32>, %o: !t) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%table : memref<?x4xf32>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?x4xf32>):
        %0 = arith.subi %i, %j : index
        // expected-error@below {{'attn.read' op has no gradient with respect to its array: expected as indices some of b, h, i and j of the region, in this order, and any for dimensions of static sizes with at most 65536 elements together, found another for dimension 0}}
        %1 = attn.read %t[%0, %h] : memref<?x4xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

// Gradients of arrays of 8 bits have the type in which products are computed.
!q = memref<2x4x70x64xf8E4M3FN>
!k = memref<2x2x90x64xf8E4M3FN>
!v = memref<2x2x90x40xi8>
!o = memref<2x4x70x40xbf16>

// CHECK-LABEL: func.func @narrow_forward(
// CHECK: with(query_scale %{{.+}} : memref<f32>, key_scale %{{.+}} : memref<2x2x90xf32>)
// CHECK-LABEL: func.func @narrow_backward(
// CHECK: attn.attention_backward
// CHECK-SAME: with(query_scale %{{.+}} : memref<f32>, key_scale %{{.+}} : memref<2x2x90xf32>)
// CHECK-SAME: outs(%{{.+}}, %{{.+}}, %{{.+}} : memref<2x4x70x64xbf16>, memref<2x2x90x64xbf16>, memref<2x2x90x40xbf16>)
func.func @narrow(%q: !q, %k: !k, %v: !v, %qs: memref<f32>, %ks: memref<2x2x90xf32>, %o: !o) {
  attn.attention ins(%q, %k, %v : !q, !k, !v)
      with(query_scale %qs : memref<f32>, key_scale %ks : memref<2x2x90xf32>) outs(%o : !o)
  return
}

// -----

!q = memref<2x4x70x64xf8E4M3FN>

func.func @narrow_output(%q: !q, %s: memref<f32>, %o: !q) {
  // expected-error@below {{'attn.attention' op expected an output of f16, bf16 or f32 to differentiate 'narrow_output', found elements of 'f8E4M3FN'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(output_scale %s : memref<f32>) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x3x16xf32>
!k = memref<2x2x16x16xf32>
!n = memref<2xi32>

func.func @pages(%q: !q, %k: !k, %v: !k, %rows: !n, %keys: !n, %t: memref<2x4xi32>, %o: !q) {
  // expected-error@below {{'attn.attention' op expected keys and values without pages to differentiate 'pages', found pages}}
  attn.attention ins(%q, %k, %v : !q, !k, !k) lengths(%rows, %keys : !n, !n)
      pages(%t : memref<2x4xi32>) outs(%o : !q)
  return
}

// -----

!t = memref<1x4x8x16xf32>

// The backward function would fill the output, too, before it computes gradients from it.
func.func @fills(%q: !t, %k: !t, %v: !t, %o: !t) {
  %zero = arith.constant 0.0 : f32
  // expected-error@below {{'linalg.fill' op expected no write to an argument beside attention's to differentiate 'fills', found one}}
  linalg.fill ins(%zero : f32) outs(%o : !t)
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// -----

!t = memref<1x4x8x16xf32>
!half = memref<1x4x4x16xf32, strided<[512, 128, 16, 1]>>

// The gradients would be of an output that has changed.
func.func @changes(%q: !t, %k: !t, %v: !t, %x: !half, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  %half = memref.subview %o[0, 0, 0, 0] [1, 4, 4, 16] [1, 1, 1, 1] : !t to !half
  // expected-error@below {{'memref.copy' op expected no write to an argument beside attention's to differentiate 'changes', found one}}
  memref.copy %x, %half : !half to !half
  return
}

// -----

!t = memref<1x4x8x16xf32>

// A number that the function reads from memory of its own, or from an argument, is no obstacle.
// CHECK-LABEL: func.func @reads_backward(
// CHECK: memref.store
// CHECK: %[[X:.+]] = memref.load
// CHECK: attn.attention_backward {{.*}}captures(%[[X]] : f32)
func.func @reads(%q: !t, %n: memref<f32>, %o: !t) {
  %own = memref.alloca() : memref<f32>
  %0 = memref.load %n[] : memref<f32>
  memref.store %0, %own[] : memref<f32>
  %x = memref.load %own[] : memref<f32>
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%x : f32) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        %1 = arith.mulf %s, %c : f32
        attn.yield %1 : f32
      }
  return
}

// -----

!q = tensor<1x4x?x16xf16>
!k = tensor<1x2x?x16xf16>

// Both functions have few rows, as the function has: the forward one divides keys for them, and
// the backward one has rows of several heads in a tile.
// CHECK-LABEL: func.func @few_forward(
// CHECK: attn.attention {{.*}}few_rows
// CHECK-LABEL: func.func @few_backward(
// CHECK: attn.attention_backward {{.*}}few_rows
func.func @few(%q: !q, %k: !k, %v: !k, %o: !q) -> !q {
  %r = attn.attention ins(%q, %k, %v : !q, !k, !k) outs(%o : !q) {few_rows} -> !q
  return %r : !q
}

// -----

!t = memref<1x4x8x16xf16>

// The effects of a call are not known, also in a branch.
func.func private @scale(!t)
func.func @calls(%q: !t, %k: !t, %v: !t, %is: i1, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  // expected-error@below {{'scf.if' op expected no write to an argument beside attention's to differentiate 'calls', found an op whose effects on one are not known}}
  scf.if %is {
    func.call @scale(%o) : (!t) -> ()
  }
  return
}

// -----

!t = memref<1x4x8x16xf16>

// A call that gets no array of the function's arguments is no obstacle.
// CHECK-LABEL: func.func @draws_backward(
// CHECK: %[[SEED:.+]] = call @draw()
// CHECK: attn.attention_backward {{.*}}dropout
func.func private @draw() -> i64
func.func @draws(%q: !t, %k: !t, %v: !t, %offset: i64, %o: !t) {
  %seed = call @draw() : () -> i64
  attn.attention ins(%q, %k, %v : !t, !t, !t) dropout(0.5, %seed, %offset : i64, i64) outs(%o : !t)
  return
}

// -----

// Gradients of a captured array are row-major where its own layout has several elements at one
// address, or rows whose elements are not neighbours.
!t = memref<2x4x8x16xf32>
!shared = memref<2x4xf32, strided<[0, 1]>>
!apart = memref<2x4xf32, strided<[?, ?]>>
// CHECK-LABEL: func.func @layouts_backward(
// CHECK-SAME: %arg9: memref<2x4xf32>, %arg10: memref<2x4xf32>)
func.func @layouts(%q: !t, %c: !shared, %d: !apart, %o: !t, %l: memref<2x4x8xf32>) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%c, %d : !shared, !apart)
      outs(%o, %l : !t, memref<2x4x8xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: !shared, %y: !apart):
        %0 = attn.read %x[%b, %h] : !shared
        %1 = attn.read %y[%b, %h] : !apart
        %2 = arith.mulf %s, %0 : f32
        %3 = arith.addf %2, %1 : f32
        attn.yield %3 : f32
      }
  return
}

// -----

!t = memref<1x4x8x16xf32>
!n = memref<3xi32>
func.func @packed(%q: !t, %c: f32, %n: !n, %o: !t) {
  // expected-error@below {{'attn.attention' op expected no gradients of captures where sequences are packed to differentiate 'packed', found one of capture 0}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%c : f32) packed(%n, %n : !n, !n) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
        %0 = arith.mulf %s, %x : f32
        attn.yield %0 : f32
      }
  return
}

// -----

// So is d_key where rows of the key overlap.
!t = memref<1x2x8x16xf32>
!overlapping = memref<1x2x8x16xf32, strided<[64, 32, 2, 1]>>
// CHECK-LABEL: func.func @overlaps_backward(
// CHECK-SAME: %arg1: memref<1x2x8x16xf32, strided<[64, 32, 2, 1]>>
// CHECK-NOT: strided
// CHECK: attn.attention_backward
func.func @overlaps(%q: !t, %k: !overlapping, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !overlapping, !t) outs(%o : !t)
  return
}

// -----

// The gradient of a number of f64 is an array of f32, which launches take.
!q = tensor<1x2x8x16xf32>
// CHECK-LABEL: func.func @f64_backward(
// CHECK-SAME: %{{.+}}: f64, {{.*}} -> (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<f32>)
func.func @f64(%q: !q, %c: f64) -> !q {
  %e = tensor.empty() : !q
  %r = attn.attention ins(%q, %q, %q : !q, !q, !q) captures(%c : f64) outs(%e : !q)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f64):
        %0 = arith.truncf %x : f64 to f32
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      } -> !q
  return %r : !q
}
