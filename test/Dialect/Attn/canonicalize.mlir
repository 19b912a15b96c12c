// RUN: attn-opt %s -canonicalize -split-input-file | FileCheck %s

// A causal mask keeps everything where there is a single query row at the end.
// CHECK-LABEL: func.func @causal_bottom_right_one_row(
func.func @causal_bottom_right_one_row(%q: memref<1x1x1x16xf16>, %k: memref<1x1x32x16xf16>, %o: memref<1x1x1x16xf16>) {
  // CHECK: attn.attention ins(
  // CHECK-NOT: mask
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x1x1x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x1x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @causal_top_left_one_row(
func.func @causal_top_left_one_row(%q: memref<1x1x1x16xf16>, %k: memref<1x1x32x16xf16>, %o: memref<1x1x1x16xf16>) {
  // CHECK: attn.attention mask <top_left, causal> ins(
  attn.attention mask <top_left, causal>
      ins(%q, %k, %k : memref<1x1x1x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x1x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @causal_one_key(
func.func @causal_one_key(%q: memref<1x1x8x16xf16>, %k: memref<1x1x1x16xf16>, %o: memref<1x1x8x16xf16>) {
  // CHECK: attn.attention ins(
  attn.attention mask <top_left, causal>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x1x16xf16>, memref<1x1x1x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @empty_mask(
func.func @empty_mask(%q: memref<1x1x?x16xf16>, %o: memref<1x1x?x16xf16>) {
  // CHECK: attn.attention ins(
  attn.attention mask <top_left>
      ins(%q, %q, %q : memref<1x1x?x16xf16>, memref<1x1x?x16xf16>, memref<1x1x?x16xf16>)
      outs(%o : memref<1x1x?x16xf16>)
  // CHECK: attn.attention ins(
  attn.attention mask <bottom_right>
      ins(%q, %q, %q : memref<1x1x?x16xf16>, memref<1x1x?x16xf16>, memref<1x1x?x16xf16>)
      outs(%o : memref<1x1x?x16xf16>)
  return
}

// -----

// A window as wide as the score matrix is none: row 7 still sees column 0, and
// row 0 still sees column 31.
// CHECK-LABEL: func.func @wide_window(
func.func @wide_window(%q: memref<1x1x8x16xf16>, %k: memref<1x1x32x16xf16>, %o: memref<1x1x8x16xf16>) {
  // CHECK: attn.attention ins(
  attn.attention mask <top_left, left = 7, right = 31>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  // CHECK: attn.attention ins(
  attn.attention mask <bottom_right, left = 31, right = 7>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @window_too_narrow_by_one(
func.func @window_too_narrow_by_one(%q: memref<1x1x8x16xf16>, %k: memref<1x1x32x16xf16>, %o: memref<1x1x8x16xf16>) {
  // CHECK: attn.attention mask <top_left, left = 6> ins(
  attn.attention mask <top_left, left = 6, right = 31>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  // CHECK: attn.attention mask <top_left, right = 30> ins(
  attn.attention mask <top_left, left = 7, right = 30>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  // CHECK: attn.attention mask <bottom_right, left = 30> ins(
  attn.attention mask <bottom_right, left = 30, right = 7>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  // CHECK: attn.attention mask <bottom_right, right = 6> ins(
  attn.attention mask <bottom_right, left = 31, right = 6>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%o : memref<1x1x8x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @causal_makes_right_redundant(
func.func @causal_makes_right_redundant(%q: memref<1x1x?x16xf16>, %o: memref<1x1x?x16xf16>) {
  // CHECK: attn.attention mask <top_left, causal> ins(
  attn.attention mask <top_left, causal, right = 3>
      ins(%q, %q, %q : memref<1x1x?x16xf16>, memref<1x1x?x16xf16>, memref<1x1x?x16xf16>)
      outs(%o : memref<1x1x?x16xf16>)
  return
}

// -----

// A dynamic length may exceed any window.
// CHECK-LABEL: func.func @dynamic_lengths(
func.func @dynamic_lengths(%q: memref<1x1x?x16xf16>, %k: memref<1x1x32x16xf16>, %x: memref<1x1x1x16xf16>) {
  // CHECK: attn.attention mask <top_left, left = 1000> ins(
  attn.attention mask <top_left, left = 1000>
      ins(%q, %k, %k : memref<1x1x?x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%q : memref<1x1x?x16xf16>)
  // CHECK: attn.attention mask <bottom_right, right = 1000> ins(
  attn.attention mask <bottom_right, right = 1000>
      ins(%q, %k, %k : memref<1x1x?x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      outs(%q : memref<1x1x?x16xf16>)
  // CHECK: attn.attention mask <top_left, right = 1000> ins(
  attn.attention mask <top_left, right = 1000>
      ins(%x, %q, %q : memref<1x1x1x16xf16>, memref<1x1x?x16xf16>, memref<1x1x?x16xf16>)
      outs(%x : memref<1x1x1x16xf16>)
  return
}

// -----

// The mask counts from the origin and the lengths, which the sizes of the
// operands do not tell.
// CHECK-LABEL: func.func @lengths_operands(
func.func @lengths_operands(%q: memref<1x1x1x16xf16>, %k: memref<1x1x32x16xf16>, %o: memref<1x1x1x16xf16>,
                            %lq: index, %lk: index) {
  // CHECK: attn.attention mask <bottom_right, causal> ins(
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x1x1x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      lengths(%lq, %lk)
      outs(%o : memref<1x1x1x16xf16>)
  // CHECK: attn.attention mask <bottom_right, left = 31> ins(
  attn.attention mask <bottom_right, left = 31>
      ins(%q, %k, %k : memref<1x1x1x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      lengths(%lq, %lk)
      outs(%o : memref<1x1x1x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @origin_and_lengths_operands(
func.func @origin_and_lengths_operands(%q: memref<1x1x8x16xf16>, %k: memref<1x1x32x16xf16>, %i: index,
                                       %lq: index, %lk: index) {
  // CHECK: attn.attention mask <top_left, left = 7> ins(
  attn.attention mask <top_left, left = 7>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      origin(%i, %i, %i, %i) lengths(%lq, %lk)
      outs(%q : memref<1x1x8x16xf16>)
  // CHECK: attn.attention mask <top_left, right = 31> ins(
  attn.attention mask <top_left, right = 31>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      origin(%i, %i, %i, %i) lengths(%lq, %lk)
      outs(%q : memref<1x1x8x16xf16>)
  return
}

// -----

// Constant lengths say what sizes of the operands would.
// CHECK-LABEL: func.func @constant_lengths(
func.func @constant_lengths(%q: memref<1x1x8x16xf16>, %k: memref<1x1x32x16xf16>) {
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  // CHECK: attn.attention mask <top_left, left = 62> ins(
  attn.attention mask <top_left, left = 62, right = 99>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      lengths(%c64, %c100)
      outs(%q : memref<1x1x8x16xf16>)
  // CHECK: attn.attention mask <top_left, right = 98> ins(
  attn.attention mask <top_left, left = 63, right = 98>
      ins(%q, %k, %k : memref<1x1x8x16xf16>, memref<1x1x32x16xf16>, memref<1x1x32x16xf16>)
      lengths(%c64, %c100)
      outs(%q : memref<1x1x8x16xf16>)
  return
}

// -----

// Between equal lengths the alignments are the same.
// CHECK-LABEL: func.func @equal_lengths(
func.func @equal_lengths(%q: memref<1x1x8x16xf16>, %x: memref<1x1x?x16xf16>) {
  // CHECK: attn.attention mask <top_left, causal> ins(
  attn.attention mask <bottom_right, causal>
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      outs(%q : memref<1x1x8x16xf16>)
  // CHECK: attn.attention mask <bottom_right, causal> ins(
  attn.attention mask <bottom_right, causal>
      ins(%x, %x, %x : memref<1x1x?x16xf16>, memref<1x1x?x16xf16>, memref<1x1x?x16xf16>)
      outs(%x : memref<1x1x?x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @constant_score_stays(
func.func @constant_score_stays(%q: memref<1x1x8x16xf16>) {
  // CHECK: attn.attention ins({{.*}} score {
  // CHECK: %[[C:.+]] = arith.constant 2.000000e+00 : f32
  // CHECK: attn.yield %[[C]] : f32
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      outs(%q : memref<1x1x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %t = arith.constant 2.0 : f32
      attn.yield %t : f32
    }
  return
}

// -----

// CHECK-LABEL: func.func @unused_capture(
// CHECK-SAME:    %[[A:[^:]+]]: f32, %[[B:[^:]+]]: i32, %[[C:[^:]+]]: f32)
func.func @unused_capture(%q: memref<1x1x8x16xf16>, %a: f32, %b: i32, %c: f32) {
  // CHECK: attn.attention ins({{.*}}) captures(%[[A]], %[[C]] : f32, f32) outs({{.*}}) score {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: f32, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %[[X:.+]]: f32, %[[Z:.+]]: f32):
  // CHECK-NEXT: %[[T:.+]] = arith.mulf %[[S]], %[[X]] : f32
  // CHECK-NEXT: %[[U:.+]] = arith.addf %[[T]], %[[Z]] : f32
  // CHECK-NEXT: attn.yield %[[U]] : f32
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      captures(%a, %b, %c : f32, i32, f32)
      outs(%q : memref<1x1x8x16xf16>)
      score {
    ^bb0(%s: f32, %ib: index, %ih: index, %i: index, %j: index, %x: f32, %y: i32, %z: f32):
      %t = arith.mulf %s, %x : f32
      %u = arith.addf %t, %z : f32
      attn.yield %u : f32
    }
  return
}

// -----

// CHECK-LABEL: func.func @constant_capture(
// CHECK-SAME:    %[[A:[^:]+]]: f32)
func.func @constant_capture(%q: memref<1x1x8x16xf16>, %a: f32) {
  // CHECK: attn.attention ins({{.*}}) captures(%[[A]] : f32) outs({{.*}}) score {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: f32, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %[[X:.+]]: f32):
  // CHECK-DAG: %[[C:.+]] = arith.constant 3.000000e+01 : f32
  // CHECK: %[[T:.+]] = arith.mulf %[[S]], %[[C]] : f32
  // CHECK: arith.addf %[[T]], %[[X]] : f32
  %c = arith.constant 30.0 : f32
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      captures(%c, %a : f32, f32)
      outs(%q : memref<1x1x8x16xf16>)
      score {
    ^bb0(%s: f32, %ib: index, %ih: index, %i: index, %j: index, %x: f32, %y: f32):
      %t = arith.mulf %s, %x : f32
      %u = arith.addf %t, %y : f32
      attn.yield %u : f32
    }
  return
}

// -----

// CHECK-LABEL: func.func @zero_origin(
func.func @zero_origin(%q: memref<1x1x8x16xf16>) {
  // CHECK-NOT: origin
  // CHECK: attn.attention ins({{.*}}) outs(
  %c0 = arith.constant 0 : index
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      origin(%c0, %c0, %c0, %c0)
      outs(%q : memref<1x1x8x16xf16>)
  return
}

// -----

// CHECK-LABEL: func.func @partly_zero_origin(
// CHECK-SAME:    %[[I:[^:]+]]: index)
func.func @partly_zero_origin(%q: memref<1x1x8x16xf16>, %i: index) {
  // CHECK: %[[Z:.+]] = arith.constant 0 : index
  // CHECK: attn.attention ins({{.*}}) origin(%[[Z]], %[[Z]], %[[I]], %[[Z]]) outs(
  %c0 = arith.constant 0 : index
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      origin(%c0, %c0, %i, %c0)
      outs(%q : memref<1x1x8x16xf16>)
  return
}
