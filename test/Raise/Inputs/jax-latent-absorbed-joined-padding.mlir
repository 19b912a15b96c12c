// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_latent_absorbed_joined_padding"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x1x4x8xf32>, tensor<2x1x4x32xf32>, tensor<2x24x8xf32>, tensor<2x24x32xf32>, tensor<2xi32>) -> tensor<2x1x4x32xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x1x4x8xf32>, %arg4: tensor<2x1x4x32xf32>, %arg5: tensor<2x24x8xf32>, %arg6: tensor<2x24x32xf32>, %arg7: tensor<2xi32>):
    %4 = "stablehlo.concatenate"(%arg3, %arg4) <{dimension = 3 : i64}> : (tensor<2x1x4x8xf32>, tensor<2x1x4x32xf32>) -> tensor<2x1x4x40xf32>
    %5 = "stablehlo.concatenate"(%arg5, %arg6) <{dimension = 2 : i64}> : (tensor<2x24x8xf32>, tensor<2x24x32xf32>) -> tensor<2x24x40xf32>
    %6 = "stablehlo.dot_general"(%5, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x40xf32>, tensor<2x1x4x40xf32>) -> tensor<2x24x1x4xf32>
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x24x1x4xf32>) -> tensor<2x4x1x24xf32>
    %8 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %9 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi32>) -> tensor<2x1x1x24xi32>
    %12 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x24xi32>
    %13 = "stablehlo.compare"(%11, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x1x1x24xi32>, tensor<2x1x1x24xi32>) -> tensor<2x1x1x24xi1>
    %14 = "stablehlo.constant"() <{value = dense<2.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x1x24xf32>
    %16 = "stablehlo.multiply"(%7, %15) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "func.call"(%13, %16, %17) <{callee = @_where}> : (tensor<2x1x1x24xi1>, tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1x24xf32>
    %19 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %36 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%36) : (tensor<f32>) -> ()
    }) : (tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %21 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x1xf32>
    %23 = "stablehlo.maximum"(%22, %20) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x24xf32>
    %26 = "stablehlo.subtract"(%18, %25) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %27 = "stablehlo.exponential"(%26) : (tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %28 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.reduce"(%27, %28) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %35 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x24xf32>
    %32 = "stablehlo.divide"(%27, %31) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %33 = "stablehlo.dot_general"(%arg6, %32) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<2x4x1x24xf32>) -> tensor<2x32x4x1xf32>
    %34 = "stablehlo.transpose"(%33) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x32x4x1xf32>) -> tensor<2x1x4x32xf32>
    "func.return"(%34) : (tensor<2x1x4x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x1x24xi1>, tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x1x1x24xi1>, %arg1: tensor<2x4x1x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x24xi1>) -> tensor<2x4x1x24xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x1x24xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x4x1x24xi1>, tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    "func.return"(%3) : (tensor<2x4x1x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
