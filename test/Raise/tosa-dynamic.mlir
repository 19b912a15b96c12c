// TOSA with dynamic sizes, whose operands upstream broadcasts in branches. The branches are read where the sizes are equal.
// RUN: attn-opt %s -attn-lower-tosa -attn-raise -verify-diagnostics | FileCheck %s

// The sizes of the scores and of their sums are equal.
// CHECK-LABEL: func.func @sizes(
// CHECK: attn.attention scale 1.000000e+00
// CHECK-NOT: scf.if
func.func @sizes(%q: tensor<?x?x16xf32>, %k: tensor<?x16x?xf32>, %v: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %k, %zp, %zp : (tensor<?x?x16xf32>, tensor<?x16x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %d = tosa.sub %s, %max : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %e = tosa.exp %d : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %r = tosa.reciprocal %sum : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}

// A mask whose sizes are 1 or those of the scores.
// CHECK-LABEL: func.func @mask(
// CHECK: attn.attention scale 1.000000e+00
// CHECK-NOT: scf.if
func.func @mask(%q: tensor<?x13x16xf32>, %k: tensor<?x16x11xf32>, %v: tensor<?x11x16xf32>, %m: tensor<1x13x11xf32>) -> tensor<?x13x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s0 = tosa.matmul %q, %k, %zp, %zp : (tensor<?x13x16xf32>, tensor<?x16x11xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x13x11xf32>
  %s = tosa.add %s0, %m : (tensor<?x13x11xf32>, tensor<1x13x11xf32>) -> tensor<?x13x11xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<?x13x11xf32>) -> tensor<?x13x1xf32>
  %d = tosa.sub %s, %max : (tensor<?x13x11xf32>, tensor<?x13x1xf32>) -> tensor<?x13x11xf32>
  %e = tosa.exp %d : (tensor<?x13x11xf32>) -> tensor<?x13x11xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<?x13x11xf32>) -> tensor<?x13x1xf32>
  %r = tosa.reciprocal %sum : (tensor<?x13x1xf32>) -> tensor<?x13x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x13x11xf32>, tensor<?x13x1xf32>, tensor<1xi8>) -> tensor<?x13x11xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<?x13x11xf32>, tensor<?x11x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x13x16xf32>
  return %o : tensor<?x13x16xf32>
}

// The mask may have one row where the scores have several, or the reverse.
// CHECK-LABEL: func.func @open_mask(
// CHECK-NOT: attn.attention
func.func @open_mask(%q: tensor<?x?x16xf32>, %k: tensor<?x16x?xf32>, %v: tensor<?x?x16xf32>, %m: tensor<1x?x?xf32>) -> tensor<?x?x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s0 = tosa.matmul %q, %k, %zp, %zp : (tensor<?x?x16xf32>, tensor<?x16x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %s = tosa.add %s0, %m : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %d = tosa.sub %s, %max : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %e = tosa.exp %d : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %r = tosa.reciprocal %sum : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  // expected-remark@below {{attention was not raised: the scores have no product of queries and keys}}
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}

// CHECK-LABEL: func.func @head_dim(
// CHECK-NOT: attn.attention
func.func @head_dim(%q: tensor<?x?x?xf32>, %k: tensor<?x?x?xf32>, %v: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %k, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %d = tosa.sub %s, %max : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %e = tosa.exp %d : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %r = tosa.reciprocal %sum : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  // expected-remark@below {{attention was not raised: a head dim is not static}}
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}
