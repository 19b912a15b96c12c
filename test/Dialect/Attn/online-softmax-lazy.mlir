// RUN: attn-opt %s -attn-tile -attn-online-softmax -canonicalize -cse | FileCheck %s

// A step tries its rows' references: lanes add their own weights, and only if a sum
// is above 2^14 or no number, the warp makes the weights again with the maximum, and
// rescales. The first step has no reference to try. What a reference adds in the
// exponent is carried, and is infinite where it is not linear: no sum passes then. The
// sum over lanes comes after the loop.
// CHECK-LABEL: func.func @lazy(
// CHECK-DAG: %[[LARGEST:.+]] = arith.constant dense<1.638400e+04> : tensor<128xf32>
// CHECK-DAG: %[[INF:.+]] = arith.constant dense<0x7F800000> : tensor<128xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<128xf32>
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[R:.+]]:4 = scf.for %[[J:.+]] = %[[C0]] to {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[M:.+]] = %{{.+}}, %[[L:.+]] = %[[ZERO]], %[[OFFSET:.+]] = %[[INF]]) ->
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[J]], %[[C0]]
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK-NOT: maxnum
// CHECK: %[[ADDED:.+]] = attn_tile.broadcast %[[OFFSET]] along 1
// CHECK: %[[X:.+]] = math.fma %[[S]], %{{.+}}, %[[ADDED]]
// CHECK: %[[P:.+]] = math.exp2 %[[X]]
// CHECK: %[[SUM:.+]] = attn_gpu.reduce_thread add %[[P]] along 1
// CHECK: %[[TRIEDL:.+]] = arith.addf %[[L]], %[[SUM]]
// CHECK: %[[TRIED:.+]] = arith.truncf %[[P]]
// CHECK: %[[ABOVE:.+]] = arith.cmpf ugt, %[[SUM]], %[[LARGEST]]
// CHECK: %[[ANY:.+]] = attn_gpu.vote_any %[[ABOVE]]
// CHECK: %[[CHANGES:.+]] = arith.ori %[[FIRST]], %[[ANY]]
// CHECK: %[[NEXT:.+]]:5 = scf.if %[[CHANGES]]
// CHECK: %[[MAX:.+]] = attn_gpu.reduce_thread maxnum %[[S]] along 1
// CHECK: %[[ALL:.+]] = attn_gpu.combine_quad maxnum %[[MAX]]
// CHECK: %[[NEW:.+]] = arith.maxnumf %[[M]], %[[ALL]]
// CHECK: %[[ALPHA:.+]] = math.exp2
// CHECK: %[[TIMES:.+]] = arith.mulf %[[ACC]],
// CHECK: %[[SCALED:.+]] = arith.select %[[FIRST]], %[[ACC]], %[[TIMES]]
// CHECK: math.exp2 %{{.+}} : tensor<128x64xf32>
// CHECK: %[[SUM2:.+]] = attn_gpu.reduce_thread add
// CHECK: %[[NEWL:.+]] = math.fma %[[ALPHA]], %[[L]], %[[SUM2]]
// CHECK: %[[NEXTOFFSET:.+]] = arith.select %{{.+}}, %{{.+}}, %[[INF]]
// CHECK: scf.yield %{{.+}}, %[[SCALED]], %[[NEW]], %[[NEWL]], %[[NEXTOFFSET]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[TRIED]], %[[ACC]], %[[M]], %[[TRIEDL]], %[[OFFSET]]
// CHECK: %[[OUT:.+]] = attn_tile.dot %[[NEXT]]#0, %{{.+}}, %[[NEXT]]#1
// CHECK: scf.yield %[[OUT]], %[[NEXT]]#2, %[[NEXT]]#3, %[[NEXT]]#4
// CHECK: attn_gpu.combine_quad add %[[R]]#2
// CHECK-NOT: attn_gpu.combine_quad
!t = memref<1x1x1024x64xf16>
func.func @lazy(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer>}
  return
}

// CHECK-LABEL: func.func @eager(
// CHECK-NOT: attn_gpu.vote_any
// CHECK-NOT: attn_gpu.combine_quad
// CHECK-NOT: attn_tile.reduce {{.*}} partial
func.func @eager(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}
