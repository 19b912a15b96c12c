// Passes on outlined kernels take the chip from the target of the gpu.module, and fail if there is none.
// RUN: attn-opt %s -split-input-file -pass-pipeline="builtin.module(gpu.module(convert-attn-nv-to-llvm,attn-math-to-nvvm))" -verify-diagnostics | FileCheck %s

// CHECK: gpu.module @float8 [#nvvm.target<chip = "sm_89">]
// CHECK: "llvm.nvvm.ff.to.e4m3x2.rn"
// CHECK-NOT: arith.truncf
gpu.module @float8 [#nvvm.target<chip = "sm_89">] {
  func.func @truncate(%x: vector<2xf32>) -> vector<2xf8E4M3FN> {
    %0 = arith.truncf %x : vector<2xf32> to vector<2xf8E4M3FN>
    return %0 : vector<2xf8E4M3FN>
  }
}

// -----

// CHECK: gpu.module @words [#nvvm.target<chip = "sm_80">]
// CHECK-NOT: llvm.nvvm.ff.to
// CHECK-NOT: arith.truncf
// CHECK: return
gpu.module @words [#nvvm.target<chip = "sm_80">] {
  func.func @truncate(%x: vector<2xf32>) -> vector<2xf8E4M3FN> {
    %0 = arith.truncf %x : vector<2xf32> to vector<2xf8E4M3FN>
    return %0 : vector<2xf8E4M3FN>
  }
}

// -----

// expected-error@below {{'gpu.module' op expected a #nvvm.target of a chip that is known, found none}}
gpu.module @math {
  func.func @exp(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    return %0 : f32
  }
}

// -----

// expected-error@below {{'gpu.module' op expected a #nvvm.target of a chip that is known, found none}}
gpu.module @halves {
  func.func @compare(%word: i32) -> i32 {
    %0 = attn_nv.compare_halves %word at_least 6554
    return %0 : i32
  }
}
