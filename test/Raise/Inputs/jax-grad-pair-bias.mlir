// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_pair_bias"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<3x12x16xf32>, tensor<3x12xf32>, tensor<12x12x8xf32>, tensor<8x4xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>) -> (tensor<f32>, tensor<3x12x16xf32>, tensor<12x12x8xf32>, tensor<8x4xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[1][3]"}, {jax.result_info = "result[1][4]"}, {jax.result_info = "result[1][5]"}, {jax.result_info = "result[1][6]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x12x16xf32>, %arg1: tensor<3x12xf32>, %arg2: tensor<12x12x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<16x4x8xf32>, %arg5: tensor<16x4x8xf32>, %arg6: tensor<16x4x8xf32>, %arg7: tensor<16x4x8xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x16xf32>, tensor<16x4x8xf32>) -> tensor<3x12x4x8xf32>
    %1 = "stablehlo.dot_general"(%arg0, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x16xf32>, tensor<16x4x8xf32>) -> tensor<3x12x4x8xf32>
    %2 = "stablehlo.dot_general"(%arg0, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x16xf32>, tensor<16x4x8xf32>) -> tensor<3x12x4x8xf32>
    %3 = "stablehlo.dot_general"(%arg0, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x16xf32>, tensor<16x4x8xf32>) -> tensor<3x12x4x8xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %6 = "stablehlo.multiply"(%0, %5) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %7 = "stablehlo.dot_general"(%6, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x4x12x12xf32>
    %8 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12xf32>
    %10 = "stablehlo.subtract"(%arg1, %9) : (tensor<3x12xf32>, tensor<3x12xf32>) -> tensor<3x12xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12xf32>
    %13 = "stablehlo.multiply"(%12, %10) : (tensor<3x12xf32>, tensor<3x12xf32>) -> tensor<3x12xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<3x12xf32>) -> tensor<3x1x1x12xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x12xf32>) -> tensor<3x4x12x12xf32>
    %16 = "stablehlo.add"(%7, %15) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %17 = "stablehlo.dot_general"(%arg3, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x4xf32>, tensor<12x12x8xf32>) -> tensor<4x12x12xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<4x12x12xf32>) -> tensor<1x4x12x12xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %20 = "stablehlo.add"(%16, %19) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %21 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%20, %21) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %120 = "stablehlo.maximum"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%120) : (tensor<f32>) -> ()
    }) : (tensor<3x4x12x12xf32>, tensor<f32>) -> tensor<3x4x12xf32>
    %23 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x12xf32>
    %25 = "stablehlo.maximum"(%24, %22) : (tensor<3x4x12xf32>, tensor<3x4x12xf32>) -> tensor<3x4x12xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x4x12xf32>) -> tensor<3x4x12x1xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x4x12x1xf32>) -> tensor<3x4x12x12xf32>
    %28 = "stablehlo.subtract"(%20, %27) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %29 = "stablehlo.exponential"(%28) : (tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %119 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%119) : (tensor<f32>) -> ()
    }) : (tensor<3x4x12x12xf32>, tensor<f32>) -> tensor<3x4x12xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x4x12xf32>) -> tensor<3x4x12x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x4x12x1xf32>) -> tensor<3x4x12x12xf32>
    %34 = "stablehlo.divide"(%29, %33) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %35 = "stablehlo.multiply"(%32, %32) : (tensor<3x4x12x1xf32>, tensor<3x4x12x1xf32>) -> tensor<3x4x12x1xf32>
    %36 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x12x1xf32>
    %38 = "stablehlo.divide"(%37, %35) : (tensor<3x4x12x1xf32>, tensor<3x4x12x1xf32>) -> tensor<3x4x12x1xf32>
    %39 = "stablehlo.dot_general"(%2, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x8x12xf32>
    %40 = "stablehlo.transpose"(%39) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<3x4x8x12xf32>) -> tensor<3x12x4x8xf32>
    %41 = "stablehlo.negate"(%3) : (tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %42 = "stablehlo.exponential"(%41) : (tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %45 = "stablehlo.add"(%44, %42) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %46 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %48 = "stablehlo.divide"(%47, %45) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %49 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %51 = "stablehlo.subtract"(%50, %48) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %52 = "stablehlo.multiply"(%48, %51) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %53 = "stablehlo.multiply"(%40, %48) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %54 = "stablehlo.multiply"(%53, %53) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %55 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %57 = "stablehlo.multiply"(%56, %53) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.reduce"(%54, %58) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %118 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%118) : (tensor<f32>) -> ()
    }) : (tensor<3x12x4x8xf32>, tensor<f32>) -> tensor<f32>
    %60 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %62 = "stablehlo.multiply"(%61, %57) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %63 = "stablehlo.multiply"(%40, %62) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %64 = "stablehlo.multiply"(%62, %48) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %65 = "stablehlo.multiply"(%63, %52) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %66 = "stablehlo.transpose"(%64) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<3x12x4x8xf32>) -> tensor<3x4x8x12xf32>
    %67 = "stablehlo.dot_general"(%66, %2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x8x12xf32>, tensor<3x12x4x8xf32>) -> tensor<3x4x12x12xf32>
    %68 = "stablehlo.dot_general"(%66, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x8x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x8x12xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<3x4x8x12xf32>) -> tensor<3x12x4x8xf32>
    %70 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x4x12x1xf32>) -> tensor<3x4x12x12xf32>
    %71 = "stablehlo.multiply"(%67, %70) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %72 = "stablehlo.multiply"(%71, %29) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.reduce"(%72, %73) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %117 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%117) : (tensor<f32>) -> ()
    }) : (tensor<3x4x12x12xf32>, tensor<f32>) -> tensor<3x4x12xf32>
    %75 = "stablehlo.reshape"(%74) : (tensor<3x4x12xf32>) -> tensor<3x4x12x1xf32>
    %76 = "stablehlo.negate"(%75) : (tensor<3x4x12x1xf32>) -> tensor<3x4x12x1xf32>
    %77 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x4x12x1xf32>) -> tensor<3x4x12x12xf32>
    %78 = "stablehlo.divide"(%67, %77) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.reduce"(%76, %79) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %116 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%116) : (tensor<f32>) -> ()
    }) : (tensor<3x4x12x1xf32>, tensor<f32>) -> tensor<3x4x12xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x4x12xf32>) -> tensor<3x4x12x12xf32>
    %82 = "stablehlo.add"(%78, %81) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %83 = "stablehlo.multiply"(%82, %29) : (tensor<3x4x12x12xf32>, tensor<3x4x12x12xf32>) -> tensor<3x4x12x12xf32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.reduce"(%83, %84) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %115 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%115) : (tensor<f32>) -> ()
    }) : (tensor<3x4x12x12xf32>, tensor<f32>) -> tensor<4x12x12xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<4x12x12xf32>) -> tensor<1x4x12x12xf32>
    %87 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.reduce"(%86, %87) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %114 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%114) : (tensor<f32>) -> ()
    }) : (tensor<1x4x12x12xf32>, tensor<f32>) -> tensor<4x12x12xf32>
    %89 = "stablehlo.dot_general"(%88, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x12x12xf32>, tensor<8x4xf32>) -> tensor<12x12x8xf32>
    %90 = "stablehlo.dot_general"(%88, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x12x12xf32>, tensor<12x12x8xf32>) -> tensor<4x8xf32>
    %91 = "stablehlo.transpose"(%90) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %92 = "stablehlo.dot_general"(%83, %6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x12x12xf32>, tensor<3x12x4x8xf32>) -> tensor<3x4x12x8xf32>
    %93 = "stablehlo.transpose"(%92) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<3x4x12x8xf32>) -> tensor<3x12x4x8xf32>
    %94 = "stablehlo.dot_general"(%83, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x12x12xf32>, tensor<3x12x4x8xf32>) -> tensor<3x4x12x8xf32>
    %95 = "stablehlo.transpose"(%94) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<3x4x12x8xf32>) -> tensor<3x12x4x8xf32>
    %96 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x12x4x8xf32>
    %98 = "stablehlo.multiply"(%95, %97) : (tensor<3x12x4x8xf32>, tensor<3x12x4x8xf32>) -> tensor<3x12x4x8xf32>
    %99 = "stablehlo.dot_general"(%65, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<3x12x16xf32>) -> tensor<4x8x16xf32>
    %100 = "stablehlo.transpose"(%99) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x8x16xf32>) -> tensor<16x4x8xf32>
    %101 = "stablehlo.dot_general"(%65, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<16x4x8xf32>) -> tensor<3x12x16xf32>
    %102 = "stablehlo.dot_general"(%69, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<3x12x16xf32>) -> tensor<4x8x16xf32>
    %103 = "stablehlo.transpose"(%102) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x8x16xf32>) -> tensor<16x4x8xf32>
    %104 = "stablehlo.dot_general"(%69, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<16x4x8xf32>) -> tensor<3x12x16xf32>
    %105 = "stablehlo.add"(%101, %104) : (tensor<3x12x16xf32>, tensor<3x12x16xf32>) -> tensor<3x12x16xf32>
    %106 = "stablehlo.dot_general"(%93, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<3x12x16xf32>) -> tensor<4x8x16xf32>
    %107 = "stablehlo.transpose"(%106) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x8x16xf32>) -> tensor<16x4x8xf32>
    %108 = "stablehlo.dot_general"(%93, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<16x4x8xf32>) -> tensor<3x12x16xf32>
    %109 = "stablehlo.add"(%105, %108) : (tensor<3x12x16xf32>, tensor<3x12x16xf32>) -> tensor<3x12x16xf32>
    %110 = "stablehlo.dot_general"(%98, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<3x12x16xf32>) -> tensor<4x8x16xf32>
    %111 = "stablehlo.transpose"(%110) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x8x16xf32>) -> tensor<16x4x8xf32>
    %112 = "stablehlo.dot_general"(%98, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x12x4x8xf32>, tensor<16x4x8xf32>) -> tensor<3x12x16xf32>
    %113 = "stablehlo.add"(%109, %112) : (tensor<3x12x16xf32>, tensor<3x12x16xf32>) -> tensor<3x12x16xf32>
    "func.return"(%59, %113, %89, %91, %111, %107, %103, %100) : (tensor<f32>, tensor<3x12x16xf32>, tensor<12x12x8xf32>, tensor<8x4xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>, tensor<16x4x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
