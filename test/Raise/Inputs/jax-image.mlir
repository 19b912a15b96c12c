// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_image"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x5x6x4x16xf32>, tensor<2x5x6x4x16xf32>, tensor<2x5x6x4x16xf32>) -> tensor<2x5x6x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5x6x4x16xf32>, %arg1: tensor<2x5x6x4x16xf32>, %arg2: tensor<2x5x6x4x16xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 3], rhs_batching_dimensions = [0, 3], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x6x4x16xf32>, tensor<2x5x6x4x16xf32>) -> tensor<2x4x5x6x5x6xf32>
    %1 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x5x6x5x6xf32>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<2x4x5x6x5x6xf32>, tensor<2x4x5x6x5x6xf32>) -> tensor<2x4x5x6x5x6xf32>
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 4, 5>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %21 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<2x4x5x6x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %8 = "stablehlo.maximum"(%7, %5) : (tensor<2x4x5x6xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6x1x1xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4, 5>}> : (tensor<2x4x5x6x1x1xf32>) -> tensor<2x4x5x6x5x6xf32>
    %11 = "stablehlo.subtract"(%3, %10) : (tensor<2x4x5x6x5x6xf32>, tensor<2x4x5x6x5x6xf32>) -> tensor<2x4x5x6x5x6xf32>
    %12 = "stablehlo.exponential"(%11) : (tensor<2x4x5x6x5x6xf32>) -> tensor<2x4x5x6x5x6xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 4, 5>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %20 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<2x4x5x6x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6x1x1xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4, 5>}> : (tensor<2x4x5x6x1x1xf32>) -> tensor<2x4x5x6x5x6xf32>
    %17 = "stablehlo.divide"(%12, %16) : (tensor<2x4x5x6x5x6xf32>, tensor<2x4x5x6x5x6xf32>) -> tensor<2x4x5x6x5x6xf32>
    %18 = "stablehlo.dot_general"(%arg2, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 3], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [5, 4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x6x4x16xf32>, tensor<2x4x5x6x5x6xf32>) -> tensor<2x4x16x5x6xf32>
    %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 0, 3, 4, 1, 2>}> : (tensor<2x4x16x5x6xf32>) -> tensor<2x5x6x4x16xf32>
    "func.return"(%19) : (tensor<2x5x6x4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
