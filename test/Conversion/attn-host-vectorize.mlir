// RUN: attn-opt %s -attn-host-vectorize | FileCheck %s
// RUN: attn-opt %s -attn-host-vectorize="lanes=8 dot-rows=2" | FileCheck %s --check-prefix=NARROW

#identity = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The accumulator stays in registers for the whole of the innermost loop.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:[^:]+]]: memref<64x32xf32>, %[[B:[^:]+]]: memref<32x48xf32>, %[[C:[^:]+]]: memref<64x48xf32>)
// NARROW-LABEL: func.func @matmul(
func.func @matmul(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : index
  // CHECK-DAG: %[[ROWS:.+]] = arith.constant 4 : index
  // CHECK-DAG: %[[LANES:.+]] = arith.constant 16 : index
  // CHECK-DAG: %[[M:.+]] = arith.constant 64 : index
  // CHECK-DAG: %[[N:.+]] = arith.constant 48 : index
  // CHECK-DAG: %[[K:.+]] = arith.constant 32 : index
  // CHECK: scf.for %[[I:[^ ]+]] = %[[C0]] to %[[M]] step %[[ROWS]]
  // CHECK-NEXT: scf.for %[[J:[^ ]+]] = %[[C0]] to %[[N]] step %[[LANES]]
  // CHECK: %[[INIT:.+]] = vector.transfer_read %[[C]][%[[I]], %[[J]]]
  // CHECK: %[[SUM:.+]] = scf.for %[[L:[^ ]+]] = %[[C0]] to %[[K]] step %[[ONE]]
  // CHECK-SAME: iter_args(%[[ACC:.+]] = %[[INIT]]) -> (vector<4x16xf32>)
  // CHECK-DAG: vector.transfer_read %[[A]][%[[I]], %[[L]]]
  // CHECK-DAG: vector.transfer_read %[[B]][%[[L]], %[[J]]]
  // CHECK-NOT: %[[C]]
  // CHECK-COUNT-4: vector.fma %{{.+}}, %{{.+}}, %{{.+}} : vector<16xf32>
  // CHECK: scf.yield %{{.+}} : vector<4x16xf32>
  // CHECK: vector.transfer_write %[[SUM]], %[[C]][%[[I]], %[[J]]]
  // CHECK-NOT: linalg.matmul
  // CHECK: return
  // NARROW: scf.for {{.*}} iter_args({{.*}}) -> (vector<2x8xf32>)
  // NARROW-COUNT-2: vector.fma %{{.+}}, %{{.+}}, %{{.+}} : vector<8xf32>
  // NARROW: scf.yield
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// A register tile divides the matrix, so that no access is masked.
// CHECK-LABEL: func.func @odd_matmul(
func.func @odd_matmul(%a: memref<61x32xf32>, %b: memref<32x51xf32>, %c: memref<61x51xf32>) {
  // CHECK-NOT: in_bounds = [{{.*}}false
  // CHECK-NOT: vector.mask
  // CHECK-NOT: linalg.matmul
  // CHECK: vector.fma
  // CHECK-NOT: in_bounds = [{{.*}}false
  // CHECK-NOT: linalg.matmul
  // CHECK: return
  linalg.matmul ins(%a, %b : memref<61x32xf32>, memref<32x51xf32>) outs(%c : memref<61x51xf32>)
  return
}

// CHECK-LABEL: func.func @element_wise(
// CHECK-SAME:    %[[A:[^:]+]]: memref<64x48xf32>, %[[B:[^:]+]]: memref<64x48xf16>)
func.func @element_wise(%a: memref<64x48xf32>, %b: memref<64x48xf16>) {
  // CHECK: scf.for %[[I:[^ ]+]] =
  // CHECK: %[[X:.+]] = vector.transfer_read %[[A]][%[[I]], %[[J:.+]]], %{{.+}} : memref<64x48xf32>, vector<[[LANES:.+]]xf32>
  // CHECK: %[[E:.+]] = math.exp %[[X]] : vector<[[LANES]]xf32>
  // CHECK: %[[T:.+]] = arith.truncf %[[E]] : vector<[[LANES]]xf32> to vector<[[LANES]]xf16>
  // CHECK: vector.transfer_write %[[T]], %[[B]][%[[I]], %[[J]]]
  linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<64x48xf32>) outs(%b : memref<64x48xf16>) {
  ^bb0(%x: f32, %y: f16):
    %0 = math.exp %x : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  return
}

// CHECK-LABEL: func.func @row_sum(
func.func @row_sum(%a: memref<64x48xf32>, %b: memref<64xf32>) {
  // CHECK: vector.reduction <add>
  // CHECK-NOT: linalg.generic
  // CHECK: return
  linalg.generic {indexing_maps = [#identity, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x48xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @row_max(
func.func @row_max(%a: memref<64x48xf32>, %b: memref<64xf32>) {
  // CHECK: vector.reduction <maxnumf>
  // CHECK-NOT: linalg.generic
  // CHECK: return
  linalg.generic {indexing_maps = [#identity, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x48xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maxnumf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// No copy is left to the runtime.
// CHECK-LABEL: func.func @copies(
func.func @copies(%a: memref<64x48xf32>, %b: memref<64x48xf32, strided<[?, 1], offset: ?>>,
                  %c: memref<?x48xf32>, %d: memref<?x48xf32>) {
  // CHECK-NOT: memref.copy
  // CHECK: vector.transfer_write
  // CHECK-NOT: memref.copy
  // CHECK: return
  memref.copy %a, %b : memref<64x48xf32> to memref<64x48xf32, strided<[?, 1], offset: ?>>
  memref.copy %c, %d : memref<?x48xf32> to memref<?x48xf32>
  return
}

// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%a: memref<?x64xf32>, %b: memref<64x48xf32>, %c: memref<?x48xf32>) {
  // CHECK-NOT: vector.
  // CHECK: linalg.matmul
  // CHECK-NOT: vector.
  // CHECK: linalg.generic
  // CHECK-NOT: vector.
  // CHECK: return
  linalg.matmul ins(%a, %b : memref<?x64xf32>, memref<64x48xf32>) outs(%c : memref<?x48xf32>)
  linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x64xf32>) outs(%a : memref<?x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @tensors(
func.func @tensors(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: linalg.matmul
  // CHECK-NOT: vector.
  // CHECK: return
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Upstream's patterns do not fold a read into a view that splits a dimension, and
// try so again each time: that is no failure.
// CHECK-LABEL: func.func @split_heads(
func.func @split_heads(%x: memref<96x64xf32>, %y: memref<96x4x16xf32>) {
  // CHECK: vector.transfer_read {{.*}} vector<16xf32>
  // CHECK: vector.transfer_write
  // CHECK-NOT: linalg.copy
  // CHECK: return
  %r = memref.expand_shape %x [[0], [1, 2]] output_shape [96, 4, 16] : memref<96x64xf32> into memref<96x4x16xf32>
  linalg.copy ins(%r : memref<96x4x16xf32>) outs(%y : memref<96x4x16xf32>)
  return
}

// Numbers of 4 bits are copied by their bytes.
// CHECK-LABEL: func.func @copy_halves(
// CHECK-SAME: %[[A:[^:]+]]: memref<2x32xi4>, %[[B:[^:]+]]: memref<2x32xi4>)
// CHECK-DAG: %[[SOURCE:.+]] = attn_tile.bytes %[[A]] : memref<2x32xi4> to memref<2x16xi8>
// CHECK-DAG: %[[TARGET:.+]] = attn_tile.bytes %[[B]] : memref<2x32xi4> to memref<2x16xi8>
// CHECK-DAG: vector.transfer_read %[[SOURCE]]
// CHECK-DAG: vector.transfer_write %{{.+}}, %[[TARGET]]
func.func @copy_halves(%a: memref<2x32xi4>, %b: memref<2x32xi4>) {
  memref.copy %a, %b : memref<2x32xi4> to memref<2x32xi4>
  return
}
