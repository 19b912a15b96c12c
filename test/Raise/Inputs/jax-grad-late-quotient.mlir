// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_late_quotient"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x8x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x8x16xf32>) -> (tensor<2x24x8x16xf32>, tensor<2x24x8x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x24x8x16xf32>, %arg5: tensor<2x24x2x16xf32>, %arg6: tensor<2x24x2x16xf32>, %arg7: tensor<2x24x8x16xf32>):
    %13 = "stablehlo.reshape"(%arg4) : (tensor<2x24x8x16xf32>) -> tensor<2x24x2x4x16xf32>
    %14 = "stablehlo.dot_general"(%arg5, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xf32>, tensor<2x24x2x4x16xf32>) -> tensor<2x2x24x24x4xf32>
    %15 = "stablehlo.transpose"(%14) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x24x24x4xf32>) -> tensor<2x2x4x24x24xf32>
    %16 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x4x24x24xf32>
    %18 = "stablehlo.multiply"(%15, %17) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %19 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %21 = "func.call"(%20) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.constant"() <{value = dense<-2.400000e+38> : tensor<f32>}> : () -> tensor<f32>
    %24 = "func.call"(%21, %22, %23) <{callee = @_where}> : (tensor<24x24xi1>, tensor<i32>, tensor<f32>) -> tensor<24x24xf32>
    %25 = "stablehlo.convert"(%24) : (tensor<24x24xf32>) -> tensor<24x24xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 3, 4>}> : (tensor<24x24xf32>) -> tensor<1x1x1x24x24xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x1x1x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %28 = "stablehlo.add"(%18, %27) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %101 = "stablehlo.maximum"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%101) : (tensor<f32>) -> ()
    }) : (tensor<2x2x4x24x24xf32>, tensor<f32>) -> tensor<2x2x4x24xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<2x2x4x24xf32>) -> tensor<2x2x4x24x1xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x4x24x1xf32>) -> tensor<2x2x4x24x24xf32>
    %33 = "stablehlo.compare"(%28, %32) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xi1>
    %34 = "stablehlo.convert"(%33) : (tensor<2x2x4x24x24xi1>) -> tensor<2x2x4x24x24xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %100 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%100) : (tensor<f32>) -> ()
    }) : (tensor<2x2x4x24x24xf32>, tensor<f32>) -> tensor<2x2x4x24xf32>
    %37 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x4x24xf32>) -> tensor<2x2x4x24x1xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x4x24x1xf32>) -> tensor<2x2x4x24x24xf32>
    %39 = "stablehlo.subtract"(%28, %38) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %40 = "stablehlo.exponential"(%39) : (tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %41 = "stablehlo.dot_general"(%arg6, %40) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x16x4x24xf32>
    %42 = "stablehlo.transpose"(%41) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<2x2x16x4x24xf32>) -> tensor<2x24x2x4x16xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x24x2x4x16xf32>) -> tensor<2x24x8x16xf32>
    %44 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.reduce"(%40, %44) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %99 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%99) : (tensor<f32>) -> ()
    }) : (tensor<2x2x4x24x24xf32>, tensor<f32>) -> tensor<2x2x4x24xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x4x24xf32>) -> tensor<2x2x4x24x1xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 3, 1, 2, 4>}> : (tensor<2x2x4x24x1xf32>) -> tensor<2x24x2x4x1xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x24x2x4x1xf32>) -> tensor<2x24x8x1xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x24x8x1xf32>) -> tensor<2x24x8x16xf32>
    %50 = "stablehlo.divide"(%43, %49) : (tensor<2x24x8x16xf32>, tensor<2x24x8x16xf32>) -> tensor<2x24x8x16xf32>
    %51 = "stablehlo.multiply"(%48, %48) : (tensor<2x24x8x1xf32>, tensor<2x24x8x1xf32>) -> tensor<2x24x8x1xf32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x8x1xf32>
    %54 = "stablehlo.divide"(%53, %51) : (tensor<2x24x8x1xf32>, tensor<2x24x8x1xf32>) -> tensor<2x24x8x1xf32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x24x8x1xf32>) -> tensor<2x24x8x16xf32>
    %56 = "stablehlo.multiply"(%arg7, %55) : (tensor<2x24x8x16xf32>, tensor<2x24x8x16xf32>) -> tensor<2x24x8x16xf32>
    %57 = "stablehlo.multiply"(%56, %43) : (tensor<2x24x8x16xf32>, tensor<2x24x8x16xf32>) -> tensor<2x24x8x16xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.reduce"(%57, %58) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %98 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%98) : (tensor<f32>) -> ()
    }) : (tensor<2x24x8x16xf32>, tensor<f32>) -> tensor<2x24x8xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<2x24x8xf32>) -> tensor<2x24x8x1xf32>
    %61 = "stablehlo.negate"(%60) : (tensor<2x24x8x1xf32>) -> tensor<2x24x8x1xf32>
    %62 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x24x8x1xf32>) -> tensor<2x24x8x16xf32>
    %63 = "stablehlo.divide"(%arg7, %62) : (tensor<2x24x8x16xf32>, tensor<2x24x8x16xf32>) -> tensor<2x24x8x16xf32>
    %64 = "stablehlo.reshape"(%61) : (tensor<2x24x8x1xf32>) -> tensor<2x24x2x4x1xf32>
    %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 0, 2, 3, 1, 4>}> : (tensor<2x24x2x4x1xf32>) -> tensor<2x2x4x24x1xf32>
    %66 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.reduce"(%65, %66) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %97 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%97) : (tensor<f32>) -> ()
    }) : (tensor<2x2x4x24x1xf32>, tensor<f32>) -> tensor<2x2x4x24xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x4x24xf32>) -> tensor<2x2x4x24x24xf32>
    %69 = "stablehlo.reshape"(%63) : (tensor<2x24x8x16xf32>) -> tensor<2x24x2x4x16xf32>
    %70 = "stablehlo.transpose"(%69) <{permutation = array<i64: 0, 2, 4, 3, 1>}> : (tensor<2x24x2x4x16xf32>) -> tensor<2x2x16x4x24xf32>
    %71 = "stablehlo.dot_general"(%70, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x4x24xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x4x24x24xf32>
    %72 = "stablehlo.add"(%68, %71) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %73 = "stablehlo.dot_general"(%70, %40) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x4x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x16x24xf32>
    %74 = "stablehlo.transpose"(%73) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x24xf32>) -> tensor<2x24x2x16xf32>
    %75 = "stablehlo.multiply"(%72, %40) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %76 = "stablehlo.negate"(%75) : (tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.reduce"(%76, %77) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %96 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%96) : (tensor<f32>) -> ()
    }) : (tensor<2x2x4x24x24xf32>, tensor<f32>) -> tensor<2x2x4x24xf32>
    %79 = "stablehlo.reshape"(%78) : (tensor<2x2x4x24xf32>) -> tensor<2x2x4x24x1xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.reduce"(%79, %80) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %95 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%95) : (tensor<f32>) -> ()
    }) : (tensor<2x2x4x24x1xf32>, tensor<f32>) -> tensor<2x2x4x24xf32>
    %82 = "stablehlo.divide"(%81, %36) : (tensor<2x2x4x24xf32>, tensor<2x2x4x24xf32>) -> tensor<2x2x4x24xf32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x4x24xf32>) -> tensor<2x2x4x24x24xf32>
    %84 = "stablehlo.multiply"(%83, %34) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %85 = "stablehlo.add"(%75, %84) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %86 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x4x24x24xf32>
    %88 = "stablehlo.multiply"(%85, %87) : (tensor<2x2x4x24x24xf32>, tensor<2x2x4x24x24xf32>) -> tensor<2x2x4x24x24xf32>
    %89 = "stablehlo.transpose"(%88) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x4x24x24xf32>) -> tensor<2x2x24x24x4xf32>
    %90 = "stablehlo.dot_general"(%89, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x24x4xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x4x16xf32>
    %91 = "stablehlo.transpose"(%90) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x2x24x4x16xf32>) -> tensor<2x24x2x4x16xf32>
    %92 = "stablehlo.dot_general"(%89, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x24x4xf32>, tensor<2x24x2x4x16xf32>) -> tensor<2x2x24x16xf32>
    %93 = "stablehlo.transpose"(%92) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x24x16xf32>) -> tensor<2x24x2x16xf32>
    %94 = "stablehlo.reshape"(%91) : (tensor<2x24x2x4x16xf32>) -> tensor<2x24x8x16xf32>
    "func.return"(%50, %94, %93, %74) : (tensor<2x24x8x16xf32>, tensor<2x24x8x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24x24xi1>) -> tensor<24x24xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<24x24xi1>):
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24x24xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x24xi32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi32>
    %8 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<24x24xi32>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %10 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %12 = "stablehlo.select"(%9, %arg3, %11) : (tensor<24x24xi1>, tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    "func.return"(%12) : (tensor<24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x24xi1>, tensor<i32>, tensor<f32>) -> tensor<24x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<24x24xi1>, %arg1: tensor<i32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x24xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x24xf32>
    %3 = "stablehlo.select"(%arg0, %1, %2) : (tensor<24x24xi1>, tensor<24x24xf32>, tensor<24x24xf32>) -> tensor<24x24xf32>
    "func.return"(%3) : (tensor<24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
