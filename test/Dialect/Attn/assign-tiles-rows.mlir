// RUN: attn-opt %s -split-input-file -attn-assign-tiles -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @tiles(
// CHECK: attn.merge {{.*}} {schedule = #attn.tiles<q = 16, kv = 64>}
// CHECK: attn.merge {{.*}} {schedule = #attn.tiles<q = 32, kv = 16>}
// CHECK: attn.append {{.*}} {schedule = #attn.tiles<q = 16, kv = 64>}
func.func @tiles(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>, %len: memref<2xi32>) {
  attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
  attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
      {schedule = #attn.tiles<q = 32, kv = 16>}
  attn.append ins(%o, %o : memref<2x4x10x80xf16>, memref<2x4x10x80xf16>)
      outs(%o, %o : memref<2x4x10x80xf16>, memref<2x4x10x80xf16>) lengths(%len : memref<2xi32>)
  return
}

// -----

func.func @wide(%o: memref<2x4x10x592xf16>, %l: memref<2x4x10xf32>) {
  // expected-error@below {{'attn.merge' op expected a head dim of at most 576, found 592}}
  attn.merge ins(%o, %l : memref<2x4x10x592xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x592xf16>)
  return
}
