// RUN: attn-opt %s -split-input-file -convert-attn-gpu-to-nvvm -verify-diagnostics

// MMAs, and shuffles among the lanes of a row, assume that four lanes share a row.

!lhs = tensor<16x32xf16, #attn_gpu.shared<padding = 16>>
!rhs = tensor<32x32xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<16x32xf32, #attn_gpu.mma<warps = 1, lanes = 8>>
!a = memref<16x32xf16, #gpu.address_space<workgroup>>
!b = memref<32x32xf16, #gpu.address_space<workgroup>>

attn_gpu.kernel @dot(%a: !a, %b: !b, %o: memref<?x32xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 16, tile_kv = 16, warps = 1, mma = mma_sync, copy = cp_async> threads 32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %lhs = attn_tile.load %a[%c0, %c0] : !a -> !lhs
  %rhs = attn_tile.load %b[%c0, %c0] : !b -> !rhs
  // expected-error@below {{'attn_tile.dot' op expected a layout with lanes = 4, found 'tensor<16x32xf32, #attn_gpu.mma<warps = 1, lanes = 8>>'}}
  %s = attn_tile.dot %lhs, %rhs, %none : !lhs, !rhs, !acc
  attn_tile.store %s, %o[%c0, %c0] : !acc, memref<?x32xf32>
}

// -----

!rows = tensor<64xindex, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!tile = tensor<64x64xf16, #attn_gpu.mma<warps = 4, lanes = 8>>

attn_gpu.kernel @scatter(%q: memref<64x64xf16>, %o: memref<8x?x64xf16>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0, %c0] : memref<64x64xf16> -> !tile
  %at = attn_tile.coordinate along 0 : !rows
  // expected-error@below {{'attn_tile.scatter' op expected a layout with lanes = 4, found 'tensor<64x64xf16, #attn_gpu.mma<warps = 4, lanes = 8>>'}}
  attn_tile.scatter %x, %o[%at, %at, %c0] : !tile, memref<8x?x64xf16>, !rows, !rows, index
}

// -----

!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!tile = tensor<64x64xf32, #attn_gpu.mma<warps = 4, lanes = 16>>

attn_gpu.kernel @reduce(%q: memref<64x64xf32>, %o: memref<64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0, %c0] : memref<64x64xf32> -> !tile
  // expected-error@below {{'attn_tile.reduce' op expected a layout with lanes = 4, found 'tensor<64x64xf32, #attn_gpu.mma<warps = 4, lanes = 16>>'}}
  %r = attn_tile.reduce maxnum %x along 1 : !tile -> !rows
  attn_tile.store %r, %o[%c0] : !rows, memref<64xf32>
}

// -----

!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!tile = tensor<64x64xf32, #attn_gpu.mma<warps = 4, lanes = 8>>

attn_gpu.kernel @broadcast(%q: memref<64xf32>, %o: memref<64x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0] : memref<64xf32> -> !rows
  // expected-error@below {{'attn_tile.broadcast' op expected a layout with lanes = 4, found 'tensor<64x64xf32, #attn_gpu.mma<warps = 4, lanes = 8>>'}}
  %r = attn_tile.broadcast %x along 1 : !rows -> !tile
  attn_tile.store %r, %o[%c0, %c0] : !tile, memref<64x64xf32>
}

// -----

// A vector of the rows that other warps have.
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 2>>>
!tile = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @slice(%q: memref<64x64xf32>, %o: memref<64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0, %c0] : memref<64x64xf32> -> !tile
  // expected-error@below {{'attn_tile.reduce' op expected a vector of layout #attn_gpu.slice<axis = 1, parent = <warps = 4>> beside 'tensor<64x64xf32, #attn_gpu.mma<warps = 4>>', found 'tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 2>>>'}}
  %r = attn_tile.reduce maxnum %x along 1 : !tile -> !rows
  attn_tile.store %r, %o[%c0] : !rows, memref<64xf32>
}

// -----

!tile = tensor<64x64xf32, #attn_gpu.mma<warps = 4, columns = 4, lanes = 16>>

// Tiles that are only copied may have longer rows.
attn_gpu.kernel @copy(%q: memref<64x64xf32>, %o: memref<64x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0, %c0] : memref<64x64xf32> -> !tile
  attn_tile.store %x, %o[%c0, %c0] : !tile, memref<64x64xf32>
}

// -----

// Only MMAs of a warpgroup begin with zeros by a predicate.
!sum = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @start_of_others(%continues: i1) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %part = arith.constant dense<1.0> : !sum
  // expected-error@below {{'attn_gpu.start_sum' op expected to be only the accumulator of attn_gpu.mma, found an operand of 'arith.addf'}}
  %0 = attn_gpu.start_sum %part if %continues : !sum
  %1 = arith.addf %0, %0 : !sum
}

// -----

// Programs that were written by hand are not planned, so products that ptxas would reject are found here.

!swizzled = tensor<128x64xf16, #attn_gpu.swizzled>
!mma = tensor<128x64xf16, #attn_gpu.mma<warps = 4>>
!left = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!lhs = tensor<64x64xf16, #attn_gpu.swizzled>
!acc = tensor<64x128xf32, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @columns_of_wgmma(%p: memref<128x64xf16>, %q: memref<64x64xf16>, %o: memref<64x128xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, ctas = 8> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %t = attn_tile.load %p[%c0, %c0] : memref<128x64xf16> -> !mma
  %0 = attn_gpu.local_store %t at 1024 : !mma -> !swizzled
  %u = attn_tile.load %q[%c0, %c0] : memref<64x64xf16> -> !left
  %1 = attn_gpu.local_store %u at 32768 : !left -> !lhs
  // expected-error@below {{'attn_gpu.mma' op expected a product that ptxas compiles: a wgmma has at most 72 columns, as each of 128 threads of each of 8 CTAs of an SM is launched with 64 registers, not 128}}
  %m = attn_gpu.mma %1, %0, %none transpose_rhs : !lhs, !swizzled, !acc
  %2 = attn_gpu.mma_wait 0, %m : !acc
  attn_tile.store %2, %o[%c0, %c0] : !acc, memref<64x128xf32>
}
