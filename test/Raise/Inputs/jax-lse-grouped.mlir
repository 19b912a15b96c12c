// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_lse_grouped"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x4x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x16xbf16>) -> (tensor<2x24x64xbf16>, tensor<2x24x4xf32>, tensor<2x2x2x24xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x24x4x16xbf16>, %arg5: tensor<2x24x2x16xbf16>, %arg6: tensor<2x24x2x16xbf16>):
    %13 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x24x2x16xbf16>) -> tensor<2x24x2x2x16xbf16>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x24x2x2x16xbf16>) -> tensor<2x24x4x16xbf16>
    %15 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x24x2x16xbf16>) -> tensor<2x24x2x2x16xbf16>
    %16 = "stablehlo.reshape"(%15) : (tensor<2x24x2x2x16xbf16>) -> tensor<2x24x4x16xbf16>
    %17 = "stablehlo.dot_general"(%arg4, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x4x24x24xbf16>
    %18 = "stablehlo.convert"(%17) : (tensor<2x4x24x24xbf16>) -> tensor<2x4x24x24xf32>
    %19 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %21 = "stablehlo.multiply"(%18, %20) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %22 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %24 = "func.call"(%23) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %25 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %26 = "func.call"(%24, %21, %25) <{callee = @_where}> : (tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24x24xf32>
    %27 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %49 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %31 = "stablehlo.subtract"(%26, %30) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %32 = "stablehlo.exponential"(%31) : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %48 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x24xf32>
    %37 = "stablehlo.divide"(%32, %36) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %38 = "stablehlo.convert"(%37) : (tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xbf16>
    %39 = "stablehlo.dot_general"(%16, %38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xbf16>, tensor<2x4x24x24xbf16>) -> tensor<2x4x16x24xbf16>
    %40 = "stablehlo.transpose"(%39) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xbf16>) -> tensor<2x24x4x16xbf16>
    %41 = "stablehlo.log"(%35) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %42 = "stablehlo.add"(%29, %41) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24xf32>
    %44 = "stablehlo.reshape"(%40) : (tensor<2x24x4x16xbf16>) -> tensor<2x24x64xbf16>
    %45 = "stablehlo.transpose"(%43) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x24xf32>) -> tensor<2x24x4xf32>
    %46 = "stablehlo.reshape"(%43) : (tensor<2x4x24xf32>) -> tensor<2x2x2x24xf32>
    %47 = "stablehlo.negate"(%46) : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    "func.return"(%44, %45, %47) : (tensor<2x24x64xbf16>, tensor<2x24x4xf32>, tensor<2x2x2x24xf32>) -> ()
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
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<24x24xi1>, %arg1: tensor<2x4x24x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<2x4x24x24xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x4x24x24xi1>, tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    "func.return"(%3) : (tensor<2x4x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
