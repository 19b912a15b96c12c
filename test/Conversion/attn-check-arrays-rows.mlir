// RUN: attn-opt %s -attn-check-arrays -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @static_sizes(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @static_sizes(%o: memref<2x4x8x16xf16>, %p: memref<2x4x8x16xf16>, %l: memref<2x4x8xf32>, %len: memref<2xi32>) {
  attn.merge ins(%o, %l : memref<2x4x8x16xf16>, memref<2x4x8xf32>) outs(%o : memref<2x4x8x16xf16>)
  attn.append ins(%o, %o : memref<2x4x8x16xf16>, memref<2x4x8x16xf16>)
      outs(%o, %p : memref<2x4x8x16xf16>, memref<2x4x8x16xf16>) lengths(%len : memref<2xi32>)
  return
}

// CHECK-LABEL: func.func @merge(
// CHECK-SAME: %[[O:[a-z0-9]+]]: memref<?x4x?x16xf16>, %[[L:[a-z0-9]+]]: memref<?x?x?xf32>
// CHECK: %[[B:.+]] = memref.dim %[[O]], %c0
// CHECK: %[[LB:.+]] = memref.dim %[[L]], %c0
// CHECK: %[[SAME:.+]] = arith.cmpi eq, %[[B]], %[[LB]]
// CHECK: cf.assert %[[SAME]], "attn.merge: expected equal batch sizes in output 0 and lse 0"
// CHECK: cf.assert %{{.+}}, "attn.merge: expected equal head counts in output 0 and lse 0"
// CHECK: cf.assert %{{.+}}, "attn.merge: expected equal lengths in output 0 and lse 0"
// CHECK: cf.assert %{{.+}}, "attn.merge: expected equal head counts in output 0 and sink"
// CHECK-NOT: cf.assert
func.func @merge(%o: memref<?x4x?x16xf16>, %l: memref<?x?x?xf32>, %sink: memref<?xf32>) {
  attn.merge ins(%o, %l : memref<?x4x?x16xf16>, memref<?x?x?xf32>) sink(%sink : memref<?xf32>)
      outs(%o : memref<?x4x?x16xf16>)
  return
}

// CHECK-LABEL: func.func @scales(
// CHECK: cf.assert %{{.+}}, "attn.merge: expected equal batch sizes in output 0 and the merged output"
// CHECK: cf.assert %{{.+}}, "attn.merge: expected equal batch sizes in output 0 and scale 0"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.+}}, "attn.merge: expected equal head counts in output 0 and output_scale"
// CHECK-NOT: cf.assert
func.func @scales(%o: memref<?x4x8x16xf8E4M3FN>, %l: memref<?x4x8xf32>, %a: memref<?x4xf32>, %b: memref<f32>,
                  %s: memref<1x?xf32>, %r: memref<?x4x8x16xf8E4M3FN>) {
  attn.merge ins(%o, %l, %o, %l : memref<?x4x8x16xf8E4M3FN>, memref<?x4x8xf32>, memref<?x4x8x16xf8E4M3FN>, memref<?x4x8xf32>)
      scales(%a, %b : memref<?x4xf32>, memref<f32>) with(output_scale %s : memref<1x?xf32>)
      outs(%r : memref<?x4x8x16xf8E4M3FN>)
  return
}

// CHECK-LABEL: func.func @append(
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal batch sizes in key and lengths"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal batch sizes in key and the key cache"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal batch sizes in the key cache and the value cache"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal head counts in key and the key cache"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal head counts in key and the value cache"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal lengths in the key cache and the value cache"
// CHECK-NOT: cf.assert
func.func @append(%k: memref<?x?x?x16xf16>, %kc: memref<?x?x?x16xf16>, %vc: memref<?x?x?x16xf16>, %len: memref<?xi32>) {
  attn.append ins(%k, %k : memref<?x?x?x16xf16>, memref<?x?x?x16xf16>)
      outs(%kc, %vc : memref<?x?x?x16xf16>, memref<?x?x?x16xf16>) lengths(%len : memref<?xi32>)
  return
}

// With pages, the pool's own first dimension.
// CHECK-LABEL: func.func @pages(
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal batch sizes in key and pages"
// CHECK-NOT: in key and the key cache"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal numbers of pages in the key cache and the value cache"
// CHECK: cf.assert %{{.+}}, "attn.append: expected equal page sizes in the key cache and the value cache"
func.func @pages(%k: memref<2x4x?x16xf16>, %kc: memref<?x4x?x16xf16>, %vc: memref<?x4x?x16xf16>, %len: memref<2xi32>, %t: memref<?x?xi32>) {
  attn.append ins(%k, %k : memref<2x4x?x16xf16>, memref<2x4x?x16xf16>) pages(%t : memref<?x?xi32>)
      outs(%kc, %vc : memref<?x4x?x16xf16>, memref<?x4x?x16xf16>) lengths(%len : memref<2xi32>)
  return
}
