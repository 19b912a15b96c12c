// Integers move through shared memory and between layouts as floats do. Where a number comes back
// changed, an index is out of bounds.

// RUN: %python %inputs/npy.py make %t.npy '<i4' 64x64 1000 -3 0 5 127
// RUN: %python %inputs/npy.py make %t.row.npy '<i4' 64 16777217 -3 0 5 127
// RUN: %python %inputs/npy.py make %t.o.npy '<i4' 1x1 0 && %python %inputs/npy.py make %t.p.npy '<i4' 1 0
// RUN: attnc run --target simulate --lowered %s %t.npy %t.row.npy %t.o.npy %t.p.npy

!tile = tensor<64x64xi32, #attn_gpu.mma<warps = 4>>
!shared = tensor<64x64xi32, #attn_gpu.shared<padding = 16>>
!row = tensor<64xi32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!other = tensor<64xi32, #attn_gpu.slice<axis = 1, parent = <warps = 4, columns = 4>>>
module {
  attn_gpu.kernel @kernel(%a: memref<64x64xi32>, %r: memref<64xi32>, %o: memref<1x1xi32>, %p: memref<1xi32>)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 shared 32768 {
    attn_gpu.begin
    %c0 = arith.constant 0 : index
    %tile = attn_tile.load %a[%c0, %c0] : memref<64x64xi32> -> !tile
    %shared = attn_gpu.local_store %tile at 0 : !tile -> !shared
    %back = attn_gpu.convert_layout %shared : !shared -> !tile
    %change = arith.subi %back, %tile : !tile
    %i = arith.index_cast %change : !tile to tensor<64x64xindex, #attn_gpu.mma<warps = 4>>
    attn_tile.scatter %change, %o[%i, %i] in_bounds : !tile, memref<1x1xi32>, tensor<64x64xindex, #attn_gpu.mma<warps = 4>>, tensor<64x64xindex, #attn_gpu.mma<warps = 4>>

    %row = attn_tile.load %r[%c0] : memref<64xi32> -> !row
    %moved = attn_gpu.convert_layout %row : !row -> !other
    %same = attn_gpu.convert_layout %moved : !other -> !row
    %difference = arith.subi %same, %row : !row
    %j = arith.index_cast %difference : !row to tensor<64xindex, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
    attn_tile.scatter %difference, %p[%j] in_bounds : !row, memref<1xi32>, tensor<64xindex, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
  }
  func.func @main(%a: memref<64x64xi32>, %r: memref<64xi32>, %o: memref<1x1xi32>, %p: memref<1xi32>) {
    %n = arith.constant 1 : index
    attn_gpu.launch @kernel blocks %n args(%a, %r, %o, %p) : memref<64x64xi32>, memref<64xi32>, memref<1x1xi32>, memref<1xi32>
    return
  }
}
