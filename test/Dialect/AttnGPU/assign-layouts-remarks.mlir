// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts -verify-diagnostics

// Loads that are wanted ahead, and are not copied ahead, are named in remarks.
!bias = memref<?x?xf16>
!narrow = memref<?x?xi8>
attn_gpu.kernel @ahead(%row: memref<?x64xf32>, %bias: !bias, %mask: !narrow, %n: index, %o: memref<?x64xf32>, %own: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.array %own sizes(%n) workspace : memref<?x64xf32>
  %domain = attn_tile.domain rows %c0 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %first to %last full %first to %last
  } : !attn_tile.domain<64>
  // expected-remark@below {{not copied ahead: it is in no loop}}
  %once = attn_tile.load %own[%c0, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
  // expected-remark@below {{not copied ahead: it is in no loop over blocks}}
  %alone = attn_tile.load %bias[%c0, %c0] ahead : !bias -> tensor<64x64xf16>
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    %block = arith.divui %j, %c64 : index
    %v = attn_tile.load %own[%block, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
    // expected-remark@below {{not copied ahead: it is no whole row of f32 of the workspace}}
    %w = attn_tile.load %row[%block, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
    %both = arith.addf %v, %w : tensor<64xf32>
    %sum = arith.addf %both, %once : tensor<64xf32>
    %tile = attn_tile.broadcast %sum along 0 : tensor<64xf32> -> tensor<64x64xf32>
    // expected-remark@below {{not copied ahead: TMA does not copy tiles of such an array}}
    %m = attn_tile.load %mask[%c0, %j] ahead : !narrow -> tensor<64x64xi8>
    %x = attn_tile.load %bias[%c0, %j] ahead : !bias -> tensor<64x64xf16>
    // expected-remark@below {{not copied ahead: another such tile is}}
    %y = attn_tile.load %bias[%j, %c0] ahead : !bias -> tensor<64x64xf16>
    %xy = arith.addf %x, %y : tensor<64x64xf16>
    %all = arith.addf %xy, %alone : tensor<64x64xf16>
    %f = arith.extf %all : tensor<64x64xf16> to tensor<64x64xf32>
    %g = arith.sitofp %m : tensor<64x64xi8> to tensor<64x64xf32>
    %h = arith.addf %f, %g : tensor<64x64xf32>
    %z = arith.addf %h, %tile : tensor<64x64xf32>
    attn_tile.store %z, %o[%j, %c0] : tensor<64x64xf32>, memref<?x64xf32>
  }
}

// -----

attn_gpu.kernel @threads(%bias: memref<?x?xf16>, %n: index, %o: memref<?x64xf16>, %own: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.array %own sizes(%n) workspace : memref<?x64xf32>
  scf.for %i = %c0 to %n step %c64 {
    // expected-remark@below {{not copied ahead: it is not directly in a loop over blocks}}
    %v = attn_tile.load %own[%i, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
    %tile = attn_tile.broadcast %v along 0 : tensor<64xf32> -> tensor<64x64xf32>
    // expected-remark@below {{not copied ahead: TMA alone copies such a tile}}
    %x = attn_tile.load %bias[%i, %c0] ahead : memref<?x?xf16> -> tensor<64x64xf16>
    %y = arith.truncf %tile : tensor<64x64xf32> to tensor<64x64xf16>
    %z = arith.addf %x, %y : tensor<64x64xf16>
    attn_tile.store %z, %o[%i, %c0] : tensor<64x64xf16>, memref<?x64xf16>
  }
}
