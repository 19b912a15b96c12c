// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<2x24x32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32x32xf32>):
    %32 = "stablehlo.dot_general"(%arg10, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<32x32xf32>) -> tensor<2x24x32xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %34 = "stablehlo.dot_general"(%arg10, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<32x32xf32>) -> tensor<2x24x32xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %36 = "stablehlo.dot_general"(%arg10, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<32x32xf32>) -> tensor<2x24x32xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<2x24x32xf32>) -> tensor<2x24x2x16xf32>
    %38 = "stablehlo.reshape"(%33) : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %39 = "stablehlo.dot_general"(%38, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x1x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x1x24xf32>
    %40 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x1x24xf32>
    %42 = "stablehlo.multiply"(%39, %41) : (tensor<2x2x24x1x24xf32>, tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %43 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x24x24xi1>
    %45 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %47 = "func.call"(%46) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<1x1x24x24xi1>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x24x24xi1>) -> tensor<2x2x24x24xi1>
    %50 = "stablehlo.and"(%44, %49) : (tensor<2x2x24x24xi1>, tensor<2x2x24x24xi1>) -> tensor<2x2x24x24xi1>
    %51 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %52 = "func.call"(%50, %42, %51) <{callee = @_where}> : (tensor<2x2x24x24xi1>, tensor<2x2x24x1x24xf32>, tensor<f32>) -> tensor<1x2x2x24x24xf32>
    %53 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %164 = "stablehlo.maximum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %55 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24xf32>
    %57 = "stablehlo.maximum"(%56, %54) : (tensor<1x2x2x24xf32>, tensor<1x2x2x24xf32>) -> tensor<1x2x2x24xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %60 = "stablehlo.subtract"(%52, %59) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %61 = "stablehlo.exponential"(%60) : (tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.reduce"(%61, %62) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %163 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%163) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %66 = "stablehlo.divide"(%61, %65) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %67 = "stablehlo.dot_general"(%37, %66) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x16xf32>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x16x1x24xf32>
    %68 = "stablehlo.transpose"(%67) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x16x1x24xf32>) -> tensor<1x2x24x2x16xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %70 = "stablehlo.reshape"(%69) : (tensor<2x24x2x1x16xf32>) -> tensor<2x24x2x16xf32>
    %71 = "stablehlo.multiply"(%70, %70) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x24x2x16xf32>
    %72 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x2x16xf32>
    %74 = "stablehlo.multiply"(%73, %70) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x24x2x16xf32>
    %75 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.reduce"(%71, %75) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %162 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%162) : (tensor<f32>) -> ()
    }) : (tensor<2x24x2x16xf32>, tensor<f32>) -> tensor<f32>
    %77 = "stablehlo.constant"() <{value = dense<1.536000e+03> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.divide"(%76, %77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %79 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.constant"() <{value = dense<1.536000e+03> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.divide"(%79, %80) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x2x16xf32>
    %83 = "stablehlo.multiply"(%82, %74) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x24x2x16xf32>
    %84:4 = "stablehlo.optimization_barrier"(%33, %35, %37, %83) : (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>) -> (tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>, tensor<2x24x2x16xf32>)
    %85 = "stablehlo.reshape"(%84#0) : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %86 = "stablehlo.dot_general"(%85, %84#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x2x1x16xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x1x24xf32>
    %87 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x1x24xf32>
    %89 = "stablehlo.multiply"(%86, %88) : (tensor<2x2x24x1x24xf32>, tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %90 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x24x24xi1>
    %92 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %94 = "func.call"(%93) <{callee = @tril_0}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<1x1x24x24xi1>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x24x24xi1>) -> tensor<2x2x24x24xi1>
    %97 = "stablehlo.and"(%91, %96) : (tensor<2x2x24x24xi1>, tensor<2x2x24x24xi1>) -> tensor<2x2x24x24xi1>
    %98 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %99:2 = "func.call"(%97, %89, %98) <{callee = @_where_1}> : (tensor<2x2x24x24xi1>, tensor<2x2x24x1x24xf32>, tensor<f32>) -> (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xi1>)
    %100 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.reduce"(%99#0, %100) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %161 = "stablehlo.maximum"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %102 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24xf32>
    %104 = "stablehlo.maximum"(%103, %101) : (tensor<1x2x2x24xf32>, tensor<1x2x2x24xf32>) -> tensor<1x2x2x24xf32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %107 = "stablehlo.subtract"(%99#0, %106) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %108 = "stablehlo.exponential"(%107) : (tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.reduce"(%108, %109) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %160 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%160) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %113 = "stablehlo.divide"(%108, %112) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %114 = "stablehlo.multiply"(%111, %111) : (tensor<1x2x2x24x1xf32>, tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x1xf32>
    %115 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x24x1xf32>
    %117 = "stablehlo.divide"(%116, %114) : (tensor<1x2x2x24x1xf32>, tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x1xf32>
    %118 = "stablehlo.reshape"(%84#3) : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x1x16xf32>
    %119 = "stablehlo.transpose"(%118) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x24x2x1x16xf32>) -> tensor<1x2x24x2x16xf32>
    %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x24x2x16xf32>) -> tensor<2x2x16x1x24xf32>
    %121 = "stablehlo.dot_general"(%120, %84#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x1x24xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x1x24x24xf32>
    %122 = "stablehlo.transpose"(%121) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x2x1x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %123 = "stablehlo.dot_general"(%120, %113) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x1x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x16x24xf32>
    %124 = "stablehlo.transpose"(%123) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x24xf32>) -> tensor<2x24x2x16xf32>
    %125 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %126 = "stablehlo.multiply"(%122, %125) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %127 = "stablehlo.multiply"(%126, %108) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %128 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.reduce"(%127, %128) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %159 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%159) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x24xf32>, tensor<f32>) -> tensor<1x2x2x24xf32>
    %130 = "stablehlo.reshape"(%129) : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x1xf32>
    %131 = "stablehlo.negate"(%130) : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x1xf32>
    %132 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x24x1xf32>) -> tensor<1x2x2x24x24xf32>
    %133 = "stablehlo.divide"(%122, %132) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %134 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.reduce"(%131, %134) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %158 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%158) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x24x1xf32>, tensor<f32>) -> tensor<2x2x24xf32>
    %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x2x24xf32>) -> tensor<1x2x2x24xf32>
    %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24x24xf32>
    %138 = "stablehlo.add"(%133, %137) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %139 = "stablehlo.multiply"(%138, %108) : (tensor<1x2x2x24x24xf32>, tensor<1x2x2x24x24xf32>) -> tensor<1x2x2x24x24xf32>
    %140 = "func.call"(%99#1, %139) <{callee = @_where_2}> : (tensor<1x2x2x24x24xi1>, tensor<1x2x2x24x24xf32>) -> tensor<2x2x24x1x24xf32>
    %141 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x24x1x24xf32>
    %143 = "stablehlo.multiply"(%140, %142) : (tensor<2x2x24x1x24xf32>, tensor<2x2x24x1x24xf32>) -> tensor<2x2x24x1x24xf32>
    %144 = "stablehlo.dot_general"(%143, %85) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x1x24xf32>, tensor<2x24x2x1x16xf32>) -> tensor<2x2x24x16xf32>
    %145 = "stablehlo.transpose"(%144) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x24x16xf32>) -> tensor<2x24x2x16xf32>
    %146 = "stablehlo.dot_general"(%143, %84#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x24x1x24xf32>, tensor<2x24x2x16xf32>) -> tensor<2x2x24x1x16xf32>
    %147 = "stablehlo.transpose"(%146) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x2x24x1x16xf32>) -> tensor<2x24x2x1x16xf32>
    %148 = "stablehlo.reshape"(%147) : (tensor<2x24x2x1x16xf32>) -> tensor<2x24x2x16xf32>
    %149 = "stablehlo.reshape"(%124) : (tensor<2x24x2x16xf32>) -> tensor<2x24x32xf32>
    %150 = "stablehlo.dot_general"(%149, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<2x24x32xf32>) -> tensor<32x32xf32>
    %151 = "stablehlo.transpose"(%150) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %152 = "stablehlo.reshape"(%145) : (tensor<2x24x2x16xf32>) -> tensor<2x24x32xf32>
    %153 = "stablehlo.dot_general"(%152, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<2x24x32xf32>) -> tensor<32x32xf32>
    %154 = "stablehlo.transpose"(%153) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %155 = "stablehlo.reshape"(%148) : (tensor<2x24x2x16xf32>) -> tensor<2x24x32xf32>
    %156 = "stablehlo.dot_general"(%155, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<2x24x32xf32>) -> tensor<32x32xf32>
    %157 = "stablehlo.transpose"(%156) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    "func.return"(%78, %157, %154, %151) : (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> ()
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
