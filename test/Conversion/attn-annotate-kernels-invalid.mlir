// RUN: attn-opt %s -attn-annotate-kernels -verify-diagnostics

gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  llvm.func @computed(%base: i64, %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %i: i32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{'llvm.inttoptr' op expected a tensor map that is an argument of the kernel, or one of several, found its result}}
    %map = llvm.inttoptr %base : i64 to !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%i, %i, %i] : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
}
