// Tiles of elements that no array has are an error at the op.

// RUN: %python %inputs/fails.py "'attn_tile.load' op expected tiles of rank 1 or 2, of f16, bf16, f32, f8E4M3FN, f8E5M2 or integers, found tensor<16x16xf64, #attn_gpu.shared<padding = 16>>" \
// RUN:   attnc run --target simulate --lowered %s random:1
// RUN: sed 's/f64/f8E4M3FNUZ/' %s > %t.mlir
// RUN: %python %inputs/fails.py "'attn_tile.load' op expected tiles of rank 1 or 2" attnc run --target simulate --lowered %t.mlir random:1
// RUN: sed 's/shared<padding = 16>/mma<warps = 1>/' %s > %t.mlir
// RUN: %python %inputs/fails.py "'attn_tile.load' op expected tiles of rank 1 or 2" attnc run --target simulate --lowered %t.mlir random:1

// A read of the function's own memory that was not written is also an error.
// RUN: sed 's/f64/f32/' %s > %t.mlir
// RUN: %python %inputs/fails.py "'attn_tile.load' op warp 0 of CTA 0 reads memory of the function at [0, 0] of a view of sizes [16, 16], which nobody has written" attnc run --target simulate --lowered %t.mlir random:1

!element = f64
!tile = tensor<16x16x!element, #attn_gpu.shared<padding = 16>>
module {
  attn_gpu.kernel @kernel(%a: memref<16x16xf16>, %b: memref<16x16x!element>)
      target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 1, mma = mma_sync, copy = element> threads 32 {
    %c0 = arith.constant 0 : index
    %tile = attn_tile.load %b[%c0, %c0] : memref<16x16x!element> -> !tile
  }
  func.func @main(%a: memref<16x16xf16>) {
    %c1 = arith.constant 1 : index
    %b = memref.alloc() : memref<16x16x!element>
    attn_gpu.launch @kernel blocks %c1 args(%a, %b)
        : memref<16x16xf16>, memref<16x16x!element>
    return
  }
}
