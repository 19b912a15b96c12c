// RUN: attn-opt %s -attn-tile -attn-online-softmax -canonicalize -cse | FileCheck %s

// A warp moves its rows' references and rescales only when a score of some row
// exceeds its reference by 8, in base 2: here 8 / (log2(e) / 8) = 44.36. Lanes add
// their own weights up; the sum over lanes comes after the loop.
// CHECK-LABEL: func.func @lazy(
// CHECK-DAG: %[[ONES:.+]] = arith.constant dense<1.000000e+00> : tensor<128xf32>
// CHECK-DAG: %[[FACTOR:.+]] = arith.constant dense<44.36{{[0-9]*}}> : tensor<128xf32>
// CHECK: %[[R:.+]]:3 = scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[M:.+]] = %{{.+}}, %[[L:.+]] = %{{.+}}) ->
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK-NEXT: %[[MAX:.+]] = attn_tile.reduce maxnum partial %[[S]] along 1
// CHECK-NEXT: %[[BOUND:.+]] = arith.addf %[[M]], %[[FACTOR]]
// CHECK-NEXT: %[[ABOVE:.+]] = arith.cmpf ogt, %[[MAX]], %[[BOUND]]
// CHECK-NEXT: %[[ANY:.+]] = attn_tile.any %[[ABOVE]]
// CHECK-NEXT: %[[NEXT:.+]]:3 = scf.if %[[ANY]]
// CHECK-NEXT: %[[ALL:.+]] = attn_tile.combine_lanes maxnum %[[MAX]]
// CHECK-NEXT: %[[NEW:.+]] = arith.maxnumf %[[M]], %[[ALL]]
// CHECK: %[[ALPHA:.+]] = math.exp2
// CHECK: %[[SCALED:.+]] = arith.mulf %[[ALPHA]], %[[L]]
// CHECK: scf.yield %[[NEW]], %[[ALPHA]], %[[SCALED]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[M]], %[[ONES]], %[[L]]
// CHECK: %[[P:.+]] = math.exp2 %{{.+}} : tensor<128x64xf32>
// CHECK-NEXT: %[[SUM:.+]] = attn_tile.reduce add partial %[[P]] along 1
// CHECK-NEXT: %[[L2:.+]] = arith.addf %[[NEXT]]#2, %[[SUM]]
// CHECK: scf.if %[[ANY]]
// CHECK: arith.mulf %[[ACC]],
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ACC]]
// CHECK: scf.yield %{{.+}}, %[[NEXT]]#0, %[[L2]]
// CHECK: attn_tile.combine_lanes add %[[R]]#2
// CHECK-NOT: attn_tile.combine_lanes
!t = memref<1x1x1024x64xf16>
func.func @lazy(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, lazy_max = true>}
  return
}

// CHECK-LABEL: func.func @eager(
// CHECK-NOT: attn_tile.any
// CHECK-NOT: attn_tile.combine_lanes
// CHECK-NOT: attn_tile.reduce {{.*}} partial
func.func @eager(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma>}
  return
}
