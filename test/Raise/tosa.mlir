// TOSA is lowered by upstream's passes, which need no option, and attention is found in the result.
// RUN: attn-opt %s -attn-lower-tosa -attn-raise | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg),func.func(tosa-to-arith,tosa-to-tensor),attn-raise)' | FileCheck %s
// RUN: attnc compile %s --raise --target sm_90a --emit ptx -o %t.ptx
// RUN: attnc run %S/Inputs/tosa-mask.mlir --raise random:1 random:2 random:3 random:4 --target host -o %t.npy
// RUN: not attnc compile %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: operation being parsed with an unregistered dialect

// CHECK-LABEL: func.func @main(
// CHECK: attn.attention scale 1.000000e+00
// CHECK-NOT: tosa.
func.func @main(%q: tensor<6x13x16xf16>, %k: tensor<6x16x11xf16>, %v: tensor<6x11x16xf16>) -> tensor<6x13x16xf16> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %k, %zp, %zp : (tensor<6x13x16xf16>, tensor<6x16x11xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<6x13x11xf16>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<6x13x11xf16>) -> tensor<6x13x1xf16>
  %d = tosa.sub %s, %max : (tensor<6x13x11xf16>, tensor<6x13x1xf16>) -> tensor<6x13x11xf16>
  %e = tosa.exp %d : (tensor<6x13x11xf16>) -> tensor<6x13x11xf16>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<6x13x11xf16>) -> tensor<6x13x1xf16>
  %r = tosa.reciprocal %sum : (tensor<6x13x1xf16>) -> tensor<6x13x1xf16>
  %p = tosa.mul %e, %r, %shift : (tensor<6x13x11xf16>, tensor<6x13x1xf16>, tensor<1xi8>) -> tensor<6x13x11xf16>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<6x13x11xf16>, tensor<6x11x16xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<6x13x16xf16>
  return %o : tensor<6x13x16xf16>
}
