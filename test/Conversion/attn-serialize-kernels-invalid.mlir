// RUN: attn-opt %s -split-input-file -attn-serialize-kernels -verify-diagnostics

// Upstream's verifiers take what its translation has no instruction for.

gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  llvm.func @no_types(%a: i32, %c: f32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{expected the PTX types of both multiplicands, found that of A}}
    %0 = "nvvm.mma.sync"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) <{
        layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
        multiplicandAPtxType = #nvvm.mma_type<bf16>,
        operandSegmentSizes = array<i32: 4, 2, 4>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}>
        : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  llvm.func @right(%a: i32, %c: f32) attributes {gpu.kernel, nvvm.kernel} {
    %0 = "nvvm.mma.sync"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) <{
        layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
        multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>,
        operandSegmentSizes = array<i32: 4, 2, 4>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}>
        : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  // expected-error@below {{expected 'nvvm.maxntid' to be at least 0, found array<i32: -5, 1, 1>}}
  llvm.func @threads() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: -5, 1, 1>} {
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  llvm.func @elements(%a: !llvm.ptr, %i: i64) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{expected elements of a type that LLVM has, found 'index'}}
    %0 = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, index
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  llvm.func @no_output(%x: f32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{expected constraints of its operands and result, found "": inline asm without outputs must return void}}
    %0 = llvm.inline_asm "", "" %x : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  llvm.func @outputs(%x: f32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error@below {{expected constraints of its operands and result, found "=r,=r,r"}}
    %0 = llvm.inline_asm "", "=r,=r,r" %x : (f32) -> !llvm.struct<(f32, f32, f32)>
    llvm.inline_asm "", "r,~{memory}" %x : (f32) -> ()
    llvm.return
  }
}

// -----

// The code generator's errors are returned, too.

// expected-error@below {{couldn't allocate output register for constraint 'z'}}
gpu.module @kernels [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  llvm.func @constraint(%x: f32) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.inline_asm "", "=zz,{r9}" %x : (f32) -> f32
    llvm.return
  }
}

// -----

// expected-error@below {{'gpu.module' op expected a #nvvm.target of a chip that is known, found none}}
gpu.module @kernels {
}
