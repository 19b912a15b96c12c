// RUN: attn-opt %s -attn-expand-math | FileCheck %s

// CHECK-LABEL: func.func @expanded(
func.func @expanded(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  // CHECK-NOT: math.exp
  // CHECK-NOT: math.log
  // CHECK-NOT: math.tanh
  // CHECK: math.fma %{{.+}} : vector<16xf32>
  // CHECK-NOT: math.exp
  // CHECK-NOT: math.log
  // CHECK-NOT: math.tanh
  // CHECK: return
  %0 = math.exp %x : vector<16xf32>
  %1 = math.log %x : vector<16xf32>
  %2 = math.tanh %x : vector<16xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// The bits of n are added to the exponent of 2^f. NaN fails the comparison and
// is not below 0.
// CHECK-LABEL: func.func @exp2(
// CHECK-SAME:    %[[X:[^:]+]]: vector<16xf32>, %[[Y:[^:]+]]: f32)
func.func @exp2(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, f32) {
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<16xf32>
  // CHECK-DAG: %[[MIN:.+]] = arith.constant dense<-1.260000e+02> : vector<16xf32>
  // CHECK-DAG: %[[MAX:.+]] = arith.constant dense<1.280000e+02> : vector<16xf32>
  // CHECK-DAG: %[[MAGIC:.+]] = arith.constant dense<0x4B400000> : vector<16xf32>
  // CHECK-DAG: %[[SHIFT:.+]] = arith.constant dense<23> : vector<16xi32>
  // CHECK: %[[ABOVE:.+]] = arith.cmpf ogt, %[[X]], %[[MAX]]
  // CHECK: %[[C:.+]] = arith.select %[[ABOVE]], %[[MAX]], %[[X]]
  // CHECK: %[[SUM:.+]] = arith.addf %[[C]], %[[MAGIC]]
  // CHECK: %[[N:.+]] = arith.subf %[[SUM]], %[[MAGIC]]
  // CHECK: %[[F:.+]] = arith.subf %[[C]], %[[N]]
  // CHECK-COUNT-5: math.fma %{{.+}}, %[[F]], %{{.+}} : vector<16xf32>
  // CHECK: %[[P:.+]] = math.fma %{{.+}}, %[[F]], %{{.+}} : vector<16xf32>
  // CHECK: %[[SUMBITS:.+]] = arith.bitcast %[[SUM]]
  // CHECK: %[[E:.+]] = arith.shli %[[SUMBITS]], %[[SHIFT]]
  // CHECK: %[[PBITS:.+]] = arith.bitcast %[[P]]
  // CHECK: %[[BITS:.+]] = arith.addi %[[PBITS]], %[[E]]
  // CHECK: %[[R:.+]] = arith.bitcast %[[BITS]] : vector<16xi32> to vector<16xf32>
  // CHECK: %[[NEGATIVE:.+]] = arith.cmpf olt, %[[X]], %[[ZERO]]
  // CHECK: %[[REST:.+]] = arith.select %[[NEGATIVE]], %[[ZERO]], %[[X]]
  // CHECK: %[[NORMAL:.+]] = arith.cmpf oge, %[[X]], %[[MIN]]
  // CHECK: arith.select %[[NORMAL]], %[[R]], %[[REST]]
  // CHECK-NOT: math.exp2
  // CHECK: arith.bitcast %{{.+}} : i32 to f32
  // CHECK-NOT: math.exp2
  // CHECK: return
  %0 = math.exp2 %x : vector<16xf32>
  %1 = math.exp2 %y : f32
  return %0, %1 : vector<16xf32>, f32
}

// Classes are comparisons of |x|, with the bounds of its type.
// CHECK-LABEL: func.func @classes(
// CHECK-SAME:    %[[X:[^:]+]]: f16, %[[Y:[^:]+]]: vector<8xf64>)
func.func @classes(%x: f16, %y: vector<8xf64>) -> (i1, i1, i1, vector<8xi1>) {
  // CHECK-DAG: %[[INF:.+]] = arith.constant 0x7C00 : f16
  // CHECK-DAG: %[[YINF:.+]] = arith.constant dense<0x7FF0000000000000> : vector<8xf64>
  // CHECK-DAG: %[[YMIN:.+]] = arith.constant dense<2.2250738585072014E-308> : vector<8xf64>
  // CHECK: %[[A0:.+]] = math.absf %[[X]]
  // CHECK-NEXT: %[[FINITE:.+]] = arith.cmpf olt, %[[A0]], %[[INF]]
  // CHECK-NEXT: %[[A1:.+]] = math.absf %[[X]]
  // CHECK-NEXT: %[[ISINF:.+]] = arith.cmpf oeq, %[[A1]], %[[INF]]
  // CHECK-NEXT: %[[A2:.+]] = math.absf %[[X]]
  // CHECK-NEXT: %[[NAN:.+]] = arith.cmpf uno, %[[A2]], %[[INF]]
  // CHECK-NEXT: %[[A3:.+]] = math.absf %[[Y]]
  // CHECK-NEXT: %[[LARGE:.+]] = arith.cmpf oge, %[[A3]], %[[YMIN]]
  // CHECK-NEXT: %[[BELOW:.+]] = arith.cmpf olt, %[[A3]], %[[YINF]]
  // CHECK-NEXT: %[[NORMAL:.+]] = arith.andi %[[LARGE]], %[[BELOW]]
  // CHECK-NEXT: return %[[FINITE]], %[[ISINF]], %[[NAN]], %[[NORMAL]]
  %0 = math.isfinite %x : f16
  %1 = math.isinf %x : f16
  %2 = math.isnan %x : f16
  %3 = math.isnormal %y : vector<8xf64>
  return %0, %1, %2, %3 : i1, i1, i1, vector<8xi1>
}

// Ops without an expansion are left to the conversions that follow.
// CHECK-LABEL: func.func @left(
// CHECK-SAME:    %[[X:[^:]+]]: vector<16xf32>, %[[D:[^:]+]]: vector<8xf64>)
func.func @left(%x: vector<16xf32>, %d: vector<8xf64>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<8xf64>, vector<8xf64>) {
  // CHECK-NEXT: math.sqrt %[[X]] : vector<16xf32>
  // CHECK-NEXT: math.powf %[[X]], %[[X]] : vector<16xf32>
  // CHECK-NEXT: math.floor %[[X]] : vector<16xf32>
  // CHECK-NEXT: math.exp %[[D]] : vector<8xf64>
  // CHECK-NEXT: math.exp2 %[[D]] : vector<8xf64>
  // CHECK-NEXT: return
  %0 = math.sqrt %x : vector<16xf32>
  %1 = math.powf %x, %x : vector<16xf32>
  %2 = math.floor %x : vector<16xf32>
  %3 = math.exp %d : vector<8xf64>
  %4 = math.exp2 %d : vector<8xf64>
  return %0, %1, %2, %3, %4 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<8xf64>, vector<8xf64>
}

// A root may be infinite: its inverse is not estimated.
// CHECK-LABEL: func.func @roots(
func.func @roots(%x: vector<16xf32>, %y: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  // CHECK: arith.divf %{{.+}}, %{{.+}} fastmath<contract> : vector<16xf32>
  // CHECK: arith.divf %{{.+}}, %{{.+}} fastmath<arcp,contract> : vector<16xf32>
  %0 = math.sqrt %x : vector<16xf32>
  %1 = arith.divf %y, %0 fastmath<contract,arcp> : vector<16xf32>
  %2 = arith.divf %y, %x fastmath<contract,arcp> : vector<16xf32>
  return %1, %2 : vector<16xf32>, vector<16xf32>
}

// Functions of 16-bit floats are computed in f32: exp(x) - 1 in f16 would have no
// right digit near 0.
// CHECK-LABEL: func.func @halves(
// CHECK-SAME:    %[[X:[^:]+]]: f16, %[[Y:[^:]+]]: vector<8xbf16>)
func.func @halves(%x: f16, %y: vector<8xbf16>) -> (f16, vector<8xbf16>) {
  // CHECK: arith.extf %[[X]] : f16 to f32
  // CHECK-NOT: math.expm1
  // CHECK: arith.truncf %{{.+}} : f32 to f16
  // CHECK: %[[WIDE:.+]] = arith.extf %[[Y]] : vector<8xbf16> to vector<8xf32>
  // CHECK: %[[SINE:.+]] = math.sin %[[WIDE]] : vector<8xf32>
  // CHECK: arith.truncf %[[SINE]] : vector<8xf32> to vector<8xbf16>
  %0 = math.expm1 %x : f16
  %1 = math.sin %y : vector<8xbf16>
  return %0, %1 : f16, vector<8xbf16>
}
