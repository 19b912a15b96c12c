// RUN: attn-opt %s | attn-opt --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s -canonicalize -cse | FileCheck %s --check-prefix=EFFECTS

// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[K:[^:]+]]: memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
// CHECK-SAME: -> (!attn_nv.tensor_map, !attn_nv.tensor_map, !attn_nv.tensor_map, index, !llvm.ptr<1>)
func.func @host(%k: memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>, %m: memref<4x?x32xf32>,
                %p: memref<?x?xf16, strided<[?, 1]>>)
    -> (!attn_nv.tensor_map, !attn_nv.tensor_map, !attn_nv.tensor_map, index, !llvm.ptr<1>) {
  // CHECK: attn_nv.encode_tensor_map %[[K]] box [1, 1, 64, 64] : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 64]
      : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
  // CHECK: attn_nv.encode_tensor_map %{{.+}} box [1, 256, 32] : memref<4x?x32xf32>
  %1 = attn_nv.encode_tensor_map %m box [1, 256, 32] : memref<4x?x32xf32>
  // CHECK: attn_nv.encode_tensor_map %[[K]] box [1, 1, 1, 64, 64] sliced 2 : memref
  %s = attn_nv.encode_tensor_map %k box [1, 1, 1, 64, 64] sliced 2
      : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
  // CHECK: attn_nv.encode_tensor_map %[[K]] box [1, 1, 1, 64, 64] sliced 2 empty : memref
  %e = attn_nv.encode_tensor_map %k box [1, 1, 1, 64, 64] sliced 2 empty
      : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
  // CHECK: attn_nv.encode_tensor_map %{{.+}} box [64, 64] : memref<?x?xf16, strided<[?, 1]>>
  %2 = attn_nv.encode_tensor_map %p box [64, 64] : memref<?x?xf16, strided<[?, 1]>>
  // CHECK: attn_nv.sm_count{{$}}
  %3 = attn_nv.sm_count
  // CHECK: attn_nv.work_counters{{$}}
  %4 = attn_nv.work_counters
  return %0, %1, %2, %3, %4
      : !attn_nv.tensor_map, !attn_nv.tensor_map, !attn_nv.tensor_map, index, !llvm.ptr<1>
}

// CHECK-LABEL: func.func @kernel(
// EFFECTS-LABEL: func.func @kernel(
func.func @kernel() {
  // CHECK: attn_nv.least_ctas 2{{$}}
  // EFFECTS: attn_nv.least_ctas 2
  attn_nv.least_ctas 2
  // CHECK: attn_nv.launch_registers 144{{$}}
  // EFFECTS: attn_nv.launch_registers 144
  attn_nv.launch_registers 144
  // CHECK: attn_nv.consumer_registers 232{{$}}
  // EFFECTS: attn_nv.consumer_registers 232
  attn_nv.consumer_registers 232
  // CHECK: attn_nv.wait_for_launches{{$}}
  // EFFECTS: attn_nv.wait_for_launches
  attn_nv.wait_for_launches
  return
}

// An op that reads memory is not merged with another one across a store; counters that are not used
// are not requested.
// EFFECTS-LABEL: func.func @read(
func.func @read(%out: !llvm.ptr) -> !llvm.ptr<1> {
  // EFFECTS-COUNT-2: attn_nv.work_counters
  // EFFECTS-NOT: attn_nv.work_counters
  %unused = attn_nv.work_counters
  %0 = attn_nv.work_counters
  llvm.store %0, %out : !llvm.ptr<1>, !llvm.ptr
  %1 = attn_nv.work_counters
  return %1 : !llvm.ptr<1>
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

// CHECK-LABEL: func.func @bits(
// CHECK-SAME: %[[WORD:[^:]+]]: i32, %[[WORDS:[^:]+]]: vector<2xi32>
func.func @bits(%word: i32, %words: vector<2xi32>) -> (i32, vector<6xi1>) {
  // CHECK: attn_nv.compare_halves %[[WORD]] at_least 6554
  %0 = attn_nv.compare_halves %word at_least 6554
  // CHECK: attn_nv.unpack_pairs %[[WORDS]] at [0, 15, 32] : vector<2xi32> -> vector<6xi1>
  %1 = attn_nv.unpack_pairs %words at [0, 15, 32] : vector<2xi32> -> vector<6xi1>
  return %0, %1 : i32, vector<6xi1>
}
