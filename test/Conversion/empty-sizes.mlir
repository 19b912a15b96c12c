// RUN: attn-opt %s -attn-to-tile | FileCheck %s
// RUN: attn-opt %s -attn-to-host -o /dev/null
// RUN: attn-opt %s -attn-to-nvvm=chip=sm_90a -o /dev/null

// Without keys every row is fully masked: output 0, lse -inf, and no loop.
// CHECK-LABEL: func.func @no_keys(
// CHECK-SAME:    %[[O:[^:]+]]: memref<1x2x5x64xf16>, %[[K:[^:]+]]: memref<1x2x0x64xf16>, %[[L:[^:]+]]: memref<1x2x5xf32>)
func.func @no_keys(%q: memref<1x2x5x64xf16>, %k: memref<1x2x0x64xf16>, %l: memref<1x2x5xf32>) {
  // CHECK-DAG: %[[NINF:.+]] = arith.constant dense<0xFF800000> : tensor<16xf32>
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<16x64xf16>
  // CHECK-NOT: scf.for {{.*}}
  // CHECK-NOT: attn_tile.load
  // CHECK-DAG: attn_tile.store %[[ZERO]], %[[O]]
  // CHECK-DAG: attn_tile.store %[[NINF]], %[[L]]
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x2x5x64xf16>, memref<1x2x0x64xf16>, memref<1x2x0x64xf16>)
      outs(%q, %l : memref<1x2x5x64xf16>, memref<1x2x5xf32>)
  return
}

// CHECK-LABEL: func.func @no_rows(
func.func @no_rows(%q: memref<1x2x0x64xf16>, %k: memref<1x2x5x64xf16>) {
  // CHECK-NEXT: return
  attn.attention
      ins(%q, %k, %k : memref<1x2x0x64xf16>, memref<1x2x5x64xf16>, memref<1x2x5x64xf16>)
      outs(%q : memref<1x2x0x64xf16>)
  return
}

// CHECK-LABEL: func.func @no_heads(
func.func @no_heads(%q: memref<1x0x8x64xf16>, %k: memref<1x0x5x64xf16>) {
  // CHECK-NEXT: return
  attn.attention
      ins(%q, %k, %k : memref<1x0x8x64xf16>, memref<1x0x5x64xf16>, memref<1x0x5x64xf16>)
      outs(%q : memref<1x0x8x64xf16>)
  return
}

// CHECK-LABEL: func.func @no_batch(
func.func @no_batch(%q: tensor<0x2x8x64xf16>, %k: tensor<0x2x5x64xf16>) -> tensor<0x2x8x64xf16> {
  // CHECK-NOT: attn_tile
  // CHECK: return
  %r = attn.attention
      ins(%q, %k, %k : tensor<0x2x8x64xf16>, tensor<0x2x5x64xf16>, tensor<0x2x5x64xf16>)
      outs(%q : tensor<0x2x8x64xf16>) -> tensor<0x2x8x64xf16>
  return %r : tensor<0x2x8x64xf16>
}

// Counts of heads of 0 are no divisor.
// CHECK-LABEL: func.func @perhaps_no_heads(
func.func @perhaps_no_heads(%q: memref<1x?x8x64xf16>, %k: memref<1x?x5x64xf16>) {
  // CHECK: arith.maxui
  // CHECK: arith.remui
  // CHECK: cf.assert
  // CHECK: attn_tile.grid
  attn.attention
      ins(%q, %k, %k : memref<1x?x8x64xf16>, memref<1x?x5x64xf16>, memref<1x?x5x64xf16>)
      outs(%q : memref<1x?x8x64xf16>)
  return
}

// An array without tokens has the smallest scale.
// CHECK-LABEL: func.func @no_tokens(
// CHECK-SAME:    %[[S:[^:]+]]: memref<1x2xf32>, %[[A:[^:]+]]: memref<f32>)
// CHECK-DAG: %[[SMALLEST:.+]] = arith.constant dense<1.17549435E-38> : tensor<16xf32>
// CHECK: attn_tile.scatter %[[SMALLEST]], %[[S]]
// CHECK: attn_tile.scatter %{{.+}}, %[[A]][]
func.func @no_tokens(%x: memref<1x2x0x16xf16>, %y: memref<1x2x0x16xi8>, %s: memref<1x2xf32>, %a: memref<f32>) {
  attn.quantize ins(%x : memref<1x2x0x16xf16>) outs(%y, %s : memref<1x2x0x16xi8>, memref<1x2xf32>)
  attn.quantize ins(%x : memref<1x2x0x16xf16>) outs(%y, %a : memref<1x2x0x16xi8>, memref<f32>)
  return
}

// Only the type of the values says that there are no keys, which the batch's lengths cut.
// CHECK-LABEL: func.func @no_values(
func.func @no_values(%q: memref<2x?x?x64xf16>, %k: memref<?x?x?x64xf16>, %v: memref<2x?x0x64xf16>, %n: memref<2xi32>) {
  // CHECK: cf.assert
  // CHECK: attn_tile.store
  attn.attention
      ins(%q, %k, %v : memref<2x?x?x64xf16>, memref<?x?x?x64xf16>, memref<2x?x0x64xf16>)
      lengths(%n, %n : memref<2xi32>, memref<2xi32>)
      outs(%q : memref<2x?x?x64xf16>)
  return
}

// CHECK-LABEL: func.func @no_key_heads(
func.func @no_key_heads(%q: memref<1x?x6x64xf16>, %k: memref<1x0x5x64xf16>, %n: memref<1xi32>) {
  // CHECK: attn_tile.store
  attn.attention
      ins(%q, %k, %k : memref<1x?x6x64xf16>, memref<1x0x5x64xf16>, memref<1x0x5x64xf16>)
      lengths(%n, %n : memref<1xi32>, memref<1xi32>)
      outs(%q : memref<1x?x6x64xf16>)
  return
}

// CHECK-LABEL: func.func @no_heads_of_cache(
func.func @no_heads_of_cache(%x: memref<?x?x?x64xf16>, %c: memref<?x?x?x64xf16>, %v: memref<?x0x?x64xf16>, %n: memref<?xi32>) {
  // CHECK: cf.assert
  attn.append ins(%x, %x : memref<?x?x?x64xf16>, memref<?x?x?x64xf16>)
      outs(%c, %v : memref<?x?x?x64xf16>, memref<?x0x?x64xf16>) lengths(%n : memref<?xi32>)
  return
}

// A table of pages of one key that has no entries is no list of rows.
// CHECK-LABEL: func.func @no_entries(
func.func @no_entries(%q: memref<2x4x32x64xf16>, %k: memref<9x2x1x64xf16>, %t: memref<2x0xi32>) {
  // CHECK: attn_tile.store
  attn.attention ins(%q, %k, %k : memref<2x4x32x64xf16>, memref<9x2x1x64xf16>, memref<9x2x1x64xf16>)
      pages(%t : memref<2x0xi32>) outs(%q : memref<2x4x32x64xf16>)
  return
}

// Only the type of a captured array, or of its gradient, says that there are no keys.
!bias = memref<1x2x31x0xf32>
!open = memref<1x2x31x?xf32>
// CHECK-LABEL: func.func @no_gradient_of_bias(
// CHECK-SAME:    %[[D:[^:]+]]: memref<1x2x31x0xf32>)
func.func @no_gradient_of_bias(%q: memref<1x2x31x16xf32>, %k: memref<1x2x?x16xf32>, %r: memref<1x2x31xf32>, %c: !bias, %dq: memref<1x2x31x16xf32>, %d: !bias) {
  // CHECK-NOT: attn_tile.store {{.*}}, %[[D]]
  // CHECK: return
  attn.attention_backward wrt(query, captures[0])
      ins(%q, %k, %k, %q, %r, %q : memref<1x2x31x16xf32>, memref<1x2x?x16xf32>, memref<1x2x?x16xf32>, memref<1x2x31x16xf32>, memref<1x2x31xf32>, memref<1x2x31x16xf32>)
      captures(%c : !bias) outs(%dq, %d : memref<1x2x31x16xf32>, !bias)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: !bias):
        %0 = attn.read %x[%b, %h, %i, %j] : !bias
        %1 = arith.addf %s, %0 : f32
        attn.yield %1 : f32
      }
  return
}

// CHECK-LABEL: func.func @no_bias(
func.func @no_bias(%q: memref<1x2x31x16xf32>, %k: memref<1x2x?x16xf32>, %r: memref<1x2x31xf32>, %c: !bias, %dq: memref<1x2x31x16xf32>, %d: !open) {
  // CHECK: attn_tile.grid
  attn.attention_backward wrt(query, captures[0])
      ins(%q, %k, %k, %q, %r, %q : memref<1x2x31x16xf32>, memref<1x2x?x16xf32>, memref<1x2x?x16xf32>, memref<1x2x31x16xf32>, memref<1x2x31xf32>, memref<1x2x31x16xf32>)
      captures(%c : !bias) outs(%dq, %d : memref<1x2x31x16xf32>, !open)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: !bias):
        %0 = attn.read %x[%b, %h, %i, %j] : !bias
        %1 = arith.addf %s, %0 : f32
        attn.yield %1 : f32
      }
  return
}
