// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=NONE < %t

// One warp has all rows of both products. It reads bytes of keys and values from the memory to which
// they were copied, and extends or unpacks them to where its MMAs read them: no tile is written to
// shared memory. The query has columns in the same order as the keys.
// NONE-NOT: convert_layout {{.*}} -> tensor<{{[^>]+}}#attn_gpu.shared

// CHECK-LABEL: attn_gpu.kernel @bytes(
// CHECK-DAG: %[[QUERY:.+]] = arith.addf {{.+}} : tensor<16x128xf16, [[LEFT:#attn_gpu.mma<warps = 1, columns = 4>]]>
// CHECK-DAG: %[[K:.+]] = attn_tile.load %arg1{{.*}} -> tensor<32x128xf8E4M3FN, #attn_gpu.shared<padding = 16>>
// CHECK-DAG: %[[V:.+]] = attn_tile.load %arg2{{.*}} -> tensor<32x64xi8, #attn_gpu.shared<padding = 16>>
// CHECK: %[[OWN:.+]] = attn_gpu.convert_layout %[[K]] : {{.*}} -> tensor<32x128xf8E4M3FN, [[LEFT]]>
// CHECK-NEXT: %[[KEYS:.+]] = arith.extf %[[OWN]] : tensor<32x128xf8E4M3FN, [[LEFT]]> to tensor<32x128xf16, [[LEFT]]>
// CHECK-NEXT: attn_tile.dot %[[QUERY]], %[[KEYS]], %{{.+}} transpose_rhs : tensor<16x128xf16, [[LEFT]]>, tensor<32x128xf16, [[LEFT]]>, tensor<16x32xf32, #attn_gpu.mma<warps = 1>>
// CHECK: %[[OWN:.+]] = attn_gpu.convert_layout %[[V]] : {{.*}} -> tensor<32x64xi8, [[RIGHT:#attn_gpu.right<parent = <warps = 1, columns = 8>>]]>
// CHECK-NEXT: %[[VALUES:.+]] = arith.sitofp %[[OWN]] : tensor<32x64xi8, [[RIGHT]]> to tensor<32x64xf16, [[RIGHT]]>
// CHECK-NEXT: attn_tile.dot %{{.+}}, %[[VALUES]], %{{.+}} : tensor<16x32xf16, #attn_gpu.mma<warps = 1>>, tensor<32x64xf16, [[RIGHT]]>, tensor<16x64xf32, #attn_gpu.mma<warps = 1, columns = 8>>
attn_gpu.kernel @bytes(%q: memref<?x128xf16>, %k: memref<?x128xf8E4M3FN>, %v: memref<?x64xi8>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 16, tile_kv = 32, warps = 1, mma = mma_sync, copy = cp_async> threads 32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<16x32xf32>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %0 = attn_tile.load %q[%c0, %c0] : memref<?x128xf16> -> tensor<16x128xf16>
  %query = arith.addf %0, %0 : tensor<16x128xf16>
  %1 = attn_tile.load %k[%c0, %c0] : memref<?x128xf8E4M3FN> -> tensor<32x128xf8E4M3FN>
  %keys = arith.extf %1 : tensor<32x128xf8E4M3FN> to tensor<32x128xf16>
  %2 = attn_tile.load %v[%c0, %c0] : memref<?x64xi8> -> tensor<32x64xi8>
  %values = arith.sitofp %2 : tensor<32x64xi8> to tensor<32x64xf16>
  %s = attn_tile.dot %query, %keys, %none transpose_rhs : tensor<16x128xf16>, tensor<32x128xf16>, tensor<16x32xf32>
  %p = arith.truncf %s : tensor<16x32xf32> to tensor<16x32xf16>
  %r = attn_tile.dot %p, %values, %zero : tensor<16x32xf16>, tensor<32x64xf16>, tensor<16x64xf32>
  attn_tile.store %r, %o[%c0, %c0] : tensor<16x64xf32>, memref<?x64xf32>
}

// -----

// A lane's word has eight integers of 4 bits.
// CHECK-LABEL: attn_gpu.kernel @integers(
// CHECK: attn_gpu.convert_layout {{.*}} -> tensor<32x64xi8, #attn_gpu.mma<warps = 1, columns = 4>>
// CHECK-NEXT: attn_tile.unpack {{.*}} -> tensor<32x128xf16, [[LEFT:#attn_gpu.mma<warps = 1, columns = 8>]]>
// CHECK-NEXT: attn_tile.dot {{.*}} transpose_rhs : tensor<16x128xf16, [[LEFT]]>, tensor<32x128xf16, [[LEFT]]>, tensor<16x32xf32, #attn_gpu.mma<warps = 1>>
// CHECK: attn_gpu.convert_layout {{.*}} -> tensor<32x64xi8, #attn_gpu.right<parent = <warps = 1, columns = 8>>>
// CHECK-NEXT: attn_tile.unpack {{.*}} -> tensor<32x128xf16, #attn_gpu.right<parent = <warps = 1, columns = 16>>>
// CHECK-NEXT: attn_tile.dot {{.*}} tensor<16x128xf32, #attn_gpu.mma<warps = 1, columns = 16>>
attn_gpu.kernel @integers(%q: memref<?x128xf16>, %k: memref<?x64xi8>, %v: memref<?x64xi8>, %o: memref<?x128xf32>)
    target <chip = "sm_80"> schedule <tile_q = 16, tile_kv = 32, warps = 1, mma = mma_sync, copy = cp_async> threads 32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<16x32xf32>
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %0 = attn_tile.load %q[%c0, %c0] : memref<?x128xf16> -> tensor<16x128xf16>
  %query = arith.addf %0, %0 : tensor<16x128xf16>
  %1 = attn_tile.load %k[%c0, %c0] : memref<?x64xi8> -> tensor<32x64xi8>
  %keys = attn_tile.unpack %1 : tensor<32x64xi8> -> tensor<32x128xf16>
  %2 = attn_tile.load %v[%c0, %c0] : memref<?x64xi8> -> tensor<32x64xi8>
  %values = attn_tile.unpack %2 : tensor<32x64xi8> -> tensor<32x128xf16>
  %s = attn_tile.dot %query, %keys, %none transpose_rhs : tensor<16x128xf16>, tensor<32x128xf16>, tensor<16x32xf32>
  %p = arith.truncf %s : tensor<16x32xf32> to tensor<16x32xf16>
  %r = attn_tile.dot %p, %values, %zero : tensor<16x32xf16>, tensor<32x128xf16>, tensor<16x128xf32>
  attn_tile.store %r, %o[%c0, %c0] : tensor<16x128xf32>, memref<?x128xf32>
}
