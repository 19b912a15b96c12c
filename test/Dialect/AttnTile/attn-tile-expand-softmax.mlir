// RUN: attn-opt %s -allow-unregistered-dialect -attn-tile-expand-softmax -canonicalize -cse \
// RUN:   | FileCheck %s --implicit-check-not=attn_tile.softmax --implicit-check-not='!attn_tile'

// The recurrence of FlashAttention-2 in powers of two, line by line.

!state = !attn_tile.softmax<64, factor = 0.125>

// CHECK-LABEL: func.func @recurrence(
// CHECK-SAME:    %[[N:[^:]+]]: index, %[[ACC0:[^:]+]]: tensor<64x48xf32>)
func.func @recurrence(%n: index, %acc0: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64xf32>, tensor<64xf32>) {
  // CHECK-DAG: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[LOWEST:.+]] = arith.constant dense<-3.40282347E+38> : tensor<64xf32>
  // CHECK-DAG: %[[NATURAL:.+]] = arith.constant dense<1.250000e-01> : tensor<64xf32>
  // CHECK-DAG: %[[FACTOR:.+]] = arith.constant dense<0.180336878> : tensor<64xf32>
  // CHECK-DAG: %[[POWER:.+]] = arith.constant dense<2.500000e-01> : tensor<64xf32>
  // CHECK-DAG: %[[LARGE:.+]] = arith.constant dense<1.48852224E+9> : tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  // m = the lowest number, l = 0
  // CHECK: %[[R:.+]]:3 = scf.for
  // CHECK-SAME: iter_args(%[[ACC:.+]] = %[[ACC0]], %[[M:.+]] = %[[LOWEST]], %[[L:.+]] = %[[ZERO]])
  // CHECK: %[[S:.+]] = "test.scores"

  // m' = max(m, rowmax(S))
  // CHECK: %[[ROWMAX:.+]] = attn_tile.reduce maxnum %[[S]] along 1
  // CHECK: %[[NEWM:.+]] = arith.maxnumf %[[M]], %[[ROWMAX]]

  // c * m and c * m', where c of a large m is a power of two
  // CHECK: %[[ABS:.+]] = math.absf %[[M]]
  // CHECK: %[[SMALL:.+]] = arith.cmpf olt, %[[ABS]], %[[LARGE]]
  // CHECK: %[[C:.+]] = arith.select %[[SMALL]], %[[FACTOR]], %[[POWER]]
  // CHECK: %[[SHIFT:.+]] = arith.mulf %[[M]], %[[C]]
  // CHECK: %[[NEWABS:.+]] = math.absf %[[NEWM]]
  // CHECK: %[[NEWSMALL:.+]] = arith.cmpf olt, %[[NEWABS]], %[[LARGE]]
  // CHECK: %[[NEWC:.+]] = arith.select %[[NEWSMALL]], %[[FACTOR]], %[[POWER]]
  // CHECK: %[[NEWSHIFT:.+]] = arith.mulf %[[NEWM]], %[[NEWC]]

  // alpha = exp2(c * m - c * m')
  // CHECK: %[[DECREASE:.+]] = arith.subf %[[SHIFT]], %[[NEWSHIFT]]
  // CHECK: %[[ALPHA:.+]] = math.exp2 %[[DECREASE]]

  // P = exp2(c * S - c * m')
  // CHECK: %[[OFFSET:.+]] = arith.negf %[[NEWSHIFT]]
  // CHECK-DAG: %[[CROWS:.+]] = attn_tile.broadcast %[[NEWC]] along 1
  // CHECK-DAG: %[[OFFSETROWS:.+]] = attn_tile.broadcast %[[OFFSET]] along 1
  // CHECK: %[[EXPONENT:.+]] = math.fma %[[S]], %[[CROWS]], %[[OFFSETROWS]]
  // CHECK: %[[P:.+]] = math.exp2 %[[EXPONENT]]

  // l' = alpha * l + rowsum(P), before P is rounded
  // CHECK-DAG: %[[ROWSUM:.+]] = attn_tile.reduce add %[[P]] along 1
  // CHECK-DAG: %[[NEWL:.+]] = math.fma %[[ALPHA]], %[[L]], %[[ROWSUM]]
  // CHECK-DAG: %[[P16:.+]] = arith.truncf %[[P]] : tensor<64x32xf32> to tensor<64x32xf16>

  // acc' = alpha * acc
  // CHECK-DAG: %[[ALPHAROWS:.+]] = attn_tile.broadcast %[[ALPHA]] along 1 : tensor<64xf32> -> tensor<64x48xf32>
  // CHECK-DAG: %[[SCALED:.+]] = arith.mulf %[[ACC]], %[[ALPHAROWS]]
  // CHECK: %[[OUT:.+]] = "test.product"(%[[P16]], %[[SCALED]])
  // CHECK: scf.yield %[[OUT]], %[[NEWM]], %[[NEWL]]
  %m0 = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %m = %m0) -> (tensor<64x48xf32>, !state) {
    %s = "test.scores"() : () -> tensor<64x32xf32>
    %p, %next, %scaled = attn_tile.softmax_update %s, %m rescale(%acc)
        : (tensor<64x32xf32>, !state, tensor<64x48xf32>) -> (tensor<64x32xf16>, !state, tensor<64x48xf32>)
    %o = "test.product"(%p, %scaled) : (tensor<64x32xf16>, tensor<64x48xf32>) -> tensor<64x48xf32>
    scf.yield %o, %next : tensor<64x48xf32>, !state
  }

  // 1 / l, and 0 for an empty row
  // CHECK-DAG: %[[NONE:.+]] = arith.cmpf oeq, %[[R]]#2, %[[ZERO]]
  // CHECK-DAG: %[[SAFEL:.+]] = arith.select %[[NONE]], %[[ONE]], %[[R]]#2
  // CHECK-DAG: %[[QUOTIENT:.+]] = arith.divf %[[ONE]], %[[SAFEL]] :
  // CHECK-DAG: %[[INVERSE:.+]] = arith.select %[[NONE]], %[[ZERO]], %[[QUOTIENT]]

  // lse = c * m + ln(l), in natural units
  // CHECK-DAG: %[[LOG:.+]] = math.log %[[R]]#2
  // All probabilities have the factor that the shift's rounding error makes.
  // CHECK-DAG: %[[ERROR:.+]] = math.fma %[[R]]#1, %[[OF:.+]], %{{.+}}
  // CHECK-DAG: %[[EXCESS:.+]] = arith.mulf %[[ERROR]], %{{.+}}
  // CHECK-DAG: %[[REST:.+]] = arith.subf %[[LOG]], %[[EXCESS]]
  // CHECK-DAG: %[[LSE:.+]] = math.fma %[[R]]#1, %[[NATURAL]], %[[REST]]
  // CHECK: return %[[R]]#0, %[[INVERSE]], %[[LSE]]
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> tensor<64xf32>, tensor<64xf32>
  return %r#0, %inverse, %lse : tensor<64x48xf32>, tensor<64xf32>, tensor<64xf32>
}

// Nothing is rounded in f32, and an unwanted lse is not computed. There may be no
// accumulators, or some.
// CHECK-LABEL: func.func @accumulators(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %[[A:[^:]+]]: tensor<64x48xf32>, %[[B:[^:]+]]: tensor<64x16xf32>)
func.func @accumulators(%s: tensor<64x32xf32>, %a: tensor<64x48xf32>, %b: tensor<64x16xf32>)
    -> (tensor<64x32xf32>, tensor<64xf32>, tensor<64x48xf32>, tensor<64x16xf32>) {
  // CHECK-NOT: arith.truncf
  // CHECK-NOT: math.log
  // CHECK-DAG: arith.mulf %[[A]],
  // CHECK-DAG: arith.mulf %[[B]],
  // CHECK: arith.divf {{.*}} fastmath<afn>
  // CHECK-NOT: math.log
  // CHECK: return
  %m0 = attn_tile.softmax_init : !state
  %p0, %m1 = attn_tile.softmax_update %s, %m0 : (tensor<64x32xf32>, !state) -> (tensor<64x32xf32>, !state)
  %p1, %m2, %r:2 = attn_tile.softmax_update %p0, %m1 rescale(%a, %b)
      : (tensor<64x32xf32>, !state, tensor<64x48xf32>, tensor<64x16xf32>)
      -> (tensor<64x32xf32>, !state, tensor<64x48xf32>, tensor<64x16xf32>)
  %inverse, %lse = attn_tile.softmax_finish %m2 approximate : !state -> tensor<64xf32>, tensor<64xf32>
  return %p1, %inverse, %r#0, %r#1 : tensor<64x32xf32>, tensor<64xf32>, tensor<64x48xf32>, tensor<64x16xf32>
}

// A state in branches becomes its two vectors as well.
// CHECK-LABEL: func.func @branch(
// CHECK: %[[R:.+]]:2 = scf.if %{{.+}} -> (tensor<64xf32>, tensor<64xf32>) {
// CHECK: math.exp2
// CHECK: } else {
// CHECK-DAG: arith.divf
// CHECK-DAG: math.fma %[[R]]#0,
func.func @branch(%c: i1, %s: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %m0 = attn_tile.softmax_init : !state
  %m = scf.if %c -> (!state) {
    %p, %next = attn_tile.softmax_update %s, %m0 : (tensor<64x32xf32>, !state) -> (tensor<64x32xf16>, !state)
    scf.yield %next : !state
  } else {
    scf.yield %m0 : !state
  }
  %inverse, %lse = attn_tile.softmax_finish %m : !state -> tensor<64xf32>, tensor<64xf32>
  return %inverse, %lse : tensor<64xf32>, tensor<64xf32>
}

// The shift of a row that has seen no score stays finite: the larger the factor, the
// less the lowest running max.
// CHECK-LABEL: func.func @large_factor(
// CHECK-DAG: arith.constant dense<4.32808495> : tensor<64xf32>
// CHECK-DAG: arith.constant dense<8.000000e+00> : tensor<64xf32>
// CHECK-DAG: %[[LOWEST:.+]] = arith.constant dense<-4.25352933E+37> : tensor<64xf32>
// CHECK: scf.for
// CHECK-SAME: = %[[LOWEST]],
func.func @large_factor(%n: index, %s: tensor<64x32xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m0 = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 3.0>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%m = %m0) -> (!attn_tile.softmax<64, factor = 3.0>) {
    %p, %next = attn_tile.softmax_update %s, %m
        : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 3.0>) -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 3.0>)
    scf.yield %next : !attn_tile.softmax<64, factor = 3.0>
  }
  %inverse, %lse = attn_tile.softmax_finish %r : !attn_tile.softmax<64, factor = 3.0> -> tensor<64xf32>, tensor<64xf32>
  return %lse : tensor<64xf32>
}

// Scores in natural units may be any finite ones. Where a maximum is so large that
// log2(e) times it were inexact, the factor is 1, and the decrease is that of the
// maxima.
// CHECK-LABEL: func.func @natural(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %{{[^:]+}}: index)
// CHECK-DAG: %[[LOG2E:.+]] = arith.constant dense<1.44269502> : tensor<64xf32>
// CHECK-DAG: %[[LOWEST:.+]] = arith.constant dense<-3.40282347E+38> : tensor<64xf32>
// CHECK-DAG: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK: %[[R:.+]]:2 = scf.for
// CHECK-SAME: %[[M:[^ ]+]] = %[[LOWEST]],
// CHECK: %[[ROWMAX:.+]] = attn_tile.reduce maxnum %[[S]]
// CHECK: %[[NEWM:.+]] = arith.maxnumf %[[M]], %[[ROWMAX]]
// CHECK: %[[OLDSMALL:.+]] = arith.cmpf olt,
// CHECK: %[[OLDFACTOR:.+]] = arith.select %[[OLDSMALL]], %[[LOG2E]], %[[ONE]]
// CHECK: %[[OLDSHIFT:.+]] = arith.mulf %[[M]], %[[OLDFACTOR]]
// CHECK: %[[NEWSMALL:.+]] = arith.cmpf olt,
// CHECK: %[[FACTOR:.+]] = arith.select %[[NEWSMALL]], %[[LOG2E]], %[[ONE]]
// CHECK: %[[SHIFT:.+]] = arith.mulf %[[NEWM]], %[[FACTOR]]
// CHECK: %[[OFSHIFTS:.+]] = arith.subf %[[OLDSHIFT]], %[[SHIFT]]
// CHECK: %[[BOTHSMALL:.+]] = arith.andi %[[OLDSMALL]], %[[NEWSMALL]]
// CHECK: %[[OFMAXIMA:.+]] = arith.subf %[[M]], %[[NEWM]]
// CHECK: %[[DECREASE:.+]] = arith.select %[[BOTHSMALL]], %[[OFSHIFTS]], %[[OFMAXIMA]]
// CHECK: math.exp2 %[[DECREASE]]
// CHECK: scf.yield
// CHECK: math.fma %[[R]]#0, %[[ONE]], %{{.+}}
func.func @natural(%s: tensor<64x32xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m0 = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 1.0>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%m = %m0) -> (!attn_tile.softmax<64, factor = 1.0>) {
    %p, %next = attn_tile.softmax_update %s, %m
        : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>) -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>)
    scf.yield %next : !attn_tile.softmax<64, factor = 1.0>
  }
  %inverse, %lse = attn_tile.softmax_finish %r : !attn_tile.softmax<64, factor = 1.0> -> tensor<64xf32>, tensor<64xf32>
  return %lse : tensor<64xf32>
}

// A sink is one more term of the sum, relative to the larger of the running max
// and itself. The lse of a row without keys is the sink's logit.
// CHECK-LABEL: func.func @sink(
// CHECK: %[[EMPTY:.+]] = arith.cmpf oeq
// CHECK: %[[ALONE:.+]] = arith.select
// CHECK: %[[OWN:.+]] = arith.select %[[EMPTY]], %[[ALONE]]
// CHECK: arith.maximumf %{{.+}}, %[[OWN]]
// CHECK: %[[TOP:.+]] = arith.select %[[EMPTY]], %[[ALONE]]
// CHECK: arith.subf %[[OWN]], %[[TOP]]
// CHECK: math.exp
// CHECK: math.exp
// CHECK: %[[TOTAL:.+]] = math.fma
// CHECK: arith.divf {{.+}} fastmath<afn>
// CHECK: %[[LOG:.+]] = math.log %[[TOTAL]]
// CHECK: arith.addf %[[TOP]], %[[LOG]]
func.func @sink(%sink: tensor<64xf32>, %s: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %init = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125>
  %p, %state = attn_tile.softmax_update %s, %init
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 0.125>)
  %inverse, %lse = attn_tile.softmax_finish %state sink(%sink : tensor<64xf32>) approximate
      : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>, tensor<64xf32>
  return %inverse, %lse : tensor<64xf32>, tensor<64xf32>
}

// Factors of rows multiply the scores before their maximum is taken. A score of -inf, of which a
// factor of 0 would make NaN, stays -inf.
// CHECK-LABEL: func.func @row_factors(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %[[F:[^:]+]]: tensor<64xf32>)
func.func @row_factors(%s: tensor<64x32xf32>, %f: tensor<64xf32>) -> tensor<64x32xf32> {
  // CHECK-DAG: %[[NONE:.+]] = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  // CHECK-DAG: %[[ISNONE:.+]] = arith.cmpf oeq, %[[S]], %[[NONE]]
  // CHECK-DAG: %[[FROWS:.+]] = attn_tile.broadcast %[[F]] along 1 : tensor<64xf32> -> tensor<64x32xf32>
  // CHECK-DAG: %[[PRODUCT:.+]] = arith.mulf %[[S]], %[[FROWS]]
  // CHECK: %[[SCALED:.+]] = arith.select %[[ISNONE]], %[[NONE]], %[[PRODUCT]]
  // CHECK: attn_tile.reduce maxnum %[[SCALED]] along 1
  // CHECK: math.fma %[[SCALED]],
  %init = attn_tile.softmax_init : !state
  %p, %next = attn_tile.softmax_update %s, %init times(%f)
      : (tensor<64x32xf32>, !state, tensor<64xf32>) -> (tensor<64x32xf32>, !state)
  return %p : tensor<64x32xf32>
}

// The factor between two states is a power of two of the difference of their maxima.
// CHECK-LABEL: func.func @factor(
// CHECK-SAME:    %{{[^:]+}}: tensor<64x32xf32>, %[[ACC:[^:]+]]: tensor<64x48xf32>)
func.func @factor(%s: tensor<64x32xf32>, %acc: tensor<64x48xf32>) -> tensor<64x48xf32> {
  // CHECK: %[[OWN:.+]] = attn_tile.reduce maxnum
  // CHECK: arith.maxnumf %[[OWN]], %{{.+}}
  // CHECK: %[[DECREASE:.+]] = arith.subf
  // CHECK: %[[ALPHA:.+]] = math.exp2 %[[DECREASE]] : tensor<64xf32>
  // CHECK: %[[ROWS:.+]] = attn_tile.broadcast %[[ALPHA]] along 1 : tensor<64xf32> -> tensor<64x48xf32>
  // CHECK: arith.mulf %[[ACC]], %[[ROWS]]
  // CHECK-NOT: attn_tile.{{softmax|rescale}}
  %init = attn_tile.softmax_init : !state
  %p, %next = attn_tile.softmax_update %s, %init : (tensor<64x32xf32>, !state) -> (tensor<64x32xf32>, !state)
  %alpha = attn_tile.softmax_factor %init to %next : !state -> tensor<64xf32>
  %scaled = attn_tile.rescale %acc by %alpha : tensor<64xf32>, tensor<64x48xf32>
  return %scaled : tensor<64x48xf32>
}
