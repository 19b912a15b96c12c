// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_flax_cross_attention"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}], function_type = (tensor<2x10x24xf32>, tensor<2x14x24xf32>, tensor<2x14xi1>, tensor<24x3x8xf32>, tensor<24x3x8xf32>, tensor<24x3x8xf32>, tensor<3x8x24xf32>) -> tensor<2x10x24xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x10x24xf32>, %arg4: tensor<2x14x24xf32>, %arg5: tensor<2x14xi1>, %arg6: tensor<24x3x8xf32>, %arg7: tensor<24x3x8xf32>, %arg8: tensor<24x3x8xf32>, %arg9: tensor<3x8x24xf32>):
    %3 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x14xi1>) -> tensor<2x1x1x14xi1>
    %4 = "stablehlo.dot_general"(%arg3, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10x24xf32>, tensor<24x3x8xf32>) -> tensor<2x10x3x8xf32>
    %5 = "stablehlo.dot_general"(%arg4, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x14x24xf32>, tensor<24x3x8xf32>) -> tensor<2x14x3x8xf32>
    %6 = "stablehlo.dot_general"(%arg4, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x14x24xf32>, tensor<24x3x8xf32>) -> tensor<2x14x3x8xf32>
    %7 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.sqrt"(%7) : (tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.convert"(%8) : (tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x10x3x8xf32>
    %11 = "stablehlo.divide"(%4, %10) : (tensor<2x10x3x8xf32>, tensor<2x10x3x8xf32>) -> tensor<2x10x3x8xf32>
    %12 = "stablehlo.dot_general"(%11, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10x3x8xf32>, tensor<2x14x3x8xf32>) -> tensor<2x3x10x14xf32>
    %13 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %14 = "func.call"(%3, %12, %13) <{callee = @_where}> : (tensor<2x1x1x14xi1>, tensor<2x3x10x14xf32>, tensor<f32>) -> tensor<2x3x10x14xf32>
    %15 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %33 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) : (tensor<2x3x10x14xf32>, tensor<f32>) -> tensor<2x3x10xf32>
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x10xf32>
    %19 = "stablehlo.maximum"(%18, %16) : (tensor<2x3x10xf32>, tensor<2x3x10xf32>) -> tensor<2x3x10xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x10xf32>) -> tensor<2x3x10x1xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x10x1xf32>) -> tensor<2x3x10x14xf32>
    %22 = "stablehlo.subtract"(%14, %21) : (tensor<2x3x10x14xf32>, tensor<2x3x10x14xf32>) -> tensor<2x3x10x14xf32>
    %23 = "stablehlo.exponential"(%22) : (tensor<2x3x10x14xf32>) -> tensor<2x3x10x14xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %32 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%32) : (tensor<f32>) -> ()
    }) : (tensor<2x3x10x14xf32>, tensor<f32>) -> tensor<2x3x10xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x10xf32>) -> tensor<2x3x10x1xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x10x1xf32>) -> tensor<2x3x10x14xf32>
    %28 = "stablehlo.divide"(%23, %27) : (tensor<2x3x10x14xf32>, tensor<2x3x10x14xf32>) -> tensor<2x3x10x14xf32>
    %29 = "stablehlo.dot_general"(%6, %28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x14x3x8xf32>, tensor<2x3x10x14xf32>) -> tensor<2x3x8x10xf32>
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x8x10xf32>) -> tensor<2x10x3x8xf32>
    %31 = "stablehlo.dot_general"(%30, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10x3x8xf32>, tensor<3x8x24xf32>) -> tensor<2x10x24xf32>
    "func.return"(%31) : (tensor<2x10x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x1x14xi1>, tensor<2x3x10x14xf32>, tensor<f32>) -> tensor<2x3x10x14xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x1x1x14xi1>, %arg1: tensor<2x3x10x14xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x14xi1>) -> tensor<2x3x10x14xi1>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x10x14xf32>
    %2 = "stablehlo.select"(%0, %arg1, %1) : (tensor<2x3x10x14xi1>, tensor<2x3x10x14xf32>, tensor<2x3x10x14xf32>) -> tensor<2x3x10x14xf32>
    "func.return"(%2) : (tensor<2x3x10x14xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
