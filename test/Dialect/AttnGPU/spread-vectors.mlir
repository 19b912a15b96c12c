// RUN: attnc gen --dtype bf16 --kv-dtype e4m3 --batch 2 --heads 8:2 --seq 1:4096 --head-dim 128 --scales token -o %t.mlir
// RUN: attnc inspect %t.mlir --target sm_90a --access tma --after attn-gpu-assign-layouts | FileCheck %s --check-prefixes=CHECK,LOAD
// RUN: attnc gen --dtype bf16 --kv-dtype e4m3 --batch 2 --heads 8:2 --seq 1:4096 --head-dim 128 --scales block:16 -o %t-block.mlir
// RUN: attnc inspect %t-block.mlir --target sm_90a --access tma --after attn-gpu-assign-layouts | FileCheck %s --check-prefixes=CHECK,GATHER

// Scales of tokens, of keys and of values, are read once in a warp and then passed between lanes. Scales of
// blocks of tokens are gathered, and their indices have the same layout.
// CHECK-LABEL: attn_gpu.kernel @main_tma(
// CHECK: attn_tile.for_blocks
// LOAD-COUNT-2: attn_tile.load %{{.+}} beside : memref<{{.+}}xf32> -> tensor<128xf32, #attn_gpu.spread<parent = <warps = 4>>>
// GATHER: arith.divui {{.+}} : tensor<128xindex, #attn_gpu.spread<parent = <warps = 4>>>
// GATHER-COUNT-2: attn_tile.gather {{.+}} beside : {{.+}} -> tensor<128xf32, #attn_gpu.spread<parent = <warps = 4>>>
// CHECK-NOT: beside : memref<{{.+}}xf32> -> tensor<128xf32, #attn_gpu.slice
// CHECK-NOT: divui {{.+}} : tensor<128xindex, #attn_gpu.slice
// CHECK: attn_gpu.kernel @
