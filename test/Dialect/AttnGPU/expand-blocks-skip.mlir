// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-expand-blocks -canonicalize -cse | FileCheck %s

// Under a diagonal a warpgroup's 64 rows may end before the last one's. All roles go over the same
// blocks, the last one first: a loop's counter increases, and positions decrease from the last
// block before the end of all rows' columns. A warpgroup's rows begin at 64 times the role's
// argument. It skips blocks past its own end, in all rings of the loop, and its steps begin after
// them. No warpgroup skips the first block. The producer's loop is that of all rows. Whether a
// block is partial depends on a comparison of the counter with a bound that does not change in the
// loop.
// CHECK-DAG: #[[$PART_FIRST:.+]] = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-DAG: #[[$PART_LAST:.+]] = affine_map<(d0)[s0, s1] -> (s1, s0 + 128, d0 + s0 + 64)>
// CHECK-DAG: #[[$FIRST_BLOCK:.+]] = affine_map<()[s0] -> (1, s0)>
// CHECK-DAG: #[[$COUNT:.+]] = affine_map<(d0)[s0] -> (-((d0 - 1) floordiv 64) + (s0 - 1) floordiv 64)>
// CHECK-DAG: #[[$SKIPPED:.+]] = affine_map<(d0)[s0] -> (((d0 - 1) floordiv 64) * -64 + ((s0 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$POSITION:.+]] = affine_map<(d0)[s0] -> (-d0 + ((s0 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$FIRST_FULL:.+]] = affine_map<(d0)[s0] -> (-d0 + ((s0 - 1) floordiv 64) * 64 + 64)>
// CHECK-LABEL: attn_gpu.kernel @diagonal(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[R:[^:]+]]: index, %[[STOP:[^:]+]]: index)
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[END:.+]] = affine.min
// CHECK-DAG: %[[KEYS:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[VALUES:.+]] = attn_gpu.ring at 32768
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0(%[[W:.+]]: index):
// CHECK-NOT: attn_tile.{{domain|for_blocks}}
// CHECK-DAG: %[[HI:.+]] = arith.minsi %[[END]], %[[N]]
// CHECK-DAG: %[[PART:.+]] = arith.muli %[[W]], %[[C64]]
// CHECK-DAG: %[[PART_FIRST:.+]] = affine.apply #[[$PART_FIRST]](%[[PART]])[%[[R]]]
// CHECK-DAG: %[[PART_LAST:.+]] = affine.min #[[$PART_LAST]](%[[PART]])[%[[R]], %[[STOP]]]
// CHECK-DAG: %[[PART_HI:.+]] = arith.minsi %[[PART_LAST]], %[[N]]
// CHECK-DAG: %[[PART_FULL:.+]] = arith.minsi %[[PART_FIRST]], %[[N]]
// CHECK-DAG: %[[FIRST_BLOCK:.+]] = affine.min #[[$FIRST_BLOCK]]()[%[[HI]]]
// CHECK-DAG: %[[OWN_END:.+]] = affine.max #{{.+}}(%[[PART_HI]])[%[[FIRST_BLOCK]]]
// CHECK-DAG: %[[COUNT:.+]] = affine.apply #[[$COUNT]](%[[OWN_END]])[%[[HI]]]
// CHECK: attn_gpu.skip %[[COUNT]] of %[[KEYS]], %[[VALUES]] : !attn_gpu.ring
// CHECK-DAG: %[[OWN:.+]] = affine.apply #[[$SKIPPED]](%[[OWN_END]])[%[[HI]]]
// CHECK-DAG: %[[FIRST_FULL:.+]] = affine.apply #[[$FIRST_FULL]](%[[PART_FULL]])[%[[HI]]]
// CHECK: scf.for %[[COUNTER:.+]] = %[[OWN]] to %[[HI]] step %[[C64]] {
// CHECK-NEXT: %[[J:.+]] = affine.apply #[[$POSITION]](%[[COUNTER]])[%[[HI]]]
// CHECK-NEXT: %[[IS_PARTIAL:.+]] = arith.cmpi slt, %[[COUNTER]], %[[FIRST_FULL]]
// CHECK-NEXT: %[[PARTIAL:.+]] = attn_tile.rare %[[IS_PARTIAL]]
// CHECK-NEXT: %[[K:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]]
// CHECK-NEXT: %[[V:.+]], %{{.+}} = attn_gpu.acquire %[[VALUES]]
// CHECK-NEXT: "test.step"(%[[J]], %[[PARTIAL]], %[[K]], %[[V]])
// CHECK: }, {
// CHECK-NOT: attn_gpu.skip
// CHECK: %[[HI:.+]] = arith.minsi %[[END]], %[[N]]
// CHECK: scf.for %[[COUNTER:.+]] = %[[C0]] to %[[HI]] step %[[C64]] {
// CHECK-NEXT: %[[J:.+]] = affine.apply #[[$POSITION]](%[[COUNTER]])[%[[HI]]]
// CHECK-NEXT: "test.copy"(%[[J]])
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @diagonal(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %end = affine.min affine_map<(r)[n] -> (r + 128, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  %values = attn_gpu.ring at 32768 barriers 65568 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      %v, %nv = attn_gpu.acquire %values : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k, %v) : (index, i1, tensor<64x64xf16, #attn_gpu.swizzled>, tensor<64x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}

// -----

// Columns that do not depend on the rows are the same for each warpgroup.
// CHECK-DAG: #[[$POSITION:.+]] = affine_map<(d0)[s0] -> (-d0 + ((s0 - 1) floordiv 64) * 64)>
// CHECK-LABEL: attn_gpu.kernel @whole(
// CHECK-SAME: %[[N:[^:]+]]: index,
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0(%[[W:.+]]: index):
// CHECK-NOT: {{attn_gpu.skip|arith.muli}}
// CHECK: scf.for %[[COUNT:.+]] = %c0 to %[[N]] step %c64 {
// CHECK: %[[J:.+]] = affine.apply #[[$POSITION]](%[[COUNT]])[%[[N]]]
// CHECK: "test.step"(%[[J]],
// CHECK: }, {
// CHECK: scf.for %[[COUNT:.+]] = %c0 to %[[N]] step %c64 {
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @whole(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %end = affine.min affine_map<(r)[n] -> (r + 128, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %n full %c0 to %n
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %n full %c0 to %n
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}

// -----

// Columns that rows do not need at the left end no row's columns early. The first
// blocks are the last steps.
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<()[s0] -> ((s0 floordiv 64) * 64)>
// CHECK-LABEL: attn_gpu.kernel @left(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[R:[^:]+]]: index, %[[STOP:[^:]+]]: index)
// CHECK: ^bb0(%[[W:.+]]: index):
// CHECK-DAG: %[[LO:.+]] = arith.subi %[[R]], %[[N]]
// CHECK-DAG: %[[PART:.+]] = arith.muli %[[W]], %c64
// CHECK-DAG: %[[PART_LAST:.+]] = affine.min #{{.+}}(%[[PART]])[%[[R]], %[[STOP]]]
// CHECK-DAG: %[[FULL:.+]] = arith.subi %[[PART_LAST]], %[[N]]
// CHECK-DAG: %[[FIRST:.+]] = affine.apply #[[$FIRST]]()[%[[LO]]]
// CHECK-NOT: attn_gpu.skip
// CHECK: scf.for %[[COUNT:.+]] = %[[FIRST]] to %[[N]] step %c64 {
// CHECK: %[[J:.+]] = affine.apply #{{.+}}(%[[COUNT]])[
// CHECK: arith.cmpi {{slt|sgt}}, %[[COUNT]], %{{.+}}
// CHECK: "test.step"(%[[J]],
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @left(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %end = affine.min affine_map<(r)[n] -> (r + 128, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %lo = arith.subi %first, %n : index
      %full_lo = arith.subi %last, %n : index
      attn_tile.domain_yield %lo to %n full %full_lo to %n
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %lo = arith.subi %first, %n : index
      %full_lo = arith.subi %last, %n : index
      attn_tile.domain_yield %lo to %n full %full_lo to %n
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}

// -----

// Both sides: counters begin at the first block of all rows.
// CHECK-LABEL: attn_gpu.kernel @window(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[R:[^:]+]]: index, %[[STOP:[^:]+]]: index)
// CHECK: %[[END:.+]] = affine.min
// CHECK: %[[KEYS:.+]] = attn_gpu.ring
// CHECK: attn_gpu.roles
// CHECK-DAG: %[[LO:.+]] = arith.subi %[[R]], %[[N]]
// CHECK-DAG: %[[HI:.+]] = arith.minsi %[[END]], %[[N]]
// CHECK: %[[OWN_END:.+]] = affine.max
// CHECK: %[[COUNT:.+]] = affine.apply #{{.+}}(%[[OWN_END]])[%[[LO]], %[[HI]]]
// CHECK: attn_gpu.skip %[[COUNT]] of %[[KEYS]] : !attn_gpu.ring
// CHECK: %[[OWN:.+]] = affine.apply #{{.+}}(%[[OWN_END]])[%[[LO]], %[[HI]]]
// CHECK: scf.for %{{.+}} = %[[OWN]] to %[[HI]] step
// CHECK: arith.ori
// CHECK: }, {
// CHECK-DAG: %[[LO:.+]] = arith.subi %[[R]], %[[N]]
// CHECK-DAG: %[[HI:.+]] = arith.minsi %[[END]], %[[N]]
// CHECK-DAG: %[[FIRST:.+]] = affine.apply #{{.+}}()[%[[LO]]]
// CHECK: scf.for %{{.+}} = %[[FIRST]] to %[[HI]] step
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @window(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %end = affine.min affine_map<(r)[n] -> (r + 128, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %lo = arith.subi %first, %n : index
      %hi = arith.minsi %last, %n : index
      %full_lo = arith.subi %last, %n : index
      %full_hi = arith.minsi %first, %n : index
      attn_tile.domain_yield %lo to %hi full %full_lo to %full_hi
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %lo = arith.subi %first, %n : index
      %hi = arith.minsi %last, %n : index
      %full_lo = arith.subi %last, %n : index
      %full_hi = arith.minsi %first, %n : index
      attn_tile.domain_yield %lo to %hi full %full_lo to %full_hi
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}

// -----

// A warpgroup skips blocks if the other warpgroups have as many rows as a block has columns, 128:
// this holds for 192 rows, but not for 128. Each warpgroup computes `partial` for its own rows.
// CHECK-LABEL: attn_gpu.kernel @wide_blocks(
// CHECK: ^bb0(%[[W:.+]]: index):
// CHECK: arith.muli %[[W]], %c64
// CHECK-NOT: attn_gpu.skip
// CHECK: scf.for %{{.+}} = %c0 to %{{.+}} step %c128
// CHECK-NOT: attn_gpu.skip
// CHECK-LABEL: attn_gpu.kernel @three_parts(
// CHECK: attn_gpu.roles warpgroups [3, 1]
// CHECK-NEXT: ^bb0(%[[W:.+]]: index):
// CHECK: arith.muli %[[W]], %c64
// CHECK: attn_gpu.skip %{{.+}} of %{{.+}} : !attn_gpu.ring<2, tensor<128x64xf16
attn_gpu.kernel @wide_blocks(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 128, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %end = affine.min affine_map<(r)[n] -> (r + 128, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<128>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<128> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>> -> tensor<128x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<128x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<128>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<128> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}
attn_gpu.kernel @three_parts(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 192, tile_kv = 128, warps = 12, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 512 {
  %c0 = arith.constant 0 : index
  %end = affine.min affine_map<(r)[n] -> (r + 192, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [3, 1] registers [160, 32] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<128>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<128> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>> -> tensor<128x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<128x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<128>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<128> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}

// -----

// One warpgroup has all rows: it skips no blocks and does not compute `partial` again.
// CHECK-LABEL: attn_gpu.kernel @one_part(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[R:[^:]+]]: index, %[[STOP:[^:]+]]: index)
// CHECK: %[[END:.+]] = affine.min
// CHECK: ^bb0(%[[W:.+]]: index):
// CHECK-NOT: arith.muli
// CHECK-NOT: attn_gpu.skip
// CHECK: scf.for %[[COUNT:.+]] = %c0 to %{{.+}} step %c64
// CHECK: affine.apply #{{.+}}(%[[COUNT]])[
// CHECK: "test.step"
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @one_part(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %end = affine.min affine_map<(r)[n] -> (r + 64, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [1, 1] registers [240, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}
