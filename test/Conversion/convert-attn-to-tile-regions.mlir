// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse | FileCheck %s

!t = memref<2x4x128x64xf16>

// A mask region is applied in partial blocks only. Values that depend only on the row or on the
// key are read once per row or key, those of rows before the loop over blocks.
// CHECK-LABEL: func.func @documents(
// CHECK: attn_tile.scatter %{{.+}}, %{{.+}} : tensor<64xi32>, memref<2x1x2xi32>, {{.+}}
// CHECK: attn_tile.scatter %{{.+}}, %{{.+}} : tensor<64xi32>, memref<2x1x2xi32>, {{.+}}
// CHECK: attn_tile.grid (%[[B:[a-z0-9]+]], %{{.+}}, %{{.+}}) to
// CHECK: %[[OF_ROWS:.+]] = attn_tile.gather %[[IDS:.+]][%[[B]], %{{.+}}] beside : (memref<2x128xi32>, index, tensor<64xindex>) -> tensor<64xi32>
// CHECK: attn_tile.for_blocks (%{{.+}}, %[[PARTIAL:[a-z0-9]+]]) of
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK: %[[BLOCK:.+]] = scf.if %[[PARTIAL]]
// CHECK: %[[OF_KEYS:.+]] = attn_tile.gather %[[IDS]][%[[B]], %{{.+}}] beside : (memref<2x128xi32>, index, tensor<32xindex>) -> tensor<32xi32>
// CHECK: %[[ROWS:.+]] = attn_tile.broadcast %[[OF_ROWS]] along 1 : tensor<64xi32> -> tensor<64x32xi32>
// CHECK: %[[KEYS:.+]] = attn_tile.broadcast %[[OF_KEYS]] along 0 : tensor<32xi32> -> tensor<64x32xi32>
// CHECK: %[[KEPT:.+]] = arith.cmpi eq, %[[ROWS]], %[[KEYS]]
// CHECK: %[[MASKED:.+]] = arith.select %[[KEPT]], %{{.+}}, %{{.+}} : tensor<64x32xi1>, tensor<64x32xf32>
// CHECK-NOT: attn_tile.gather
// CHECK: attn_tile.softmax_update %[[BLOCK]]
// A row may have no key: its output is 0.
// CHECK: attn_tile.softmax_finish
// CHECK: arith.cmpf oeq
func.func @documents(%q: !t, %o: !t, %ids: memref<2x128xi32>) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%ids : memref<2x128xi32>) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %d: memref<2x128xi32>):
        %0 = attn.read %d[%b, %i] : memref<2x128xi32>
        %1 = attn.read %d[%b, %j] : memref<2x128xi32>
        %2 = arith.cmpi eq, %0, %1 : i32
        attn.yield %2 : i1
      } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

!t = memref<2x4x128x64xf16>

// A read whose only index is the head is a scalar before the loop; a read at row and key is a tile
// of reads in the loop. The mask region is applied after the score region, and the mask attribute
// after both.
// CHECK-LABEL: func.func @bias(
// CHECK: attn_tile.scatter %{{.+}}, %{{.+}} : tensor<64xi32>, memref<1x1x2xi32>, {{.+}}
// CHECK: attn_tile.scatter %{{.+}}, %{{.+}} : tensor<64xi32>, memref<1x1x2xi32>, {{.+}}
// CHECK: attn_tile.grid
// CHECK: %[[SLOPE:.+]] = attn_tile.gather %{{.+}}[%{{.+}}] : (memref<4xf32>, index) -> f32
// CHECK: tensor.splat %[[SLOPE]]
// CHECK: attn_tile.for_blocks (%{{.+}}, %[[PARTIAL:[a-z0-9]+]]) of
// CHECK: attn_tile.gather %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}] beside : (memref<4x?x?xbf16>, index, tensor<64x32xindex>, tensor<64x32xindex>) -> tensor<64x32xbf16>
// CHECK: %[[SCORE:.+]] = arith.addf
// CHECK: scf.if %[[PARTIAL]]
// CHECK: arith.select %{{.+}}, %[[SCORE]]
func.func @bias(%q: !t, %o: !t, %slopes: memref<4xf32>, %bias: memref<4x?x?xbf16>) {
  attn.attention mask <top_left, causal> ins(%q, %q, %q : !t, !t, !t)
      captures(%slopes, %bias : memref<4xf32>, memref<4x?x?xbf16>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: memref<4xf32>, %y: memref<4x?x?xbf16>):
        %0 = attn.read %x[%h] : memref<4xf32>
        %1 = attn.read %y[%h, %i, %j] : memref<4x?x?xbf16>
        %2 = arith.extf %1 : bf16 to f32
        %3 = arith.mulf %0, %s : f32
        %4 = arith.addf %3, %2 : f32
        attn.yield %4 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %x: memref<4xf32>, %y: memref<4x?x?xbf16>):
        %c3 = arith.constant 3 : index
        %0 = arith.addi %i, %j : index
        %1 = arith.cmpi ne, %0, %c3 : index
        attn.yield %1 : i1
      } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

!t = memref<2x4x128x64xf16>
!l = memref<2x4x128xf32>

// Values from which a vector's index is computed are vectors, too; they are also tiles if other ops
// use them.
// CHECK-LABEL: func.func @computed(
// CHECK: %[[TYPE:.+]] = attn_tile.gather %{{.+}}[%{{.+}}] beside : (memref<?xi32>, tensor<64xindex>) -> tensor<64xi32>
// CHECK: %[[PLACE:.+]] = arith.index_cast %[[TYPE]] : tensor<64xi32> to tensor<64xindex>
// CHECK: attn_tile.gather %{{.+}}[%[[PLACE]]] beside : (memref<?xf32>, tensor<64xindex>) -> tensor<64xf32>
// CHECK: attn_tile.for_blocks
// CHECK-NOT: attn_tile.gather
// CHECK: attn_tile.broadcast
// CHECK: return
func.func @computed(%q: !t, %o: !t, %types: memref<?xi32>, %table: memref<?xf32>) {
  attn.attention ins(%q, %q, %q : !t, !t, !t)
      captures(%types, %table : memref<?xi32>, memref<?xf32>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: memref<?xi32>, %y: memref<?xf32>):
        %c1 = arith.constant 1 : index
        %0 = arith.addi %i, %c1 : index
        %1 = attn.read %x[%0] : memref<?xi32>
        %2 = arith.index_cast %1 : i32 to index
        %3 = attn.read %y[%2] : memref<?xf32>
        %4 = arith.cmpi ult, %j, %0 : index
        %5 = arith.select %4, %s, %3 : f32
        attn.yield %5 : f32
      } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

!t = memref<2x4x128x64xf16>
!l = memref<2x4x128xf32>

// Gradients: masked in both programs. Rows that the region may leave empty are zeros in
// copies of query and d_output, which the products over rows read.
// CHECK-LABEL: func.func @gradients(
// CHECK: attn_tile.grid
// CHECK: attn_tile.grid
// CHECK: arith.cmpi ule
// CHECK: %[[MEMORY:.+]] = attn_tile.workspace : memref<2x4x128x64xf16>
// CHECK: %[[Q:.+]] = memref.cast %[[MEMORY]]
// CHECK: attn_tile.grid
// CHECK: %[[LSE:.+]] = attn_tile.load %arg1
// CHECK: %[[T:.+]] = attn_tile.load %arg0
// CHECK: %[[EMPTY:.+]] = arith.cmpf oeq, %{{.+}}, %{{.+}} : tensor<64x64xf32>
// CHECK: %[[CLEARED:.+]] = arith.select %[[EMPTY]], %{{.+}}, %[[T]] : tensor<64x64xi1>, tensor<64x64xf16>
// CHECK: attn_tile.store %[[CLEARED]], %[[Q]]
// CHECK: attn_tile.workspace : memref<2x4x128x64xf16>
// CHECK: %[[DO:.+]] = memref.cast
// CHECK: attn_tile.grid
// CHECK: attn_tile.load %arg2
// CHECK: attn_tile.store %{{.+}}, %[[DO]]
// CHECK: attn_tile.grid
// CHECK: attn_tile.load %[[Q]]
// CHECK: attn_tile.load %[[DO]]
// CHECK: arith.cmpi ule
func.func @gradients(%q: !t, %lse: !l, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !l, !t)
      outs(%dq, %dk, %dv : !t, !t, !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.cmpi ule, %j, %i : index
        attn.yield %0 : i1
      } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

!t = memref<2x4x128x64xf16>

// A row keeps a prefix, whose length is that of the batch entry, and the keys before it: a range of
// keys with a closed form, which depends on a number that is read before the loop. Full blocks are
// not masked.
// CHECK-LABEL: func.func @prefix(
// CHECK: attn_tile.grid (%[[B:.+]], %{{.+}}, %{{.+}}) to
// CHECK: %[[LENGTH:.+]] = attn_tile.gather %{{.+}}[%[[B]]] : (memref<2xi32>, index) -> i32
// CHECK: attn_tile.domain rows
// CHECK-NEXT: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
// CHECK: affine.max #{{.+}}(%[[LAST]],
// CHECK: affine.max #{{.+}}(%[[FIRST]],
// CHECK: attn_tile.domain_yield %{{.+}} to %{{.+}} full %{{.+}} to %{{.+}}
// CHECK: attn_tile.for_blocks (%{{.+}}, %[[PARTIAL:.+]]) of
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK-NOT: arith.cmpi
// CHECK: %[[MASKED:.+]] = scf.if %[[PARTIAL]] -> (tensor<64x32xf32>) {
// CHECK: arith.ori
// CHECK: arith.select
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: attn_tile.softmax_update %[[MASKED]]
func.func @prefix(%q: !t, %o: !t, %lengths: memref<2xi32>) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%lengths : memref<2xi32>) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %l: memref<2xi32>):
        %0 = attn.read %l[%b] : memref<2xi32>
        %1 = arith.index_cast %0 : i32 to index
        %2 = arith.cmpi slt, %j, %1 : index
        %3 = arith.cmpi ule, %j, %i : index
        %4 = arith.ori %2, %3 : i1
        attn.yield %4 : i1
      } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

!t = memref<2x4x128x64xf16>

// A causal mask as a region visits the blocks that the attribute's would.
// CHECK-LABEL: func.func @causal(
// CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
// CHECK-NEXT: %[[HI:.+]] = affine.min #{{.+}}(%[[LAST]])
// CHECK-NEXT: %[[FULL:.+]] = affine.min #{{.+}}(%[[FIRST]])
// CHECK-NEXT: attn_tile.domain_yield %[[ZERO:.+]] to %[[HI]] full %[[ZERO]] to %[[FULL]]
// CHECK: attn_tile.for_blocks
func.func @causal(%q: !t, %o: !t) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.cmpi ule, %j, %i : index
        attn.yield %0 : i1
      } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
