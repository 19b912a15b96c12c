// RUN: attn-opt %s -split-input-file -attn-lower-launch | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @kernels_ptx("// ptx\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @kernels_chip("sm_80\00")

// The size counts the terminating zero.
// CHECK-LABEL: llvm.mlir.global internal constant @kernels_program() {{.*}} : !llvm.struct<(ptr, i64, ptr, ptr)>
// CHECK: llvm.mlir.constant(8 : i64)

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[RUNTIME:[a-z0-9]+]]: !llvm.ptr, %[[STREAM:[a-z0-9]+]]: !llvm.ptr, %{{.+}}: memref<?xf32>, %{{.+}}: i1) -> i32
// A failed check is the runtime's to keep; its status is returned.
// CHECK: cf.cond_br %{{.+}}, ^[[LAUNCH:bb[0-9]+]], ^[[CHECKED:bb[0-9]+]]
// CHECK: ^[[LAUNCH]]:
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: %[[RECORD:.+]] = llvm.insertvalue %{{.+}}[8]
// CHECK: llvm.store %[[RECORD]], %[[MEMORY:.+]] :
// CHECK: %[[STATUS:.+]] = llvm.call @attnrt_launch_kernel(%[[RUNTIME]], %[[STREAM]], %[[MEMORY]])
// CHECK: %[[GOOD:.+]] = arith.cmpi eq, %[[STATUS]]
// CHECK: cf.cond_br %[[GOOD]], ^[[DONE:bb[0-9]+]], ^[[FAILED:bb[0-9]+]]
// CHECK: ^[[CHECKED]]:
// CHECK: %[[KEPT:.+]] = llvm.call @attnrt_fail(%[[RUNTIME]]
// CHECK: return %[[KEPT]] : i32
// CHECK: ^[[FAILED]]:
// CHECK: return %[[STATUS]] : i32
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "// ptx\0A">]
  func.func @main(%a: memref<?xf32>, %ok: i1) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    cf.assert %ok, "expected more"
    gpu.launch_func @kernels::@one blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1) args(%a : memref<?xf32>, %c1 : index)
    return
  }
}

// -----

// A kernel that waits for those before it, as the table says, is launched while they run. Another
// one is not, whatever its PTX has.
// CHECK-LABEL: func.func @waits(
// CHECK: llvm.insertvalue %{{.+}}, %{{.+}}[6] : !llvm.struct
// CHECK: llvm.call @attnrt_launch_kernel
// CHECK-NOT: llvm.insertvalue %{{.+}}, %{{.+}}[6] : !llvm.struct
// CHECK: llvm.call @attnrt_launch_kernel
// CHECK-NOT: llvm.insertvalue %{{.+}}, %{{.+}}[6] : !llvm.struct
// CHECK: llvm.call @attnrt_launch_kernel
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90">,
      kernels = <[#gpu.kernel_metadata<"one", !llvm.func<void ()>>,
                  #gpu.kernel_metadata<"two", !llvm.func<void ()>, metadata = {attn.after_previous}>]>,
      assembly = "griddepcontrol.wait;">]
  func.func @waits(%n: index) {
    gpu.launch_func @kernels::@two blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @kernels::@one blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @kernels::@three blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

// Memory of the stream: allocated where it was, freed on every path, whose first
// failure is returned.
// CHECK-LABEL: func.func @workspace(
// CHECK-SAME: %[[RUNTIME:[a-z0-9]+]]: !llvm.ptr, %[[STREAM:[a-z0-9]+]]: !llvm.ptr, %{{.+}}: memref<?xf32>, %[[N:.+]]: index, %{{.+}}: i1) -> i32
// CHECK: %[[SLOT:.+]] = llvm.alloca %{{.+}} x i64
// CHECK: %[[NULL:.+]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: llvm.store %[[NULL]], %[[SLOT]]
// CHECK: cf.cond_br %{{.+}}, ^{{bb[0-9]+}}, ^[[CHECKED:bb[0-9]+]]
// CHECK: %[[ROW:.+]] = arith.muli %[[N]], %{{.+}} : index
// CHECK: %[[SIZE:.+]] = arith.muli %{{.+}}, %{{.+}} : index
// CHECK: %[[BYTES:.+]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK: %[[STATUS:.+]] = llvm.call @attnrt_allocate_async(%[[RUNTIME]], %[[STREAM]], %[[BYTES]], %[[SLOT]])
// CHECK: cf.cond_br %{{.+}}, ^{{bb[0-9]+}}, ^[[EXHAUSTED:bb[0-9]+]]
// CHECK: %[[ADDRESS:.+]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
// CHECK: builtin.unrealized_conversion_cast %{{.+}} to memref<?x4xf16>
// CHECK: llvm.call @attnrt_launch_kernel
// CHECK: cf.cond_br %{{.+}}, ^{{bb[0-9]+}}, ^[[FAILED:bb[0-9]+]]
// CHECK-NOT: memref.{{(de)?}}alloc
// CHECK: cf.br ^[[LAST:bb[0-9]+]](%{{.+}} : i32)
// CHECK-DAG: ^[[CHECKED]]:
// CHECK-DAG: ^[[FAILED]]:
// CHECK-DAG: ^[[EXHAUSTED]]:
// CHECK-NOT: return
// CHECK: ^[[LAST]](%[[RESULT:.+]]: i32):
// CHECK: %[[MEMORY:.+]] = llvm.load %[[SLOT]] : !llvm.ptr -> i64
// CHECK: %[[FREED:.+]] = llvm.call @attnrt_free_async(%[[RUNTIME]], %[[STREAM]], %[[MEMORY]])
// CHECK: %[[GOOD:.+]] = arith.cmpi eq, %[[RESULT]]
// CHECK: %[[FIRST:.+]] = arith.select %[[GOOD]], %[[FREED]], %[[RESULT]] : i32
// CHECK: return %[[FIRST]] : i32
// CHECK-NOT: return
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "// ptx\0A">]
  func.func @workspace(%a: memref<?xf32>, %n: index, %ok: i1) {
    %c1 = arith.constant 1 : index
    cf.assert %ok, "expected more"
    %t = memref.alloc(%n) : memref<?x4xf16>
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>, %t : memref<?x4xf16>)
    memref.dealloc %t : memref<?x4xf16>
    return
  }
}
