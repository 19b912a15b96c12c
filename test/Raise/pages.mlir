// Keys and values that tensor.extract gathers by a table of page numbers.
// RUN: attn-opt %s -attn-raise | FileCheck %s

// REQUIRES: numpy
// RUN: %python %inputs/npy.py make %t.npy '<i4' 2x3 4 0 3 2 4 1
// RUN: %numpy-python %S/Inputs/compare-entries.py %s random:1 random:2 random:3 %t.npy
!q = tensor<2x4x5x16xf32>
!pool = tensor<6x4x8x16xf32>
!k = tensor<2x4x24x16xf32>
!g = tensor<2x4x3x8x16xf32>
!s = tensor<2x4x5x24xf32>
!t = tensor<2x3xi32>
#keys = affine_map<(b, h, j, d) -> (b, h, j, d)>
#all = affine_map<(b, h, n, i, d) -> (b, h, n, i, d)>
#left = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#right = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
// Elements n * 8 to n * 8 + 7 of sequence b are those of page table[b, n].
func.func private @gather(%pool: !pool, %table: !t) -> !k {
  %e = tensor.empty() : !g
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      outs(%e : !g) {
    ^bb0(%x: f32):
      %b = linalg.index 0 : index
      %h = linalg.index 1 : index
      %n = linalg.index 2 : index
      %i = linalg.index 3 : index
      %d = linalg.index 4 : index
      %page = tensor.extract %table[%b, %n] : !t
      %at = arith.index_cast %page : i32 to index
      %y = tensor.extract %pool[%at, %h, %i, %d] : !pool
      linalg.yield %y : f32
  } -> !g
  %r = tensor.collapse_shape %g [[0], [1], [2, 3], [4]] : !g into !k
  return %r : !k
}
// The same elements: page and place in it are the quotient and the remainder of the key's number.
func.func private @by_keys(%pool: !pool, %table: !t) -> !k {
  %e = tensor.empty() : !k
  %g = linalg.generic {indexing_maps = [#keys], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : !k) {
    ^bb0(%x: f32):
      %b = linalg.index 0 : index
      %h = linalg.index 1 : index
      %j = linalg.index 2 : index
      %d = linalg.index 3 : index
      %eight = arith.constant 8 : index
      %n = arith.divsi %j, %eight : index
      %i = arith.remsi %j, %eight : index
      %page = tensor.extract %table[%b, %n] : !t
      %at = arith.index_cast %page : i32 to index
      %y = tensor.extract %pool[%at, %h, %i, %d] : !pool
      linalg.yield %y : f32
  } -> !k
  return %g : !k
}
// As above, with the quotient by another size than that of a page.
func.func private @by_halves(%pool: !pool, %table: !t) -> !k {
  %e = tensor.empty() : !k
  %g = linalg.generic {indexing_maps = [#keys], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : !k) {
    ^bb0(%x: f32):
      %b = linalg.index 0 : index
      %h = linalg.index 1 : index
      %j = linalg.index 2 : index
      %d = linalg.index 3 : index
      %twelve = arith.constant 12 : index
      %four = arith.constant 4 : index
      %n = arith.divsi %j, %twelve : index
      %i = arith.remsi %j, %four : index
      %page = tensor.extract %table[%b, %n] : !t
      %at = arith.index_cast %page : i32 to index
      %y = tensor.extract %pool[%at, %h, %i, %d] : !pool
      linalg.yield %y : f32
  } -> !k
  return %g : !k
}
// Each page is read backwards.
func.func private @backwards(%pool: !pool, %table: !t) -> !k {
  %e = tensor.empty() : !g
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      outs(%e : !g) {
    ^bb0(%x: f32):
      %b = linalg.index 0 : index
      %h = linalg.index 1 : index
      %n = linalg.index 2 : index
      %i = linalg.index 3 : index
      %d = linalg.index 4 : index
      %seven = arith.constant 7 : index
      %from = arith.subi %seven, %i : index
      %page = tensor.extract %table[%b, %n] : !t
      %at = arith.index_cast %page : i32 to index
      %y = tensor.extract %pool[%at, %h, %from, %d] : !pool
      linalg.yield %y : f32
  } -> !g
  %r = tensor.collapse_shape %g [[0], [1], [2, 3], [4]] : !g into !k
  return %r : !k
}
// The numbers of the table are those of pages less 1.
func.func private @shifted(%pool: !pool, %table: !t) -> !k {
  %e = tensor.empty() : !g
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      outs(%e : !g) {
    ^bb0(%x: f32):
      %b = linalg.index 0 : index
      %h = linalg.index 1 : index
      %n = linalg.index 2 : index
      %i = linalg.index 3 : index
      %d = linalg.index 4 : index
      %one = arith.constant 1 : index
      %page = tensor.extract %table[%b, %n] : !t
      %at = arith.index_cast %page : i32 to index
      %next = arith.addi %at, %one : index
      %y = tensor.extract %pool[%next, %h, %i, %d] : !pool
      linalg.yield %y : f32
  } -> !g
  %r = tensor.collapse_shape %g [[0], [1], [2, 3], [4]] : !g into !k
  return %r : !k
}
func.func private @weights(%q: !q, %k: !k) -> !s {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %s = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !q, !k) outs(%sz : !s) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %sum, %m : f32
      linalg.yield %a : f32
  } -> !s
  %w = linalg.softmax dimension(3) ins(%s : !s) outs(%se : !s) -> !s
  return %w : !s
}
func.func private @output(%w: !s, %v: !k) -> !q {
  %zero = arith.constant 0.0 : f32
  %oe = tensor.empty() : !q
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v : !s, !k) outs(%oz : !q) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %sum, %m : f32
      linalg.yield %a : f32
  } -> !q
  return %o : !q
}

// CHECK-LABEL: func.func @paged(
// CHECK-SAME: %{{.+}}: tensor<2x4x5x16xf32>, %[[K:.+]]: tensor<6x4x8x16xf32>, %[[V:.+]]: tensor<6x4x8x16xf32>, %[[T:.+]]: tensor<2x3xi32>
// CHECK-NOT: linalg.generic
// CHECK: attn.attention
// CHECK-SAME: ins(%{{.+}}, %[[K]], %[[V]] :
// CHECK-SAME: pages(%[[T]] : tensor<2x3xi32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @paged(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @gather(%keys, %table) : (!pool, !t) -> !k
  %v = call @gather(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}

// CHECK-LABEL: func.func @by_quotient(
// CHECK-SAME: %{{.+}}: tensor<2x4x5x16xf32>, %[[K:.+]]: tensor<6x4x8x16xf32>, %[[V:.+]]: tensor<6x4x8x16xf32>, %[[T:.+]]: tensor<2x3xi32>
// CHECK-NOT: linalg.generic
// CHECK: attn.attention
// CHECK-SAME: ins(%{{.+}}, %[[K]], %[[V]] :
// CHECK-SAME: pages(%[[T]] : tensor<2x3xi32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @by_quotient(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @by_keys(%keys, %table) : (!pool, !t) -> !k
  %v = call @by_keys(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}

// The keys may be computed by quotients, and the values in pages.
// CHECK-LABEL: func.func @both(
// CHECK: attn.attention
// CHECK-SAME: pages(
// CHECK: return
func.func @both(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @by_keys(%keys, %table) : (!pool, !t) -> !k
  %v = call @gather(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}

// CHECK-LABEL: func.func @by_other_quotient(
// CHECK: tensor.extract
// CHECK: attn.attention
// CHECK-NOT: pages(
// CHECK: return
func.func @by_other_quotient(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @by_halves(%keys, %table) : (!pool, !t) -> !k
  %v = call @by_halves(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}

// Neither pages that are read backwards, nor numbers that are computed from the table are pages of
// the op: keys are gathered before it.
// CHECK-LABEL: func.func @from_ends(
// CHECK: tensor.extract
// CHECK: attn.attention
// CHECK-NOT: pages(
// CHECK: return
func.func @from_ends(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @backwards(%keys, %table) : (!pool, !t) -> !k
  %v = call @backwards(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}

// CHECK-LABEL: func.func @next_pages(
// CHECK: tensor.extract
// CHECK: attn.attention
// CHECK-NOT: pages(
// CHECK: return
func.func @next_pages(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @shifted(%keys, %table) : (!pool, !t) -> !k
  %v = call @shifted(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}

// Values of the next pages.
// CHECK-LABEL: func.func @two_tables(
// CHECK: tensor.extract
// CHECK: attn.attention
// CHECK-NOT: pages(
// CHECK: return
func.func @two_tables(%q: !q, %keys: !pool, %values: !pool, %table: !t) -> !q {
  %k = call @gather(%keys, %table) : (!pool, !t) -> !k
  %v = call @shifted(%values, %table) : (!pool, !t) -> !k
  %w = call @weights(%q, %k) : (!q, !k) -> !s
  %o = call @output(%w, %v) : (!s, !k) -> !q
  return %o : !q
}
