// RUN: attn-opt %s -attn-host-export -split-input-file -verify-diagnostics

// expected-error@below {{expected arguments of function 'tensor' to be memrefs and scalars, found 'tensor<4xf32>'}}
func.func @tensor(%t: tensor<4xf32>) {
  return
}

// -----

// expected-error@below {{expected arguments of function 'space' to be memrefs and scalars, found 'memref<4xf32, #gpu.address_space<workgroup>>'}}
func.func @space(%m: memref<4xf32, #gpu.address_space<workgroup>>) {
  return
}

// -----

// expected-error@below {{expected arguments of function 'shared' to be memrefs and scalars, found 'memref<4xf32, 3>'}}
func.func @shared(%m: memref<4xf32, 3>) {
  return
}

// -----

// A number can also be that of a segment of the CPU. Global memory is allowed.
func.func @global(%m: memref<4xf32, 1>) {
  return
}
// expected-error@below {{expected arguments of function 'segment' to be memrefs and scalars, found 'memref<4xf32, 257>'}}
func.func @segment(%m: memref<4xf32, 257>) {
  return
}

// -----

// expected-error@below {{the C symbol 'attn_f' of a public function is taken}}
func.func @f() {
  return
}
// expected-note@below {{by this}}
func.func private @attn_f()

// -----

// expected-error@below {{the C symbol 'attn_f_packed' of a public function is taken}}
func.func @f() {
  return
}
// expected-note@below {{by this}}
llvm.func @attn_f_packed()

// -----

// expected-error@below {{found results 'i32'}}
func.func @results() -> i32 {
  %c = arith.constant 0 : i32
  return %c : i32
}
