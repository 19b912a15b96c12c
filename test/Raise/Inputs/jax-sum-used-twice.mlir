// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_sum_used_twice"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x20x4x16xf32>, tensor<2x20x4x8xf32>, tensor<2x24x4x16xf32>, tensor<2x24x8xf32>, tensor<2x24x4x12xf32>) -> tensor<2x20x4x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x20x4x16xf32>, %arg1: tensor<2x20x4x8xf32>, %arg2: tensor<2x24x4x16xf32>, %arg3: tensor<2x24x8xf32>, %arg4: tensor<2x24x4x12xf32>):
    %0 = "stablehlo.dot_general"(%arg3, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8xf32>, tensor<2x20x4x8xf32>) -> tensor<2x24x20x4xf32>
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x24x20x4xf32>) -> tensor<2x4x20x24xf32>
    %2 = "stablehlo.dot_general"(%arg0, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x20x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x20x24xf32>
    %3 = "stablehlo.add"(%2, %1) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %4 = "stablehlo.tanh"(%1) : (tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %5 = "stablehlo.subtract"(%3, %4) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %6 = "stablehlo.constant"() <{value = dense<2.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20x24xf32>
    %8 = "stablehlo.multiply"(%5, %7) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %9 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %26 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%26) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %11 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20xf32>
    %13 = "stablehlo.maximum"(%12, %10) : (tensor<2x4x20xf32>, tensor<2x4x20xf32>) -> tensor<2x4x20xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %16 = "stablehlo.subtract"(%8, %15) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %17 = "stablehlo.exponential"(%16) : (tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.reduce"(%17, %18) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %25 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %22 = "stablehlo.divide"(%17, %21) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %23 = "stablehlo.dot_general"(%arg4, %22) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x12xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x12x20xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x20xf32>) -> tensor<2x20x4x12xf32>
    "func.return"(%24) : (tensor<2x20x4x12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
