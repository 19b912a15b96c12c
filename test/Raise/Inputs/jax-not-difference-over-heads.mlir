// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_not_difference_over_heads"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x4x2x8xf32>, tensor<2x24x4x2x8xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x24x4x2x8xf32>, %arg1: tensor<2x24x4x2x8xf32>, %arg2: tensor<2x24x4x16xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2, 3], rhs_batching_dimensions = [0, 2, 3], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x2x8xf32>, tensor<2x24x4x2x8xf32>) -> tensor<2x4x2x24x24xf32>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %26 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%26) : (tensor<f32>) -> ()
    }) : (tensor<2x4x2x24x24xf32>, tensor<f32>) -> tensor<2x4x24x24xf32>
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %5 = "stablehlo.maximum"(%4, %2) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x4x24x24xf32>) -> tensor<2x4x1x24x24xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x4x1x24x24xf32>) -> tensor<2x4x2x24x24xf32>
    %8 = "stablehlo.subtract"(%0, %7) : (tensor<2x4x2x24x24xf32>, tensor<2x4x2x24x24xf32>) -> tensor<2x4x2x24x24xf32>
    %9 = "stablehlo.exponential"(%8) : (tensor<2x4x2x24x24xf32>) -> tensor<2x4x2x24x24xf32>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %25 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<2x4x2x24x24xf32>, tensor<f32>) -> tensor<2x4x24x24xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x4x24x24xf32>) -> tensor<2x4x1x24x24xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x4x1x24x24xf32>) -> tensor<2x4x2x24x24xf32>
    %14 = "stablehlo.divide"(%9, %13) : (tensor<2x4x2x24x24xf32>, tensor<2x4x2x24x24xf32>) -> tensor<2x4x2x24x24xf32>
    %15 = "stablehlo.slice"(%14) <{limit_indices = array<i64: 2, 4, 1, 24, 24>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x4x2x24x24xf32>) -> tensor<2x4x1x24x24xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<2x4x1x24x24xf32>) -> tensor<2x4x24x24xf32>
    %17 = "stablehlo.slice"(%14) <{limit_indices = array<i64: 2, 4, 2, 24, 24>, start_indices = array<i64: 0, 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x4x2x24x24xf32>) -> tensor<2x4x1x24x24xf32>
    %18 = "stablehlo.reshape"(%17) : (tensor<2x4x1x24x24xf32>) -> tensor<2x4x24x24xf32>
    %19 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %21 = "stablehlo.multiply"(%20, %18) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %22 = "stablehlo.subtract"(%16, %21) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %23 = "stablehlo.dot_general"(%arg2, %22) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%24) : (tensor<2x24x4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
