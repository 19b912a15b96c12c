// RUN: attn-opt %s -allow-unregistered-dialect -convert-attn-gpu-to-nvvm | FileCheck %s

!lhs = tensor<128x16xf16, #attn_gpu.shared<padding = 16>>
!rhs = tensor<16x8xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<128x8xf32, #attn_gpu.mma<warps = 8>>

// A schedule with roles gives a CTA an SM for itself.
// CHECK-LABEL: attn_gpu.kernel @roles(
// CHECK: attn_nv.least_ctas 1{{$}}
// CHECK-NOT: attn_nv.launch_registers
// CHECK: attn_nv.consumer_registers 232{{$}}
// CHECK: llvm.inline_asm has_side_effects {attn_nv.producer} "", "" : () -> ()
attn_gpu.kernel @roles()
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async, roles = producer_consumer> threads 384 {
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    "test.consumer"(%w) : (index) -> ()
  }, {
  ^bb0(%w: index):
    "test.producer"(%w) : (index) -> ()
  }
}

// Where each warpgroup has a role of its own, threads begin with what the roles share.
// CHECK-LABEL: attn_gpu.kernel @one_each(
// CHECK: attn_nv.launch_registers 136{{$}}
// CHECK-NOT: attn_nv.least_ctas
attn_gpu.kernel @one_each()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.roles warpgroups [1, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    "test.consumer"(%w) : (index) -> ()
  }, {
  ^bb0(%w: index):
    "test.producer"(%w) : (index) -> ()
  }
}

// MMAs of eight warps would have half of their registers beside a second CTA.
// CHECK-LABEL: attn_gpu.kernel @eight_warps(
// CHECK: attn_nv.least_ctas 1{{$}}
attn_gpu.kernel @eight_warps(%a: memref<128x16xf16, strided<[24, 1]>, #gpu.address_space<workgroup>>,
                             %b: memref<16x8xf16, strided<[16, 1]>, #gpu.address_space<workgroup>>, %o: memref<?x8xf32>)
    target <chip = "sm_80"> schedule <tile_q = 128, tile_kv = 16, warps = 8, mma = mma_sync, copy = element> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %lhs = attn_tile.load %a[%c0, %c0] : memref<128x16xf16, strided<[24, 1]>, #gpu.address_space<workgroup>> -> !lhs
  %rhs = attn_tile.load %b[%c0, %c0] : memref<16x8xf16, strided<[16, 1]>, #gpu.address_space<workgroup>> -> !rhs
  %s = attn_tile.dot %lhs, %rhs, %none : !lhs, !rhs, !acc
  attn_tile.store %s, %o[%c0, %c0] : !acc, memref<?x8xf32>
}

// Copies by TMA or a dynamic scheduler alone do so, too; many warps without MMAs do not, nor do eight
// warps of wgmma.
// CHECK-LABEL: attn_gpu.kernel @tma(
// CHECK: attn_nv.least_ctas 1{{$}}
// CHECK-LABEL: attn_gpu.kernel @dynamic(
// CHECK: attn_nv.least_ctas 1{{$}}
// CHECK-LABEL: attn_gpu.kernel @no_mmas(
// CHECK-NOT: attn_nv.least_ctas
// CHECK-LABEL: attn_gpu.kernel @wgmma_alone(
// CHECK-NOT: attn_nv.least_ctas
attn_gpu.kernel @tma()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma> threads 128 {
}
attn_gpu.kernel @dynamic()
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, scheduler = dynamic> threads 128 {
}
attn_gpu.kernel @no_mmas()
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = none, copy = element> threads 256 {
}
attn_gpu.kernel @wgmma_alone()
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async> threads 256 {
}

// A schedule may say the number itself.
// CHECK-LABEL: attn_gpu.kernel @three(
// CHECK: attn_nv.least_ctas 3{{$}}
attn_gpu.kernel @three()
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, ctas = 3> threads 128 {
}

// From sm_100 on ptxas would spill for a third CTA.
// CHECK-LABEL: attn_gpu.kernel @blackwell(
// CHECK: attn_nv.least_ctas 2{{$}}
attn_gpu.kernel @blackwell()
    target <chip = "sm_100"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
}

// CHECK-LABEL: attn_gpu.kernel @nothing(
// CHECK-NOT: attn_nv.least_ctas
attn_gpu.kernel @nothing()
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
}
