// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_lse_grad"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x4x24xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x24x4x16xf32>, %arg1: tensor<2x24x4x16xf32>, %arg2: tensor<2x24x4x16xf32>, %arg3: tensor<2x24x4x16xf32>):
    %0 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %3 = "stablehlo.dot_general"(%2, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x24xf32>
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %72 = "stablehlo.maximum"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%72) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %8 = "stablehlo.maximum"(%7, %5) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %11 = "stablehlo.subtract"(%3, %10) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %12 = "stablehlo.exponential"(%11) : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %71 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %17 = "stablehlo.divide"(%12, %16) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %18 = "stablehlo.multiply"(%15, %15) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1xf32>
    %21 = "stablehlo.divide"(%20, %18) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %22 = "stablehlo.dot_general"(%arg2, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %23 = "stablehlo.transpose"(%22) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%3, %24) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %70 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %28 = "stablehlo.maximum"(%27, %25) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %29 = "stablehlo.is_finite"(%28) : (tensor<2x4x24xf32>) -> tensor<2x4x24xi1>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %32 = "stablehlo.select"(%29, %28, %31) : (tensor<2x4x24xi1>, tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %35 = "stablehlo.subtract"(%3, %34) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %36 = "stablehlo.exponential"(%35) : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %69 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%69) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %39 = "stablehlo.abs"(%38) : (tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %40 = "stablehlo.log"(%39) : (tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %41 = "stablehlo.add"(%40, %32) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %42 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
    %43 = "stablehlo.dot_general"(%42, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x24xf32>
    %44 = "stablehlo.dot_general"(%42, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    %46 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %47 = "stablehlo.multiply"(%43, %46) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %48 = "stablehlo.multiply"(%47, %12) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %68 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%68) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %52 = "stablehlo.negate"(%51) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %53 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %54 = "stablehlo.divide"(%43, %53) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.reduce"(%52, %55) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%67) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x24xf32>
    %58 = "stablehlo.add"(%54, %57) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %59 = "stablehlo.multiply"(%58, %12) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %60 = "stablehlo.dot_general"(%59, %2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x16xf32>
    %61 = "stablehlo.transpose"(%60) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x16xf32>) -> tensor<2x24x4x16xf32>
    %62 = "stablehlo.dot_general"(%59, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x16xf32>
    %63 = "stablehlo.transpose"(%62) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x16xf32>) -> tensor<2x24x4x16xf32>
    %64 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %66 = "stablehlo.multiply"(%63, %65) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%23, %41, %66, %61, %45) : (tensor<2x24x4x16xf32>, tensor<2x4x24xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
