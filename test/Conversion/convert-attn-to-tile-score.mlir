// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// The score region becomes arithmetic on the tile of scores, after the scale and before the mask.
// Values that are the same for the whole tile stay scalars before the loop. The softmax is of the
// region's value: the state's factor is 1.

// CHECK-DAG: #[[$PLUS:.+]] = affine_map<(d0)[s0] -> (d0 + s0)>

// Positions are those of the larger problem: local ones and the origin.
// CHECK-LABEL: func.func @alibi(
// CHECK-SAME:    %[[H:[^:]+]]: index, %[[I:[^:]+]]: index, %[[J:[^:]+]]: index, %[[SLOPE:[^:]+]]: f32)
func.func @alibi(%q: memref<1x4x128x64xf16>, %h: index, %i: index, %j: index, %slope: f32) {
  // CHECK: attn_tile.grid (%{{.+}}, %[[HTILE:.+]], %[[ITILE:.+]]) to
  // CHECK: attn_tile.softmax_init : <64, factor = 1.000000e+00 : f64>
  // CHECK-DAG: %[[H0:.+]] = affine.apply #[[$PLUS]](%[[HTILE]])[%[[H]]]
  // CHECK-DAG: %[[HEAD:.+]] = arith.index_cast %[[H0]] : index to i32
  // CHECK-DAG: %[[HEADF:.+]] = arith.sitofp %[[HEAD]] : i32 to f32
  // CHECK-DAG: %[[FACTOR:.+]] = arith.mulf %[[HEADF]], %[[SLOPE]] fastmath<{{.*}}contract{{.*}}> : f32
  // CHECK-DAG: %[[FACTORS:.+]] = tensor.splat %[[FACTOR]] : tensor<64x32xf32>
  // CHECK-DAG: %[[COLUMN:.+]] = attn_tile.coordinate along 1 : tensor<64x32xindex>
  // CHECK-DAG: %[[ROW:.+]] = attn_tile.coordinate along 0 : tensor<64x32xindex>
  // CHECK-DAG: %[[IFIRST:.+]] = affine.apply #[[$PLUS]](%[[ITILE]])[%[[I]]]
  // CHECK-DAG: %[[I0:.+]] = tensor.splat %[[IFIRST]] : tensor<64x32xindex>
  // CHECK-DAG: %[[ROWS:.+]] = arith.addi %[[ROW]], %[[I0]]
  // CHECK: attn_tile.for_blocks (%[[JTILE:.+]], %[[PARTIAL:.+]]) of
  // CHECK-NOT: arith.sitofp %{{.+}} : i32 to f32
  // CHECK: %[[QK:.+]] = attn_tile.dot
  // CHECK: %[[S:.+]] = arith.mulf %[[QK]],
  // CHECK: %[[JFIRST:.+]] = affine.apply #[[$PLUS]](%[[JTILE]])[%[[J]]]
  // CHECK: %[[J0:.+]] = tensor.splat %[[JFIRST]] : tensor<64x32xindex>
  // CHECK: %[[COLUMNS:.+]] = arith.addi %[[COLUMN]], %[[J0]]
  // CHECK: %[[DISTANCE:.+]] = arith.subi %[[COLUMNS]], %[[ROWS]]
  // CHECK: %[[D32:.+]] = arith.index_cast %[[DISTANCE]]
  // CHECK: %[[DF:.+]] = arith.sitofp %[[D32]]
  // CHECK: %[[BIAS:.+]] = arith.mulf %[[FACTORS]], %[[DF]]
  // CHECK: %[[BIASED:.+]] = arith.addf %[[S]], %[[BIAS]]
  // CHECK: %[[CUT:.+]] = scf.if %[[PARTIAL]]
  // CHECK: %[[MASKED:.+]] = arith.select %{{.+}}, %[[BIASED]],
  // CHECK: scf.yield %[[MASKED]]
  // CHECK: scf.yield %[[BIASED]]
  // CHECK: attn_tile.softmax_update %[[CUT]],
  %c0 = arith.constant 0 : index
  %len = arith.constant 1000 : index
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<1x4x128x64xf16>, memref<1x4x128x64xf16>, memref<1x4x128x64xf16>)
      captures(%slope : f32) origin(%c0, %h, %i, %j) lengths(%len, %len)
      outs(%q : memref<1x4x128x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index, %x: f32):
      %h32 = arith.index_cast %ih : index to i32
      %hf = arith.sitofp %h32 : i32 to f32
      %factor = arith.mulf %hf, %x : f32
      %d = arith.subi %ij, %ii : index
      %d32 = arith.index_cast %d : index to i32
      %df = arith.sitofp %d32 : i32 to f32
      %bias = arith.mulf %factor, %df : f32
      %t = arith.addf %s, %bias : f32
      attn.yield %t : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// The region sees positions beyond the last row and column, too: attn-define-operands has
// left nothing that could trap there.
// CHECK-LABEL: func.func @beyond(
func.func @beyond(%q: memref<1x1x65x64xf16>, %k: memref<1x1x65x64xf16>, %d: index) {
  // CHECK: %[[COLUMN:.+]] = attn_tile.coordinate along 1 : tensor<64x32xindex>
  // CHECK: attn_tile.for_blocks
  // CHECK: %[[COLUMNS:.+]] = arith.addi %[[COLUMN]],
  // CHECK-NOT: arith.minsi
  // CHECK: arith.divui %[[COLUMNS]],
  attn.attention
      ins(%q, %k, %k : memref<1x1x65x64xf16>, memref<1x1x65x64xf16>, memref<1x1x65x64xf16>)
      captures(%d : index)
      outs(%q : memref<1x1x65x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index, %x: index):
      %n = arith.divui %ij, %x : index
      %n32 = arith.index_cast %n : index to i32
      %f = arith.sitofp %n32 : i32 to f32
      %t = arith.addf %s, %f : f32
      attn.yield %t : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @soft_cap(
// CHECK-SAME:    %[[CAP:[^:]+]]: f32)
func.func @soft_cap(%q: memref<1x1x64x64xf16>, %cap: f32) {
  // CHECK: %[[CAPS:.+]] = tensor.splat %[[CAP]] : tensor<64x32xf32>
  // CHECK: attn_tile.for_blocks
  // CHECK: %[[QK:.+]] = attn_tile.dot
  // CHECK: %[[S:.+]] = arith.mulf %[[QK]],
  // CHECK: %[[D:.+]] = arith.divf %[[S]], %[[CAPS]] fastmath<{{.*}}arcp{{.*}}>
  // CHECK: %[[T:.+]] = math.tanh %[[D]] : tensor<64x32xf32>
  // CHECK: %[[M:.+]] = arith.mulf %[[T]], %[[CAPS]]
  // CHECK: attn_tile.softmax_update %[[M]],
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      captures(%cap : f32)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index, %x: f32):
      %d = arith.divf %s, %x : f32
      %t = math.tanh %d : f32
      %m = arith.mulf %t, %x : f32
      attn.yield %m : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A score that does not depend on the tile is spread over it.
// CHECK-LABEL: func.func @uniform(
// CHECK-SAME:    %[[C:[^:]+]]: f32)
func.func @uniform(%q: memref<1x1x64x64xf16>, %c: f32) {
  // CHECK: %[[S:.+]] = tensor.splat %[[C]] : tensor<64x32xf32>
  // CHECK: attn_tile.for_blocks
  // CHECK-NOT: tensor.splat
  // CHECK: attn_tile.softmax_update %[[S]],
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      captures(%c : f32)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index, %x: f32):
      attn.yield %x : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @region_mask(
func.func @region_mask(%q: memref<1x1x64x64xf16>) {
  // CHECK: %[[NINF:.+]] = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  // CHECK: attn_tile.for_blocks
  // CHECK: %[[SAME:.+]] = arith.cmpi eq, %{{.+}}, %{{.+}} : tensor<64x32xindex>
  // CHECK: %[[S:.+]] = arith.select %[[SAME]], %{{.+}}, %[[NINF]] : tensor<64x32xi1>, tensor<64x32xf32>
  // CHECK: attn_tile.softmax_update %[[S]],
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index):
      %ninf = arith.constant 0xFF800000 : f32
      %same = arith.cmpi eq, %ii, %ij : index
      %t = arith.select %same, %s, %ninf : f32
      attn.yield %t : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Sums, products and quotients may be fused and divisors inverted, and constant
// factors may be joined. A rounding stays where the region has it.
// CHECK-LABEL: func.func @rounding(
// CHECK-SAME:    %{{[^:]+}}: memref<{{[^>]+}}>, %[[X:[^:]+]]: f32)
func.func @rounding(%q: memref<1x1x64x64xf16>, %x: f32) {
  // CHECK-DAG: %[[THREE:.+]] = arith.constant dense<3.000000e+00> : tensor<64x32xf32>
  // CHECK-DAG: %[[THREE_XS:.+]] = arith.mulf %[[X]], %{{.+}} fastmath<reassoc,arcp,contract> : f32
  // CHECK-DAG: %[[XS:.+]] = tensor.splat %[[X]] : tensor<64x32xf32>
  // CHECK: attn_tile.for_blocks
  // CHECK: attn_tile.dot
  // CHECK-NEXT: %[[S:.+]] = arith.mulf %{{.+}} fastmath<reassoc,contract>
  // CHECK-NEXT: %[[A:.+]] = arith.mulf %[[S]], %[[THREE]] fastmath<reassoc,arcp,contract>
  // CHECK-NEXT: %[[B:.+]] = arith.divf %[[A]], %[[THREE]] fastmath<reassoc,arcp,contract>
  // CHECK-NEXT: %[[C:.+]] = arith.divf %[[B]], %[[XS]] fastmath<arcp,contract>
  // CHECK-NEXT: %[[D:.+]] = arith.addf %[[C]], %[[THREE]] fastmath<arcp,contract>
  // The region's own flags remain.
  // CHECK-NEXT: %[[E:.+]] = arith.subf %[[D]], %[[XS]] fastmath<nnan,arcp,contract>
  // CHECK-NEXT: %[[F:.+]] = arith.truncf %[[E]] to_nearest_even : tensor<64x32xf32> to tensor<64x32xf16>
  // CHECK-NEXT: %[[G:.+]] = arith.extf %[[F]] : tensor<64x32xf16> to tensor<64x32xf32>
  // CHECK-NEXT: %[[H:.+]] = arith.mulf %[[G]], %{{.+}} fastmath<arcp,contract>
  // CHECK-NEXT: %[[I:.+]] = arith.negf %[[H]] : tensor<64x32xf32>
  // CHECK-NEXT: %{{.+}} = attn_tile.softmax_update %[[I]],
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      captures(%x : f32)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index, %c: f32):
      %three = arith.constant 3.0 : f32
      %0 = arith.mulf %s, %three : f32
      %1 = arith.divf %0, %three : f32
      %2 = arith.divf %1, %c : f32
      %3 = arith.addf %2, %three : f32
      %4 = arith.subf %3, %c fastmath<nnan> : f32
      %5 = arith.truncf %4 to_nearest_even : f32 to f16
      %6 = arith.extf %5 : f16 to f32
      %7 = arith.mulf %c, %three : f32
      %8 = arith.mulf %6, %7 : f32
      %9 = arith.negf %8 : f32
      attn.yield %9 : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// The constant of a soft cap is left to the softmax; one that could take finite scores
// out of the exponent's range is not, nor one that turns the order round.
// CHECK-LABEL: func.func @last_factor(
func.func @last_factor(%q: memref<1x1x64x64xf16>, %lse: memref<1x1x64xf32>) {
  // CHECK: attn_tile.softmax_init : <64, factor = 3.000000e+01 : f64>
  // CHECK: %[[T:.+]] = math.tanh
  // CHECK-NOT: arith.mulf %[[T]]
  // CHECK: attn_tile.softmax_update %[[T]],
  // CHECK: attn_tile.softmax_finish %{{.+}} : <64, factor = 3.000000e+01 : f64>
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q, %lse : memref<1x1x64x64xf16>, memref<1x1x64xf32>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index):
      %x = arith.constant 30.0 : f32
      %t = math.tanh %s : f32
      %m = arith.mulf %t, %x : f32
      attn.yield %m : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  // CHECK: attn_tile.softmax_init : <64, factor = 1.000000e+00 : f64>
  // CHECK: %[[E:.+]] = math.absf %{{.+}} : tensor<64x32xf32>
  // CHECK: %[[M:.+]] = arith.mulf %[[E]],
  // CHECK: attn_tile.softmax_update %[[M]],
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index):
      %x = arith.constant 30.0 : f32
      %t = math.absf %s : f32
      %m = arith.mulf %t, %x : f32
      attn.yield %m : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  // CHECK: attn_tile.softmax_init : <64, factor = 1.000000e+00 : f64>
  // CHECK: %[[T:.+]] = math.tanh
  // CHECK: %[[M:.+]] = arith.mulf %[[T]],
  // CHECK: attn_tile.softmax_update %[[M]],
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index):
      %x = arith.constant -30.0 : f32
      %t = math.tanh %s : f32
      %m = arith.mulf %t, %x : f32
      attn.yield %m : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
