// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-expand-blocks -canonicalize -cse | FileCheck %s

// Without roles blocks come in ascending order, and for all of the rows. A block
// is partial if it reaches beyond the columns that each row needs.
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<()[s0] -> ((s0 floordiv 64) * 64)>
// CHECK-DAG: #[[$LAST_FULL:.+]] = affine_map<()[s0] -> (s0 - 64)>
// CHECK-LABEL: attn_gpu.kernel @ascending(
// CHECK-SAME: %[[Q:[^:]+]]: memref<?x64xf16>, %[[N:[^:]+]]: index, %[[R:[^:]+]]: index, %[[END:[^:]+]]: index)
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NOT: attn_gpu.skip
// CHECK-DAG: %[[LO:.+]] = arith.subi %[[R]], %[[N]]
// CHECK-DAG: %[[HI:.+]] = arith.minsi %[[END]], %[[N]]
// CHECK-DAG: %[[FULL_LO:.+]] = arith.subi %[[END]], %[[N]]
// CHECK-DAG: %[[FULL_HI:.+]] = arith.minsi %[[R]], %[[N]]
// CHECK-DAG: %[[FIRST:.+]] = affine.apply #[[$FIRST]]()[%[[LO]]]
// CHECK-DAG: %[[LAST_FULL:.+]] = affine.apply #[[$LAST_FULL]]()[%[[FULL_HI]]]
// CHECK: scf.for %[[J:.+]] = %[[FIRST]] to %[[HI]] step %[[C64]] {
// CHECK-DAG: %[[AFTER:.+]] = arith.cmpi sgt, %[[J]], %[[LAST_FULL]]
// CHECK-DAG: %[[BEFORE:.+]] = arith.cmpi slt, %[[J]], %[[FULL_LO]]
// CHECK-DAG: %[[IS_PARTIAL:.+]] = arith.ori %[[AFTER]], %[[BEFORE]]
// CHECK-DAG: %[[PARTIAL:.+]] = attn_tile.rare %[[IS_PARTIAL]]
// CHECK-DAG: %[[K:.+]] = attn_tile.load %[[Q]][%[[J]], %[[C0]]]
// CHECK: "test.step"(%[[J]], %[[PARTIAL]], %[[K]])
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @ascending(%q: memref<?x64xf16>, %n: index, %r: index, %end: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async> threads 256 {
  %c0 = arith.constant 0 : index
  %domain = attn_tile.domain rows %r to %end {
  ^bb0(%first: index, %last: index):
    %lo = arith.subi %first, %n : index
    %hi = arith.minsi %last, %n : index
    %full_lo = arith.subi %last, %n : index
    %full_hi = arith.minsi %first, %n : index
    attn_tile.domain_yield %lo to %hi full %full_lo to %full_hi
  } : !attn_tile.domain<64>
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    %k = attn_tile.load %q[%j, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %dot = attn_tile.dot %k, %k, %zero transpose_rhs : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16>) -> ()
  }
}

// -----

// A loop does not skip blocks if only some of its blocks have a tile, since the number of these
// tiles is not known. Here a tile of keys is loaded only for partial blocks, so all warpgroups must
// agree on whether a block is partial.
// CHECK-LABEL: attn_gpu.kernel @condition(
// CHECK: ^bb0(%[[W:.+]]: index):
// CHECK-NOT: {{arith.muli|attn_gpu.skip}}
// CHECK: scf.for %{{.+}} = %c0 to %{{.+}} step %c64
// CHECK: %[[IS_PARTIAL:.+]] = arith.cmpi slt
// CHECK-NEXT: %[[PARTIAL:.+]] = attn_tile.rare %[[IS_PARTIAL]]
// CHECK: scf.if %[[PARTIAL]]
// CHECK-NEXT: attn_gpu.acquire
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @condition(%n: index, %r: index, %stop: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %end = affine.min affine_map<(r)[n] -> (r + 128, n)>(%r)[%stop]
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain rows %r to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %n : index
      %full = arith.minsi %first, %n : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %old = "test.tile"() : () -> tensor<64x64xf16, #attn_gpu.swizzled>
      %k = scf.if %partial -> (tensor<64x64xf16, #attn_gpu.swizzled>) {
        %t, %nt = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
        scf.yield %t : tensor<64x64xf16, #attn_gpu.swizzled>
      } else {
        scf.yield %old : tensor<64x64xf16, #attn_gpu.swizzled>
      }
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

// -----

// Each role visits all blocks of a list.
// CHECK-LABEL: attn_gpu.kernel @list(
// CHECK-SAME: %[[B:[^:]+]]: memref<?xi32>, %[[P:[^:]+]]: memref<?xi32>, %[[N:[^:]+]]: index)
// CHECK-NOT: attn_gpu.skip
// CHECK: scf.for %[[ENTRY:.+]] = %c0 to %[[N]] step %c1 {
// CHECK-DAG: %[[NUMBER:.+]] = memref.load %[[B]][%[[ENTRY]]]
// CHECK-DAG: %[[NUMBERX:.+]] = arith.index_cast %[[NUMBER]]
// CHECK-DAG: %[[J:.+]] = arith.muli %[[NUMBERX]], %c64
// CHECK-DAG: %[[KIND:.+]] = memref.load %[[P]][%[[ENTRY]]]
// CHECK-DAG: %[[IS_PARTIAL:.+]] = arith.cmpi ne, %[[KIND]], %c0_i32
// CHECK-DAG: %[[PARTIAL:.+]] = attn_tile.rare %[[IS_PARTIAL]]
// CHECK: "test.step"(%[[J]], %[[PARTIAL]],
// CHECK: }, {
// CHECK: scf.for %[[ENTRY:.+]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT: %[[NUMBER:.+]] = memref.load %[[B]][%[[ENTRY]]]
// CHECK-NEXT: %[[NUMBERX:.+]] = arith.index_cast %[[NUMBER]]
// CHECK-NEXT: %[[J:.+]] = arith.muli %[[NUMBERX]], %c64
// CHECK: "test.copy"(%[[J]])
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @list(%blocks: memref<?xi32>, %kinds: memref<?xi32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %keys = attn_gpu.ring at 0 barriers 65536 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %domain = attn_tile.domain_list %blocks, %kinds count %n
        : memref<?xi32>, memref<?xi32> -> !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %k, %nk = attn_gpu.acquire %keys : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
      "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16, #attn_gpu.swizzled>) -> ()
    }
  }, {
  ^bb0(%w: index):
    %domain = attn_tile.domain_list %blocks, %kinds count %n
        : memref<?xi32>, memref<?xi32> -> !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      "test.copy"(%j) : (index) -> ()
    }
  }
}

// -----

// The pass does not change a loop outside of a launch.
// CHECK-LABEL: func.func @host(
// CHECK: attn_tile.domain
// CHECK: attn_tile.for_blocks
func.func @host(%r: index, %end: index) {
  %domain = attn_tile.domain rows %r to %end {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %first to %last full %first to %last
  } : !attn_tile.domain<64>
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    "test.step"(%j, %partial) : (index, i1) -> ()
  }
  return
}
