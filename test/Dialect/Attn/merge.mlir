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

// The output is not written where a state is still to be read.
// BUFFER-LABEL: func.func @in_place(
// BUFFER: %[[NEW:.+]] = memref.alloc
// BUFFER: attn.merge ins(%[[OLD:.+]], %{{.+}} : {{.*}}) outs(%[[NEW]] :
func.func @in_place(%o: !o {bufferization.writable = true}, %l: !lse) -> !o {
  %0 = attn.merge ins(%o, %l : !o, !lse) outs(%o : !o) -> !o
  return %0 : !o
}
