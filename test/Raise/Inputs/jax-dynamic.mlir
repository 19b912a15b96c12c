// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_dynamic"}> ({
  "func.func"() <{function_type = (tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> tensor<?x?x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg17: tensor<?x?x4x16xf32>, %arg18: tensor<?x?x4x16xf32>, %arg19: tensor<?x?x4x16xf32>):
    %117 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %118 = "stablehlo.get_dimension_size"(%arg17) <{dimension = 0 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %119 = "stablehlo.get_dimension_size"(%arg17) <{dimension = 1 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %120 = "stablehlo.get_dimension_size"(%arg18) <{dimension = 0 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %121 = "stablehlo.get_dimension_size"(%arg18) <{dimension = 1 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %122 = "stablehlo.get_dimension_size"(%arg19) <{dimension = 0 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %123 = "stablehlo.get_dimension_size"(%arg19) <{dimension = 1 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %124 = "stablehlo.compare"(%118, %117) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%124, %118) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>) -> ()
    %125 = "stablehlo.compare"(%119, %117) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%125, %118, %119) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %126 = "stablehlo.compare"(%120, %118) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%126, %120, %118, %119) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %127 = "stablehlo.compare"(%121, %119) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%127, %121, %119, %118) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %128 = "stablehlo.compare"(%122, %118) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%128, %122, %118, %119) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %129 = "stablehlo.compare"(%123, %119) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%129, %123, %119, %118) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %130 = "func.call"(%118, %119, %arg17, %arg18, %arg19) <{callee = @_wrapped_jax_export_main}> : (tensor<i32>, tensor<i32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> tensor<?x?x4x16xf32>
    "func.return"(%130) : (tensor<?x?x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "s"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> tensor<?x?x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "_wrapped_jax_export_main", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>, %arg10: tensor<?x?x4x16xf32>, %arg11: tensor<?x?x4x16xf32>, %arg12: tensor<?x?x4x16xf32>):
    %40 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %44 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.constant"() <{value = dense<16> : tensor<1xi32>}> : () -> tensor<1xi32>
    %46 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %47 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %49 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %50 = "stablehlo.concatenate"(%48, %49, %47, %46, %45) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %51 = "stablehlo.dynamic_reshape"(%arg10, %50) : (tensor<?x?x4x16xf32>, tensor<5xi32>) -> tensor<?x?x4x1x16xf32>
    %52 = "stablehlo.dot_general"(%51, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>}> : (tensor<?x?x4x1x16xf32>, tensor<?x?x4x16xf32>) -> tensor<?x4x?x1x?xf32>
    %53 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %54 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %55 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %56 = "stablehlo.concatenate"(%53, %47, %54, %46, %55) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %57 = "stablehlo.dynamic_broadcast_in_dim"(%44, %56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<5xi32>) -> tensor<?x4x?x1x?xf32>
    %58 = "stablehlo.multiply"(%52, %57) : (tensor<?x4x?x1x?xf32>, tensor<?x4x?x1x?xf32>) -> tensor<?x4x?x1x?xf32>
    %59 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %60 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %61 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %62 = "stablehlo.concatenate"(%59, %47, %60, %61) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %63 = "stablehlo.dynamic_broadcast_in_dim"(%43, %62) <{broadcast_dimensions = array<i64>}> : (tensor<i1>, tensor<4xi32>) -> tensor<?x4x?x?xi1>
    %64 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %65 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %66 = "stablehlo.concatenate"(%64, %65) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %67 = "stablehlo.dynamic_broadcast_in_dim"(%43, %66) <{broadcast_dimensions = array<i64>}> : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %68 = "func.call"(%arg8, %arg9, %67) <{callee = @tril}> : (tensor<i32>, tensor<i32>, tensor<?x?xi1>) -> tensor<?x?xi1>
    %69 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %70 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %71 = "stablehlo.concatenate"(%46, %46, %69, %70) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %72 = "stablehlo.dynamic_broadcast_in_dim"(%68, %71) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<1x1x?x?xi1>
    %73 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %74 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %75 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %76 = "stablehlo.concatenate"(%73, %47, %74, %75) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %77 = "stablehlo.dynamic_broadcast_in_dim"(%72, %76) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x?x?xi1>, tensor<4xi32>) -> tensor<?x4x?x?xi1>
    %78 = "stablehlo.and"(%63, %77) : (tensor<?x4x?x?xi1>, tensor<?x4x?x?xi1>) -> tensor<?x4x?x?xi1>
    %79 = "func.call"(%arg8, %arg9, %78, %58, %42) <{callee = @_where}> : (tensor<i32>, tensor<i32>, tensor<?x4x?x?xi1>, tensor<?x4x?x1x?xf32>, tensor<f32>) -> tensor<1x?x4x?x?xf32>
    %80 = "stablehlo.reduce"(%79, %41) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %116 = "stablehlo.maximum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%116) : (tensor<f32>) -> ()
    }) : (tensor<1x?x4x?x?xf32>, tensor<f32>) -> tensor<1x?x4x?xf32>
    %81 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %82 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %83 = "stablehlo.concatenate"(%46, %81, %47, %82) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %84 = "stablehlo.dynamic_broadcast_in_dim"(%41, %83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<1x?x4x?xf32>
    %85 = "stablehlo.maximum"(%84, %80) : (tensor<1x?x4x?xf32>, tensor<1x?x4x?xf32>) -> tensor<1x?x4x?xf32>
    %86 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %87 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %88 = "stablehlo.concatenate"(%46, %86, %47, %87, %46) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %89 = "stablehlo.dynamic_broadcast_in_dim"(%85, %88) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x?x4x?xf32>, tensor<5xi32>) -> tensor<1x?x4x?x1xf32>
    %90 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %91 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %92 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %93 = "stablehlo.concatenate"(%46, %90, %47, %91, %92) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %94 = "stablehlo.dynamic_broadcast_in_dim"(%89, %93) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x?x4x?x1xf32>, tensor<5xi32>) -> tensor<1x?x4x?x?xf32>
    %95 = "stablehlo.subtract"(%79, %94) : (tensor<1x?x4x?x?xf32>, tensor<1x?x4x?x?xf32>) -> tensor<1x?x4x?x?xf32>
    %96 = "stablehlo.exponential"(%95) : (tensor<1x?x4x?x?xf32>) -> tensor<1x?x4x?x?xf32>
    %97 = "stablehlo.reduce"(%96, %40) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %115 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%115) : (tensor<f32>) -> ()
    }) : (tensor<1x?x4x?x?xf32>, tensor<f32>) -> tensor<1x?x4x?xf32>
    %98 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %99 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %100 = "stablehlo.concatenate"(%46, %98, %47, %99, %46) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %101 = "stablehlo.dynamic_broadcast_in_dim"(%97, %100) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x?x4x?xf32>, tensor<5xi32>) -> tensor<1x?x4x?x1xf32>
    %102 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %103 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %104 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %105 = "stablehlo.concatenate"(%46, %102, %47, %103, %104) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %106 = "stablehlo.dynamic_broadcast_in_dim"(%101, %105) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x?x4x?x1xf32>, tensor<5xi32>) -> tensor<1x?x4x?x?xf32>
    %107 = "stablehlo.divide"(%96, %106) : (tensor<1x?x4x?x?xf32>, tensor<1x?x4x?x?xf32>) -> tensor<1x?x4x?x?xf32>
    %108 = "stablehlo.dot_general"(%arg12, %107) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>}> : (tensor<?x?x4x16xf32>, tensor<1x?x4x?x?xf32>) -> tensor<?x4x16x1x?xf32>
    %109 = "stablehlo.transpose"(%108) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<?x4x16x1x?xf32>) -> tensor<1x?x?x4x16xf32>
    %110 = "stablehlo.transpose"(%109) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x?x?x4x16xf32>) -> tensor<?x?x4x1x16xf32>
    %111 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %112 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %113 = "stablehlo.concatenate"(%111, %112, %47, %45) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %114 = "stablehlo.dynamic_reshape"(%110, %113) : (tensor<?x?x4x1x16xf32>, tensor<4xi32>) -> tensor<?x?x4x16xf32>
    "func.return"(%114) : (tensor<?x?x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "s"}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?xi1>) -> tensor<?x?xi1>, sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<?x?xi1>):
    %19 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %22 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %23 = "stablehlo.concatenate"(%21, %22) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %24 = "stablehlo.dynamic_iota"(%23) <{iota_dimension = 0 : i64}> : (tensor<2xi32>) -> tensor<?x?xi32>
    %25 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %26 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %27 = "stablehlo.concatenate"(%25, %26) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %28 = "stablehlo.dynamic_broadcast_in_dim"(%20, %27) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %29 = "stablehlo.add"(%24, %28) : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
    %30 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %31 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %32 = "stablehlo.concatenate"(%30, %31) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %33 = "stablehlo.dynamic_iota"(%32) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<?x?xi32>
    %34 = "stablehlo.compare"(%29, %33) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %35 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %36 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %37 = "stablehlo.concatenate"(%35, %36) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %38 = "stablehlo.dynamic_broadcast_in_dim"(%19, %37) <{broadcast_dimensions = array<i64>}> : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %39 = "stablehlo.select"(%34, %arg7, %38) : (tensor<?x?xi1>, tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
    "func.return"(%39) : (tensor<?x?xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "s"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x4x?x?xi1>, tensor<?x4x?x1x?xf32>, tensor<f32>) -> tensor<1x?x4x?x?xf32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x4x?x?xi1>, %arg3: tensor<?x4x?x1x?xf32>, %arg4: tensor<f32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %3 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %4 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %5 = "stablehlo.concatenate"(%2, %1, %3, %4) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %6 = "stablehlo.dynamic_broadcast_in_dim"(%arg4, %5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x4x?x?xf32>
    %7 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %8 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %9 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %10 = "stablehlo.concatenate"(%0, %7, %1, %8, %9) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %11 = "stablehlo.dynamic_broadcast_in_dim"(%arg2, %10) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<?x4x?x?xi1>, tensor<5xi32>) -> tensor<1x?x4x?x?xi1>
    %12 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %13 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %14 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %15 = "stablehlo.concatenate"(%0, %12, %1, %13, %14) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %16 = "stablehlo.dynamic_broadcast_in_dim"(%6, %15) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<?x4x?x?xf32>, tensor<5xi32>) -> tensor<1x?x4x?x?xf32>
    %17 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<?x4x?x1x?xf32>) -> tensor<1x?x4x?x?xf32>
    %18 = "stablehlo.select"(%11, %17, %16) : (tensor<1x?x4x?x?xi1>, tensor<1x?x4x?x?xf32>, tensor<1x?x4x?x?xf32>) -> tensor<1x?x4x?x?xf32>
    "func.return"(%18) : (tensor<1x?x4x?x?xf32>) -> ()
  }) : () -> ()
}) {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
