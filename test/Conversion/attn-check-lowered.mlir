// RUN: attn-opt %s -split-input-file -attn-check-lowered -verify-diagnostics

// expected-error@below {{'memref.global' has no lowering for the host}}
memref.global @left : memref<4xf32>

// -----

// Upstream's verifiers do not check whether LLVM has a type.

llvm.func @address(%a: !llvm.ptr, %i: i64) -> !llvm.ptr {
  // expected-error@below {{expected elements of a type that LLVM has, found 'index'}}
  %0 = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, index
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.func @allocation(%n: i64) -> !llvm.ptr {
  // expected-error@below {{expected elements of a type that LLVM has, found 'memref<4xf32>'}}
  %0 = llvm.alloca %n x memref<4xf32> : (i64) -> !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.func @right(%a: !llvm.ptr, %i: i64) -> !llvm.ptr {
  %0 = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(bf16, i8)>
  %1 = llvm.alloca %i x vector<4xf16> : (i64) -> !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
