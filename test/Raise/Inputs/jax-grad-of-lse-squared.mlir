// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_of_lse_squared"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x4x16xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x24x4x16xf32>, %arg1: tensor<2x24x2x16xf32>, %arg2: tensor<2x24x2x16xf32>, %arg3: tensor<2x24x4x16xf32>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x24x4x16xf32>) -> tensor<2x24x2x2x16xf32>
    %1 = "stablehlo.dot_general"(%arg1, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xf32>, tensor<2x24x2x2x16xf32>) -> tensor<2x2x24x24x2xf32>
    %2 = "stablehlo.transpose"(%1) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x24x24x2xf32>) -> tensor<2x2x2x24x24xf32>
    %3 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24x24xf32>
    %5 = "stablehlo.multiply"(%2, %4) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.reduce"(%5, %6) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %99 = "stablehlo.maximum"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%99) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %10 = "stablehlo.maximum"(%9, %7) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %13 = "stablehlo.subtract"(%5, %12) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %14 = "stablehlo.exponential"(%13) : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %98 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%98) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %19 = "stablehlo.divide"(%14, %18) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %20 = "stablehlo.multiply"(%17, %17) : (tensor<2x2x2x24x1xf32>, tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x1xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24x1xf32>
    %23 = "stablehlo.divide"(%22, %20) : (tensor<2x2x2x24x1xf32>, tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x1xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%5, %24) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %97 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%97) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %28 = "stablehlo.maximum"(%27, %25) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %29 = "stablehlo.is_finite"(%28) : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xi1>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %32 = "stablehlo.select"(%29, %28, %31) : (tensor<2x2x2x24xi1>, tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %35 = "stablehlo.subtract"(%5, %34) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %36 = "stablehlo.exponential"(%35) : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %96 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%96) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %39 = "stablehlo.abs"(%38) : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %40 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %42 = "stablehlo.compare"(%38, %41) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xi1>
    %43 = "stablehlo.log"(%39) : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %44 = "stablehlo.add"(%43, %32) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %45 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %47 = "stablehlo.multiply"(%46, %44) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.multiply"(%48, %49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %51 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %53 = "stablehlo.multiply"(%52, %arg3) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x24x4x16xf32>) -> tensor<2x24x2x2x16xf32>
    %55 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %56 = "stablehlo.multiply"(%55, %47) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %57 = "stablehlo.divide"(%56, %39) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24xf32>
    %60 = "stablehlo.select"(%42, %59, %57) : (tensor<2x2x2x24xi1>, tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %61 = "stablehlo.select"(%42, %57, %59) : (tensor<2x2x2x24xi1>, tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %62 = "stablehlo.negate"(%60) : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %63 = "stablehlo.add"(%61, %62) : (tensor<2x2x2x24xf32>, tensor<2x2x2x24xf32>) -> tensor<2x2x2x24xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x24xf32>
    %65 = "stablehlo.multiply"(%64, %36) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %66 = "stablehlo.transpose"(%54) <{permutation = array<i64: 0, 2, 4, 3, 1>}> : (tensor<2x24x2x2x16xf32>) -> tensor<2x2x16x2x24xf32>
    %67 = "stablehlo.dot_general"(%66, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x2x24xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x2x24x24xf32>
    %68 = "stablehlo.dot_general"(%66, %19) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x2x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x16x24xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x24xf32>) -> tensor<2x24x2x16xf32>
    %70 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %71 = "stablehlo.multiply"(%67, %70) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %72 = "stablehlo.multiply"(%71, %14) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.reduce"(%72, %73) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %95 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%95) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x24xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %75 = "stablehlo.reshape"(%74) : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x1xf32>
    %76 = "stablehlo.negate"(%75) : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x1xf32>
    %77 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x24x1xf32>) -> tensor<2x2x2x24x24xf32>
    %78 = "stablehlo.divide"(%67, %77) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.reduce"(%76, %79) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %94 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%94) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x1xf32>, tensor<f32>) -> tensor<2x2x2x24xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x24xf32>) -> tensor<2x2x2x24x24xf32>
    %82 = "stablehlo.add"(%78, %81) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %83 = "stablehlo.multiply"(%82, %14) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %84 = "stablehlo.add"(%65, %83) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %85 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x24x24xf32>
    %87 = "stablehlo.multiply"(%84, %86) : (tensor<2x2x2x24x24xf32>, tensor<2x2x2x24x24xf32>) -> tensor<2x2x2x24x24xf32>
    %88 = "stablehlo.transpose"(%87) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x2x24x24xf32>) -> tensor<2x2x24x24x2xf32>
    %89 = "stablehlo.dot_general"(%88, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x24x2xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x2x16xf32>
    %90 = "stablehlo.transpose"(%89) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x2x24x2x16xf32>) -> tensor<2x24x2x2x16xf32>
    %91 = "stablehlo.dot_general"(%88, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x24x2xf32>, tensor<2x24x2x2x16xf32>) -> tensor<2x2x24x16xf32>
    %92 = "stablehlo.transpose"(%91) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x24x16xf32>) -> tensor<2x24x2x16xf32>
    %93 = "stablehlo.reshape"(%90) : (tensor<2x24x2x2x16xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%93, %92, %69) : (tensor<2x24x4x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
