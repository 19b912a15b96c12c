// RUN: attn-opt %s -split-input-file -attn-expand-math -verify-diagnostics | FileCheck %s --check-prefix=WORDS
// RUN: attn-opt %s -split-input-file -attn-math-to-nvvm -verify-diagnostics | FileCheck %s --check-prefix=WORDS
// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule=chip=sm_89 -attn-math-to-nvvm -verify-diagnostics | FileCheck %s --check-prefix=PAIRS

// By instructions, which have pairs, or by ops on words; test/Programs/eight-bits.test has
// the numbers.
// WORDS-LABEL: func.func @extend(
// WORDS: arith.bitcast %{{.+}} : vector<4xf8E4M3FN> to vector<4xi8>
// WORDS-NOT: f8E4M3FN
// WORDS: arith.uitofp
// WORDS: return
// PAIRS-LABEL: func.func @extend(
// PAIRS: %[[PAIRS:.+]] = vector.bitcast %{{.+}} : vector<4xf8E4M3FN> to vector<2xi16>
// PAIRS-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%{{.+}}) : (i16) -> vector<2xf16>
// PAIRS: arith.extf %{{.+}} : vector<4xf16> to vector<4xf32>
func.func @extend(%x: vector<4xf8E4M3FN>) -> vector<4xf32> {
  %0 = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf32>
  return %0 : vector<4xf32>
}

// An f8E5M2 is the upper half of an f16.
// WORDS-LABEL: func.func @extend_halves(
// WORDS: %[[HALF:.+]] = arith.bitcast %{{.+}} : i16 to f16
// WORDS: return %[[HALF]]
// PAIRS-LABEL: func.func @extend_halves(
// PAIRS: %[[PAIR:.+]] = llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"
// PAIRS: %[[HALF:.+]] = vector.extract %[[PAIR]][0]
// PAIRS: return %[[HALF]]
func.func @extend_halves(%x: f8E5M2) -> f16 {
  %0 = arith.extf %x : f8E5M2 to f16
  return %0 : f16
}

// WORDS-LABEL: func.func @truncate(
// WORDS-NOT: arith.truncf
// WORDS: arith.bitcast %{{.+}} : vector<3xi8> to vector<3xf8E4M3FN>
// PAIRS-LABEL: func.func @truncate(
// PAIRS-SAME: %[[X:[a-z0-9]+]]: vector<3xf32>
// PAIRS-DAG: %[[A:.+]] = vector.extract %[[X]][0]
// PAIRS-DAG: %[[B:.+]] = vector.extract %[[X]][1]
// PAIRS-DAG: %[[C:.+]] = vector.extract %[[X]][2]
// PAIRS: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[B]], %[[A]]) : (f32, f32) -> i16
// PAIRS: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[C]], %[[C]])
// PAIRS: vector.bitcast %{{.+}} : vector<2xi16> to vector<4xf8E4M3FN>
func.func @truncate(%x: vector<3xf32>) -> vector<3xf8E4M3FN> {
  %0 = arith.truncf %x : vector<3xf32> to vector<3xf8E4M3FN>
  return %0 : vector<3xf8E4M3FN>
}

// -----

func.func @sum(%x: vector<4xf8E4M3FN>) -> vector<4xf8E4M3FN> {
  // expected-error@below {{expected floats of 8 bits to be extended by arith.extf before they are calculated with, and made of f16, bf16 or f32 by arith.truncf, to nearest even; found 'arith.addf'}}
  %0 = arith.addf %x, %x : vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// -----

func.func @wide(%x: f64) -> f8E5M2 {
  // expected-error@below {{found 'arith.truncf'}}
  %0 = arith.truncf %x : f64 to f8E5M2
  return %0 : f8E5M2
}
