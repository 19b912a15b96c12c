// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_of_lse"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24xf32>) -> (tensor<2x4x24x16xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<2x4x24x16xf32>, %arg7: tensor<2x4x24x16xf32>, %arg8: tensor<2x4x24x16xf32>, %arg9: tensor<2x4x24x16xf32>, %arg10: tensor<2x4x24xf32>):
    %16 = "stablehlo.dot_general"(%arg6, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x24xf32>
    %17 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %19 = "stablehlo.multiply"(%16, %18) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %20 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %22 = "func.call"(%21) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %23 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %24:2 = "func.call"(%22, %19, %23) <{callee = @_where}> : (tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) -> (tensor<2x4x24x24xf32>, tensor<2x4x24x24xi1>)
    %25 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%24#0, %25) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %73 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%73) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %29 = "stablehlo.subtract"(%24#0, %28) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %30 = "stablehlo.exponential"(%29) : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %72 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%72) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %35 = "stablehlo.divide"(%30, %34) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %36 = "stablehlo.multiply"(%33, %33) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1xf32>
    %39 = "stablehlo.divide"(%38, %36) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %40 = "stablehlo.dot_general"(%35, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    %41 = "stablehlo.log"(%33) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %42 = "stablehlo.add"(%27, %41) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24xf32>
    %44 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %45 = "stablehlo.divide"(%44, %33) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %46 = "stablehlo.dot_general"(%arg9, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x4x24x16xf32>
    %48 = "stablehlo.dot_general"(%arg9, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x24xf32>
    %49 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %50 = "stablehlo.multiply"(%48, %49) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %51 = "stablehlo.multiply"(%50, %30) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %71 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %55 = "stablehlo.negate"(%54) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %56 = "stablehlo.add"(%45, %55) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %57 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %58 = "stablehlo.divide"(%48, %57) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.reduce"(%56, %59) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %70 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x24xf32>
    %62 = "stablehlo.add"(%58, %61) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %63 = "stablehlo.multiply"(%62, %30) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %64 = "func.call"(%24#1, %63) <{callee = @_where_0}> : (tensor<2x4x24x24xi1>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %65 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %67 = "stablehlo.multiply"(%64, %66) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %68 = "stablehlo.dot_general"(%67, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    %69 = "stablehlo.dot_general"(%67, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    "func.return"(%40, %43, %69, %68, %47) : (tensor<2x4x24x16xf32>, tensor<2x4x24xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24x24xi1>) -> tensor<24x24xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<24x24xi1>):
    %7 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24x24xi32>
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x24xi32>
    %10 = "stablehlo.add"(%7, %9) : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi32>
    %11 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<24x24xi32>
    %12 = "stablehlo.compare"(%10, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %13 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %15 = "stablehlo.select"(%12, %arg5, %14) : (tensor<24x24xi1>, tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    "func.return"(%15) : (tensor<24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) -> (tensor<2x4x24x24xf32>, tensor<2x4x24x24xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<24x24xi1>, %arg3: tensor<2x4x24x24xf32>, %arg4: tensor<f32>):
    %3 = "stablehlo.convert"(%arg4) : (tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<2x4x24x24xi1>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %6 = "stablehlo.select"(%4, %arg3, %5) : (tensor<2x4x24x24xi1>, tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    "func.return"(%6, %4) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x24x24xi1>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x24x24xi1>, %arg1: tensor<2x4x24x24xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x4x24x24xi1>, tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    "func.return"(%2) : (tensor<2x4x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
