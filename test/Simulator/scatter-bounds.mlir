// A scatter of rows whose op promises that all indices are in bounds, but whose last row is not.

// RUN: %python %inputs/fails.py "expected indices in bounds" attnc run --target simulate --chip sm_80 %s random:1 random:2

// Without the promise, the simulator skips the row.
// RUN: sed 's/ in_bounds//' %s > %t.mlir
// RUN: attnc run --target simulate --chip sm_80 %t.mlir random:1 random:2

!array = memref<64x64xf16>
!tile = tensor<64x64xf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>
func.func @main(%a: !array, %o: memref<63x64xf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : !array
  attn_tile.grid (%i) to (%m) step [64] schedule #schedule {
    %tile = attn_tile.load %a[%i, %c0] : !array -> !tile
    %first = tensor.splat %i : tensor<64xindex>
    %offset = attn_tile.coordinate along 0 : tensor<64xindex>
    %row = arith.addi %first, %offset : tensor<64xindex>
    attn_tile.scatter %tile, %o[%row, %c0] in_bounds : !tile, memref<63x64xf16>, tensor<64xindex>, index
  }
  return
}
