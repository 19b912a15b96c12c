// The gradient of keys that were repeated for heads of a group: each copy has its own, not the sum.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
"builtin.module"()  ({
  "func.func"() <{function_type = (tensor<2x2x12x16xf32>, tensor<2x4x8x16xf32>, tensor<2x2x12x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x12x16xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x2x12x16xf32>, %arg1: tensor<2x4x8x16xf32>, %arg2: tensor<2x2x12x16xf32>, %arg3: tensor<2x4x8x16xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x2x12x16xf32>) -> tensor<2x2x2x12x16xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<2x2x2x12x16xf32>) -> tensor<2x4x12x16xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x2x12x16xf32>) -> tensor<2x2x2x12x16xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<2x2x2x12x16xf32>) -> tensor<2x4x12x16xf32>
    %4 = "stablehlo.dot_general"(%arg1, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<2x4x8x16xf32>, tensor<2x4x12x16xf32>) -> tensor<2x4x8x12xf32>
    %5 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %43 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%43) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x12xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8xf32>
    %9 = "stablehlo.maximum"(%8, %6) : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x12xf32>
    %12 = "stablehlo.subtract"(%4, %11) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %13 = "stablehlo.exponential"(%12) : (tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %42 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x12xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x12xf32>
    %18 = "stablehlo.divide"(%13, %17) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %19 = "stablehlo.multiply"(%16, %16) : (tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x1xf32>
    %22 = "stablehlo.divide"(%21, %19) : (tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %23 = "stablehlo.dot_general"(%18, %3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>}> : (tensor<2x4x8x12xf32>, tensor<2x4x12x16xf32>) -> tensor<2x4x8x16xf32>
    %24 = "stablehlo.dot_general"(%arg3, %3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<2x4x8x16xf32>, tensor<2x4x12x16xf32>) -> tensor<2x4x8x12xf32>
    %25 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x12xf32>
    %26 = "stablehlo.multiply"(%24, %25) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %27 = "stablehlo.multiply"(%26, %13) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %28 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.reduce"(%27, %28) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %41 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x12xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %30 = "stablehlo.reshape"(%29) : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %31 = "stablehlo.negate"(%30) : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %32 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x12xf32>
    %33 = "stablehlo.divide"(%24, %32) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%31, %34) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %40 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%40) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x1xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x12xf32>
    %37 = "stablehlo.add"(%33, %36) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %38 = "stablehlo.multiply"(%37, %13) : (tensor<2x4x8x12xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
    %39 = "stablehlo.dot_general"(%38, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<2x4x8x12xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x12x16xf32>
    "func.return"(%23, %39) : (tensor<2x4x8x16xf32>, tensor<2x4x12x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()
