// The lse of the same softmax becomes the second result of attention. Logarithms of other sums, and
// other terms than the row's, stay as they are.
// RUN: attn-opt %s -attn-raise | FileCheck %s
// RUN: attn-opt %s -attn-raise=keep-rounding | FileCheck %s

// Results are those of the source.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/compare-entries.py %s random:1 random:2 random:3 random:4
!q = tensor<2x8x16xf32>
!s = tensor<2x8x12xf32>
!r = tensor<2x8xf32>
#row = affine_map<(b, i, j) -> (b, i)>
#all = affine_map<(b, i, j) -> (b, i, j)>
func.func private @scores(%q: !q, %k: tensor<2x12x16xf32>) -> !s {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %z = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %te = tensor.empty() : tensor<2x16x12xf32>
  %t = linalg.transpose ins(%k : tensor<2x12x16xf32>) outs(%te : tensor<2x16x12xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %t : !q, tensor<2x16x12xf32>) outs(%z : !s) -> !s
  %scale = arith.constant dense<0.25> : !s
  %r = arith.mulf %s, %scale : !s
  return %r : !s
}
func.func private @largest(%s: !s) -> !r {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !r
  %z = linalg.fill ins(%low : f32) outs(%e : !r) -> !r
  %m = linalg.reduce ins(%s : !s) outs(%z : !r) dimensions = [2]
      (%x: f32, %y: f32) { %n = arith.maximumf %x, %y : f32 linalg.yield %n : f32 }
  return %m : !r
}
// exp(s - m)
func.func private @exponentials(%s: !s, %m: !r) -> !s {
  %e = tensor.empty() : !s
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : !s, !r) outs(%e : !s) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %d = arith.subf %x, %y : f32
      %n = math.exp %d : f32
      linalg.yield %n : f32
  } -> !s
  return %r : !s
}
func.func private @sums(%s: !s) -> !r {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !r
  %z = linalg.fill ins(%zero : f32) outs(%e : !r) -> !r
  %t = linalg.reduce {arith.addf} ins(%s : !s) outs(%z : !r) dimensions = [2]
  return %t : !r
}
// The product of values and p / t.
func.func private @output(%p: !s, %t: !r, %v: tensor<2x12x16xf32>) -> !q {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %n = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %t : !s, !r) outs(%e : !s) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %d = arith.divf %x, %y : f32
      linalg.yield %d : f32
  } -> !s
  %oe = tensor.empty() : !q
  %z = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.batch_matmul ins(%n, %v : !s, tensor<2x12x16xf32>) outs(%z : !q) -> !q
  return %o : !q
}

// Maximum plus logarithm. The batch of three dimensions is a batch of attention with one head.
// CHECK-LABEL: func.func @both(
// CHECK: %[[R:.+]]:2 = attn.attention
// CHECK-SAME: -> tensor<2x1x8x16xf32>, tensor<2x1x8xf32>
// CHECK-NOT: linalg
// CHECK-NOT: math
// CHECK: %[[L:.+]] = tensor.collapse_shape %[[R]]#1
// CHECK-NEXT: return %{{.+}}, %[[L]]
func.func @both(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %o = call @output(%e, %t, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %log = math.log %t : !r
  %lse = arith.addf %m, %log : !r
  return %o, %lse : !q, !r
}

// The sum has no maximum, and the source doubles the lse before the output is computed. All of that
// is unused then.
// CHECK-LABEL: func.func @doubled(
// CHECK: %[[R:.+]]:2 = attn.attention
// CHECK: %[[F:.+]] = linalg.fill ins(%{{.+}} : f32)
// CHECK: arith.mulf %[[R]]#1, %[[F]]
// CHECK-NOT: linalg
// CHECK: return
func.func @doubled(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %raw = math.exp %s : !s
  %sum = call @sums(%raw) : (!s) -> !r
  %log = math.log %sum : !r
  %two = arith.addf %log, %log : !r
  %o = call @output(%e, %t, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  return %o, %two : !q, !r
}

// An lse that only the probabilities use is no result.
// CHECK-LABEL: func.func @inner(
// CHECK: %[[R:.+]] = attn.attention
// CHECK-NOT: math.log
// CHECK: return
func.func @inner(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> !q {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %log = math.log %t : !r
  %lse = arith.addf %m, %log : !r
  %p = call @exponentials(%s, %lse) : (!s, !r) -> !s
  %one = arith.constant dense<1.0> : !r
  %o = call @output(%p, %one, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  return %o : !q
}

// The logarithm of the sum of exponentials less the maximum is not the lse.
// CHECK-LABEL: func.func @without_maximum(
// CHECK: %[[R:.+]] = attn.attention
// CHECK: math.log
// CHECK: return
func.func @without_maximum(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %o = call @output(%e, %t, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %log = math.log %t : !r
  return %o, %log : !q, !r
}

// Nor is it with the maximum's double, or minus the maximum.
// CHECK-LABEL: func.func @twice_maximum(
// CHECK: %[[R:.+]] = attn.attention
// CHECK: math.log
// CHECK: math.log
// CHECK: return
func.func @twice_maximum(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %o = call @output(%e, %t, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %log = math.log %t : !r
  %m2 = arith.addf %m, %m : !r
  %a = arith.addf %m2, %log : !r
  %log2 = math.log %t : !r
  %b = arith.subf %log2, %m : !r
  return %o, %a, %b : !q, !r, !r
}

// The logarithm of a sum of other scores, which have twice the scale.
// CHECK-LABEL: func.func @other_scale(
// CHECK: %[[R:.+]] = attn.attention
// CHECK: math.log
// CHECK: return
func.func @other_scale(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %o = call @output(%e, %t, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %s2 = arith.addf %s, %s : !s
  %m2 = call @largest(%s2) : (!s) -> !r
  %e2 = call @exponentials(%s2, %m2) : (!s, !r) -> !s
  %t2 = call @sums(%e2) : (!s) -> !r
  %log = math.log %t2 : !r
  %lse = arith.addf %m2, %log : !r
  return %o, %lse : !q, !r
}

// The softmax has a sink of 0, which adds 1 to the sum of exponentials, and the lse has none. The lse
// of the op would have it.
// CHECK-LABEL: func.func @without_sink(
// CHECK: %[[R:.+]] = attn.attention
// CHECK-SAME: sink
// CHECK: math.log
// CHECK: return
func.func @without_sink(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %e = math.exp %s : !s
  %t = call @sums(%e) : (!s) -> !r
  %one = arith.constant dense<1.0> : !r
  %more = arith.addf %t, %one : !r
  %o = call @output(%e, %more, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %log = math.log %t : !r
  return %o, %log : !q, !r
}

// With the sink it is the op's.
// CHECK-LABEL: func.func @with_sink(
// CHECK: %[[R:.+]]:2 = attn.attention
// CHECK-SAME: sink
// CHECK-NOT: math.log
// CHECK: return
func.func @with_sink(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %e = math.exp %s : !s
  %t = call @sums(%e) : (!s) -> !r
  %one = arith.constant dense<1.0> : !r
  %more = arith.addf %t, %one : !r
  %o = call @output(%e, %more, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %log = math.log %more : !r
  return %o, %log : !q, !r
}

// The sum is over another product's keys, which are values here.
// CHECK-LABEL: func.func @other_keys(
// CHECK: %[[R:.+]] = attn.attention
// CHECK: math.log
// CHECK: return
func.func @other_keys(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %e = math.exp %s : !s
  %t = call @sums(%e) : (!s) -> !r
  %o = call @output(%e, %t, %v) : (!s, !r, tensor<2x12x16xf32>) -> !q
  %s2 = call @scores(%q, %v) : (!q, tensor<2x12x16xf32>) -> !s
  %e2 = math.exp %s2 : !s
  %t2 = call @sums(%e2) : (!s) -> !r
  %log = math.log %t2 : !r
  return %o, %log : !q, !r
}

// A use of the lse between the two products keeps the source's ops; later uses read the op's.
// CHECK-LABEL: func.func @used_before(
// CHECK: math.log
// CHECK: %[[R:.+]]:2 = attn.attention
// CHECK: %[[L:.+]] = tensor.collapse_shape %[[R]]#1
// CHECK: return %{{.+}}, %[[L]]
func.func @used_before(%q: !q, %k: tensor<2x12x16xf32>, %v: tensor<2x12x16xf32>) -> (!q, !r) {
  %s = call @scores(%q, %k) : (!q, tensor<2x12x16xf32>) -> !s
  %m = call @largest(%s) : (!s) -> !r
  %e = call @exponentials(%s, %m) : (!s, !r) -> !s
  %t = call @sums(%e) : (!s) -> !r
  %log = math.log %t : !r
  %lse = arith.addf %m, %log : !r
  %c = arith.constant 0 : index
  %x = tensor.extract %lse[%c, %c] : !r
  %filled = linalg.fill ins(%x : f32) outs(%v : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %more = arith.addf %v, %filled : tensor<2x12x16xf32>
  %o = call @output(%e, %t, %more) : (!s, !r, tensor<2x12x16xf32>) -> !q
  return %o, %lse : !q, !r
}
