// RUN: attn-opt %s -attn-tile -attn-online-softmax -canonicalize -cse | FileCheck %s

// On a GPU, a step compares positions only if its block of scores holds a masked
// one: if the largest or smallest position fails. Nothing of that is in front of
// the loop.

// CHECK-DAG: #[[$KEYS_LEFT:.+]] = affine_map<(d0) -> (-d0 + 330)>
// CHECK-DAG: #[[$DIAGONAL:.+]] = affine_map<(d0, d1) -> (d0 - d1)>
// CHECK-DAG: #[[$WINDOW:.+]] = affine_map<(d0, d1) -> (d0 - d1 - 100)>

// CHECK-LABEL: func.func @causal_window_ragged(
func.func @causal_window_ragged(%q: memref<1x1x256x64xf16>, %k: memref<1x1x330x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK-DAG: %[[NINF:.+]] = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  // CHECK-DAG: %[[LAST_COLUMN:.+]] = arith.constant 31 : index
  // CHECK-DAG: %[[LAST_ROW:.+]] = arith.constant -63 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK-NOT: attn_tile.coordinate
  // CHECK: scf.for %[[J:[^ ]+]] =
  // CHECK: %[[S:.+]] = attn_tile.dot
  // CHECK-DAG: %[[END:.+]] = affine.apply #[[$KEYS_LEFT]](%[[J]])
  // CHECK-DAG: %[[UPPER:.+]] = affine.apply #[[$DIAGONAL]](%[[I]], %[[J]])
  // CHECK-DAG: %[[LOWER:.+]] = affine.apply #[[$WINDOW]](%[[I]], %[[J]])
  // CHECK-DAG: %[[AT_END:.+]] = arith.cmpi sle, %[[END]], %[[LAST_COLUMN]]
  // CHECK-DAG: %[[AT_DIAGONAL:.+]] = arith.cmpi slt, %[[UPPER]], %[[LAST_COLUMN]]
  // CHECK-DAG: %[[AT_WINDOW:.+]] = arith.cmpi sgt, %[[LOWER]], %[[LAST_ROW]]
  // CHECK-DAG: %[[OR:.+]] = arith.ori %[[AT_END]], %[[AT_DIAGONAL]]
  // CHECK-DAG: %[[IS_CROSSED:.+]] = arith.ori %[[OR]], %[[AT_WINDOW]]
  // CHECK-NOT: attn_tile.coordinate
  // CHECK: %[[MASKED:.+]] = scf.if %[[IS_CROSSED]] -> (tensor<64x32xf32>) {
  // CHECK-DAG: arith.cmpi sle, {{.*}} : tensor<64x32xi32>
  // CHECK-DAG: arith.cmpi sge, {{.*}} : tensor<64x32xi32>
  // CHECK: %[[SELECTED:.+]] = arith.select %{{.+}}, %[[S]], %[[NINF]]
  // CHECK-NEXT: scf.yield %[[SELECTED]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.yield %[[S]]
  // CHECK-NEXT: }
  // CHECK: attn_tile.reduce maxnum %[[MASKED]]
  // CHECK-NOT: scf.if
  // CHECK: return
  attn.attention mask <top_left, causal, left = 100>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x330x64xf16>, memref<1x1x330x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>}
  return
}

// CHECK-LABEL: func.func @no_mask(
func.func @no_mask(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK-NOT: scf.if
  // CHECK: return
  attn.attention
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>}
  return
}

// One step at a known position folds to one of the branches. Its last column is
// 31, on the diagonal of its first row.
// CHECK-LABEL: func.func @below_diagonal(
func.func @below_diagonal(%q: memref<1x1x64x64xf16>, %k: memref<1x1x32x64xf16>) {
  // CHECK-NOT: attn_tile.coordinate
  // CHECK: return
  %c0 = arith.constant 0 : index
  %i = arith.constant 31 : index
  %len = arith.constant 1000 : index
  attn.attention mask <top_left, causal>
      ins(%q, %k, %k : memref<1x1x64x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
      origin(%c0, %c0, %i, %c0) lengths(%len, %len)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>}
  return
}

// CHECK-LABEL: func.func @at_diagonal(
func.func @at_diagonal(%q: memref<1x1x64x64xf16>, %k: memref<1x1x32x64xf16>) {
  // CHECK-NOT: scf.if
  // CHECK: attn_tile.coordinate
  // CHECK: return
  %c0 = arith.constant 0 : index
  %i = arith.constant 30 : index
  %len = arith.constant 1000 : index
  attn.attention mask <top_left, causal>
      ins(%q, %k, %k : memref<1x1x64x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
      origin(%c0, %c0, %i, %c0) lengths(%len, %len)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>}
  return
}

// The last row is 63 past the first column.
// CHECK-LABEL: func.func @within_window(
func.func @within_window(%q: memref<1x1x64x64xf16>, %k: memref<1x1x32x64xf16>) {
  // CHECK-NOT: attn_tile.coordinate
  // CHECK: return
  %c0 = arith.constant 0 : index
  %i = arith.constant 100 : index
  %len = arith.constant 1000 : index
  attn.attention mask <top_left, left = 63>
      ins(%q, %k, %k : memref<1x1x64x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
      origin(%c0, %c0, %i, %i) lengths(%len, %len)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>}
  return
}

// CHECK-LABEL: func.func @at_window(
func.func @at_window(%q: memref<1x1x64x64xf16>, %k: memref<1x1x32x64xf16>) {
  // CHECK-NOT: scf.if
  // CHECK: attn_tile.coordinate
  // CHECK: return
  %c0 = arith.constant 0 : index
  %i = arith.constant 100 : index
  %len = arith.constant 1000 : index
  attn.attention mask <top_left, left = 62>
      ins(%q, %k, %k : memref<1x1x64x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
      origin(%c0, %c0, %i, %i) lengths(%len, %len)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>}
  return
}
