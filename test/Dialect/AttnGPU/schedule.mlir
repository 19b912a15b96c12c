// RUN: attn-opt %s | attn-opt --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// CHECK: module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">}
module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">} {
  // Defaults are not printed, and what multiplies and copies is never one.
  // CHECK: a = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>
  // CHECK-SAME: b = #attn_gpu.schedule<tile_q = 128, tile_kv = 96, warps = 8, mma = wgmma, copy = tma, stages = 3, overlap = true, ping_pong = true, softmax = lazy, roles = producer_consumer, scheduler = dynamic>
  // CHECK-SAME: c = #attn_gpu.schedule<tile_q = 16, tile_kv = 16, warps = 1, mma = none, copy = cp_async, scheduler = persistent>
  // CHECK-SAME: d = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async, warp_rows = 32, ctas = 1>
  // Roles have the order of a CTA, multipliers that of the text, and a list without
  // particulars its short form.
  // CHECK-SAME: e = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [consumer(registers = 160), converter(registers = 56), multiplier(name = "scores", warps = 8), multiplier, producer(warps = 8, registers = 24)]>
  // CHECK-SAME: f = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer_reducer>
  // CHECK-SAME: g = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [converter, multiplier, producer]>
  // CHECK-SAME: h = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>
  // CHECK-SAME: i = #attn_gpu.role<multiplier(name = "scores", warps = 8, late)>
  // CHECK-SAME: j = #attn_gpu.roles<[consumer(warps = 8), producer]>
  // CHECK-SAME: k = #attn_gpu.roles<[converter, converter(name = "second"), producer]>
  func.func private @schedules() attributes {
    k = #attn_gpu.roles<[converter, producer, converter(name = "second")]>,
    e = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(registers = 24, warps = 8), multiplier(name = "scores", warps = 8), converter(registers = 56), multiplier(), consumer(registers = 160)]>,
    f = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(warps = 4), consumer, reducer(name = "reducer")]>,
    g = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = "producer_consumer|converter|multiplier">,
    h = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = []>,
    i = #attn_gpu.role<multiplier(late, warps = 8, name = "scores")>,
    j = #attn_gpu.roles<[producer, consumer(warps = 8)]>,
    a = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element, stages = 2, overlap = false, ping_pong = false, softmax = strict, roles = none, scheduler = static>,
    b = #attn_gpu.schedule<tile_q = 128, tile_kv = 96, warps = 8, mma = wgmma, copy = tma, stages = 3, overlap = true, ping_pong = true, softmax = lazy, roles = producer_consumer, scheduler = dynamic>,
    c = #attn_gpu.schedule<tile_q = 16, tile_kv = 16, warps = 1, mma = none, copy = cp_async, scheduler = persistent>,
    d = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async, warp_rows = 32, ctas = 1>}
}
