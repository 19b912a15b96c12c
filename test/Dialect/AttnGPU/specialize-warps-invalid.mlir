// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-specialize-warps \
// RUN:   -verify-diagnostics

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!row = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!bits = tensor<64xi1, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// A position that a vote on scores decides.
attn_gpu.kernel @of_a_tile(%k: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  %x = attn_tile.load %k[%c0, %c0, %c0] : !array -> !tile
  %d = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  %row = attn_tile.reduce add %d along 1 : !scores -> !row
  // expected-note@below {{the tile}}
  %bits = arith.cmpf ogt, %row, %row : !row
  // expected-error@below {{'attn_gpu.vote_any' op expected no tile among what copies depend on, found one: another role has it}}
  %any = attn_gpu.vote_any %bits : !bits
  %at = arith.index_cast %any : i1 to index
  %y = attn_tile.load %k[%c0, %at, %c0] : !array -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!row = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!bits = tensor<64xi1, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @under_a_vote(%k: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  %x = attn_tile.load %k[%c0, %c0, %c0] : !array -> !tile
  %d = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  %row = attn_tile.reduce add %d along 1 : !scores -> !row
  // expected-note@below {{the tile}}
  %votes = arith.cmpf ogt, %row, %row : !row
  // expected-error@below {{'attn_gpu.vote_any' op expected no tile among what copies depend on, found one: another role has it}}
  %any = attn_gpu.vote_any %votes : !bits
  scf.if %any {
    %y = attn_tile.load %k[%c0, %c0, %c0] : !array -> !tile
    %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
    "test.use"(%s) : (!scores) -> ()
  }
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @carried_from_a_tile(%k: !array, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%at = %c0) -> (index) {
    %y = attn_tile.load %k[%c0, %at, %c0] : !array -> !tile
    // expected-note@below {{the tile}}
    %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
    // expected-error@below {{'tensor.extract' op expected no tile among what copies depend on, found one: another role has it}}
    %e = tensor.extract %s[%c0, %c0] : !scores
    %word = arith.fptosi %e : f32 to i32
    %next = arith.index_cast %word : i32 to index
    scf.yield %next : index
  }
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @effects(%k: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  // expected-error@below {{'test.next' op expected an op without effects among what copies depend on, which more than one role runs, found this}}
  %at = "test.next"() : () -> index
  // expected-note@below {{it is read here}}
  %y = attn_tile.load %k[%c0, %at, %c0] : !array -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!row = tensor<64xf32>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// Through any view of the array.
attn_gpu.kernel @written(%k: !array, %m: memref<?xf32>, %t: !row)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  // expected-error@below {{'memref.load' op expected an op without effects among what copies depend on, which more than one role runs, found this}}
  %e = memref.load %m[%c0] : memref<?xf32>
  // expected-note@below {{it is read here}}
  %word = arith.fptosi %e : f32 to i32
  %at = arith.index_cast %word : i32 to index
  %y = attn_tile.load %k[%c0, %at, %c0] : !array -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
  %view = memref.subview %m[64] [64] [1] : memref<?xf32> to memref<64xf32, strided<[1], offset: 64>>
  attn_tile.store %t, %view[%c0] : !row, memref<64xf32, strided<[1], offset: 64>>
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @written_word(%k: !array, %m: memref<?xindex>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  // expected-error@below {{'memref.load' op expected an op without effects among what copies depend on, which more than one role runs, found this}}
  %at = memref.load %m[%c0] : memref<?xindex>
  // expected-note@below {{it is read here}}
  %y = attn_tile.load %k[%c0, %at, %c0] : !array -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
  memref.store %c64, %m[%c1] : memref<?xindex>
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @written_list(%k: !array, %m: memref<?xi32>, %n: index, %word: i32)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  // expected-error@below {{'attn_tile.domain_list' op expected an op without effects among what copies depend on, which more than one role runs, found this}}
  %domain = attn_tile.domain_list %m, %m count %n : memref<?xi32>, memref<?xi32> -> !attn_tile.domain<64>
  // expected-note@below {{it is read here}}
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    %y = attn_tile.load %k[%c0, %j, %c0] : !array -> !tile
    %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
    "test.use"(%s) : (!scores) -> ()
  }
  memref.store %word, %m[%c1] : memref<?xi32>
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @inside(%n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  %k = "test.array"() : () -> !array
  // expected-error@below {{'attn_tile.load' op expected a slice with unit strides of an array from outside of the kernel}}
  %y = attn_tile.load %k[%c0, %c0, %c0] : !array -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @strides(%k: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  %view = memref.subview %k[0, 0, 0] [4, 512, 64] [1, 2, 1] : !array to memref<4x512x64xf16, strided<[65536, 128, 1]>>
  // expected-error@below {{'attn_tile.load' op expected a slice with unit strides of an array from outside of the kernel}}
  %y = attn_tile.load %view[%c0, %c0, %c0] : memref<4x512x64xf16, strided<[65536, 128, 1]>> -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @fewer_dimensions(%k: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  %view = memref.subview %k[0, 0, 0] [1, 1024, 64] [1, 1, 1] : !array to memref<1024x64xf16>
  // expected-error@below {{'attn_tile.load' op expected a slice with unit strides of an array from outside of the kernel}}
  %y = attn_tile.load %view[%c0, %c0] : memref<1024x64xf16> -> !tile
  %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @control_flow(%k: !array, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  // expected-error@below {{'scf.while' op expected scf.for, scf.if, attn_tile.for_blocks or attn_gpu.for_tiles around what a role needs, found this}}
  scf.while : () -> () {
    scf.condition(%p)
  } do {
    %y = attn_tile.load %k[%c0, %c0, %c0] : !array -> !tile
    %s = attn_tile.dot %y, %y, %zero transpose_rhs : !tile, !tile, !scores
    "test.use"(%s) : (!scores) -> ()
    scf.yield
  }
}
