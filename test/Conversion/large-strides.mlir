// RUN: attn-opt %s -attn-to-nvvm="chip=sm_80 access=narrow" | FileCheck %s --implicit-check-not=llvm.trunc
// RUN: attn-opt %s -attn-to-nvvm="chip=sm_80 access=async16" -o %t
// RUN: FileCheck %s --check-prefix=ASYNC < %t
// RUN: FileCheck %s --check-prefix=COUNT < %t

// Offsets beyond 2^31 elements, of batch entries and of rows, static and dynamic:
// the kernel multiplies in 64 bits and cuts nothing to 32.
!batches = memref<2x1x16x16xf16, strided<[2147483664, 256, 16, 1]>>
!rows = memref<2x1x32x16xf16, strided<[512, 512, 134217736, 1]>>
!any = memref<2x1x32x16xf16, strided<[?, ?, ?, 1], offset: ?>>

// CHECK: gpu.module
// CHECK-DAG: %[[BATCH:.+]] = llvm.mlir.constant(2147483664 : index) : i64
// CHECK-DAG: %[[ROW:.+]] = llvm.mlir.constant(134217736 : index) : i64
// CHECK-DAG: llvm.mul %{{.+}}, %[[BATCH]] overflow<{{.*}}> : i64
// CHECK-DAG: llvm.mul %{{.+}}, %[[ROW]] overflow<{{.*}}> : i64
// CHECK: llvm.return

// A copy's number of bytes alone, 0 to 16, is of 32 bits.
// ASYNC: gpu.module
// ASYNC-DAG: %[[BATCH:.+]] = llvm.mlir.constant(2147483664 : index) : i64
// ASYNC-DAG: %[[ROWBYTES:.+]] = llvm.mlir.constant(268435472 : index) : i64
// ASYNC-DAG: llvm.mul %{{.+}}, %[[BATCH]] {{.*}}: i64
// ASYNC-DAG: llvm.mul %{{.+}}, %[[ROWBYTES]]{{.*}} : i64
// ASYNC: llvm.return
// COUNT-NOT: llvm.trunc
// COUNT: %[[COUNT:.+]] = llvm.trunc %{{.+}} : i64 to i32
// COUNT-NEXT: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 16, cache = cg, %[[COUNT]]
func.func @main(%q: !batches, %k: !any, %v: !rows, %o: !batches) {
  attn.attention ins(%q, %k, %v : !batches, !any, !rows) outs(%o : !batches)
  return
}
