// RUN: attn-opt %s -split-input-file -attn-gpu-specialize-warps | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-gpu-pipeline-loads | FileCheck %s --check-prefix=ALONE

// Rings are filled in the order of their loads. That of a vector that comes after a tile of the
// same step `follows` it, so that its releases need no fence. A vector before the tile does not.
// CHECK-LABEL: attn_gpu.kernel @vectors(
// CHECK: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} each_warp : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
// CHECK-NEXT: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} : <2, tensor<64x64xf16
// CHECK-NEXT: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} each_warp follows : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
// CHECK-NOT: attn_gpu.ring
!array = memref<1024x64xf16>
!sums = memref<16x64xf32>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!vector = tensor<64xf32, #attn_gpu.shared<padding = 0>>
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @vectors(%k: !array, %a: !sums, %b: !sums, %o: memref<1024x64xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  attn_gpu.array %a workspace : !sums
  attn_gpu.array %b workspace : !sums
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c64 : index
    %before = attn_tile.load %a[%i, %c0] : !sums -> !vector
    %x = attn_tile.load %k[%j, %c0] : !array -> !tile
    %after = attn_tile.load %b[%i, %c0] : !sums -> !vector
    %s = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
    %first = attn_gpu.convert_layout %before : !vector -> !rows
    %last = attn_gpu.convert_layout %after : !vector -> !rows
    %both = arith.addf %first, %last : !rows
    %factors = attn_tile.broadcast %both along 1 : !rows -> !scores
    %sum = arith.mulf %s, %factors : !scores
    attn_tile.store %sum, %o[%j, %c0] : !scores, memref<1024x64xf32>
  }
}

// -----

// The same where the CTA's first thread copies.
// ALONE-LABEL: attn_gpu.kernel @without_roles(
// ALONE-DAG: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} : <2, tensor<64x64xf16
// ALONE-DAG: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} each_warp follows : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
!array = memref<1024x64xf16>
!sums = memref<16x64xf32>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!vector = tensor<64xf32, #attn_gpu.shared<padding = 0>>
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @without_roles(%k: !array, %b: !sums, %o: memref<1024x64xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  attn_gpu.array %b workspace : !sums
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c64 : index
    %x = attn_tile.load %k[%j, %c0] : !array -> !tile
    %after = attn_tile.load %b[%i, %c0] : !sums -> !vector
    %s = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
    %last = attn_gpu.convert_layout %after : !vector -> !rows
    %factors = attn_tile.broadcast %last along 1 : !rows -> !scores
    %sum = arith.mulf %s, %factors : !scores
    attn_tile.store %sum, %o[%j, %c0] : !scores, memref<1024x64xf32>
  }
}

// -----

// A vector that is loaded once for an inner loop has one slot, as it is copied to registers at once,
// and the tile before it two. The slot is then filled again before that of the tile is.
// CHECK-LABEL: attn_gpu.kernel @once(
// CHECK: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} : <2, tensor<64x64xf16
// CHECK-NEXT: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} each_warp : <1, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
// CHECK-NEXT: attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} : <2, tensor<64x64xf16
// CHECK-NOT: attn_gpu.ring
!array = memref<1024x64xf16>
!sums = memref<16x64xf32>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!vector = tensor<64xf32, #attn_gpu.shared<padding = 0>>
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @once(%k: !array, %b: !sums, %o: memref<1024x64xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  attn_gpu.array %b workspace : !sums
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c64 : index
    %x = attn_tile.load %k[%j, %c0] : !array -> !tile
    %after = attn_tile.load %b[%i, %c0] : !sums -> !vector
    %last = attn_gpu.convert_layout %after : !vector -> !rows
    %factors = attn_tile.broadcast %last along 1 : !rows -> !scores
    %all = scf.for %m = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!scores) {
      %l = arith.muli %m, %c64 : index
      %y = attn_tile.load %k[%l, %c0] : !array -> !tile
      %s = attn_tile.dot %x, %y, %sum transpose_rhs : !tile, !tile, !scores
      scf.yield %s : !scores
    }
    %product = arith.mulf %all, %factors : !scores
    attn_tile.store %product, %o[%j, %c0] : !scores, memref<1024x64xf32>
  }
}
