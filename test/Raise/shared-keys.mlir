// Batch entries share keys, but not values: the gradient of keys is a sum over batch entries.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
"builtin.module"()  ({
  "func.func"() <{function_type = (tensor<2x8x16xf32>, tensor<12x16xf32>, tensor<2x12x16xf32>, tensor<2x8x16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<12x16xf32>, tensor<2x12x16xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x8x16xf32>, %arg1: tensor<12x16xf32>, %arg2: tensor<2x12x16xf32>, %arg3: tensor<2x8x16xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x8x16xf32>, tensor<12x16xf32>) -> tensor<2x8x12xf32>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %42 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<2x8x12xf32>, tensor<f32>) -> tensor<2x8xf32>
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %5 = "stablehlo.maximum"(%4, %2) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x12xf32>
    %8 = "stablehlo.subtract"(%0, %7) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %9 = "stablehlo.exponential"(%8) : (tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %41 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<2x8x12xf32>, tensor<f32>) -> tensor<2x8xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x12xf32>
    %14 = "stablehlo.divide"(%9, %13) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %15 = "stablehlo.multiply"(%12, %12) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %18 = "stablehlo.divide"(%17, %15) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %19 = "stablehlo.dot_general"(%14, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x8x12xf32>, tensor<2x12x16xf32>) -> tensor<2x8x16xf32>
    %20 = "stablehlo.dot_general"(%arg3, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x8x16xf32>, tensor<2x8x12xf32>) -> tensor<2x16x12xf32>
    %21 = "stablehlo.transpose"(%20) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x12xf32>) -> tensor<2x12x16xf32>
    %22 = "stablehlo.dot_general"(%arg3, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<2x8x16xf32>, tensor<2x12x16xf32>) -> tensor<2x8x12xf32>
    %23 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x12xf32>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %25 = "stablehlo.multiply"(%24, %9) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %40 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%40) : (tensor<f32>) -> ()
    }) : (tensor<2x8x12xf32>, tensor<f32>) -> tensor<2x8xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %29 = "stablehlo.negate"(%28) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x12xf32>
    %31 = "stablehlo.divide"(%22, %30) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %32 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.reduce"(%29, %32) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %39 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%39) : (tensor<f32>) -> ()
    }) : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x12xf32>
    %35 = "stablehlo.add"(%31, %34) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %36 = "stablehlo.multiply"(%35, %9) : (tensor<2x8x12xf32>, tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %37 = "stablehlo.dot_general"(%36, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> : (tensor<2x8x12xf32>, tensor<2x8x16xf32>) -> tensor<12x16xf32>
    %38 = "stablehlo.dot_general"(%36, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x8x12xf32>, tensor<12x16xf32>) -> tensor<2x8x16xf32>
    "func.return"(%19, %38, %37, %21) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<12x16xf32>, tensor<2x12x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()
