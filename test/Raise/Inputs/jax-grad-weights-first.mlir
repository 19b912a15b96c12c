// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_weights_first"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x24x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>):
    %0 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x32xf32>, tensor<2x24x32xf32>) -> tensor<32x2x24xf32>
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<32x2x24xf32>) -> tensor<2x24x32xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<2x24x32xf32>) -> tensor<2x24x4x8xf32>
    %3 = "stablehlo.dot_general"(%arg2, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x32xf32>, tensor<2x24x32xf32>) -> tensor<32x2x24xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 2, 0>}> : (tensor<32x2x24xf32>) -> tensor<2x24x32xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<2x24x32xf32>) -> tensor<2x24x4x8xf32>
    %6 = "stablehlo.dot_general"(%arg3, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x32xf32>, tensor<2x24x32xf32>) -> tensor<32x2x24xf32>
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 1, 2, 0>}> : (tensor<32x2x24xf32>) -> tensor<2x24x32xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x24x32xf32>) -> tensor<2x24x4x8xf32>
    %9 = "stablehlo.reshape"(%2) : (tensor<2x24x4x8xf32>) -> tensor<2x24x4x1x8xf32>
    %10 = "stablehlo.dot_general"(%9, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x1x8xf32>, tensor<2x24x4x8xf32>) -> tensor<2x4x24x1x24xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %13 = "stablehlo.multiply"(%10, %12) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %14 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %95 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%95) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1x24xf32>, tensor<f32>) -> tensor<2x4x24x1xf32>
    %16 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1xf32>
    %18 = "stablehlo.maximum"(%17, %15) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x4x24x1xf32>) -> tensor<1x2x4x24xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %21 = "stablehlo.transpose"(%13) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x4x24x1x24xf32>) -> tensor<1x2x4x24x24xf32>
    %22 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %23 = "stablehlo.subtract"(%21, %22) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %24 = "stablehlo.exponential"(%23) : (tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %25 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %94 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%94) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %29 = "stablehlo.divide"(%24, %28) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %30 = "stablehlo.multiply"(%27, %27) : (tensor<1x2x4x24x1xf32>, tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x24x1xf32>
    %33 = "stablehlo.divide"(%32, %30) : (tensor<1x2x4x24x1xf32>, tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %34 = "stablehlo.dot_general"(%8, %29) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x8xf32>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x8x1x24xf32>
    %35 = "stablehlo.transpose"(%34) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x4x8x1x24xf32>) -> tensor<1x2x24x4x8xf32>
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x24x4x8xf32>) -> tensor<2x24x4x1x8xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<2x24x4x1x8xf32>) -> tensor<2x24x4x8xf32>
    %38 = "stablehlo.multiply"(%37, %37) : (tensor<2x24x4x8xf32>, tensor<2x24x4x8xf32>) -> tensor<2x24x4x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x8xf32>
    %41 = "stablehlo.multiply"(%40, %37) : (tensor<2x24x4x8xf32>, tensor<2x24x4x8xf32>) -> tensor<2x24x4x8xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%38, %42) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %93 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%93) : (tensor<f32>) -> ()
    }) : (tensor<2x24x4x8xf32>, tensor<f32>) -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<1.536000e+03> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.divide"(%43, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.constant"() <{value = dense<1.536000e+03> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.divide"(%46, %47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x8xf32>
    %50 = "stablehlo.multiply"(%49, %41) : (tensor<2x24x4x8xf32>, tensor<2x24x4x8xf32>) -> tensor<2x24x4x8xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<2x24x4x8xf32>) -> tensor<2x24x4x1x8xf32>
    %52 = "stablehlo.transpose"(%51) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x24x4x1x8xf32>) -> tensor<1x2x24x4x8xf32>
    %53 = "stablehlo.transpose"(%52) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x24x4x8xf32>) -> tensor<2x4x8x1x24xf32>
    %54 = "stablehlo.dot_general"(%53, %8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x1x24xf32>, tensor<2x24x4x8xf32>) -> tensor<2x4x1x24x24xf32>
    %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x1x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %56 = "stablehlo.dot_general"(%53, %29) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x1x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x8x24xf32>
    %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x8x24xf32>) -> tensor<2x24x4x8xf32>
    %58 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %59 = "stablehlo.multiply"(%55, %58) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %60 = "stablehlo.multiply"(%59, %24) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%60, %61) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %92 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%92) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %63 = "stablehlo.reshape"(%62) : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %64 = "stablehlo.negate"(%63) : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %65 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %66 = "stablehlo.divide"(%55, %65) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.reduce"(%64, %67) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %91 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%91) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x4x24xf32>) -> tensor<1x2x4x24xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x24xf32>
    %71 = "stablehlo.add"(%66, %70) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %72 = "stablehlo.multiply"(%71, %24) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %73 = "stablehlo.transpose"(%72) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x4x24x24xf32>) -> tensor<2x4x24x1x24xf32>
    %74 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %76 = "stablehlo.multiply"(%73, %75) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %77 = "stablehlo.dot_general"(%76, %9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x1x24xf32>, tensor<2x24x4x1x8xf32>) -> tensor<2x4x24x8xf32>
    %78 = "stablehlo.transpose"(%77) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x8xf32>) -> tensor<2x24x4x8xf32>
    %79 = "stablehlo.dot_general"(%76, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x1x24xf32>, tensor<2x24x4x8xf32>) -> tensor<2x4x24x1x8xf32>
    %80 = "stablehlo.transpose"(%79) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x4x24x1x8xf32>) -> tensor<2x24x4x1x8xf32>
    %81 = "stablehlo.reshape"(%80) : (tensor<2x24x4x1x8xf32>) -> tensor<2x24x4x8xf32>
    %82 = "stablehlo.reshape"(%57) : (tensor<2x24x4x8xf32>) -> tensor<2x24x32xf32>
    %83 = "stablehlo.transpose"(%82) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x24x32xf32>) -> tensor<32x2x24xf32>
    %84 = "stablehlo.dot_general"(%83, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x2x24xf32>, tensor<2x24x32xf32>) -> tensor<32x32xf32>
    %85 = "stablehlo.reshape"(%78) : (tensor<2x24x4x8xf32>) -> tensor<2x24x32xf32>
    %86 = "stablehlo.transpose"(%85) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x24x32xf32>) -> tensor<32x2x24xf32>
    %87 = "stablehlo.dot_general"(%86, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x2x24xf32>, tensor<2x24x32xf32>) -> tensor<32x32xf32>
    %88 = "stablehlo.reshape"(%81) : (tensor<2x24x4x8xf32>) -> tensor<2x24x32xf32>
    %89 = "stablehlo.transpose"(%88) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x24x32xf32>) -> tensor<32x2x24xf32>
    %90 = "stablehlo.dot_general"(%89, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x2x24xf32>, tensor<2x24x32xf32>) -> tensor<32x32xf32>
    "func.return"(%45, %90, %87, %84) : (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
