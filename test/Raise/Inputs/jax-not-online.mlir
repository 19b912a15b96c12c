// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_not_online"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg12: tensor<2x4x24x16xf32>, %arg13: tensor<2x4x24x16xf32>, %arg14: tensor<2x4x24x16xf32>):
    %27 = "stablehlo.reshape"(%arg13) : (tensor<2x4x24x16xf32>) -> tensor<2x4x3x8x16xf32>
    %28 = "stablehlo.transpose"(%27) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x3x8x16xf32>) -> tensor<3x2x4x8x16xf32>
    %29 = "stablehlo.reshape"(%arg14) : (tensor<2x4x24x16xf32>) -> tensor<2x4x3x8x16xf32>
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x3x8x16xf32>) -> tensor<3x2x4x8x16xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %33 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %35 = "stablehlo.subtract"(%32, %34) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x16xf32>
    %38 = "stablehlo.multiply"(%arg12, %37) : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40:7 = "stablehlo.while"(%28, %30, %arg12, %39, %35, %32, %38) ({
    ^bb0(%arg22: tensor<3x2x4x8x16xf32>, %arg23: tensor<3x2x4x8x16xf32>, %arg24: tensor<2x4x24x16xf32>, %arg25: tensor<i32>, %arg26: tensor<2x4x24xf32>, %arg27: tensor<2x4x24xf32>, %arg28: tensor<2x4x24x16xf32>):
      %49 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %50 = "stablehlo.compare"(%arg25, %49) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%50) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<3x2x4x8x16xf32>, %arg16: tensor<3x2x4x8x16xf32>, %arg17: tensor<2x4x24x16xf32>, %arg18: tensor<i32>, %arg19: tensor<2x4x24xf32>, %arg20: tensor<2x4x24xf32>, %arg21: tensor<2x4x24x16xf32>):
      %44 = "func.call"(%arg15, %arg18) <{callee = @dynamic_index_in_dim}> : (tensor<3x2x4x8x16xf32>, tensor<i32>) -> tensor<2x4x8x16xf32>
      %45 = "func.call"(%arg16, %arg18) <{callee = @dynamic_index_in_dim}> : (tensor<3x2x4x8x16xf32>, tensor<i32>) -> tensor<2x4x8x16xf32>
      %46:3 = "func.call"(%arg17, %arg19, %arg20, %arg21, %44, %45) <{callee = @closed_call}> : (tensor<2x4x24x16xf32>, tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>)
      %47 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %48 = "stablehlo.add"(%arg18, %47) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg15, %arg16, %arg17, %48, %46#0, %46#1, %46#2) : (tensor<3x2x4x8x16xf32>, tensor<3x2x4x8x16xf32>, tensor<2x4x24x16xf32>, tensor<i32>, tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>) -> ()
    }) : (tensor<3x2x4x8x16xf32>, tensor<3x2x4x8x16xf32>, tensor<2x4x24x16xf32>, tensor<i32>, tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>) -> (tensor<3x2x4x8x16xf32>, tensor<3x2x4x8x16xf32>, tensor<2x4x24x16xf32>, tensor<i32>, tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>)
    %41 = "stablehlo.broadcast_in_dim"(%40#5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x16xf32>
    %43 = "stablehlo.divide"(%40#6, %42) : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    "func.return"(%43) : (tensor<2x4x24x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4x8x16xf32>, tensor<i32>) -> tensor<2x4x8x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<3x2x4x8x16xf32>, %arg11: tensor<i32>):
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.dynamic_slice"(%arg10, %arg11, %21, %22, %23, %24) <{slice_sizes = array<i64: 1, 2, 4, 8, 16>}> : (tensor<3x2x4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x8x16xf32>
    %26 = "stablehlo.reshape"(%25) : (tensor<1x2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
    "func.return"(%26) : (tensor<2x4x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x24x16xf32>, tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24xf32>, %arg2: tensor<2x4x24xf32>, %arg3: tensor<2x4x24x16xf32>, %arg4: tensor<2x4x8x16xf32>, %arg5: tensor<2x4x8x16xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x24x8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %20 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x8xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %3 = "stablehlo.maximum"(%arg1, %2) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %4 = "stablehlo.subtract"(%arg1, %3) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %5 = "stablehlo.exponential"(%4) : (tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %6 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x8xf32>
    %8 = "stablehlo.subtract"(%0, %7) : (tensor<2x4x24x8xf32>, tensor<2x4x24x8xf32>) -> tensor<2x4x24x8xf32>
    %9 = "stablehlo.exponential"(%8) : (tensor<2x4x24x8xf32>) -> tensor<2x4x24x8xf32>
    %10 = "stablehlo.multiply"(%arg2, %5) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.reduce"(%9, %11) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %19 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x8xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %13 = "stablehlo.add"(%10, %12) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x16xf32>
    %16 = "stablehlo.multiply"(%arg3, %15) : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    %17 = "stablehlo.dot_general"(%9, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x24x16xf32>
    %18 = "stablehlo.add"(%16, %17) : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    "func.return"(%3, %13, %18) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
