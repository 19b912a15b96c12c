// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_image_bias"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<3x24x16xf32>, tensor<3x24x16xf32>, tensor<3x24x16xf32>, tensor<4x4x16xf32>, tensor<6x6x16xf32>) -> tensor<3x24x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x24x16xf32>, %arg1: tensor<3x24x16xf32>, %arg2: tensor<3x24x16xf32>, %arg3: tensor<4x4x16xf32>, %arg4: tensor<6x6x16xf32>):
    %0 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x24x16xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<3x24x16xf32>, tensor<3x24x16xf32>) -> tensor<3x24x16xf32>
    %3 = "stablehlo.dot_general"(%2, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x24x16xf32>, tensor<3x24x16xf32>) -> tensor<3x24x24xf32>
    %4 = "stablehlo.reshape"(%arg0) : (tensor<3x24x16xf32>) -> tensor<3x4x6x16xf32>
    %5 = "stablehlo.reshape"(%3) : (tensor<3x24x24xf32>) -> tensor<3x4x6x4x6xf32>
    %6 = "stablehlo.dot_general"(%arg3, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4x16xf32>, tensor<3x4x6x16xf32>) -> tensor<4x4x3x6xf32>
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<4x4x3x6xf32>) -> tensor<3x4x6x4xf32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x4x6x4xf32>) -> tensor<3x4x6x4x1xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<3x4x6x4x1xf32>) -> tensor<3x4x6x4x6xf32>
    %10 = "stablehlo.add"(%5, %9) : (tensor<3x4x6x4x6xf32>, tensor<3x4x6x4x6xf32>) -> tensor<3x4x6x4x6xf32>
    %11 = "stablehlo.dot_general"(%arg4, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x6x16xf32>, tensor<3x4x6x16xf32>) -> tensor<6x6x3x4xf32>
    %12 = "stablehlo.transpose"(%11) <{permutation = array<i64: 2, 3, 0, 1>}> : (tensor<6x6x3x4xf32>) -> tensor<3x4x6x6xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<3x4x6x6xf32>) -> tensor<3x4x6x1x6xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<3x4x6x1x6xf32>) -> tensor<3x4x6x4x6xf32>
    %15 = "stablehlo.add"(%10, %14) : (tensor<3x4x6x4x6xf32>, tensor<3x4x6x4x6xf32>) -> tensor<3x4x6x4x6xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<3x4x6x4x6xf32>) -> tensor<3x24x24xf32>
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %33 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) : (tensor<3x24x24xf32>, tensor<f32>) -> tensor<3x24xf32>
    %19 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x24xf32>
    %21 = "stablehlo.maximum"(%20, %18) : (tensor<3x24xf32>, tensor<3x24xf32>) -> tensor<3x24xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x24xf32>) -> tensor<3x24x1xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x24x1xf32>) -> tensor<3x24x24xf32>
    %24 = "stablehlo.subtract"(%16, %23) : (tensor<3x24x24xf32>, tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %25 = "stablehlo.exponential"(%24) : (tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %32 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%32) : (tensor<f32>) -> ()
    }) : (tensor<3x24x24xf32>, tensor<f32>) -> tensor<3x24xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x24xf32>) -> tensor<3x24x1xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x24x1xf32>) -> tensor<3x24x24xf32>
    %30 = "stablehlo.divide"(%25, %29) : (tensor<3x24x24xf32>, tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %31 = "stablehlo.dot_general"(%30, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x24x24xf32>, tensor<3x24x16xf32>) -> tensor<3x24x16xf32>
    "func.return"(%31) : (tensor<3x24x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
