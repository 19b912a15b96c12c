// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s

// Each integer becomes the lowest bits of a significand, or in f16 the bits above the lowest four,
// and an offset is subtracted: 1032 and 72 for f16, 136 for bf16. In f16, one instruction masks two
// integers and inverts their signs, and only every other pair needs a shift.
// CHECK-LABEL: @halves
// CHECK-DAG: %[[EIGHT:.+]] = arith.constant 8 : i32
// CHECK-DAG: %[[LOW:.+]] = arith.constant 983055 : i32
// CHECK-DAG: %[[HIGH:.+]] = arith.constant 15728880 : i32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1678271496 : i32
// CHECK-DAG: %[[SIXTEEN:.+]] = arith.constant 1686135936 : i32
// CHECK-DAG: %[[OFFSET:.+]] = arith.constant dense<1.032000e+03> : vector<2xf16>
// CHECK-DAG: %[[SIXTEENTH:.+]] = arith.constant dense<6.250000e-02> : vector<2xf16>
// CHECK-DAG: %[[OTHER:.+]] = arith.constant dense<-7.200000e+01> : vector<2xf16>
// CHECK-DAG: arith.constant dense<1.360000e+02> : vector<2xbf16>
// CHECK: %[[WORD:.+]] = llvm.bitcast %{{.+}} : vector<4xi8> to i32
// CHECK-NEXT: %[[BITS:.+]] = llvm.inline_asm {{.*}}"lop3.b32 $0, $1, $2, $3, 0x6a;", "=r,r,r,r" %[[WORD]], %[[LOW]], %[[ONE]]
// CHECK-NEXT: %[[SUM:.+]] = llvm.bitcast %[[BITS]] : i32 to vector<2xf16>
// CHECK-NEXT: arith.subf %[[SUM]], %[[OFFSET]] : vector<2xf16>
// CHECK: %[[BITS:.+]] = llvm.inline_asm {{.*}} %[[WORD]], %[[HIGH]], %[[SIXTEEN]]
// CHECK-NEXT: %[[SUM:.+]] = llvm.bitcast %[[BITS]] : i32 to vector<2xf16>
// CHECK-NEXT: math.fma %[[SUM]], %[[SIXTEENTH]], %[[OTHER]] : vector<2xf16>
// CHECK: %[[SHIFTED:.+]] = arith.shrui %[[WORD]], %[[EIGHT]]
// CHECK: llvm.inline_asm {{.*}} %[[SHIFTED]], %[[LOW]], %[[ONE]]
// CHECK-NOT: arith.shrui %[[WORD]]
// CHECK: llvm.inline_asm {{.*}} %[[SHIFTED]], %[[HIGH]], %[[SIXTEEN]]
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
