// RUN: attn-opt %s -convert-attn-gpu-to-nvvm | FileCheck %s

!lhs = tensor<16x32xf16, #attn_gpu.shared<padding = 16>>
!rhs = tensor<32x24xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<16x24xf32, #attn_gpu.mma<warps = 1>>

// 24 columns of a warp: two MMAs of 8 columns read their right operand at once, the third has two
// matrices for itself, in each of two steps of 16 products.
// CHECK-LABEL: attn_gpu.kernel @columns(
// CHECK: nvvm.ldmatrix %{{.+}} {eltType = {{.*}}, layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.ldmatrix %{{.+}} {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: nvvm.ldmatrix %{{.+}} {{.*}}layout = #nvvm.mma_layout<col>, num = 2 : i32
// CHECK-NEXT: llvm.extractvalue %{{.+}}[0]
// CHECK-NEXT: llvm.extractvalue %{{.+}}[1]
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK: nvvm.ldmatrix %{{.+}} {{.*}}num = 2 : i32
// CHECK: nvvm.mma.sync
// CHECK-NOT: nvvm.ldmatrix
// CHECK-NOT: nvvm.mma.sync
attn_gpu.kernel @columns(%a: memref<16x40xf16, #gpu.address_space<workgroup>>, %b: memref<32x32xf16, #gpu.address_space<workgroup>>,
                   %o: memref<?x24xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 16, tile_kv = 16, warps = 1, mma = mma_sync, copy = cp_async> threads 32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %as = memref.subview %a[0, 0] [16, 32] [1, 1] : memref<16x40xf16, #gpu.address_space<workgroup>>
      to memref<16x32xf16, strided<[40, 1]>, #gpu.address_space<workgroup>>
  %bs = memref.subview %b[0, 0] [32, 24] [1, 1] : memref<32x32xf16, #gpu.address_space<workgroup>>
      to memref<32x24xf16, strided<[32, 1]>, #gpu.address_space<workgroup>>
  %lhs = attn_tile.load %as[%c0, %c0] : memref<16x32xf16, strided<[40, 1]>, #gpu.address_space<workgroup>> -> !lhs
  %rhs = attn_tile.load %bs[%c0, %c0] : memref<32x24xf16, strided<[32, 1]>, #gpu.address_space<workgroup>> -> !rhs
  %s = attn_tile.dot %lhs, %rhs, %none : !lhs, !rhs, !acc
  attn_tile.store %s, %o[%c0, %c0] : !acc, memref<?x24xf32>
}
