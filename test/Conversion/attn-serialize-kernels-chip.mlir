// RUN: attn-opt %s -split-input-file -attn-serialize-kernels -verify-diagnostics

// LLVM's code generator ends the process where a chip has no such instruction.

gpu.module @kernels [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  llvm.func @store(%map: !llvm.ptr, %from: !llvm.ptr<3>, %i: i32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{expected a chip with TMA, found sm_80}}
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %from, box[%i, %i, %i] : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  llvm.func @registers() attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{expected a chip with setmaxnreg, found sm_80}}
    nvvm.setmaxregister increase 232
    llvm.return
  }
}
