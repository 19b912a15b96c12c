// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_padding"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x13x4x8xf32>, tensor<2x13x2x8xf32>, tensor<2x13x2x8xf32>, tensor<2xi32>, tensor<2x13x4x8xf32>) -> (tensor<2x13x4x8xf32>, tensor<2x13x4x8xf32>, tensor<2x13x2x8xf32>, tensor<2x13x2x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<2x13x4x8xf32>, %arg12: tensor<2x13x2x8xf32>, %arg13: tensor<2x13x2x8xf32>, %arg14: tensor<2xi32>, %arg15: tensor<2x13x4x8xf32>):
    %22 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x13x2x8xf32>) -> tensor<2x13x2x2x8xf32>
    %23 = "stablehlo.reshape"(%22) : (tensor<2x13x2x2x8xf32>) -> tensor<2x13x4x8xf32>
    %24 = "stablehlo.broadcast_in_dim"(%arg13) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x13x2x8xf32>) -> tensor<2x13x2x2x8xf32>
    %25 = "stablehlo.reshape"(%24) : (tensor<2x13x2x2x8xf32>) -> tensor<2x13x4x8xf32>
    %26 = "stablehlo.dot_general"(%arg11, %23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x13x4x8xf32>, tensor<2x13x4x8xf32>) -> tensor<2x4x13x13xf32>
    %27 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x13xf32>
    %29 = "stablehlo.multiply"(%26, %28) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %30 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<13xi32>
    %31 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %32 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 1>}> : (tensor<13xi32>) -> tensor<1x13xi32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x13xi32>) -> tensor<2x13xi32>
    %34 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xi32>) -> tensor<2x13xi32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x13xi32>, tensor<2x13xi32>) -> tensor<2x13xi1>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x13xi1>) -> tensor<2x1x13xi1>
    %37 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x13xi1>) -> tensor<2x13x1xi1>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x13xi1>) -> tensor<2x13x13xi1>
    %39 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x13x1xi1>) -> tensor<2x13x13xi1>
    %40 = "stablehlo.and"(%38, %39) : (tensor<2x13x13xi1>, tensor<2x13x13xi1>) -> tensor<2x13x13xi1>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x13x13xi1>) -> tensor<2x1x13x13xi1>
    %42 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<13xi32>
    %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<13xi32>
    %45 = "stablehlo.compare"(%42, %44) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<13xi32>, tensor<13xi32>) -> tensor<13xi1>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 3>}> : (tensor<13xi1>) -> tensor<1x1x1x13xi1>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x13xi1>) -> tensor<2x1x13x13xi1>
    %48 = "stablehlo.and"(%41, %47) : (tensor<2x1x13x13xi1>, tensor<2x1x13x13xi1>) -> tensor<2x1x13x13xi1>
    %49 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %50:2 = "func.call"(%48, %29, %49) <{callee = @_where}> : (tensor<2x1x13x13xi1>, tensor<2x4x13x13xf32>, tensor<f32>) -> (tensor<2x4x13x13xf32>, tensor<2x4x13x13xi1>)
    %51 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<13x13xi1>
    %53 = "func.call"(%52) <{callee = @tril}> : (tensor<13x13xi1>) -> tensor<13x13xi1>
    %54 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %55:2 = "func.call"(%53, %50#0, %54) <{callee = @_where_0}> : (tensor<13x13xi1>, tensor<2x4x13x13xf32>, tensor<f32>) -> (tensor<2x4x13x13xf32>, tensor<2x4x13x13xi1>)
    %56 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%55#0, %56) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %114 = "stablehlo.maximum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%114) : (tensor<f32>) -> ()
    }) : (tensor<2x4x13x13xf32>, tensor<f32>) -> tensor<2x4x13xf32>
    %58 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13xf32>
    %60 = "stablehlo.maximum"(%59, %57) : (tensor<2x4x13xf32>, tensor<2x4x13xf32>) -> tensor<2x4x13xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x13xf32>) -> tensor<2x4x13x1xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x13x1xf32>) -> tensor<2x4x13x13xf32>
    %63 = "stablehlo.subtract"(%55#0, %62) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %64 = "stablehlo.exponential"(%63) : (tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %65 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.reduce"(%64, %65) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %113 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%113) : (tensor<f32>) -> ()
    }) : (tensor<2x4x13x13xf32>, tensor<f32>) -> tensor<2x4x13xf32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x13xf32>) -> tensor<2x4x13x1xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x13x1xf32>) -> tensor<2x4x13x13xf32>
    %69 = "stablehlo.divide"(%64, %68) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %70 = "stablehlo.multiply"(%67, %67) : (tensor<2x4x13x1xf32>, tensor<2x4x13x1xf32>) -> tensor<2x4x13x1xf32>
    %71 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x1xf32>
    %73 = "stablehlo.divide"(%72, %70) : (tensor<2x4x13x1xf32>, tensor<2x4x13x1xf32>) -> tensor<2x4x13x1xf32>
    %74 = "stablehlo.dot_general"(%25, %69) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x13x4x8xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x8x13xf32>
    %75 = "stablehlo.transpose"(%74) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x8x13xf32>) -> tensor<2x13x4x8xf32>
    %76 = "stablehlo.transpose"(%arg15) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x13x4x8xf32>) -> tensor<2x4x8x13xf32>
    %77 = "stablehlo.dot_general"(%76, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x13xf32>, tensor<2x13x4x8xf32>) -> tensor<2x4x13x13xf32>
    %78 = "stablehlo.dot_general"(%76, %69) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x8x13xf32>
    %79 = "stablehlo.transpose"(%78) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x8x13xf32>) -> tensor<2x13x4x8xf32>
    %80 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x13x1xf32>) -> tensor<2x4x13x13xf32>
    %81 = "stablehlo.multiply"(%77, %80) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %82 = "stablehlo.multiply"(%81, %64) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %83 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.reduce"(%82, %83) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %112 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%112) : (tensor<f32>) -> ()
    }) : (tensor<2x4x13x13xf32>, tensor<f32>) -> tensor<2x4x13xf32>
    %85 = "stablehlo.reshape"(%84) : (tensor<2x4x13xf32>) -> tensor<2x4x13x1xf32>
    %86 = "stablehlo.negate"(%85) : (tensor<2x4x13x1xf32>) -> tensor<2x4x13x1xf32>
    %87 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x13x1xf32>) -> tensor<2x4x13x13xf32>
    %88 = "stablehlo.divide"(%77, %87) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.reduce"(%86, %89) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %111 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%111) : (tensor<f32>) -> ()
    }) : (tensor<2x4x13x1xf32>, tensor<f32>) -> tensor<2x4x13xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x13xf32>) -> tensor<2x4x13x13xf32>
    %92 = "stablehlo.add"(%88, %91) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %93 = "stablehlo.multiply"(%92, %64) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %94 = "func.call"(%55#1, %93) <{callee = @_where_1}> : (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %95 = "func.call"(%50#1, %94) <{callee = @_where_2}> : (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %96 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x13xf32>
    %98 = "stablehlo.multiply"(%95, %97) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    %99 = "stablehlo.dot_general"(%98, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x13x13xf32>, tensor<2x13x4x8xf32>) -> tensor<2x4x13x8xf32>
    %100 = "stablehlo.transpose"(%99) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x13x8xf32>) -> tensor<2x13x4x8xf32>
    %101 = "stablehlo.dot_general"(%98, %23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x13x13xf32>, tensor<2x13x4x8xf32>) -> tensor<2x4x13x8xf32>
    %102 = "stablehlo.transpose"(%101) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x13x8xf32>) -> tensor<2x13x4x8xf32>
    %103 = "stablehlo.reshape"(%79) : (tensor<2x13x4x8xf32>) -> tensor<2x13x2x2x8xf32>
    %104 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.reduce"(%103, %104) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %110 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%110) : (tensor<f32>) -> ()
    }) : (tensor<2x13x2x2x8xf32>, tensor<f32>) -> tensor<2x13x2x8xf32>
    %106 = "stablehlo.reshape"(%100) : (tensor<2x13x4x8xf32>) -> tensor<2x13x2x2x8xf32>
    %107 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.reduce"(%106, %107) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %109 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%109) : (tensor<f32>) -> ()
    }) : (tensor<2x13x2x2x8xf32>, tensor<f32>) -> tensor<2x13x2x8xf32>
    "func.return"(%75, %102, %108, %105) : (tensor<2x13x4x8xf32>, tensor<2x13x4x8xf32>, tensor<2x13x2x8xf32>, tensor<2x13x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x13x13xi1>, tensor<2x4x13x13xf32>, tensor<f32>) -> (tensor<2x4x13x13xf32>, tensor<2x4x13x13xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x1x13x13xi1>, %arg9: tensor<2x4x13x13xf32>, %arg10: tensor<f32>):
    %19 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x13x13xi1>) -> tensor<2x4x13x13xi1>
    %20 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x13xf32>
    %21 = "stablehlo.select"(%19, %arg9, %20) : (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    "func.return"(%21, %19) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<13x13xi1>) -> tensor<13x13xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<13x13xi1>):
    %10 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<13x13xi32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<13x13xi32>
    %13 = "stablehlo.add"(%10, %12) : (tensor<13x13xi32>, tensor<13x13xi32>) -> tensor<13x13xi32>
    %14 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<13x13xi32>
    %15 = "stablehlo.compare"(%13, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<13x13xi32>, tensor<13x13xi32>) -> tensor<13x13xi1>
    %16 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<13x13xi1>
    %18 = "stablehlo.select"(%15, %arg7, %17) : (tensor<13x13xi1>, tensor<13x13xi1>, tensor<13x13xi1>) -> tensor<13x13xi1>
    "func.return"(%18) : (tensor<13x13xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<13x13xi1>, tensor<2x4x13x13xf32>, tensor<f32>) -> (tensor<2x4x13x13xf32>, tensor<2x4x13x13xi1>), res_attrs = [{}, {}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<13x13xi1>, %arg5: tensor<2x4x13x13xf32>, %arg6: tensor<f32>):
    %6 = "stablehlo.convert"(%arg6) : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<13x13xi1>) -> tensor<2x4x13x13xi1>
    %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x13xf32>
    %9 = "stablehlo.select"(%7, %arg5, %8) : (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    "func.return"(%9, %7) : (tensor<2x4x13x13xf32>, tensor<2x4x13x13xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x4x13x13xi1>, %arg3: tensor<2x4x13x13xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x13xf32>
    %5 = "stablehlo.select"(%arg2, %arg3, %4) : (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    "func.return"(%5) : (tensor<2x4x13x13xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x13x13xi1>, %arg1: tensor<2x4x13x13xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x13x13xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x4x13x13xi1>, tensor<2x4x13x13xf32>, tensor<2x4x13x13xf32>) -> tensor<2x4x13x13xf32>
    "func.return"(%2) : (tensor<2x4x13x13xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
