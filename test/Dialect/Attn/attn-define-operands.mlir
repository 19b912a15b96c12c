// RUN: attn-opt %s -attn-define-operands -canonicalize -cse | FileCheck %s

// No division traps, and each has a value.

// CHECK-LABEL: func.func @signed(
// CHECK-SAME:    %[[X:.+]]: i32, %[[Y:.+]]: i32)
func.func @signed(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C2:.+]] = arith.constant 2 : i32
  // CHECK: %[[SUCCESSOR:.+]] = arith.addi %[[Y]], %[[C1]]
  // CHECK: %[[SPECIAL:.+]] = arith.cmpi ult, %[[SUCCESSOR]], %[[C2]]
  // CHECK: %[[DIVISOR:.+]] = arith.select %[[SPECIAL]], %[[C1]], %[[Y]]
  // CHECK: %[[Q:.+]] = arith.divsi %[[X]], %[[DIVISOR]]
  // CHECK: %[[PRODUCT:.+]] = arith.muli %[[X]], %[[Y]]
  // CHECK: %[[R0:.+]] = arith.select %[[SPECIAL]], %[[PRODUCT]], %[[Q]]
  // CHECK: %[[Q:.+]] = arith.ceildivsi %[[X]], %[[DIVISOR]]
  // CHECK: %[[R1:.+]] = arith.select %[[SPECIAL]], %[[PRODUCT]], %[[Q]]
  // CHECK: %[[Q:.+]] = arith.floordivsi %[[X]], %[[DIVISOR]]
  // CHECK: %[[R2:.+]] = arith.select %[[SPECIAL]], %[[PRODUCT]], %[[Q]]
  // CHECK: %[[R3:.+]] = arith.remsi %[[X]], %[[DIVISOR]]
  // CHECK: return %[[R0]], %[[R1]], %[[R2]], %[[R3]]
  %0 = arith.divsi %x, %y : i32
  %1 = arith.ceildivsi %x, %y : i32
  %2 = arith.floordivsi %x, %y : i32
  %3 = arith.remsi %x, %y : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME:    %[[X:.+]]: index, %[[Y:.+]]: index)
func.func @unsigned(%x: index, %y: index) -> (index, index, index) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
  // CHECK: %[[ZERO:.+]] = arith.cmpi eq, %[[Y]], %[[C0]]
  // CHECK: %[[DIVISOR:.+]] = arith.select %[[ZERO]], %[[C1]], %[[Y]]
  // CHECK: %[[Q:.+]] = arith.divui %[[X]], %[[DIVISOR]]
  // CHECK: %[[R0:.+]] = arith.select %[[ZERO]], %[[C0]], %[[Q]]
  // CHECK: %[[Q:.+]] = arith.ceildivui %[[X]], %[[DIVISOR]]
  // CHECK: %[[R1:.+]] = arith.select %[[ZERO]], %[[C0]], %[[Q]]
  // CHECK: %[[R2:.+]] = arith.remui %[[X]], %[[DIVISOR]]
  // CHECK: return %[[R0]], %[[R1]], %[[R2]]
  %0 = arith.divui %x, %y : index
  %1 = arith.ceildivui %x, %y : index
  %2 = arith.remui %x, %y : index
  return %0, %1, %2 : index, index, index
}

// Both values of a divisor of type i1 are special cases: 0, and 1, which is -1.
// CHECK-LABEL: func.func @bits(
// CHECK-SAME:    %[[X:.+]]: i1, %[[Y:.+]]: i1)
func.func @bits(%x: i1, %y: i1) -> (i1, i1) {
  // CHECK-DAG: %[[FALSE:.+]] = arith.constant false
  // CHECK-DAG: %[[PRODUCT:.+]] = arith.muli %[[X]], %[[Y]]
  // CHECK: return %[[PRODUCT]], %[[FALSE]]
  %0 = arith.floordivsi %x, %y : i1
  %1 = arith.remsi %x, %y : i1
  return %0, %1 : i1, i1
}

// Constants that are never special are left alone, in score regions too.
// CHECK-LABEL: func.func @constants(
func.func @constants(%q: memref<1x1x64x64xf16>) {
  // CHECK-NOT: arith.select
  // CHECK: arith.floordivsi
  // CHECK-NOT: arith.select
  // CHECK: arith.remui
  // CHECK-NOT: arith.select
  // CHECK: return
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %c7 = arith.constant 7 : index
      %minus1 = arith.constant -1 : index
      %0 = arith.floordivsi %i, %c7 : index
      %1 = arith.remui %0, %minus1 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f32
      attn.yield %3 : f32
  }
  return
}

// Constants that are special fold to their results.
// CHECK-LABEL: func.func @folded(
// CHECK-SAME:    %[[X:.+]]: i32)
func.func @folded(%x: i32) -> (i32, i32, i32, i32, i32) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
  // CHECK-DAG: %[[LOWEST:.+]] = arith.constant -2147483648 : i32
  // CHECK: return %[[C0]], %[[C0]], %[[C0]], %[[LOWEST]], %[[C0]]
  %c0 = arith.constant 0 : i32
  %minus1 = arith.constant -1 : i32
  %lowest = arith.constant -2147483648 : i32
  %0 = arith.divsi %x, %c0 : i32
  %1 = arith.remsi %x, %c0 : i32
  %2 = arith.ceildivui %x, %c0 : i32
  %3 = arith.divsi %lowest, %minus1 : i32
  %4 = arith.remsi %lowest, %minus1 : i32
  return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

// The angle of the origin, which folding would replace with a NaN.
// CHECK-LABEL: func.func @angles(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32)
func.func @angles(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32) {
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
  // CHECK-DAG: %[[PI:.+]] = arith.constant -3.14159274 : f32
  // CHECK-DAG: %[[ISZEROY:.+]] = arith.cmpf oeq, %[[Y]], %[[ZERO]]
  // CHECK-DAG: %[[ISZEROX:.+]] = arith.cmpf oeq, %[[X]], %[[ZERO]]
  // CHECK: %[[AREZERO:.+]] = arith.andi %[[ISZEROY]], %[[ISZEROX]]
  // CHECK: %[[UNIT:.+]] = math.copysign %[[ONE]], %[[X]]
  // CHECK: %[[SAFE:.+]] = arith.select %[[AREZERO]], %[[UNIT]], %[[X]]
  // CHECK: %[[ANY:.+]] = math.atan2 %[[Y]], %[[SAFE]]
  // CHECK: %[[TO1:.+]] = math.atan2 %[[Y]], %[[ONE]]
  // CHECK: return %[[ZERO]], %[[PI]], %[[ANY]], %[[TO1]]
  %zero = arith.constant 0.0 : f32
  %minusZero = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = math.atan2 %zero, %zero : f32
  %1 = math.atan2 %minusZero, %minusZero : f32
  %2 = math.atan2 %y, %x : f32
  %3 = math.atan2 %y, %one : f32
  %4 = math.atan2 %one, %x : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// Casts to fewer bits and back are not removed, which folding would do.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:[^:]+]]: index)
func.func @casts(%x: index) -> (index, index, index, index) {
  // CHECK: %[[WORD:.+]] = arith.index_cast %[[X]] : index to i64
  // CHECK: %[[BYTE:.+]] = arith.trunci %[[WORD]] : i64 to i8
  // CHECK: %[[A:.+]] = arith.index_cast %[[BYTE]] : i8 to index
  // CHECK: %[[HALF:.+]] = arith.trunci %[[WORD]] : i64 to i16
  // CHECK: %[[B:.+]] = arith.index_cast %[[HALF]] : i16 to index
  // CHECK: %[[WORDUI:.+]] = arith.index_castui %[[X]] : index to i64
  // CHECK: %[[INT:.+]] = arith.trunci %[[WORDUI]] : i64 to i32
  // CHECK: %[[C:.+]] = arith.index_castui %[[INT]] : i32 to index
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[X]]
  %0 = arith.index_cast %x : index to i8
  %1 = arith.index_cast %0 : i8 to index
  %2 = arith.index_cast %x : index to i16
  %3 = arith.extsi %2 : i16 to i64
  %4 = arith.index_cast %3 : i64 to index
  %5 = arith.index_castui %x : index to i32
  %6 = arith.index_castui %5 : i32 to index
  %7 = arith.index_cast %x : index to i64
  %8 = arith.index_cast %7 : i64 to index
  return %1, %4, %6, %8 : index, index, index, index
}

// Nor are casts between which later folding removes other ops. Views of memory are left alone.
// CHECK-LABEL: func.func @between(
// CHECK-SAME:    %[[X:[^:]+]]: index,
func.func @between(%x: index, %m: memref<4xindex>) -> (index, memref<4xi8>) {
  // CHECK: %[[WORD:.+]] = arith.index_cast %[[X]] : index to i64
  // CHECK: %[[BYTE:.+]] = arith.trunci %[[WORD]] : i64 to i8
  // CHECK: %[[A:.+]] = arith.index_cast %[[BYTE]] : i8 to index
  // CHECK: %[[M:.+]] = arith.index_cast %{{.+}} : memref<4xindex> to memref<4xi8>
  // CHECK: return %[[A]], %[[M]]
  %zero = arith.constant 0 : i8
  %0 = arith.index_cast %x : index to i8
  %1 = arith.addi %0, %zero : i8
  %2 = arith.index_cast %1 : i8 to index
  %3 = arith.index_cast %m : memref<4xindex> to memref<4xi8>
  return %2, %3 : index, memref<4xi8>
}

// Each position is below 2^31, so that i32 holds it.
// CHECK-LABEL: func.func @positions(
func.func @positions(%t: memref<1x1x16x16xf32>) {
  // CHECK: ^bb0(%{{.+}}: index, %{{.+}}: index, %[[I:.+]]: index, %[[J:.+]]: index):
  // CHECK-NEXT: %[[KEEP:.+]] = arith.cmpi sle, %[[J]], %[[I]] : index
  // CHECK-NEXT: attn.yield %[[KEEP]]
  attn.attention ins(%t, %t, %t : memref<1x1x16x16xf32>, memref<1x1x16x16xf32>, memref<1x1x16x16xf32>)
      outs(%t : memref<1x1x16x16xf32>) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index):
      %0 = arith.index_cast %j : index to i32
      %1 = arith.index_cast %0 : i32 to index
      %2 = arith.cmpi sle, %1, %i : index
      attn.yield %2 : i1
  }
  return
}
