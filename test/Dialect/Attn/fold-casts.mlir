// RUN: attn-opt %s -canonicalize | FileCheck %s

// Casts that drop static sizes are folded, also before ops whose regions are empty.

!open = tensor<1x4x?x64xf16>
!fixed = tensor<1x4x128x64xf16>

// CHECK-LABEL: @query
// CHECK-NOT: tensor.cast
// CHECK: attn.attention ins(%{{.*}} : tensor<1x4x128x64xf16>, tensor<1x4x?x64xf16>, tensor<1x4x?x64xf16>)
func.func @query(%q: !fixed, %k: !open, %v: !open, %o: !open) -> !open {
  %0 = tensor.cast %q : !fixed to !open
  %1 = attn.attention ins(%0, %k, %v : !open, !open, !open) outs(%o : !open) -> !open
  return %1 : !open
}

// CHECK-LABEL: @output
// CHECK: %[[R:.*]] = attn.attention
// CHECK-SAME: -> tensor<1x4x128x64xf16>
// CHECK: %[[C:.*]] = tensor.cast %[[R]] : tensor<1x4x128x64xf16> to tensor<1x4x?x64xf16>
// CHECK: return %[[C]]
func.func @output(%q: !open, %k: !open, %v: !open, %o: !fixed) -> !open {
  %0 = tensor.cast %o : !fixed to !open
  %1 = attn.attention ins(%q, %k, %v : !open, !open, !open) outs(%0 : !open) -> !open
  return %1 : !open
}
