// RUN: attn-opt %s -attn-annotate-kernels | FileCheck %s

gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  // The launch gives the size; tiles begin at multiples of 1024 bytes.
  // CHECK: llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // Global memory is left alone.
  // CHECK: llvm.mlir.global internal @global() {addr_space = 1 : i32, alignment = 8 : i64}
  llvm.mlir.global internal @global() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.array<2 x i32> {
    %0 = llvm.mlir.zero : !llvm.array<2 x i32>
    llvm.return %0 : !llvm.array<2 x i32>
  }

  // Maps that are loaded from, stored to or prefetched are parameters by value in
  // constant memory; other pointers are not.
  // CHECK-LABEL: llvm.func @maps(
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr,
  // CHECK-NOT: nvvm.minctasm
  // CHECK-SAME: attributes {gpu.kernel, nvvm.kernel} {
  llvm.func @maps(%load: !llvm.ptr, %prefetch: !llvm.ptr, %store: !llvm.ptr, %other: !llvm.ptr,
                  %to: !llvm.ptr<7>, %from: !llvm.ptr<3>, %barrier: !llvm.ptr<3>, %i: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %load, %barrier, box[%i, %i, %i] : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.prefetch %prefetch, box[%i, %i, %i] : !llvm.ptr
    nvvm.cp.async.bulk.tensor.global.shared.cta %store, %from, box[%i, %i, %i] : !llvm.ptr, !llvm.ptr<3>
    llvm.store %i, %other : i32, !llvm.ptr
    llvm.return
  }

  // Two descriptors of which a select chooses one are also annotated, even if a loop carries the
  // chosen one.
  // CHECK-LABEL: llvm.func @one_of_two(
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {{[^,]*, [^,]*}}, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {{[^,]*, [^,]*}}, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]+}}: i1,
  llvm.func @one_of_two(%own: !llvm.ptr, %empty: !llvm.ptr, %is_empty: i1, %to: !llvm.ptr<7>,
                        %barrier: !llvm.ptr<3>, %i: i32) attributes {gpu.kernel, nvvm.kernel} {
    %map = llvm.select %is_empty, %empty, %own : i1, !llvm.ptr
    llvm.br ^loop(%map, %is_empty : !llvm.ptr, i1)
  ^loop(%next: !llvm.ptr, %again: i1):
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %next, %barrier, box[%i, %i, %i] : !llvm.ptr<7>, !llvm.ptr
    llvm.cond_br %again, ^loop(%next, %is_empty : !llvm.ptr, i1), ^end
  ^end:
    llvm.return
  }

  // A kernel says how many CTAs an SM shall hold, or with how many registers its threads begin.
  // CHECK-LABEL: llvm.func @says(
  // CHECK-SAME: nvvm.minctasm = 3 : i32
  // CHECK-NOT: attn_nv.least_ctas
  llvm.func @says() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    attn_nv.least_ctas 3
    llvm.return
  }
  // CHECK-LABEL: llvm.func @begins_with(
  // CHECK-SAME: nvvm.maxnreg = 144 : i32
  // CHECK-NOT: attn_nv.launch_registers
  llvm.func @begins_with() attributes {gpu.kernel, nvvm.kernel} {
    attn_nv.launch_registers 144
    llvm.return
  }
  // CHECK-LABEL: llvm.func @has_consumers(
  // CHECK-SAME: passthrough = {{.*}}["attn_nv.consumer_registers", "232"]
  // CHECK-NOT: attn_nv.consumer_registers
  llvm.func @has_consumers() attributes {gpu.kernel, nvvm.kernel} {
    attn_nv.consumer_registers 232
    llvm.return
  }
  // A wait is assembly that accesses memory, and the function says that it waits.
  // CHECK-LABEL: llvm.func @waits(
  // CHECK-SAME: passthrough = ["nounwind", "attn.after_previous"]
  // CHECK-NOT: attn_nv.wait_for_launches
  // CHECK: llvm.inline_asm has_side_effects {attn_nv.launch_wait} "griddepcontrol.wait;", "~{memory}"
  // CHECK: llvm.inline_asm has_side_effects {attn_nv.launch_next} "griddepcontrol.launch_dependents;", "~{memory}"
  llvm.func @waits() attributes {gpu.kernel, nvvm.kernel, passthrough = ["nounwind"]} {
    attn_nv.wait_for_launches
    llvm.return
  }
  // CHECK-LABEL: llvm.func @rows(
  // CHECK-NOT: passthrough
  // CHECK-NOT: nvvm.minctasm
  llvm.func @rows() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
  // CHECK: llvm.func @declared(!llvm.ptr)
  // CHECK-NOT: minctasm
  llvm.func @declared(!llvm.ptr)
}
