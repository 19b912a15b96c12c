// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER
// RUN: attn-opt %s -attn-check-arrays -canonicalize | FileCheck %s -check-prefix=SHAPES

// CHECK-LABEL: func.func @blocks(
// CHECK: attn.quantize ins(%{{.+}} : memref<2x?x?x64xf16>) block 32 outs(%{{.+}}, %{{.+}} : memref<2x?x?x64xf8E4M3FN>, memref<2x?x3xf32>){{$}}
// SHAPES-LABEL: func.func @blocks(
// SHAPES-DAG: cf.assert %{{.+}}, "attn.quantize: expected equal head counts in the array and what is stored"
// SHAPES-DAG: cf.assert %{{.+}}, "attn.quantize: expected equal lengths in the array and what is stored"
// SHAPES-DAG: cf.assert %{{.+}}, "attn.quantize: expected equal head counts in the array and the scale"
// SHAPES-DAG: cf.assert %{{.+}}, "attn.quantize: expected equal numbers of blocks of tokens in the array and the scale"
func.func @blocks(%x: memref<2x?x?x64xf16>, %stored: memref<2x?x?x64xf8E4M3FN>, %scale: memref<2x?x3xf32>) {
  attn.quantize ins(%x : memref<2x?x?x64xf16>) block 32 outs(%stored, %scale : memref<2x?x?x64xf8E4M3FN>, memref<2x?x3xf32>)
  return
}

// CHECK-LABEL: func.func @mean(
// CHECK: %{{.+}}:3 = attn.quantize ins(%{{.+}} : tensor<1x2x9x8xf32>) centered outs(%{{.+}} : tensor<1x2x9x8xi4>, tensor<f32>, tensor<1x2x1x8xf32>) -> tensor<1x2x9x8xi4>, tensor<f32>, tensor<1x2x1x8xf32>
// BUFFER-LABEL: func.func @mean(
// BUFFER-NOT: tensor<
// BUFFER: attn.quantize ins(%{{.+}} : memref<1x2x9x8xf32, {{.+}}>) centered outs(
func.func @mean(%x: tensor<1x2x9x8xf32>, %a: tensor<1x2x9x8xi4>, %b: tensor<f32>, %c: tensor<1x2x1x8xf32>)
    -> (tensor<1x2x9x8xi4>, tensor<f32>, tensor<1x2x1x8xf32>) {
  %0:3 = attn.quantize ins(%x : tensor<1x2x9x8xf32>) centered
      outs(%a, %b, %c : tensor<1x2x9x8xi4>, tensor<f32>, tensor<1x2x1x8xf32>) -> tensor<1x2x9x8xi4>, tensor<f32>, tensor<1x2x1x8xf32>
  return %0#0, %0#1, %0#2 : tensor<1x2x9x8xi4>, tensor<f32>, tensor<1x2x1x8xf32>
}

// Sizes of a given scale may be 1.
// CHECK-LABEL: func.func @given(
// CHECK: attn.quantize ins(%{{.+}} : memref<?x?x?x8xbf16>) scale(%{{.+}} : memref<1x?x1xf32>) outs(%{{.+}} : memref<?x?x?x8xi8>){{$}}
// SHAPES-LABEL: func.func @given(
// SHAPES-COUNT-4: cf.assert
// SHAPES-NOT: cf.assert
func.func @given(%x: memref<?x?x?x8xbf16>, %scale: memref<1x?x1xf32>, %stored: memref<?x?x?x8xi8>) {
  attn.quantize ins(%x : memref<?x?x?x8xbf16>) scale(%scale : memref<1x?x1xf32>) outs(%stored : memref<?x?x?x8xi8>)
  return
}
