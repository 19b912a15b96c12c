// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_nn_bias"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x20x4x16xf32>, tensor<2x37x4x16xf32>, tensor<2x37x4x16xf32>, tensor<2x4x20x37xf32>) -> tensor<2x20x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x20x4x16xf32>, %arg1: tensor<2x37x4x16xf32>, %arg2: tensor<2x37x4x16xf32>, %arg3: tensor<2x4x20x37xf32>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x20x4x16xf32>) -> tensor<2x20x4x1x16xf32>
    %1 = "stablehlo.reshape"(%arg3) : (tensor<2x4x20x37xf32>) -> tensor<2x4x1x20x37xf32>
    %2 = "stablehlo.dot_general"(%0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x20x4x1x16xf32>, tensor<2x37x4x16xf32>) -> tensor<2x4x20x1x37xf32>
    %3 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x20x1x37xf32>
    %5 = "stablehlo.multiply"(%2, %4) : (tensor<2x4x20x1x37xf32>, tensor<2x4x20x1x37xf32>) -> tensor<2x4x20x1x37xf32>
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x4x20x1x37xf32>) -> tensor<1x2x4x20x37xf32>
    %7 = "stablehlo.transpose"(%1) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x1x20x37xf32>) -> tensor<1x2x4x20x37xf32>
    %8 = "stablehlo.add"(%6, %7) : (tensor<1x2x4x20x37xf32>, tensor<1x2x4x20x37xf32>) -> tensor<1x2x4x20x37xf32>
    %9 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %28 = "stablehlo.maximum"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%28) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x20x37xf32>, tensor<f32>) -> tensor<1x2x4x20xf32>
    %11 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x20xf32>
    %13 = "stablehlo.maximum"(%12, %10) : (tensor<1x2x4x20xf32>, tensor<1x2x4x20xf32>) -> tensor<1x2x4x20xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x20xf32>) -> tensor<1x2x4x20x1xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x20x1xf32>) -> tensor<1x2x4x20x37xf32>
    %16 = "stablehlo.subtract"(%8, %15) : (tensor<1x2x4x20x37xf32>, tensor<1x2x4x20x37xf32>) -> tensor<1x2x4x20x37xf32>
    %17 = "stablehlo.exponential"(%16) : (tensor<1x2x4x20x37xf32>) -> tensor<1x2x4x20x37xf32>
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.reduce"(%17, %18) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %27 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x20x37xf32>, tensor<f32>) -> tensor<1x2x4x20xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x20xf32>) -> tensor<1x2x4x20x1xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x20x1xf32>) -> tensor<1x2x4x20x37xf32>
    %22 = "stablehlo.divide"(%17, %21) : (tensor<1x2x4x20x37xf32>, tensor<1x2x4x20x37xf32>) -> tensor<1x2x4x20x37xf32>
    %23 = "stablehlo.dot_general"(%arg2, %22) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x37x4x16xf32>, tensor<1x2x4x20x37xf32>) -> tensor<2x4x16x1x20xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x4x16x1x20xf32>) -> tensor<1x2x20x4x16xf32>
    %25 = "stablehlo.transpose"(%24) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x20x4x16xf32>) -> tensor<2x20x4x1x16xf32>
    %26 = "stablehlo.reshape"(%25) : (tensor<2x20x4x1x16xf32>) -> tensor<2x20x4x16xf32>
    "func.return"(%26) : (tensor<2x20x4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
