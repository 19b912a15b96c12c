// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_sink_largest"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x4x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<4xf32>, tensor<2x24x4x16xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x4x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x4x24x16xf32>, %arg4: tensor<2x2x24x16xf32>, %arg5: tensor<2x2x24x16xf32>, %arg6: tensor<4xf32>, %arg7: tensor<2x24x4x16xf32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x2x24x16xf32>) -> tensor<2x2x2x24x16xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<2x2x2x24x16xf32>) -> tensor<2x4x24x16xf32>
    %6 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x2x24x16xf32>) -> tensor<2x2x2x24x16xf32>
    %7 = "stablehlo.reshape"(%6) : (tensor<2x2x2x24x16xf32>) -> tensor<2x4x24x16xf32>
    %8 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> tensor<1x24xi32>
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<24xi32>) -> tensor<24x1xi32>
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> tensor<24x24xi32>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<24x1xi32>) -> tensor<24x24xi32>
    %13 = "stablehlo.compare"(%11, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %14 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> tensor<1x24xi32>
    %15 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<24xi32>) -> tensor<24x1xi32>
    %16 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x1xi32>
    %18 = "stablehlo.subtract"(%15, %17) : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x1xi32>
    %19 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> tensor<24x24xi32>
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<24x1xi32>) -> tensor<24x24xi32>
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %22 = "stablehlo.and"(%13, %21) : (tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    %23 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x4x24x16xf32>) -> tensor<2x4x16x24xf32>
    %24 = "stablehlo.dot_general"(%arg3, %23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x24x24xf32>
    %25 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %27 = "stablehlo.multiply"(%24, %26) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "func.call"(%22, %28, %29) <{callee = @_where}> : (tensor<24x24xi1>, tensor<i32>, tensor<f32>) -> tensor<24x24xf32>
    %31 = "stablehlo.convert"(%30) : (tensor<24x24xf32>) -> tensor<24x24xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xf32>) -> tensor<1x1x24x24xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x24x24xf32>) -> tensor<2x4x24x24xf32>
    %34 = "stablehlo.add"(%27, %33) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %35 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x1x1xf32>) -> tensor<2x4x24x1xf32>
    %37 = "stablehlo.concatenate"(%34, %36) <{dimension = 3 : i64}> : (tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %38 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%37, %38) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %131 = "stablehlo.maximum"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%131) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x25xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %42 = "stablehlo.compare"(%37, %41) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xi1>
    %43 = "stablehlo.convert"(%42) : (tensor<2x4x24x25xi1>) -> tensor<2x4x24x25xf32>
    %44 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.reduce"(%43, %44) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %130 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%130) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x25xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %46 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %48 = "stablehlo.subtract"(%37, %47) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %49 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %129 = "stablehlo.maximum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%129) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x25xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %51 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24xf32>
    %53 = "stablehlo.maximum"(%52, %50) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %56 = "stablehlo.subtract"(%48, %55) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %57 = "stablehlo.exponential"(%56) : (tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.reduce"(%57, %58) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %128 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%128) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x25xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %62 = "stablehlo.divide"(%57, %61) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %63 = "stablehlo.multiply"(%60, %60) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %64 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1xf32>
    %66 = "stablehlo.divide"(%65, %63) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %67 = "stablehlo.slice"(%62) <{limit_indices = array<i64: 2, 4, 24, 24>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x24x25xf32>) -> tensor<2x4x24x24xf32>
    %68 = "stablehlo.dot_general"(%67, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x16xf32>) -> tensor<2x24x4x16xf32>
    %70 = "stablehlo.transpose"(%arg7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x24x4x16xf32>) -> tensor<2x4x24x16xf32>
    %71 = "stablehlo.dot_general"(%70, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x4x24x16xf32>
    %73 = "stablehlo.dot_general"(%70, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x24xf32>
    %74 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.pad"(%73, %74) <{edge_padding_high = array<i64: 0, 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x4x24x24xf32>, tensor<f32>) -> tensor<2x4x24x25xf32>
    %76 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %77 = "stablehlo.multiply"(%75, %76) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %78 = "stablehlo.multiply"(%77, %57) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.reduce"(%78, %79) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %127 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%127) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x25xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %81 = "stablehlo.reshape"(%80) : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %82 = "stablehlo.negate"(%81) : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %83 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x24x1xf32>) -> tensor<2x4x24x25xf32>
    %84 = "stablehlo.divide"(%75, %83) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %85 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.reduce"(%82, %85) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %126 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%126) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x25xf32>
    %88 = "stablehlo.add"(%84, %87) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %89 = "stablehlo.multiply"(%88, %57) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %90 = "stablehlo.negate"(%89) : (tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %91 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.reduce"(%90, %91) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %125 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%125) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x25xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %93 = "stablehlo.reshape"(%92) : (tensor<2x4x24xf32>) -> tensor<2x4x24x1xf32>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.reduce"(%93, %94) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %124 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%124) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %96 = "stablehlo.divide"(%95, %45) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x24xf32>) -> tensor<2x4x24x25xf32>
    %98 = "stablehlo.multiply"(%97, %43) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %99 = "stablehlo.add"(%89, %98) : (tensor<2x4x24x25xf32>, tensor<2x4x24x25xf32>) -> tensor<2x4x24x25xf32>
    %100 = "stablehlo.slice"(%99) <{limit_indices = array<i64: 2, 4, 24, 24>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x24x25xf32>) -> tensor<2x4x24x24xf32>
    %101 = "stablehlo.slice"(%99) <{limit_indices = array<i64: 2, 4, 24, 25>, start_indices = array<i64: 0, 0, 0, 24>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x24x25xf32>) -> tensor<2x4x24x1xf32>
    %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.reduce"(%101, %102) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %123 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%123) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1xf32>, tensor<f32>) -> tensor<4xf32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %105 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %106 = "stablehlo.reduce"(%104, %105) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %122 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%122) : (tensor<f32>) -> ()
    }) : (tensor<1x4x1x1xf32>, tensor<f32>) -> tensor<4xf32>
    %107 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %109 = "stablehlo.multiply"(%100, %108) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %110 = "stablehlo.dot_general"(%109, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x4x24x16xf32>) -> tensor<2x4x24x16xf32>
    %111 = "stablehlo.transpose"(%110) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x4x24x16xf32>) -> tensor<2x4x16x24xf32>
    %112 = "stablehlo.dot_general"(%109, %23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x24xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x24x16xf32>
    %113 = "stablehlo.transpose"(%111) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x4x24x16xf32>
    %114 = "stablehlo.reshape"(%72) : (tensor<2x4x24x16xf32>) -> tensor<2x2x2x24x16xf32>
    %115 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.reduce"(%114, %115) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %121 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%121) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x16xf32>, tensor<f32>) -> tensor<2x2x24x16xf32>
    %117 = "stablehlo.reshape"(%113) : (tensor<2x4x24x16xf32>) -> tensor<2x2x2x24x16xf32>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.reduce"(%117, %118) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %120 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%120) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x24x16xf32>, tensor<f32>) -> tensor<2x2x24x16xf32>
    "func.return"(%69, %112, %119, %116, %106) : (tensor<2x24x4x16xf32>, tensor<2x4x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<4xf32>) -> ()
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
