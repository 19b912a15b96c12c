// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -canonicalize | FileCheck %s -check-prefix=CANON
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER

!o = tensor<2x4x100x64xf16>
!lse = tensor<2x4x100xf32>

// CHECK-LABEL: func.func @memrefs(
// CHECK: attn.merge ins(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : memref<?x?x?x80xbf16, strided<[?, ?, ?, 1]>>, memref<?x4x?xf32>,
// CHECK-SAME: sink(%{{.+}} : memref<4xf16>) outs(%{{.+}}, %{{.+}} : memref<2x?x?x80xf32>, memref<?x?x?xf32>)
// CHECK-SAME: {schedule = #attn.tiles<q = 32, kv = 64>}
func.func @memrefs(%o0: memref<?x?x?x80xbf16, strided<[?, ?, ?, 1]>>, %l0: memref<?x4x?xf32>,
                   %o1: memref<?x?x?x80xbf16>, %l1: memref<?x?x?xf32>, %sink: memref<4xf16>,
                   %o: memref<2x?x?x80xf32>, %l: memref<?x?x?xf32>) {
  attn.merge ins(%o0, %l0, %o1, %l1 : memref<?x?x?x80xbf16, strided<[?, ?, ?, 1]>>, memref<?x4x?xf32>,
                 memref<?x?x?x80xbf16>, memref<?x?x?xf32>)
      sink(%sink : memref<4xf16>)
      outs(%o, %l : memref<2x?x?x80xf32>, memref<?x?x?xf32>) {schedule = #attn.tiles<q = 32, kv = 64>}
  return
}

// A merge whose input is the result of another merge becomes one merge of all states.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-2: attn.merge
// CANON-LABEL: func.func @nested(
// CANON-SAME: %[[O:.+]]: tensor<2x4x100x64xf16>, %[[L0:.+]]: tensor<2x4x100xf32>, %[[L1:.+]]: tensor<2x4x100xf32>, %[[L2:.+]]: tensor<2x4x100xf32>
// CANON-NOT: attn.merge
// CANON: attn.merge ins(%[[O]], %[[L0]], %[[O]], %[[L1]], %[[O]], %[[L2]] :
// CANON-NOT: attn.merge
// BUFFER-LABEL: func.func @nested(
// BUFFER: attn.merge ins({{.*}} memref<2x4x100x64xf16{{.*}}) outs(%{{.+}}, %{{.+}} : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
// BUFFER-NOT: tensor<
func.func @nested(%o: !o, %l0: !lse, %l1: !lse, %l2: !lse) -> (!o, !lse) {
  %eo = tensor.empty() : !o
  %el = tensor.empty() : !lse
  %0:2 = attn.merge ins(%o, %l1, %o, %l2 : !o, !lse, !o, !lse) outs(%eo, %el : !o, !lse) -> !o, !lse
  %1:2 = attn.merge ins(%o, %l0, %0#0, %0#1 : !o, !lse, !o, !lse) outs(%eo, %el : !o, !lse) -> !o, !lse
  return %1#0, %1#1 : !o, !lse
}

// Merges stay apart if the inner one has a sink, or if its results have other uses.
// CANON-LABEL: func.func @apart(
// CANON-COUNT-4: attn.merge
func.func @apart(%o: !o, %l: !lse, %sink: tensor<4xf32>) -> (!o, !o, !lse) {
  %eo = tensor.empty() : !o
  %el = tensor.empty() : !lse
  %0:2 = attn.merge ins(%o, %l, %o, %l : !o, !lse, !o, !lse) sink(%sink : tensor<4xf32>)
      outs(%eo, %el : !o, !lse) -> !o, !lse
  %1 = attn.merge ins(%o, %l, %0#0, %0#1 : !o, !lse, !o, !lse) outs(%eo : !o) -> !o
  %2:2 = attn.merge ins(%o, %l, %o, %l : !o, !lse, !o, !lse) outs(%eo, %el : !o, !lse) -> !o, !lse
  %3 = attn.merge ins(%o, %l, %2#0, %2#1 : !o, !lse, !o, !lse) outs(%eo : !o) -> !o
  return %1, %3, %2#1 : !o, !o, !lse
}

// A sink and a state of -inf.
// CANON-LABEL: func.func @none(
// CANON-SAME: %[[O:.+]]: tensor<2x4x100x64xf16>, %[[L:.+]]: tensor<2x4x100xf32>
// CANON: attn.merge ins(%[[O]], %[[L]] : tensor<2x4x100x64xf16>, tensor<2x4x100xf32>) outs(
func.func @none(%o: !o, %l: !lse) -> !o {
  %sink = arith.constant dense<0xFF800000> : tensor<4xf32>
  %none = arith.constant dense<0xFF800000> : !lse
  %0 = attn.merge ins(%o, %none, %o, %l : !o, !lse, !o, !lse) sink(%sink : tensor<4xf32>)
      outs(%o : !o) -> !o
  return %0 : !o
}

// The last one stays.
// CANON-LABEL: func.func @last(
// CANON: arith.constant dense<0xFF800000>
// CANON: attn.merge
func.func @last(%o: !o) -> !o {
  %none = arith.constant dense<0xFF800000> : !lse
  %0 = attn.merge ins(%o, %none : !o, !lse) outs(%o : !o) -> !o
  return %0 : !o
}

// A scale of its own for each state, and one of the result; a scale's strides may be any.
// CHECK-LABEL: func.func @eight_bits(
// CHECK: attn.merge ins({{.*}}) scales(%{{.+}}, %{{.+}} : memref<f32>, memref<?x4xf32, strided<[1, ?]>>)
// CHECK-SAME: sink(%{{.+}} : memref<4xf32>) with(output_scale %{{.+}} : memref<1x?xf32>) outs(%{{.+}} : memref<2x?x?x64xf8E5M2>)
func.func @eight_bits(%o: memref<?x?x?x64xf8E4M3FN>, %l: memref<?x?x?xf32>, %s0: memref<f32>,
                      %s1: memref<?x4xf32, strided<[1, ?]>>, %sink: memref<4xf32>, %os: memref<1x?xf32>,
                      %r: memref<2x?x?x64xf8E5M2>) {
  attn.merge ins(%o, %l, %o, %l : memref<?x?x?x64xf8E4M3FN>, memref<?x?x?xf32>, memref<?x?x?x64xf8E4M3FN>, memref<?x?x?xf32>)
      scales(%s0, %s1 : memref<f32>, memref<?x4xf32, strided<[1, ?]>>) sink(%sink : memref<4xf32>)
      with(output_scale %os : memref<1x?xf32>) outs(%r : memref<2x?x?x64xf8E5M2>)
  return
}

// Results of other element types than the states'.
// CHECK-LABEL: func.func @other_results(
// CHECK-COUNT-3: attn.merge
func.func @other_results(%o: memref<2x4x9x64xf8E4M3FN>, %l: memref<2x4x9xf32>, %s: memref<f32>,
                         %b: memref<2x4x9x64xbf16>, %f: memref<2x4x9x64xf32>) {
  attn.merge ins(%o, %l : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>) scales(%s : memref<f32>)
      outs(%b : memref<2x4x9x64xbf16>)
  attn.merge ins(%b, %l : memref<2x4x9x64xbf16>, memref<2x4x9xf32>) with(output_scale %s : memref<f32>)
      outs(%o : memref<2x4x9x64xf8E4M3FN>)
  attn.merge ins(%o, %l : memref<2x4x9x64xf8E4M3FN>, memref<2x4x9xf32>) scales(%s : memref<f32>)
      outs(%f : memref<2x4x9x64xf32>)
  return
}

// The inner merge divides by the scale that the outer one multiplies with. A state of -inf goes with its scale.
!o8 = tensor<2x4x100x64xf8E4M3FN>
// CANON-LABEL: func.func @nested_scales(
// CANON-SAME: %[[O:.+]]: tensor<2x4x100x64xf8E4M3FN>, %[[L0:.+]]: tensor<2x4x100xf32>, %[[L1:.+]]: tensor<2x4x100xf32>, %[[L2:.+]]: tensor<2x4x100xf32>, %[[A:.+]]: tensor<f32>, %[[B:.+]]: tensor<2x4xf32>, %[[C:.+]]: tensor<f32>, %[[D:.+]]: tensor<f32>
// CANON-NOT: attn.merge
// CANON: attn.merge ins(%[[O]], %[[L0]], %[[O]], %[[L1]], %[[O]], %[[L2]] :
// CANON-SAME: scales(%[[A]], %[[B]], %[[C]] : tensor<f32>, tensor<2x4xf32>, tensor<f32>) with(output_scale %[[D]] : tensor<f32>)
// CANON-NOT: attn.merge
// BUFFER-LABEL: func.func @nested_scales(
// BUFFER-COUNT-2: attn.merge {{.*}} scales(%{{.+}}, %{{.+}} : memref<f32{{.*}}) with(output_scale %{{.+}} : memref<f32{{.*}}) outs(%{{.+}} : memref<2x4x100x64xf8E4M3FN>
func.func @nested_scales(%o: !o8, %l0: !lse, %l1: !lse, %l2: !lse, %a: tensor<f32>, %b: tensor<2x4xf32>,
                         %c: tensor<f32>, %d: tensor<f32>) -> (!o8, !lse) {
  %none = arith.constant dense<0xFF800000> : !lse
  %eo = tensor.empty() : !o8
  %el = tensor.empty() : !lse
  %0:2 = attn.merge ins(%o, %l1, %o, %none, %o, %l2 : !o8, !lse, !o8, !lse, !o8, !lse)
      scales(%b, %d, %c : tensor<2x4xf32>, tensor<f32>, tensor<f32>)
      with(output_scale %c : tensor<f32>) outs(%eo, %el : !o8, !lse) -> !o8, !lse
  %1:2 = attn.merge ins(%o, %l0, %0#0, %0#1 : !o8, !lse, !o8, !lse) scales(%a, %c : tensor<f32>, tensor<f32>)
      with(output_scale %d : tensor<f32>) outs(%eo, %el : !o8, !lse) -> !o8, !lse
  return %1#0, %1#1 : !o8, !lse
}

// Not by another scale.
// CANON-LABEL: func.func @apart_by_scale(
// CANON-COUNT-2: attn.merge
func.func @apart_by_scale(%o: !o8, %l: !lse, %a: tensor<f32>, %b: tensor<f32>) -> !o8 {
  %eo = tensor.empty() : !o8
  %el = tensor.empty() : !lse
  %0:2 = attn.merge ins(%o, %l, %o, %l : !o8, !lse, !o8, !lse) scales(%a, %a : tensor<f32>, tensor<f32>)
      with(output_scale %b : tensor<f32>) outs(%eo, %el : !o8, !lse) -> !o8, !lse
  %1 = attn.merge ins(%o, %l, %0#0, %0#1 : !o8, !lse, !o8, !lse) scales(%a, %a : tensor<f32>, tensor<f32>)
      with(output_scale %b : tensor<f32>) outs(%eo : !o8) -> !o8
  return %1 : !o8
}

// The output is not written where a state is still to be read.
// BUFFER-LABEL: func.func @in_place(
// BUFFER: %[[NEW:.+]] = memref.alloc
// BUFFER: attn.merge ins(%[[OLD:.+]], %{{.+}} : {{.*}}) outs(%[[NEW]] :
func.func @in_place(%o: !o {bufferization.writable = true}, %l: !lse) -> !o {
  %0 = attn.merge ins(%o, %l : !o, !lse) outs(%o : !o) -> !o
  return %0 : !o
}
