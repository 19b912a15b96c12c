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

// Classes are comparisons of |x|.
// CHECK-LABEL: func.func @classes(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>
func.func @classes(%x: vector<4xf32>)
    -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  // CHECK-DAG: %[[INF:.+]] = arith.constant dense<0x7F800000> : vector<4xf32>
  // CHECK-DAG: %[[MIN:.+]] = arith.constant dense<1.17549435E-38> : vector<4xf32>
  // CHECK: %[[A0:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[FINITE:.+]] = arith.cmpf olt, %[[A0]], %[[INF]]
  // CHECK-NEXT: %[[A1:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[ISINF:.+]] = arith.cmpf oeq, %[[A1]], %[[INF]]
  // CHECK-NEXT: %[[A2:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[NAN:.+]] = arith.cmpf uno, %[[A2]], %[[INF]]
  // CHECK-NEXT: %[[A3:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[LARGE:.+]] = arith.cmpf oge, %[[A3]], %[[MIN]]
  // CHECK-NEXT: %[[BELOW:.+]] = arith.cmpf olt, %[[A3]], %[[INF]]
  // CHECK-NEXT: %[[NORMAL:.+]] = arith.andi %[[LARGE]], %[[BELOW]]
  // CHECK-NEXT: return %[[FINITE]], %[[ISINF]], %[[NAN]], %[[NORMAL]]
  %0 = math.isfinite %x : vector<4xf32>
  %1 = math.isinf %x : vector<4xf32>
  %2 = math.isnan %x : vector<4xf32>
  %3 = math.isnormal %x : vector<4xf32>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[LO:[^:]+]]: f32, %[[HI:[^:]+]]: f32)
func.func @clamp(%x: f32, %lo: f32, %hi: f32) -> f32 {
  // CHECK-NEXT: %[[RAISED:.+]] = llvm.call_intrinsic "llvm.maximum"(%[[X]], %[[LO]])
  // CHECK-NEXT: llvm.call_intrinsic "llvm.minimum"(%[[RAISED]], %[[HI]])
  %0 = math.clampf %x to [%lo, %hi] : f32
  return %0 : f32
}

// -----

func.func @none(%x: f32, %y: f32) -> f32 {
  // expected-error@below {{'arith.remf' has no lowering for the GPU}}
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}
