// RUN: attn-opt %s -attn-online-softmax -canonicalize -cse | FileCheck %s

// The recurrence of FlashAttention-2 in powers of two, line by line.

// CHECK-LABEL: func.func @recurrence(
// CHECK-SAME:    %[[QUERY:[^:]+]]: memref<1x1x64x64xf16>, %[[KEY:[^:]+]]: memref<1x1x128x64xf16>,
// CHECK-SAME:    %[[VALUE:[^:]+]]: memref<1x1x128x48xf16>, %[[OUT:[^:]+]]: memref<1x1x64x48xf16>, %[[LSE:[^:]+]]: memref<1x1x64xf32>)
func.func @recurrence(%q: memref<1x1x64x64xf16>, %k: memref<1x1x128x64xf16>,
                      %v: memref<1x1x128x48xf16>, %o: memref<1x1x64x48xf16>, %l: memref<1x1x64xf32>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[STEP:.+]] = arith.constant 32 : index
  // CHECK-DAG: %[[LENGTH:.+]] = arith.constant 128 : index
  // CHECK-DAG: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[LOWEST:.+]] = arith.constant dense<-3.40282347E+38> : tensor<64xf32>
  // CHECK-DAG: %[[SCALE:.+]] = arith.constant dense<1.250000e-01> : tensor<64xf32>
  // CHECK-DAG: %[[FACTOR:.+]] = arith.constant dense<0.180336878> : tensor<64xf32>
  // CHECK-DAG: %[[POWER:.+]] = arith.constant dense<2.500000e-01> : tensor<64xf32>
  // CHECK-DAG: %[[LARGE:.+]] = arith.constant dense<1.48852224E+9> : tensor<64xf32>
  // CHECK-DAG: %[[S0:.+]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
  // CHECK-DAG: %[[ACC0:.+]] = arith.constant dense<0.000000e+00> : tensor<64x48xf32>
  // CHECK: %[[Q:.+]] = attn_tile.load %[[QUERY]][%[[C0]], %[[C0]], %[[C0]], %[[C0]]]

  // acc = 0, m = the lowest number, l = 0
  // CHECK: %[[STATE:.+]]:3 = scf.for %[[J:[^ ]+]] = %[[C0]] to %[[LENGTH]] step %[[STEP]]
  // CHECK-SAME: iter_args(%[[ACC:.+]] = %[[ACC0]], %[[M:.+]] = %[[LOWEST]], %[[L:.+]] = %[[ZERO]])
  // CHECK-DAG: %[[K:.+]] = attn_tile.load %[[KEY]][%[[C0]], %[[C0]], %[[J]], %[[C0]]] {{.*}} -> tensor<32x64xf16>
  // CHECK-DAG: %[[V:.+]] = attn_tile.load %[[VALUE]][%[[C0]], %[[C0]], %[[J]], %[[C0]]] {{.*}} -> tensor<32x48xf16>

  // S = Q * K^T
  // CHECK: %[[S:.+]] = attn_tile.dot %[[Q]], %[[K]], %[[S0]] transpose_rhs

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

  // l' = alpha * l + rowsum(P)
  // CHECK: %[[ROWSUM:.+]] = attn_tile.reduce add %[[P]] along 1
  // CHECK: %[[NEWL:.+]] = math.fma %[[ALPHA]], %[[L]], %[[ROWSUM]]

  // acc' = alpha * acc + P * V
  // CHECK: %[[P16:.+]] = arith.truncf %[[P]] : tensor<64x32xf32> to tensor<64x32xf16>
  // CHECK: %[[ALPHAROWS:.+]] = attn_tile.broadcast %[[ALPHA]] along 1
  // CHECK: %[[ALPHAACC:.+]] = arith.mulf %[[ACC]], %[[ALPHAROWS]]
  // CHECK: %[[NEWACC:.+]] = attn_tile.dot %[[P16]], %[[V]], %[[ALPHAACC]] :
  // CHECK: scf.yield %[[NEWACC]], %[[NEWM]], %[[NEWL]]

  // output = acc / l, where an empty row's l counts as 1
  // CHECK: %[[NONE:.+]] = arith.cmpf oeq, %[[STATE]]#2, %[[ZERO]]
  // CHECK: %[[SAFEL:.+]] = arith.select %[[NONE]], %[[ONE]], %[[STATE]]#2
  // CHECK: %[[INVERSE:.+]] = arith.divf %[[ONE]], %[[SAFEL]]
  // CHECK: %[[INVERSEROWS:.+]] = attn_tile.broadcast %[[INVERSE]] along 1
  // CHECK: %[[OUTPUT:.+]] = arith.mulf %[[STATE]]#0, %[[INVERSEROWS]]
  // CHECK: %[[OUTPUT16:.+]] = arith.truncf %[[OUTPUT]] : tensor<64x48xf32> to tensor<64x48xf16>
  // CHECK: attn_tile.store %[[OUTPUT16]], %[[OUT]][%[[C0]], %[[C0]], %[[C0]], %[[C0]]]

  // lse = scale * m + ln(l)
  // CHECK: %[[LOG:.+]] = math.log %[[STATE]]#2
  // CHECK: %[[LSETILE:.+]] = math.fma %[[STATE]]#1, %[[SCALE]], %[[LOG]]
  // CHECK: attn_tile.store %[[LSETILE]], %[[LSE]][%[[C0]], %[[C0]], %[[C0]]]
  // CHECK-NOT: attn.attention
  attn.attention
      ins(%q, %k, %v : memref<1x1x64x64xf16>, memref<1x1x128x64xf16>, memref<1x1x128x48xf16>)
      outs(%o, %l : memref<1x1x64x48xf16>, memref<1x1x64xf32>)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Nothing is rounded in f32, and an unwanted lse is not computed.
// CHECK-LABEL: func.func @f32(
func.func @f32(%q: memref<1x1x64x64xf32>) {
  // CHECK-NOT: arith.truncf
  // CHECK-NOT: arith.extf
  // CHECK-NOT: math.log
  // CHECK: return
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>, memref<1x1x64x64xf32>)
      outs(%q : memref<1x1x64x64xf32>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// An f32 output of bf16 inputs rounds the probabilities alone.
// CHECK-LABEL: func.func @f32_output(
func.func @f32_output(%q: memref<1x1x64x64xbf16>, %o: memref<1x1x64x64xf32>) {
  // CHECK: scf.for
  // CHECK: arith.truncf %{{.+}} : tensor<64x32xf32> to tensor<64x32xbf16>
  // CHECK: scf.yield
  // CHECK-NOT: arith.truncf
  // CHECK: attn_tile.store %{{.+}} : tensor<64x64xf32>, memref<1x1x64x64xf32>
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xbf16>, memref<1x1x64x64xbf16>, memref<1x1x64x64xbf16>)
      outs(%o : memref<1x1x64x64xf32>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Head dims are padded to multiples of 16; loads fill with zeros and stores
// drop the rest.
// CHECK-LABEL: func.func @padded_head_dims(
func.func @padded_head_dims(%q: memref<1x1x64x65xf16>, %v: memref<1x1x64x1xf16>) {
  // CHECK-DAG: attn_tile.load %{{.+}} : memref<1x1x64x65xf16> -> tensor<64x80xf16>
  // CHECK: scf.for
  // CHECK-DAG: attn_tile.load %{{.+}} : memref<1x1x64x65xf16> -> tensor<32x80xf16>
  // CHECK-DAG: attn_tile.load %{{.+}} : memref<1x1x64x1xf16> -> tensor<32x16xf16>
  // CHECK: attn_tile.store %{{.+}} : tensor<64x16xf16>, memref<1x1x64x1xf16>
  attn.attention
      ins(%q, %q, %v : memref<1x1x64x65xf16>, memref<1x1x64x65xf16>, memref<1x1x64x1xf16>)
      outs(%v : memref<1x1x64x1xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A scale that is not positive does not keep the order of scores: it comes
// before the maximum, and the exponent's factor is log2 e. Where a maximum is so
// large that this factor's shift were inexact, the factor is 1, and the decrease
// is that of the maxima.
// CHECK-LABEL: func.func @negative_scale(
func.func @negative_scale(%q: memref<1x1x64x64xf16>, %l: memref<1x1x64xf32>) {
  // CHECK-DAG: %[[SCALE:.+]] = arith.constant dense<-3.000000e+00> : tensor<64x32xf32>
  // CHECK-DAG: %[[LOG2E:.+]] = arith.constant dense<1.44269502> : tensor<64xf32>
  // CHECK-DAG: %[[LOWEST:.+]] = arith.constant dense<-3.40282347E+38> : tensor<64xf32>
  // CHECK-DAG: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
  // CHECK: %[[STATE:.+]]:3 = scf.for
  // CHECK-SAME: %[[M:[^ ]+]] = %[[LOWEST]],
  // CHECK: %[[QK:.+]] = attn_tile.dot
  // CHECK: %[[S:.+]] = arith.mulf %[[QK]], %[[SCALE]]
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
  // CHECK: %[[OFFSET:.+]] = arith.negf %[[SHIFT]]
  // CHECK: %[[FACTORS:.+]] = attn_tile.broadcast %[[FACTOR]] along 1
  // CHECK: %[[OFFSETS:.+]] = attn_tile.broadcast %[[OFFSET]] along 1
  // CHECK: %[[POWER:.+]] = math.fma %[[S]], %[[FACTORS]], %[[OFFSETS]]
  // CHECK: math.exp2 %[[POWER]]
  // CHECK: scf.yield
  // CHECK: math.fma %[[STATE]]#1, %[[ONE]], %{{.+}}
  attn.attention scale -3.0
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q, %l : memref<1x1x64x64xf16>, memref<1x1x64xf32>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// The shift of a row without keys stays finite.
// CHECK-LABEL: func.func @large_scale(
func.func @large_scale(%q: memref<1x1x64x64xf16>) {
  // CHECK-DAG: arith.constant dense<4.32808495> : tensor<64xf32>
  // CHECK-DAG: arith.constant dense<8.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[LOWEST:.+]] = arith.constant dense<-4.25352933E+37> : tensor<64xf32>
  // CHECK: scf.for
  // CHECK-SAME: = %[[LOWEST]],
  attn.attention scale 3.0
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Rows at or past len_q come out as 0 and -inf.
// CHECK-LABEL: func.func @query_length(
// CHECK-SAME:    %[[LQ:[^:]+]]: index)
func.func @query_length(%q: memref<1x1x64x64xf16>, %l: memref<1x1x64xf32>, %lq: index) {
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[ACC0:.+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  // CHECK: %[[STATE:.+]]:3 = scf.for
  // CHECK: %[[ROW:.+]] = attn_tile.coordinate along 0
  // CHECK: %[[LIMIT:.+]] = tensor.splat %{{.+}}
  // CHECK: %[[VALID:.+]] = arith.cmpi slt, %[[ROW]], %[[LIMIT]]
  // CHECK-DAG: arith.select %[[VALID]], %[[STATE]]#1, %[[ZERO]]
  // CHECK-DAG: arith.select %[[VALID]], %[[STATE]]#2, %[[ZERO]]
  // CHECK-DAG: %[[VALIDROWS:.+]] = attn_tile.broadcast %[[VALID]] along 1
  // CHECK-DAG: arith.select %[[VALIDROWS]], %[[STATE]]#0, %[[ACC0]]
  %len = arith.constant 64 : index
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      lengths(%lq, %len)
      outs(%q, %l : memref<1x1x64x64xf16>, memref<1x1x64xf32>)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Keys and values at or past len_kv are cut off from the views that are loaded
// from: their memory is not touched.
// CHECK-LABEL: func.func @key_length(
// CHECK-SAME:    %[[K:[^:]+]]: memref<1x1x64x64xf16>, %[[LK:[^:]+]]: index)
func.func @key_length(%k: memref<1x1x64x64xf16>, %lk: index) {
  // CHECK: %[[INSIDE:.+]] = affine.min #{{.+}}()[%[[LK]]]
  // CHECK: %[[LENGTH:.+]] = affine.max #{{.+}}()[%[[INSIDE]]]
  // CHECK: %[[VIEW:.+]] = memref.subview %[[K]][0, 0, 0, 0] [1, 1, %[[LENGTH]], 64]
  // CHECK: scf.for %[[J:[^ ]+]] = %{{.+}} to %[[LENGTH]] step
  // CHECK-NOT: attn_tile.load %[[K]]
  // CHECK: attn_tile.load %[[VIEW]][%{{.+}}, %{{.+}}, %[[J]], %{{.+}}]
  // CHECK-NOT: attn_tile.load %[[K]]
  // CHECK: return
  %len = arith.constant 64 : index
  attn.attention
      ins(%k, %k, %k : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      lengths(%len, %lk)
      outs(%k : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
