// A condition that seldom holds is llvm.expect, by which LLVM IR's branches are marked as unlikely.

// RUN: attn-opt %s -canonicalize -cse -convert-attn-gpu-to-nvvm -o - | FileCheck %s

!tile = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// CHECK-LABEL: attn_gpu.kernel @rare(
// CHECK: %[[RARE:.+]] = llvm.intr.expect %{{.+}}, %false : i1
// CHECK: scf.if %[[RARE]]
attn_gpu.kernel @rare(%p: memref<64x64xf32>, %o: memref<64x64xf32>, %n: index)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %masked = arith.constant dense<1.0> : !tile
  %x = attn_tile.load %p[%c0, %c0] : memref<64x64xf32> -> !tile
  %is = arith.cmpi sgt, %n, %c0 : index
  %rare = attn_tile.rare %is
  %y = scf.if %rare -> !tile {
    %z = arith.addf %x, %masked : !tile
    scf.yield %z : !tile
  } else {
    scf.yield %x : !tile
  }
  attn_tile.store %y, %o[%c0, %c0] : !tile, memref<64x64xf32>
}

// A constant condition leaves no branch.
// CHECK-LABEL: attn_gpu.kernel @never(
// CHECK-NOT: {{llvm.intr.expect|attn_tile.rare|arith.addf}}
attn_gpu.kernel @never(%p: memref<64x64xf32>, %o: memref<64x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %masked = arith.constant dense<1.0> : !tile
  %x = attn_tile.load %p[%c0, %c0] : memref<64x64xf32> -> !tile
  %rare = attn_tile.rare %false
  %y = scf.if %rare -> !tile {
    %z = arith.addf %x, %masked : !tile
    scf.yield %z : !tile
  } else {
    scf.yield %x : !tile
  }
  attn_tile.store %y, %o[%c0, %c0] : !tile, memref<64x64xf32>
}
