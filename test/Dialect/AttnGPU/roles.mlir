// RUN: attn-opt %s | attn-opt --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// Programs of warpgroups, and the tiles of a CTA.

// CHECK-LABEL: func.func @roles(
func.func @roles() {
  // CHECK: attn_gpu.roles warpgroups [2, 1, 1] registers [208, 64, 24] elected [false, false, true] {
  // CHECK-NEXT: ^bb0(%[[A:.+]]: index):
  // CHECK-NEXT: arith.addi %[[A]], %[[A]]
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0(%[[B:.+]]: index):
  // CHECK-NEXT: arith.muli %[[B]], %[[B]]
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0(%{{.+}}: index):
  // CHECK-NEXT: }
  attn_gpu.roles warpgroups [2, 1, 1] registers [208, 64, 24] elected [false, false, true] {
  ^bb0(%a: index):
    %0 = arith.addi %a, %a : index
  }, {
  ^bb0(%b: index):
    %0 = arith.muli %b, %b : index
  }, {
  ^bb0(%c: index):
  }
  return
}

// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[COUNTERS:[^:]+]]: !llvm.ptr<1>)
func.func @tiles(%n: index, %counters: !llvm.ptr<1>) {
  // CHECK: attn_gpu.for_tiles %[[I:.+]] of %[[N]] {
  // CHECK-NEXT: arith.addi %[[I]], %[[N]]
  // CHECK-NEXT: }
  attn_gpu.for_tiles %i of %n {
    %0 = arith.addi %i, %n : index
  }
  // CHECK: attn_gpu.for_tiles %{{.+}} of %[[N]] counters %[[COUNTERS]] {
  attn_gpu.for_tiles %i of %n counters %counters {
  }
  // CHECK: attn_gpu.for_tiles %{{.+}} of %[[N]] counters %[[COUNTERS]] broadcast 4096 {
  // CHECK-NEXT: } {test.kept}
  attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
  } {test.kept}
  return
}
