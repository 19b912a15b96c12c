// Tiles of elements that no array has are an error at the op.

// RUN: %python %inputs/fails.py "'attn_tile.load' op expected tiles of rank 1 or 2, of f16, bf16, f32 or integers, found tensor<16x16xf64, #attn_gpu.shared<padding = 16>>" \
// RUN:   attnc run --target simulate --lowered %s random:1
// RUN: sed 's/f64/f8E4M3FN/' %s > %t.mlir
// RUN: %python %inputs/fails.py "'attn_tile.load' op expected tiles of rank 1 or 2" attnc run --target simulate --lowered %t.mlir random:1
// RUN: sed 's/shared<padding = 16>/mma<warps = 1>/' %s > %t.mlir
// RUN: %python %inputs/fails.py "'attn_tile.load' op expected tiles of rank 1 or 2" attnc run --target simulate --lowered %t.mlir random:1

// So is a read of memory of the function that nobody has written.
// RUN: sed 's/f64/f32/' %s > %t.mlir
// RUN: %python %inputs/fails.py "'attn_tile.load' op warp 0 of CTA 0 reads memory of the function at [0, 0] of a view of sizes [16, 16], which nobody has written" attnc run --target simulate --lowered %t.mlir random:1

!element = f64
!tile = tensor<16x16x!element, #attn_gpu.shared<padding = 16>>
module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  func.func @main(%a: memref<16x16xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %b = memref.alloc() : memref<16x16x!element>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
      %tile = attn_tile.load %b[%c0, %c0] : memref<16x16x!element> -> !tile
      gpu.terminator
    }
    return
  }
}
