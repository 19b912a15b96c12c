// RUN: attn-opt %s -attn-host-fuse-elementwise -canonicalize | FileCheck %s

// A chain of element-wise ops is one op, which makes constants, scalars and
// coordinates itself and reads rows as rows.

// CHECK-DAG: #[[TILE:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROWS:.+]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %[[M:[^:]+]]: tensor<64xf32>, %[[C:[^:]+]]: f32)
func.func @chain(%s: tensor<64x32xf32>, %m: tensor<64xf32>, %c: f32) -> tensor<64x32xf32> {
  // CHECK: %[[TWO:.+]] = arith.constant 2.0{{.*}} : f32
  // CHECK: %[[OUT:.+]] = linalg.generic
  // CHECK-SAME: indexing_maps = [#[[TILE]], #[[ROWS]], #[[TILE]]]
  // CHECK-SAME: ins(%[[S]], %[[M]] : tensor<64x32xf32>, tensor<64xf32>)
  // CHECK: ^bb0(%[[SCORE:.+]]: f32, %[[MAX:.+]]: f32, %{{.+}}: f32):
  // CHECK: %[[COLUMN:.+]] = linalg.index 1
  // CHECK: %[[COLUMN32:.+]] = arith.index_cast %[[COLUMN]] : index to i32
  // CHECK: %[[J:.+]] = arith.sitofp %[[COLUMN32]]
  // CHECK: %[[A:.+]] = arith.mulf %[[SCORE]], %[[TWO]]
  // CHECK: %[[B:.+]] = arith.addf %[[A]], %[[C]]
  // CHECK: %[[D:.+]] = arith.addf %[[B]], %[[J]]
  // CHECK: %[[E:.+]] = arith.subf %[[D]], %[[MAX]]
  // CHECK: %[[F:.+]] = arith.mulf %[[E]], %[[B]]
  // CHECK: linalg.yield %[[F]] : f32
  // CHECK-NOT: linalg.generic
  // CHECK: return %[[OUT]]
  %two = arith.constant dense<2.0> : tensor<64x32xf32>
  %cs = tensor.splat %c : tensor<64x32xf32>
  %j = attn_tile.coordinate along 1 : tensor<64x32xi32>
  %jf = arith.sitofp %j : tensor<64x32xi32> to tensor<64x32xf32>
  %max = attn_tile.broadcast %m along 1 : tensor<64xf32> -> tensor<64x32xf32>
  %a = arith.mulf %s, %two : tensor<64x32xf32>
  %b = arith.addf %a, %cs : tensor<64x32xf32>
  %d = arith.addf %b, %jf : tensor<64x32xf32>
  %e = arith.subf %d, %max : tensor<64x32xf32>
  %f = arith.mulf %e, %b : tensor<64x32xf32>
  return %f : tensor<64x32xf32>
}

// A tile that others use ends its chain.
// CHECK-LABEL: func.func @two_chains(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>)
func.func @two_chains(%s: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64x32xf32>) {
  // CHECK: %[[A:.+]] = linalg.generic {{.*}} ins(%[[S]] :
  // CHECK: arith.negf
  // CHECK: math.absf
  // CHECK: attn_tile.reduce maxnum %[[A]]
  // CHECK: linalg.generic {{.*}} ins(%[[A]] :
  // CHECK: math.exp2
  // CHECK: arith.negf
  %a = arith.negf %s : tensor<64x32xf32>
  %b = math.absf %a : tensor<64x32xf32>
  %m = attn_tile.reduce maxnum %b along 1 : tensor<64x32xf32> -> tensor<64xf32>
  %c = math.exp2 %b : tensor<64x32xf32>
  %d = arith.negf %c : tensor<64x32xf32>
  return %m, %d : tensor<64xf32>, tensor<64x32xf32>
}

// A coordinate's map is applied to the coordinate of each element.
// CHECK-LABEL: func.func @mapped_coordinate(
func.func @mapped_coordinate(%first: index) -> tensor<64x32xindex> {
  // CHECK: linalg.generic
  // CHECK: %[[R:.+]] = linalg.index 0 : index
  // CHECK-NEXT: %[[BLOCK:.+]] = affine.apply #{{.+}}()[%[[R]]]
  // CHECK-NEXT: arith.addi %[[BLOCK]], %arg0
  %block = attn_tile.coordinate along 0 by affine_map<(r) -> (r floordiv 8)> : tensor<64x32xindex>
  %start = tensor.splat %first : tensor<64x32xindex>
  %sum = arith.addi %block, %start : tensor<64x32xindex>
  return %sum : tensor<64x32xindex>
}
