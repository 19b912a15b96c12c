// RUN: attnc gen --dtype f32 --seq 16 --head-dim 16 | attn-opt -attn-to-nvvm="chip=sm_80 access=narrow" | FileCheck %s

// A pair of f32 is split into three parts: each is rounded, and the next one is that of the
// remainder.
// CHECK: %[[ZERO:.+]] = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK: %[[HIGH:.+]] = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%{{.+}}, %{{.+}}) : (f32, f32) -> vector<2xbf16>
// CHECK-NEXT: %[[WORD:.+]] = llvm.bitcast %[[HIGH]] : vector<2xbf16> to i32
// CHECK-NEXT: %[[BITS:.+]] = llvm.shl %[[WORD]]
// CHECK-NEXT: %[[FIRST:.+]] = llvm.bitcast %[[BITS]] : i32 to f32
// CHECK-NEXT: llvm.fsub %{{.+}}, %[[FIRST]] : f32
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"

// Five products of small terms, one after the other.
// CHECK: %[[SMALL0:.+]] = nvvm.mma.sync A[%{{.+}}] B[%{{.+}}] C[%[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]]]
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK: %[[SMALL4:.+]] = nvvm.mma.sync
// CHECK: %[[SMALL:.+]] = llvm.extractvalue %[[SMALL4]][0]
// The large terms begin at zero, and what rounding their sum loses is small.
// CHECK: %[[LARGE5:.+]] = nvvm.mma.sync A[%{{.+}}] B[%{{.+}}] C[%[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]]]
// CHECK: %[[LARGE:.+]] = llvm.extractvalue %[[LARGE5]][0]
// CHECK: %[[SUM:.+]] = llvm.fadd %[[LARGE]], %[[ZERO]] : f32
// CHECK-NEXT: %[[ERROR:.+]] = llvm.fsub %[[LARGE]], %[[SUM]] : f32
// CHECK-NEXT: llvm.fadd %[[SMALL]], %[[ERROR]] : f32
// CHECK-NOT: tf32
