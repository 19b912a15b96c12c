// RUN: attn-opt %s -attn-define-operands | FileCheck %s
// RUN: attn-opt %s -attn-to-host | FileCheck %s --check-prefix=HOST

// An index that is no constant yet stays below the rank, whatever it folds to.

!t = memref<?x2x?x64xf16>

// CHECK-LABEL: func.func @any(
// CHECK-SAME:    %[[I:[^:]+]]: index)
// HOST: llvm.func @attn_any(
func.func @any(%q: !t, %k: !t, %v: !t, %o: !t, %i: index) {
  // CHECK: %[[LAST:.+]] = arith.constant 3 : index
  // CHECK: %[[INDEX:.+]] = arith.minui %[[I]], %[[LAST]]
  // CHECK: memref.dim %{{.+}}, %[[INDEX]]
  %length = memref.dim %q, %i : !t
  attn.attention ins(%q, %k, %v : !t, !t, !t) lengths(%length, %length) outs(%o : !t)
  return
}

// HOST: llvm.func @attn_folded(
func.func @folded(%q: !t, %k: !t, %v: !t, %o: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus1 = arith.subi %c0, %c1 : index
  %length = memref.dim %q, %minus1 : !t
  attn.attention ins(%q, %k, %v : !t, !t, !t) lengths(%length, %length) outs(%o : !t)
  return
}
