// Arrays whose dynamic sizes contradict each other: one message, and nothing is read or written outside of an array.
// RUN: split-file %s %t
// RUN: not attnc run %t/past.mlir --raise random:1 random:2 random:3 --target host --shape=0=3x4x5x16 --shape=1=3x4x5x16 --shape=2=2x4x7x16 --shape=3=3x4x5x16 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not attnc run %t/present.mlir --raise random:1 random:2 random:3 --target host --shape=0=3x4x5x16 --shape=1=3x4x5x16 --shape=2=3x4x7x16 --shape=3=3x4x5x16 --shape=4=3x4x9x16 2>&1 | FileCheck %s --check-prefix=PRESENT
// RUN: not attnc run %t/mask.mlir --raise random:1 random:2 --target host --shape=0=3x4x5x16 --shape=1=3x1x4x5 --shape=2=3x4x5x16 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: not attnc run %t/mask.mlir --raise random:1 random:2 --target host --shape=0=3x4x5x16 --shape=1=3x1x5x6 --shape=2=3x4x5x16 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not attnc run %t/loop.mlir random:1 --target host --shape=0=4000 --shape=1=4 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not attnc run %t/inserted.mlir random:1 random:2 random:3 --target host --shape=0=8000 --shape=1=3 --shape=2=7000 --shape=3=8000 2>&1 | FileCheck %s --check-prefix=INSERTED
// RUN: not attnc run %t/negative.mlir random:1 -3 --target host --shape=0=10 --shape=2=10 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not attnc run %t/while.mlir random:1 --target host --shape=0=4000 --shape=1=4 2>&1 | FileCheck %s --check-prefix=LOOP

// PAST-NOT: fault
// PAST: attnc: error: tensor.concat: expected equal sizes in dimension 0 of argument 2 and dimension 0 of argument 1; argument 0 has sizes 3x4x5x16; argument 1 has sizes 3x4x5x16; argument 2 has sizes 2x4x7x16
// PAST-NOT: fault

// MASK: attnc: error: onnx.Attention: expected dimension 2 of attn_mask to be 1 or the number of rows; argument 0 has sizes 3x4x5x16; argument 1 has sizes 3x1x4x5
// KEYS: attnc: error: onnx.Attention: expected dimension 3 of attn_mask to be no more than the number of keys; argument 0 has sizes 3x4x5x16; argument 1 has sizes 3x1x5x6

// PRESENT: attnc: error: expected the size of dimension 2 of result 1 to be that which is computed for it; {{.*}}result 1 has sizes 3x4x9x16
// LOOP-NOT: fault
// LOOP: attnc: error: expected the size of dimension 0 of result 0 to be dimension 0 of argument 0; argument 0 has sizes 4000; result 0 has sizes 4

// INSERTED-NOT: fault
// INSERTED: attnc: error: tensor.insert_slice: expected dimension 0 of argument 1 to be the size of the slice; argument 0 has sizes 8000; argument 1 has sizes 3; argument 2 has sizes 7000

// NEGATIVE: attnc: error: tensor.extract_slice: expected dimension 0 of argument 0 to have the elements of a slice; argument 0 has sizes 10

//--- past.mlir
!q = tensor<?x4x?x16xf32>
func.func @main(%q: !q, %k: !q, %pk: !q) -> !q {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Attention"(%q, %k, %k, %none, %pk, %pk) : (!q, !q, !q, none, !q, !q) -> !q
  return %0 : !q
}

//--- mask.mlir
!q = tensor<?x4x?x16xf32>
!m = tensor<?x1x?x?xf32>
func.func @main(%q: !q, %m: !m) -> !q attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %0 = "onnx.Attention"(%q, %q, %q, %m) : (!q, !q, !q, !m) -> !q
  return %0 : !q
}

//--- present.mlir
!q = tensor<?x4x?x16xf32>
func.func @main(%q: !q, %k: !q, %pk: !q) -> (!q, !q) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:2 = "onnx.Attention"(%q, %k, %k, %none, %pk, %pk) : (!q, !q, !q, none, !q, !q) -> (!q, !q)
  return %0#0, %0#1 : !q, !q
}

//--- loop.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> tensor<?xf32> {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %1 = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

//--- inserted.mlir
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<?xf32>
  %y = tensor.extract %c[%c0] : tensor<?xf32>
  %z = arith.addf %x, %y : f32
  %n = tensor.dim %c, %c0 : tensor<?xf32>
  %0 = tensor.insert_slice %b into %a[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %1 = tensor.insert %z into %0[%c0] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

//--- negative.mlir
func.func @main(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %a[1] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

//--- while.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = tensor.extract %a[%c0] : tensor<?xf32>
  %0:2 = scf.while (%i = %c0, %t = %e) : (index, tensor<?xf32>) -> (tensor<?xf32>, index) {
    %1 = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    %2 = arith.cmpi slt, %i, %c0 : index
    scf.condition(%2) %1, %i : tensor<?xf32>, index
  } do {
  ^bb0(%t: tensor<?xf32>, %i: index):
    scf.yield %i, %t : index, tensor<?xf32>
  }
  return %0#0 : tensor<?xf32>
}
