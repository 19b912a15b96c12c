// RUN: attn-opt %s -split-input-file -attn-bufferize | FileCheck %s

!t = tensor<1x1x16x16xf32>
!m = memref<1x1x16x16xf32>

// A result that no other op reads is written to where it is stored.
// CHECK-LABEL: func.func @one(
// CHECK-NOT: memref.alloc
// CHECK: attn.attention {{.+}} outs(%arg1 :
// CHECK-NOT: memref.copy
// CHECK: return
func.func @one(%q: !t, %out: !m) {
  %e = tensor.empty() : !t
  %0 = attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%e : !t) -> !t
  bufferization.materialize_in_destination %0 in restrict writable %out : (!t, !m) -> ()
  return
}

// -----

!t = tensor<1x1x16x16xf32>
!m = memref<1x1x16x16xf32>

// Two ops of which the second one overwrites the first one's result.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT: memref.alloc
// CHECK: attn.attention {{.+}} outs(%arg1 :
// CHECK-NEXT: linalg.exp ins(%arg1 : {{.+}}) outs(%arg1 :
// CHECK-NEXT: return
func.func @in_place(%q: !t, %out: !m) {
  %e = tensor.empty() : !t
  %0 = attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%e : !t) -> !t
  %1 = linalg.exp ins(%0 : !t) outs(%0 : !t) -> !t
  bufferization.materialize_in_destination %1 in restrict writable %out : (!t, !m) -> ()
  return
}

// -----

!t = tensor<1x1x16x16xf32>
!m = memref<1x1x16x16xf32>

// The first result is read after the second one is stored, so that it must not be
// where that one is stored.
// CHECK-LABEL: func.func @both(
// CHECK: attn.attention {{.+}} outs(%arg2 :
// CHECK: %[[OWN:.+]] = memref.alloc()
// CHECK: linalg.exp ins(%arg2 : {{.+}}) outs(%[[OWN]] :
// CHECK-NEXT: memref.copy %[[OWN]], %arg1
// CHECK-NEXT: return
func.func @both(%q: !t, %out0: !m, %out1: !m) {
  %e = tensor.empty() : !t
  %0 = attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%e : !t) -> !t
  %1 = linalg.exp ins(%0 : !t) outs(%0 : !t) -> !t
  bufferization.materialize_in_destination %1 in restrict writable %out0 : (!t, !m) -> ()
  bufferization.materialize_in_destination %0 in restrict writable %out1 : (!t, !m) -> ()
  return
}

// -----

!t = tensor<1x1x16x16xf32>
!m = memref<1x1x16x16xf32>

// The same of a branch, whose other operand is read later.
// CHECK-LABEL: func.func @branch(
// CHECK: attn.attention {{.+}} outs(%arg3 :
// CHECK-NOT: outs(%arg2
// CHECK: memref.copy %{{.+}}, %arg2
func.func @branch(%q: !t, %c: i1, %out0: !m, %out1: !m) {
  %e = tensor.empty() : !t
  %0 = attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%e : !t) -> !t
  %1 = scf.if %c -> !t {
    %2 = linalg.exp ins(%q : !t) outs(%0 : !t) -> !t
    scf.yield %2 : !t
  } else {
    scf.yield %0 : !t
  }
  bufferization.materialize_in_destination %1 in restrict writable %out0 : (!t, !m) -> ()
  bufferization.materialize_in_destination %0 in restrict writable %out1 : (!t, !m) -> ()
  return
}

// -----

// An op overwrites the first result after that was stored, so the result must not be where it is
// stored.
// CHECK-LABEL: func.func @overwritten(
// CHECK: linalg.exp {{.+}} outs(%arg1 :
// CHECK-NEXT: memref.copy %arg1, %arg2
// CHECK-NEXT: linalg.abs ins(%arg1 : {{.+}}) outs(%arg1 :
// CHECK-NEXT: return
func.func @overwritten(%x: tensor<8xf32>, %out0: memref<8xf32>, %out1: memref<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out1 : (tensor<8xf32>, memref<8xf32>) -> ()
  %1 = linalg.abs ins(%0 : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %1 in restrict writable %out0 : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Of a tensor.empty with several uses it is always the same one that is replaced. The others share what is left.
// CHECK-LABEL: func.func @cases(
// CHECK-SAME:    %[[OUT:[^:]+]]: memref<8xf32>)
// CHECK: %[[E:.+]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp {{.*}} outs(%[[E]] :
// CHECK: linalg.abs {{.*}} outs(%[[E]] :
// CHECK: linalg.log {{.*}} outs(%[[E]] :
// CHECK: linalg.ceil {{.*}} outs(%[[E]] :
// CHECK: linalg.square {{.*}} outs(%[[E]] :
// CHECK: linalg.floor {{.*}} outs(%[[OUT]] :
func.func @cases(%a: tensor<8xf32>, %c: index, %out: memref<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.index_switch %c -> tensor<8xf32>
  case 0 {
    %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  case 1 {
    %x = linalg.abs ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  case 2 {
    %x = linalg.log ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  case 3 {
    %x = linalg.ceil ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  case 4 {
    %x = linalg.square ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  default {
    %x = linalg.floor ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
