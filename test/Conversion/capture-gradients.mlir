// RUN: attn-opt %s -attn-to-tile | FileCheck %s
// RUN: attn-opt %s -attn-to-host -o /dev/null
// RUN: attn-opt %s -attn-to-nvvm=chip=sm_90a -o /dev/null

// The gradient of a captured f64, a sum in f32, is extended.
// CHECK-LABEL: func.func @gradient_of_f64(
func.func @gradient_of_f64(%q: memref<1x2x8x16xf32>, %r: memref<1x2x8xf32>, %c: f64, %d: memref<f64>) {
  // CHECK-NOT: arith.truncf {{.*}} to tensor<{{.*}}xf64>
  // CHECK: arith.extf {{.*}} to tensor<{{.*}}xf64>
  attn.attention_backward wrt(captures[0])
      ins(%q, %q, %q, %q, %r, %q : memref<1x2x8x16xf32>, memref<1x2x8x16xf32>, memref<1x2x8x16xf32>, memref<1x2x8x16xf32>, memref<1x2x8xf32>, memref<1x2x8x16xf32>)
      captures(%c : f64) outs(%d : memref<f64>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f64):
        %0 = arith.truncf %x : f64 to f32
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      }
  return
}
