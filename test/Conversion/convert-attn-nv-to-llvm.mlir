// RUN: attn-opt %s -split-input-file -convert-attn-nv-to-llvm | FileCheck %s --implicit-check-not="{{[^{]}}attn_nv."

// One block of assembly for an MMA, from its fence to its commit. Each step's
// registers of lhs and descriptor of rhs; the accumulators are tied: operands 4 to
// 7 are the results. rhs is K x N. The flag that adds to them is true.
// CHECK-LABEL: gpu.func @registers(
// CHECK-SAME: %{{[^:]+}}: vector<16xbf16>, %[[V:[^:]+]]: i64, %{{[^:]+}}: vector<4xf32>
// CHECK-COUNT-4: vector.extract
// CHECK: %[[WORDS:.+]] = vector.bitcast %{{.+}} : vector<16xbf16> to vector<8xi32>
// CHECK-COUNT-8: vector.extract %[[WORDS]]
// CHECK: llvm.inline_asm has_side_effects {attn_nv.warpgroup_mma} "{ .reg .pred p; .reg .b64 da, db; setp.eq.b32 p, 0, 0; wgmma.fence.sync.aligned;
// CHECK-SAME: add.s64 db, $16, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, db, p, 1, 1, 1;
// CHECK-SAME: add.s64 db, $16, 128; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$12, $13, $14, $15}, db, 1, 1, 1, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned; }",
// CHECK-SAME: "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r,l"
// CHECK-SAME: %[[V]] :
// CHECK-SAME: -> !llvm.struct<(f32, f32, f32, f32)>
// The wait has the accumulators as operands and results: uses stay after it.
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,0,1,2,3"
// CHECK-NOT: llvm.inline_asm
gpu.module @m {
  gpu.func @registers(%p: vector<16xbf16>, %v: i64, %o: vector<4xf32>, %out: memref<vector<4xf32>>) kernel {
    %0 = attn_nv.wgmma bf16 %p, %v, acc %o rhs_steps [0, 128] transpose_rhs : vector<16xbf16> -> vector<4xf32>
    %1 = attn_nv.wgmma_wait 1, %0 : vector<4xf32>
    memref.store %1, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}

// -----

// Without an accumulator the first step begins at zero, and the results share no
// register with the operands. Both operands are in shared memory; rhs is N x K.
// CHECK-LABEL: gpu.func @descriptors(
// CHECK-SAME: %[[Q:[^:]+]]: i64, %[[K:[^:]+]]: i64
// CHECK: llvm.inline_asm has_side_effects {attn_nv.warpgroup_mma}
// CHECK-SAME: setp.ne.b32 p, 0, 0; wgmma.fence.sync.aligned;
// CHECK-SAME: add.s64 da, $4, 0; add.s64 db, $5, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, da, db, p, 1, 1, 0, 0;
// CHECK-SAME: add.s64 da, $4, 2; add.s64 db, $5, 4; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, da, db, 1, 1, 1, 0, 0;
// CHECK-SAME: "=&f,=&f,=&f,=&f,l,l" %[[Q]], %[[K]] :
// CHECK-NOT: llvm.inline_asm
gpu.module @m {
  gpu.func @descriptors(%q: i64, %k: i64, %out: memref<vector<4xf32>>) kernel {
    %0 = attn_nv.wgmma f16 %q, %k lhs_steps [0, 2] rhs_steps [0, 4] : i64 -> vector<4xf32>
    memref.store %0, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}

// -----

// Each step is two instructions: of 128 columns, and of the rest.
// CHECK-LABEL: gpu.func @rest(
// CHECK: add.s64 da, $72, 0; add.s64 db, $73, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {$0, $1, {{[^}]*}}, $63}, da, db, p, 1, 1, 0, 0;
// CHECK-SAME: add.s64 db, $73, 512; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$64, $65, $66, $67, $68, $69, $70, $71}, da, db, p, 1, 1, 0, 0;
// CHECK-SAME: add.s64 da, $72, 2; add.s64 db, $73, 4; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {$0, $1, {{[^}]*}}, $63}, da, db, 1, 1, 1, 0, 0;
// CHECK-SAME: add.s64 db, $73, 516; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$64, $65, $66, $67, $68, $69, $70, $71}, da, db, 1, 1, 1, 0, 0; wgmma.commit_group
gpu.module @m {
  gpu.func @rest(%q: i64, %k: i64, %out: memref<vector<72xf32>>) kernel {
    %0 = attn_nv.wgmma f16 %q, %k lhs_steps [0, 2] rhs_steps [0, 4] rhs_rest 512 : i64 -> vector<72xf32>
    memref.store %0, %out[] : memref<vector<72xf32>>
    gpu.return
  }
}

// -----

// A left operand that is stored K x M.
// CHECK-LABEL: gpu.func @transposed(
// CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, da, db, p, 1, 1, 1, 0;
gpu.module @m {
  gpu.func @transposed(%q: i64, %k: i64, %out: memref<vector<4xf32>>) kernel {
    %0 = attn_nv.wgmma f16 %q, %k lhs_steps [0] rhs_steps [0] transpose_lhs : i64 -> vector<4xf32>
    memref.store %0, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}

// -----

// The condition is the last operand.
// CHECK-LABEL: gpu.func @condition(
// CHECK: %[[FLAG:.+]] = arith.extui %{{.+}} : i1 to i32
// CHECK: llvm.inline_asm has_side_effects {attn_nv.warpgroup_mma}
// CHECK-SAME: setp.ne.b32 p, $10, 0; wgmma.fence
// CHECK-SAME: "=f,=f,=f,=f,0,1,2,3,l,l,r"
// CHECK-SAME: %[[FLAG]] :
gpu.module @m {
  gpu.func @condition(%q: i64, %k: i64, %o: vector<4xf32>, %if: i1, %out: memref<vector<4xf32>>) kernel {
    %0 = attn_nv.wgmma f16 %q, %k, acc %o if %if lhs_steps [0] rhs_steps [0] : i64 -> vector<4xf32>
    memref.store %0, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}

// -----

// Tensor maps are pointers.
// CHECK-LABEL: gpu.func @map(
// CHECK-SAME: %{{[^:]+}}: i32, %[[MAP:[^:]+]]: !llvm.ptr)
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.store %{{.+}}, %[[MAP]] :
gpu.module @m {
  gpu.func @map(%i: i32, %map: !attn_nv.tensor_map) kernel {
    %0 = builtin.unrealized_conversion_cast %map : !attn_nv.tensor_map to !llvm.ptr
    llvm.store %i, %0 : i32, !llvm.ptr
    gpu.return
  }

  // One of two maps is one of two pointers.
  // CHECK-LABEL: gpu.func @one_of_two(
  // CHECK-SAME: %[[OWN:[^:]+]]: !llvm.ptr, %[[EMPTY:[^:]+]]: !llvm.ptr
  // CHECK: %[[ONE:.+]] = arith.select %{{.+}}, %[[EMPTY]], %[[OWN]] : !llvm.ptr
  // CHECK: llvm.store %{{.+}}, %[[ONE]] :
  gpu.func @one_of_two(%i: i32, %own: !attn_nv.tensor_map, %empty: !attn_nv.tensor_map, %is_empty: i1) kernel {
    %map = arith.select %is_empty, %empty, %own : !attn_nv.tensor_map
    %0 = builtin.unrealized_conversion_cast %map : !attn_nv.tensor_map to !llvm.ptr
    llvm.store %i, %0 : i32, !llvm.ptr
    gpu.return
  }
}

// -----

// Without a chip, or before sm_90, halves are compared one by one: 6554 << 16.
// CHECK-LABEL: gpu.func @halves(
// CHECK-SAME: %[[WORD:[^:]+]]: i32
// CHECK-NOT: inline_asm
// CHECK: %[[LOWER:.+]] = arith.shli %[[WORD]], %c16_i32
// CHECK: arith.cmpi uge, %[[WORD]], %c429522944_i32
// CHECK: arith.cmpi uge, %[[LOWER]], %c429522944_i32
// CHECK: memref.store
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @halves(%word: i32, %out: memref<i32>) kernel {
    %0 = attn_nv.compare_halves %word at_least 6554
    memref.store %0, %out[] : memref<i32>
    gpu.return
  }
}

// -----

// From sm_90 on both at once: 6553 and -6553 in each half, and 1.
// CHECK-LABEL: gpu.func @both_halves(
// CHECK: llvm.inline_asm "{ .reg .b32 l, m; mov.b32 l, 429463961; max.u16x2 m, $1, l; mov.b32 l, 3865568871; add.u16x2 m, m, l; mov.b32 l, 65537; min.u16x2 $0, m, l; }", "=r,r" %{{.+}} : (i32) -> i32
// CHECK-NOT: arith.cmpi
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @both_halves(%word: i32, %out: memref<i32>) kernel {
    %0 = attn_nv.compare_halves %word at_least 6554
    memref.store %0, %out[] : memref<i32>
    gpu.return
  }
}

// -----

// Pairs of 16-bit floats are masked together. For other uses, each bit is tested where it is used.
// CHECK-LABEL: gpu.func @masked(
// CHECK-SAME: %[[WORDS:[^:]+]]: vector<2xi32>, %[[P:[^:]+]]: vector<4xbf16>
// CHECK-DAG: %[[W0:.+]] = vector.extract %[[WORDS]][0]
// CHECK-DAG: %[[W1:.+]] = vector.extract %[[WORDS]][1]
// CHECK-DAG: vector.bitcast %[[P]] : vector<4xbf16> to vector<2xi32>
// CHECK: %[[S0:.+]] = arith.shli %[[W0]], %c12_i32
// CHECK: %[[M0:.+]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[S0]], %c0_i32{{.*}}, %c48025_i32
// CHECK: arith.andi %{{.+}}, %[[M0]]
// CHECK: %[[S1:.+]] = arith.shli %[[W1]], %c15_i32
// CHECK: %[[M1:.+]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[S1]],
// CHECK: arith.andi %{{.+}}, %[[M1]]
// CHECK-NOT: arith.select %{{.+}} : vector<4xi1>, vector<4xbf16>
// CHECK: arith.addf
// CHECK: arith.andi %{{.+}}, %c8_i32
// CHECK: arith.andi %{{.+}}, %c524288_i32
// CHECK: arith.andi %{{.+}}, %c1_i32
// CHECK: arith.andi %{{.+}}, %c65536_i32
// CHECK: arith.select %{{.+}} : vector<4xi1>, vector<4xf32>
gpu.module @m {
  gpu.func @masked(%words: vector<2xi32>, %p: vector<4xbf16>, %d: vector<4xf32>, %out: memref<vector<4xbf16>>, %other: memref<vector<4xf32>>) kernel {
    %zeros = arith.constant dense<0.0> : vector<4xbf16>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %0 = attn_nv.unpack_pairs %words at [3, 32] : vector<2xi32> -> vector<4xi1>
    %1 = arith.select %0, %p, %zeros : vector<4xi1>, vector<4xbf16>
    memref.store %1, %out[] : memref<vector<4xbf16>>
    %2 = arith.addf %d, %d : vector<4xf32>
    %3 = arith.select %0, %2, %zero : vector<4xi1>, vector<4xf32>
    memref.store %3, %other[] : memref<vector<4xf32>>
    gpu.return
  }
}

// -----

// Elements of 8 bits: steps of 32 along K, four to a word, and nothing is said of a
// transposition.
// CHECK-LABEL: gpu.func @eight_bits(
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, da, db, p, 1, 1; wgmma.commit_group
// CHECK: vector.bitcast %{{.+}} : vector<32xf8E5M2> to vector<8xi32>
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2 {$0, $1, $2, $3}, {$4, $5, $6, $7}, db, p, 1, 1;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2 {$0, $1, $2, $3}, {$8, $9, $10, $11}, db, 1, 1, 1; wgmma.commit_group
gpu.module @m {
  gpu.func @eight_bits(%q: i64, %k: i64, %p: vector<32xf8E5M2>, %out: memref<2xvector<4xf32>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = attn_nv.wgmma f8E4M3FN %q, %k lhs_steps [0] rhs_steps [0] : i64 -> vector<4xf32>
    %1 = attn_nv.wgmma f8E5M2 %p, %k rhs_steps [0, 2] : vector<32xf8E5M2> -> vector<4xf32>
    memref.store %0, %out[%c0] : memref<2xvector<4xf32>>
    memref.store %1, %out[%c1] : memref<2xvector<4xf32>>
    gpu.return
  }
}
