// RUN: attn-opt %s -split-input-file --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=MMA8
// RUN: sed 's/mma = wgmma, copy = tma/mma = mma_sync, copy = cp_async/' %s > %t.sync.mlir
// RUN: sed 's/sm_90a/sm_89/' %t.sync.mlir | attn-opt -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=SYNC8
// RUN: sed 's/sm_90a/sm_80/' %t.sync.mlir | attn-opt -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=WIDE

// A panel has 128 elements of 8 bits: whole ones are a part of a tile, and a slot has as
// many bytes as a tile of half as many columns of 16 bits.
// CHECK-LABEL: func.func @tiles(
// CHECK: attn_gpu.ring at 0 barriers 16384 : <1, tensor<64x256xf8E4M3FN, #attn_gpu.swizzled>>
// CHECK: attn_gpu.columns %{{.+}} from 128 : tensor<64x256xf8E4M3FN, #attn_gpu.swizzled> -> tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>
func.func @tiles(%t: tensor<64x256xf8E4M3FN, #attn_gpu.swizzled>,
                 %a: tensor<64x64xf8E5M2, #attn_gpu.mma<warps = 4, columns = 4>>) {
  %ring = attn_gpu.ring at 0 barriers 16384 : <1, tensor<64x256xf8E4M3FN, #attn_gpu.swizzled>>
  %0 = attn_gpu.columns %t from 128
      : tensor<64x256xf8E4M3FN, #attn_gpu.swizzled> -> tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>
  return
}

// -----

!eight = memref<?x128xf8E4M3FN>
!tile = tensor<64x128xf8E4M3FN>
!sum = tensor<64x64xf32>
!rounded = tensor<64x64xf8E4M3FN>

// Both operands are multiplied as they are loaded. A lane of a left operand in registers needs four
// neighbouring columns; a computed tile has two in a lane, so it passes through shared memory.
// Without MMAs of 8 bits, both operands are extended between shared memory and the MMA.
// MMA8-LABEL: attn_gpu.kernel @operands(
// MMA8-NOT: arith.extf
// MMA8-DAG: %[[A:.+]] = attn_tile.load %arg0{{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>
// MMA8-DAG: %[[B:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>
// MMA8: %[[S:.+]] = attn_tile.dot %[[A]], %[[B]], %{{.+}} transpose_rhs
// MMA8: %[[P:.+]] = arith.truncf %[[S]] : tensor<64x64xf32, #attn_gpu.mma<warps = 4>> to tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4>>
// MMA8: %[[SHARED:.+]] = attn_gpu.convert_layout %[[P]] : {{.*}} -> tensor<64x64xf8E4M3FN, #attn_gpu.swizzled>
// MMA8: attn_tile.dot %[[SHARED]], %[[SHARED]], %{{.+}} transpose_rhs
// SYNC8-LABEL: attn_gpu.kernel @operands(
// SYNC8-NOT: arith.extf
// SYNC8: %[[A:.+]] = attn_tile.load %arg0{{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.shared<padding = 16>>
// SYNC8: %[[LEFT:.+]] = attn_gpu.convert_layout %[[A]] : {{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.mma<warps = 4, columns = 4>>
// SYNC8: attn_tile.dot %[[LEFT]], %{{.+}} transpose_rhs
// SYNC8: %[[P:.+]] = arith.truncf
// SYNC8: %[[SHARED:.+]] = attn_gpu.convert_layout %[[P]] : {{.*}} -> tensor<64x64xf8E4M3FN, #attn_gpu.shared<padding = 16>>
// SYNC8: attn_tile.dot %[[SHARED]], %[[SHARED]]
// WIDE-LABEL: attn_gpu.kernel @operands(
// WIDE-DAG: %[[A:.+]] = attn_tile.load %arg0{{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.shared<padding = 16>>
// WIDE-DAG: %[[OWN:.+]] = attn_gpu.convert_layout %[[A]] : {{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.mma<warps = 4>>
// WIDE-DAG: %[[LEFT:.+]] = arith.extf %[[OWN]] : {{.*}} to tensor<64x128xf16, #attn_gpu.mma<warps = 4>>
// WIDE-DAG: %[[B:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64x128xf8E4M3FN, #attn_gpu.shared<padding = 16>>
// WIDE-DAG: %[[RIGHT:.+]] = attn_gpu.convert_layout %{{.+}} : tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>> -> tensor<64x128xf16, #attn_gpu.shared<padding = 16>>
// WIDE: attn_tile.dot %[[LEFT]], %[[RIGHT]], %{{.+}} transpose_rhs
attn_gpu.kernel @operands(%a: !eight, %b: !eight, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !sum
  %x = attn_tile.load %a[%c0, %c0] : !eight -> !tile
  %y = attn_tile.load %b[%c0, %c0] : !eight -> !tile
  %s = attn_tile.dot %x, %y, %none transpose_rhs : !tile, !tile, !sum
  %p = arith.truncf %s : !sum to !rounded
  %r = attn_tile.dot %p, %p, %s transpose_rhs : !rounded, !rounded, !sum
  attn_tile.store %r, %o[%c0, %c0] : !sum, memref<?x64xf32>
}

// -----

// If both operands are loaded, mma.sync reads 8 bits only from operands that are stored along K;
// others are extended.
// SYNC8-LABEL: attn_gpu.kernel @columns(
// SYNC8: arith.extf %{{.+}} : tensor<128x64xf8E5M2, #attn_gpu.mma<warps = 4, columns = 8, lanes = 8>> to tensor<128x64xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 8>>
// SYNC8: attn_tile.dot %{{.+}}, %{{.+}}, %{{.+}} : tensor<64x128xf16, {{.*}}, tensor<128x64xf16, #attn_gpu.shared<padding = 16>>
attn_gpu.kernel @columns(%a: memref<?x128xf8E5M2>, %b: memref<?x64xf8E5M2>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x128xf8E5M2> -> tensor<64x128xf8E5M2>
  %y = attn_tile.load %b[%c0, %c0] : memref<?x64xf8E5M2> -> tensor<128x64xf8E5M2>
  %s = attn_tile.dot %x, %y, %none : tensor<64x128xf8E5M2>, tensor<128x64xf8E5M2>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

// Beside a left operand that is computed, its lanes transpose pairs of bytes, and have four
// neighbouring columns of the result.
// SYNC8-LABEL: attn_gpu.kernel @runs(
// SYNC8: %[[V:.+]] = attn_tile.load %{{.+}} -> tensor<64x64xf8E4M3FN, #attn_gpu.shared<padding = 16>>
// SYNC8: %[[P:.+]] = arith.truncf {{.*}} to tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4>>
// SYNC8: attn_tile.dot %[[P]], %[[V]], %{{.+}} : {{.*}}, tensor<64x64xf32, #attn_gpu.mma<warps = 4, columns = 4>>
// WIDE-LABEL: attn_gpu.kernel @runs(
// WIDE: attn_tile.dot {{.*}} : tensor<64x64xf16, {{.*}}, tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @runs(%s: tensor<64x64xf32>, %b: memref<?x64xf8E4M3FN>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %v = attn_tile.load %b[%c0, %c0] : memref<?x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf8E4M3FN>
  %r = attn_tile.dot %p, %v, %none : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
  attn_tile.store %r, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}
