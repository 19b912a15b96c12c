// RUN: attn-opt %s -convert-attn-tile-to-linalg | FileCheck %s
// RUN: attn-opt %s -convert-attn-tile-to-linalg | FileCheck %s --check-prefix=GONE
// RUN: attn-opt %s -convert-attn-tile-to-linalg | attn-opt --verify-roundtrip -o /dev/null

// GONE-NOT: attn_tile.

// CHECK-DAG: #[[$ROWS_LEFT:.+]] = affine_map<()[s0, s1] -> (s0 - s1, 64)>
// CHECK-DAG: #[[$NOT_NEGATIVE:.+]] = affine_map<()[s0] -> (s0, 0)>
// CHECK-DAG: #[[$IDENTITY:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COLUMN:.+]] = affine_map<(d0, d1) -> (d1)>

// The part inside of the view lands in a tile of zeros.
// CHECK-LABEL: func.func @load(
// CHECK-SAME:    %[[M:[^:]+]]: memref<1x1x?x64xf16, {{[^>]*}}>>, %[[J:[^:]+]]: index)
func.func @load(%m: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>, %j: index) -> tensor<64x80xf16> {
  // CHECK: %[[DIM:.+]] = memref.dim %[[M]]
  // CHECK: %[[LEFT:.+]] = affine.min #[[$ROWS_LEFT]]()[%[[DIM]], %[[J]]]
  // CHECK: %[[ROWS:.+]] = affine.max #[[$NOT_NEGATIVE]]()[%[[LEFT]]]
  // CHECK: %[[VIEW:.+]] = memref.subview %[[M]][0, 0, %[[J]], 0] [1, 1, %[[ROWS]], 64] [1, 1, 1, 1]
  // CHECK: %[[SLICE:.+]] = bufferization.to_tensor %[[VIEW]]
  // CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f16
  // CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<64x80xf16>
  // CHECK: %[[ZEROS:.+]] = linalg.fill ins(%[[ZERO]] : f16) outs(%[[EMPTY]] : tensor<64x80xf16>)
  // CHECK: %[[TILE:.+]] = tensor.insert_slice %[[SLICE]] into %[[ZEROS]][0, 0] [%[[ROWS]], 64] [1, 1]
  // CHECK: return %[[TILE]]
  %c0 = arith.constant 0 : index
  %0 = attn_tile.load %m[%c0, %c0, %j, %c0]
      : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<64x80xf16>
  return %0 : tensor<64x80xf16>
}

// CHECK-LABEL: func.func @load_row(
// CHECK-SAME:    %[[M:[^:]+]]: memref<4x?xf32>, %[[I:[^:]+]]: index)
func.func @load_row(%m: memref<4x?xf32>, %i: index) -> tensor<16xf32> {
  // CHECK: memref.subview %[[M]][%[[I]], %[[I]]] [1, %{{.+}}] [1, 1]
  // CHECK: linalg.fill {{.*}} -> tensor<16xf32>
  // CHECK: tensor.insert_slice %{{.+}} into %{{.+}}[0] [%{{.+}}] [1] : tensor<?xf32> into tensor<16xf32>
  %0 = attn_tile.load %m[%i, %i] : memref<4x?xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A tile that begins past the end is zeros, and no view is made, which would be out of bounds.
// CHECK-LABEL: func.func @load_past_end(
// CHECK-NOT: memref.subview
// CHECK: %[[ZEROS:.+]] = linalg.fill
// CHECK-NEXT: return %[[ZEROS]]
func.func @load_past_end(%m: memref<2x16x64xf16>, %h: index) -> tensor<8x64xf16> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %0 = attn_tile.load %m[%h, %c16, %c0] : memref<2x16x64xf16> -> tensor<8x64xf16>
  return %0 : tensor<8x64xf16>
}

// A tile that is surely inside needs no zeros.
// CHECK-LABEL: func.func @load_inside(
func.func @load_inside(%m: memref<1x1x64x64xf16>) -> tensor<64x64xf16> {
  // CHECK-NOT: linalg.fill
  // CHECK-NOT: tensor.insert_slice
  // CHECK: return
  %c0 = arith.constant 0 : index
  %0 = attn_tile.load %m[%c0, %c0, %c0, %c0] : memref<1x1x64x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// Row by row, of those that the list names; others have no element to copy. Nothing is
// allocated for a row.
// CHECK-LABEL: func.func @load_listed(
// CHECK-SAME: %[[M:.*]]: memref<?x64xf16>, %[[L:.*]]: memref<?xi32, strided<[?], offset: ?>>, %[[I:.*]]: index)
func.func @load_listed(%m: memref<?x64xf16>, %l: memref<?xi32, strided<[?], offset: ?>>, %i: index) -> tensor<32x64xf16> {
  %c0 = arith.constant 0 : index
  // CHECK: %[[ZEROS:.+]] = linalg.fill
  // CHECK: %[[TILE:.+]] = scf.for %[[R:.+]] = %{{.+}} to %c32{{.*}} iter_args(%[[ROWS:.+]] = %[[ZEROS]])
  // CHECK-NOT: tensor.empty
  // CHECK: %[[POSITION:.+]] = arith.addi %[[I]], %[[R]]
  // CHECK: %[[SIZE:.+]] = memref.dim %[[M]]
  // CHECK: %[[COUNT:.+]] = memref.dim %[[L]]
  // CHECK: %[[LISTED:.+]] = arith.cmpi ult, %[[POSITION]], %[[COUNT]]
  // CHECK: %[[ROW:.+]] = scf.if %[[LISTED]]
  // CHECK: %[[ENTRY:.+]] = memref.load %[[L]][%[[POSITION]]]
  // CHECK: %[[NUMBER:.+]] = arith.index_cast %[[ENTRY]]
  // CHECK: %[[AT:.+]] = arith.addi %{{.+}}, %[[NUMBER]]
  // CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %[[AT]], %[[SIZE]]
  // CHECK: arith.select %[[INSIDE]], %[[AT]], %[[SIZE]]
  // CHECK: else
  // CHECK: scf.yield %[[SIZE]]
  // CHECK: %[[PART:.+]] = memref.subview %[[M]][%[[ROW]], 0] [%[[HEIGHT:.+]], 64]
  // CHECK: %[[ELEMENTS:.+]] = bufferization.to_tensor %[[PART]]
  // CHECK: %[[NEXT:.+]] = tensor.insert_slice %[[ELEMENTS]] into %[[ROWS]][%[[R]], 0] [%[[HEIGHT]], 64]
  // CHECK: scf.yield %[[NEXT]]
  // CHECK: return %[[TILE]]
  %0 = attn_tile.load %m[%c0, %c0] rows %l[%i]
      : memref<?x64xf16>, memref<?xi32, strided<[?], offset: ?>> -> tensor<32x64xf16>
  return %0 : tensor<32x64xf16>
}

// CHECK-LABEL: func.func @store(
// CHECK-SAME:    %[[T:[^:]+]]: tensor<64x80xf16>, %[[M:[^:]+]]: memref<1x1x?x64xf16, {{[^>]*}}>>, %[[J:[^:]+]]: index)
func.func @store(%t: tensor<64x80xf16>, %m: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>, %j: index) {
  // CHECK: %[[LEFT:.+]] = affine.min #[[$ROWS_LEFT]]()[%{{.+}}, %[[J]]]
  // CHECK: %[[ROWS:.+]] = affine.max #[[$NOT_NEGATIVE]]()[%[[LEFT]]]
  // CHECK: %[[VIEW:.+]] = memref.subview %[[M]][0, 0, %[[J]], 0] [1, 1, %[[ROWS]], 64] [1, 1, 1, 1]
  // CHECK: %[[INSIDE:.+]] = tensor.extract_slice %[[T]][0, 0] [%[[ROWS]], 64] [1, 1]
  // CHECK: bufferization.materialize_in_destination %[[INSIDE]] in restrict writable %[[VIEW]]
  %c0 = arith.constant 0 : index
  attn_tile.store %t, %m[%c0, %c0, %j, %c0]
      : tensor<64x80xf16>, memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
  return
}

// Products of narrow tiles are of their f32 extensions.
// CHECK-LABEL: func.func @dot(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<64x128xf16>, %[[B:[^:]+]]: tensor<32x128xf16>, %[[C:[^:]+]]: tensor<64x32xf32>)
func.func @dot(%a: tensor<64x128xf16>, %b: tensor<32x128xf16>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // CHECK: %[[LHS:.+]] = linalg.generic {indexing_maps = [#[[$IDENTITY]], #[[$IDENTITY]]]
  // CHECK-SAME: ins(%[[A]] : tensor<64x128xf16>)
  // CHECK: arith.extf
  // CHECK: -> tensor<64x128xf32>
  // CHECK: %[[WIDE:.+]] = linalg.generic {indexing_maps = [#[[$IDENTITY]], #[[$IDENTITY]]]
  // CHECK-SAME: ins(%[[B]] : tensor<32x128xf16>)
  // CHECK: arith.extf
  // CHECK: -> tensor<32x128xf32>
  // CHECK: %[[RHS:.+]] = linalg.transpose ins(%[[WIDE]] : tensor<32x128xf32>) outs({{.*}} : tensor<128x32xf32>) permutation = [1, 0]
  // CHECK: linalg.matmul ins(%[[LHS]], %[[RHS]] : {{.*}}) outs(%[[C]] : tensor<64x32xf32>)
  %0 = attn_tile.dot %a, %b, %c transpose_rhs
      : tensor<64x128xf16>, tensor<32x128xf16>, tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @dot_f32(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<64x128xf32>, %[[B:[^:]+]]: tensor<128x32xf32>, %[[C:[^:]+]]: tensor<64x32xf32>)
func.func @dot_f32(%a: tensor<64x128xf32>, %b: tensor<128x32xf32>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // CHECK-NOT: arith.extf
  // CHECK: linalg.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] : tensor<64x32xf32>)
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf32>, tensor<128x32xf32>, tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @dot_transposed_lhs(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<128x64xf32>, %[[B:[^:]+]]: tensor<128x32xf32>, %[[C:[^:]+]]: tensor<64x32xf32>)
func.func @dot_transposed_lhs(%a: tensor<128x64xf32>, %b: tensor<128x32xf32>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // CHECK: %[[LHS:.+]] = linalg.transpose ins(%[[A]] : tensor<128x64xf32>)
  // CHECK: linalg.matmul ins(%[[LHS]], %[[B]] : {{.*}}) outs(%[[C]] : tensor<64x32xf32>)
  %0 = attn_tile.dot %a, %b, %c transpose_lhs : tensor<128x64xf32>, tensor<128x32xf32>, tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @row_max(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>)
func.func @row_max(%s: tensor<64x32xf32>) -> tensor<64xf32> {
  // CHECK: %[[INIT:.+]] = linalg.fill
  // CHECK: linalg.generic {indexing_maps = [#[[$IDENTITY]], #[[$ROW]]], iterator_types = ["parallel", "reduction"]}
  // CHECK-SAME: ins(%[[S]] : tensor<64x32xf32>) outs(%[[INIT]] : tensor<64xf32>)
  // CHECK: arith.maxnumf
  %0 = attn_tile.reduce maxnum %s along 1 : tensor<64x32xf32> -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func.func @column_sum(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>)
func.func @column_sum(%s: tensor<64x32xf32>) -> tensor<32xf32> {
  // CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[INIT:.+]] = linalg.fill ins(%[[ZERO]] : f32)
  // CHECK: linalg.generic {indexing_maps = [#[[$IDENTITY]], #[[$COLUMN]]], iterator_types = ["reduction", "parallel"]}
  // CHECK-SAME: ins(%[[S]] : tensor<64x32xf32>) outs(%[[INIT]] : tensor<32xf32>)
  // CHECK: arith.addf
  %0 = attn_tile.reduce add %s along 0 : tensor<64x32xf32> -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// CHECK-LABEL: func.func @all(
// CHECK-SAME:    %[[C:[^:]+]]: tensor<64x32xi1>)
func.func @all(%c: tensor<64x32xi1>) -> tensor<64xi1> {
  // CHECK: %[[TRUE:.+]] = arith.constant true
  // CHECK: %[[INIT:.+]] = linalg.fill ins(%[[TRUE]] : i1)
  // CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<64x32xi1>) outs(%[[INIT]] : tensor<64xi1>)
  // CHECK: arith.andi
  %0 = attn_tile.reduce and %c along 1 : tensor<64x32xi1> -> tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: func.func @any(
func.func @any(%c: tensor<64x32xi1>) -> tensor<64xi1> {
  // CHECK: arith.constant false
  // CHECK: arith.ori
  %0 = attn_tile.reduce or %c along 1 : tensor<64x32xi1> -> tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME:    %[[R:[^:]+]]: tensor<64xf32>, %[[C:[^:]+]]: tensor<32xi1>)
func.func @broadcasts(%r: tensor<64xf32>, %c: tensor<32xi1>) -> (tensor<64x32xf32>, tensor<64x32xi1>) {
  // CHECK: linalg.generic {indexing_maps = [#[[$ROW]], #[[$IDENTITY]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%[[R]] : tensor<64xf32>)
  %0 = attn_tile.broadcast %r along 1 : tensor<64xf32> -> tensor<64x32xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$IDENTITY]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%[[C]] : tensor<32xi1>)
  %1 = attn_tile.broadcast %c along 0 : tensor<32xi1> -> tensor<64x32xi1>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xi1>
}

// CHECK-LABEL: func.func @coordinates(
func.func @coordinates() -> (tensor<64x32xi32>, tensor<64x32xindex>, tensor<16xi64>) {
  // CHECK: linalg.generic
  // CHECK: %[[J:.+]] = linalg.index 1 : index
  // CHECK: %[[J32:.+]] = arith.index_cast %[[J]] : index to i32
  // CHECK: linalg.yield %[[J32]] : i32
  %0 = attn_tile.coordinate along 1 : tensor<64x32xi32>
  // CHECK: linalg.generic
  // CHECK: %[[I:.+]] = linalg.index 0 : index
  // CHECK: linalg.yield %[[I]] : index
  %1 = attn_tile.coordinate along 0 : tensor<64x32xindex>
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]}
  // CHECK: %[[I:.+]] = linalg.index 0 : index
  // CHECK: arith.index_cast %[[I]] : index to i64
  %2 = attn_tile.coordinate along 0 : tensor<16xi64>
  return %0, %1, %2 : tensor<64x32xi32>, tensor<64x32xindex>, tensor<16xi64>
}

// Inside of loops as well.
// CHECK-LABEL: func.func @loop(
func.func @loop(%m: memref<64x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // CHECK: scf.for
  // CHECK: bufferization.to_tensor
  // CHECK: bufferization.materialize_in_destination
  scf.for %i = %c0 to %n step %c16 {
    %0 = attn_tile.load %m[%i, %c0] : memref<64x32xf32> -> tensor<16x32xf32>
    attn_tile.store %0, %m[%i, %c0] : tensor<16x32xf32>, memref<64x32xf32>
  }
  return
}

// A gather reads the nearest element for each of the tile, none of an array that may
// have none; one of scalar indices is a load.
// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %[[T:[^:]+]]: memref<8x?xf32>, %[[U:[^:]+]]: memref<4xf32>, %[[H:[^:]+]]: index, %[[AT:[^:]+]]: tensor<64x32xindex>)
// CHECK: linalg.generic {indexing_maps = [#[[$IDENTITY]], #[[$IDENTITY]]]{{.*}} ins(%[[AT]] : tensor<64x32xindex>)
// CHECK-NEXT: ^bb0(%[[I:.+]]: index,
// CHECK: %[[LAST:.+]] = arith.subi %[[DIM:.+]], %{{.+}} : index
// CHECK: %[[NOT_BEYOND:.+]] = arith.minsi %[[I]], %[[LAST]]
// CHECK: %[[NEAREST:.+]] = arith.maxsi %{{.+}}, %[[NOT_BEYOND]]
// CHECK: %[[HAS:.+]] = arith.cmpi ne, %[[DIM]], %{{.+}}
// CHECK: scf.if %[[HAS]] -> (f32) {
// CHECK: memref.load %[[T]][%{{.+}}, %[[NEAREST]]]
// CHECK: } else {
// CHECK: 0.000000e+00
// CHECK: arith.minsi %[[H]]
// CHECK-NOT: scf.if
// CHECK: memref.load %[[U]][%{{.+}}]
// CHECK: return
func.func @gather(%t: memref<8x?xf32>, %u: memref<4xf32>, %h: index, %at: tensor<64x32xindex>)
    -> (tensor<64x32xf32>, f32) {
  %0 = attn_tile.gather %t[%h, %at] : (memref<8x?xf32>, index, tensor<64x32xindex>) -> tensor<64x32xf32>
  %1 = attn_tile.gather %u[%h] : (memref<4xf32>, index) -> f32
  return %0, %1 : tensor<64x32xf32>, f32
}
