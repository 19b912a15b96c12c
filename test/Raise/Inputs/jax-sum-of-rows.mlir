// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_sum_of_rows"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x20x4x16xf32>, tensor<2x20x4x8xf32>, tensor<2x24x4x16xf32>, tensor<2x20x24x8xf32>, tensor<2x24x4x12xf32>) -> tensor<2x20x4x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x20x4x16xf32>, %arg1: tensor<2x20x4x8xf32>, %arg2: tensor<2x24x4x16xf32>, %arg3: tensor<2x20x24x8xf32>, %arg4: tensor<2x24x4x12xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x20x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x20x24xf32>
    %1 = "stablehlo.dot_general"(%arg3, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x20x24x8xf32>, tensor<2x20x4x8xf32>) -> tensor<2x20x24x4xf32>
    %2 = "stablehlo.transpose"(%1) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x20x24x4xf32>) -> tensor<2x4x20x24xf32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %4 = "stablehlo.constant"() <{value = dense<2.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20x24xf32>
    %6 = "stablehlo.multiply"(%3, %5) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %24 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %9 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20xf32>
    %11 = "stablehlo.maximum"(%10, %8) : (tensor<2x4x20xf32>, tensor<2x4x20xf32>) -> tensor<2x4x20xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %14 = "stablehlo.subtract"(%6, %13) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %23 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %21 = "stablehlo.dot_general"(%arg4, %20) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x12xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x12x20xf32>
    %22 = "stablehlo.transpose"(%21) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x20xf32>) -> tensor<2x20x4x12xf32>
    "func.return"(%22) : (tensor<2x20x4x12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
