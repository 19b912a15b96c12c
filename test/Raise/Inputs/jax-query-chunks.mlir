// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_query_chunks"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>) -> tensor<2x32x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg12: tensor<2x32x4x16xf32>, %arg13: tensor<2x32x4x16xf32>, %arg14: tensor<2x32x4x16xf32>):
    %34 = "stablehlo.reshape"(%arg12) : (tensor<2x32x4x16xf32>) -> tensor<2x4x8x4x16xf32>
    %35 = "stablehlo.transpose"(%34) <{permutation = array<i64: 1, 0, 2, 3, 4>}> : (tensor<2x4x8x4x16xf32>) -> tensor<4x2x8x4x16xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x4x16xf32>
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %39:5 = "stablehlo.while"(%35, %arg13, %arg14, %38, %37) ({
    ^bb0(%arg20: tensor<4x2x8x4x16xf32>, %arg21: tensor<2x32x4x16xf32>, %arg22: tensor<2x32x4x16xf32>, %arg23: tensor<i32>, %arg24: tensor<4x2x8x4x16xf32>):
      %47 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %48 = "stablehlo.compare"(%arg23, %47) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%48) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<4x2x8x4x16xf32>, %arg16: tensor<2x32x4x16xf32>, %arg17: tensor<2x32x4x16xf32>, %arg18: tensor<i32>, %arg19: tensor<4x2x8x4x16xf32>):
      %42 = "func.call"(%arg15, %arg18) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>
      %43 = "func.call"(%arg16, %arg17, %42) <{callee = @closed_call}> : (tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
      %44 = "func.call"(%arg19, %43, %arg18) <{callee = @dynamic_update_index_in_dim}> : (tensor<4x2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<4x2x8x4x16xf32>
      %45 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %46 = "stablehlo.add"(%arg18, %45) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg15, %arg16, %arg17, %46, %44) : (tensor<4x2x8x4x16xf32>, tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>, tensor<i32>, tensor<4x2x8x4x16xf32>) -> ()
    }) : (tensor<4x2x8x4x16xf32>, tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>, tensor<i32>, tensor<4x2x8x4x16xf32>) -> (tensor<4x2x8x4x16xf32>, tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>, tensor<i32>, tensor<4x2x8x4x16xf32>)
    %40 = "stablehlo.transpose"(%39#4) <{permutation = array<i64: 1, 0, 2, 3, 4>}> : (tensor<4x2x8x4x16xf32>) -> tensor<2x4x8x4x16xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<2x4x8x4x16xf32>) -> tensor<2x32x4x16xf32>
    "func.return"(%41) : (tensor<2x32x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x2x8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<4x2x8x4x16xf32>, %arg11: tensor<i32>):
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.dynamic_slice"(%arg10, %arg11, %28, %29, %30, %31) <{slice_sizes = array<i64: 1, 2, 8, 4, 16>}> : (tensor<4x2x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8x4x16xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<1x2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
    "func.return"(%33) : (tensor<2x8x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x32x4x16xf32>, tensor<2x32x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x32x4x16xf32>, %arg4: tensor<2x32x4x16xf32>, %arg5: tensor<2x8x4x16xf32>):
    %6 = "stablehlo.dot_general"(%arg5, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x16xf32>, tensor<2x32x4x16xf32>) -> tensor<2x4x8x32xf32>
    %7 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x32xf32>
    %9 = "stablehlo.multiply"(%6, %8) : (tensor<2x4x8x32xf32>, tensor<2x4x8x32xf32>) -> tensor<2x4x8x32xf32>
    %10 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %27 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x32xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8xf32>
    %14 = "stablehlo.maximum"(%13, %11) : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x32xf32>
    %17 = "stablehlo.subtract"(%9, %16) : (tensor<2x4x8x32xf32>, tensor<2x4x8x32xf32>) -> tensor<2x4x8x32xf32>
    %18 = "stablehlo.exponential"(%17) : (tensor<2x4x8x32xf32>) -> tensor<2x4x8x32xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %26 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%26) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x32xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x32xf32>
    %23 = "stablehlo.divide"(%18, %22) : (tensor<2x4x8x32xf32>, tensor<2x4x8x32xf32>) -> tensor<2x4x8x32xf32>
    %24 = "stablehlo.dot_general"(%arg4, %23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x4x16xf32>, tensor<2x4x8x32xf32>) -> tensor<2x4x16x8xf32>
    %25 = "stablehlo.transpose"(%24) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
    "func.return"(%25) : (tensor<2x8x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<4x2x8x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x2x8x4x16xf32>, %arg1: tensor<2x8x4x16xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x8x4x16xf32>) -> tensor<1x2x8x4x16xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2, %3, %4) : (tensor<4x2x8x4x16xf32>, tensor<1x2x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x4x16xf32>
    "func.return"(%5) : (tensor<4x2x8x4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
