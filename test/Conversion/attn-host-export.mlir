// RUN: attn-opt %s -attn-host-export | FileCheck %s

// CHECK: llvm.mlir.global internal constant @[[MESSAGE:.+]]("n is four\00")

// CHECK-LABEL: func.func private @attn_main_on_views(
// CHECK-SAME:    %{{.+}}: memref<?x4xf16, strided<[?, 1], offset: ?>>, %[[N:[^:]+]]: index, %{{.+}}: f32) -> !llvm.ptr
func.func @main(%m: memref<?x4xf16, strided<[?, 1], offset: ?>>, %n: index, %c: f32) {
  // A failed assertion returns its message, a call that succeeds null.
  // CHECK: %[[OK:.+]] = arith.cmpi eq, %[[N]],
  // CHECK: cf.cond_br %[[OK]], ^[[GO_ON:.+]], ^[[FAIL:.+]]
  // CHECK: ^[[GO_ON]]:
  // CHECK: %[[NULL:.+]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: return %[[NULL]] : !llvm.ptr
  // CHECK: ^[[FAIL]]:
  // CHECK: %[[TEXT:.+]] = llvm.mlir.addressof @[[MESSAGE]]
  // CHECK: return %[[TEXT]] : !llvm.ptr
  // CHECK-NOT: cf.assert
  %z = arith.constant 4 : index
  %ok = arith.cmpi eq, %n, %z : index
  cf.assert %ok, "n is four"
  return
}

// Private functions have no C interface.
// CHECK: func.func private @private(
// CHECK-NOT: @attn_private
func.func private @private(%m: memref<4xf32>) {
  return
}
// CHECK: func.func private @declaration(memref<4xf32>)
// CHECK-NOT: @attn_declaration
func.func private @declaration(memref<4xf32>)

// A memref is a pointer to its descriptor, a scalar is itself.
// CHECK-LABEL: llvm.func @attn_main(
// CHECK-SAME:    %[[M:.+]]: !llvm.ptr, %[[N:.+]]: i64, %[[C:.+]]: f32) -> !llvm.ptr
// CHECK: %[[D:.+]] = llvm.load %[[M]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-DAG: %[[VIEW:.+]] = builtin.unrealized_conversion_cast %[[D]]
// CHECK-DAG: %[[INDEX:.+]] = builtin.unrealized_conversion_cast %[[N]]
// CHECK: %[[STATUS:.+]] = func.call @attn_main_on_views(%[[VIEW]], %[[INDEX]], %[[C]])
// CHECK: llvm.return %[[STATUS]]

// The packed function takes the address of each.
// CHECK-LABEL: llvm.func @attn_main_packed(
// CHECK-SAME:    %[[ARGS:.+]]: !llvm.ptr) -> !llvm.ptr
// CHECK: %[[A0:.+]] = llvm.getelementptr %[[ARGS]][0]
// CHECK: %[[P0:.+]] = llvm.load %[[A0]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[P0]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK: %[[A1:.+]] = llvm.getelementptr %[[ARGS]][1]
// CHECK: %[[P1:.+]] = llvm.load %[[A1]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[P1]] : !llvm.ptr -> i64
// CHECK: %[[A2:.+]] = llvm.getelementptr %[[ARGS]][2]
// CHECK: %[[P2:.+]] = llvm.load %[[A2]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[P2]] : !llvm.ptr -> f32
// CHECK: func.call @attn_main_on_views(
