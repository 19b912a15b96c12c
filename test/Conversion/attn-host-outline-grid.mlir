// RUN: attn-opt %s -attn-host-outline-grid | FileCheck %s
// RUN: attn-opt %s -attn-host-outline-grid | FileCheck %s --check-prefix=BODY
// RUN: attn-opt %s -attn-host-outline-grid | attn-opt --verify-roundtrip -o /dev/null

// The context holds the captured values and the sizes of the grid, whose
// product is the count: 4 * n * ceil(100 / 64).
// CHECK-LABEL: func.func @grid(
// CHECK-SAME:    %[[M:[^:]+]]: memref<4x8x100xf32>, %[[N:[^:]+]]: index, %[[C:[^:]+]]: f32)
func.func @grid(%m: memref<4x8x100xf32>, %n: index, %c: f32) {
  // CHECK: %[[CONTEXT:.+]] = llvm.alloca
  // CHECK-DAG: llvm.insertvalue %[[C]],
  // CHECK-DAG: %[[MD:.+]] = builtin.unrealized_conversion_cast %[[M]]
  // CHECK-DAG: llvm.insertvalue %[[MD]],
  // CHECK: llvm.store %{{.+}}, %[[CONTEXT]]
  // CHECK: %[[FUNCTION:.+]] = llvm.mlir.addressof @grid_grid
  // CHECK: %[[S01:.+]] = arith.muli %[[N]],
  // CHECK: %[[S012:.+]] = arith.muli %[[S01]],
  // CHECK: %[[COUNT:.+]] = builtin.unrealized_conversion_cast %[[S012]] : index to i64
  // CHECK: llvm.call @attnrt_parallel_for(%[[FUNCTION]], %[[CONTEXT]], %[[COUNT]]) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  // CHECK: return
  scf.forall (%b, %h, %i) = (0, 0, 0) to (4, %n, 100) step (1, 1, 64) {
    %s = memref.alloc() : memref<64xf32>
    memref.store %c, %s[%b] : memref<64xf32>
    %v = memref.load %s[%b] : memref<64xf32>
    memref.store %v, %m[%b, %h, %i] : memref<4x8x100xf32>
  }
  return
}

// CHECK-LABEL: func.func @two_grids(
func.func @two_grids(%m: memref<4x4xf32>, %c: f32) {
  // CHECK: %[[FIRST:.+]] = llvm.mlir.addressof @two_grids_grid
  // CHECK: llvm.call @attnrt_parallel_for(%[[FIRST]],
  // CHECK: %[[SECOND:.+]] = llvm.mlir.addressof @two_grids_grid_0
  // CHECK: llvm.call @attnrt_parallel_for(%[[SECOND]],
  scf.forall (%i) in (4) {
    memref.store %c, %m[%i, %i] : memref<4x4xf32>
  }
  scf.forall (%i, %j) in (2, 2) {
    memref.store %c, %m[%i, %j] : memref<4x4xf32>
  }
  return
}

// A grid in a grid runs in its iteration of the outer one.
// CHECK-LABEL: func.func @nested(
func.func @nested(%m: memref<4x4xf32>, %c: f32) {
  // CHECK-COUNT-1: llvm.call @attnrt_parallel_for(
  // CHECK-NOT: llvm.call
  // CHECK: return
  scf.forall (%i) in (4) {
    scf.forall (%j) in (4) {
      memref.store %c, %m[%i, %j] : memref<4x4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @in_a_loop(
func.func @in_a_loop(%m: memref<4x4xf32>, %n: index, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // The stack does not grow with each turn.
  // CHECK: llvm.alloca
  // CHECK: scf.for
  // CHECK-NOT: llvm.alloca
  // CHECK: llvm.call @attnrt_parallel_for(
  scf.for %k = %c0 to %n step %c1 {
    scf.forall (%i) in (4) {
      memref.store %c, %m[%i, %k] : memref<4x4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @no_grid(
func.func @no_grid(%m: memref<4x4xf32>) {
  // CHECK-NEXT: return
  return
}

// The last dimension is the fastest.
// BODY-LABEL: llvm.func internal @grid_grid(
// BODY-SAME:    %[[CONTEXT:.+]]: !llvm.ptr, %[[LINEAR:.+]]: i64)
// BODY: %[[BUFFER:.+]] = memref.alloca() {{.*}}: memref<64xf32>
// BODY: %[[VALUES:.+]] = llvm.load %[[CONTEXT]]
// BODY: %[[C:.+]] = llvm.extractvalue %[[VALUES]][0]
// BODY-DAG: %[[SIZE1:.+]] = llvm.extractvalue %[[VALUES]][2]
// BODY-DAG: %[[S1:.+]] = builtin.unrealized_conversion_cast %[[SIZE1]]
// BODY-DAG: %[[S2:.+]] = arith.constant 2 : index
// BODY-DAG: %[[STEP:.+]] = arith.constant 64 : index
// BODY: %[[INDEX:.+]] = builtin.unrealized_conversion_cast %[[LINEAR]]
// BODY: %[[I2:.+]] = arith.remui %[[INDEX]], %[[S2]]
// BODY: %[[Q2:.+]] = arith.divui %[[INDEX]], %[[S2]]
// BODY: arith.muli %[[I2]], %[[STEP]]
// BODY: arith.remui %[[Q2]], %[[S1]]
// BODY: arith.divui %[[Q2]], %[[S1]]
// BODY: memref.store %[[C]], %[[BUFFER]]
// BODY-NOT: memref.dealloc
// BODY: llvm.return

// A definition for programs without the runtime, defined once.
// BODY-LABEL: llvm.func weak @attnrt_parallel_for(
// BODY-SAME:    %[[F:.+]]: !llvm.ptr, %[[X:.+]]: !llvm.ptr, %[[COUNT:.+]]: i64)
// BODY: llvm.icmp "slt" %[[I:.+]], %[[COUNT]]
// BODY: llvm.call %[[F]](%[[X]], %[[I]]) : !llvm.ptr, (!llvm.ptr, i64) -> ()
// BODY-NOT: llvm.func weak

