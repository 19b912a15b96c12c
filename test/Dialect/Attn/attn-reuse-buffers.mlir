// RUN: attn-opt %s -attn-reuse-buffers | FileCheck %s
// RUN: attn-opt %s -attn-to-host | FileCheck %s --check-prefix=HOST

!t = tensor<1x2x8x16xf32>

// The caller's tensor is copied once, and each iteration writes to the copy.
// CHECK-LABEL: func.func @layers(
// CHECK-SAME:    %[[X:[^:]+]]: tensor
// CHECK: %[[COPY:.+]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK: scf.for {{.*}} iter_args(%[[Y:.+]] = %[[COPY]])
// CHECK: %[[Z:.+]] = attn.attention ins(%[[Y]], %[[Y]], %[[Y]]
// CHECK: %[[R:.+]] = linalg.copy ins(%[[Z]] : {{.*}}) outs(%[[Y]] :
// CHECK: scf.yield %[[R]]
// Nothing that is allocated is lost.
// HOST-LABEL: llvm.func internal @attn_layers_on_views
// HOST-COUNT-2: llvm.call @malloc
// HOST-COUNT-2: llvm.call @free
// HOST: llvm.func
func.func @layers(%x: !t, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> !t {
    %e = tensor.empty() : !t
    %z = attn.attention ins(%y, %y, %y : !t, !t, !t) outs(%e : !t) -> !t
    scf.yield %z : !t
  }
  return %r : !t
}

// A tensor that the loop updates has its buffer already.
// CHECK-LABEL: func.func @slices(
// CHECK-NOT: copy
// CHECK: return
func.func @slices(%x: tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x2x8x16xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%o = %e) -> tensor<4x2x8x16xf32> {
    %s = tensor.extract_slice %x[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1] : tensor<4x2x8x16xf32> to !t
    %d = tensor.extract_slice %o[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1] : tensor<4x2x8x16xf32> to !t
    %z = attn.attention ins(%s, %s, %s : !t, !t, !t) outs(%d : !t) -> !t
    %u = tensor.insert_slice %z into %o[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1] : !t into tensor<4x2x8x16xf32>
    scf.yield %u : tensor<4x2x8x16xf32>
  }
  return %r : tensor<4x2x8x16xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK: %[[E:.+]] = tensor.empty() : tensor<1x2x8x16xf32>
// CHECK: scf.if
// CHECK: attn.attention
// CHECK: linalg.copy {{.*}} outs(%[[E]] :
// CHECK: } else {
// CHECK: linalg.copy {{.*}} outs(%[[E]] :
func.func @branch(%x: !t, %y: !t, %c: i1) -> !t {
  %s = scf.if %c -> !t {
    %e = tensor.empty() : !t
    %z = attn.attention ins(%x, %x, %x : !t, !t, !t) outs(%e : !t) -> !t
    scf.yield %z : !t
  } else {
    scf.yield %y : !t
  }
  return %s : !t
}
