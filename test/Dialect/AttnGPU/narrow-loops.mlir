// Loops of wgmma count in 32 bits; others, and their bounds, stay as they are.

// RUN: attn-opt %s -attn-gpu-narrow-loops | FileCheck %s

// CHECK-LABEL: @mma
// CHECK-SAME: (%[[LO:.+]]: index, %[[HI:.+]]: index,
// CHECK-DAG: %[[LO32:.+]] = arith.index_cast %[[LO]] : index to i32
// CHECK-DAG: %[[HI32:.+]] = arith.index_cast %[[HI]] : index to i32
// CHECK-DAG: %[[STEP:.+]] = arith.constant 64 : i32
// CHECK: scf.for %[[I:.+]] = %[[LO32]] to %[[HI32]] step %[[STEP]] {{.*}} : i32
// CHECK-NEXT: %[[ROW:.+]] = arith.index_cast %[[I]] : i32 to index
// CHECK: memref.store %{{.+}}, %{{.+}}[%[[ROW]]]
func.func @mma(%lo: index, %hi: index, %a: i64, %b: i64, %zero: vector<32xf32>, %m: memref<?xf32>) {
  %c64 = arith.constant 64 : index
  %sum = scf.for %i = %lo to %hi step %c64 iter_args(%acc = %zero) -> vector<32xf32> {
    %f = arith.constant 1.0 : f32
    memref.store %f, %m[%i] : memref<?xf32>
    %next = attn_nv.wgmma bf16 %a, %b, acc %acc lhs_steps [0] rhs_steps [0] : i64 -> vector<32xf32>
    scf.yield %next : vector<32xf32>
  }
  return
}

// CHECK-LABEL: @other
// CHECK-NOT: index_cast
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} {
func.func @other(%lo: index, %hi: index, %m: memref<?xf32>) {
  %c64 = arith.constant 64 : index
  scf.for %i = %lo to %hi step %c64 {
    %f = arith.constant 1.0 : f32
    memref.store %f, %m[%i] : memref<?xf32>
  }
  return
}
