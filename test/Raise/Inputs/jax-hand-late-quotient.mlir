// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_hand_late_quotient"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x17x8xbf16>, tensor<3x2x29x8xbf16>, tensor<3x2x29x12xbf16>) -> tensor<3x2x17x12xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x2x17x8xbf16>, %arg1: tensor<3x2x29x8xbf16>, %arg2: tensor<3x2x29x12xbf16>):
    %0 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x2x17x8xbf16>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<3x2x17x8xbf16>, tensor<3x2x17x8xbf16>) -> tensor<3x2x17x8xbf16>
    %3 = "stablehlo.dot_general"(%2, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x2x17x8xbf16>, tensor<3x2x29x8xbf16>) -> tensor<3x2x17x29xbf16>
    %4 = "stablehlo.convert"(%3) : (tensor<3x2x17x29xbf16>) -> tensor<3x2x17x29xf32>
    %5 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %21 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<3x2x17x29xf32>, tensor<f32>) -> tensor<3x2x17xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x2x17xf32>) -> tensor<3x2x17x1xf32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x2x17x1xf32>) -> tensor<3x2x17x29xf32>
    %9 = "stablehlo.subtract"(%4, %8) : (tensor<3x2x17x29xf32>, tensor<3x2x17x29xf32>) -> tensor<3x2x17x29xf32>
    %10 = "stablehlo.exponential"(%9) : (tensor<3x2x17x29xf32>) -> tensor<3x2x17x29xf32>
    %11 = "stablehlo.convert"(%10) : (tensor<3x2x17x29xf32>) -> tensor<3x2x17x29xbf16>
    %12 = "stablehlo.dot_general"(%11, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x2x17x29xbf16>, tensor<3x2x29x12xbf16>) -> tensor<3x2x17x12xbf16>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%10, %13) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %20 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<3x2x17x29xf32>, tensor<f32>) -> tensor<3x2x17xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x2x17xf32>) -> tensor<3x2x17x1xf32>
    %16 = "stablehlo.convert"(%12) : (tensor<3x2x17x12xbf16>) -> tensor<3x2x17x12xf32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x2x17x1xf32>) -> tensor<3x2x17x12xf32>
    %18 = "stablehlo.divide"(%16, %17) : (tensor<3x2x17x12xf32>, tensor<3x2x17x12xf32>) -> tensor<3x2x17x12xf32>
    %19 = "stablehlo.convert"(%18) : (tensor<3x2x17x12xf32>) -> tensor<3x2x17x12xbf16>
    "func.return"(%19) : (tensor<3x2x17x12xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
