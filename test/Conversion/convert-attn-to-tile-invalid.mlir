// RUN: attn-opt %s -convert-attn-to-tile -split-input-file -verify-diagnostics

func.func @no_schedule(%q: memref<2x6x128x64xf16>) {
  // expected-error@below {{'attn.attention' op expected a schedule, found none; run attn-assign-tiles or attn-gpu-assign-schedule first}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>)
  return
}

// -----

func.func @tensors(%q: tensor<2x6x128x64xf16>) -> tensor<2x6x128x64xf16> {
  // expected-error@below {{'attn.attention' op expected memref operands, found tensors; bufferise first}}
  %r = attn.attention
      ins(%q, %q, %q : tensor<2x6x128x64xf16>, tensor<2x6x128x64xf16>, tensor<2x6x128x64xf16>)
      outs(%q : tensor<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
      -> tensor<2x6x128x64xf16>
  return %r : tensor<2x6x128x64xf16>
}

// -----

// The error is also reported if the op before it could be converted.
func.func @second_op(%q: memref<2x6x128x64xf16>) {
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  // expected-error@below {{'attn.attention' op expected a schedule, found none}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>)
  return
}

// -----

!t = memref<1x2x64x64xf16>
gpu.module @kernels {
  gpu.func @kernel(%q: !t) kernel {
    // expected-error@below {{'attn.attention' op expected to be in a func.func of the module that is compiled, found to be in 'gpu.func'}}
    attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%q : !t) {schedule = #attn.tiles<q = 64, kv = 64>}
    gpu.return
  }
}

// -----

!t = memref<1x2x64x64xf16>
func.func @launched(%q: !t, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error@below {{found to be in 'gpu.launch'}}
    attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%q : !t) {schedule = #attn.tiles<q = 64, kv = 64>}
    gpu.terminator
  }
  return
}

// -----

!t = memref<1x2x64x64xf16>
// A module that is the only op of a file would be the one on which the pass runs.
func.func private @outside()
module @inner {
  func.func @main(%q: !t) {
    // expected-error@below {{found to be in 'func.func' of a module within it}}
    attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%q : !t) {schedule = #attn.tiles<q = 64, kv = 64>}
    return
  }
}

// -----

!t = memref<1x2x64x64xf16>
llvm.func @of_llvm() {
  %q = memref.alloc() : !t
  // expected-error@below {{found to be in 'llvm.func'}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%q : !t) {schedule = #attn.tiles<q = 64, kv = 64>}
  llvm.return
}
