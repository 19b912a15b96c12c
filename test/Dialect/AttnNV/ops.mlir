// RUN: attn-opt %s | attn-opt --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[K:[^:]+]]: memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
// CHECK-SAME: -> (!attn_nv.tensor_map, !attn_nv.tensor_map, index, i32)
func.func @host(%k: memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>, %m: memref<4x?x32xf32>)
    -> (!attn_nv.tensor_map, !attn_nv.tensor_map, index, i32) {
  // CHECK: attn_nv.encode_tensor_map %[[K]] box [1, 1, 64, 64] : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 64]
      : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
  // CHECK: attn_nv.encode_tensor_map %{{.+}} box [1, 256, 32] : memref<4x?x32xf32>
  %1 = attn_nv.encode_tensor_map %m box [1, 256, 32] : memref<4x?x32xf32>
  // CHECK: attn_nv.multiprocessors{{$}}
  %2 = attn_nv.multiprocessors
  // CHECK: attn_nv.launch_number{{$}}
  %3 = attn_nv.launch_number
  return %0, %1, %2, %3 : !attn_nv.tensor_map, !attn_nv.tensor_map, index, i32
}

// CHECK-LABEL: func.func @counters(
func.func @counters(%number: i32) -> !llvm.ptr<1> {
  // CHECK: attn_nv.work_counters %{{.+}} : !llvm.ptr<1>
  %0 = attn_nv.work_counters %number : !llvm.ptr<1>
  return %0 : !llvm.ptr<1>
}

// CHECK-LABEL: func.func @registers(
// CHECK-SAME: %[[P:[^:]+]]: vector<32xbf16>, %[[V:[^:]+]]: i64, %[[O:[^:]+]]: vector<32xf32>, %[[IF:[^:]+]]: i1
func.func @registers(%p: vector<32xbf16>, %v: i64, %o: vector<32xf32>, %if: i1)
    -> (vector<32xf32>, vector<32xf32>) {
  // CHECK: %[[A:.+]] = attn_nv.wgmma bf16 %[[P]], %[[V]], acc %[[O]] rhs_steps [0, 128, 256, 384] transpose_rhs : vector<32xbf16> -> vector<32xf32>
  %0 = attn_nv.wgmma bf16 %p, %v, acc %o rhs_steps [0, 128, 256, 384]
      transpose_rhs : vector<32xbf16> -> vector<32xf32>
  // CHECK: %[[B:.+]] = attn_nv.wgmma bf16 %[[P]], %[[V]], acc %[[O]] if %[[IF]] rhs_steps [0, 2, 4, 6] : vector<32xbf16> -> vector<32xf32>
  %1 = attn_nv.wgmma bf16 %p, %v, acc %o if %if rhs_steps [0, 2, 4, 6]
      : vector<32xbf16> -> vector<32xf32>
  // CHECK: attn_nv.wgmma_wait 1, %[[A]] : vector<32xf32>
  %2 = attn_nv.wgmma_wait 1, %0 : vector<32xf32>
  // CHECK: attn_nv.wgmma_wait 0, %[[B]] : vector<32xf32>
  %3 = attn_nv.wgmma_wait 0, %1 : vector<32xf32>
  return %2, %3 : vector<32xf32>, vector<32xf32>
}

// CHECK-LABEL: func.func @descriptors(
// CHECK-SAME: %[[Q:[^:]+]]: i64, %[[K:[^:]+]]: i64
func.func @descriptors(%q: i64, %k: i64) -> vector<128xf32> {
  // CHECK: attn_nv.wgmma f16 %[[Q]], %[[K]] lhs_steps [0, 128] rhs_steps [0, 4] transpose_lhs : i64 -> vector<128xf32>
  %1 = attn_nv.wgmma f16 %q, %k lhs_steps [0, 128] rhs_steps [0, 4] transpose_lhs : i64 -> vector<128xf32>
  // CHECK: attn_nv.wgmma f16 %[[Q]], %[[K]] lhs_steps [0, 2] rhs_steps [0, 4] : i64 -> vector<128xf32>
  %0 = attn_nv.wgmma f16 %q, %k lhs_steps [0, 2] rhs_steps [0, 4] : i64 -> vector<128xf32>
  return %0 : vector<128xf32>
}
