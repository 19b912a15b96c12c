// RUN: attn-opt %s -split-input-file -attn-serialize-kernels | FileCheck %s

// Each kernel becomes a separate program, which has only the functions that the kernel needs.

// CHECK-LABEL: module @two
module @two attributes {gpu.container_module} {
  // CHECK-NOT: gpu.binary
  // CHECK: gpu.binary @kernels_a
  // CHECK-SAME: .func helper()
  // CHECK-SAME: .entry a()
  // CHECK-NOT: .entry b()
  // CHECK: gpu.binary @kernels_b
  // CHECK-NOT: helper
  // CHECK-NOT: unused
  // CHECK: func.func @main
  gpu.module @kernels [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
    llvm.mlir.global external @both() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
    llvm.mlir.global internal constant @alone(7 : i32) : i32
    llvm.mlir.global internal constant @unused(7 : i32) : i32
    llvm.func @helper() {
      %0 = llvm.mlir.addressof @both : !llvm.ptr<3>
      llvm.return
    }
    llvm.func @a() attributes {gpu.kernel, nvvm.kernel} {
      llvm.call @helper() : () -> ()
      llvm.return
    }
    llvm.func @b() attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.addressof @both : !llvm.ptr<3>
      %1 = llvm.mlir.addressof @alone : !llvm.ptr
      llvm.return
    }
  }
  func.func @main(%n: index) {
    // CHECK: gpu.launch_func {{ *}}@kernels_b::@b
    // CHECK: gpu.launch_func {{ *}}@kernels_a::@a
    // CHECK: gpu.launch_func {{ *}}@kernels_b::@b
    gpu.launch_func @kernels::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @kernels::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @kernels::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

// A module of one kernel stays, and names are not taken twice.

// CHECK-LABEL: module @one_and_two
module @one_and_two attributes {gpu.container_module} {
  // CHECK: gpu.binary @one
  gpu.module @one [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
    llvm.func @a() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  // CHECK: gpu.binary @kernels_a_0
  // CHECK: gpu.binary @kernels_b
  gpu.module @kernels [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
    llvm.func @a() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @b() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  // CHECK: func.func @kernels_a
  func.func @kernels_a(%n: index) {
    // CHECK: gpu.launch_func {{ *}}@one::@a
    // CHECK: gpu.launch_func {{ *}}@kernels_a_0::@a
    gpu.launch_func @one::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @kernels::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
