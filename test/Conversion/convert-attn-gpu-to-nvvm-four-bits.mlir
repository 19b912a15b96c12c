// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s

// Each half of a byte becomes the lowest bits of a significand, and an offset is subtracted: 1032
// for f16, 136 for bf16.
// CHECK-LABEL: @halves
// CHECK-DAG: arith.constant 15 : i32
// CHECK-DAG: arith.constant 983040 : i32
// CHECK-DAG: arith.constant 1678271496 : i32
// CHECK-DAG: arith.constant dense<1.032000e+03> : vector<2xf16>
// CHECK-DAG: arith.constant dense<1.360000e+02> : vector<2xbf16>
// CHECK: llvm.bitcast %{{.+}} : vector<4xi8> to i32
// CHECK: arith.shrui
// CHECK: llvm.bitcast %{{.+}} : i32 to vector<2xf16>
// CHECK: arith.subf %{{.+}} : vector<2xf16>
// CHECK: arith.subf %{{.+}} : vector<2xbf16>
// CHECK: arith.shrsi
// CHECK: arith.sitofp %{{.+}} : i32 to f32
!bytes = tensor<64x64xi8, #attn_gpu.mma<warps = 4, columns = 4>>
!f16 = tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8>>
!bf16 = tensor<64x128xbf16, #attn_gpu.mma<warps = 4, columns = 8>>
!f32 = tensor<64x128xf32, #attn_gpu.mma<warps = 4, columns = 8>>
attn_gpu.kernel @halves(%b: memref<?x64xi8>, %o: memref<?x128xf16>, %p: memref<?x128xbf16>, %r: memref<?x128xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %y = attn_tile.load %b[%c0, %c0] : memref<?x64xi8> -> !bytes
  %0 = attn_tile.unpack %y : !bytes -> !f16
  %1 = attn_tile.unpack %y : !bytes -> !bf16
  %2 = attn_tile.unpack %y : !bytes -> !f32
  attn_tile.store %0, %o[%c0, %c0] : !f16, memref<?x128xf16>
  attn_tile.store %1, %p[%c0, %c0] : !bf16, memref<?x128xbf16>
  attn_tile.store %2, %r[%c0, %c0] : !f32, memref<?x128xf32>
}
