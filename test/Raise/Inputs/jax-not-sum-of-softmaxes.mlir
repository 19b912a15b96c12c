// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_not_sum_of_softmaxes"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x20x4x16xf32>, tensor<2x20x4x8xf32>, tensor<2x24x4x16xf32>, tensor<2x24x8xf32>, tensor<2x24x4x12xf32>) -> tensor<2x20x4x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x20x4x16xf32>, %arg1: tensor<2x20x4x8xf32>, %arg2: tensor<2x24x4x16xf32>, %arg3: tensor<2x24x8xf32>, %arg4: tensor<2x24x4x12xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x20x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x20x24xf32>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %21 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20xf32>
    %5 = "stablehlo.maximum"(%4, %2) : (tensor<2x4x20xf32>, tensor<2x4x20xf32>) -> tensor<2x4x20xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %8 = "stablehlo.subtract"(%0, %7) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %9 = "stablehlo.exponential"(%8) : (tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %20 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %14 = "stablehlo.divide"(%9, %13) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %15 = "stablehlo.dot_general"(%arg3, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8xf32>, tensor<2x20x4x8xf32>) -> tensor<2x24x20x4xf32>
    %16 = "stablehlo.transpose"(%15) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x24x20x4xf32>) -> tensor<2x4x20x24xf32>
    %17 = "stablehlo.add"(%14, %16) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %18 = "stablehlo.dot_general"(%arg4, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x12xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x12x20xf32>
    %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x20xf32>) -> tensor<2x20x4x12xf32>
    "func.return"(%19) : (tensor<2x20x4x12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
