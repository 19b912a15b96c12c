// Ops of StableHLO whose sizes or element types do not fit each other, which no verifier has seen: what they compute is
// read as it is, and never an element past the end of their operands.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[BIAS:.+]] = "stablehlo.broadcast_in_dim"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @broadcast(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<3x6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.broadcast_in_dim"(%m) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x6xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK: %[[BIAS:.+]] = "stablehlo.transpose"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @transpose(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<6x3xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.transpose"(%m) <{permutation = array<i64: 1, 0>}> : (tensor<6x3xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_end(
// CHECK: %[[BIAS:.+]] = "stablehlo.slice"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @slice_end(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.slice"(%m) <{start_indices = array<i64: 0, 3>, limit_indices = array<i64: 4, 9>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_start(
// CHECK: %[[BIAS:.+]] = "stablehlo.slice"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @slice_start(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.slice"(%m) <{start_indices = array<i64: -1, 0>, limit_indices = array<i64: 3, 6>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_stride(
// CHECK: %[[BIAS:.+]] = "stablehlo.slice"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @slice_stride(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.slice"(%m) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 8>, strides = array<i64: 1, 9223372036854775807>}> : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reverse(
// CHECK: %[[BIAS:.+]] = "stablehlo.reverse"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @reverse(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<3x6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.reverse"(%m) <{dimensions = array<i64: 0>}> : (tensor<3x6xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @concatenate(
// CHECK: %[[BIAS:.+]] = "stablehlo.concatenate"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @concatenate(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<2x3xf32>, %n: tensor<6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.concatenate"(%m, %n) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @barrier(
// CHECK: %[[BIAS:.+]] = "stablehlo.optimization_barrier"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @barrier(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.optimization_barrier"(%m) : (tensor<6xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @elements(
// CHECK: %[[BIAS:.+]] = "stablehlo.multiply"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @elements(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x6xf16>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.multiply"(%m, %m) : (tensor<4x6xf16>, tensor<4x6xf16>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reduce(
// CHECK: %[[BIAS:.+]] = "stablehlo.reduce"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @reduce(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<5x3x6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.reduce"(%m, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x1: tensor<f32>, %y1: tensor<f32>):
    %sum1 = "stablehlo.add"(%x1, %y1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum1) : (tensor<f32>) -> ()
  }) : (tensor<5x3x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @constant(
// CHECK: %[[BIAS:.+]] = "stablehlo.constant"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @constant(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.constant"() <{value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}> : () -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @product(
// CHECK: %[[BIAS:.+]] = "stablehlo.dot_general"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @product(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x3xf32>, %n: tensor<2x6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %b = "stablehlo.dot_general"(%m, %n) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x3xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NOT: attn.attention
func.func @columns(%q: tensor<4x8xf32>, %k: tensor<6x7xf32>, %v: tensor<6x8xf32>, %b: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x7xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// Too few operands or results, or operands that are no tensors.
// CHECK-LABEL: func.func @counts(
// CHECK-NOT: attn.attention
func.func @counts(%x: tensor<4x6xf32>, %q: tensor<?x6xf32>, %n: i64, %u: tensor<*xf32>) -> tensor<?x6xf32> {
  %shape = "stablehlo.concatenate"(%n, %n) <{dimension = 0 : i64}> : (i64, i64) -> tensor<2xi64>
  %short = "stablehlo.constant"() <{value = dense<4> : tensor<1xi64>}> : () -> tensor<2xi64>
  %none = "stablehlo.convert"() : () -> tensor<2xi64>
  %scalar = "stablehlo.reshape"() : () -> tensor<2xi64>
  %long = "stablehlo.get_dimension_size"(%x) <{dimension = 7 : i64}> : (tensor<4x6xf32>) -> tensor<i32>
  %list = "stablehlo.reshape"(%long) : (tensor<i32>) -> tensor<2xi64>
  %a = "stablehlo.dynamic_broadcast_in_dim"(%x, %shape) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %b = "stablehlo.dynamic_broadcast_in_dim"(%x, %none) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %c = "stablehlo.dynamic_broadcast_in_dim"(%x, %scalar) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %d = "stablehlo.dynamic_broadcast_in_dim"(%x, %list) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %e = "stablehlo.dynamic_reshape"(%x, %short) : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<4x?xf32>
  %f = "stablehlo.dynamic_iota"(%short) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<4x?xf32>
  %g = "stablehlo.divide"(%e, %f) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %h = "stablehlo.divide"(%a, %b) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %i = "stablehlo.divide"(%c, %d) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %j = "stablehlo.divide"(%h, %i) : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %scores = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
  "stablehlo.dot_general"(%scores, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<4xf32>, tensor<4x6xf32>) -> ()
  %o = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> f32
  %w = "stablehlo.dot_general"(%u, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<*xf32>, tensor<4x6xf32>) -> tensor<*xf32>
  "use"(%g, %o, %w) : (tensor<4x?xf32>, f32, tensor<*xf32>) -> ()
  return %j : tensor<?x6xf32>
}

// IREE's attention without a region, and one whose region has an index without a result.
// CHECK-LABEL: func.func @iree(
// CHECK-NOT: attn.attention
func.func @iree(%q: tensor<8x24x16xf16>, %o: tensor<8x24x16xf16>) -> (tensor<8x24x16xf16>, tensor<8x24x16xf16>) {
  %scale = arith.constant 0.125 : f16
  %0 = "iree_linalg_ext.attention"(%q, %q, %q, %scale, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (b, i, n)>]}> : (tensor<8x24x16xf16>, tensor<8x24x16xf16>, tensor<8x24x16xf16>, f16, tensor<8x24x16xf16>) -> tensor<8x24x16xf16>
  %1 = "iree_linalg_ext.attention"(%q, %q, %q, %scale, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (b, i, n)>]}> ({
  ^bb0(%s: f32):
    "iree_linalg_ext.index"() <{dim = 0 : i64}> : () -> ()
    "iree_linalg_ext.yield"(%s) : (f32) -> ()
  }) : (tensor<8x24x16xf16>, tensor<8x24x16xf16>, tensor<8x24x16xf16>, f16, tensor<8x24x16xf16>) -> tensor<8x24x16xf16>
  return %0, %1 : tensor<8x24x16xf16>, tensor<8x24x16xf16>
}

// A broadcast keeps the type of its elements.
// CHECK-LABEL: func.func @broadcast_of_integers(
// CHECK: %[[MASK:.+]] = "stablehlo.broadcast_in_dim"{{.+}} -> tensor<4x6xi1>
// CHECK: attn.attention
// CHECK-SAME: captures(%[[MASK]] : tensor<4x6xi1>)
func.func @broadcast_of_integers(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<6xi64>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %minus = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
  %b = "stablehlo.broadcast_in_dim"(%m) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xi64>) -> tensor<4x6xi1>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.select"(%b, %s, %minus) : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @gather_window(
// CHECK: %[[BIAS:.+]] = "stablehlo.gather"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @gather_window(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x1xi32>
  %b = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<4x1xi32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @gather_starts(
// CHECK: %[[BIAS:.+]] = "stablehlo.gather"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @gather_starts(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x1xi32>
  %b = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @gather_elements(
// CHECK: %[[BIAS:.+]] = "stablehlo.gather"
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<4x6xf32>)
func.func @gather_elements(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %m: tensor<4x6xf16>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x1xi32>
  %b = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf16>, tensor<4x1xi32>) -> tensor<4x6xf32>
  %s = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %t = "stablehlo.add"(%s, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %zs = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x6xf32>
  %p = "stablehlo.divide"(%e, %zs) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %o = "stablehlo.dot_general"(%p, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
