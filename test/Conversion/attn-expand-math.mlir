// RUN: attn-opt %s -attn-expand-math | FileCheck %s

// CHECK-LABEL: func.func @expanded(
func.func @expanded(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  // CHECK-NOT: math.exp
  // CHECK-NOT: math.log
  // CHECK-NOT: math.tanh
  // CHECK: math.fma %{{.+}} : vector<16xf32>
  // CHECK-NOT: math.exp
  // CHECK-NOT: math.log
  // CHECK-NOT: math.tanh
  // CHECK: return
  %0 = math.exp %x : vector<16xf32>
  %1 = math.log %x : vector<16xf32>
  %2 = math.tanh %x : vector<16xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// What has no expansion is left to the conversions that follow.
// CHECK-LABEL: func.func @left(
// CHECK-SAME:    %[[X:[^:]+]]: vector<16xf32>, %[[D:[^:]+]]: vector<8xf64>)
func.func @left(%x: vector<16xf32>, %d: vector<8xf64>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<8xf64>) {
  // CHECK-NEXT: math.sqrt %[[X]] : vector<16xf32>
  // CHECK-NEXT: math.powf %[[X]], %[[X]] : vector<16xf32>
  // CHECK-NEXT: math.floor %[[X]] : vector<16xf32>
  // CHECK-NEXT: math.exp %[[D]] : vector<8xf64>
  // CHECK-NEXT: return
  %0 = math.sqrt %x : vector<16xf32>
  %1 = math.powf %x, %x : vector<16xf32>
  %2 = math.floor %x : vector<16xf32>
  %3 = math.exp %d : vector<8xf64>
  return %0, %1, %2, %3 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<8xf64>
}
