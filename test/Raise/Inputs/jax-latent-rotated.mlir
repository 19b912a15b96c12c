// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_latent_rotated"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x20x4x16xf32>, tensor<2x20x4x8xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x8xf32>, tensor<2x24x4x12xf32>) -> tensor<2x20x4x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x20x4x16xf32>, %arg1: tensor<2x20x4x8xf32>, %arg2: tensor<2x24x4x16xf32>, %arg3: tensor<2x24x4x8xf32>, %arg4: tensor<2x24x4x12xf32>):
    %0 = "stablehlo.concatenate"(%arg0, %arg1) <{dimension = 3 : i64}> : (tensor<2x20x4x16xf32>, tensor<2x20x4x8xf32>) -> tensor<2x20x4x24xf32>
    %1 = "stablehlo.concatenate"(%arg2, %arg3) <{dimension = 3 : i64}> : (tensor<2x24x4x16xf32>, tensor<2x24x4x8xf32>) -> tensor<2x24x4x24xf32>
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x20x4x24xf32>, tensor<2x24x4x24xf32>) -> tensor<2x4x20x24xf32>
    %3 = "stablehlo.constant"() <{value = dense<2.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20x24xf32>
    %5 = "stablehlo.multiply"(%2, %4) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.reduce"(%5, %6) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %23 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20xf32>
    %10 = "stablehlo.maximum"(%9, %7) : (tensor<2x4x20xf32>, tensor<2x4x20xf32>) -> tensor<2x4x20xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %13 = "stablehlo.subtract"(%5, %12) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %14 = "stablehlo.exponential"(%13) : (tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %22 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%22) : (tensor<f32>) -> ()
    }) : (tensor<2x4x20x24xf32>, tensor<f32>) -> tensor<2x4x20xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x20xf32>) -> tensor<2x4x20x1xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x20x1xf32>) -> tensor<2x4x20x24xf32>
    %19 = "stablehlo.divide"(%14, %18) : (tensor<2x4x20x24xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x20x24xf32>
    %20 = "stablehlo.dot_general"(%arg4, %19) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x12xf32>, tensor<2x4x20x24xf32>) -> tensor<2x4x12x20xf32>
    %21 = "stablehlo.transpose"(%20) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x20xf32>) -> tensor<2x20x4x12xf32>
    "func.return"(%21) : (tensor<2x20x4x12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
