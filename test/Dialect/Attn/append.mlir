// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER

// CHECK-LABEL: func.func @contiguous(
// CHECK: attn.append ins(%{{.+}}, %{{.+}} : memref<2x4x?x80xf32>, memref<2x4x?x48xf32>) outs(
// CHECK-SAME: lengths(%{{.+}} : memref<2xi32>)
func.func @contiguous(%k: memref<2x4x?x80xf32>, %v: memref<2x4x?x48xf32>, %kc: memref<2x4x100x80xf32>,
                      %vc: memref<2x4x100x48xf32>, %len: memref<2xi32>) {
  attn.append ins(%k, %v : memref<2x4x?x80xf32>, memref<2x4x?x48xf32>)
      outs(%kc, %vc : memref<2x4x100x80xf32>, memref<2x4x100x48xf32>) lengths(%len : memref<2xi32>)
  return
}

!k = memref<?x?x?x64xf16, strided<[?, ?, ?, 1]>>
!table = memref<?x24xf16>
// CHECK-LABEL: func.func @all(
// CHECK: query(%{{.+}} : memref<?x?x?x64xf16, strided<[?, ?, ?, 1]>>) counts(%{{.+}} : memref<?xi32>) pages(%{{.+}} : memref<?x?xi32>)
// CHECK-SAME: rotary(%{{.+}}, %{{.+}} : memref<?x24xf16>, memref<?x24xf16>) interleaved outs(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
// CHECK-SAME: lengths(%{{.+}} : memref<?xi32>)
func.func @all(%k: !k, %q: !k, %n: memref<?xi32>, %t: memref<?x?xi32>, %c: !table, %kc: !k, %vc: !k, %qo: !k,
               %len: memref<?xi32>) {
  attn.append ins(%k, %k : !k, !k) query(%q : !k) counts(%n : memref<?xi32>) pages(%t : memref<?x?xi32>)
      rotary(%c, %c : !table, !table) interleaved outs(%kc, %vc, %qo : !k, !k, !k) lengths(%len : memref<?xi32>)
  return
}

// Caches are updated in place if bufferisation allows it, and keep the elements that are not
// written; otherwise they are copied.
// CHECK-LABEL: func.func @tensors(
// CHECK: %{{.+}}:3 = attn.append ins(
// CHECK-SAME: -> tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>, tensor<2xi32>
// BUFFER-LABEL: func.func @tensors(
// BUFFER-SAME: %[[K:[a-z0-9]+]]: memref<2x4x1x64xf16
// BUFFER-SAME: %[[KC:[a-z0-9]+]]: memref<2x4x100x64xf16
// BUFFER-SAME: %[[VC:[a-z0-9]+]]: memref<2x4x100x64xf16
// BUFFER-SAME: %[[LEN:[a-z0-9]+]]: memref<2xi32
// BUFFER: %[[NEW:.+]] = memref.alloc() {{.*}}memref<2x4x100x64xf16>
// BUFFER: memref.copy %[[VC]], %[[NEW]]
// BUFFER: attn.append ins(%[[K]], %[[K]] : {{.*}} outs(%[[KC]], %[[NEW]] : {{.*}}) lengths(%[[LEN]] :
func.func @tensors(%k: tensor<2x4x1x64xf16>, %kc: tensor<2x4x100x64xf16> {bufferization.writable = true},
                   %vc: tensor<2x4x100x64xf16> {bufferization.writable = false},
                   %len: tensor<2xi32> {bufferization.writable = true})
    -> (tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>, tensor<2xi32>) {
  %r:3 = attn.append ins(%k, %k : tensor<2x4x1x64xf16>, tensor<2x4x1x64xf16>)
      outs(%kc, %vc : tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>) lengths(%len : tensor<2xi32>)
      -> tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>, tensor<2xi32>
  return %r#0, %r#1, %r#2 : tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>, tensor<2xi32>
}

// CHECK-LABEL: func.func @eight_bits(
// CHECK: attn.append ins(%{{.+}}, %{{.+}} : memref<?x8x1x128xbf16>, memref<?x8x1x128xbf16>) scales(%{{.+}}, %{{.+}} : memref<f32>, memref<1x8xf32>) outs(
func.func @eight_bits(%k: memref<?x8x1x128xbf16>, %ks: memref<f32>, %vs: memref<1x8xf32>, %k_cache: memref<?x8x100x128xf8E4M3FN>,
                      %v_cache: memref<?x8x100x128xi8>, %lengths: memref<?xi32>) {
  attn.append ins(%k, %k : memref<?x8x1x128xbf16>, memref<?x8x1x128xbf16>)
      scales(%ks, %vs : memref<f32>, memref<1x8xf32>)
      outs(%k_cache, %v_cache : memref<?x8x100x128xf8E4M3FN>, memref<?x8x100x128xi8>)
      lengths(%lengths : memref<?xi32>)
  return
}

// CHECK-LABEL: func.func @makes_scales(
// CHECK: makes_scales outs(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : memref<?x8x16x128xf8E4M3FN>, memref<?x8x16x128xi8>, memref<?x8x16xf32>, memref<?x8x16xf32>)
func.func @makes_scales(%k: memref<?x8x1x128xbf16>, %pages: memref<?x?xi32>, %k_cache: memref<?x8x16x128xf8E4M3FN>,
                        %v_cache: memref<?x8x16x128xi8>, %ks: memref<?x8x16xf32>, %vs: memref<?x8x16xf32>, %lengths: memref<?xi32>) {
  attn.append ins(%k, %k : memref<?x8x1x128xbf16>, memref<?x8x1x128xbf16>) pages(%pages : memref<?x?xi32>) makes_scales
      outs(%k_cache, %v_cache, %ks, %vs : memref<?x8x16x128xf8E4M3FN>, memref<?x8x16x128xi8>, memref<?x8x16xf32>, memref<?x8x16xf32>)
      lengths(%lengths : memref<?xi32>)
  return
}
