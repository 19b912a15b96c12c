// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_saved"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x24x32xf32>, tensor<32x96xf32>) -> (tensor<f32>, tensor<2x24x32xf32>, tensor<32x96xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<2x24x32xf32>, %arg11: tensor<32x96xf32>):
    %32 = "stablehlo.dot_general"(%arg10, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<32x96xf32>) -> tensor<2x24x96xf32>
    %33 = "stablehlo.reduce_precision"(%32) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x24x96xf32>) -> tensor<2x24x96xf32>
    %34 = "stablehlo.slice"(%33) <{limit_indices = array<i64: 2, 24, 32>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x24x96xf32>) -> tensor<2x24x32xf32>
    %35 = "stablehlo.slice"(%33) <{limit_indices = array<i64: 2, 24, 64>, start_indices = array<i64: 0, 0, 32>, strides = array<i64: 1, 1, 1>}> : (tensor<2x24x96xf32>) -> tensor<2x24x32xf32>
    %36 = "stablehlo.slice"(%33) <{limit_indices = array<i64: 2, 24, 96>, start_indices = array<i64: 0, 0, 64>, strides = array<i64: 1, 1, 1>}> : (tensor<2x24x96xf32>) -> tensor<2x24x32xf32>
    %37 = "stablehlo.reshape"(%34) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %38 = "stablehlo.reshape"(%35) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %39 = "stablehlo.reshape"(%36) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %40 = "stablehlo.reshape"(%37) : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %41 = "stablehlo.dot_general"(%40, %38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x1x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x1x24xf32>
    %42 = "stablehlo.reduce_precision"(%41) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %43 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x1x24xf32>
    %45 = "stablehlo.multiply"(%42, %44) : (tensor<2x2x24x1x24xf32>, tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %46 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x24x24xi1>
    %48 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %50 = "func.call"(%49) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<1x1x24x24xi1>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x24x24xi1>) -> tensor<2x2x24x24xi1>
    %53 = "stablehlo.and"(%47, %52) : (tensor<2x2x24x24xi1>, tensor<2x2x24x24xi1>) -> tensor<2x2x24x24xi1>
    %54 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %55 = "func.call"(%53, %45, %54) <{callee = @_where}> : (tensor<2x2x24x24xi1>, tensor<2x2x24x1x24xf32>, tensor<f32>) -> tensor<1x2x2x24x24xf32>
    %56 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%55, %56) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %170 = "stablehlo.maximum"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%170) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %58 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24xf32>
    %60 = "stablehlo.maximum"(%59, %57) : (tensor<1x2x2x24xf32>, tensor<1x2x2x24xf32>) -> tensor<1x2x2x24xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %63 = "stablehlo.subtract"(%55, %62) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %64 = "stablehlo.exponential"(%63) : (tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %65 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.reduce"(%64, %65) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %169 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%169) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %69 = "stablehlo.divide"(%64, %68) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %70 = "stablehlo.dot_general"(%39, %69) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xf32>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x16x1x24xf32>
    %71 = "stablehlo.transpose"(%70) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x16x1x24xf32>) -> tensor<1x2x24x2x16xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %73 = "stablehlo.reshape"(%72) : (tensor<2x24x2x1x16xf32>) -> tensor<2x24x2x16xf32>
    %74 = "stablehlo.multiply"(%73, %73) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x24x2x16xf32>
    %75 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x2x16xf32>
    %77 = "stablehlo.multiply"(%76, %73) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x24x2x16xf32>
    %78 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.reduce"(%74, %78) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %168 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%168) : (tensor<f32>) -> ()
    }) : (tensor<2x24x2x16xf32>, tensor<f32>) -> tensor<f32>
    %80 = "stablehlo.constant"() <{value = dense<1.536000e+03> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.divide"(%79, %80) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %82 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.constant"() <{value = dense<1.536000e+03> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.divide"(%82, %83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x2x16xf32>
    %86 = "stablehlo.multiply"(%85, %77) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x24x2x16xf32>
    %87:5 = "stablehlo.optimization_barrier"(%33, %42, %arg10, %arg11, %86) : (tensor<2x24x96xf32>, tensor<2x2x24x1x24xf32>, tensor<2x24x32xf32>, tensor<32x96xf32>, tensor<2x24x2x16xf32>) -> (tensor<2x24x96xf32>, tensor<2x2x24x1x24xf32>, tensor<2x24x32xf32>, tensor<32x96xf32>, tensor<2x24x2x16xf32>)
    %88 = "stablehlo.slice"(%87#0) <{limit_indices = array<i64: 2, 24, 32>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x24x96xf32>) -> tensor<2x24x32xf32>
    %89 = "stablehlo.slice"(%87#0) <{limit_indices = array<i64: 2, 24, 64>, start_indices = array<i64: 0, 0, 32>, strides = array<i64: 1, 1, 1>}> : (tensor<2x24x96xf32>) -> tensor<2x24x32xf32>
    %90 = "stablehlo.slice"(%87#0) <{limit_indices = array<i64: 2, 24, 96>, start_indices = array<i64: 0, 0, 64>, strides = array<i64: 1, 1, 1>}> : (tensor<2x24x96xf32>) -> tensor<2x24x32xf32>
    %91 = "stablehlo.reshape"(%88) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %92 = "stablehlo.reshape"(%89) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %93 = "stablehlo.reshape"(%90) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %94 = "stablehlo.reshape"(%91) : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %95 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x1x24xf32>
    %97 = "stablehlo.multiply"(%87#1, %96) : (tensor<2x2x24x1x24xf32>, tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %98 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x24x24xi1>
    %100 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %102 = "func.call"(%101) <{callee = @tril_0}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<1x1x24x24xi1>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x24x24xi1>) -> tensor<2x2x24x24xi1>
    %105 = "stablehlo.and"(%99, %104) : (tensor<2x2x24x24xi1>, tensor<2x2x24x24xi1>) -> tensor<2x2x24x24xi1>
    %106 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %107:2 = "func.call"(%105, %97, %106) <{callee = @_where_1}> : (tensor<2x2x24x24xi1>, tensor<2x2x24x1x24xf32>, tensor<f32>) -> (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xi1>)
    %108 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.reduce"(%107#0, %108) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %167 = "stablehlo.maximum"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%167) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %110 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24xf32>
    %112 = "stablehlo.maximum"(%111, %109) : (tensor<1x2x2x24xf32>, tensor<1x2x2x24xf32>) -> tensor<1x2x2x24xf32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %115 = "stablehlo.subtract"(%107#0, %114) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %116 = "stablehlo.exponential"(%115) : (tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.reduce"(%116, %117) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %166 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%166) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %121 = "stablehlo.divide"(%116, %120) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %122 = "stablehlo.multiply"(%119, %119) : (tensor<1x2x2x24x1xf32>, tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x1xf32>
    %123 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24x1xf32>
    %125 = "stablehlo.divide"(%124, %122) : (tensor<1x2x2x24x1xf32>, tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x1xf32>
    %126 = "stablehlo.reshape"(%87#4) : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %127 = "stablehlo.transpose"(%126) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x24x2x1x16xf32>) -> tensor<1x2x24x2x16xf32>
    %128 = "stablehlo.transpose"(%127) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x24x2x16xf32>) -> tensor<2x2x16x1x24xf32>
    %129 = "stablehlo.dot_general"(%128, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x1x24xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x1x24x24xf32>
    %130 = "stablehlo.transpose"(%129) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x2x1x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %131 = "stablehlo.dot_general"(%128, %121) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x1x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x16x24xf32>
    %132 = "stablehlo.transpose"(%131) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x24xf32>) -> tensor<2x24x2x16xf32>
    %133 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %134 = "stablehlo.multiply"(%130, %133) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %135 = "stablehlo.multiply"(%134, %116) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %136 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %165 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%165) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %138 = "stablehlo.reshape"(%137) : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %139 = "stablehlo.negate"(%138) : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x1xf32>
    %140 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %141 = "stablehlo.divide"(%130, %140) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %142 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %143 = "stablehlo.reduce"(%139, %142) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %164 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x1xf32>, tensor<f32>) -> tensor<2x2x24xf32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x2x24xf32>) -> tensor<1x2x2x24xf32>
    %145 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x24xf32>
    %146 = "stablehlo.add"(%141, %145) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %147 = "stablehlo.multiply"(%146, %116) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %148 = "func.call"(%107#1, %147) <{callee = @_where_2}> : (tensor<1x2x2x24x24xi1>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x24x1x24xf32>
    %149 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x1x24xf32>
    %151 = "stablehlo.multiply"(%148, %150) : (tensor<2x2x24x1x24xf32>, tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %152 = "stablehlo.dot_general"(%151, %94) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x1x24xf32>, tensor<2x24x2x1x16xf32>) -> tensor<2x2x24x16xf32>
    %153 = "stablehlo.transpose"(%152) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x24x16xf32>) -> tensor<2x24x2x16xf32>
    %154 = "stablehlo.dot_general"(%151, %92) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x1x24xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x1x16xf32>
    %155 = "stablehlo.transpose"(%154) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x2x24x1x16xf32>) -> tensor<2x24x2x1x16xf32>
    %156 = "stablehlo.reshape"(%155) : (tensor<2x24x2x1x16xf32>) -> tensor<2x24x2x16xf32>
    %157 = "stablehlo.reshape"(%132) : (tensor<2x24x2x16xf32>) -> tensor<2x24x32xf32>
    %158 = "stablehlo.reshape"(%153) : (tensor<2x24x2x16xf32>) -> tensor<2x24x32xf32>
    %159 = "stablehlo.reshape"(%156) : (tensor<2x24x2x16xf32>) -> tensor<2x24x32xf32>
    %160 = "stablehlo.concatenate"(%159, %158, %157) <{dimension = 2 : i64}> : (tensor<2x24x32xf32>, tensor<2x24x32xf32>, tensor<2x24x32xf32>) -> tensor<2x24x96xf32>
    %161 = "stablehlo.dot_general"(%160, %87#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x96xf32>, tensor<2x24x32xf32>) -> tensor<96x32xf32>
    %162 = "stablehlo.transpose"(%161) <{permutation = array<i64: 1, 0>}> : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %163 = "stablehlo.dot_general"(%160, %87#3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x96xf32>, tensor<32x96xf32>) -> tensor<2x24x32xf32>
    "func.return"(%81, %163, %162) : (tensor<f32>, tensor<2x24x32xf32>, tensor<32x96xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24x24xi1>) -> tensor<24x24xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<24x24xi1>):
    %23 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24x24xi32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x24xi32>
    %26 = "stablehlo.add"(%23, %25) : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi32>
    %27 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<24x24xi32>
    %28 = "stablehlo.compare"(%26, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %29 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %31 = "stablehlo.select"(%28, %arg9, %30) : (tensor<24x24xi1>, tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    "func.return"(%31) : (tensor<24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x24x24xi1>, tensor<2x2x24x1x24xf32>, tensor<f32>) -> tensor<1x2x2x24x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x2x24x24xi1>, %arg7: tensor<2x2x24x1x24xf32>, %arg8: tensor<f32>):
    %18 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x24xf32>
    %19 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x24x24xi1>) -> tensor<1x2x2x24x24xi1>
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %21 = "stablehlo.transpose"(%arg7) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x24x1x24xf32>) -> tensor<1x2x2x24x24xf32>
    %22 = "stablehlo.select"(%19, %21, %20) : (tensor<1x2x2x24x24xi1>, tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    "func.return"(%22) : (tensor<1x2x2x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24x24xi1>) -> tensor<24x24xi1>, res_attrs = [{}], sym_name = "tril_0", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<24x24xi1>):
    %9 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24x24xi32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x24xi32>
    %12 = "stablehlo.add"(%9, %11) : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi32>
    %13 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<24x24xi32>
    %14 = "stablehlo.compare"(%12, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %15 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %17 = "stablehlo.select"(%14, %arg5, %16) : (tensor<24x24xi1>, tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    "func.return"(%17) : (tensor<24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x24x24xi1>, tensor<2x2x24x1x24xf32>, tensor<f32>) -> (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xi1>), res_attrs = [{}, {}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x2x24x24xi1>, %arg3: tensor<2x2x24x1x24xf32>, %arg4: tensor<f32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x24xf32>
    %5 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x24x24xi1>) -> tensor<1x2x2x24x24xi1>
    %6 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %7 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x24x1x24xf32>) -> tensor<1x2x2x24x24xf32>
    %8 = "stablehlo.select"(%5, %7, %6) : (tensor<1x2x2x24x24xi1>, tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    "func.return"(%8, %5) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x2x2x24x24xi1>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x24x1x24xf32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x2x24x24xi1>, %arg1: tensor<1x2x2x24x24xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24x24xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<1x2x2x24x24xi1>, tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x2x24x24xf32>) -> tensor<2x2x24x1x24xf32>
    "func.return"(%3) : (tensor<2x2x24x1x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
