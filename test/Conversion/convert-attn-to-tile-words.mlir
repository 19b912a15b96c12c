// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// A launch by TMA has checked that all positions are below 2^31: a region compares them, and
// their differences, in 32 bits, with constants on one side. Other sums have 64.

!t = memref<2x4x128x64xf16>

// CHECK-LABEL: func.func @window(
// CHECK: scf.if
// CHECK-DAG: %[[ROW:.+]] = attn_tile.coordinate along 0 : tensor<64x64xi32>
// CHECK-DAG: %[[KEY:.+]] = attn_tile.coordinate along 1 : tensor<64x64xi32>
// CHECK-DAG: %[[I:.+]] = arith.addi %[[ROW]], %{{.+}} overflow<nsw> : tensor<64x64xi32>
// CHECK-DAG: %[[J:.+]] = arith.addi %[[KEY]], %{{.+}} overflow<nsw> : tensor<64x64xi32>
// CHECK-DAG: %[[D:.+]] = arith.subi %[[I]], %[[J]] overflow<nsw> : tensor<64x64xi32>
// CHECK-DAG: arith.cmpi sge, %[[D]], %{{.+}} : tensor<64x64xi32>
// CHECK-DAG: arith.cmpi slt, %[[D]], %{{.+}} : tensor<64x64xi32>
// CHECK-DAG: arith.cmpi slt, %{{.+}}, %{{.+}} : tensor<64x64xindex>
// CHECK: attn_tile.softmax_update
func.func @window(%q: !t, %o: !t) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %c7 = arith.constant 7 : index
        %c100 = arith.constant 100 : index
        %past = arith.cmpi sle, %j, %i : index
        %begin = arith.addi %j, %c100 : index
        %near = arith.cmpi slt, %i, %begin : index
        %sum = arith.addi %i, %j : index
        %other = arith.cmpi slt, %sum, %c7 : index
        %0 = arith.andi %past, %near : i1
        %1 = arith.ori %0, %other : i1
        attn.yield %1 : i1
      } {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>}
  return
}

// -----

!t = memref<2x4x128x64xf16>

// The low word of a difference is that of words.
// CHECK-LABEL: func.func @bias(
// CHECK: %[[D:.+]] = arith.subi %{{.+}}, %{{.+}} overflow<nsw> : tensor<64x64xi32>
// CHECK: arith.sitofp %[[D]] : tensor<64x64xi32> to tensor<64x64xf32>
func.func @bias(%q: !t, %o: !t) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %d = arith.subi %j, %i : index
        %word = arith.index_cast %d : index to i32
        %float = arith.sitofp %word : i32 to f32
        %0 = arith.addf %s, %float : f32
        attn.yield %0 : f32
      } {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>}
  return
}

// -----

!t = memref<2x4x128x64xf16>

// Positions from an origin on may be any, as those of arrays that a thread copies.
// CHECK-LABEL: func.func @unchecked(
// CHECK-NOT: overflow<nsw> : tensor
// CHECK: arith.cmpi slt, %{{.+}}, %{{.+}} : tensor<64x64xindex>
// CHECK-NOT: overflow<nsw> : tensor
// CHECK: arith.cmpi slt, %{{.+}}, %{{.+}} : tensor<64x64xindex>
// CHECK-NOT: overflow<nsw> : tensor
func.func @unchecked(%q: !t, %o: !t, %n: index) {
  %c0 = arith.constant 0 : index
  attn.attention ins(%q, %q, %q : !t, !t, !t) origin(%c0, %c0, %n, %c0) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.cmpi slt, %j, %i : index
        attn.yield %0 : i1
      } {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.cmpi slt, %j, %i : index
        attn.yield %0 : i1
      } {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>}
  return
}
