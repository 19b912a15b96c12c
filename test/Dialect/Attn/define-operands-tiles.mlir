// RUN: attn-opt %s -attn-define-operands | FileCheck %s

// Tiles and vectors as well: lanes beyond an array divide by 0.
// CHECK-LABEL: func.func @tiles(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<64x32xi32>, %[[Y:[^:]+]]: tensor<64x32xi32>
func.func @tiles(%x: tensor<64x32xi32>, %y: tensor<64x32xi32>, %v: vector<4xi8>, %n: tensor<?xi32>)
    -> (tensor<64x32xi32>, vector<4xi8>, tensor<?xi32>) {
  // CHECK: %[[ZERO:.+]] = arith.constant dense<0> : tensor<64x32xi32>
  // CHECK: %[[ISZERO:.+]] = arith.cmpi eq, %[[Y]], %[[ZERO]]
  // CHECK: %[[DIVISOR:.+]] = arith.select %[[ISZERO]], %{{.+}}, %[[Y]] : tensor<64x32xi1>, tensor<64x32xi32>
  // CHECK: arith.divui %[[X]], %[[DIVISOR]]
  %0 = arith.divui %x, %y : tensor<64x32xi32>
  // CHECK: %[[DIVISOR:.+]] = arith.select {{.*}} : vector<4xi1>, vector<4xi8>
  // CHECK: arith.remsi %{{.+}}, %[[DIVISOR]] : vector<4xi8>
  %1 = arith.remsi %v, %v : vector<4xi8>
  // There are no constants of open sizes.
  // CHECK: arith.divui %{{.+}}, %{{.+}} : tensor<?xi32>
  // CHECK-NEXT: return
  %2 = arith.divui %n, %n : tensor<?xi32>
  return %0, %1, %2 : tensor<64x32xi32>, vector<4xi8>, tensor<?xi32>
}
