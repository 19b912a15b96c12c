// RUN: attn-opt %s -attn-to-gpu=chip=sm_90a | FileCheck %s

// Values of 8 bits, whose rows do not lie along K, are a warpgroup's to transpose, for
// probabilities in an accumulator's registers. 256 products are added to a part of the sums.

!t = memref<1x2x256x128xf8E4M3FN>
!o = memref<1x2x256x128xf16>

// CHECK-LABEL: attn_gpu.kernel @products_tma(
// CHECK: attn_gpu.init_ring %[[V:.+]] readers 4 : <3, tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[T:.+]] readers 2 writers 4 : <2, tensor<128x64xf8E4M3FN, #attn_gpu.swizzled<interleaved = true>>>
// CHECK: attn_gpu.roles warpgroups [2, 1, 1] registers [216, 56, 24] elected [false, false, true]
// CHECK: scf.for
// CHECK: attn_gpu.mma {{.+}} transpose_rhs : tensor<128x128xf8E4M3FN, #attn_gpu.mma<warps = 8, columns = 4>>, tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[T]][
// CHECK: %[[START:.+]] = attn_gpu.start_sum %{{.+}} if %{{.+}} : tensor<128x128xf32
// CHECK: attn_gpu.mma %{{.+}}, %[[TILE]], %[[START]] transpose_rhs : tensor<128x64xf8E4M3FN, #attn_gpu.mma<warps = 8>>
// CHECK: scf.if
// CHECK: arith.addf {{.+}} tensor<128x128xf32
// CHECK: }, {
// CHECK: scf.for
// CHECK: %[[RAW:.+]], %{{.+}} = attn_gpu.acquire %[[V]][
// CHECK: attn_gpu.put %[[RAW]] to %[[T]][{{.+}}] transpose :
// CHECK: attn_gpu.release %[[V]][{{.+}}] each_warp
func.func @products(%q: !t, %k: !t, %v: !t, %o: !o) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !o) {schedule = #attn_gpu.schedule<
      tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 3, overlap = true,
      softmax = lazy, roles = producer_consumer_converter, scheduler = persistent>}
  return
}

// By the table's schedule, the sums of each step of 128 keys begin with zeros, and are added to
// the output's without a branch.
// CHECK-LABEL: attn_gpu.kernel @each_step_tma(
// CHECK: %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : tensor<128x128xf32
// CHECK: attn_gpu.init_ring %{{.+}} readers 4 : <2, tensor<128x128xf8E4M3FN, #attn_gpu.swizzled>>
// CHECK-NOT: attn_gpu.start_sum
// CHECK: %[[STEP:.+]] = attn_gpu.mma %{{.+}}, %{{.+}}, %[[ZEROS]] transpose_rhs : {{.+}} #attn_gpu.swizzled<interleaved = true>>
// CHECK-NEXT: %[[SUM:.+]] = attn_gpu.mma_wait 0, %[[STEP]]
// CHECK: arith.addf %{{.+}}, %[[SUM]] : tensor<128x128xf32
// CHECK: attn_gpu.kernel @each_step_narrow(
func.func @each_step(%q: !t, %k: !t, %v: !t, %o: !o) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !o)
  return
}

// Sums that need not be exact are in one accumulator.
// CHECK-LABEL: attn_gpu.kernel @fast_tma(
// CHECK-NOT: arith.addf {{.+}} tensor<128x128xf32
// CHECK: attn_gpu.kernel @fast_narrow(
func.func @fast(%q: !t, %k: !t, %v: !t, %o: !o) {
  attn.attention fast_accumulate ins(%q, %k, %v : !t, !t, !t) outs(%o : !o)
  return
}

// Of two converters, one extends keys and the other values. The producer copies tiles for both.
// CHECK-LABEL: attn_gpu.kernel @two_tma(
// CHECK: attn_gpu.init_ring %[[K:.+]] readers 4 : <2, tensor<128x128xi8, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[V:.+]] readers 4 : <2, tensor<128x128xi8, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[KS:.+]] readers 1 writers 4 : <2, tensor<128x128xbf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[VS:.+]] readers 1 writers 4 : <2, tensor<128x128xbf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.roles warpgroups [1, 1, 1, 1]
// CHECK: attn_gpu.acquire %[[KS]][
// CHECK: attn_gpu.acquire %[[VS]][
// CHECK: }, {
// CHECK-NOT: %[[V]]{{[^0-9]}}
// CHECK: attn_gpu.acquire %[[K]][
// CHECK-NOT: %[[V]]{{[^0-9]}}
// CHECK: attn_gpu.put %{{.+}} to %[[KS]][
// CHECK-NOT: %[[VS]]{{[^0-9]}}
// CHECK: }, {
// CHECK-NOT: %[[K]]{{[^0-9]}}
// CHECK: attn_gpu.acquire %[[V]][
// CHECK-NOT: %[[K]]{{[^0-9]}}
// CHECK: attn_gpu.put %{{.+}} to %[[VS]][
// CHECK: }, {
// CHECK: attn_gpu.kernel @two_narrow(
func.func @two(%q: memref<1x4x1x128xbf16>, %k: memref<1x1x8192x128xi8>, %v: memref<1x1x8192x128xi8>, %o: memref<1x4x1x128xbf16>) {
  attn.attention ins(%q, %k, %v : memref<1x4x1x128xbf16>, memref<1x1x8192x128xi8>, memref<1x1x8192x128xi8>) outs(%o : memref<1x4x1x128xbf16>)
      {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 128, warps = 4, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = [converter, converter(name = "converter_2"), producer], scheduler = persistent, split_kv = true>}
  return
}
