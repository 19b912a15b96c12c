// RUN: attn-opt %s -split-input-file -convert-attn-gpu-to-nvvm -verify-diagnostics

func.func @no_threads() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{expected a block of 1 to 1024 threads, found 0}}
  gpu.launch blocks(%i, %j, %k) in (%a = %c1, %b = %c1, %c = %c1)
      threads(%x, %y, %z) in (%d = %c0, %e = %c1, %f = %c1) {
    gpu.terminator
  }
  return
}

// -----

func.func @too_many_threads() {
  %c1 = arith.constant 1 : index
  %c2048 = arith.constant 2048 : index
  // expected-error@below {{expected a block of 1 to 1024 threads, found 2048}}
  gpu.launch blocks(%i, %j, %k) in (%a = %c1, %b = %c1, %c = %c1)
      threads(%x, %y, %z) in (%d = %c2048, %e = %c1, %f = %c1) {
    gpu.terminator
  }
  return
}
