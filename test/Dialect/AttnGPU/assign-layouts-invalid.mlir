// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts -verify-diagnostics

attn_gpu.kernel @both_axes(%t: tensor<64x64xf32>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  // expected-note@below {{the vector, or one that is computed with it, is needed so here}}
  %rows = attn_tile.reduce add %t along 1 : tensor<64x64xf32> -> tensor<64xf32>
  %twice = arith.addf %rows, %rows : tensor<64xf32>
  // expected-error@below {{expected a vector of layout #attn_gpu.slice<axis = 1, parent = <warps = 4>>, found that this op needs #attn_gpu.slice<axis = 0, parent = <warps = 4, columns = 4>>}}
  %columns = attn_tile.broadcast %twice along 0 : tensor<64xf32> -> tensor<64x64xf32>
  attn_tile.store %columns, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @rows(%o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  // expected-error@below {{expected tiles of which 4 warps have 16 rows and 8 columns each, or a multiple, found 'tensor<24x64xf32>'}}
  %t = attn_tile.load %o[%c0, %c0] : memref<?x64xf32> -> tensor<24x64xf32>
  attn_tile.store %t, %o[%c0, %c0] : tensor<24x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @steps(%a: memref<?x24xf16>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x24xf16> -> tensor<64x24xf16>
  // expected-error@below {{expected a multiple of 16 products to add up, found 24}}
  %s = attn_tile.dot %x, %x, %none transpose_rhs : tensor<64x24xf16>, tensor<64x24xf16>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @elements(%a: memref<?x64xf32>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-error@below {{expected operands of f16, bf16, f8E4M3FN or f8E5M2 for mma = wgmma, found 'f32'}}
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf32> -> tensor<128x64xf32>
  %s = attn_tile.dot %x, %x, %none transpose_rhs : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x128xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<128x128xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @rows_of_warpgroups(%a: memref<?x64xf16>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<32x128xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
  %y = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
  // expected-error@below {{expected 64 rows for each of 2 warpgroups, or for each of equal groups of them, found 32}}
  %s = attn_tile.dot %x, %y, %none transpose_rhs : tensor<32x64xf16>, tensor<128x64xf16>, tensor<32x128xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<32x128xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @bytes_of_rows(%a: memref<?x64xf16>, %b: memref<?x4xf16>, %o: memref<?x4xf32>)
    target <chip = "sm_89"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x4xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
  // expected-error@below {{expected rows of a multiple of 16 bytes, the unit of copies to shared memory, found 'tensor<64x4xf16>'; load more columns}}
  %y = attn_tile.load %b[%c0, %c0] : memref<?x4xf16> -> tensor<64x4xf16>
  %s = attn_tile.dot %x, %y, %none : tensor<64x64xf16>, tensor<64x4xf16>, tensor<64x4xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x4xf32>, memref<?x4xf32>
}

// -----

attn_gpu.kernel @columns_of_warpgroups(%a: memref<?x64xf16>, %b: memref<?x96xf16>, %o: memref<?x96xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x96xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
  %y = attn_tile.load %b[%c0, %c0] : memref<?x96xf16> -> tensor<64x96xf16>
  // expected-error@below {{expected warpgroups that share rows to have a multiple or a divisor of 64 columns each, found 48}}
  %s = attn_tile.dot %x, %y, %none : tensor<64x64xf16>, tensor<64x96xf16>, tensor<64x96xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x96xf32>, memref<?x96xf32>
}

// -----

attn_gpu.kernel @some_rows(%a: memref<?x64xf16>, %o: memref<?x32xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
  // expected-error@below {{expected all rows and a known first column of a tile, found 'tensor<64x64xf16, #attn_gpu.shared<padding = 16>>' to 'tensor<32x64xf16>'}}
  %y = tensor.extract_slice %x[0, 0] [32, 64] [1, 1] : tensor<64x64xf16> to tensor<32x64xf16>
  %s = attn_tile.dot %x, %y, %none transpose_rhs : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x32xf32>, memref<?x32xf32>
}

// -----

attn_gpu.kernel @part_of_a_panel(%a: memref<?x128xf16>, %b: memref<?x64xf16>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x128xf16> -> tensor<64x128xf16>
  %b0 = attn_tile.load %b[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
  // expected-error@below {{expected whole panels of 64 columns, found 64 from 32 on}}
  %y = tensor.extract_slice %x[0, 32] [64, 64] [1, 1] : tensor<64x128xf16> to tensor<64x64xf16>
  %s = attn_tile.dot %b0, %y, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @no_mma(%a: memref<?x64xf16>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
  // expected-error@below {{expected mma = mma_sync or wgmma for a product, found #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element>}}
  %s = attn_tile.dot %x, %x, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

// A vector of tiles that the warps do not divide.
attn_gpu.kernel @broadcast(%o: memref<?x64xf32>, %s: memref<?xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 48, tile_kv = 64, warps = 3, mma = mma_sync, copy = element> threads 96 {
  %c0 = arith.constant 0 : index
  %rows = attn_tile.load %s[%c0] : memref<?xf32> -> tensor<64xf32>
  // expected-error@below {{expected tiles of which 3 warps have 16 rows and 8 columns each, or a multiple, found 'tensor<64x64xf32>'}}
  %t = attn_tile.broadcast %rows along 1 : tensor<64xf32> -> tensor<64x64xf32>
  attn_tile.store %t, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

// Errors for stores marked `add apart`, which a reducer adds.
attn_gpu.kernel @no_loop(%a: memref<?x64xf16>, %o: memref<?x64xf32>, %d: !attn_tile.domain<64>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 2,
              roles = producer_consumer_reducer> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
  %y = attn_tile.dot %x, %x, %none transpose_lhs : tensor<128x64xf16>, tensor<128x64xf16>, tensor<64x64xf32>
  // expected-error@below {{expected a loop around a store with 'add apart', found 'attn_gpu.kernel'}}
  attn_tile.store %y, %o[%c0, %c0] add apart : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @no_product(%a: memref<?x64xf16>, %o: memref<?x64xf32>, %d: !attn_tile.domain<64>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 2,
              roles = producer_consumer_reducer> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
  attn_tile.for_blocks (%j, %partial) of %d : !attn_tile.domain<64> {
    %y = arith.addf %none, %none : tensor<64x64xf32>
    // expected-error@below {{expected a product in the tile of 'add apart', found none}}
    attn_tile.store %y, %o[%j, %c0] add apart : tensor<64x64xf32>, memref<?x64xf32>
  }
}

// -----

attn_gpu.kernel @needed_elsewhere(%a: memref<?x64xf16>, %o: memref<?x64xf32>, %d: !attn_tile.domain<64>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 2,
              roles = producer_consumer_reducer> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
  attn_tile.for_blocks (%j, %partial) of %d : !attn_tile.domain<64> {
    %y = attn_tile.dot %x, %x, %none transpose_lhs : tensor<128x64xf16>, tensor<128x64xf16>, tensor<64x64xf32>
    // expected-error@below {{expected the tile of 'add apart' to have no other use, found 'attn_tile.dot' used elsewhere}}
    attn_tile.store %y, %o[%j, %c0] add apart : tensor<64x64xf32>, memref<?x64xf32>
    // expected-note@below {{it is used here}}
    attn_tile.store %y, %o[%c0, %c0] add : tensor<64x64xf32>, memref<?x64xf32>
  }
}

// -----

attn_gpu.kernel @reduces(%a: memref<?x64xf16>, %o: memref<?x64xf32>, %d: !attn_tile.domain<64>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 2,
              roles = producer_consumer_reducer> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
  attn_tile.for_blocks (%j, %partial) of %d : !attn_tile.domain<64> {
    %y = attn_tile.dot %x, %x, %none transpose_lhs : tensor<128x64xf16>, tensor<128x64xf16>, tensor<64x64xf32>
    %m = attn_tile.reduce add %y along 1 : tensor<64x64xf32> -> tensor<64xf32>
    // expected-error@below {{expected only products and element-wise ops in the tile of 'add apart', found 'attn_tile.reduce'}}
    attn_tile.store %m, %o[%c0, %j] add apart : tensor<64xf32>, memref<?x64xf32>
  }
}

// -----

attn_gpu.kernel @rows_of_a_softmax(%s: tensor<64x80xf32>, %a: tensor<64x64xf32>, %o: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 80, warps = 4, mma = mma_sync, copy = cp_async, warp_rows = 32> threads 128 {
  %state = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125>
  %scores = arith.negf %s : tensor<64x80xf32>
  %acc = arith.negf %a : tensor<64x64xf32>
  // expected-error@below {{expected scores and accumulators whose rows the warps divide alike, found 'tensor<64x80xf32, #attn_gpu.mma<warps = 4>>' and 'tensor<64x64xf32, #attn_gpu.mma<warps = 4, warps_n = 2>>'}}
  %p, %next, %scaled = attn_tile.softmax_update %scores, %state rescale(%acc)
      : (tensor<64x80xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x64xf32>)
      -> (tensor<64x80xf16>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x64xf32>)
  %c0 = arith.constant 0 : index
  attn_tile.store %scaled, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}
