// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER
// RUN: attn-opt %s -attn-check-arrays -canonicalize | FileCheck %s -check-prefix=SHAPES

// CHECK-LABEL: func.func @memory(
// CHECK: attn.summarize ins(%{{.+}} : memref<2x?x100xi1>) outs(%{{.+}} : memref<2x?x2x2xi32>){{$}}
// SHAPES-LABEL: func.func @memory(
// SHAPES: cf.assert %{{.+}}, "attn.summarize: expected equal numbers of cells in the array and the summary"
// SHAPES-NOT: cf.assert
func.func @memory(%m: memref<2x?x100xi1>, %s: memref<2x?x2x2xi32>) {
  attn.summarize ins(%m : memref<2x?x100xi1>) outs(%s : memref<2x?x2x2xi32>)
  return
}

!q = tensor<1x1x100x16xf16>
// CHECK-LABEL: func.func @bounds(
// CHECK: %[[S:.+]] = attn.summarize ins(%{{.+}} : tensor<?x?xi16>) outs(%{{.+}} : tensor<?x?x2xi32>) -> tensor<?x?x2xi32>
// CHECK: attn.read %{{.+}}[%{{.+}}, %{{.+}}] inbounds bounds(%{{.+}} : tensor<?x?x2xi32>) : tensor<?x?xi16>
// BUFFER-LABEL: func.func @bounds(
// BUFFER-NOT: tensor<
// BUFFER: attn.summarize ins(%{{.+}} : memref<?x?xi16, {{.+}}>) outs(%[[S:.+]] : memref<?x?x2xi32, {{.+}}>){{$}}
// BUFFER: captures(%{{.+}}, %[[S]] :
// BUFFER: bounds(%{{.+}} : memref<?x?x2xi32, {{.+}}>)
// SHAPES-LABEL: func.func @bounds(
// SHAPES: cf.assert %{{.+}}, "attn.attention: expected equal numbers of cells in capture 0 and its bounds, capture 1"
func.func @bounds(%q: !q, %m: tensor<?x?xi16>, %to: tensor<?x?x2xi32>, %o: !q) -> !q {
  %s = attn.summarize ins(%m : tensor<?x?xi16>) outs(%to : tensor<?x?x2xi32>) -> tensor<?x?x2xi32>
  %0 = attn.attention ins(%q, %q, %q : !q, !q, !q) captures(%m, %s : tensor<?x?xi16>, tensor<?x?x2xi32>)
      outs(%o : !q) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xi16>, %u: tensor<?x?x2xi32>):
      %c0 = arith.constant 0 : i16
      %1 = attn.read %t[%i, %j] inbounds bounds(%u : tensor<?x?x2xi32>) : tensor<?x?xi16>
      %2 = arith.cmpi ne, %1, %c0 : i16
      attn.yield %2 : i1
    } -> !q
  return %0 : !q
}
