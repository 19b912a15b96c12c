// RUN: attn-opt %s -split-input-file -attn-math-to-nvvm -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @exp(
func.func @exp(%x: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[C:.+]] = arith.constant dense<1.442695
  // CHECK: %[[S:.+]] = arith.mulf %{{.+}}, %[[C]]
  // CHECK: llvm.call_intrinsic "llvm.exp2"(%[[S]]) {{.*}}fastmathFlags = #llvm.fastmath<afn>
  // CHECK-NOT: math.
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @exp2(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>
func.func @exp2(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[S:.+]] = llvm.call_intrinsic "llvm.fma"(%[[X]],
  // CHECK-NEXT: llvm.call_intrinsic "llvm.exp2"(%[[S]]) {{.*}}fastmathFlags = #llvm.fastmath<afn>
  %0 = math.fma %x, %y, %y : vector<4xf32>
  %1 = math.exp2 %0 : vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-LABEL: func.func @table(
func.func @table(%x: f32, %y: f32) -> f32 {
  // CHECK: llvm.nvvm.lg2.approx.f
  %0 = math.log %x : f32
  // CHECK: "llvm.maxnum"
  %1 = arith.maxnumf %0, %y : f32
  // CHECK: "llvm.sqrt"
  %2 = math.sqrt %1 : f32
  // CHECK-NOT: math.tanh
  %3 = math.tanh %2 : f32
  return %3 : f32
}

// Classes are comparisons of |x|.
// CHECK-LABEL: func.func @classes(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>
func.func @classes(%x: vector<4xf32>)
    -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  // CHECK-DAG: %[[INF:.+]] = arith.constant dense<0x7F800000> : vector<4xf32>
  // CHECK-DAG: %[[MIN:.+]] = arith.constant dense<1.17549435E-38> : vector<4xf32>
  // CHECK: %[[A0:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[FINITE:.+]] = arith.cmpf olt, %[[A0]], %[[INF]]
  // CHECK-NEXT: %[[A1:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[ISINF:.+]] = arith.cmpf oeq, %[[A1]], %[[INF]]
  // CHECK-NEXT: %[[A2:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[NAN:.+]] = arith.cmpf uno, %[[A2]], %[[INF]]
  // CHECK-NEXT: %[[A3:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[LARGE:.+]] = arith.cmpf oge, %[[A3]], %[[MIN]]
  // CHECK-NEXT: %[[BELOW:.+]] = arith.cmpf olt, %[[A3]], %[[INF]]
  // CHECK-NEXT: %[[NORMAL:.+]] = arith.andi %[[LARGE]], %[[BELOW]]
  // CHECK-NEXT: return %[[FINITE]], %[[ISINF]], %[[NAN]], %[[NORMAL]]
  %0 = math.isfinite %x : vector<4xf32>
  %1 = math.isinf %x : vector<4xf32>
  %2 = math.isnan %x : vector<4xf32>
  %3 = math.isnormal %x : vector<4xf32>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// The angle is reduced to r = x - 2 pi n, where 2 pi has two parts, and sin(x) is computed as
// sin(|r|) with the sign of r. The error of the polynomial is a unit in the last place of 1, so the
// sine of a small negative number could be positive otherwise.
// CHECK-LABEL: func.func @sin(
// CHECK-SAME:    %[[X:[^:]+]]: f32)
func.func @sin(%x: f32) -> f32 {
  // CHECK: %[[TURNS:.+]] = llvm.call_intrinsic "llvm.fma"(%[[X]],
  // CHECK: %[[N:.+]] = llvm.call_intrinsic "llvm.floor"(%[[TURNS]])
  // CHECK: %[[R0:.+]] = llvm.call_intrinsic "llvm.fma"(%[[N]], %{{.+}}, %[[X]])
  // CHECK: %[[R:.+]] = llvm.call_intrinsic "llvm.fma"(%[[N]], %{{.+}}, %[[R0]])
  // CHECK: %[[MAGNITUDE:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[R]])
  // CHECK: %[[BOUNDED:.+]] = llvm.call_intrinsic "llvm.minimum"(%[[MAGNITUDE]], %{{.+}})
  // CHECK: arith.mulf %[[BOUNDED]],
  // CHECK: %[[NEGATIVE:.+]] = arith.negf %[[Y:.+]] : f32
  // CHECK: %[[BELOW:.+]] = arith.cmpf olt, %[[R]], %{{.+}}
  // CHECK: arith.select %[[BELOW]], %[[NEGATIVE]], %[[Y]]
  // CHECK-NOT: math.
  // CHECK: return
  %0 = math.sin %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @cos(
// CHECK-SAME:    %[[X:[^:]+]]: vector<2xf32>)
func.func @cos(%x: vector<2xf32>) -> vector<2xf32> {
  // CHECK: %[[TURNS:.+]] = llvm.call_intrinsic "llvm.fma"(%[[X]],
  // CHECK: %[[N:.+]] = llvm.call_intrinsic "llvm.floor"(%[[TURNS]])
  // CHECK: %[[R0:.+]] = llvm.call_intrinsic "llvm.fma"(%[[N]], %{{.+}}, %[[X]])
  // CHECK: %[[R:.+]] = llvm.call_intrinsic "llvm.fma"(%[[N]], %{{.+}}, %[[R0]])
  // CHECK: %[[MAGNITUDE:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[R]])
  // CHECK: %[[BOUNDED:.+]] = llvm.call_intrinsic "llvm.minimum"(%[[MAGNITUDE]], %{{.+}})
  // CHECK: arith.mulf %[[BOUNDED]],
  // CHECK-NOT: math.
  // CHECK: return
  %0 = math.cos %x : vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[LO:[^:]+]]: f32, %[[HI:[^:]+]]: f32)
func.func @clamp(%x: f32, %lo: f32, %hi: f32) -> f32 {
  // CHECK-NEXT: %[[RAISED:.+]] = llvm.call_intrinsic "llvm.maximum"(%[[X]], %[[LO]])
  // CHECK-NEXT: llvm.call_intrinsic "llvm.minimum"(%[[RAISED]], %[[HI]])
  %0 = math.clampf %x to [%lo, %hi] : f32
  return %0 : f32
}

// 1 - 2 / (1 + e^(2x)), and a polynomial of degree 9 where that cancels. If that is
// so for all of a vector and all lanes, the polynomial alone, in x where the other
// branch has it in 2 log2(e) x: LLVM would move the same instructions before both.
// CHECK-LABEL: func.func @tanh(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>, %[[Y:[^:]+]]: f32)
func.func @tanh(%x: vector<4xf32>, %y: f32) -> (vector<4xf32>, f32) {
  // CHECK-DAG: %[[BOUND:.+]] = arith.constant dense<5.500000e-01> : vector<4xf32>
  // CHECK-DAG: %[[BOUND1:.+]] = arith.constant 5.500000e-01 : f32
  // CHECK-DAG: %[[LANES:.+]] = arith.constant -1 : i32
  // CHECK-DAG: %[[TWO_LOG2E:.+]] = arith.constant dense<2.885390e+00> : vector<4xf32>
  // CHECK-DAG: %[[MINUS2:.+]] = arith.constant dense<-2.000000e+00> : vector<4xf32>
  // CHECK-DAG: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : vector<4xf32>
  // CHECK-DAG: %[[THIRD:.+]] = arith.constant dense<-0.33332{{[0-9]*}}> : vector<4xf32>
  // CHECK-NOT: "llvm.tanh"
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.fabs"
  // CHECK: llvm.call_intrinsic "llvm.maxnum"
  // CHECK-NEXT: llvm.call_intrinsic "llvm.maxnum"
  // CHECK-NEXT: %[[LARGEST:.+]] = llvm.call_intrinsic "llvm.maxnum"
  // CHECK-NEXT: %[[IS_SMALL:.+]] = arith.cmpf olt, %[[LARGEST]], %[[BOUND1]]
  // CHECK-NEXT: %[[ARE_SMALL:.+]] = nvvm.vote.sync all %[[LANES]], %[[IS_SMALL]]
  // CHECK-NEXT: %[[VECTOR:.+]] = scf.if %[[ARE_SMALL]]
  // CHECK-NEXT: %[[SQUARE:.+]] = arith.mulf %[[X]], %[[X]]
  // CHECK-NEXT: %[[P0:.+]] = llvm.call_intrinsic "llvm.fma"(%{{.+}}, %[[SQUARE]], %{{.+}})
  // CHECK-NEXT: %[[P1:.+]] = llvm.call_intrinsic "llvm.fma"(%[[P0]], %[[SQUARE]], %{{.+}})
  // CHECK-NEXT: %[[P2:.+]] = llvm.call_intrinsic "llvm.fma"(%[[P1]], %[[SQUARE]], %[[THIRD]])
  // CHECK-NEXT: %[[P3:.+]] = llvm.call_intrinsic "llvm.fma"(%[[P2]], %[[SQUARE]], %[[ONE]])
  // CHECK-NEXT: %[[SMALL:.+]] = arith.mulf %[[X]], %[[P3]]
  // CHECK-NEXT: scf.yield %[[SMALL]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[EXPONENT:.+]] = arith.mulf %[[X]], %[[TWO_LOG2E]]
  // CHECK-NEXT: %[[SQUARE:.+]] = arith.mulf %[[EXPONENT]], %[[EXPONENT]]
  // CHECK-NEXT: %[[P0:.+]] = llvm.call_intrinsic "llvm.fma"(%{{.+}}, %[[SQUARE]], %{{.+}})
  // CHECK-NEXT: %[[P1:.+]] = llvm.call_intrinsic "llvm.fma"(%[[P0]], %[[SQUARE]], %{{.+}})
  // CHECK-NEXT: %[[P2:.+]] = llvm.call_intrinsic "llvm.fma"(%[[P1]], %[[SQUARE]], %{{.+}})
  // CHECK-NEXT: %[[P3:.+]] = llvm.call_intrinsic "llvm.fma"(%[[P2]], %[[SQUARE]], %{{.+}})
  // CHECK-NEXT: %[[SMALL:.+]] = arith.mulf %[[EXPONENT]], %[[P3]]
  // CHECK-NEXT: %[[POWER:.+]] = llvm.call_intrinsic "llvm.exp2"(%[[EXPONENT]]) {{.*}}fastmathFlags = #llvm.fastmath<afn>
  // CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[POWER]], %[[ONE]]
  // CHECK-NEXT: %[[INVERSE:.+]] = arith.divf %[[ONE]], %[[SUM]] fastmath<afn>
  // CHECK-NEXT: %[[LARGE:.+]] = llvm.call_intrinsic "llvm.fma"(%[[INVERSE]], %[[MINUS2]], %[[ONE]])
  // CHECK-NEXT: %[[ABS:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[IS_SMALL:.+]] = arith.cmpf olt, %[[ABS]], %[[BOUND]]
  // CHECK-NEXT: %[[ELSE:.+]] = arith.select %[[IS_SMALL]], %[[SMALL]], %[[LARGE]]
  // CHECK-NEXT: scf.yield %[[ELSE]]
  %0 = math.tanh %x : vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.exp2"(%{{.+}}) {{.*}} : (f32) -> f32
  // CHECK: %[[ABS:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[Y]])
  // CHECK-NEXT: %[[IS_SMALL:.+]] = arith.cmpf olt, %[[ABS]], %[[BOUND1]]
  // CHECK-NEXT: %[[SCALAR:.+]] = arith.select %[[IS_SMALL]], %{{.+}}, %{{.+}} : f32
  // CHECK-NEXT: return %[[VECTOR]], %[[SCALAR]]
  %1 = math.tanh %y : f32
  return %0, %1 : vector<4xf32>, f32
}

// The series is one in what x is a constant multiple of, where that may be reassociated.
// CHECK-LABEL: func.func @tanh_of_multiple(
// CHECK-SAME:    %[[S:[^:]+]]: vector<4xf32>)
func.func @tanh_of_multiple(%s: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  // CHECK-DAG: %[[BOUND:.+]] = arith.constant 4.400000e+00 : f32
  // CHECK-DAG: %[[EIGHTH:.+]] = arith.constant dense<1.250000e-01> : vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.fabs"(%{{.+}})
  // CHECK: arith.cmpf olt, %{{.+}}, %[[BOUND]]
  // CHECK: scf.if
  // CHECK-NEXT: %[[SQUARE:.+]] = arith.mulf %[[S]], %[[S]]
  // CHECK: %[[SUM:.+]] = llvm.call_intrinsic "llvm.fma"(%{{.+}}, %[[SQUARE]], %[[EIGHTH]])
  // CHECK-NEXT: %[[SMALL:.+]] = arith.mulf %[[S]], %[[SUM]]
  // CHECK-NEXT: scf.yield %[[SMALL]]
  %half = arith.constant dense<0.5> : vector<4xf32>
  %four = arith.constant dense<4.0> : vector<4xf32>
  %0 = arith.mulf %s, %half fastmath<reassoc> : vector<4xf32>
  %1 = arith.divf %0, %four fastmath<reassoc,arcp> : vector<4xf32>
  %2 = math.tanh %1 : vector<4xf32>
  // CHECK: %[[PRODUCT:.+]] = arith.mulf %[[S]], %{{.+}} : vector<4xf32>
  // CHECK: scf.if
  // CHECK-NEXT: arith.mulf %[[PRODUCT]], %[[PRODUCT]]
  %3 = arith.mulf %s, %four : vector<4xf32>
  %4 = math.tanh %3 : vector<4xf32>
  return %2, %4 : vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @approximate_tanh(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>, %[[Y:[^:]+]]: f32)
func.func @approximate_tanh(%x: vector<4xf32>, %y: f32) -> (vector<4xf32>, f32) {
  // CHECK-NEXT: %[[VECTOR:.+]] = llvm.call_intrinsic "llvm.tanh"(%[[X]]) {fastmathFlags = #llvm.fastmath<afn>} : (vector<4xf32>) -> vector<4xf32>
  %0 = math.tanh %x fastmath<afn> : vector<4xf32>
  // CHECK-NEXT: %[[SCALAR:.+]] = llvm.call_intrinsic "llvm.tanh"(%[[Y]]) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  %1 = math.tanh %y fastmath<afn> : f32
  // CHECK-NEXT: return %[[VECTOR]], %[[SCALAR]]
  return %0, %1 : vector<4xf32>, f32
}

// CHECK-LABEL: func.func @inverted_divisors(
// CHECK-SAME:    %[[X:[^:]+]]: vector<2xf32>, %[[Y:[^:]+]]: vector<2xf32>, %[[A:[^:]+]]: f32, %[[B:[^:]+]]: f32)
func.func @inverted_divisors(%x: vector<2xf32>, %y: vector<2xf32>, %a: f32, %b: f32) -> (vector<2xf32>, f32) {
  // CHECK-DAG: %[[X0:.+]] = vector.extract %[[X]][0]
  // CHECK-DAG: %[[Y0:.+]] = vector.extract %[[Y]][0]
  // CHECK: %[[Q0:.+]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X0]], %[[Y0]]) : (f32, f32) -> f32
  // CHECK-DAG: %[[X1:.+]] = vector.extract %[[X]][1]
  // CHECK-DAG: %[[Y1:.+]] = vector.extract %[[Y]][1]
  // CHECK: %[[Q1:.+]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X1]], %[[Y1]])
  // CHECK-NEXT: %[[VECTOR:.+]] = vector.from_elements %[[Q0]], %[[Q1]]
  %0 = arith.divf %x, %y fastmath<arcp> : vector<2xf32>
  // CHECK-NEXT: %[[SCALAR:.+]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[A]], %[[B]])
  %1 = arith.divf %a, %b fastmath<contract,arcp> : f32
  // CHECK-NEXT: return %[[VECTOR]], %[[SCALAR]]
  return %0, %1 : vector<2xf32>, f32
}

// Constants, exact quotients and approximate ones are LLVM's.
// CHECK-LABEL: func.func @other_divisions(
func.func @other_divisions(%x: vector<2xf32>, %y: vector<2xf32>, %a: f32, %b: f32) -> (vector<2xf32>, f32, f32, vector<2xf32>) {
  // CHECK-NOT: div.full
  // CHECK: arith.divf %{{.+}} fastmath<arcp> : vector<2xf32>
  // CHECK-NEXT: arith.divf %{{.+}} fastmath<arcp> : f32
  // CHECK-NEXT: arith.divf %{{[^ ]+}}, %{{[^ ]+}} : f32
  // CHECK-NEXT: arith.divf %{{.+}} fastmath<arcp,afn> : vector<2xf32>
  // CHECK-NEXT: return
  %cs = arith.constant dense<3.0> : vector<2xf32>
  %c = arith.constant 3.0 : f32
  %0 = arith.divf %x, %cs fastmath<arcp> : vector<2xf32>
  %1 = arith.divf %a, %c fastmath<arcp> : f32
  %2 = arith.divf %a, %b : f32
  %3 = arith.divf %x, %y fastmath<arcp,afn> : vector<2xf32>
  return %0, %1, %2, %3 : vector<2xf32>, f32, f32, vector<2xf32>
}

// Pairs are rounded to words.
// CHECK-LABEL: func.func @round_pairs(
// CHECK-SAME:    %[[X:[^:]+]]: vector<4xf32>, %[[Y:[^:]+]]: vector<3xf32>)
func.func @round_pairs(%x: vector<4xf32>, %y: vector<3xf32>) -> (vector<4xbf16>, vector<4xf16>, vector<3xf16>) {
  // CHECK-DAG: %[[X0:.+]] = vector.extract %[[X]][0]
  // CHECK-DAG: %[[X1:.+]] = vector.extract %[[X]][1]
  // CHECK: %[[PAIR:.+]] = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%[[X1]], %[[X0]]) : (f32, f32) -> vector<2xbf16>
  // CHECK-NEXT: %[[WORD0:.+]] = llvm.bitcast %[[PAIR]] : vector<2xbf16> to i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"
  // CHECK-NEXT: %[[WORD1:.+]] = llvm.bitcast
  // CHECK-NEXT: %[[WORDS:.+]] = vector.from_elements %[[WORD0]], %[[WORD1]] : vector<2xi32>
  // CHECK-NEXT: vector.bitcast %[[WORDS]] : vector<2xi32> to vector<4xbf16>
  %0 = arith.truncf %x : vector<4xf32> to vector<4xbf16>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"
  %1 = arith.truncf %x : vector<4xf32> to vector<4xf16>
  // CHECK: arith.truncf %[[Y]]
  %2 = arith.truncf %y : vector<3xf32> to vector<3xf16>
  return %0, %1, %2 : vector<4xbf16>, vector<4xf16>, vector<3xf16>
}

// -----

// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[N:[^:]+]]: vector<4xi32>
func.func @others(%x: f32, %n: vector<4xi32>) -> (f32, vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  // CHECK: "llvm.sqrt"(%[[X]])
  // CHECK-NOT: math.
  %0 = math.rsqrt %x : f32
  // CHECK-DAG: %[[NEGATED:.+]] = arith.subi %{{.+}}, %[[N]]
  // CHECK-DAG: arith.maxsi %[[N]], %[[NEGATED]]
  %1 = math.absi %n : vector<4xi32>
  // CHECK-COUNT-2: "llvm.ctpop"
  %2 = math.ctpop %n : vector<4xi32>
  %3 = math.cttz %n : vector<4xi32>
  // CHECK-NOT: math.
  %4 = math.ctlz %n : vector<4xi32>
  return %0, %1, %2, %3, %4 : f32, vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
}

// -----

// Numbers of type index are computed as i64.
// CHECK-LABEL: func.func @magnitude(
// CHECK-SAME:    %[[N:[^:]+]]: index)
func.func @magnitude(%n: index) -> index {
  // CHECK: %[[WORD:.+]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[NEGATED:.+]] = arith.subi %{{.+}}, %[[WORD]] : i64
  // CHECK: %[[LARGER:.+]] = arith.maxsi %[[WORD]], %[[NEGATED]] : i64
  // CHECK: %[[RESULT:.+]] = arith.index_cast %[[LARGER]] : i64 to index
  // CHECK: return %[[RESULT]]
  %0 = math.absi %n : index
  return %0 : index
}

// -----

// The sum whose logarithm is taken has positive terms alone.
// CHECK-LABEL: func.func @asinh(
// CHECK-SAME:    %[[X:[^:]+]]: f32)
func.func @asinh(%x: f32) -> f32 {
  // CHECK: %[[MAGNITUDE:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK: "llvm.sqrt"
  // CHECK: %[[LOG:.+]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[MAGNITUDE]])
  // CHECK: %[[IS_LARGE:.+]] = arith.cmpf ogt, %[[MAGNITUDE]], %{{.+}}
  // CHECK: %[[RESULT:.+]] = arith.select %[[IS_LARGE]], %{{.+}}, %{{.+}}
  // CHECK: %[[SIGNED:.+]] = llvm.call_intrinsic "llvm.copysign"(%[[RESULT]], %[[X]])
  // CHECK: return %[[SIGNED]]
  %0 = math.asinh %x : f32
  return %0 : f32
}

// -----

// A power is that of the magnitude, with a sign.
// CHECK-LABEL: func.func @power(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32)
func.func @power(%x: f32, %y: f32) -> f32 {
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
  // CHECK-DAG: %[[HALF:.+]] = arith.constant 5.000000e-01 : f32
  // CHECK-DAG: %[[NAN:.+]] = arith.constant 0x7FC00000 : f32
  // CHECK: %[[MAGNITUDE:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK: %[[LOG:.+]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[MAGNITUDE]])
  // CHECK: %[[EXPONENT:.+]] = arith.mulf %[[Y]], %[[LOG]]
  // CHECK: %[[SOME:.+]] = llvm.call_intrinsic "llvm.exp2"(%[[EXPONENT]])
  // CHECK: %[[IS_ONE:.+]] = arith.cmpf oeq, %[[MAGNITUDE]], %[[ONE]]
  // CHECK: %[[POSITIVE:.+]] = arith.select %[[IS_ONE]], %[[ONE]], %[[SOME]]
  // CHECK: %[[HALVED:.+]] = arith.mulf %[[Y]], %[[HALF]]
  // CHECK: arith.cmpf une, %{{.+}}, %[[HALVED]]
  // CHECK: %[[IS_ODD:.+]] = arith.andi
  // CHECK: %[[SIGNED:.+]] = llvm.call_intrinsic "llvm.copysign"(%[[POSITIVE]], %[[X]])
  // CHECK: %[[EITHER:.+]] = arith.select %[[IS_ODD]], %[[SIGNED]], %[[POSITIVE]]
  // CHECK: arith.cmpf une, %{{.+}}, %[[Y]]
  // CHECK: %[[DEFINED:.+]] = arith.select %{{.+}}, %[[NAN]], %[[EITHER]]
  // CHECK: %[[IS_ZERO:.+]] = arith.cmpf oeq, %[[Y]], %[[ZERO]]
  // CHECK: %[[RESULT:.+]] = arith.select %[[IS_ZERO]], %[[ONE]], %[[DEFINED]]
  // CHECK: return %[[RESULT]]
  %0 = math.powf %x, %y : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: func.func @constant_powers(
// CHECK-SAME:    %[[X:[^:]+]]: f32)
func.func @constant_powers(%x: f32) -> (f32, f32) {
  %three = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  // CHECK: %[[SQUARE:.+]] = arith.mulf %[[X]], %[[X]]
  // CHECK: arith.mulf %[[SQUARE]], %[[X]]
  %0 = math.powf %x, %three : f32
  // CHECK: %[[MAGNITUDE:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK: "llvm.nvvm.lg2.approx.f"(%[[MAGNITUDE]])
  // CHECK: "llvm.copysign"(%{{.+}}, %[[X]])
  // CHECK: return
  %1 = math.powf %x, %five : f32
  return %0, %1 : f32, f32
}

// -----

// CHECK-LABEL: func.func @integer_power(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[N:[^:]+]]: index)
func.func @integer_power(%x: f32, %n: index) -> f32 {
  // CHECK: %[[WORD:.+]] = arith.index_cast %[[N]] : index to i64
  // CHECK: arith.sitofp %[[WORD]] : i64 to f32
  // CHECK: "llvm.copysign"(%{{.+}}, %[[X]])
  // CHECK-NOT: math.
  // CHECK: return
  %0 = math.fpowi %x, %n : f32, index
  return %0 : f32
}

// -----

// CHECK-LABEL: func.func @populations(
// CHECK-SAME:    %[[N:[^:]+]]: index, %[[V:[^:]+]]: vector<2xindex>)
func.func @populations(%n: index, %v: vector<2xindex>) -> (index, vector<2xindex>, vector<2xindex>) {
  // CHECK-NOT: math.
  // CHECK: %[[WORD:.+]] = arith.index_cast %[[N]] : index to i64
  // CHECK: "llvm.ctpop"(%[[WORD]]) : (i64) -> i64
  // CHECK: %[[WORDS:.+]] = arith.index_cast %[[V]] : vector<2xindex> to vector<2xi64>
  // CHECK: "llvm.ctpop"(%{{.+}}) : (vector<2xi64>) -> vector<2xi64>
  // CHECK-NOT: math.
  // CHECK: return
  %0 = math.ctpop %n : index
  %1 = math.cttz %v : vector<2xindex>
  %2 = math.ctlz %v : vector<2xindex>
  return %0, %1, %2 : index, vector<2xindex>, vector<2xindex>
}

// -----

// The remainder is x - n y for the nearest integer n, and |y| is added to it if its sign is not
// that of x. It is 0 if it is not less than |y|, and a small x is the remainder.
// CHECK-LABEL: func.func @remainder(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32)
func.func @remainder(%x: f32, %y: f32) -> f32 {
  // CHECK: %[[Q:.+]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]], %[[Y]])
  // CHECK-NEXT: %[[N:.+]] = llvm.call_intrinsic "llvm.rint"(%[[Q]])
  // CHECK-NEXT: %[[MINUS:.+]] = arith.negf %[[N]]
  // CHECK-NEXT: %[[REST:.+]] = llvm.call_intrinsic "llvm.fma"(%[[MINUS]], %[[Y]], %[[X]])
  // CHECK-NEXT: %[[SIZE:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[Y]])
  // CHECK-NEXT: %[[CHANGE:.+]] = llvm.call_intrinsic "llvm.copysign"(%[[SIZE]], %[[X]])
  // CHECK-NEXT: %[[SIGNED:.+]] = llvm.call_intrinsic "llvm.copysign"(%[[REST]], %[[X]])
  // CHECK-NEXT: %[[SAME:.+]] = arith.cmpf oeq, %[[SIGNED]], %[[REST]]
  // CHECK-NEXT: %[[OTHER:.+]] = arith.addf %[[REST]], %[[CHANGE]] : f32
  // CHECK-NEXT: %[[FIXED:.+]] = arith.select %[[SAME]], %[[SIGNED]], %[[OTHER]]
  // CHECK-NEXT: %[[OFR:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[FIXED]])
  // CHECK-NEXT: %[[OUTSIDE:.+]] = arith.cmpf oge, %[[OFR]], %[[SIZE]]
  // CHECK-NEXT: %[[NONE:.+]] = llvm.call_intrinsic "llvm.copysign"(%{{.+}}, %[[X]])
  // CHECK-NEXT: %[[INSIDE:.+]] = arith.select %[[OUTSIDE]], %[[NONE]], %[[FIXED]]
  // CHECK-NEXT: %[[OFX:.+]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK-NEXT: %[[SMALL:.+]] = arith.cmpf olt, %[[OFX]], %[[SIZE]]
  // CHECK-NEXT: %[[R:.+]] = arith.select %[[SMALL]], %[[X]], %[[INSIDE]]
  // CHECK-NEXT: return %[[R]]
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}

// -----

// Functions of 16-bit floats are computed in f32.
// CHECK-LABEL: func.func @halves(
// CHECK-SAME:    %[[X:[^:]+]]: f16, %[[Y:[^:]+]]: vector<2xbf16>)
func.func @halves(%x: f16, %y: vector<2xbf16>) -> (f16, vector<2xbf16>, f16) {
  // CHECK: %[[WIDE:.+]] = arith.extf %[[X]] : f16 to f32
  // CHECK: %[[PRODUCT:.+]] = arith.mulf %[[WIDE]], %{{.+}} : f32
  // CHECK: %[[POWER:.+]] = llvm.call_intrinsic "llvm.exp2"(%[[PRODUCT]])
  // CHECK: arith.truncf %[[POWER]] : f32 to f16
  // CHECK: arith.extf %[[Y]] : vector<2xbf16> to vector<2xf32>
  // CHECK-COUNT-2: "llvm.nvvm.lg2.approx.f"
  // CHECK: "llvm.nvvm.ff2bf16x2.rn"
  // CHECK-NOT: math.
  // An instruction of 16 bits is left as it is.
  // CHECK: "llvm.sqrt"(%[[X]]) : (f16) -> f16
  %0 = math.exp %x : f16
  %1 = math.log2 %y : vector<2xbf16>
  %2 = math.sqrt %x : f16
  return %0, %1, %2 : f16, vector<2xbf16>, f16
}

// -----

func.func @wide_floats(%x: f128) -> f32 {
  // expected-error@below {{'arith.truncf' has no lowering for the GPU}}
  %0 = arith.truncf %x : f128 to f32
  return %0 : f32
}

// -----

func.func @other_floats(%x: vector<4xf8E4M3FNUZ>) -> vector<4xf32> {
  // expected-error@below {{'arith.extf' has no lowering for the GPU}}
  %0 = arith.extf %x : vector<4xf8E4M3FNUZ> to vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @wide_integers(%n: i65) -> (f32, i65) {
  %0 = arith.muli %n, %n : i65
  // expected-error@below {{'arith.sitofp' has no lowering for the GPU}}
  %1 = arith.sitofp %0 : i65 to f32
  return %1, %0 : f32, i65
}

// -----

func.func @to_wide_integers(%x: f32) -> i128 {
  // expected-error@below {{'arith.fptoui' has no lowering for the GPU}}
  %0 = arith.fptoui %x : f32 to i128
  return %0 : i128
}

// -----

// Vectors are divided element by element.
// CHECK-LABEL: func.func @remainders(
func.func @remainders(%x: vector<2xf32>, %y: vector<2xf32>) -> vector<2xf32> {
  // CHECK-COUNT-2: "llvm.nvvm.div.full"
  // CHECK: "llvm.fma"{{.+}}vector<2xf32>
  // CHECK-NOT: arith.remf
  %0 = arith.remf %x, %y : vector<2xf32>
  return %0 : vector<2xf32>
}

// -----

func.func @none(%x: f64, %y: f64) -> f64 {
  // expected-error@below {{'arith.remf' has no lowering for the GPU}}
  %0 = arith.remf %x, %y : f64
  return %0 : f64
}

// -----

// An integer power of a 16-bit float is computed in f32.
// CHECK-LABEL: func.func @power_of_half(
// CHECK-SAME: %[[X:[^:]+]]: f16
// CHECK: %[[WIDE:.+]] = arith.extf %[[X]] : f16 to f32
// CHECK-NOT: math.
// CHECK: arith.truncf %{{.+}} : f32 to f16
func.func @power_of_half(%x: f16, %n: i32) -> f16 {
  %0 = math.fpowi %x, %n : f16, i32
  return %0 : f16
}
