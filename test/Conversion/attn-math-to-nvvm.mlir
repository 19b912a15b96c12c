// RUN: attn-opt %s -split-input-file -attn-math-to-nvvm -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @exp(
func.func @exp(%x: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[C:.+]] = arith.constant dense<1.442695
  // CHECK: %[[S:.+]] = arith.mulf %{{.+}}, %[[C]]
  // CHECK: llvm.call_intrinsic "llvm.exp2"(%[[S]]) {{.*}}fastmathFlags = #llvm.fastmath<afn>
  // CHECK-NOT: math.
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @exp2(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>
func.func @exp2(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[S:.+]] = llvm.call_intrinsic "llvm.fma"(%[[X]],
  // CHECK-NEXT: llvm.call_intrinsic "llvm.exp2"(%[[S]]) {{.*}}fastmathFlags = #llvm.fastmath<afn>
  %0 = math.fma %x, %y, %y : vector<4xf32>
  %1 = math.exp2 %0 : vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-LABEL: func.func @table(
func.func @table(%x: f32, %y: f32) -> f32 {
  // CHECK: llvm.nvvm.lg2.approx.f
  %0 = math.log %x : f32
  // CHECK: "llvm.maxnum"
  %1 = arith.maxnumf %0, %y : f32
  // CHECK: "llvm.sqrt"
  %2 = math.sqrt %1 : f32
  // CHECK-NOT: math.tanh
  %3 = math.tanh %2 : f32
  return %3 : f32
}

// -----

func.func @none(%x: f32, %y: f32) -> f32 {
  // expected-error@below {{'arith.remf' has no lowering for the GPU}}
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}
