// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_sink_column"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x24x8x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x16xbf16>, tensor<8xf32>, tensor<2x24x8x16xbf16>) -> (tensor<2x24x8x16xbf16>, tensor<2x24x8x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x16xbf16>, tensor<8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<2x24x8x16xbf16>, %arg7: tensor<2x24x2x16xbf16>, %arg8: tensor<2x24x2x16xbf16>, %arg9: tensor<8xf32>, %arg10: tensor<2x24x8x16xbf16>):
    %16 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x24x2x16xbf16>) -> tensor<2x24x2x4x16xbf16>
    %17 = "stablehlo.reshape"(%16) : (tensor<2x24x2x4x16xbf16>) -> tensor<2x24x8x16xbf16>
    %18 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x24x2x16xbf16>) -> tensor<2x24x2x4x16xbf16>
    %19 = "stablehlo.reshape"(%18) : (tensor<2x24x2x4x16xbf16>) -> tensor<2x24x8x16xbf16>
    %20 = "stablehlo.dot_general"(%arg6, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8x16xbf16>, tensor<2x24x8x16xbf16>) -> tensor<2x8x24x24xbf16>
    %21 = "stablehlo.convert"(%20) : (tensor<2x8x24x24xbf16>) -> tensor<2x8x24x24xf32>
    %22 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x24xf32>
    %24 = "stablehlo.multiply"(%21, %23) : (tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %25 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %27 = "func.call"(%26) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %28 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %29:2 = "func.call"(%27, %24, %28) <{callee = @_where}> : (tensor<24x24xi1>, tensor<2x8x24x24xf32>, tensor<f32>) -> (tensor<2x8x24x24xf32>, tensor<2x8x24x24xi1>)
    %30 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x1xf32>) -> tensor<2x8x24x1xf32>
    %32 = "stablehlo.concatenate"(%29#0, %31) <{dimension = 3 : i64}> : (tensor<2x8x24x24xf32>, tensor<2x8x24x1xf32>) -> tensor<2x8x24x25xf32>
    %33 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %105 = "stablehlo.maximum"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%105) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x25xf32>, tensor<f32>) -> tensor<2x8x24xf32>
    %35 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24xf32>
    %37 = "stablehlo.maximum"(%36, %34) : (tensor<2x8x24xf32>, tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x24xf32>) -> tensor<2x8x24x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x25xf32>
    %40 = "stablehlo.subtract"(%32, %39) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %41 = "stablehlo.exponential"(%40) : (tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %104 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%104) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x25xf32>, tensor<f32>) -> tensor<2x8x24xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x24xf32>) -> tensor<2x8x24x1xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x25xf32>
    %46 = "stablehlo.divide"(%41, %45) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %47 = "stablehlo.multiply"(%44, %44) : (tensor<2x8x24x1xf32>, tensor<2x8x24x1xf32>) -> tensor<2x8x24x1xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x1xf32>
    %50 = "stablehlo.divide"(%49, %47) : (tensor<2x8x24x1xf32>, tensor<2x8x24x1xf32>) -> tensor<2x8x24x1xf32>
    %51 = "stablehlo.slice"(%46) <{limit_indices = array<i64: 2, 8, 24, 24>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x24x25xf32>) -> tensor<2x8x24x24xf32>
    %52 = "stablehlo.convert"(%51) : (tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xbf16>
    %53 = "stablehlo.dot_general"(%19, %52) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8x16xbf16>, tensor<2x8x24x24xbf16>) -> tensor<2x8x16x24xbf16>
    %54 = "stablehlo.transpose"(%53) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x16x24xbf16>) -> tensor<2x24x8x16xbf16>
    %55 = "stablehlo.transpose"(%arg10) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x24x8x16xbf16>) -> tensor<2x8x16x24xbf16>
    %56 = "stablehlo.dot_general"(%55, %19) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16x24xbf16>, tensor<2x24x8x16xbf16>) -> tensor<2x8x24x24xbf16>
    %57 = "stablehlo.dot_general"(%55, %52) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16x24xbf16>, tensor<2x8x24x24xbf16>) -> tensor<2x8x16x24xbf16>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x16x24xbf16>) -> tensor<2x24x8x16xbf16>
    %59 = "stablehlo.convert"(%56) : (tensor<2x8x24x24xbf16>) -> tensor<2x8x24x24xf32>
    %60 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.pad"(%59, %60) <{edge_padding_high = array<i64: 0, 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x8x24x24xf32>, tensor<f32>) -> tensor<2x8x24x25xf32>
    %62 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x25xf32>
    %63 = "stablehlo.multiply"(%61, %62) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %64 = "stablehlo.multiply"(%63, %41) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %65 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.reduce"(%64, %65) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %103 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%103) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x25xf32>, tensor<f32>) -> tensor<2x8x24xf32>
    %67 = "stablehlo.reshape"(%66) : (tensor<2x8x24xf32>) -> tensor<2x8x24x1xf32>
    %68 = "stablehlo.negate"(%67) : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x1xf32>
    %69 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x25xf32>
    %70 = "stablehlo.divide"(%61, %69) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %71 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.reduce"(%68, %71) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %102 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%102) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x1xf32>, tensor<f32>) -> tensor<2x8x24xf32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x24xf32>) -> tensor<2x8x24x25xf32>
    %74 = "stablehlo.add"(%70, %73) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %75 = "stablehlo.multiply"(%74, %41) : (tensor<2x8x24x25xf32>, tensor<2x8x24x25xf32>) -> tensor<2x8x24x25xf32>
    %76 = "stablehlo.slice"(%75) <{limit_indices = array<i64: 2, 8, 24, 24>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x24x25xf32>) -> tensor<2x8x24x24xf32>
    %77 = "stablehlo.slice"(%75) <{limit_indices = array<i64: 2, 8, 24, 25>, start_indices = array<i64: 0, 0, 0, 24>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x24x25xf32>) -> tensor<2x8x24x1xf32>
    %78 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.reduce"(%77, %78) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %101 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%101) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x1xf32>, tensor<f32>) -> tensor<8xf32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.reduce"(%80, %81) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %100 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%100) : (tensor<f32>) -> ()
    }) : (tensor<1x8x1x1xf32>, tensor<f32>) -> tensor<8xf32>
    %83 = "func.call"(%29#1, %76) <{callee = @_where_0}> : (tensor<2x8x24x24xi1>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %84 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x24xf32>
    %86 = "stablehlo.multiply"(%83, %85) : (tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %87 = "stablehlo.convert"(%86) : (tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xbf16>
    %88 = "stablehlo.dot_general"(%87, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x24x24xbf16>, tensor<2x24x8x16xbf16>) -> tensor<2x8x24x16xbf16>
    %89 = "stablehlo.transpose"(%88) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x8x24x16xbf16>) -> tensor<2x24x8x16xbf16>
    %90 = "stablehlo.dot_general"(%87, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x24x24xbf16>, tensor<2x24x8x16xbf16>) -> tensor<2x8x24x16xbf16>
    %91 = "stablehlo.transpose"(%90) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x8x24x16xbf16>) -> tensor<2x24x8x16xbf16>
    %92 = "stablehlo.reshape"(%58) : (tensor<2x24x8x16xbf16>) -> tensor<2x24x2x4x16xbf16>
    %93 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %94 = "stablehlo.reduce"(%92, %93) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<bf16>, %arg14: tensor<bf16>):
      %99 = "stablehlo.add"(%arg13, %arg14) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%99) : (tensor<bf16>) -> ()
    }) : (tensor<2x24x2x4x16xbf16>, tensor<bf16>) -> tensor<2x24x2x16xbf16>
    %95 = "stablehlo.reshape"(%89) : (tensor<2x24x8x16xbf16>) -> tensor<2x24x2x4x16xbf16>
    %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %97 = "stablehlo.reduce"(%95, %96) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<bf16>, %arg12: tensor<bf16>):
      %98 = "stablehlo.add"(%arg11, %arg12) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%98) : (tensor<bf16>) -> ()
    }) : (tensor<2x24x2x4x16xbf16>, tensor<bf16>) -> tensor<2x24x2x16xbf16>
    "func.return"(%54, %91, %97, %94, %82) : (tensor<2x24x8x16xbf16>, tensor<2x24x8x16xbf16>, tensor<2x24x2x16xbf16>, tensor<2x24x2x16xbf16>, tensor<8xf32>) -> ()
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
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x24xi1>, tensor<2x8x24x24xf32>, tensor<f32>) -> (tensor<2x8x24x24xf32>, tensor<2x8x24x24xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<24x24xi1>, %arg3: tensor<2x8x24x24xf32>, %arg4: tensor<f32>):
    %3 = "stablehlo.convert"(%arg4) : (tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<2x8x24x24xi1>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x24xf32>
    %6 = "stablehlo.select"(%4, %arg3, %5) : (tensor<2x8x24x24xi1>, tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    "func.return"(%6, %4) : (tensor<2x8x24x24xf32>, tensor<2x8x24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x24x24xi1>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8x24x24xi1>, %arg1: tensor<2x8x24x24xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x24xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x8x24x24xi1>, tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    "func.return"(%2) : (tensor<2x8x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
