// RUN: attn-opt %s -attn-host-export=returns-status=true -split-input-file -verify-diagnostics | FileCheck %s

// A function that attn-lower-launch has lowered returns its status.
// CHECK-LABEL: func.func private @attn_launch_on_views(
// CHECK-SAME:    !llvm.ptr, %{{.+}}: !llvm.ptr, %{{.+}}: memref<4xf32>) -> i32
// CHECK: %[[STATUS:.+]] = arith.constant 3 : i32
// CHECK: return %[[STATUS]] : i32
// CHECK: llvm.func @attn_launch(%{{.+}}: !llvm.ptr, %{{.+}}: !llvm.ptr, %{{.+}}: !llvm.ptr) -> i32
// CHECK: llvm.func @attn_launch_packed(%{{.+}}: !llvm.ptr) -> i32
func.func @launch(%runtime: !llvm.ptr, %stream: !llvm.ptr, %m: memref<4xf32>) -> i32 {
  %status = arith.constant 3 : i32
  return %status : i32
}

// -----

// expected-error@below {{expected function 'none' to return a status, as attn-lower-launch makes it, found results}}
func.func @none(%m: memref<4xf32>) {
  return
}
