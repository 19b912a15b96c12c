// Arrays whose dynamic sizes contradict each other: one message, and nothing is read or written outside of an array.
// RUN: split-file %s %t
// RUN: not attnc run %t/past.mlir --raise random:1 random:2 random:3 --target host --shape=0=3x4x5x16 --shape=1=3x4x5x16 --shape=2=2x4x7x16 --shape=3=3x4x5x16 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not attnc run %t/present.mlir --raise random:1 random:2 random:3 --target host --shape=0=3x4x5x16 --shape=1=3x4x5x16 --shape=2=3x4x7x16 --shape=3=3x4x5x16 --shape=4=3x4x9x16 2>&1 | FileCheck %s --check-prefix=PRESENT

// PAST-NOT: fault
// PAST: attnc: error: tensor.concat: expected equal sizes in dimension 0 of argument 2 and dimension 0 of argument 1; argument 0 has sizes 3x4x5x16; argument 1 has sizes 3x4x5x16; argument 2 has sizes 2x4x7x16
// PAST-NOT: fault

// PRESENT: attnc: error: expected the size of dimension 2 of result 1 to be that which is computed for it; {{.*}}result 1 has sizes 3x4x9x16

//--- past.mlir
!q = tensor<?x4x?x16xf32>
func.func @main(%q: !q, %k: !q, %pk: !q) -> !q {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Attention"(%q, %k, %k, %none, %pk, %pk) : (!q, !q, !q, none, !q, !q) -> !q
  return %0 : !q
}

//--- present.mlir
!q = tensor<?x4x?x16xf32>
func.func @main(%q: !q, %k: !q, %pk: !q) -> (!q, !q) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:2 = "onnx.Attention"(%q, %k, %k, %none, %pk, %pk) : (!q, !q, !q, none, !q, !q) -> (!q, !q)
  return %0#0, %0#1 : !q, !q
}
